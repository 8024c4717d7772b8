#include "model/ledger_query.h"

#include <algorithm>
#include <tuple>

namespace seedance {
namespace {

constexpr std::array<std::string_view, kGroupKeyCount> kNames{
    "cluster", "node",   "namespace", "workload",  "pod",         "pod_uid", "container",   "gpu",    "gpu_index", "gpu_model", "instance_type",
    "capacity_kind", "since", "reason", "tenant",    "team",      "task_type", "data_source", "sla",     "environment", "domain", "business_unit"};

}  // namespace

std::string_view group_key_name(GroupKey key) { return kNames[static_cast<std::size_t>(key)]; }

Result<GroupKey> parse_group_key(std::string_view name) {
  std::string asked(name);
  std::replace(asked.begin(), asked.end(), '-', '_');
  if (asked == "env") asked = "environment";
  if (asked == "bu") asked = "business_unit";
  if (asked == "type") asked = "instance_type";
  if (asked == "ns") asked = "namespace";
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == asked) return static_cast<GroupKey>(i);
  }
  std::string known;
  for (const std::string_view n : kNames) known += (known.empty() ? "" : ", ") + std::string(n);
  return fail(Code::kInvalid, "unknown grouping: " + std::string(name.substr(0, 40)), "use " + known);
}

std::string group_value(const LedgerRow& row, GroupKey key) {
  switch (key) {
    case GroupKey::kCluster: return row.cluster;
    case GroupKey::kNode: return row.node;
    case GroupKey::kNamespace: return row.namespace_name;
    case GroupKey::kWorkload: return row.workload.empty() ? "" : row.workload_kind + "/" + row.workload;
    case GroupKey::kPod: return row.pod;
    case GroupKey::kPodUid: return row.pod_uid;
    case GroupKey::kContainer: return row.container;
    case GroupKey::kGpu: return row.gpu;
    case GroupKey::kGpuIndex: return row.gpu_index;
    case GroupKey::kGpuModel: return row.gpu_model;
    case GroupKey::kInstanceType: return row.instance_type;
    case GroupKey::kCapacityKind: return row.capacity_kind;
    case GroupKey::kSince: return row.since;
    case GroupKey::kReason: return row.reason;
    default: return row.dimensions[static_cast<std::size_t>(key) - static_cast<std::size_t>(GroupKey::kTenant)];
  }
}

LedgerSums& LedgerSums::operator+=(const LedgerSums& o) {
  cpu_cost += o.cpu_cost;
  memory_cost += o.memory_cost;
  gpu_cost += o.gpu_cost;
  storage_cost += o.storage_cost;
  network_cost += o.network_cost;
  shared_cost += o.shared_cost;
  wasted += o.wasted;
  for (std::size_t i = 0; i < kWaterfallPartCount; ++i) waterfall[i] += o.waterfall[i];
  cpu_requested += o.cpu_requested;
  cpu_used += o.cpu_used;
  cpu_allocated += o.cpu_allocated;
  memory_requested += o.memory_requested;
  memory_used += o.memory_used;
  memory_allocated += o.memory_allocated;
  gpu_allocated += o.gpu_allocated;
  gpu_measured += o.gpu_measured;
  gpu_active += o.gpu_active;
  sm_measured += o.sm_measured;
  sm_active += o.sm_active;
  tensor_measured += o.tensor_measured;
  tensor_active += o.tensor_active;
  gpu_memory_nanos += o.gpu_memory_nanos;
  gpu_memory_used += o.gpu_memory_used;
  gpu_memory_size += o.gpu_memory_size;
  return *this;
}

LedgerSums sums_of(const LedgerRow& row) {
  LedgerSums s;
  s.cpu_cost = row.cpu_cost.nanos();
  s.memory_cost = row.memory_cost.nanos();
  s.gpu_cost = row.gpu_cost.nanos();
  s.storage_cost = row.storage_cost.nanos();
  s.network_cost = row.network_cost.nanos();
  s.shared_cost = row.shared_cost.nanos();
  s.wasted = wasted_cost(row).nanos();
  for (std::size_t i = 0; i < kWaterfallPartCount; ++i) s.waterfall[i] = row.waterfall[i].nanos();
  s.cpu_requested = row.cpu_requested;
  s.cpu_used = row.cpu_used;
  s.cpu_allocated = row.cpu_allocated;
  s.memory_requested = row.memory_requested;
  s.memory_used = row.memory_used;
  s.memory_allocated = row.memory_allocated;
  s.gpu_allocated = row.gpu_allocated;
  s.gpu_measured = row.gpu_measured;
  s.gpu_active = row.gpu_active;
  s.sm_measured = row.sm_measured;
  s.sm_active = row.sm_active;
  s.tensor_measured = row.tensor_measured;
  s.tensor_active = row.tensor_active;
  s.gpu_memory_nanos = row.gpu_memory_nanos;
  s.gpu_memory_used = row.gpu_memory_used;
  s.gpu_memory_size = row.gpu_memory_size;
  return s;
}

std::optional<double> estimated_efficiency(const LedgerSums& s) {
  if (s.compute_cost() <= 0 || (s.gpu_cost > 0 && s.gpu_measured == 0)) return std::nullopt;
  const auto used = [](MoneySum cost, Int128 part, Int128 whole) {
    return whole == 0 ? 0.0 : static_cast<double>(cost) * std::min(1.0, static_cast<double>(part) / static_cast<double>(whole));
  };
  const double useful = used(s.cpu_cost, s.cpu_used, s.cpu_allocated) + used(s.memory_cost, s.memory_used, s.memory_allocated) +
                        used(s.gpu_cost, s.gpu_active, s.gpu_measured);
  return useful / static_cast<double>(s.compute_cost());
}

bool group_order(const LedgerGroup& a, const LedgerGroup& b) {
  return std::tie(a.step_start, a.keys, a.kind, a.currency) < std::tie(b.step_start, b.keys, b.kind, b.currency);
}

LedgerGroups merged(LedgerGroups groups) {
  std::sort(groups.begin(), groups.end(), group_order);
  LedgerGroups out;
  for (LedgerGroup& group : groups) {
    if (!out.empty() && !group_order(out.back(), group)) {
      out.back().sums += group.sums;
    } else {
      out.push_back(std::move(group));
    }
  }
  return out;
}

}  // namespace seedance
