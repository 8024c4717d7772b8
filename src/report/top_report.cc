#include "report/top_report.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "report/sums_json.h"
#include "report/window_json.h"

namespace seedance {
namespace {

constexpr std::array<std::string_view, 3> kSubjects{"gpus", "pods", "workloads"};
constexpr std::array<std::string_view, 4> kEvidence{"good", "partial", "no counters", "n/a"};

constexpr WaterfallPart kWasteParts[] = {WaterfallPart::kHeldNotStarted, WaterfallPart::kWaitingForData, WaterfallPart::kWaitingForCommunication,
                                         WaterfallPart::kOtherIdle, WaterfallPart::kInefficient};
constexpr WaterfallPart kUndeterminedParts[] = {WaterfallPart::kUndeterminedIdle, WaterfallPart::kUndeterminedBusy, WaterfallPart::kUndeterminedNoData};

// The largest known waste, unless more of the money is undetermined than wasted.
std::string cause_of(const TopLine& line) {
  if (line.is_free) return "not_allocated";
  MoneySum largest = 0;
  MoneySum wasted = 0;
  std::string cause;
  for (const WaterfallPart part : kWasteParts) {
    const MoneySum money = line.sums.part(part);
    wasted += money;
    if (money > largest) {
      largest = money;
      cause = waterfall_part_name(part);
    }
  }
  MoneySum undetermined = 0;
  for (const WaterfallPart part : kUndeterminedParts) undetermined += line.sums.part(part);
  return undetermined > wasted ? "undetermined" : cause;
}

Evidence evidence_of(const LedgerSums& sums) {
  if (sums.gpu_allocated == 0) return Evidence::kNotApplicable;
  if (sums.gpu_measured == 0) return Evidence::kNone;
  return sums.gpu_measured * 100 >= sums.gpu_allocated * 95 ? Evidence::kGood : Evidence::kPartial;
}

MoneySum per_hour(MoneySum sum, Nanos covered) {
  const Int128 by = std::max<std::int64_t>(1, covered.count());
  return (sum * kNanosPerHour + by / 2) / by;
}

}  // namespace

Result<TopSubject> parse_top_subject(std::string_view name) {
  for (std::size_t i = 0; i < kSubjects.size(); ++i) {
    if (kSubjects[i] == name) return static_cast<TopSubject>(i);
  }
  return fail(Code::kInvalid, "unknown subject: " + std::string(name.substr(0, 40)), "use gpus, pods or workloads");
}
std::string_view top_subject_name(TopSubject subject) { return kSubjects[static_cast<std::size_t>(subject)]; }

Result<TopSort> parse_top_sort(std::string_view name) {
  if (name == "wasted") return TopSort::kWasted;
  if (name == "cost") return TopSort::kCost;
  return fail(Code::kInvalid, "unknown sort: " + std::string(name.substr(0, 40)), "use wasted or cost");
}

std::string_view evidence_name(Evidence evidence) { return kEvidence[static_cast<std::size_t>(evidence)]; }

LedgerQuery ledger_query_of(const TopQuestion& question) {
  LedgerQuery query;
  query.window = question.window;
  query.filters = question.filters;
  query.measures = Measures::kAll;
  query.by = {GroupKey::kNamespace, GroupKey::kWorkload};
  if (question.subject != TopSubject::kWorkloads) query.by.insert(query.by.end(), {GroupKey::kNode, GroupKey::kPod});
  if (question.subject == TopSubject::kGpus) query.by.insert(query.by.end(), {GroupKey::kGpu, GroupKey::kGpuModel});
  return query;
}

TopReport make_top_report(const TopQuestion& question, const LedgerGroups& groups, Nanos covered, bool has_provisional) {
  TopReport report{question, {}, 0, has_provisional};
  std::map<std::tuple<std::vector<std::string>, bool, std::string>, TopLine> lines;
  for (const LedgerGroup& group : groups) {
    const bool is_free = group.kind == RowKind::kIdle || group.kind == RowKind::kStranded;
    if (group.kind != RowKind::kAllocated && !is_free) continue;
    if (question.subject == TopSubject::kGpus && group.sums.gpu_allocated == 0) continue;
    if (question.subject != TopSubject::kGpus && is_free) continue;
    TopLine& line = lines[{group.keys, is_free, group.currency}];
    const auto key = [&](std::size_t i) { return i < group.keys.size() ? group.keys[i] : std::string{}; };
    line.namespace_name = key(0);
    line.workload = key(1);
    line.node = key(2);
    line.pod = key(3);
    line.gpu = key(4);
    line.gpu_model = key(5);
    line.is_free = is_free;
    line.currency = group.currency;
    LedgerSums sums = group.sums;
    if (question.subject == TopSubject::kGpus) sums.cpu_cost = sums.memory_cost = 0;
    if (question.subject == TopSubject::kGpus && is_free) sums.wasted = sums.gpu_cost;
    line.sums += sums;
  }
  for (auto& [identity, line] : lines) {
    line.cost_per_hour = per_hour(line.sums.total_cost(), covered);
    line.wasted_per_hour = per_hour(line.sums.wasted, covered);
    line.cause = cause_of(line);
    line.evidence = line.is_free ? Evidence::kNotApplicable : evidence_of(line.sums);
    report.lines.push_back(std::move(line));
  }
  const auto rate = [&](const TopLine& line) { return question.sort == TopSort::kWasted ? line.wasted_per_hour : line.cost_per_hour; };
  std::stable_sort(report.lines.begin(), report.lines.end(), [&](const TopLine& a, const TopLine& b) { return rate(a) > rate(b); });
  if (report.lines.size() > question.limit) {
    report.lines_left_out = report.lines.size() - question.limit;
    report.lines.resize(question.limit);
  }
  return report;
}

Json top_report_json(const TopReport& report) {
  Json out = Json::object();
  out.set("subject", top_subject_name(report.question.subject));
  out.set("window", window_json(report.question.window, report.question.zone)).set("zone", report.question.zone.name());
  Json lines = Json::array();
  for (const TopLine& line : report.lines) {
    Json one = Json::object();
    one.set("node", line.node).set("namespace", line.namespace_name).set("workload", line.workload).set("pod", line.pod);
    one.set("gpu", line.gpu).set("gpu_model", line.gpu_model).set("free", line.is_free).set("currency", line.currency);
    one.set("cost_per_hour", print_exact(line.cost_per_hour)).set("wasted_per_hour", print_exact(line.wasted_per_hour));
    one.set("cause", line.cause).set("evidence", evidence_name(line.evidence));
    set_sums(one, line.sums);
    lines.add(std::move(one));
  }
  out.set("lines", std::move(lines));
  out.set("lines_left_out", static_cast<std::int64_t>(report.lines_left_out));
  out.set("provisional", report.has_provisional);
  return out;
}

Result<TopReport> top_report_from_json(const Json& json) {
  TopReport report;
  TRY_ASSIGN(report.question.subject, parse_top_subject(json.at("subject").text()));
  TRY_ASSIGN(report.question.window, window_from(json));
  report.question.zone = zone_from(json);
  for (const Json& one : json.at("lines").elements()) {
    TopLine line;
    std::string* const texts[] = {&line.node, &line.namespace_name, &line.workload, &line.pod, &line.gpu, &line.gpu_model, &line.currency, &line.cause};
    std::size_t at = 0;
    for (const std::string_view name : {"node", "namespace", "workload", "pod", "gpu", "gpu_model", "currency", "cause"}) *texts[at++] = one.at(name).text();
    line.is_free = one.at("free").boolean();
    line.sums = sums_from(one);
    TRY_ASSIGN(line.cost_per_hour, parse_sum(one.at("cost_per_hour").text()));
    TRY_ASSIGN(line.wasted_per_hour, parse_sum(one.at("wasted_per_hour").text()));
    for (std::size_t i = 0; i < kEvidence.size(); ++i) {
      if (kEvidence[i] == one.at("evidence").text()) line.evidence = static_cast<Evidence>(i);
    }
    report.lines.push_back(std::move(line));
  }
  report.lines_left_out = static_cast<std::size_t>(json.at("lines_left_out").integer());
  report.has_provisional = json.at("provisional").boolean();
  return report;
}

}  // namespace seedance
