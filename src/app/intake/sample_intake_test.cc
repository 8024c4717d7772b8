#include "app/intake/sample_intake.h"

#include <filesystem>

#include <gtest/gtest.h>
#include <unistd.h>

#include "app/books.h"
#include "app/made_samples.h"

namespace seedance {
namespace {

namespace fs = std::filesystem;

// An intake with a ledger behind it; the clock stands a minute after the end of the made hour.
class IntakeBench {
 public:
  explicit IntakeBench(std::string directory = {}, IntakeOptions options = {}) : directory_(std::move(directory)), options_(options) { open(); }

  SampleIntake& intake() { return *intake_; }
  IntakeAnswer take(const MadeSamples& samples) {
    const auto answer = intake_->take(samples.body());
    EXPECT_TRUE(answer) << answer.error().message;
    return answer.value_or(IntakeAnswer{});
  }
  void restart() {
    intake_.reset();
    open();
  }
  std::string lines() {
    Books books(*intake_, ledger_, BooksOptions{});
    EXPECT_TRUE(books.settle(book_, true));
    std::string out;
    const auto rows = ledger_.read_rows({TimePoint::min(), TimePoint::max()});
    for (const LedgerRow& r : *rows) out += ledger_line(r) + "\n";
    return out;
  }
  ManualClock clock{time_from_millis(kMadeHourMs) + std::chrono::minutes(61)};
  Counters counters;

 private:
  void open() {
    auto opened = SampleIntake::open(directory_, Catalogue{}, options_, clock, counters);
    ASSERT_TRUE(opened) << opened.error().message;
    intake_ = std::move(*opened);
  }
  std::string directory_;
  IntakeOptions options_;
  std::unique_ptr<SampleIntake> intake_;
  Ledger ledger_{std::make_unique<MemoryLedger>()};
  PriceBook book_ = PriceBook::built_in();
};

Labels one_series() { return made_labels("kube_node_info", {{"node", "n1"}}); }

MadeSamples one_sample(std::int64_t timestamp_ms) {
  MadeSamples out;
  out.add(one_series(), timestamp_ms, 1);
  return out;
}

// Scrapes do not fall on full hours.
MadeSamples small_hour(std::int64_t to_s = 3'600) {
  MadeSamples out;
  out.node("n1", "m5.xlarge", 4, 16, 17, to_s);
  out.pod("p", "uid-1", "n1", 2, 17, to_s);
  return out;
}

class SampleIntakeTest : public testing::Test {
 protected:
  std::string folder_ = (fs::path(testing::TempDir()) / ("seedance_intake_" + std::to_string(::getpid()))).string();
  void SetUp() override { fs::remove_all(folder_); }
  void TearDown() override { fs::remove_all(folder_); }
};

TEST_F(SampleIntakeTest, BadTimestampsAreRefusedAndGoodOnesKept) {
  IntakeBench bench;
  MadeSamples samples;
  const std::int64_t now = millis_of(bench.clock.now());
  samples.add(one_series(), now, 1);
  samples.add(one_series(), now / 1'000, 1);             // seconds, which read as 1970
  samples.add(one_series(), now + 11 * 60'000, 1);       // future
  samples.add(one_series(), now - 8 * 3'600'000, 1);     // too old
  samples.add(one_series(), -5, 1);
  samples.add(one_series(), 9'000'000'000'000, 1);       // year 2255
  const IntakeAnswer answer = bench.take(samples);
  EXPECT_EQ(answer.samples_kept, 1u);
  EXPECT_EQ(answer.samples_refused, 5u);
  EXPECT_NE(answer.first_reason.find("kube_node_info"), std::string::npos) << answer.first_reason;
  EXPECT_EQ(bench.intake().kept_samples(), 1u);
}

TEST_F(SampleIntakeTest, LimitsOfTimeAreTheStatedOnes) {
  IntakeBench bench;
  const std::int64_t now = millis_of(bench.clock.now());
  EXPECT_EQ(bench.take(one_sample(now + 10 * 60'000)).samples_kept, 1u);
  EXPECT_EQ(bench.take(one_sample(now + 10 * 60'000 + 1)).samples_refused, 1u);
  EXPECT_EQ(bench.take(one_sample(now - 7 * 3'600'000)).samples_kept, 1u) << "the horizon and the hour it lies in";
  EXPECT_EQ(bench.take(one_sample(now - 7 * 3'600'000 - 1)).samples_refused, 1u);
}

TEST_F(SampleIntakeTest, FutureSamplesDoNotMoveTheWatermark) {
  IntakeBench bench;
  bench.take(one_sample(millis_of(bench.clock.now()) + 3'600'000));
  EXPECT_EQ(bench.intake().watermark(), TimePoint{});
  EXPECT_TRUE(bench.intake().take_dirty_hours().empty());
}

TEST_F(SampleIntakeTest, AnyAgeIsForReplaysOnly) {
  IntakeOptions options;
  options.accept_any_age = true;
  IntakeBench bench("", options);
  EXPECT_EQ(bench.take(one_sample(1'592'265'600'000)).samples_kept, 1u);
  EXPECT_EQ(bench.take(one_sample(1'592'265'600)).samples_refused, 1u) << "1970 stays nonsense";
}

TEST_F(SampleIntakeTest, ALabelFloodIsRefusedByNameAndLiveSeriesAreKept) {
  IntakeOptions options;
  options.series.series_per_metric_max = 10;
  IntakeBench bench({}, options);
  MadeSamples flood;
  for (int i = 0; i < 100; ++i) flood.add(made_labels("kube_node_info", {{"node", "n" + std::to_string(i)}}), kMadeHourMs, 1);
  const IntakeAnswer first = bench.take(flood);
  EXPECT_EQ(first.samples_kept, 10u);
  EXPECT_EQ(first.samples_refused, 90u);
  EXPECT_NE(first.first_reason.find("kube_node_info"), std::string::npos) << first.first_reason;
  EXPECT_EQ(bench.counters.counter("ingest_refused_samples", "", "reason=\"series-limit\"").value(), 90);
  MadeSamples other;
  other.add(made_labels("kube_pod_info", {{"namespace", "ml"}, {"pod", "p"}, {"uid", "u"}, {"node", "n1"}}), kMadeHourMs, 1);
  EXPECT_EQ(bench.take(other).samples_refused, 0u) << "other metrics are not touched";
}

TEST_F(SampleIntakeTest, UnknownMetricsAreCountedNotKept) {
  IntakeBench bench;
  MadeSamples samples;
  samples.add(made_labels("go_goroutines", {{"instance", "x"}}), kMadeHourMs, 7);
  const IntakeAnswer answer = bench.take(samples);
  EXPECT_EQ(answer.samples_ignored, 1u);
  EXPECT_EQ(bench.intake().kept_samples(), 0u);
}

TEST_F(SampleIntakeTest, ResendingChangesNothing) {
  IntakeBench once;
  once.take(small_hour());
  IntakeBench twice;
  for (int i = 0; i < 2; ++i) twice.take(small_hour());
  for (const std::string& body : small_hour().bodies()) ASSERT_TRUE(twice.intake().take(body));
  EXPECT_EQ(once.lines(), twice.lines());
}

TEST_F(SampleIntakeTest, GarbageIsRefusedAsAWhole) {
  IntakeBench bench;
  EXPECT_EQ(bench.intake().take("not snappy").error().code, Code::kInvalid);
  EXPECT_EQ(bench.intake().take(compress_snappy("\x0a\xff")).error().code, Code::kInvalid);
  EXPECT_EQ(bench.intake().kept_samples(), 0u);
}

TEST_F(SampleIntakeTest, FullMemoryShedsLoadAndKeepsWhatIsThere) {
  IntakeOptions options;
  options.kept_bytes_max = 100;
  IntakeBench bench("", options);
  bench.take(small_hour(60));
  const std::size_t before = bench.intake().kept_samples();
  const auto refused = bench.intake().take(small_hour(120).body());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kExhausted);
  EXPECT_NE(refused.error().hint.find("kept_bytes_max"), std::string::npos);
  EXPECT_EQ(bench.intake().kept_samples(), before);
  EXPECT_NE(bench.counters.print().find("seedance_ingest_refused_requests_total{reason=\"memory\"} 1"), std::string::npos);
}

TEST_F(SampleIntakeTest, RestartReplaysToIdenticalRows) {
  IntakeBench bench(folder_);
  for (const std::string& body : small_hour().bodies()) ASSERT_TRUE(bench.intake().take(body));
  const std::string before = bench.lines();
  EXPECT_NE(before.find("uid-1"), std::string::npos);
  bench.restart();
  EXPECT_EQ(bench.lines(), before);
  bench.clock.advance(std::chrono::hours(48));
  bench.restart();
  EXPECT_EQ(bench.lines(), before) << "samples are judged by the time at which they came";
}

TEST_F(SampleIntakeTest, RestartAfterFinalHoursReplaysToIdenticalRows) {
  IntakeOptions options;
  options.correction_horizon = std::chrono::hours(1);
  IntakeBench bench(folder_, options);
  const std::vector<std::string> bodies = small_hour(3 * 3'600).bodies();
  bench.clock.set(time_from_millis(kMadeHourMs));
  for (const std::string& body : bodies) {
    ASSERT_TRUE(bench.intake().take(body));
    bench.clock.advance(std::chrono::seconds(30));
  }
  const std::string before = bench.lines();
  ASSERT_TRUE(bench.intake().finalise());
  EXPECT_EQ(bench.intake().final_before(), time_from_millis(kMadeHourMs + 3'600'000));
  bench.restart();
  EXPECT_EQ(bench.lines(), before) << "the first hour that can change still knows the minutes before it";
}

TEST_F(SampleIntakeTest, AServerKeepsAllOfWhatAnImportTookHoweverOldItIs) {
  IntakeOptions import_options;
  import_options.accept_any_age = true;
  std::size_t kept = 0;
  const ManualClock import_clock{time_from_millis(kMadeHourMs) + std::chrono::minutes(61)};
  Counters counters;
  {
    const auto import = SampleIntake::open(folder_, Catalogue{}, import_options, import_clock, counters).value();
    MadeSamples hours;
    hours.node("n1", "m5.xlarge", 4, 16, -20 * 3'600 + 17, 3'600);  // half of an hour is at the edge of the horizon
    ASSERT_TRUE(import->take(hours.body(), LogRecordKind::kSeriesBatch));
    kept = import->kept_samples();
  }
  const ManualClock later{time_from_millis(kMadeHourMs) + std::chrono::minutes(90)};
  const auto server = SampleIntake::open(folder_, Catalogue{}, IntakeOptions{}, later, counters).value();
  EXPECT_EQ(server->kept_samples(), kept);
  EXPECT_EQ(server->open_hours().size(), 21U);
}

TEST_F(SampleIntakeTest, FinalHoursRefuseSamples) {
  IntakeOptions options;
  options.correction_horizon = std::chrono::hours(1);
  IntakeBench bench(folder_, options);
  bench.take(small_hour());
  bench.clock.advance(std::chrono::hours(3));
  bench.take(one_sample(millis_of(bench.clock.now())));
  bench.lines();
  ASSERT_TRUE(bench.intake().finalise());
  const TimePoint final_before = bench.intake().final_before();
  EXPECT_GT(final_before, time_from_millis(kMadeHourMs));
  bench.clock.set(final_before + std::chrono::minutes(30));  // so that age alone would let it in
  const IntakeAnswer late = bench.take(one_sample(millis_of(final_before) - 1));
  EXPECT_EQ(late.samples_refused, 1u);
  EXPECT_NE(late.first_reason.find("final"), std::string::npos);
  bench.restart();
  EXPECT_EQ(bench.intake().final_before(), final_before);
  EXPECT_EQ(bench.take(one_sample(millis_of(final_before) - 1)).samples_refused, 1u);
}

TEST_F(SampleIntakeTest, HoursThatWaitForBooksAreNotMadeFinal) {
  IntakeOptions options;
  options.correction_horizon = std::chrono::hours(1);
  IntakeBench bench("", options);
  bench.take(small_hour());
  bench.clock.advance(std::chrono::hours(5));
  bench.take(one_sample(millis_of(bench.clock.now())));
  ASSERT_TRUE(bench.intake().finalise());
  EXPECT_LE(bench.intake().final_before(), time_from_millis(kMadeHourMs)) << "its rows were not written yet";
}

TEST_F(SampleIntakeTest, SecondServerOnTheSameFolderIsRefused) {
  IntakeBench bench(folder_);
  const auto second = SampleIntake::open(folder_, Catalogue{}, {}, bench.clock, bench.counters);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, Code::kConflict);
}

}  // namespace
}  // namespace seedance
