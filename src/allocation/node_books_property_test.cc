// The promise of the ledger on random clusters: the rows of a node and an hour add up to what the node cost, to the nano-unit.
//
// Nodes have random capacities, GPU kinds, silences and price steps; containers come and go, change their requests, use more
// than they asked for and claim more GPUs than there are. More than a million allocations (container x price piece) are checked.
#include <map>
#include <random>
#include <tuple>

#include <gtest/gtest.h>

#include "allocation/made_cluster.h"

namespace seedance {
namespace {

class RandomCluster {
 public:
  explicit RandomCluster(std::uint64_t seed) : random_(seed) {}

  MadeCluster make(std::size_t containers) {
    MadeCluster cluster;
    add_node(cluster);
    for (std::size_t i = 0; i < containers; ++i) add_pod(cluster, i);
    add_devices(cluster, containers);
    return cluster;
  }

 private:
  std::int64_t below(std::int64_t end) { return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(end)); }
  bool one_in(std::int64_t n) { return below(n) == 0; }

  // Pieces over the hour and a little beyond it, with holes.
  Steps steps(std::int64_t level_end, std::size_t pieces_max) {
    Steps out;
    std::int64_t now = below(1'200'000) - 600'000;
    for (std::size_t i = 1 + random_() % pieces_max; i > 0 && now < 3'600'000; --i) {
      const std::int64_t length = 1 + below(3'600'000);
      out.push_back({kMadeStart + std::chrono::milliseconds(now), kMadeStart + std::chrono::milliseconds(now + length), below(level_end)});
      now += length + (one_in(3) ? below(300'000) : 0);
    }
    return out;
  }
  Steps ratio() { return one_in(4) ? Steps{} : steps(kMillion + 1, 20); }

  void add_node(MadeCluster& cluster) {
    const std::int64_t gpus = one_in(4) ? 0 : 1 + below(8);
    NodeRecord& node = cluster.node("n1", 1 + below(192), 1 + below(2'048), gpus, 0);
    switch (below(4)) {
      case 0: gpu_resource_ = "nvidia_com_gpu"; break;
      case 1:
        gpu_resource_ = one_in(2) ? "nvidia_com_gpu_shared" : "nvidia_com_gpu";
        node.labels = {{"nvidia_com_gpu_count", std::to_string(gpus)}, {"nvidia_com_gpu_replicas", std::to_string(2 + below(20))}};
        break;
      case 2:
        gpu_resource_ = "nvidia_com_mig_3g_20gb";
        if (gpus > 0) node.capacity.back() = {gpu_resource_, made_steps(2 * gpus)};
        break;
      default:
        gpu_resource_ = "nvidia_com_mig_1g_5gb";
        if (gpus > 0) node.capacity.back() = {gpu_resource_, made_steps(7 * gpus - below(3))};
    }
    if (one_in(3)) node.present = steps(1, 4);
    for (Step& s : node.present) s.level = 1;
    if (one_in(5)) cluster.options.node_gap_max = std::chrono::minutes(1);
    cut_price(cluster.hour.prices[0], gpus);
  }

  void cut_price(NodePrices& prices, std::int64_t gpus) {
    PricePiece piece = prices.pieces[0];
    prices.pieces.clear();
    std::int64_t from = 0;
    for (std::int64_t left = 1 + below(4); left > 0; --left) {
      const std::int64_t to = left == 1 ? 3'600'000 : std::min<std::int64_t>(3'599'999, from + 1 + below(2'400'000));
      if (to <= from) continue;
      piece.span = {kMadeStart + std::chrono::milliseconds(from), kMadeStart + std::chrono::milliseconds(to)};
      piece.rate = {one_in(10) ? below(3) : below(100'000'000'000)};
      piece.cpu_weight = one_in(8) ? 0 : static_cast<Int128>(below(INT64_MAX)) << below(40);
      piece.memory_weight = one_in(8) ? 0 : static_cast<Int128>(below(INT64_MAX)) << below(40);
      piece.gpu_weight = gpus == 0 || one_in(8) ? 0 : static_cast<Int128>(below(INT64_MAX)) << below(40);
      piece.is_priced = !one_in(20);
      prices.pieces.push_back(piece);
      from = to;
    }
  }

  void add_pod(MadeCluster& cluster, std::size_t number) {
    MadePod pod("team-" + std::to_string(number % 7) + "/pod-" + std::to_string(number));
    if (!one_in(3)) pod.record().bound = steps(1, 3);
    for (Step& s : pod.record().bound) s.level = 1;
    MadeContainer container("main");
    if (!one_in(5)) container.request_steps("cpu", steps(one_in(20) ? 200 * kMadeCore : 4 * kMadeCore, 4));
    if (!one_in(5)) container.request_steps("memory", steps(8 * kMadeGib, 4));
    if (one_in(6)) container.request_steps(gpu_resource_, steps(3, 3));
    if (!one_in(3)) container.running(steps(2, 6));
    pod.with(container);
    if (one_in(9)) pod.with(MadeContainer("setup").cpu(static_cast<double>(below(5))).init());
    if (!one_in(4)) cluster.use(pod.record().uid, "main", steps(6 * kMadeCore, 10), steps(10 * kMadeGib, 10));
    if (one_in(4)) cluster.hour.jobs[pod.record().uid] = {ratio(), ratio(), steps(3, 4)};
    cluster.pod(std::move(pod));
  }

  void add_devices(MadeCluster& cluster, std::size_t containers) {
    for (std::int64_t i = 0; i < cluster.hour.prices[0].gpu_millis / 1'000; ++i) {
      const auto holder = static_cast<std::size_t>(below(static_cast<std::int64_t>(containers)));
      DeviceActivity& d = cluster.device("n1", "GPU-" + std::to_string(i), "team-" + std::to_string(holder % 7) + "/pod-" + std::to_string(holder));
      d.holders.front().by_exporter = one_in(2);
      if (one_in(10)) d.free = steps(1, 3);
      if (one_in(3)) d.holders.push_back({"team-" + std::to_string(i % 7), "pod-" + std::to_string(i), "main", steps(2, 3), true});
      d.engine_active = ratio();
      d.utilization = ratio();
      d.sm_active = ratio();
      d.math_active = ratio();
      d.dram_active = ratio();
    }
  }

  std::mt19937_64 random_;
  std::string gpu_resource_;
};

// What the pieces of the node cost, computed again from nothing but presence and price.
std::map<TimePoint, Money> cost_by_piece(const MadeCluster& cluster) {
  const NodeRecord& node = cluster.hour.inventory.nodes[0];
  Steps charged = node.present;
  for (std::size_t i = 1; i < node.present.size(); ++i) {
    const TimePoint from = node.present[i - 1].to;
    const TimePoint to = node.present[i].from;
    if (to > from && to - from <= cluster.options.node_gap_max) charged.push_back({from, to, 0});
  }
  std::map<TimePoint, Money> out;
  for (const PricePiece& p : cluster.hour.prices[0].pieces) {
    if (p.is_priced) out[p.span.from] = price(p.rate, present_nanos(clip(charged, p.span)));
  }
  return out;
}

void expect_sound_row(const LedgerRow& r) {
  for (const Money money : {r.cpu_cost, r.memory_cost, r.gpu_cost}) ASSERT_GE(money, Money{}) << ledger_line(r);
  ASSERT_EQ(r.total_cost(), r.compute_cost());
  Money parts;
  for (const Money part : r.waterfall) {
    ASSERT_GE(part, Money{}) << ledger_line(r);
    parts += part;
  }
  ASSERT_EQ(parts, r.kind == RowKind::kAllocated ? r.gpu_cost : Money{}) << ledger_line(r);
  for (const std::int64_t usage : {r.cpu_allocated, r.memory_allocated, r.gpu_allocated, r.gpu_measured, r.gpu_active}) ASSERT_GE(usage, 0) << ledger_line(r);
  ASSERT_LE(r.gpu_active, r.gpu_measured + 1) << ledger_line(r);
  ASSERT_LE(r.gpu_measured, r.gpu_allocated + 1) << ledger_line(r);
  ASSERT_TRUE(r.kind != RowKind::kUnpriced || r.total_cost() == Money{}) << ledger_line(r);
}

// Rounding to one nano-unit happens twice where a piece has a silence: once for the live part, once for the silent one.
void expect_closed(const MadeCluster& cluster, const HourBooks& books) {
  std::map<TimePoint, Money> booked;
  for (const LedgerRow& r : books.rows) {
    expect_sound_row(r);
    booked[r.price_from] += r.total_cost();
  }
  MoneySum charged = 0;
  for (const HourCharge& c : books.charges) charged += c.nanos;
  ASSERT_EQ(made_total(books.rows).nanos(), charged);
  for (const auto& [from, cost] : cost_by_piece(cluster)) {
    ASSERT_LE(std::abs((booked[from] - cost).nanos()), 1) << "piece of " << cost.nanos();
  }
}

using Identity = std::tuple<TimePoint, RowKind, std::string, std::string, std::string, std::string>;
Identity identity_of(const LedgerRow& r) { return {r.price_from, r.kind, r.pod_uid, r.container, r.gpu, r.reason}; }

TEST(NodeBooksPropertyTest, BooksCloseForAMillionRandomAllocations) {
  std::size_t allocations = 0;
  for (std::uint64_t seed = 1; allocations < 1'000'000; ++seed) {
    RandomCluster random(seed);
    const MadeCluster cluster = random.make(1 + seed % 400);
    const HourBooks books = cluster.close();
    expect_closed(cluster, books);
    ASSERT_FALSE(HasFatalFailure()) << "seed " << seed;
    for (const LedgerRow& r : books.rows) allocations += r.kind == RowKind::kAllocated || r.kind == RowKind::kUnpriced ? 1U : 0U;
  }
}

TEST(NodeBooksPropertyTest, RowsOfAnHourHaveDistinctIdentities) {
  for (std::uint64_t seed = 1; seed < 200; ++seed) {
    std::map<Identity, int> seen;
    for (const LedgerRow& r : RandomCluster(seed).make(60).close().rows) ASSERT_EQ(++seen[identity_of(r)], 1) << ledger_line(r);
  }
}

TEST(NodeBooksPropertyTest, SameInputGivesTheSameBytes) {
  for (std::uint64_t seed = 1; seed < 50; ++seed) {
    std::string lines[2];
    for (std::string& text : lines) {
      for (const LedgerRow& r : RandomCluster(seed).make(40).close().rows) text += ledger_line(r) + "\n";
    }
    ASSERT_EQ(lines[0], lines[1]);
  }
}

TEST(NodeBooksPropertyTest, AllocatedNeverPassesTheCapacity) {
  for (std::uint64_t seed = 1; seed < 300; ++seed) {
    const MadeCluster cluster = RandomCluster(seed).make(150);
    const NodeRecord& node = cluster.hour.inventory.nodes[0];
    const Int128 room = integral(masked(clip(node.capacity[0].amount, kMadeHour), clip(node.present, kMadeHour))) / kNanosPerSecond;
    ASSERT_LE(made_sum(cluster.close().rows, [](const LedgerRow&) { return true; }).cpu_allocated, room + 1'000) << "seed " << seed;
  }
}

}  // namespace
}  // namespace seedance
