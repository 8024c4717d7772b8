#include "signal/replica_election.h"

#include <gtest/gtest.h>

namespace seedance {
namespace {

std::vector<Sample> scrapes(std::int64_t from_ms, std::int64_t to_ms, std::int64_t every_ms, double value) {
  std::vector<Sample> out;
  for (std::int64_t t = from_ms; t < to_ms; t += every_ms) out.push_back({t, value});
  return out;
}

std::vector<Sample> elected(const std::vector<ReplicaSamples>& replicas, bool is_counter = false) {
  std::vector<Sample> out{{1, 1}};
  elect_replicas(replicas, is_counter, out);
  return out;
}

std::vector<double> values_of(const std::vector<Sample>& samples) {
  std::vector<double> out;
  for (const Sample& s : samples) out.push_back(s.value);
  return out;
}

TEST(ReplicaElectionTest, OfEqualReplicasTheSmallestNameWinsInAnyOrder) {
  const ReplicaSamples a{"r0", scrapes(1'000, 180'000, 15'000, 1)};
  const ReplicaSamples b{"r1", scrapes(4'000, 180'000, 15'000, 2)};
  EXPECT_EQ(values_of(elected({a, b})), std::vector<double>(12, 1));
  EXPECT_EQ(values_of(elected({b, a})), std::vector<double>(12, 1));
}

TEST(ReplicaElectionTest, AReplicaThatDiesLosesOnlyTheMinutesInWhichTheOtherSawMore) {
  // r0 ends at 1:30 and comes back at 3:30.
  ReplicaSamples a{"r0", scrapes(0, 90'000, 15'000, 1)};
  for (const Sample& s : scrapes(210'000, 300'000, 15'000, 1)) a.samples.push_back(s);
  const ReplicaSamples b{"r1", scrapes(5'000, 300'000, 15'000, 2)};
  // Minute 0: four each. 1: two of r0. 2: none. 3: two. 4: four.
  EXPECT_EQ(values_of(elected({a, b})), (std::vector<double>{1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1}));
}

TEST(ReplicaElectionTest, AMarkerOfOneReplicaDoesNotEndWhatTheOtherSees) {
  const ReplicaSamples a{"r0", {{0, 1}, {15'000, stale_marker()}}};
  const ReplicaSamples b{"r1", {{5'000, 2}, {20'000, 2}, {35'000, 2}}};
  EXPECT_EQ(values_of(elected({a, b})), (std::vector<double>{2, 2, 2}));
  // Both lost it: the end is told.
  const std::vector<Sample> ended = elected({ReplicaSamples{"r0", {{0, 1}, {60'000, stale_marker()}}}, ReplicaSamples{"r1", {{5'000, 2}, {65'000, stale_marker()}}}});
  ASSERT_EQ(ended.size(), 2U);
  EXPECT_TRUE(is_stale_marker(ended[1].value));
  EXPECT_EQ(ended[1].timestamp_ms, 60'000);
}

TEST(ReplicaElectionTest, ACounterReadByAClockThatIsAheadDoesNotSeemToBeginAnew) {
  // It grows by one a second; r0's clock is three seconds slow, r1 takes over at 1:00.
  ReplicaSamples slow{"r0", {}};
  ReplicaSamples right{"r1", {}};
  for (std::int64_t s = 0; s < 60; s += 15) slow.samples.push_back({s * 1'000 + 14'000, static_cast<double>(1'000 + s + 14 + 3)});
  for (std::int64_t s = 15; s < 120; s += 15) right.samples.push_back({s * 1'000, static_cast<double>(1'000 + s)});
  const std::vector<Sample> out = elected({slow, right}, true);
  for (std::size_t i = 1; i < out.size(); ++i) EXPECT_GE(out[i].value, out[i - 1].value);
  EXPECT_EQ(values_of(out), (std::vector<double>{1'017, 1'032, 1'047, 1'062, 1'075, 1'090, 1'105}));
  // A gauge is taken as it is.
  EXPECT_EQ(elected({slow, right}).size(), 8U);
}

TEST(ReplicaElectionTest, ACounterThatBeginsAnewAtAFailOverIsSeenToDoSo) {
  const ReplicaSamples a{"r0", {{0, 500}, {30'000, 530}}};
  const ReplicaSamples b{"r1", {{5'000, 505}, {65'000, 2}, {95'000, 32}}};
  EXPECT_EQ(values_of(elected({a, b}, true)), (std::vector<double>{500, 530, 2, 32}));
  // Also when the other was not there before.
  const ReplicaSamples fresh{"r1", {{65'000, 2}, {95'000, 32}}};
  EXPECT_EQ(values_of(elected({a, fresh}, true)), (std::vector<double>{500, 530, 2, 32}));
  const ReplicaSamples fresh_and_behind{"r1", {{65'000, 528}, {95'000, 558}}};
  EXPECT_EQ(values_of(elected({a, fresh_and_behind}, true)), (std::vector<double>{500, 530, 558}));
}

}  // namespace
}  // namespace seedance
