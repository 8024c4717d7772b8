#include "allocation/node_books.h"

#include <gtest/gtest.h>

#include "allocation/made_cluster.h"

namespace seedance {
namespace {

constexpr std::int64_t kDollar = 1'000'000'000;

Money dollars_of(double amount) { return Money::nanos(static_cast<std::int64_t>(amount * 1e9 + 0.5)); }

// The books of a cluster; checked for the one law before anybody looks at them.
std::vector<LedgerRow> rows_of_hour(const MadeCluster& cluster) {
  const HourBooks books = cluster.close();
  MoneySum charged = 0;
  for (const HourCharge& c : books.charges) charged += c.nanos;
  EXPECT_EQ(made_total(books.rows).nanos(), charged);
  return books.rows;
}

TEST(NodeBooksTest, NodeWithoutPodsIsAllIdle) {
  MadeCluster cluster;
  cluster.node("n1", 3, 1, 20, 24 * kDollar, 3, 1, 20);
  const auto rows = rows_of_hour(cluster);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].kind, RowKind::kIdle);
  EXPECT_EQ(rows[0].cpu_cost, dollars_of(3));
  EXPECT_EQ(rows[0].memory_cost, dollars_of(1));
  EXPECT_EQ(rows[0].gpu_cost, dollars_of(20));
}

TEST(NodeBooksTest, HalfUsedNodeIsHalfIdlePerResource) {
  MadeCluster cluster;
  cluster.node("n1", 10, 10, 0, 15 * kDollar, 10, 5);
  cluster.pod(MadePod("a/p").with(MadeContainer("c").cpu(5).memory(5)));
  const auto rows = rows_of_hour(cluster);
  EXPECT_EQ(made_sum(rows, RowKind::kIdle).cpu_cost, dollars_of(5));
  EXPECT_EQ(made_sum(rows, RowKind::kIdle).memory_cost, dollars_of(2.5));
  EXPECT_EQ(made_sum(rows, RowKind::kAllocated).cpu_cost, dollars_of(5));
}

// An eighth of a card is one device: its only pod holds all of the node's GPU money, and an eighth of a GPU-hour each hour.
TEST(NodeBooksTest, PodOnAPartOfACardHoldsAllOfIt) {
  MadeCluster cluster;
  cluster.node("n1", 4, 4, 1, 3 * kDollar);
  cluster.hour.prices[0].gpu_millis = 125;
  cluster.pod(MadePod("a/p").between(0, 30).with(MadeContainer("c").gpus(1)));
  const auto rows = rows_of_hour(cluster);
  EXPECT_EQ(made_sum_of_pod(rows, "a/p").gpu_cost, dollars_of(0.5));
  EXPECT_EQ(made_sum_of_pod(rows, "a/p").gpu_allocated, kNanosPerHour / 16);
  EXPECT_EQ(made_sum(rows, RowKind::kIdle).gpu_cost, dollars_of(0.5));
  EXPECT_EQ(made_sum(rows, RowKind::kIdle).gpu_allocated, kNanosPerHour / 16);
}

struct AllocationCase {
  double request, used, expected;  // a negative side is missing
};

// opencost/opencost pkg/costmodel/costmodel_test.go: allocation = max(request, usage), a missing side counts as nothing.
TEST(NodeBooksTest, AllocationIsTheLargerOfRequestAndUsage) {
  for (const AllocationCase& c : {AllocationCase{1, 0.01, 1}, AllocationCase{1, 2.2, 2.2}, AllocationCase{-1, 0.01, 0.01}, AllocationCase{1, -1, 1}, AllocationCase{0, 0, 0}}) {
    MadeCluster cluster;
    cluster.node("n1", 10, 10, 0, 10 * kDollar, 1, 0);
    MadeContainer container("c");
    if (c.request >= 0) container.cpu(c.request);
    cluster.pod(MadePod("a/p").with(container));
    if (c.used >= 0) cluster.use("a/p", "c", made_steps(static_cast<std::int64_t>(c.used * 1e9)));
    const LedgerRow pod = made_sum_of_pod(rows_of_hour(cluster), "a/p");
    EXPECT_EQ(pod.cpu_allocated, static_cast<std::int64_t>(c.expected * 3'600e9));
    EXPECT_EQ(pod.cpu_cost, dollars_of(c.expected));
  }
}

TEST(NodeBooksTest, MaximumIsTakenAtEachTimeAndThenAveraged) {
  MadeCluster cluster;
  cluster.node("n1", 10, 10, 0, 10 * kDollar, 1, 0);
  cluster.pod(MadePod("a/p").with(MadeContainer("c").cpu(1)));
  cluster.use("a/p", "c", {{made_minute(0), made_minute(15), 0}, {made_minute(15), made_minute(30), 3 * kMadeCore}, {made_minute(30), made_minute(45), 0},
                           {made_minute(45), made_minute(60), 3 * kMadeCore}});
  EXPECT_EQ(made_sum_of_pod(rows_of_hour(cluster), "a/p").cpu_allocated, 2 * 3'600'000'000'000) << "not 1.5, the larger of the averages";
}

TEST(NodeBooksTest, RequestsThatChangeInPlaceCountFromTheChange) {
  MadeCluster cluster;
  cluster.node("n1", 10, 10, 0, 10 * kDollar, 1, 0);
  cluster.pod(MadePod("a/p").with(MadeContainer("c").request_steps("cpu", {{made_minute(0), made_minute(30), kMadeCore}, {made_minute(30), made_minute(60), 3 * kMadeCore}})));
  EXPECT_EQ(made_sum_of_pod(rows_of_hour(cluster), "a/p").cpu_cost, dollars_of(2));
}

TEST(NodeBooksTest, OverSubscribedNodeIsScaledProRataAndNeverIdleBelowZero) {
  MadeCluster cluster;
  cluster.node("n1", 4, 4, 0, 4 * kDollar, 1, 0);
  cluster.pod(MadePod("a/big").with(MadeContainer("c").cpu(1)));
  cluster.pod(MadePod("a/small").with(MadeContainer("c").cpu(1)));
  cluster.use("a/big", "c", made_steps(6 * kMadeCore, 0, 30));
  cluster.use("a/small", "c", made_steps(2 * kMadeCore, 0, 30));
  const auto rows = rows_of_hour(cluster);
  // Half an hour at 6:2 of four cores, half an hour at 1:1 with two cores idle.
  EXPECT_EQ(made_sum_of_pod(rows, "a/big").cpu_cost, dollars_of(2));
  EXPECT_EQ(made_sum_of_pod(rows, "a/small").cpu_cost, dollars_of(1));
  EXPECT_EQ(made_sum(rows, RowKind::kIdle).cpu_cost, dollars_of(1));
}

TEST(NodeBooksTest, OverSubscribedGpusAreDividedExactly) {
  MadeCluster cluster;
  cluster.node("n1", 8, 8, 1, 3 * kDollar, 0, 0);
  for (const char* name : {"a/p1", "a/p2", "a/p3"}) cluster.pod(MadePod(name).with(MadeContainer("c").gpus(1)));
  const auto rows = rows_of_hour(cluster);
  for (const char* name : {"a/p1", "a/p2", "a/p3"}) EXPECT_EQ(made_sum_of_pod(rows, name).gpu_cost, dollars_of(1));
  EXPECT_EQ(made_sum(rows, RowKind::kIdle).gpu_cost, Money{});
}

TEST(NodeBooksTest, MeasuredGpuTimeIsNeverMoreThanAllocated) {
  MadeCluster cluster;
  cluster.node("n1", 8, 8, 1, 2 * kDollar, 0, 0);
  cluster.pod(MadePod("a/p1").with(MadeContainer("c").gpus(1)));
  cluster.pod(MadePod("a/p2").with(MadeContainer("c").gpus(1)));
  cluster.device("n1", "GPU-1", "a/p1", 500'000);
  const LedgerRow pod = made_sum_of_pod(rows_of_hour(cluster), "a/p1");
  EXPECT_EQ(pod.gpu_allocated, 1'800'000'000'000);
  EXPECT_EQ(pod.gpu_measured, 1'800'000'000'000);
  EXPECT_EQ(pod.gpu_active, 900'000'000'000);
}

TEST(NodeBooksTest, PodThatCannotPullItsImageIsChargedAsHeldNotStarted) {
  MadeCluster cluster;
  cluster.node("n1", 8, 8, 1, 2 * kDollar, 0, 0);
  MadePod pod("a/p");
  pod.with(MadeContainer("c").gpus(1).running(made_steps(0)));
  pod.record().containers[0].waiting = made_steps(1);
  pod.record().containers[0].waiting_reason = "ImagePullBackOff";
  pod.record().phase = made_steps(static_cast<std::int64_t>(PodPhase::kPending));
  cluster.pod(pod);
  cluster.device("n1", "GPU-1", "", 0);
  const LedgerRow sum = made_sum_of_pod(rows_of_hour(cluster), "a/p");
  EXPECT_EQ(sum.gpu_cost, dollars_of(2));
  EXPECT_EQ(sum.part(WaterfallPart::kHeldNotStarted), dollars_of(2));
}

TEST(NodeBooksTest, NativeSidecarCountsBesideTheOthers) {
  MadeCluster cluster;
  cluster.node("n1", 10, 10, 0, 10 * kDollar, 1, 0);
  cluster.pod(MadePod("a/p").with(MadeContainer("main").cpu(2)).with(MadeContainer("proxy").cpu(1).sidecar()));
  const auto rows = rows_of_hour(cluster);
  EXPECT_EQ(made_sum_of_pod(rows, "a/p", "proxy").cpu_cost, dollars_of(1));
  EXPECT_EQ(made_sum_of_pod(rows, "a/p").cpu_cost, dollars_of(3));
}

TEST(NodeBooksTest, PlainInitContainerCountsOnlyAboveTheOthers) {
  MadeCluster cluster;
  cluster.node("n1", 10, 10, 0, 10 * kDollar, 1, 0);
  cluster.pod(MadePod("a/small").with(MadeContainer("main").cpu(2)).with(MadeContainer("setup").cpu(1).init()));
  cluster.pod(MadePod("a/large").with(MadeContainer("main").cpu(2)).with(MadeContainer("setup").cpu(3).init()));
  const auto rows = rows_of_hour(cluster);
  EXPECT_EQ(made_sum_of_pod(rows, "a/small").cpu_cost, dollars_of(2));
  EXPECT_EQ(made_sum_of_pod(rows, "a/large", "setup").cpu_cost, dollars_of(1));
  EXPECT_EQ(made_sum_of_pod(rows, "a/large").cpu_cost, dollars_of(3));
}

TEST(NodeBooksTest, PodOfTwentySecondsIsBilledTwentySecondsWhateverTheScrapes) {
  MadeCluster cluster;
  cluster.node("n1", 1, 1, 1, 3'600 * kDollar, 1, 0, 0);
  MadePod pod("a/p");
  pod.with(MadeContainer("c").cpu(1));
  pod.record().bound = {{made_second(600), made_second(720), 1}};  // seen from the scrape after its end
  pod.record().scheduled_at = made_second(545);
  pod.record().completed_at = made_second(565);
  cluster.pod(pod);
  const LedgerRow sum = made_sum_of_pod(rows_of_hour(cluster), "a/p");
  EXPECT_EQ(sum.held_nanos, 20 * kNanosPerSecond);
  EXPECT_EQ(sum.cpu_cost, dollars_of(20));
}

TEST(NodeBooksTest, FinishedPodHoldsNothingFromItsEnd) {
  MadeCluster cluster;
  cluster.node("n1", 1, 1, 0, 60 * kDollar, 1, 0);
  MadePod pod("a/p");
  pod.with(MadeContainer("c").cpu(1));
  pod.record().phase = {{made_minute(0), made_minute(10), static_cast<std::int64_t>(PodPhase::kRunning)},
                        {made_minute(10), made_minute(60), static_cast<std::int64_t>(PodPhase::kSucceeded)}};
  cluster.pod(pod);
  EXPECT_EQ(made_sum_of_pod(rows_of_hour(cluster), "a/p").cpu_cost, dollars_of(10));
}

TEST(NodeBooksTest, PriceStepInsideTheHourIsBilledPiecewise) {
  MadeCluster cluster;
  cluster.node("n1", 2, 2, 0, 6 * kDollar, 1, 0);
  NodePrices& prices = cluster.hour.prices[0];
  prices.pieces.push_back(prices.pieces[0]);
  prices.pieces[0].span.to = prices.pieces[1].span.from = made_minute(20);
  prices.pieces[1].rate = {12 * kDollar};
  cluster.pod(MadePod("a/p").with(MadeContainer("c").cpu(1)));
  const auto rows = rows_of_hour(cluster);
  std::vector<Money> pieces;
  for (const LedgerRow& r : rows) {
    if (r.kind == RowKind::kAllocated) pieces.push_back(r.cpu_cost);
  }
  EXPECT_EQ(pieces, (std::vector<Money>{dollars_of(1), dollars_of(4)}));
  EXPECT_EQ(made_total(rows), dollars_of(10)) << "20 minutes at 6 and 40 at 12";
}

TEST(NodeBooksTest, SilentNodeIsChargedAsUnattributed) {
  MadeCluster cluster;
  cluster.node("n1", 2, 2, 0, 6 * kDollar, 1, 1).present = {{made_minute(0), made_minute(20), 1}, {made_minute(40), made_minute(60), 1}};
  cluster.pod(MadePod("a/p").with(MadeContainer("c").cpu(2).memory(2)));
  const auto rows = rows_of_hour(cluster);
  EXPECT_EQ(made_total(rows), dollars_of(6));
  EXPECT_EQ(made_sum(rows, RowKind::kUnattributed).total_cost(), dollars_of(2));
  EXPECT_EQ(made_sum_of_pod(rows, "a/p").total_cost(), dollars_of(4));
  for (const LedgerRow& r : rows) {
    EXPECT_EQ(r.reason, r.kind == RowKind::kUnattributed ? "no metrics of the node from 2026-11-30T14:20:00Z to 2026-11-30T14:40:00Z" : "");
  }
}

TEST(NodeBooksTest, NodeThatIsGoneIsNotCharged) {
  MadeCluster cluster;
  cluster.node("n1", 2, 2, 0, 6 * kDollar).present = made_steps(1, 0, 20);
  EXPECT_EQ(made_total(rows_of_hour(cluster)), dollars_of(2));
  MadeCluster long_gone;
  long_gone.options.node_gap_max = std::chrono::minutes(10);
  long_gone.node("n1", 2, 2, 0, 6 * kDollar).present = {{made_minute(0), made_minute(20), 1}, {made_minute(40), made_minute(60), 1}};
  EXPECT_EQ(made_total(rows_of_hour(long_gone)), dollars_of(4));
}

TEST(NodeBooksTest, FreeGpusWithoutCpuBesideThemAreStranded) {
  MadeCluster cluster;
  cluster.node("n1", 4, 64, 4, 8 * kDollar, 0, 0);
  cluster.pod(MadePod("a/p").with(MadeContainer("c").cpu(3.8).gpus(1)));
  const auto rows = rows_of_hour(cluster);
  EXPECT_EQ(made_sum(rows, RowKind::kStranded).gpu_cost, dollars_of(6));
  EXPECT_EQ(made_sum(rows, RowKind::kIdle).gpu_cost, Money{});
}

TEST(NodeBooksTest, MigSlicesWithoutALayoutAreStranded) {
  MadeCluster cluster;
  NodeRecord& node = cluster.node("n1", 32, 64, 1, 7 * kDollar, 0, 0);
  node.capacity = {{"cpu", made_steps(32 * kMadeCore)}, {"memory", made_steps(64 * kMadeGib)}, {"nvidia_com_mig_3g_20gb", made_steps(2)}};
  cluster.pod(MadePod("a/p").with(MadeContainer("c").request("nvidia_com_mig_3g_20gb", 1)));
  const auto rows = rows_of_hour(cluster);
  EXPECT_EQ(made_sum_of_pod(rows, "a/p").gpu_cost, dollars_of(3));
  EXPECT_EQ(made_sum(rows, RowKind::kIdle).gpu_cost, dollars_of(3));
  EXPECT_EQ(made_sum(rows, RowKind::kStranded).gpu_cost, dollars_of(1)) << "two 3g leave one of seven slices";
}

TEST(NodeBooksTest, UnpricedNodeIsListedWithoutMoney) {
  MadeCluster cluster;
  cluster.node("n1", 4, 4, 1, 0);
  PricePiece& piece = cluster.hour.prices[0].pieces[0];
  piece.is_priced = false;
  piece.problem = "no price for p99";
  cluster.pod(MadePod("a/p").with(MadeContainer("c").cpu(1).gpus(1)));
  const auto rows = rows_of_hour(cluster);
  const LedgerRow unpriced = made_sum(rows, RowKind::kUnpriced);
  EXPECT_EQ(unpriced.total_cost(), Money{});
  EXPECT_EQ(unpriced.cpu_allocated, 3'600'000'000'000) << "usage is kept";
  EXPECT_EQ(rows[0].reason, "no price for p99");
}

TEST(NodeBooksTest, PodOnAnUnknownNodeIsListedWithoutMoney) {
  MadeCluster cluster;
  cluster.pod(MadePod("a/p").on("ghost").with(MadeContainer("c").cpu(1)));
  const auto rows = rows_of_hour(cluster);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].kind, RowKind::kUnpriced);
  EXPECT_EQ(rows[0].reason, "no node metrics (kube_node_info) for ghost");
}

TEST(NodeBooksTest, UsageOfAContainerThatTheStateDoesNotKnowIsBooked) {
  MadeCluster cluster;
  cluster.node("n1", 4, 4, 0, 4 * kDollar, 1, 0);
  cluster.pod(MadePod("a/p"));
  cluster.use("a/p", "debugger", made_steps(kMadeCore));
  EXPECT_EQ(made_sum_of_pod(rows_of_hour(cluster), "a/p", "debugger").cpu_cost, dollars_of(1));
}

// kubecost/kubecost#1389: GPU cost appeared as idle on nodes without GPUs when custom prices were on.
TEST(NodeBooksTest, NodeWithoutGpusHasNoGpuIdle) {
  MadeCluster cluster;
  cluster.node("n1", 4, 16, 0, 184'000'000, 120, 64, 950);
  const auto rows = rows_of_hour(cluster);
  EXPECT_EQ(made_sum(rows, RowKind::kIdle).gpu_cost, Money{});
  EXPECT_EQ(made_total(rows).nanos() * 24, 4'416'000'000);
}

// opencost/opencost#991: two pods of one name were merged into one long run.
TEST(NodeBooksTest, PodsOfOneNameAreBilledApart) {
  MadeCluster cluster;
  cluster.node("n1", 1, 1, 0, 60 * kDollar, 1, 0);
  cluster.pod(MadePod("a/A").uid("u1").between(0, 30).with(MadeContainer("c").cpu(1)));
  cluster.pod(MadePod("a/A").uid("u2").between(42, 60).with(MadeContainer("c").cpu(1)));
  const auto rows = rows_of_hour(cluster);
  EXPECT_EQ(made_sum_of_pod(rows, "u1").held_nanos, 30 * 60 * kNanosPerSecond);
  EXPECT_EQ(made_sum_of_pod(rows, "u2").held_nanos, 18 * 60 * kNanosPerSecond);
  EXPECT_EQ(made_sum(rows, RowKind::kIdle).cpu_cost, dollars_of(12));
}

// opencost/opencost#3900: usage of a GPU at 11 % activity.
TEST(NodeBooksTest, ActiveGpuTimeIsKeptApartFromAllocated) {
  MadeCluster cluster;
  cluster.node("n1", 8, 8, 1, 2'500'000'000, 0, 0);
  cluster.pod(MadePod("a/serve").with(MadeContainer("c").gpus(1)));
  cluster.device("n1", "GPU-1", "a/serve", 110'000);
  const LedgerRow pod = made_sum_of_pod(rows_of_hour(cluster), "a/serve");
  EXPECT_EQ(pod.gpu_cost, dollars_of(2.5));
  EXPECT_EQ(scale(pod.gpu_cost, pod.gpu_active, pod.gpu_allocated), dollars_of(0.275));
}

}  // namespace
}  // namespace seedance
