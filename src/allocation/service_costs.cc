#include "allocation/service_costs.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/split.h"

namespace seedance {
namespace {

constexpr std::int64_t kGiB = std::int64_t{1} << 30;

LedgerRow service_row(RowKind kind, const ClusterHour& hour, const AllocationOptions& options, const std::string& cluster) {
  LedgerRow r;
  r.hour = hour.hour.from;
  r.price_from = hour.hour.from;
  r.price_to = hour.hour.to;
  r.kind = kind;
  r.provisional = hour.provisional;
  r.cluster = cluster.empty() ? options.cluster_name : cluster;
  r.currency = options.currency;
  r.split_method = options.method;
  r.price_source = "configuration";
  return r;
}

void name_pod(LedgerRow& r, const PodRecord& pod) {
  r.node = pod.node;
  r.namespace_name = pod.namespace_name;
  r.workload_kind = pod.workload_kind;
  r.workload = pod.workload;
  r.pod = pod.name;
  r.pod_uid = pod.uid;
}

std::map<std::string_view, const PodRecord*> pods_by_uid(const Inventory& inventory) {
  std::map<std::string_view, const PodRecord*> out;
  for (const PodRecord& pod : inventory.pods) out[pod.uid] = &pod;
  return out;
}

// GiB-hours x price, rounded once.
Money storage_cost(HourlyRate per_gib, const Steps& bytes) {
  return price(per_gib, integral(bytes) / kGiB);
}

Money traffic_cost(Money per_gib, std::int64_t bytes) { return scale(per_gib, bytes, kGiB); }

// Rows of allocated compute, by namespace, with what they carry.
std::vector<std::size_t> carriers(const std::vector<LedgerRow>& rows) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].kind == RowKind::kAllocated && rows[i].compute_cost() > Money{}) out.push_back(i);
  }
  return out;
}

void share_over(Money amount, SharedCost::Mode mode, const std::vector<std::size_t>& at, std::vector<LedgerRow>& rows) {
  std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> by_namespace;
  for (const std::size_t i : at) by_namespace[{rows[i].cluster, rows[i].namespace_name}].push_back(i);
  const auto weight_of = [&](const std::vector<std::size_t>& members) {
    Int128 sum = 0;
    for (const std::size_t i : members) sum += rows[i].compute_cost().nanos();
    return sum;
  };
  std::vector<Int128> namespace_weights;
  for (const auto& [name, members] : by_namespace) {
    namespace_weights.push_back(mode == SharedCost::Mode::kEven ? Int128{1} : weight_of(members));
  }
  const std::vector<Money> parts = split(amount, namespace_weights);
  std::size_t next = 0;
  for (const auto& [name, members] : by_namespace) {
    std::vector<Int128> weights;
    for (const std::size_t i : members) weights.push_back(rows[i].compute_cost().nanos());
    const std::vector<Money> row_parts = split(parts[next++], weights);
    for (std::size_t k = 0; k < members.size(); ++k) rows[members[k]].shared_cost += row_parts[k];
  }
}

}  // namespace

std::vector<ClaimShare> claim_shares(const Steps& life, const std::vector<ClaimMount>& mounts) {
  // Pods per piece differ; weights are kept whole by the least common multiple of the counts that occur.
  std::vector<const Steps*> functions{&life};
  for (const ClaimMount& m : mounts) functions.push_back(&m.mounted);
  std::vector<ClaimShare> out;
  for (const ClaimMount& m : mounts) out.push_back({m.pod_uid, 0});
  out.push_back({});
  if (life.empty()) return out;
  const Interval window{life.front().from, life.back().to};
  std::int64_t unit = 1;
  const auto walk = [&](const auto& use) {
    sweep(functions, window, [&](Interval piece, std::span<const std::int64_t> at) {
      if (at[0] == kAbsent) return;
      const auto mounted = static_cast<std::int64_t>(std::count_if(at.begin() + 1, at.end(), [](std::int64_t l) { return l != kAbsent && l != 0; }));
      use(piece, at, mounted);
    });
  };
  constexpr std::int64_t kUnitMax = 1'000'000'000'000;
  walk([&](Interval, std::span<const std::int64_t>, std::int64_t mounted) {
    if (mounted > 0) unit = std::min(std::lcm(unit, mounted), kUnitMax);
  });
  walk([&](Interval piece, std::span<const std::int64_t> at, std::int64_t mounted) {
    if (mounted == 0) {
      out.back().weight += static_cast<Int128>(unit) * piece.nanos();
      return;
    }
    for (std::size_t i = 1; i < at.size(); ++i) {
      if (at[i] != kAbsent && at[i] != 0) out[i - 1].weight += static_cast<Int128>(unit / mounted) * piece.nanos();
    }
  });
  return out;
}

void book_storage(const ClusterHour& hour, const AllocationOptions& options, std::vector<LedgerRow>& rows) {
  if (options.service_prices.storage_gib.nanos_per_unit_hour == 0) return;
  const auto pods = pods_by_uid(hour.inventory);
  for (const ClaimRecord& claim : hour.inventory.claims) {
    const Steps bytes = clip(claim.bytes, hour.hour);
    const Money cost = storage_cost(options.service_prices.storage_gib, bytes);
    if (cost == Money{}) continue;
    const std::vector<ClaimShare> shares = claim_shares(bytes, claim.mounts);
    std::vector<Int128> weights;
    for (const ClaimShare& s : shares) weights.push_back(s.weight);
    const std::vector<Money> parts = split(cost, weights);
    for (std::size_t i = 0; i < shares.size(); ++i) {
      if (parts[i] == Money{}) continue;
      LedgerRow r = service_row(RowKind::kStorage, hour, options, claim.cluster);
      const auto pod = pods.find(shares[i].pod_uid);
      if (pod != pods.end()) name_pod(r, *pod->second);
      r.namespace_name = claim.namespace_name;
      r.reason = "claim " + claim.name + (shares[i].pod_uid.empty() ? ", unmounted" : "");
      r.storage_cost = parts[i];
      rows.push_back(std::move(r));
    }
  }
}

void book_network(const ClusterHour& hour, const AllocationOptions& options, std::vector<LedgerRow>& rows) {
  const ServicePrices& prices = options.service_prices;
  const auto pods = pods_by_uid(hour.inventory);
  for (const auto& [uid, traffic] : hour.traffic) {
    const Money cost = traffic_cost(prices.zone_gib, traffic.zone) + traffic_cost(prices.region_gib, traffic.region) +
                       traffic_cost(prices.internet_gib, traffic.internet);
    const auto pod = pods.find(uid);
    if (cost == Money{} || pod == pods.end()) continue;
    LedgerRow r = service_row(RowKind::kNetwork, hour, options, pod->second->cluster);
    name_pod(r, *pod->second);
    r.network_cost = cost;
    rows.push_back(std::move(r));
  }
}

void book_shared(const ClusterHour& hour, const AllocationOptions& options, std::vector<LedgerRow>& rows) {
  if (hour.inventory.nodes.empty()) return;  // no cluster, nothing to operate
  const std::vector<std::size_t> at = carriers(rows);
  for (const SharedCost& shared : options.shared_costs) {
    const Money amount = price(shared.rate, hour.hour.nanos());
    if (amount == Money{}) continue;
    if (shared.mode != SharedCost::Mode::kSeparate && !at.empty()) {
      share_over(amount, shared.mode, at, rows);
      continue;
    }
    LedgerRow r = service_row(RowKind::kShared, hour, options, "");
    r.reason = shared.name;
    r.shared_cost = amount;
    rows.push_back(std::move(r));
  }
}

}  // namespace seedance
