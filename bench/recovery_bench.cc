// What a start costs: an intake that is read back from its log alone and from a checkpoint, and how long a checkpoint holds intake up.
//
//   recovery_bench [SERIES] [SAMPLES]     default 500000 series of 13 labels that are kept, 60 samples each, one a minute
//
// Every step is a process of its own, so that memory is that of the step.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <thread>

#include "app/intake/sample_intake.h"
#include "base/check.h"
#include "bench/made_gpu_bodies.h"
#include "bench/measure.h"

namespace seedance {
namespace {

constexpr std::int64_t kFirstMs = 1'796'040'000'000;
constexpr std::int64_t kEveryMs = 60'000;

struct RecoveryRun {
  std::size_t series = 500'000;
  std::size_t samples = 60;
  std::string folder;

  // Of the twenty metrics of a card the catalogue knows sixteen.
  std::size_t sent_series() const { return series / 16 * 20; }

  std::unique_ptr<SampleIntake> open(const Clock& clock, Counters& counters) const {
    IntakeOptions options;
    options.accept_any_age = true;
    options.kept_bytes_max = std::size_t{64} << 30;
    options.series.bytes_max = std::size_t{64} << 30;
    Result<std::unique_ptr<SampleIntake>> intake = SampleIntake::open(folder, Catalogue{}, options, clock, counters);
    SEEDANCE_CHECK(intake.has_value(), intake.error().message);
    return std::move(*intake);
  }
  std::size_t disk_mib() const {
    std::uintmax_t sum = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) sum += entry.file_size();
    return static_cast<std::size_t>(sum >> 20);
  }
};

void in_a_process(const std::function<void()>& step) {
  std::fflush(stdout);
  const pid_t child = ::fork();
  if (child == 0) {
    step();
    std::fflush(stdout);
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  SEEDANCE_CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "a step failed");
}

// The longest request, in milliseconds.
double send_pass(SampleIntake& intake, MadeGpuBodies& bodies, std::size_t pass) {
  double longest = 0;
  for (std::size_t i = 0; i < bodies.count(); ++i) {
    const std::string body = bodies.body(i, kFirstMs + static_cast<std::int64_t>(pass) * kEveryMs, pass);
    const Stopwatch watch;
    const Result<IntakeAnswer> answer = intake.take(body);
    SEEDANCE_CHECK(answer.has_value() && answer->samples_refused == 0, answer ? answer->first_reason : answer.error().message);
    longest = std::max(longest, watch.seconds() * 1'000);
  }
  return longest;
}

double bytes_a_series(const RecoveryRun& run, double mib) { return mib * 1048576.0 / static_cast<double>(run.series); }

void fill(const RecoveryRun& run) {
  MadeGpuBodies bodies(run.sent_series());
  const ManualClock clock(time_from_millis(kFirstMs));
  Counters counters;
  const double before = resident_mib();
  const auto intake = run.open(clock, counters);
  const double cpu = cpu_seconds();
  for (std::size_t pass = 0; pass < run.samples; ++pass) {
    send_pass(*intake, bodies, pass);
    if (pass == 0) std::printf("one sample a series: %.0f B resident a series\n", bytes_a_series(run, resident_mib() - before));
  }
  const std::size_t total = run.series * run.samples;
  SEEDANCE_CHECK(intake->kept_samples() == total, "samples kept: " + std::to_string(intake->kept_samples()));
  std::printf("filled: %.1f M samples, %.2f CPU-s a million with making the bodies, %.0f B resident a series (table %.0f, chunks %.0f), log %zu MiB\n",
              static_cast<double>(total) / 1e6, (cpu_seconds() - cpu) / static_cast<double>(total) * 1e6, bytes_a_series(run, resident_mib() - before),
              static_cast<double>(intake->registry().table().bytes()) / static_cast<double>(run.series),
              static_cast<double>(intake->kept_bytes()) / static_cast<double>(run.series), intake->log_bytes() >> 20);
}

void recover(const RecoveryRun& run, const char* from, std::size_t samples_least) {
  const ManualClock clock(time_from_millis(kFirstMs));
  Counters counters;
  const double before = resident_mib();
  const double cpu = cpu_seconds();
  const Stopwatch watch;
  const auto intake = run.open(clock, counters);
  const double seconds = watch.seconds();
  SEEDANCE_CHECK(intake->series() == run.series, "series: " + std::to_string(intake->series()));
  SEEDANCE_CHECK(intake->kept_samples() >= samples_least, "samples: " + std::to_string(intake->kept_samples()));
  std::printf("from the %s: %.2f s, %.2f CPU-s, %.0f B resident a series (peak %.0f MiB), %.1f M samples, %zu MiB on disk\n", from, seconds, cpu_seconds() - cpu,
              bytes_a_series(run, resident_mib() - before), resident_peak_mib(), static_cast<double>(intake->kept_samples()) / 1e6, run.disk_mib());
}

void write_checkpoint(const RecoveryRun& run) {
  MadeGpuBodies bodies(run.sent_series());
  const ManualClock clock(time_from_millis(kFirstMs));
  Counters counters;
  const auto intake = run.open(clock, counters);
  const double calm = send_pass(*intake, bodies, run.samples);
  std::atomic<bool> is_written{false};
  double longest = 0;
  std::jthread sender([&] {
    for (std::size_t pass = run.samples + 1; !is_written; ++pass) longest = std::max(longest, send_pass(*intake, bodies, pass));
  });
  const double cpu = cpu_seconds();
  const Stopwatch watch;
  const Result<CheckpointReport> report = intake->checkpoint();
  const double seconds = watch.seconds();
  is_written = true;
  sender.join();
  SEEDANCE_CHECK(report.has_value(), report.error().message);
  std::printf("checkpoint while requests come: %.2f s, %zu MiB, intake's lock held %.2f ms at most, longest request %.0f ms (%.0f without), %.2f CPU-s with the requests\n",
              seconds, static_cast<std::size_t>(report->bytes_written >> 20), static_cast<double>(report->longest_pause.count()) / 1e6, longest, calm,
              cpu_seconds() - cpu);
}

// Nothing came since: what is on disk is the checkpoint alone.
void write_last_checkpoint(const RecoveryRun& run) {
  const ManualClock clock(time_from_millis(kFirstMs));
  Counters counters;
  const auto intake = run.open(clock, counters);
  const Stopwatch watch;
  const Result<CheckpointReport> report = intake->checkpoint();
  SEEDANCE_CHECK(report.has_value(), report.error().message);
  std::printf("checkpoint alone: %.2f s, %zu MiB\n", watch.seconds(), static_cast<std::size_t>(report->bytes_written >> 20));
}

}  // namespace
}  // namespace seedance

int main(int argc, char** argv) {
  using namespace seedance;  // NOLINT
  RecoveryRun run;
  if (argc > 1) run.series = static_cast<std::size_t>(std::atoll(argv[1])) / 16 * 16;
  if (argc > 2) run.samples = static_cast<std::size_t>(std::atoll(argv[2]));
  run.folder = (std::filesystem::temp_directory_path() / ("seedance_recovery_" + std::to_string(::getpid()))).string();
  in_a_process([&] { fill(run); });
  in_a_process([&] { recover(run, "log alone", run.series * run.samples); });
  in_a_process([&] { write_checkpoint(run); });
  in_a_process([&] { write_last_checkpoint(run); });
  in_a_process([&] { recover(run, "checkpoint", run.series * run.samples); });
  std::filesystem::remove_all(run.folder);
  return 0;
}
