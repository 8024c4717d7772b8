#include "report/top_report.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "base/time_text.h"
#include "report/sums_json.h"
#include "report/window_json.h"

namespace seedance {
namespace {

constexpr std::array<std::string_view, 3> kSubjects{"gpus", "pods", "workloads"};
constexpr std::array<std::string_view, 5> kStates{"free", "stranded", "idle", "busy", "undetermined"};
constexpr std::array<std::string_view, 4> kEvidence{"good", "partial", "no counters", "n/a"};

struct TextMember {
  std::string_view name;
  std::string TopLine::*field;
};
constexpr TextMember kTexts[] = {{"node", &TopLine::node},           {"namespace", &TopLine::namespace_name}, {"workload", &TopLine::workload},
                                 {"pod", &TopLine::pod},             {"gpu", &TopLine::gpu},                  {"gpu_index", &TopLine::gpu_index},
                                 {"gpu_model", &TopLine::gpu_model}, {"stranded_by", &TopLine::stranded_by},  {"currency", &TopLine::currency},
                                 {"cause", &TopLine::cause}};

constexpr WaterfallPart kWasteParts[] = {WaterfallPart::kHeldNotStarted, WaterfallPart::kWaitingForData, WaterfallPart::kWaitingForCommunication,
                                         WaterfallPart::kOtherIdle, WaterfallPart::kInefficient};
constexpr WaterfallPart kIdleParts[] = {WaterfallPart::kHeldNotStarted, WaterfallPart::kWaitingForData, WaterfallPart::kWaitingForCommunication,
                                        WaterfallPart::kOtherIdle, WaterfallPart::kUndeterminedIdle};
constexpr WaterfallPart kUndeterminedParts[] = {WaterfallPart::kUndeterminedIdle, WaterfallPart::kUndeterminedBusy, WaterfallPart::kUndeterminedNoData};

// The largest known waste, unless more of the money is undetermined than wasted.
std::string cause_of(const TopLine& line) {
  if (line.is_free()) return "not_allocated";
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

// Idle when idling, for whatever reason, is where most of the money went.
TopState state_of(const LedgerSums& sums) {
  MoneySum idle = 0;
  for (const WaterfallPart part : kIdleParts) idle += sums.part(part);
  const MoneySum busy = sums.part(WaterfallPart::kInefficient) + sums.part(WaterfallPart::kProductive) + sums.part(WaterfallPart::kUndeterminedBusy);
  const MoneySum dark = sums.part(WaterfallPart::kUndeterminedNoData);
  if (dark > idle && dark > busy) return TopState::kUndetermined;
  return idle > busy ? TopState::kIdle : TopState::kBusy;
}

// That a free device was free needs no counter: nobody had asked for it.
Evidence evidence_of(const TopLine& line) {
  if (line.is_free()) return line.gpu.empty() ? Evidence::kNotApplicable : Evidence::kGood;
  const LedgerSums& sums = line.sums;
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

std::string_view top_state_name(TopState state) { return kStates[static_cast<std::size_t>(state)]; }

Result<std::vector<TopState>> parse_top_states(std::string_view names) {
  std::vector<TopState> out;
  while (!names.empty()) {
    const std::string_view name = names.substr(0, names.find(','));
    const auto at = std::find(kStates.begin(), kStates.end(), name);
    if (at == kStates.end()) return fail(Code::kInvalid, "unknown state: " + std::string(name.substr(0, 40)), "use free, stranded, idle, busy, undetermined");
    out.push_back(static_cast<TopState>(at - kStates.begin()));
    names.remove_prefix(std::min(names.size(), name.size() + 1));
  }
  return out;
}

LedgerQuery ledger_query_of(const TopQuestion& question) {
  LedgerQuery query;
  query.window = question.window;
  query.filters = question.filters;
  query.measures = Measures::kAll;
  query.by = {GroupKey::kNamespace, GroupKey::kWorkload};
  if (question.subject != TopSubject::kWorkloads) query.by.insert(query.by.end(), {GroupKey::kNode, GroupKey::kPod, GroupKey::kSince});
  if (question.subject == TopSubject::kGpus) query.by.insert(query.by.end(), {GroupKey::kGpu, GroupKey::kGpuIndex, GroupKey::kGpuModel, GroupKey::kReason});
  return query;
}

LedgerQuery free_now_query(const TopQuestion& question, TimePoint as_of) {
  LedgerQuery query;
  const TimePoint last = hour_of(as_of - Nanos{1});
  query.window = {last, last + std::chrono::hours(1)};
  query.filters = question.filters;
  query.by = {GroupKey::kNode, GroupKey::kGpu};
  return query;
}

LedgerQuery freed_query(TimePoint as_of) {
  LedgerQuery query;
  query.window = {hour_of(as_of - kFreedLookBack), hour_of(as_of - Nanos{1}) + std::chrono::hours(1)};
  query.filters = {{GroupKey::kGpu, {""}, true}, {GroupKey::kSince, {""}, true}, {GroupKey::kPod, {""}, false}};
  query.by = {GroupKey::kNode, GroupKey::kGpu, GroupKey::kSince};
  return query;
}

namespace {

bool is_free_kind(RowKind kind) { return kind == RowKind::kIdle || kind == RowKind::kStranded; }

using TopLineKey = std::tuple<std::vector<std::string>, RowKind, std::string>;

// One line per holder and device; a row's own reason and start do not make lines.
std::map<TopLineKey, TopLine> lines_of(const TopQuestion& question, const LedgerGroups& groups) {
  std::map<TopLineKey, TopLine> lines;
  for (const LedgerGroup& group : groups) {
    const bool is_free = is_free_kind(group.kind);
    if (group.kind != RowKind::kAllocated && !is_free) continue;
    if (question.subject == TopSubject::kGpus && group.sums.gpu_allocated == 0) continue;
    if (question.subject != TopSubject::kGpus && is_free) continue;
    const auto key = [&](std::size_t i) { return i < group.keys.size() ? group.keys[i] : std::string{}; };
    const std::string stranded_by = group.kind == RowKind::kStranded ? key(8) : std::string{};
    TopLine& line = lines[{{key(0), key(1), key(2), key(3), key(5), key(6), stranded_by}, group.kind, group.currency}];
    line.namespace_name = key(0);
    line.workload = key(1);
    line.node = key(2);
    line.pod = key(3);
    line.gpu = key(5);
    line.gpu_index = key(6);
    line.gpu_model = key(7);
    line.stranded_by = stranded_by;
    line.currency = group.currency;
    if (group.kind == RowKind::kIdle) line.state = TopState::kFree;
    if (group.kind == RowKind::kStranded) line.state = TopState::kStranded;
    if (const Result<TimePoint> since = parse_time(key(4)); since && !is_free && (!line.since || *since < *line.since)) line.since = *since;
    LedgerSums sums = group.sums;
    if (question.subject == TopSubject::kGpus) sums.cpu_cost = sums.memory_cost = 0;
    if (question.subject == TopSubject::kGpus && is_free) sums.wasted = sums.gpu_cost;
    line.sums += sums;
  }
  return lines;
}

// When each device that is free at the end of the window was last freed.
class FreedTimes {
 public:
  explicit FreedTimes(const TopFacts& facts) : books_from_(facts.books_from) {
    for (const LedgerGroup& group : facts.now_free) {
      if (is_free_kind(group.kind) && group.sums.gpu_allocated > 0) now_free_.insert({group.keys[0], group.keys[1]});
    }
    for (const LedgerGroup& group : facts.freed) {
      const Result<TimePoint> since = parse_time(group.keys[2]);
      if (!is_free_kind(group.kind) || !since) continue;
      TimePoint& at = freed_.try_emplace({group.keys[0], group.keys[1]}, *since).first->second;
      at = std::max(at, *since);
    }
  }
  void set_since(TopLine& line) const {
    const std::pair<std::string, std::string> device{line.node, line.gpu};
    if (line.gpu.empty() || !now_free_.contains(device)) return;
    const auto at = freed_.find(device);
    line.since = at == freed_.end() ? books_from_ : at->second;
    line.since_or_earlier = at == freed_.end();
  }

 private:
  TimePoint books_from_;
  std::set<std::pair<std::string, std::string>> now_free_;
  std::map<std::pair<std::string, std::string>, TimePoint> freed_;
};

}  // namespace

TopReport make_top_report(const TopQuestion& question, const TopFacts& facts) {
  TopReport report{question, facts.as_of, {}, 0, facts.has_provisional};
  const FreedTimes freed(facts);
  for (auto& [identity, line] : lines_of(question, facts.groups)) {
    if (!line.is_free()) line.state = state_of(line.sums);
    if (line.is_free()) freed.set_since(line);
    if (!question.states.empty() && std::find(question.states.begin(), question.states.end(), line.state) == question.states.end()) continue;
    line.cost_per_hour = per_hour(line.sums.total_cost(), facts.covered);
    line.wasted_per_hour = per_hour(line.sums.wasted, facts.covered);
    line.cause = cause_of(line);
    line.evidence = evidence_of(line);
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
  out.set("as_of", print_time(report.as_of, report.question.zone));
  Json lines = Json::array();
  for (const TopLine& line : report.lines) {
    Json one = Json::object();
    for (const TextMember& m : kTexts) one.set(m.name, line.*m.field);
    one.set("state", top_state_name(line.state)).set("since", line.since ? print_time(*line.since, report.question.zone) : std::string{}).set("since_or_earlier", line.since_or_earlier);
    one.set("cost_per_hour", print_exact(line.cost_per_hour)).set("wasted_per_hour", print_exact(line.wasted_per_hour));
    one.set("evidence", evidence_name(line.evidence));
    set_sums(one, line.sums);
    set_device_sums(one, line.sums);
    lines.add(std::move(one));
  }
  out.set("lines", std::move(lines));
  out.set("lines_left_out", static_cast<std::int64_t>(report.lines_left_out));
  out.set("provisional", report.has_provisional);
  out.set("telemetry", telemetry_notes_json(report.telemetry, report.question.zone));
  return out;
}

namespace {

Result<TopLine> top_line_from(const Json& one) {
  TopLine line;
  for (const TextMember& m : kTexts) line.*m.field = one.at(m.name).text();
  TRY_ASSIGN(const std::vector<TopState> states, parse_top_states(one.at("state").text()));
  if (!states.empty()) line.state = states[0];
  if (const std::string since(one.at("since").text()); !since.empty()) {
    TRY_ASSIGN(line.since, parse_time(since));
  }
  line.since_or_earlier = one.at("since_or_earlier").boolean();
  line.sums = sums_from(one);
  read_device_sums(one, line.sums);
  TRY_ASSIGN(line.cost_per_hour, parse_sum(one.at("cost_per_hour").text()));
  TRY_ASSIGN(line.wasted_per_hour, parse_sum(one.at("wasted_per_hour").text()));
  for (std::size_t i = 0; i < kEvidence.size(); ++i) {
    if (kEvidence[i] == one.at("evidence").text()) line.evidence = static_cast<Evidence>(i);
  }
  return line;
}

}  // namespace

Result<TopReport> top_report_from_json(const Json& json) {
  TopReport report;
  TRY_ASSIGN(report.question.subject, parse_top_subject(json.at("subject").text()));
  TRY_ASSIGN(report.question.window, window_from(json));
  report.question.zone = zone_from(json);
  TRY_ASSIGN(report.as_of, parse_time(json.at("as_of").text()));
  for (const Json& one : json.at("lines").elements()) {
    TRY_ASSIGN(TopLine line, top_line_from(one));
    report.lines.push_back(std::move(line));
  }
  report.lines_left_out = static_cast<std::size_t>(json.at("lines_left_out").integer());
  report.has_provisional = json.at("provisional").boolean();
  TRY_ASSIGN(report.telemetry, telemetry_notes_from_json(json.at("telemetry")));
  return report;
}

}  // namespace seedance
