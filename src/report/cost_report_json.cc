// The cost report on the wire; docs/openapi.yaml describes it.
#include "base/time_text.h"
#include "report/cost_report.h"
#include "report/sums_json.h"
#include "report/window_json.h"

namespace seedance {
namespace {

Json optional_time(const std::optional<TimePoint>& t, const TimeZone& zone) { return t ? Json(print_time(*t, zone)) : Json(); }

std::optional<TimePoint> optional_time_from(const Json& json) {
  if (!json.is_text()) return std::nullopt;
  const Result<TimePoint> t = parse_time(json.text());
  return t ? std::optional<TimePoint>(*t) : std::nullopt;
}

std::optional<MoneySum> optional_sum_from(const Json& json) {
  if (!json.is_text()) return std::nullopt;
  const Result<MoneySum> sum = parse_sum(json.text());
  return sum ? std::optional<MoneySum>(*sum) : std::nullopt;
}

Json line_json(const CostLine& line, const CostQuestion& question) {
  Json out = Json::object();
  out.set("kind", line_kind_name(line.kind));
  Json keys = Json::object();
  for (std::size_t i = 0; i < question.by.size(); ++i) keys.set(group_key_name(question.by[i]), line.keys[i]);
  out.set("keys", std::move(keys));
  if (question.step.count() != 0) out.set("step_start", print_time(line.step_start, question.zone));
  out.set("currency", line.currency);
  if (!line.owner.empty()) out.set("owner", line.owner);
  set_sums(out, line.sums);
  const std::optional<double> efficiency = line.kind == LineKind::kGroup ? estimated_efficiency(line.sums) : std::nullopt;
  out.set("estimated_efficiency", efficiency ? Json(*efficiency) : Json());
  if (line.previous_total) out.set("previous_total_cost", print_exact(*line.previous_total));
  return out;
}

Json total_json(const CurrencyTotal& total) {
  Json out = Json::object();
  out.set("currency", total.currency);
  set_sums(out, total.sums);
  out.set("hidden_cost", print_exact(total.hidden));
  out.set("charged_cost", total.charged ? Json(print_exact(*total.charged)) : Json());
  out.set("left", total.charged ? Json(print_exact(total.left())) : Json());
  if (total.previous_total) out.set("previous_total_cost", print_exact(*total.previous_total));
  return out;
}

Result<CostLine> line_from(const Json& json, const CostQuestion& question) {
  CostLine line;
  bool known = false;
  for (std::size_t i = 0; i <= static_cast<std::size_t>(LineKind::kUnpriced); ++i) {
    if (line_kind_name(static_cast<LineKind>(i)) != json.at("kind").text()) continue;
    line.kind = static_cast<LineKind>(i);
    known = true;
  }
  if (!known) return fail(Code::kInvalid, "unknown line kind in a report: " + std::string(json.at("kind").text()));
  for (const GroupKey key : question.by) line.keys.emplace_back(json.at("keys").at(group_key_name(key)).text());
  if (const std::optional<TimePoint> step = optional_time_from(json.at("step_start"))) line.step_start = *step;
  line.currency = json.at("currency").text();
  line.sums = sums_from(json);
  line.owner = json.at("owner").text();
  line.previous_total = optional_sum_from(json.at("previous_total_cost"));
  return line;
}

}  // namespace

Json cost_report_json(const CostReport& report) {
  Json out = Json::object();
  const CostQuestion& q = report.question;
  out.set("window", window_json(q.window, q.zone)).set("zone", q.zone.name());
  if (q.step.count() != 0) out.set("step", print_duration(q.step));
  Json by = Json::array();
  for (const GroupKey key : q.by) by.add(group_key_name(key));
  out.set("by", std::move(by));
  out.set("idle", idle_mode_name(q.idle));
  Json lines = Json::array();
  for (const CostLine& line : report.lines) lines.add(line_json(line, q));
  out.set("lines", std::move(lines));
  Json totals = Json::array();
  for (const CurrencyTotal& total : report.totals) totals.add(total_json(total));
  out.set("totals", std::move(totals));
  Json methods = Json::array();
  for (const std::string& method : report.split_methods) methods.add(method);
  out.set("split_methods", std::move(methods));
  out.set("provisional", report.has_provisional);
  out.set("telemetry", telemetry_notes_json(report.telemetry, q.zone));
  out.set("data_from", optional_time(report.data_from, q.zone));
  out.set("data_to", optional_time(report.data_to, q.zone));
  return out;
}

Result<CostReport> cost_report_from_json(const Json& json) {
  CostReport report;
  CostQuestion& q = report.question;
  TRY_ASSIGN(q.window, window_from(json));
  q.zone = zone_from(json);
  if (json.at("step").is_text()) {
    TRY_ASSIGN(q.step, parse_duration(json.at("step").text()));
  }
  for (const Json& key : json.at("by").elements()) {
    TRY_ASSIGN(const GroupKey parsed, parse_group_key(key.text()));
    q.by.push_back(parsed);
  }
  TRY_ASSIGN(q.idle, parse_idle_mode(json.at("idle").text()));
  for (const Json& line : json.at("lines").elements()) {
    TRY_ASSIGN(CostLine parsed, line_from(line, q));
    report.lines.push_back(std::move(parsed));
  }
  for (const Json& total : json.at("totals").elements()) {
    report.totals.push_back({std::string(total.at("currency").text()), sums_from(total), optional_sum_from(total.at("hidden_cost")).value_or(0),
                             optional_sum_from(total.at("charged_cost")), optional_sum_from(total.at("previous_total_cost"))});
  }
  for (const Json& method : json.at("split_methods").elements()) report.split_methods.emplace_back(method.text());
  report.has_provisional = json.at("provisional").boolean();
  TRY_ASSIGN(report.telemetry, telemetry_notes_from_json(json.at("telemetry")));
  report.data_from = optional_time_from(json.at("data_from"));
  report.data_to = optional_time_from(json.at("data_to"));
  return report;
}

}  // namespace seedance
