#include "report/waterfall_report.h"

#include <map>

#include "report/sums_json.h"
#include "report/window_json.h"

namespace seedance {
namespace {

constexpr std::array<std::string_view, kWaterfallBarCount> kBarNames{
    "not_allocated", "stranded", "unattributed", "held_not_started", "waiting_for_data", "waiting_for_communication",
    "other_idle",    "inefficient", "undetermined", "productive"};

struct PartBar {
  WaterfallPart part;
  WaterfallBar bar;
};
constexpr PartBar kPartBars[] = {{WaterfallPart::kHeldNotStarted, WaterfallBar::kHeldNotStarted},
                                 {WaterfallPart::kWaitingForData, WaterfallBar::kWaitingForData},
                                 {WaterfallPart::kWaitingForCommunication, WaterfallBar::kWaitingForCommunication},
                                 {WaterfallPart::kOtherIdle, WaterfallBar::kOtherIdle},
                                 {WaterfallPart::kInefficient, WaterfallBar::kInefficient},
                                 {WaterfallPart::kProductive, WaterfallBar::kProductive},
                                 {WaterfallPart::kUndeterminedIdle, WaterfallBar::kUndetermined},
                                 {WaterfallPart::kUndeterminedBusy, WaterfallBar::kUndetermined},
                                 {WaterfallPart::kUndeterminedNoData, WaterfallBar::kUndetermined}};

void add_group(WaterfallTotal& total, const LedgerGroup& group) {
  const auto bar = [&](WaterfallBar b) -> MoneySum& { return total.bars[static_cast<std::size_t>(b)]; };
  total.billed += group.sums.gpu_cost;
  total.gpu_nanos += group.sums.gpu_allocated;
  if (group.kind == RowKind::kIdle) bar(WaterfallBar::kNotAllocated) += group.sums.gpu_cost;
  if (group.kind == RowKind::kStranded) bar(WaterfallBar::kStranded) += group.sums.gpu_cost;
  if (group.kind == RowKind::kUnattributed) bar(WaterfallBar::kUnattributed) += group.sums.gpu_cost;
  for (const PartBar& pair : kPartBars) bar(pair.bar) += group.sums.part(pair.part);
  total.undetermined_idle += group.sums.part(WaterfallPart::kUndeterminedIdle);
  total.undetermined_busy += group.sums.part(WaterfallPart::kUndeterminedBusy);
  total.undetermined_no_data += group.sums.part(WaterfallPart::kUndeterminedNoData);
}

}  // namespace

std::string_view waterfall_bar_name(WaterfallBar bar) { return kBarNames[static_cast<std::size_t>(bar)]; }

LedgerQuery ledger_query_of(const WaterfallQuestion& question) {
  LedgerQuery query;
  query.window = question.window;
  query.filters = question.filters;
  query.measures = Measures::kWaterfall;
  return query;
}

WaterfallReport make_waterfall_report(const WaterfallQuestion& question, const LedgerGroups& groups, bool has_provisional) {
  std::map<std::string, WaterfallTotal> totals;
  for (const LedgerGroup& group : groups) add_group(totals[group.currency], group);
  WaterfallReport report{question, {}, has_provisional};
  for (auto& [currency, total] : totals) {
    total.currency = currency;
    report.totals.push_back(total);
  }
  return report;
}

Json waterfall_report_json(const WaterfallReport& report) {
  Json out = Json::object();
  out.set("window", window_json(report.question.window, report.question.zone)).set("zone", report.question.zone.name());
  Json totals = Json::array();
  for (const WaterfallTotal& total : report.totals) {
    Json one = Json::object();
    one.set("currency", total.currency).set("billed_gpu_cost", print_exact(total.billed)).set("gpu_hours", print_hours(total.gpu_nanos));
    Json bars = Json::object();
    for (std::size_t i = 0; i < kWaterfallBarCount; ++i) bars.set(kBarNames[i], print_exact(total.bars[i]));
    one.set("parts", std::move(bars));
    one.set("undetermined", Json::object()
                                .set("idle_cause_unknown", print_exact(total.undetermined_idle))
                                .set("busy_efficiency_unknown", print_exact(total.undetermined_busy))
                                .set("no_counters", print_exact(total.undetermined_no_data)));
    totals.add(std::move(one));
  }
  out.set("totals", std::move(totals));
  out.set("provisional", report.has_provisional);
  out.set("telemetry", telemetry_notes_json(report.telemetry, report.question.zone));
  return out;
}

Result<WaterfallReport> waterfall_report_from_json(const Json& json) {
  WaterfallReport report;
  TRY_ASSIGN(report.question.window, window_from(json));
  report.question.zone = zone_from(json);
  for (const Json& one : json.at("totals").elements()) {
    WaterfallTotal total;
    total.currency = one.at("currency").text();
    TRY_ASSIGN(total.billed, parse_sum(one.at("billed_gpu_cost").text()));
    for (std::size_t i = 0; i < kWaterfallBarCount; ++i) {
      TRY_ASSIGN(total.bars[i], parse_sum(one.at("parts").at(kBarNames[i]).text()));
    }
    TRY_ASSIGN(total.undetermined_idle, parse_sum(one.at("undetermined").at("idle_cause_unknown").text()));
    TRY_ASSIGN(total.undetermined_busy, parse_sum(one.at("undetermined").at("busy_efficiency_unknown").text()));
    TRY_ASSIGN(total.undetermined_no_data, parse_sum(one.at("undetermined").at("no_counters").text()));
    TRY_ASSIGN(const MoneySum hours, parse_sum(one.at("gpu_hours").text()));
    total.gpu_nanos = hours * 3'600;
    report.totals.push_back(std::move(total));
  }
  report.has_provisional = json.at("provisional").boolean();
  TRY_ASSIGN(report.telemetry, telemetry_notes_from_json(json.at("telemetry")));
  return report;
}

}  // namespace seedance
