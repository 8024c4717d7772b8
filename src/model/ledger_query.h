// A question to the ledger and its answer: sums of money and usage, grouped.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/money.h"
#include "base/result.h"
#include "base/units.h"
#include "model/ledger.h"

namespace seedance {

// What rows can be grouped and filtered by: identity columns and the eight dimensions.
enum class GroupKey : std::uint8_t {
  kCluster,
  kNode,
  kNamespace,
  kWorkload,  // "Kind/name"
  kPod,
  kPodUid,
  kContainer,
  kGpu,
  kGpuIndex,
  kGpuModel,
  kInstanceType,
  kCapacityKind,
  kSince,
  kReason,
  kTenant,
  kTeam,
  kTaskType,
  kDataSource,
  kSla,
  kEnvironment,
  kDomain,
  kBusinessUnit,
};
inline constexpr std::size_t kGroupKeyCount = 22;
std::string_view group_key_name(GroupKey key);  // "cluster", ..., "business_unit"
Result<GroupKey> parse_group_key(std::string_view name);  // also "env", "bu", "type"
std::string group_value(const LedgerRow& row, GroupKey key);

struct LedgerFilter {
  GroupKey key = GroupKey::kCluster;
  std::vector<std::string> values;  // any of them
  bool negated = false;
};

// Which sums an answer needs; a store reads no more columns than these.
enum class Measures : std::uint8_t {
  kCosts,      // the six costs, wasted, GPU time
  kWaterfall,  // and the parts of the waterfall
  kUsage,      // and what was asked for and used
  kAll,        // and what the counters of the devices say
};

struct LedgerQuery {
  Interval window;                 // whole hours; others are widened to whole hours by the caller
  std::vector<GroupKey> by;
  Nanos step{0};                   // 0: one answer for the whole window; else a multiple of an hour
  std::vector<LedgerFilter> filters;
  Measures measures = Measures::kCosts;
  std::vector<TimePoint> except_hours;  // answered by somebody else
};

// Sums that cannot wrap.
struct LedgerSums {
  MoneySum cpu_cost = 0;
  MoneySum memory_cost = 0;
  MoneySum gpu_cost = 0;
  MoneySum storage_cost = 0;
  MoneySum network_cost = 0;
  MoneySum shared_cost = 0;
  MoneySum wasted = 0;          // see wasted_cost
  std::array<MoneySum, kWaterfallPartCount> waterfall{};
  Int128 cpu_requested = 0;  // core-nanoseconds
  Int128 cpu_used = 0;
  Int128 cpu_allocated = 0;
  Int128 memory_requested = 0;  // byte-seconds
  Int128 memory_used = 0;
  Int128 memory_allocated = 0;
  Int128 gpu_allocated = 0;     // GPU-nanoseconds
  Int128 gpu_measured = 0;
  Int128 gpu_active = 0;
  Int128 sm_measured = 0;
  Int128 sm_active = 0;
  Int128 tensor_measured = 0;
  Int128 tensor_active = 0;
  Int128 gpu_memory_nanos = 0;
  Int128 gpu_memory_used = 0;  // byte-seconds
  Int128 gpu_memory_size = 0;

  MoneySum compute_cost() const { return cpu_cost + memory_cost + gpu_cost; }
  MoneySum total_cost() const { return compute_cost() + storage_cost + network_cost + shared_cost; }
  MoneySum part(WaterfallPart p) const { return waterfall[static_cast<std::size_t>(p)]; }
  LedgerSums& operator+=(const LedgerSums& other);
};

LedgerSums sums_of(const LedgerRow& row);

// The cost-weighted share of what was held that was used, GPUs included: an estimate. Absent when nothing was held, or when GPU
// money has no activity counter behind it.
std::optional<double> estimated_efficiency(const LedgerSums& sums);

// Money is never added over currencies or kinds: each group has one of both.
struct LedgerGroup {
  std::vector<std::string> keys;  // as asked in `by`
  TimePoint step_start;           // only with a step
  RowKind kind = RowKind::kAllocated;
  std::string currency;
  LedgerSums sums;
};

// Sorted by (step_start, keys, kind, currency).
using LedgerGroups = std::vector<LedgerGroup>;
bool group_order(const LedgerGroup& a, const LedgerGroup& b);

// Adds groups with equal identity. Input in any order.
LedgerGroups merged(LedgerGroups groups);

}  // namespace seedance
