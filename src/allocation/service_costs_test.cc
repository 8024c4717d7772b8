#include "allocation/service_costs.h"

#include <map>
#include <random>

#include <gtest/gtest.h>

#include "allocation/made_cluster.h"

namespace seedance {
namespace {

ClaimMount mount_between(const std::string& pod, std::int64_t from_minute, std::int64_t to_minute) { return {pod, made_steps(1, from_minute, to_minute)}; }

// Shares as text in 48ths of the claim's life: "pod1=28 pod2=10 ".
std::string shares_of(const Steps& life, std::vector<ClaimMount> mounts) {
  const std::vector<ClaimShare> shares = claim_shares(life, mounts);
  Int128 total = 0;
  for (const ClaimShare& s : shares) total += s.weight;
  std::string out;
  for (const ClaimShare& s : shares) {
    if (s.weight == 0) continue;
    EXPECT_EQ(s.weight * 48 % total, 0);
    out += (s.pod_uid.empty() ? "unmounted" : s.pod_uid) + "=" + std::to_string(static_cast<int>(s.weight * 48 / total)) + " ";
  }
  return out;
}

// opencost/opencost pkg/costmodel/intervals_test.go TestGetPVCCostCoefficients; the claim lives from minute 0 to 60.
TEST(ClaimSharesTest, FourPodsThatComeAndGo) {
  EXPECT_EQ(shares_of(made_steps(1), {mount_between("pod1", 0, 60), mount_between("pod2", 30, 60), mount_between("pod3", 45, 60), mount_between("pod4", 0, 15)}),
            "pod1=28 pod2=10 pod3=4 pod4=6 ");
}

TEST(ClaimSharesTest, PodsOneAfterTheOther) { EXPECT_EQ(shares_of(made_steps(1), {mount_between("pod1", 0, 30), mount_between("pod2", 30, 60)}), "pod1=24 pod2=24 "); }

TEST(ClaimSharesTest, FirstHalfUnmounted) {
  EXPECT_EQ(shares_of(made_steps(1), {mount_between("pod1", 30, 60), mount_between("pod2", 30, 60)}), "pod1=12 pod2=12 unmounted=24 ");
}

TEST(ClaimSharesTest, GapBetweenPodsIsUnmounted) {
  EXPECT_EQ(shares_of(made_steps(1), {mount_between("pod1", 0, 15), mount_between("pod2", 45, 60)}), "pod1=12 pod2=12 unmounted=24 ");
}

TEST(ClaimSharesTest, PodInsideTheWindow) { EXPECT_EQ(shares_of(made_steps(1), {mount_between("pod1", 15, 45)}), "pod1=24 unmounted=24 "); }

TEST(ClaimSharesTest, ClaimWithoutALifeHasNoShares) { EXPECT_EQ(shares_of({}, {mount_between("pod1", 0, 60)}), ""); }

TEST(ClaimSharesTest, SharesSumToTheLifeForAnyMounts) {
  std::mt19937_64 random(9);
  for (int round = 0; round < 500; ++round) {
    std::vector<ClaimMount> mounts;
    for (std::size_t i = random() % 12; i > 0; --i) {
      const auto from = static_cast<std::int64_t>(random() % 60);
      mounts.push_back(mount_between("p" + std::to_string(i), from, from + 1 + static_cast<std::int64_t>(random() % 30)));
    }
    const std::vector<ClaimShare> shares = claim_shares(made_steps(1), mounts);
    Int128 total = 0;
    for (const ClaimShare& s : shares) total += s.weight;
    ASSERT_GT(total, 0);
    ASSERT_EQ(total % kNanosPerHour, 0) << "every piece is divided without a rest";
  }
}

std::map<std::string, Money> storage_by_pod(const MadeCluster& cluster) {
  std::map<std::string, Money> out;
  for (const LedgerRow& r : cluster.close().rows) {
    if (r.kind == RowKind::kStorage) out[r.pod] += r.storage_cost;
  }
  return out;
}

// opencost/opencost#2129: pod hours were used where claim hours are meant.
TEST(StorageTest, ClaimSharedByPodsOfDifferentLengthsSumsToItsPrice) {
  MadeCluster cluster;
  cluster.options.service_prices.storage_gib = {2'000'000'000};
  cluster.pod(MadePod("a/A").with(MadeContainer("c")));
  cluster.pod(MadePod("a/B").with(MadeContainer("c")));
  ClaimRecord claim;
  claim.namespace_name = "a";
  claim.name = "data";
  claim.bytes = made_steps(kMadeGib, 0, 60);
  claim.mounts = {{"a/A", made_steps(1, 0, 60)}, {"a/B", made_steps(1, 30, 60)}};
  cluster.hour.inventory.claims = {claim};
  const auto by_pod = storage_by_pod(cluster);
  EXPECT_EQ(by_pod.at("A").nanos(), 1'500'000'000);
  EXPECT_EQ(by_pod.at("B").nanos(), 500'000'000);
}

TEST(StorageTest, UnmountedClaimIsBookedOnItsNamespace) {
  MadeCluster cluster;
  cluster.options.service_prices.storage_gib = {54'795};
  ClaimRecord claim;
  claim.namespace_name = "a";
  claim.name = "data";
  claim.bytes = made_steps(100 * kMadeGib);
  cluster.hour.inventory.claims = {claim};
  const auto rows = cluster.close().rows;
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].namespace_name, "a");
  EXPECT_EQ(rows[0].reason, "claim data, unmounted");
  EXPECT_EQ(rows[0].storage_cost.nanos(), 5'479'500);
}

// opencost/opencost modules/collector-source: 2 GiB to a zone, 1 to a region, 7 to the internet at 1, 2 and 3 a GiB.
TEST(NetworkTest, TrafficIsPricedByClass) {
  MadeCluster cluster;
  cluster.options.service_prices.zone_gib = Money::nanos(1'000'000'000);
  cluster.options.service_prices.region_gib = Money::nanos(2'000'000'000);
  cluster.options.service_prices.internet_gib = Money::nanos(3'000'000'000);
  cluster.node("n1", 1, 1, 0, 0);
  cluster.pod(MadePod("a/p").with(MadeContainer("c")));
  cluster.hour.traffic["a/p"] = {2 * kMadeGib, kMadeGib, 7 * kMadeGib};
  EXPECT_EQ(made_sum(cluster.close().rows, RowKind::kNetwork).network_cost.nanos(), 25'000'000'000);
}

MadeCluster shared_cluster(SharedCost::Mode mode, std::int64_t rate) {
  MadeCluster cluster;
  cluster.node("n1", 10, 10, 0, 10'000'000'000, 1, 0);
  cluster.pod(MadePod("a/p1").with(MadeContainer("c").cpu(1)));
  cluster.pod(MadePod("a/p2").with(MadeContainer("c").cpu(2)));
  cluster.pod(MadePod("b/p3").with(MadeContainer("c").cpu(6)));
  cluster.options.shared_costs = {{"control plane", {rate}, mode}};
  return cluster;
}

std::int64_t shared_of_pod(const std::vector<LedgerRow>& rows, const std::string& uid) { return made_sum_of_pod(rows, uid).shared_cost.nanos(); }

TEST(SharedCostTest, EvenMeansEquallyOverNamespacesAndByCostInside) {
  const auto rows = shared_cluster(SharedCost::Mode::kEven, 600'000'000).close().rows;
  EXPECT_EQ(shared_of_pod(rows, "a/p1"), 100'000'000);
  EXPECT_EQ(shared_of_pod(rows, "a/p2"), 200'000'000);
  EXPECT_EQ(shared_of_pod(rows, "b/p3"), 300'000'000);
}

TEST(SharedCostTest, WeightedMeansByCost) {
  const auto rows = shared_cluster(SharedCost::Mode::kWeighted, 900'000'000).close().rows;
  EXPECT_EQ(shared_of_pod(rows, "a/p1"), 100'000'000);
  EXPECT_EQ(shared_of_pod(rows, "a/p2"), 200'000'000);
  EXPECT_EQ(shared_of_pod(rows, "b/p3"), 600'000'000);
}

TEST(SharedCostTest, SeparateIsARowOfItsOwn) {
  const LedgerRow row = made_sum(shared_cluster(SharedCost::Mode::kSeparate, 600'000'000).close().rows, RowKind::kShared);
  EXPECT_EQ(row.shared_cost.nanos(), 600'000'000);
}

TEST(SharedCostTest, NobodyToCarryItMakesARow) {
  MadeCluster cluster;
  cluster.node("n1", 10, 10, 0, 10'000'000'000, 1, 0);
  cluster.options.shared_costs = {{"control plane", {600'000'000}, SharedCost::Mode::kWeighted}};
  EXPECT_EQ(made_sum(cluster.close().rows, RowKind::kShared).shared_cost.nanos(), 600'000'000);
}

TEST(SharedCostTest, EveryModeSumsExactlyForOddAmounts) {
  for (const SharedCost::Mode mode : {SharedCost::Mode::kEven, SharedCost::Mode::kWeighted, SharedCost::Mode::kSeparate}) {
    for (const std::int64_t rate : std::initializer_list<std::int64_t>{1, 2, 999'999'937, 100'000'000'007}) {
      const HourBooks books = shared_cluster(mode, rate).close();
      EXPECT_EQ(made_sum(books.rows, [](const LedgerRow&) { return true; }).shared_cost.nanos(), rate);
      EXPECT_EQ(made_total(books.rows).nanos(), static_cast<std::int64_t>(books.charges[0].nanos));
    }
  }
}

TEST(SharedCostTest, NoClusterNothingToOperate) {
  MadeCluster cluster;
  cluster.options.shared_costs = {{"control plane", {600'000'000}, SharedCost::Mode::kSeparate}};
  EXPECT_TRUE(cluster.close().rows.empty());
}

}  // namespace
}  // namespace seedance
