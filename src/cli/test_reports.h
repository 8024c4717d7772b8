// Reports with fixed numbers for the golden texts of tests.
#pragma once

#include "report/cost_report.h"
#include "report/top_report.h"
#include "report/waterfall_report.h"

namespace seedance {

inline constexpr MoneySum kCentNanos = 10'000'000;

inline Interval test_week() { return {time_from_seconds(1'763'906'400), time_from_seconds(1'764'511'200)}; }  // 2025-11-23 14:00, seven days

// GPU hours in tenths, money in cents.
inline CostLine test_line(LineKind kind, std::vector<std::string> keys, std::int64_t gpu_tenths, std::int64_t gpu_cents, std::int64_t cpu_cents,
                          std::optional<std::int64_t> previous_cents, std::int64_t wasted_cents) {
  CostLine line;
  line.kind = kind;
  line.keys = std::move(keys);
  line.currency = "USD";
  line.sums.gpu_allocated = Int128{gpu_tenths} * kNanosPerHour / 10;
  line.sums.gpu_measured = line.sums.gpu_allocated / 2;
  line.sums.gpu_active = line.sums.gpu_allocated / 4;
  line.sums.gpu_cost = gpu_cents * kCentNanos;
  line.sums.cpu_cost = cpu_cents * kCentNanos;
  line.sums.wasted = wasted_cents * kCentNanos;
  if (previous_cents) line.previous_total = *previous_cents * kCentNanos;
  return line;
}

inline CostReport test_cost_report() {
  CostReport report;
  report.question.window = test_week();
  report.question.by = {GroupKey::kTenant};
  report.lines = {test_line(LineKind::kGroup, {"vision"}, 8'125, 177'125, 21'040, 176'460, 81'248),
                  test_line(LineKind::kGroup, {"nlp"}, 6'400, 139'520, 8'810, 154'670, 33'374),
                  test_line(LineKind::kGroup, {""}, 0, 0, 1'200, 0, 0),
                  test_line(LineKind::kNotAllocated, {""}, 10'843, 236'370, 0, 235'428, 236'370)};
  CurrencyTotal total;
  total.currency = "USD";
  for (const CostLine& line : report.lines) total.sums += line.sums;
  total.charged = total.sums.total_cost();
  total.previous_total = 566'558 * kCentNanos;
  report.totals = {total};
  report.split_methods = {"residual"};
  report.data_from = report.question.window.from;
  report.data_to = report.question.window.to;
  return report;
}

// The figures of docs: 11,787.62 USD over all bars.
inline WaterfallReport test_waterfall_report() {
  WaterfallReport report;
  report.question.window = test_week();
  WaterfallTotal total;
  total.currency = "USD";
  total.billed = 1'178'762 * kCentNanos;
  const std::int64_t cents[kWaterfallBarCount] = {236'370, 0, 0, 71'904, 175'636, 108'446, 100'000, 88'602, 36'542, 361'262};
  for (std::size_t i = 0; i < kWaterfallBarCount; ++i) total.bars[i] = cents[i] * kCentNanos;
  total.undetermined_busy = 30'000 * kCentNanos;
  total.undetermined_no_data = 6'542 * kCentNanos;
  report.totals = {total};
  return report;
}

inline TopReport test_top_report() {
  TopReport report;
  report.question.window = test_week();
  report.as_of = report.question.window.to;
  TopLine held;
  held.node = "node-2";
  held.namespace_name = "cv";
  held.workload = "Pod/notebook-3";
  held.pod = "notebook-3";
  held.gpu = "GPU-1";
  held.gpu_index = "1";
  held.gpu_model = "NVIDIA H100-SXM-80GB";
  held.state = TopState::kIdle;
  held.since = report.question.window.to - std::chrono::hours(76);
  held.sums.sm_measured = Int128{76} * kNanosPerHour;
  held.sums.sm_active = held.sums.sm_measured * 12 / 1'000;
  held.sums.tensor_measured = held.sums.sm_measured;
  held.sums.gpu_memory_nanos = Int128{76} * kNanosPerHour;
  held.sums.gpu_memory_used = Int128{76} * 3'600 * 712 * (std::int64_t{1} << 30) / 10;
  held.sums.gpu_memory_size = Int128{76} * 3'600 * 80 * (std::int64_t{1} << 30);
  held.currency = "USD";
  held.cost_per_hour = 218 * kCentNanos;
  held.wasted_per_hour = 215 * kCentNanos;
  held.cause = "other_idle";
  held.evidence = Evidence::kGood;
  held.sums.gpu_allocated = Int128{76} * kNanosPerHour;
  held.sums.gpu_measured = held.sums.gpu_allocated;
  TopLine free = held;
  free.node = "node-7";
  free.gpu_index = "4";
  free.namespace_name = free.workload = free.pod = "";
  free.state = TopState::kStranded;
  free.stranded_by = "no cpu beside the gpu";
  free.since = report.question.window.to - std::chrono::hours(9);
  free.sums.sm_measured = free.sums.tensor_measured = free.sums.gpu_memory_used = 0;
  free.cause = "not_allocated";
  free.evidence = Evidence::kGood;
  free.sums.gpu_measured = 0;
  TopLine dark = held;
  dark.gpu = "GPU-3/7";
  dark.gpu_index = "0.7";
  dark.gpu_model = "NVIDIA A100 MIG 3g.40gb";
  dark.state = TopState::kUndetermined;
  dark.since.reset();
  dark.sums.sm_measured = dark.sums.tensor_measured = dark.sums.gpu_memory_nanos = 0;
  dark.pod = "serve-0";
  dark.wasted_per_hour = 0;
  dark.cause = "undetermined";
  dark.evidence = Evidence::kNone;
  dark.sums.gpu_measured = 0;
  report.lines = {held, free, dark};
  report.lines_left_out = 3;
  return report;
}

}  // namespace seedance
