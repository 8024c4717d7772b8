#include "app/backfill/prometheus_backfill.h"

#include <filesystem>

#include <gtest/gtest.h>
#include <unistd.h>

#include "app/backfill/made_prometheus.h"
#include "app/made_samples.h"
#include "base/time_text.h"
#include "json/value.h"
#include "store/duckdb/duckdb_ledger.h"

namespace seedance {
namespace {

const TimePoint kFillFrom = time_from_millis(kMadeHourMs);

// Two nodes with a pod each; one node is silent for fifty minutes over a full hour, which its books see from both sides.
std::vector<SeriesSamples> long_history(std::int64_t hours) {
  const std::int64_t end = hours * 3'600 - 1;
  MadeSamples samples;
  samples.node("n1", "m5.xlarge", 4, 16, 7, end);
  samples.pod("p1", "u1", "n1", 2, 900, end);
  samples.count(made_labels("container_cpu_usage_seconds_total", {{"namespace", "ml"}, {"pod", "p1"}, {"container", "main"}}), 900, end, 0.7);
  samples.node("n2", "m5.xlarge", 4, 16, 11, 2 * 3'600 + 1'900);
  samples.node("n2", "m5.xlarge", 4, 16, 3 * 3'600 + 1'300, end);
  return samples.series();
}

// A store in a folder, as the command line opens it.
class FillBench {
 public:
  FillBench() { std::filesystem::create_directories(folder_); }
  ~FillBench() {
    close();
    std::filesystem::remove_all(folder_);
  }
  FillBench(const FillBench&) = delete;
  FillBench& operator=(const FillBench&) = delete;

  void open() {
    IntakeOptions options;
    options.accept_any_age = true;
    options.log_segment_bytes = 50'000;
    intake = SampleIntake::open(folder_ + "/log", Catalogue{}, options, clock_, counters_).value();
    ledger = std::make_unique<Ledger>(DuckdbLedger::open(folder_ + "/ledger.duckdb", {}).value());
    books = std::make_unique<Books>(*intake, *ledger, BooksOptions{});
  }
  void close() {
    books.reset();
    ledger.reset();
    intake.reset();
  }
  // One run of the command; the store is closed afterwards, as after a kill.
  Result<BackfillReport> run(MadePrometheus& server, std::int64_t hours, Labels labels = {}) {
    open();
    PrometheusReader reader("http://prometheus:9090", [&](const std::string& target) { return server.get(target); }, [](Nanos) {});
    BackfillJob job;
    job.window = {kFillFrom, kFillFrom + std::chrono::hours(hours)};
    job.labels = labels;
    job.on_progress = [&](std::uint64_t, std::uint64_t, std::uint64_t) { kept_bytes_max = std::max(kept_bytes_max, intake->kept_bytes()); };
    job.on_resumed = [&](TimePoint at) { resumed_at = at; };
    const std::unique_ptr<BackfillTarget> target = store_target(*intake, *books, prices_);
    TRY_ASSIGN(BackfillProgress progress, BackfillProgress::open(folder_ + "/backfill", {"http://prometheus:9090", "", "window", std::move(labels)}, false));
    return backfill(reader, intake->catalogue(), job, *target, progress);
  }
  std::string lines() {
    EXPECT_TRUE(books->settle(prices_, true));
    std::string out;
    const auto rows = ledger->read_rows({TimePoint::min(), TimePoint::max()});
    for (const LedgerRow& r : *rows) out += ledger_line(r) + "\n";
    return out;
  }
  std::size_t log_bytes() const {
    std::size_t out = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ + "/log")) out += entry.file_size();
    return out;
  }
  std::string folder() const { return folder_; }

  std::unique_ptr<SampleIntake> intake;
  std::unique_ptr<Ledger> ledger;
  std::unique_ptr<Books> books;
  std::size_t kept_bytes_max = 0;
  TimePoint resumed_at{};

 private:
  static std::string next_folder() {
    static int next = 0;
    return (std::filesystem::temp_directory_path() / ("seedance-fill-" + std::to_string(::getpid()) + "-" + std::to_string(next++))).string();
  }
  std::string folder_ = next_folder();
  ManualClock clock_{kFillFrom + std::chrono::hours(1'000)};
  Counters counters_;
  PriceBook prices_ = PriceBook::built_in();
};

// All samples at once, nothing made final: what an import of one file does.
std::string lines_at_once(std::int64_t hours) {
  FillBench bench;
  bench.open();
  EXPECT_TRUE(bench.intake->take(compress_snappy(encode_write_request(long_history(hours)))));
  return bench.lines();
}

TEST(PrometheusBackfillTest, KilledAtAnyQuestionAndRunAgainTheLedgerIsThatOfOneImport) {
  constexpr std::int64_t kHours = 8;
  const std::string expected = lines_at_once(kHours);
  ASSERT_NE(expected.find("n2"), std::string::npos);
  std::size_t all = 0;
  {
    FillBench bench;
    MadePrometheus server(long_history(kHours));
    const auto report = bench.run(server, kHours);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->answer.samples_refused, 0u);
    EXPECT_EQ(bench.lines(), expected);
    EXPECT_GT(bench.intake->final_before(), kFillFrom) << "hours were settled on the way";
    all = server.queries;
  }
  for (std::size_t dies_after = 0; dies_after < all; dies_after += 11) {
    FillBench bench;
    MadePrometheus server(long_history(kHours));
    server.dies_after = dies_after;
    ASSERT_FALSE(bench.run(server, kHours));
    bench.close();
    server.dies_after = SIZE_MAX;
    const auto report = bench.run(server, kHours);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(bench.lines(), expected) << "killed after " << dies_after;
    EXPECT_LE(server.queries, all + 2 * all / kHours + 2) << "what was done is not fetched again";
  }
}

TEST(PrometheusBackfillTest, ALongWindowKeepsNoMoreThanAFewHours) {
  const auto peak_of = [](std::int64_t hours, std::size_t& left, std::size_t& log) {
    FillBench bench;
    MadePrometheus server(long_history(hours));
    EXPECT_TRUE(bench.run(server, hours));
    left = bench.intake->kept_bytes();
    log = bench.log_bytes();
    return bench.kept_bytes_max;
  };
  std::size_t left_short = 0;
  std::size_t left_long = 0;
  std::size_t log_short = 0;
  std::size_t log_long = 0;
  const std::size_t peak_short = peak_of(6, left_short, log_short);
  const std::size_t peak_long = peak_of(72, left_long, log_long);
  EXPECT_GT(left_short, 0u);
  // Some times of day take a byte more.
  EXPECT_LE(left_long, left_short + left_short / 20);
  EXPECT_LE(peak_long, peak_short + peak_short / 20);
  EXPECT_LE(log_long, log_short + 100'000) << "files of settled hours are gone, but for a segment";
}

TEST(PrometheusBackfillTest, DoneIsDoneAndTheWindowThatGrewGoesOnBehind) {
  FillBench bench;
  MadePrometheus server(long_history(8));
  ASSERT_TRUE(bench.run(server, 5));
  bench.close();
  const std::size_t first = server.queries;
  const auto again = bench.run(server, 5);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->samples_fetched, 0u);
  EXPECT_EQ(server.queries, first) << "nothing is asked";
  EXPECT_EQ(bench.resumed_at, kFillFrom + std::chrono::hours(5));
  bench.close();
  ASSERT_TRUE(bench.run(server, 8));
  EXPECT_EQ(bench.lines(), lines_at_once(8));
}

TEST(PrometheusBackfillTest, HoursThatAreFinalAreNotFilledAgain) {
  FillBench bench;
  MadePrometheus server(long_history(8));
  ASSERT_TRUE(bench.run(server, 8));
  bench.close();
  std::filesystem::remove_all(bench.folder() + "/backfill");
  const std::size_t first = server.queries;
  const auto again = bench.run(server, 8);
  ASSERT_FALSE(again);
  EXPECT_NE(again.error().message.find("hours of this store are final"), std::string::npos) << again.error().message;
  EXPECT_EQ(server.queries, first) << "told before anything is fetched";
}

TEST(PrometheusBackfillTest, ExternalLabelsComeOnlyWhereTheSeriesHasNone) {
  Labels labels = made_labels("up", {{"cluster", "own"}, {"pod", "p"}});
  add_external_labels(labels, {{"cluster", "a"}, {"replica", "r0"}, {"zone", "z"}});
  EXPECT_EQ(print_labels(labels), R"({__name__="up",cluster="own",pod="p",replica="r0",zone="z"})");
  FillBench bench;
  MadePrometheus server(long_history(1));
  ASSERT_TRUE(bench.run(server, 1, {{"cluster", "a"}}));
  std::size_t series = 0;
  bench.intake->read_hour({kFillFrom, kFillFrom + std::chrono::hours(1)}, [](const SeriesMeaning&) { return true; }, [&](std::uint32_t number, std::span<const Sample>) {
    EXPECT_EQ(label_value(bench.intake->registry().labels(number), "cluster"), "a");
    ++series;
  });
  EXPECT_GT(series, 5u);
}

// A server of ours that says what a test wants.
struct WriteBench {
  std::deque<Result<HttpResponse>> answers;
  std::vector<Nanos> rests;
  std::size_t posts = 0;
  std::unique_ptr<BackfillTarget> target = write_target(
      [this](const std::string&) -> Result<HttpResponse> {
        ++posts;
        if (answers.empty()) return HttpResponse{204, "", "", {}};
        Result<HttpResponse> answer = answers.front();
        answers.pop_front();
        return answer;
      },
      [this](Nanos time) { rests.push_back(time); });
  Result<IntakeAnswer> take() { return target->take(long_history(1)); }
};

TEST(PrometheusBackfillTest, AFullServerIsSentTheSameBodyAgain) {
  WriteBench bench;
  bench.answers = {HttpResponse{503, "", "", {{"Retry-After", "5"}}}, HttpResponse{503, "", "", {}}};
  const auto answer = bench.take();
  ASSERT_TRUE(answer);
  EXPECT_GT(answer->samples_kept, 100u);
  EXPECT_EQ(bench.posts, 3u);
  EXPECT_EQ(bench.rests, (std::vector<Nanos>{std::chrono::seconds(5), std::chrono::seconds(2)}));
  // Gone for a moment after it answered: again; never there at all: an error at once.
  bench.answers = {fail(Code::kUnavailable, "no connection")};
  EXPECT_TRUE(bench.take());
  WriteBench absent;
  absent.answers = {fail(Code::kUnavailable, "no connection")};
  EXPECT_FALSE(absent.take());
  EXPECT_EQ(absent.posts, 1u);
}

TEST(PrometheusBackfillTest, RefusedSamplesAreCountedAndOtherAnswersAreErrors) {
  WriteBench bench;
  bench.answers = {HttpResponse{400, "application/problem+json", R"({"detail":"3 samples were refused, 9 kept: sample is older than the correction horizon: m at 1"})", {}},
                   HttpResponse{400, "text/plain", "out of bounds", {}}, HttpResponse{401, "application/problem+json", R"({"detail":"no token"})", {}}};
  const auto partly = bench.take();
  ASSERT_TRUE(partly);
  EXPECT_EQ(partly->samples_refused, 3u);
  EXPECT_EQ(partly->first_reason, "sample is older than the correction horizon: m at 1");
  const auto foreign = bench.take();
  ASSERT_TRUE(foreign);
  EXPECT_EQ(foreign->samples_kept, 0u);
  EXPECT_NE(foreign->first_reason.find("out of bounds"), std::string::npos);
  const auto denied = bench.take();
  ASSERT_FALSE(denied);
  EXPECT_EQ(denied.error().code, Code::kDenied);
}

TEST(BackfillProgressTest, DamagedAndForeignFilesCountAsNone) {
  FillBench bench;
  const BackfillKey key{"http://p", "", "7d", {{"cluster", "a"}}};
  const Interval done{kFillFrom, kFillFrom + std::chrono::hours(3)};
  ASSERT_TRUE(BackfillProgress::open(bench.folder(), key, false)->save(done));
  EXPECT_EQ(BackfillProgress::open(bench.folder(), key, false)->done(), std::optional(done));
  for (const BackfillKey& other : {BackfillKey{"http://q", "", "7d", key.labels}, BackfillKey{"http://p", "http://s", "7d", key.labels}, BackfillKey{"http://p", "", "8d", key.labels},
                                   BackfillKey{"http://p", "", "7d", {}}}) {
    EXPECT_FALSE(BackfillProgress::open(bench.folder(), other, false)->done());
  }
  for (const auto& entry : std::filesystem::directory_iterator(bench.folder())) std::filesystem::resize_file(entry.path(), 20);
  EXPECT_FALSE(BackfillProgress::open(bench.folder(), key, false)->done());
  ASSERT_TRUE(BackfillProgress::open(bench.folder(), key, false)->save(done));
  EXPECT_FALSE(BackfillProgress::open(bench.folder(), key, true)->done());
  EXPECT_FALSE(BackfillProgress::open(bench.folder(), key, false)->done()) << "forgotten";
}

TEST(BackfillProgressTest, AddressesAreShownWithoutCredentials) {
  EXPECT_EQ(address_to_show("http://user:pa@ss@host:9090/x/"), "http://host:9090/x");
  EXPECT_EQ(address_to_show("http://host/a@b"), "http://host/a@b");
  EXPECT_EQ(address_to_show("host:1"), "host:1");
}

}  // namespace
}  // namespace seedance
