#include "app/checkpoint/intake_checkpoint.h"

#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include <gtest/gtest.h>
#include <unistd.h>

#include "app/intake/sample_intake.h"
#include "app/made_samples.h"

namespace seedance {
namespace {

namespace fs = std::filesystem;
using Content = std::map<std::string, std::vector<std::pair<std::int64_t, double>>>;

class IntakeCheckpointTest : public testing::Test {
 protected:
  fs::path folder_ = fs::path(testing::TempDir()) / ("seedance_checkpoint_" + std::to_string(::getpid()) + "_" + testing::UnitTest::GetInstance()->current_test_info()->name());
  ManualClock clock_{time_from_millis(kMadeHourMs + 2 * 3'600'000)};
  Counters counters_;
  IntakeOptions options_;

  void SetUp() override { fs::remove_all(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  Result<std::unique_ptr<SampleIntake>> open() { return SampleIntake::open(folder_.string(), Catalogue{}, options_, clock_, counters_); }
  static Content content(const SampleIntake& intake) {
    Content out;
    const Interval always{time_from_millis(0), time_from_millis(kMadeHourMs + 30 * 86'400'000LL)};
    intake.read_hour(always, [](const SeriesMeaning&) { return true; }, [&](std::uint32_t series, std::span<const Sample> samples) {
      for (const Sample& s : samples) out[print_labels(intake.registry().labels(series))].emplace_back(s.timestamp_ms, s.value);
    });
    return out;
  }
  static void take_all(SampleIntake& intake, const std::vector<std::string>& bodies, std::size_t from = 0) {
    for (std::size_t i = from; i < bodies.size(); ++i) ASSERT_TRUE(intake.take(bodies[i]));
  }
  std::vector<fs::path> files_ending(const std::string& end) const {
    std::vector<fs::path> out;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      if (entry.path().filename().string().ends_with(end)) out.push_back(entry.path());
    }
    std::sort(out.begin(), out.end());
    return out;
  }
  // Two hours of a node and two pods.
  static std::vector<std::string> two_hours() {
    MadeSamples samples;
    samples.node("n1", "m5.xlarge", 4, 16, 0, 7'000);
    samples.pod("p", "u", "n1", 2, 300, 7'000);
    samples.count(made_labels("container_cpu_usage_seconds_total", {{"namespace", "ml"}, {"pod", "p"}, {"container", "main"}}), 300, 6'900, 0.7);
    return samples.bodies();
  }
};

TEST_F(IntakeCheckpointTest, StartReadsTheCheckpointAndReplaysWhatCameSince) {
  const std::vector<std::string> bodies = two_hours();
  Content expected;
  TimePoint watermark;
  std::vector<TimePoint> dirty;
  {
    const auto intake = open().value();
    for (std::size_t i = 0; i < 150; ++i) ASSERT_TRUE(intake->take(bodies[i]));
    const Result<CheckpointReport> report = intake->checkpoint();
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_GT(report->bytes_written, 0u);
    EXPECT_EQ(report->bytes_written, fs::file_size(folder_ / "checkpoint") + report->bytes_total);
    EXPECT_LT(intake->log_bytes(), 100u) << "the log begins anew";
    take_all(*intake, bodies, 150);
    expected = content(*intake);
    watermark = intake->watermark();
    dirty = intake->take_dirty_hours();
  }
  const auto intake = open().value();
  EXPECT_EQ(content(*intake), expected);
  EXPECT_EQ(intake->watermark(), watermark);
  EXPECT_EQ(intake->take_dirty_hours(), dirty) << "every open hour is computed again";
  EXPECT_EQ(files_ending(".log").size(), 1u);
  EXPECT_EQ(files_ending(".part").size(), 3u) << "two hours and the series";
  take_all(*intake, bodies);
  EXPECT_EQ(content(*intake), expected) << "the same once more counts once";
}

TEST_F(IntakeCheckpointTest, HourWithoutNewSamplesKeepsItsPart) {
  const std::vector<std::string> bodies = two_hours();
  const auto intake = open().value();
  take_all(*intake, bodies);
  ASSERT_TRUE(intake->checkpoint());
  const std::vector<fs::path> first = files_ending(".part");
  MadeSamples late;
  late.node("n1", "m5.xlarge", 4, 16, 7'030, 7'030);
  ASSERT_TRUE(intake->take(late.body()));
  ASSERT_TRUE(intake->checkpoint());
  const std::vector<fs::path> second = files_ending(".part");
  ASSERT_EQ(second.size(), 3u);
  EXPECT_EQ(first[0], second[0]) << "14:00";
  EXPECT_NE(first[1], second[1]) << "15:00 has a new sample";
  EXPECT_EQ(first[2], second[2]) << "no new series";
}

TEST_F(IntakeCheckpointTest, ManyCheckpointsWithNewSeriesLeaveBoundedPartsAndTheSameContent) {
  Content expected;
  {
    const auto intake = open().value();
    for (int i = 0; i < 40; ++i) {
      MadeSamples samples;
      samples.pod("p" + std::to_string(i), "u" + std::to_string(i), "n1", 1, 30 * i, 30 * i);
      ASSERT_TRUE(intake->take(samples.body()));
      ASSERT_TRUE(intake->checkpoint());
    }
    expected = content(*intake);
    EXPECT_LE(files_ending(".part").size(), 18u);
  }
  const auto intake = open().value();
  EXPECT_EQ(content(*intake), expected);
}

TEST_F(IntakeCheckpointTest, SeriesOfFinalHoursAreGoneAfterAStartAndTheNextCheckpointIsWhole) {
  options_.correction_horizon = std::chrono::hours(1);
  options_.future_limit = std::chrono::hours(24);
  Content expected;
  std::size_t before = 0;
  {
    const auto intake = open().value();
    MadeSamples old;
    old.pod("gone", "u-gone", "n1", 1, 0, 600);
    ASSERT_TRUE(intake->take(old.body()));
    ASSERT_TRUE(intake->checkpoint());
    clock_.set(time_from_millis(kMadeHourMs + 6 * 3'600'000));
    MadeSamples samples;
    samples.node("n1", "m5.xlarge", 4, 16, 5 * 3'600, 5 * 3'600 + 600);
    samples.pod("here", "u-here", "n1", 1, 5 * 3'600, 5 * 3'600 + 600);
    ASSERT_TRUE(intake->take(samples.body()));
    (void)intake->take_dirty_hours();
    ASSERT_TRUE(intake->finalise());
    ASSERT_TRUE(intake->checkpoint());
    expected = content(*intake);
    before = intake->series();
  }
  std::size_t after = 0;
  {
    const auto intake = open().value();
    EXPECT_EQ(content(*intake), expected);
    after = intake->series();
    EXPECT_EQ(after, before - 3);
    ASSERT_TRUE(intake->checkpoint()) << "with the numbers that series have now";
  }
  const auto intake = open().value();
  EXPECT_EQ(content(*intake), expected);
  EXPECT_EQ(intake->series(), after);
}

TEST_F(IntakeCheckpointTest, HourThatBecameFinalAfterTheCheckpointIsLeftOut) {
  options_.correction_horizon = std::chrono::hours(1);
  options_.future_limit = std::chrono::hours(24);
  {
    const auto intake = open().value();
    MadeSamples samples;
    samples.node("n1", "m5.xlarge", 4, 16, 0, 600);
    ASSERT_TRUE(intake->take(samples.body()));
    ASSERT_TRUE(intake->checkpoint());
    clock_.set(time_from_millis(kMadeHourMs + 6 * 3'600'000));
    MadeSamples later;
    later.node("n1", "m5.xlarge", 4, 16, 5 * 3'600, 5 * 3'600 + 600);
    ASSERT_TRUE(intake->take(later.body()));
    (void)intake->take_dirty_hours();
    ASSERT_TRUE(intake->finalise());
    EXPECT_EQ(intake->open_hours().size(), 1u);
  }
  const auto intake = open().value();
  EXPECT_EQ(intake->open_hours().size(), 1u);
  for (const auto& [series, samples] : content(*intake)) EXPECT_GE(samples.front().first, kMadeHourMs + 5 * 3'600'000) << series;
}

TEST_F(IntakeCheckpointTest, HoursInWhichANodeWasSilentAreDirtyAfterAStart) {
  options_.future_limit = std::chrono::hours(24);
  MadeSamples samples;
  samples.node("n1", "m5.xlarge", 4, 16, 0, 1'200);
  samples.node("n1", "m5.xlarge", 4, 16, 6'900, 7'020);
  std::vector<TimePoint> replayed;
  {
    const auto intake = open().value();
    for (const std::string& body : samples.bodies()) ASSERT_TRUE(intake->take(body));
  }
  {
    const auto intake = open().value();
    replayed = intake->take_dirty_hours();
    ASSERT_TRUE(intake->checkpoint());
  }
  EXPECT_EQ(open().value()->take_dirty_hours(), replayed);
}

TEST_F(IntakeCheckpointTest, SendersAndCheckpointsTogetherLoseNothing) {
  constexpr int kThreads = 3;
  Content expected;
  {
    const auto intake = open().value();
    std::atomic<int> running{kThreads};
    std::vector<std::jthread> senders;
    for (int t = 0; t < kThreads; ++t) {
      senders.emplace_back([&, t] {
        MadeSamples samples;
        samples.node("n" + std::to_string(t), "m5.xlarge", 4, 16, 0, 3'000);
        samples.pod("p" + std::to_string(t), "u" + std::to_string(t), "n" + std::to_string(t), 1, 0, 3'000);
        for (const std::string& body : samples.bodies()) EXPECT_TRUE(intake->take(body));
        --running;
      });
    }
    int checkpoints = 0;
    for (; running > 0; ++checkpoints) ASSERT_TRUE(intake->checkpoint());
    EXPECT_GT(checkpoints, 2);
    senders.clear();
    expected = content(*intake);
  }
  EXPECT_EQ(expected.size(), 3u * 7u);
  EXPECT_EQ(content(*open().value()), expected);
}

// A request that wrote to the log and has not kept its samples yet holds the checkpoint up: its log file would go.
TEST(TakeBarrierTest, DrainWaitsForThoseInsideAndNotForThoseThatComeLater) {
  TakeBarrier barrier;
  EXPECT_TRUE(barrier.drain(std::chrono::seconds(10)));
  auto early = std::make_unique<TakeBarrier::Pass>(barrier);
  EXPECT_FALSE(barrier.drain(std::chrono::milliseconds(1)));
  auto between = std::make_unique<TakeBarrier::Pass>(barrier);
  early.reset();
  EXPECT_FALSE(barrier.drain(std::chrono::milliseconds(1))) << "of the drain that ran out of time";
  between.reset();
  // Requests come without a pause, as one ends the next has begun: none of them is waited for once it came behind the drain.
  std::atomic<bool> is_drained{false};
  std::jthread drainer([&] { is_drained = barrier.drain(std::chrono::seconds(60)); });
  auto running = std::make_unique<TakeBarrier::Pass>(barrier);
  while (!is_drained) {
    auto next = std::make_unique<TakeBarrier::Pass>(barrier);
    running = std::move(next);
  }
}

TEST_F(IntakeCheckpointTest, OwnersOfSeriesAreKept) {
  SeriesRegistry registry{Catalogue{}, {}};
  const auto series_of = [&](const std::string& pod) {
    return registry.resolve(made_labels("kube_pod_info", {{"namespace", "ml"}, {"pod", pod}, {"uid", pod}, {"node", "n"}})).series;
  };
  EXPECT_EQ(registry.owner(series_of("a")), "");
  registry.set_owner(series_of("c"), "team-c");
  registry.set_owner(series_of("b"), "team-b");
  EXPECT_EQ(registry.owner(series_of("a")), "");
  EXPECT_EQ(registry.owner(series_of("b")), "team-b");
  EXPECT_EQ(registry.owner(series_of("c")), "team-c");
  registry.set_owner(series_of("c"), "");
  EXPECT_EQ(registry.owner(series_of("c")), "");
  EXPECT_EQ(registry.owner_names().size(), 3u);
}

// Damage at every kind of place is an error that names a file; nothing is removed, and the file mended is the checkpoint again.
TEST_F(IntakeCheckpointTest, DamageIsAnErrorAndChangesNothing) {
  Content expected;
  {
    const auto intake = open().value();
    take_all(*intake, two_hours());
    expected = content(*intake);
    ASSERT_TRUE(intake->checkpoint());
  }
  std::vector<fs::path> files = files_ending(".part");
  files.push_back(folder_ / "checkpoint");
  const auto read_file = [](const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const auto write_file = [](const fs::path& path, const std::string& bytes) { std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes; };
  const auto expect_damage = [&](const fs::path& path, const std::string& what) {
    const auto intake = open();
    ASSERT_FALSE(intake) << path << " " << what;
    EXPECT_EQ(intake.error().code, Code::kInvalid) << path << " " << what;
    EXPECT_TRUE(intake.error().message.starts_with("checkpoint of the sample log is damaged at byte ")) << intake.error().message;
    EXPECT_NE(intake.error().message.find(path.filename().string()), std::string::npos) << intake.error().message;
  };
  std::mt19937_64 random(1);
  for (const fs::path& path : files) {
    const std::string good = read_file(path);
    std::vector<std::size_t> places = {0, 7, 8, 12, 20, good.size() / 2, good.size() - 13, good.size() - 12, good.size() - 1};
    for (int i = 0; i < 20; ++i) places.push_back(random() % good.size());
    for (const std::size_t at : places) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ (1 << (random() % 8)));
      write_file(path, bad);
      expect_damage(path, "bit at " + std::to_string(at));
      write_file(path, good.substr(0, at));
      expect_damage(path, "cut at " + std::to_string(at));
    }
    write_file(path, good + "more");
    expect_damage(path, "longer");
    fs::remove(path);
    if (path.filename() != "checkpoint") expect_damage(path, "missing");
    write_file(path, good);
  }
  // A part under the name of another.
  const std::string first = read_file(files[0]);
  fs::copy_file(files[1], files[0], fs::copy_options::overwrite_existing);
  expect_damage(files[0], "another hour's");
  write_file(files[0], first);
  EXPECT_EQ(content(*open().value()), expected);
}

TEST_F(IntakeCheckpointTest, LogThatTheCheckpointGoesOnWithMustBeThere) {
  {
    const auto intake = open().value();
    take_all(*intake, two_hours());
    ASSERT_TRUE(intake->checkpoint());
  }
  for (const fs::path& path : files_ending(".log")) fs::remove(path);
  const auto intake = open();
  ASSERT_FALSE(intake);
  EXPECT_TRUE(intake.error().message.starts_with("sample log lacks the file")) << intake.error().message;
}

TEST_F(IntakeCheckpointTest, MetricThatLeftTheCatalogueIsLeftOut) {
  {
    const std::vector<SignalBinding> extra = {{"my_gpu_busy", SignalId::kGpuEngineActive, 1, "test", false}};
    const auto intake = SampleIntake::open(folder_.string(), Catalogue(extra), options_, clock_, counters_).value();
    MadeSamples samples;
    samples.node("n1", "m5.xlarge", 4, 16, 0, 600);
    samples.hold(made_labels("my_gpu_busy", {{"Hostname", "n1"}, {"UUID", "GPU-1"}, {"gpu", "0"}}), 0, 600, 0.5);
    ASSERT_TRUE(intake->take(samples.body()));
    ASSERT_EQ(content(*intake).size(), 5u);
    ASSERT_TRUE(intake->checkpoint());
  }
  EXPECT_EQ(content(*open().value()).size(), 4u);
}

}  // namespace
}  // namespace seedance
