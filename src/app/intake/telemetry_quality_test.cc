#include "app/intake/telemetry_quality.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "app/made_samples.h"

namespace seedance {
namespace {

namespace fs = std::filesystem;

IntakeAnswer answer_of(std::size_t kept, std::size_t refused, std::size_t gpu = 0, std::size_t gpu_without_id = 0) {
  IntakeAnswer out;
  out.samples_kept = kept;
  out.samples_refused = refused;
  out.gpu_samples = gpu;
  out.gpu_samples_without_id = gpu_without_id;
  return out;
}

class TelemetryQualityTest : public testing::Test {
 protected:
  std::string folder_ = (fs::path(testing::TempDir()) / ("seedance_telemetry_" + std::to_string(::getpid()))).string();
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  void minute(TelemetryQuality& quality, const std::string& sender, const Result<IntakeAnswer>& answer) {
    for (int i = 0; i < 10; ++i) quality.add(sender, "Prometheus/2.42.0", answer, now_);
    now_ += std::chrono::minutes(1);
    ASSERT_TRUE(quality.close_period(now_));
  }
  TimePoint now_ = time_from_millis(kMadeHourMs);
  Counters counters_;
};

TEST_F(TelemetryQualityTest, ADegradedSenderIsNotedWithItsTimeAndTheNoteOutlivesARestart) {
  const TimePoint begin = now_;
  {
    TelemetryQuality quality(telemetry_file(folder_), counters_);
    ASSERT_TRUE(quality.close_period(now_));
    minute(quality, "10.0.0.3", answer_of(100, 0));
    for (int i = 0; i < 3; ++i) minute(quality, "10.0.0.3", answer_of(80, 20));
    minute(quality, "10.0.0.4", answer_of(100, 0));
    const TelemetryReport report = quality.report();
    ASSERT_EQ(report.senders.size(), 2U);
    EXPECT_TRUE(report.senders[0].is_degraded);
    EXPECT_FALSE(report.senders[1].is_degraded);
    ASSERT_EQ(report.notes.size(), 1U);
    EXPECT_EQ(report.notes[0].message, "20.0 % of what it sends is refused, above 15 % for three minutes: figures made of it lack the rest");
    EXPECT_FALSE(report.notes[0].to);
    EXPECT_NE(counters_.print().find("seedance_telemetry_senders_degraded 1"), std::string::npos);
    for (int i = 0; i < 3; ++i) minute(quality, "10.0.0.3", answer_of(100, 0));
    EXPECT_FALSE(quality.report().senders[0].is_degraded);
  }
  TelemetryQuality again(telemetry_file(folder_), counters_);
  const std::vector<TelemetryNote> notes = again.notes_of({begin, now_});
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].subject, "10.0.0.3");
  EXPECT_EQ(notes[0].gate, "errors");
  ASSERT_TRUE(notes[0].to);
  EXPECT_TRUE(again.notes_of({begin - std::chrono::hours(1), begin}).empty()) << "before it";
  EXPECT_TRUE(again.notes_of({*notes[0].to, now_ + std::chrono::hours(1)}).empty()) << "after it";
  EXPECT_EQ(read_telemetry_notes(telemetry_file(folder_)).size(), 1U);
}

TEST_F(TelemetryQualityTest, ANoteThatWasOpenAtTheStopDoesNotStayOpenForEver) {
  {
    TelemetryQuality quality(telemetry_file(folder_), counters_);
    ASSERT_TRUE(quality.close_period(now_));
    minute(quality, "gone", answer_of(10, 0, 100, 50));
    ASSERT_FALSE(quality.report().notes.at(0).to);
  }
  now_ += std::chrono::hours(1);
  TelemetryQuality again(telemetry_file(folder_), counters_);
  ASSERT_TRUE(again.close_period(now_));
  ASSERT_TRUE(again.report().notes.at(0).to);
  EXPECT_EQ(*again.report().notes[0].to, now_);
  minute(again, "other", answer_of(10, 0));
  EXPECT_EQ(read_telemetry_notes(telemetry_file(folder_)).at(0).to, again.report().notes[0].to);
}

TEST_F(TelemetryQualityTest, AReplayIsNotLate) {
  IntakeAnswer old = answer_of(100, 0);
  old.newest_ms = kMadeHourMs - 86'400'000;
  TelemetryQuality live("", counters_);
  TelemetryQuality replay("", counters_, false);
  ASSERT_TRUE(live.close_period(now_));
  ASSERT_TRUE(replay.close_period(now_));
  const TimePoint begin = now_;
  minute(live, "a", old);
  now_ = begin;
  minute(replay, "a", old);
  EXPECT_EQ(live.report().notes.size(), 1U);
  EXPECT_TRUE(replay.report().notes.empty());
}

TEST_F(TelemetryQualityTest, OurOwnFailuresAreNotTheSenders) {
  TelemetryQuality quality("", counters_);
  ASSERT_TRUE(quality.close_period(now_));
  for (int i = 0; i < 4; ++i) minute(quality, "a", fail(Code::kExhausted, "full"));
  EXPECT_TRUE(quality.report().notes.empty());
  minute(quality, "a", fail(Code::kInvalid, "no message"));
  EXPECT_TRUE(quality.is_light("a"));
}

TEST_F(TelemetryQualityTest, DamagedNotesAreBegunAnew) {
  std::ofstream(telemetry_file(folder_)) << "{\"not\": [";
  TelemetryQuality quality(telemetry_file(folder_), counters_);
  EXPECT_TRUE(quality.report().notes.empty());
  ASSERT_TRUE(quality.close_period(now_));
  minute(quality, "a", answer_of(10, 0, 100, 50));
  EXPECT_EQ(read_telemetry_notes(telemetry_file(folder_)).size(), 1U);
}

// The whole way: what an intake says of real bodies.
TEST_F(TelemetryQualityTest, TheIntakeCountsWhatTheGatesJudgeBy) {
  const ManualClock clock{time_from_millis(kMadeHourMs) + std::chrono::minutes(61)};
  const auto intake = SampleIntake::open("", Catalogue{}, {}, clock, counters_).value();
  MadeSamples samples;
  samples.hold(made_labels("DCGM_FI_DEV_GPU_UTIL", {{"UUID", "GPU-1"}, {"Hostname", "n1"}, {"gpu", "0"}}), 0, 90, 50);
  samples.hold(made_labels("DCGM_FI_DEV_GPU_UTIL", {{"Hostname", "n1"}, {"gpu", "1"}}), 0, 30, 50);
  samples.hold(made_labels("prometheus_remote_storage_samples_total", {{"url", "http://x"}}), 0, 0, 12);
  samples.hold(made_labels("prometheus_remote_storage_samples_failed_total", {{"url", "http://x"}}), 0, 0, 2);
  const IntakeAnswer answer = intake->take(samples.body()).value();
  EXPECT_EQ(answer.gpu_samples, 6U);
  EXPECT_EQ(answer.gpu_samples_without_id, 2U);
  EXPECT_EQ(answer.newest_ms, kMadeHourMs + 90'000);
  ASSERT_EQ(answer.sender_counters.size(), 2U);
  const auto& failed = answer.sender_counters[0].signal == SignalId::kSenderSamplesFailed ? answer.sender_counters[0] : answer.sender_counters[1];
  EXPECT_EQ(failed.sample.value, 2);
}

}  // namespace
}  // namespace seedance
