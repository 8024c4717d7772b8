#include "model/ledger.h"

#include <algorithm>
#include <tuple>

#include "base/time_text.h"

namespace seedance {
namespace {

constexpr std::array<std::string_view, 8> kKindNames{"allocated", "idle",    "stranded", "unattributed",
                                                     "storage",   "network", "shared",   "unpriced"};
constexpr std::array<std::string_view, 3> kMethodNames{"residual", "aws", "opencost"};
constexpr std::array<std::string_view, kWaterfallPartCount> kPartNames{
    "held_not_started", "waiting_for_data",  "waiting_for_communication", "other_idle",          "inefficient",
    "productive",       "undetermined_idle", "undetermined_busy",         "undetermined_no_data"};

auto order_key(const LedgerRow& row) {
  return std::tie(row.hour, row.cluster, row.node, row.node_uid, row.price_from, row.kind, row.namespace_name, row.pod,
                  row.pod_uid, row.container, row.gpu, row.reason);
}

}  // namespace

std::string_view row_kind_name(RowKind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

Result<RowKind> parse_row_kind(std::string_view name) {
  for (std::size_t i = 0; i < kKindNames.size(); ++i) {
    if (kKindNames[i] == name) return static_cast<RowKind>(i);
  }
  return fail(Code::kInvalid, "unknown row kind: " + std::string(name));
}

std::string_view split_method_name(SplitMethod method) { return kMethodNames[static_cast<std::size_t>(method)]; }

Result<SplitMethod> parse_split_method(std::string_view name) {
  for (std::size_t i = 0; i < kMethodNames.size(); ++i) {
    if (kMethodNames[i] == name) return static_cast<SplitMethod>(i);
  }
  return fail(Code::kInvalid, "unknown split method: " + std::string(name), "use residual, aws or opencost");
}

std::string_view waterfall_part_name(WaterfallPart part) { return kPartNames[static_cast<std::size_t>(part)]; }

Money wasted_cost(const LedgerRow& row) {
  if (row.kind == RowKind::kIdle || row.kind == RowKind::kStranded) return row.total_cost();
  Money sum;
  for (const WaterfallPart part : {WaterfallPart::kHeldNotStarted, WaterfallPart::kWaitingForData, WaterfallPart::kWaitingForCommunication,
                                   WaterfallPart::kOtherIdle, WaterfallPart::kInefficient}) {
    sum += row.part(part);
  }
  return sum;
}

void HourBooks::add(const HourCharge& charge) {
  const auto at = std::lower_bound(charges.begin(), charges.end(), charge.currency,
                                   [](const HourCharge& c, const std::string& name) { return c.currency < name; });
  if (at != charges.end() && at->currency == charge.currency) {
    at->nanos += charge.nanos;
  } else if (charge.nanos != 0) {
    charges.insert(at, charge);
  }
}

bool ledger_order(const LedgerRow& a, const LedgerRow& b) { return order_key(a) < order_key(b); }

std::string ledger_line(const LedgerRow& row) {
  std::string out;
  const auto text = [&](std::string_view value) { out.append(value).push_back('\t'); };
  const auto number = [&](std::int64_t value) { text(std::to_string(value)); };
  for (const TimePoint t : {row.hour, row.price_from, row.price_to}) text(print_time(t));
  text(row_kind_name(row.kind));
  number(row.provisional ? 1 : 0);
  for (const std::string* field : {&row.cluster, &row.node, &row.node_uid, &row.instance_type, &row.capacity_kind,
                                   &row.namespace_name, &row.workload_kind, &row.workload, &row.pod, &row.pod_uid,
                                   &row.container, &row.gpu, &row.gpu_index, &row.gpu_model, &row.since, &row.reason}) {
    text(*field);
  }
  for (const std::string& value : row.dimensions) text(value);
  text(row.dimension_origin);
  for (const std::int64_t value : {row.cpu_requested, row.cpu_used, row.cpu_allocated, row.memory_requested, row.memory_used,
                                   row.memory_allocated, row.gpu_allocated, row.gpu_measured, row.gpu_active, row.sm_measured, row.sm_active, row.tensor_measured, row.tensor_active,
                                   row.gpu_memory_nanos, row.gpu_memory_used, row.gpu_memory_size, row.held_nanos}) {
    number(value);
  }
  text(row.currency);
  for (const Money money : {row.cpu_cost, row.memory_cost, row.gpu_cost, row.storage_cost, row.network_cost, row.shared_cost}) {
    text(print_exact(money));
  }
  for (const Money money : row.waterfall) text(print_exact(money));
  text(split_method_name(row.split_method));
  out += row.price_source;
  return out;
}

}  // namespace seedance
