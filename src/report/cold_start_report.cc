#include "report/cold_start_report.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "report/sums_json.h"
#include "report/window_json.h"

namespace seedance {
namespace {

constexpr std::int64_t kMonthHours = 730;

void add_stage(StageTime& stage, std::optional<TimePoint> from, std::optional<TimePoint> to) {
  if (!from || !to || *to < *from) return;
  stage.nanos += (*to - *from).count();
  ++stage.known;
}

void add_start(ColdStartLine& line, const ColdStart& s) {
  ++line.starts;
  add_stage(line.image_pull, s.scheduled, s.image_pulled);
  add_stage(line.container, s.image_pulled ? *s.image_pulled : s.scheduled, s.started);
  add_stage(line.ready, s.started, s.ready);
  add_stage(line.first_work, s.ready ? s.ready : s.started, s.first_work);
  line.nanos += (s.end() - s.scheduled).count();
  line.cost += s.cost.nanos();
}

struct NamedStage {
  std::string_view name;
  StageTime ColdStartLine::*stage;
};
constexpr NamedStage kStages[] = {{"image_pull", &ColdStartLine::image_pull},
                                  {"container_start", &ColdStartLine::container},
                                  {"readiness", &ColdStartLine::ready},
                                  {"first_gpu_work", &ColdStartLine::first_work}};

}  // namespace

ColdStartReport make_cold_start_report(Interval window, const std::vector<ColdStart>& starts, Nanos covered) {
  std::map<std::tuple<std::string, std::string, std::string>, ColdStartLine> lines;
  for (const ColdStart& s : starts) {
    ColdStartLine& line = lines[{s.namespace_name, s.workload, s.currency}];
    line.namespace_name = s.namespace_name;
    line.workload = s.workload;
    line.currency = s.currency;
    add_start(line, s);
  }
  ColdStartReport report{window, {}};
  for (auto& [name, line] : lines) {
    if (covered.count() > 0) line.cost_per_month = line.cost * kMonthHours * kNanosPerHour / covered.count();
    report.lines.push_back(std::move(line));
  }
  std::stable_sort(report.lines.begin(), report.lines.end(), [](const ColdStartLine& a, const ColdStartLine& b) { return a.cost > b.cost; });
  return report;
}

Json cold_start_report_json(const ColdStartReport& report) {
  Json lines = Json::array();
  for (const ColdStartLine& line : report.lines) {
    Json one = Json::object();
    one.set("namespace", line.namespace_name).set("workload", line.workload).set("currency", line.currency).set("starts", std::uint64_t{line.starts});
    Json stages = Json::object();
    for (const NamedStage& s : kStages) {
      const StageTime& stage = line.*s.stage;
      stages.set(s.name, Json::object().set("seconds", print_exact(stage.nanos)).set("starts_known", std::uint64_t{stage.known}));
    }
    one.set("stages", std::move(stages)).set("seconds", print_exact(line.nanos)).set("cost", print_exact(line.cost));
    one.set("estimated_cost_per_month", print_exact(line.cost_per_month));
    lines.add(std::move(one));
  }
  Json out = Json::object();
  out.set("window", window_json(report.window, report.zone)).set("zone", report.zone.name());
  out.set("telemetry", telemetry_notes_json(report.telemetry, report.zone));
  return out.set("lines", std::move(lines));
}

Result<ColdStartReport> cold_start_report_from_json(const Json& json) {
  ColdStartReport report;
  TRY_ASSIGN(report.window, window_from(json));
  report.zone = zone_from(json);
  TRY_ASSIGN(report.telemetry, telemetry_notes_from_json(json.at("telemetry")));
  for (const Json& one : json.at("lines").elements()) {
    ColdStartLine line;
    line.namespace_name = one.at("namespace").text();
    line.workload = one.at("workload").text();
    line.currency = one.at("currency").text();
    line.starts = static_cast<std::size_t>(one.at("starts").integer());
    for (const NamedStage& s : kStages) {
      const Json& stage = one.at("stages").at(s.name);
      TRY_ASSIGN(const MoneySum seconds, parse_sum(stage.at("seconds").text()));
      line.*s.stage = {static_cast<std::int64_t>(seconds), static_cast<std::size_t>(stage.at("starts_known").integer())};
    }
    TRY_ASSIGN(const MoneySum nanos, parse_sum(one.at("seconds").text()));
    line.nanos = static_cast<std::int64_t>(nanos);
    TRY_ASSIGN(line.cost, parse_sum(one.at("cost").text()));
    TRY_ASSIGN(line.cost_per_month, parse_sum(one.at("estimated_cost_per_month").text()));
    report.lines.push_back(std::move(line));
  }
  return report;
}

}  // namespace seedance
