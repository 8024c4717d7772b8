// One ledger row: what one container (or a rest) cost on one node during one price interval of one hour, exactly.
//
// The rows of a node and an hour add up to what the node cost in that hour, to the nano-unit. Every row carries where its
// price came from and how the node price was split; every dimension value remembers which rule set it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/money.h"
#include "base/units.h"
#include "model/cold_start.h"
#include "model/dimension_rules.h"

namespace seedance {

enum class RowKind : std::uint8_t {
  kAllocated,     // a container's share
  kIdle,          // not allocated: nobody asked for it
  kStranded,      // not allocated and not allocatable: MIG slices without a layout, GPUs without CPU or memory beside them
  kUnattributed,  // the node was there, but nothing said who used it
  kStorage,       // a persistent volume claim
  kNetwork,       // traffic of a pod by class
  kShared,        // operations and shared costs: control plane, management fee
  kUnpriced,      // usage on a node whose price is unknown or refused; money 0, listed
};
std::string_view row_kind_name(RowKind kind);  // "allocated", "idle", ...
Result<RowKind> parse_row_kind(std::string_view name);

enum class SplitMethod : std::uint8_t { kResidual, kAwsWeights, kOpenCostRatio };
std::string_view split_method_name(SplitMethod method);  // "residual", "aws", "opencost"
Result<SplitMethod> parse_split_method(std::string_view name);

// The GPU dollar waterfall. The parts of a row sum to its GPU money. "Not allocated" is a row of its own kind, so it has no
// part here. The three undetermined parts say what is missing; reports add them up.
enum class WaterfallPart : std::uint8_t {
  kHeldNotStarted,
  kWaitingForData,
  kWaitingForCommunication,
  kOtherIdle,
  kInefficient,
  kProductive,
  kUndeterminedIdle,   // idle, cause unknown: no wait signals from the job
  kUndeterminedBusy,   // busy, efficiency unknown: no SM activity counter
  kUndeterminedNoData, // no activity counter at all
};
inline constexpr std::size_t kWaterfallPartCount = 9;
std::string_view waterfall_part_name(WaterfallPart part);  // "held_not_started", ...

struct LedgerRow {
  TimePoint hour;           // start of the UTC hour
  TimePoint price_from;     // the price interval inside the hour
  TimePoint price_to;
  RowKind kind = RowKind::kAllocated;
  bool provisional = false;

  std::string cluster;
  std::string node;
  std::string node_uid;
  std::string instance_type;
  std::string capacity_kind;   // "on-demand", "spot", "reserved"
  std::string namespace_name;  // empty on rests
  std::string workload_kind;
  std::string workload;
  std::string pod;
  std::string pod_uid;
  std::string container;
  std::string gpu;          // UUID, with "/<instance>" for a MIG slice; empty: CPU and memory, or a device that is not known
  std::string gpu_index;    // number of the card on its node, with ".<instance>" for a MIG slice; empty when no exporter says it
  std::string gpu_model;
  std::string since;        // RFC 3339. Of a pod: scheduled, else started, as the API says it. Of a free GPU: freed, when that was inside the hour
  std::string reason;       // why unattributed, stranded, unpriced, or "device, shared by 4"

  std::array<std::string, kDimensionCount> dimensions;
  std::string dimension_origin;  // "team=pod label;tenant=rule 3"

  // Usage. Core-nanoseconds, byte-seconds, GPU-nanoseconds; GPU amounts are rounded, money is not.
  std::int64_t cpu_requested = 0;
  std::int64_t cpu_used = 0;
  std::int64_t cpu_allocated = 0;
  std::int64_t memory_requested = 0;
  std::int64_t memory_used = 0;
  std::int64_t memory_allocated = 0;
  std::int64_t gpu_allocated = 0;
  std::int64_t gpu_measured = 0;  // part of gpu_allocated with an activity counter
  std::int64_t gpu_active = 0;    // part of gpu_measured with an active engine
  // What the device's own counters say while it was held (or free). GPU-nanoseconds; memory is the device's, in byte-seconds.
  std::int64_t sm_measured = 0;
  std::int64_t sm_active = 0;
  std::int64_t tensor_measured = 0;
  std::int64_t tensor_active = 0;
  std::int64_t gpu_memory_nanos = 0;  // time for which use and size are known
  std::int64_t gpu_memory_used = 0;
  std::int64_t gpu_memory_size = 0;
  std::int64_t held_nanos = 0;    // time for which the container held anything

  // Money of the four TCO items; compute is split into its three parts.
  std::string currency;
  Money cpu_cost;
  Money memory_cost;
  Money gpu_cost;
  Money storage_cost;
  Money network_cost;
  Money shared_cost;
  std::array<Money, kWaterfallPartCount> waterfall{};

  SplitMethod split_method = SplitMethod::kResidual;
  std::string price_source;

  Money compute_cost() const { return cpu_cost + memory_cost + gpu_cost; }
  Money total_cost() const { return compute_cost() + storage_cost + network_cost + shared_cost; }
  Money& part(WaterfallPart p) { return waterfall[static_cast<std::size_t>(p)]; }
  Money part(WaterfallPart p) const { return waterfall[static_cast<std::size_t>(p)]; }
};

// Money that bought nothing and whose cause is known: what nobody held, and what was held without running, waiting, idle or
// inefficient. Undetermined money is not in it.
Money wasted_cost(const LedgerRow& row);

// What was charged in an hour before anything was split: node prices x time, claims, traffic, shared costs. Kept beside the rows, so
// that "the books close" is a comparison and not a definition.
struct HourCharge {
  std::string currency;
  MoneySum nanos = 0;
  friend bool operator==(const HourCharge&, const HourCharge&) = default;
};

struct HourBooks {
  std::vector<LedgerRow> rows;       // in ledger order
  std::vector<HourCharge> charges;   // sorted by currency
  std::vector<ColdStart> cold_starts;  // of pods whose containers started in the hour, by pod UID

  void charge(const std::string& currency, Money amount) { add({currency, amount.nanos()}); }
  void add(const HourCharge& charge);
};

// The order in which rows are kept and printed; total, so that equal inputs give equal bytes.
bool ledger_order(const LedgerRow& a, const LedgerRow& b);

// Every field as text, in a fixed order, separated by tabs: what "byte-identical" means in tests.
std::string ledger_line(const LedgerRow& row);

}  // namespace seedance
