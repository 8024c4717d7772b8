#include "cli/print/report_csv.h"

#include "base/csv.h"
#include "base/time_text.h"
#include "cli/print/numbers.h"
#include "report/sums_json.h"

namespace seedance {
namespace {

using CsvRow = std::vector<std::string>;

std::string csv_line(const CsvRow& fields) {
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i) line += (i > 0 ? "," : "") + csv_field(fields[i]);
  return line + "\n";
}

void add_sums_header(CsvRow& row) {
  for (const char* name : {"gpu_hours", "gpu_hours_measured", "gpu_hours_active", "gpu_cost", "cpu_cost", "memory_cost", "storage_cost",
                           "network_cost", "shared_cost", "total_cost", "wasted_cost"}) {
    row.emplace_back(name);
  }
}

void add_sums(CsvRow& row, const LedgerSums& s) {
  for (const Int128 hours : {s.gpu_allocated, s.gpu_measured, s.gpu_active}) row.push_back(print_hours(hours));
  for (const MoneySum money : {s.gpu_cost, s.cpu_cost, s.memory_cost, s.storage_cost, s.network_cost, s.shared_cost, s.total_cost(), s.wasted}) {
    row.push_back(print_exact(money));
  }
}

}  // namespace

std::string cost_csv(const CostReport& report, bool with_header) {
  const bool has_steps = report.question.step.count() != 0;
  std::string out;
  if (with_header) {
    CsvRow header;
    if (has_steps) header.emplace_back("step_start");
    header.emplace_back("kind");
    for (const GroupKey key : report.question.by) header.emplace_back(group_key_name(key));
    header.emplace_back("currency");
    add_sums_header(header);
    header.emplace_back("previous_total_cost");
    out += csv_line(header);
  }
  for (const CostLine& line : report.lines) {
    CsvRow row;
    if (has_steps) row.push_back(print_time(line.step_start, report.question.zone));
    row.emplace_back(line_kind_name(line.kind));
    row.insert(row.end(), line.keys.begin(), line.keys.end());
    row.push_back(line.currency);
    add_sums(row, line.sums);
    row.push_back(line.previous_total ? print_exact(*line.previous_total) : "");
    out += csv_line(row);
  }
  return out;
}

std::string waterfall_csv(const WaterfallReport& report, bool with_header) {
  std::string out = with_header ? csv_line({"currency", "part", "cost"}) : "";
  for (const WaterfallTotal& total : report.totals) {
    out += csv_line({total.currency, "billed", print_exact(total.billed)});
    for (std::size_t i = 0; i < kWaterfallBarCount; ++i) {
      out += csv_line({total.currency, std::string(waterfall_bar_name(static_cast<WaterfallBar>(i))), print_exact(total.bars[i])});
    }
  }
  return out;
}

std::string top_csv(const TopReport& report, bool with_header) {
  std::string out;
  if (with_header) {
    CsvRow header{"node", "gpu_index", "gpu", "gpu_model", "namespace", "workload", "pod", "state", "stranded_by", "since", "currency", "cost_per_hour", "wasted_per_hour", "cause", "evidence"};
    add_sums_header(header);
    for (const char* name : {"gpu_hours_sm_measured", "gpu_hours_sm_active", "gpu_hours_tensor_measured", "gpu_hours_tensor_active"}) header.emplace_back(name);
    out += csv_line(header);
  }
  for (const TopLine& line : report.lines) {
    CsvRow row{line.node, line.gpu_index, line.gpu, line.gpu_model, line.namespace_name, line.workload, line.pod, std::string(top_state_name(line.state)),
               line.stranded_by, line.since ? print_time(*line.since, report.question.zone) : "", line.currency, print_exact(line.cost_per_hour), print_exact(line.wasted_per_hour),
               line.cause, std::string(evidence_name(line.evidence))};
    add_sums(row, line.sums);
    for (const Int128 hours : {line.sums.sm_measured, line.sums.sm_active, line.sums.tensor_measured, line.sums.tensor_active}) row.push_back(print_hours(hours));
    out += csv_line(row);
  }
  return out;
}

std::string price_csv(const PriceList& prices, bool with_header) {
  std::string out;
  if (with_header) {
    out += csv_line({"provider", "region", "zone", "instance_type", "node", "capacity_kind", "currency", "price_per_hour", "accelerator", "gpus",
                     "cpu_millis", "memory_mib", "valid_from", "source"});
  }
  for (const PriceEntry& e : prices.entries) {
    out += csv_line({e.provider, e.region, e.zone, e.instance_type, e.node, e.capacity_kind, e.currency, print_exact(MoneySum{e.rate.nanos_per_unit_hour}),
                     e.accelerator, card_count(e.gpu_millis), std::to_string(e.cpu_millis), std::to_string(e.memory_mib),
                     e.valid_from == TimePoint{} ? "" : print_time(e.valid_from, prices.zone), e.source});
  }
  return out;
}

}  // namespace seedance
