// Things that happen at the same time in one server: several clusters in one ledger; requests while hours are being settled.
#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include "app/books.h"
#include "app/made_samples.h"

namespace seedance {
namespace {

const Interval kEveryHour{TimePoint::min(), TimePoint::max()};

// The same names in every cluster, so that only the cluster label tells them apart.
std::vector<std::string> bodies_of_cluster(const std::string& cluster, const std::string& type, double cores) {
  MadeSamples plain;
  plain.node("n1", type, cores, 16, 0, 3'600);
  plain.pod("p", "u-" + cluster, "n1", 1, 0, 3'600);
  plain.count(made_labels("container_cpu_usage_seconds_total", {{"namespace", "ml"}, {"pod", "p"}, {"container", "main"}}), 0, 3'600, 0.5);
  MadeSamples labelled;
  for (const SeriesSamples& series : plain.series()) {
    Labels labels = series.labels;
    labels.push_back({"cluster", cluster});
    std::sort(labels.begin(), labels.end());
    for (const Sample& s : series.samples) labelled.add(labels, s.timestamp_ms, s.value);
  }
  return labelled.bodies();
}

struct TogetherBench {
  TogetherBench() {
    IntakeOptions options;
    options.accept_any_age = true;
    intake = *SampleIntake::open("", Catalogue{}, options, clock, counters);
    books = std::make_unique<Books>(*intake, ledger, BooksOptions{});
  }
  std::string lines() {
    EXPECT_TRUE(books->settle(prices, true));
    std::string out;
    const std::vector<LedgerRow> rows = *ledger.read_rows(kEveryHour);
    for (const LedgerRow& r : rows) out += ledger_line(r) + "\n";
    return out;
  }

  ManualClock clock{time_from_millis(kMadeHourMs)};
  Counters counters;
  PriceBook prices = PriceBook::built_in();
  std::unique_ptr<SampleIntake> intake;
  Ledger ledger{std::make_unique<MemoryLedger>()};
  std::unique_ptr<Books> books;
};

Money cost_in(const std::vector<LedgerRow>& rows, const std::string& cluster) {
  Money sum;
  for (const LedgerRow& r : rows) sum += r.cluster == cluster ? r.total_cost() : Money{};
  return sum;
}

TEST(TogetherTest, ClustersWithTheSameNamesHaveBooksOfTheirOwn) {
  const std::vector<std::string> small = bodies_of_cluster("small", "m5.xlarge", 4);
  const std::vector<std::string> large = bodies_of_cluster("large", "r5.xlarge", 8);
  TogetherBench alone;
  for (const std::string& body : small) ASSERT_TRUE(alone.intake->take(body));
  const std::string small_alone = alone.lines();
  TogetherBench both;
  for (std::size_t i = 0; i < small.size(); ++i) {
    ASSERT_TRUE(both.intake->take(small[i]));
    ASSERT_TRUE(both.intake->take(large[i]));
  }
  both.lines();
  const std::vector<LedgerRow> rows = *both.ledger.read_rows(kEveryHour);
  EXPECT_EQ(cost_in(rows, "small").nanos(), 192'000'000);
  EXPECT_EQ(cost_in(rows, "large").nanos(), 252'000'000);
  std::string small_beside;
  for (const LedgerRow& r : rows) small_beside += r.cluster == "small" ? ledger_line(r) + "\n" : "";
  EXPECT_EQ(small_beside, small_alone);
}

// Two senders, a settler and a reader at once; afterwards the rows are those of a server that did one thing after the other.
TEST(TogetherTest, SettlingWhileRequestsArriveEndsWithTheSameRows) {
  const std::vector<std::string> first = bodies_of_cluster("a", "m5.xlarge", 4);
  const std::vector<std::string> second = bodies_of_cluster("b", "r5.xlarge", 8);
  TogetherBench calm;
  for (const auto* bodies : {&first, &second}) {
    for (const std::string& body : *bodies) ASSERT_TRUE(calm.intake->take(body));
  }
  const std::string expected = calm.lines();
  for (int round = 0; round < 5; ++round) {
    TogetherBench busy;
    std::atomic<int> sending{2};
    std::vector<std::jthread> threads;
    for (const auto* bodies : {&first, &second}) {
      threads.emplace_back([&, bodies] {
        for (const std::string& body : *bodies) EXPECT_TRUE(busy.intake->take(body));
        --sending;
      });
    }
    threads.emplace_back([&] {
      while (sending > 0) EXPECT_TRUE(busy.ledger.group({.window = {time_from_millis(kMadeHourMs), time_from_millis(kMadeHourMs + 3'600'000)},
                                                         .by = {GroupKey::kCluster}, .filters = {}, .except_hours = {}}));
    });
    while (sending > 0) EXPECT_TRUE(busy.books->settle(busy.prices, false));
    threads.clear();
    EXPECT_EQ(busy.lines(), expected) << round;
  }
}

}  // namespace
}  // namespace seedance
