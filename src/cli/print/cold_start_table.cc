#include "cli/print/cold_start_table.h"

#include "cli/print/numbers.h"
#include "cli/print/table.h"
#include "cli/print/telemetry_table.h"
#include "cli/texts.h"

namespace seedance {
namespace {

// Mean seconds of a stage; undetermined when no start had its event.
std::string stage_text(const StageTime& stage, const Presentation& look) {
  if (stage.known == 0) return std::string(text(TextId::kUndetermined, look.language));
  return print_rounded(stage.nanos / static_cast<std::int64_t>(stage.known), 1) + "s";
}

}  // namespace

std::string print_cold_start_table(const ColdStartReport& report, const Presentation& look) {
  const auto word = [&](TextId id) { return std::string(text(id, look.language)); };
  Table table;
  for (const TextId id : {TextId::kKeyNamespace, TextId::kKeyWorkload}) table.columns.push_back({word(id), false});
  for (const TextId id : {TextId::kHeadStarts, TextId::kHeadImagePull, TextId::kHeadContainerStart, TextId::kHeadReadiness, TextId::kHeadFirstWork}) {
    table.columns.push_back({word(id), true});
  }
  table.columns.push_back({word(TextId::kHeadCurrency), false});
  for (const TextId id : {TextId::kHeadColdCost, TextId::kHeadColdPerMonth}) table.columns.push_back({word(id), true});
  for (const ColdStartLine& line : report.lines) {
    table.rows.push_back({line.namespace_name, line.workload, std::to_string(line.starts), stage_text(line.image_pull, look), stage_text(line.container, look),
                          stage_text(line.ready, look), stage_text(line.first_work, look), line.currency, money_text(line.cost), money_text(line.cost_per_month)});
  }
  std::string out = print_table(table, look);
  if (!look.headers) return out;
  return out + word(TextId::kColdStartNote) + "\n" + window_text(report.window, report.zone) + "\n" + telemetry_lines(report.telemetry, report.zone, look);
}

}  // namespace seedance
