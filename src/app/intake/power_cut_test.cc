// The power goes at seeded moments, in the middle of writes, syncs, renames and recovery itself, on a disk that forgets everything that
// was not synced: a sender that repeats what was not acknowledged loses nothing, and nothing counts twice.
#include <random>

#include <gtest/gtest.h>

#include "app/intake/sample_intake.h"
#include "app/made_samples.h"
#include "store/log/made_files.h"

namespace seedance {
namespace {

constexpr std::size_t kSmallSegment = 3'000;

std::vector<std::string> power_bodies() {
  MadeSamples samples;
  samples.node("n1", "m5.xlarge", 4, 16, 0, 3'900);
  samples.pod("p", "u", "n1", 2, 300, 3'600);
  samples.count(made_labels("container_cpu_usage_seconds_total", {{"namespace", "ml"}, {"pod", "p"}, {"container", "main"}}), 300, 3'600, 0.7);
  return samples.bodies();
}

// Every sample of every series, sorted, one per time stamp.
std::map<std::string, std::vector<std::pair<std::int64_t, double>>> content_of(const SampleIntake& intake) {
  std::map<std::string, std::vector<std::pair<std::int64_t, double>>> out;
  const Interval always{time_from_millis(kMadeHourMs - 86'400'000), time_from_millis(kMadeHourMs + 86'400'000)};
  intake.read_hour(always, [](const SeriesMeaning&) { return true; }, [&](std::uint32_t series, std::span<const Sample> samples) {
    for (const Sample& s : samples) out[print_labels(intake.registry().labels(series))].emplace_back(s.timestamp_ms, s.value);
  });
  return out;
}

class PowerCutRun {
 public:
  // With checkpoints about every third body.
  explicit PowerCutRun(std::uint64_t seed, bool with_checkpoints = false) : random_(seed), with_checkpoints_(with_checkpoints) {}

  void send_all(const std::vector<std::string>& bodies) {
    std::size_t next = 0;
    while (next < bodies.size()) {
      files_.fail_after(random_() % 120);
      next = send_until_dark(bodies, next);
      if (next == bodies.size()) break;
      intake_.reset();
      files_.power_cut(random_);
      ++cuts_;
    }
    intake_.reset();
    files_.power_cut(random_);  // one more when everything has been acknowledged
  }
  // `cut` while nothing fails any more.
  Result<std::unique_ptr<SampleIntake>> open() {
    IntakeOptions options;
    options.files = &files_;
    options.log_segment_bytes = kSmallSegment;
    options.correction_horizon = std::chrono::hours(6);
    return SampleIntake::open("/log", Catalogue{}, options, clock_, counters_);
  }
  std::size_t cuts() const { return cuts_; }
  std::size_t checkpoints() const { return checkpoints_; }

 private:
  // The first body that was not acknowledged when the power went.
  std::size_t send_until_dark(const std::vector<std::string>& bodies, std::size_t next) {
    Result<std::unique_ptr<SampleIntake>> opened = open();
    if (!opened) {
      if (opened.error().code == Code::kUnavailable) return next;  // dark again during recovery
      ADD_FAILURE() << opened.error().message;
      return bodies.size();
    }
    intake_ = std::move(*opened);
    for (; next < bodies.size(); ++next) {
      if (next > 0 && random_() % 4 == 0) ignore(intake_->take(bodies[random_() % next]), "an old body once more, as a second sender would");
      if (with_checkpoints_ && random_() % 3 == 0) {
        if (!intake_->checkpoint()) return next;
        ++checkpoints_;
      }
      const Result<IntakeAnswer> answer = intake_->take(bodies[next]);
      if (!answer) return next;
    }
    return next;
  }

  std::mt19937_64 random_;
  bool with_checkpoints_;
  ForgetfulFiles files_;
  ManualClock clock_{time_from_millis(kMadeHourMs + 3'900'000)};
  Counters counters_;
  std::unique_ptr<SampleIntake> intake_;
  std::size_t cuts_ = 0;
  std::size_t checkpoints_ = 0;
};

TEST(PowerCutTest, NothingAcknowledgedIsLostOrCountedTwice) {
  const std::vector<std::string> bodies = power_bodies();
  Counters counters;
  ManualClock clock(time_from_millis(kMadeHourMs + 3'900'000));
  const std::unique_ptr<SampleIntake> calm = *SampleIntake::open("", Catalogue{}, {}, clock, counters);
  for (const std::string& body : bodies) ASSERT_TRUE(calm->take(body));
  const auto expected = content_of(*calm);
  std::size_t cuts = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    PowerCutRun run(seed);
    run.send_all(bodies);
    const Result<std::unique_ptr<SampleIntake>> intake = run.open();
    ASSERT_TRUE(intake) << "seed " << seed << ": " << intake.error().message;
    EXPECT_EQ(content_of(**intake), expected) << "seed " << seed;
    cuts += run.cuts();
  }
  EXPECT_GT(cuts, 200u) << "the test cuts";
}

// The power also goes in the middle of checkpoints: there is the old one with its log, or the new one.
TEST(PowerCutTest, CheckpointsLoseNothing) {
  const std::vector<std::string> bodies = power_bodies();
  Counters counters;
  ManualClock clock(time_from_millis(kMadeHourMs + 3'900'000));
  const std::unique_ptr<SampleIntake> calm = *SampleIntake::open("", Catalogue{}, {}, clock, counters);
  for (const std::string& body : bodies) ASSERT_TRUE(calm->take(body));
  const auto expected = content_of(*calm);
  std::size_t cuts = 0;
  std::size_t checkpoints = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    PowerCutRun run(seed, true);
    run.send_all(bodies);
    const Result<std::unique_ptr<SampleIntake>> intake = run.open();
    ASSERT_TRUE(intake) << "seed " << seed << ": " << intake.error().message;
    ASSERT_EQ(content_of(**intake), expected) << "seed " << seed;
    EXPECT_EQ((*intake)->take_dirty_hours().size(), 3u) << "the hour, and those beside it that its first and last minutes change";
    cuts += run.cuts();
    checkpoints += run.checkpoints();
  }
  EXPECT_GT(cuts, 1'000u) << "the test cuts";
  EXPECT_GT(checkpoints, 1'000u) << "the test writes checkpoints";
}

// Hours become final while the power goes: what is final is on disk before its samples go.
TEST(PowerCutTest, FinalHoursAreFinalBeforeTheirSamplesGo) {
  MadeSamples samples;
  samples.node("n1", "m5.xlarge", 4, 16, 0, 12 * 3'600);
  const std::vector<std::string> bodies = samples.bodies();
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    std::mt19937_64 random(seed);
    ForgetfulFiles files;
    ManualClock clock(time_from_millis(kMadeHourMs + 12 * 3'600'000));
    Counters counters;
    IntakeOptions options;
    options.files = &files;
    options.log_segment_bytes = 20'000;
    options.correction_horizon = std::chrono::hours(2);
    options.future_limit = std::chrono::hours(24);
    std::size_t next = 0;  // every second seed writes checkpoints too
    std::size_t rounds = 0;
    TimePoint final_told{};
    while (next < bodies.size()) {
      files.fail_after(400 + random() % 400);
      ASSERT_LT(++rounds, 1'000u) << "recovery gets nowhere";
      Result<std::unique_ptr<SampleIntake>> intake = SampleIntake::open("/log", Catalogue{}, options, clock, counters);
      ASSERT_TRUE(intake || intake.error().code == Code::kUnavailable) << intake.error().message;
      for (; intake && next < bodies.size(); ++next) {
        clock.set(time_from_millis(kMadeHourMs + static_cast<std::int64_t>(next) * 30'000));
        if (!(*intake)->take(bodies[next])) break;
        if (next % 20 != 0) continue;
        (void)(*intake)->take_dirty_hours();
        if ((*intake)->finalise()) final_told = std::max(final_told, (*intake)->final_before());
        if (seed % 2 == 0) ignore((*intake)->checkpoint(), "dark, as the next body will find");
      }
      if (intake) intake->reset();
      files.power_cut(random);
    }
    const Result<std::unique_ptr<SampleIntake>> intake = SampleIntake::open("/log", Catalogue{}, options, clock, counters);
    ASSERT_TRUE(intake) << intake.error().message;
    EXPECT_GE((*intake)->final_before(), final_told) << "seed " << seed;
    EXPECT_GT(final_told, TimePoint{});
    // Of the hours that can still change every sample is there.
    const auto content = content_of(**intake);
    ASSERT_FALSE(content.empty());
    for (const auto& [series, kept] : content) {
      std::size_t open_samples = 0;
      for (const auto& [at, value] : kept) open_samples += time_from_millis(at) >= (*intake)->final_before() ? 1 : 0;
      EXPECT_EQ(open_samples, static_cast<std::size_t>((millis_of(time_from_millis(kMadeHourMs + 12 * 3'600'000) ) - millis_of((*intake)->final_before())) / 30'000 + 1)) << series;
    }
  }
}

}  // namespace
}  // namespace seedance
