// Two Prometheus servers of one cluster, as an HA pair: the ledger is that of one.
#include <random>

#include <gtest/gtest.h>

#include "app/books.h"
#include "app/made_samples.h"

namespace seedance {
namespace {

MadeSamples pair_hour() {
  MadeSamples out;
  out.node("n1", "m5.xlarge", 4, 16, 3, 3'700);
  out.pod("p", "uid-1", "n1", 1, 300, 3'300);
  out.count(made_labels("container_cpu_usage_seconds_total", {{"namespace", "ml"}, {"pod", "p"}, {"container", "main"}}), 303, 3'300, 1.7);
  return out;
}

// The same as another replica saw it: later, and without what came in its pause.
MadeSamples seen_by(const MadeSamples& cluster, const std::string& replica, std::int64_t later_ms, std::int64_t pause_from_s = 0, std::int64_t pause_to_s = 0) {
  MadeSamples out;
  for (const SeriesSamples& series : cluster.series()) {
    Labels labels = series.labels;
    labels.push_back({"prometheus_replica", replica});
    std::sort(labels.begin(), labels.end());
    for (const Sample& s : series.samples) {
      const std::int64_t second = (s.timestamp_ms - kMadeHourMs) / 1'000;
      if (second >= pause_from_s && second < pause_to_s) continue;
      out.add(labels, s.timestamp_ms + later_ms, s.value);
    }
  }
  return out;
}

std::string ledger_of(const std::vector<std::string>& bodies) {
  const ManualClock clock{time_from_millis(kMadeHourMs) + std::chrono::minutes(70)};
  Counters counters;
  IntakeOptions options;
  options.replica_labels = {"prometheus_replica"};
  const auto intake = SampleIntake::open("", Catalogue{}, options, clock, counters).value();
  for (const std::string& body : bodies) {
    const auto answer = intake->take(body);
    EXPECT_TRUE(answer && answer->refused() == 0);
  }
  Ledger ledger(std::make_unique<MemoryLedger>());
  Books books(*intake, ledger, BooksOptions{});
  EXPECT_TRUE(books.settle(PriceBook::built_in(), true));
  std::string out;
  const auto rows = ledger.read_rows({TimePoint::min(), TimePoint::max()});
  for (const LedgerRow& r : *rows) out += ledger_line(r) + "\n";
  return out;
}

std::vector<std::string> joined(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(HaPairTest, ASecondReplicaChangesNothing) {
  const std::vector<std::string> first = seen_by(pair_hour(), "r0", 0).bodies();
  const std::vector<std::string> second = seen_by(pair_hour(), "r1", 4'137).bodies();
  const std::string one = ledger_of(first);
  ASSERT_NE(one, "");
  std::vector<std::string> both = joined(first, second);
  EXPECT_EQ(ledger_of(both), one);
  for (const unsigned seed : {1U, 2U, 3U}) {
    std::shuffle(both.begin(), both.end(), std::mt19937(seed));
    EXPECT_EQ(ledger_of(both), one);
  }
  EXPECT_EQ(ledger_of(joined(both, both)), one);
}

TEST(HaPairTest, AFailOverLosesNothingOfTheMoney) {
  // r0 is away from 20:00 to 40:00; the other saw everything at the same moments.
  const std::string one = ledger_of(seen_by(pair_hour(), "r1", 0).bodies());
  const std::vector<std::string> broken = seen_by(pair_hour(), "r0", 0, 1'200, 2'400).bodies();
  EXPECT_NE(ledger_of(broken), one);
  EXPECT_EQ(ledger_of(joined(broken, seen_by(pair_hour(), "r1", 0).bodies())), one);
}

TEST(HaPairTest, AServerThatIsGivenItsReplicaLabelLaterGoesOnWithItsSeries) {
  const MadeSamples all = pair_hour();
  const std::string one = ledger_of(all.bodies());
  MadeSamples before;
  MadeSamples after;
  for (const SeriesSamples& series : all.series()) {
    for (const Sample& s : series.samples) (s.timestamp_ms < kMadeHourMs + 1'800'000 ? before : after).add(series.labels, s.timestamp_ms, s.value);
  }
  EXPECT_EQ(ledger_of(joined(before.bodies(), seen_by(after, "r0", 0).bodies())), one);
}

}  // namespace
}  // namespace seedance
