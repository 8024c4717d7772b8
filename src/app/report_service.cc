#include "app/report_service.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "base/time_text.h"

namespace seedance {
namespace {

constexpr Nanos kLedgerHour = std::chrono::hours(1);
constexpr Nanos kDay = std::chrono::hours(24);

std::vector<std::string> split_text(std::string_view text, char by) {
  std::vector<std::string> out;
  for (;;) {
    const std::size_t end = text.find(by);
    out.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return out;
    text.remove_prefix(end + 1);
  }
}

struct HoursInWindow {
  std::optional<TimePoint> first;
  std::optional<TimePoint> last;
  std::size_t count = 0;
};

HoursInWindow hours_in(const std::vector<TimePoint>& hours, Interval window) {
  HoursInWindow out;
  for (const TimePoint hour : hours) {
    if (!window.contains(hour)) continue;
    if (!out.first) out.first = hour;
    out.last = hour;
    ++out.count;
  }
  return out;
}

// Neighbouring steps of one length.
struct StepRun {
  Interval window;
  Nanos step;
};

// One run, but for steps of whole days over a change of the clock.
std::vector<StepRun> step_runs(const CostQuestion& question) {
  const Interval window = question.window;
  const TimeZone& zone = question.zone;
  const bool has_days = question.step.count() != 0 && question.step % kDay == Nanos{0};
  if (!has_days || zone.is_utc()) return {{window, question.step}};
  std::vector<StepRun> out;
  const std::int64_t wall_start = nanos_of(window.from) / kNanosPerSecond + zone.offset_seconds(window.from);
  const std::int64_t step_seconds = question.step.count() / kNanosPerSecond;
  TimePoint from = window.from;
  for (std::int64_t i = 1; from < window.to; ++i) {
    const TimePoint to = std::max(from + kLedgerHour, hour_of(zone.at_wall_clock(wall_start + i * step_seconds)));
    if (!out.empty() && out.back().step == to - from) {
      out.back().window.to = std::min(to, window.to);
    } else {
      out.push_back({{from, std::min(to, window.to)}, to - from});
    }
    from = to;
  }
  return out;
}

}  // namespace

Interval whole_hours(Interval window) {
  const TimePoint from = hour_of(window.from);
  const TimePoint to = hour_of(window.to);
  return {from, to == window.to ? to : to + kLedgerHour};
}

Result<std::optional<TimePoint>> ReportService::data_end() const {
  TRY_ASSIGN(const std::vector<TimePoint> hours, ledger_.hours());
  if (hours.empty()) return std::optional<TimePoint>{};
  return std::optional<TimePoint>{hours.back() + kLedgerHour};
}

// Days with a change of the clock are asked for by themselves, days of one length together.
Result<LedgerGroups> ReportService::groups_by_step(const CostQuestion& question, const std::vector<TimePoint>& hours) const {
  LedgerGroups out;
  for (const StepRun& run : step_runs(question)) {
    if (hours_in(hours, run.window).count == 0) continue;
    CostQuestion part = question;
    part.window = run.window;
    part.step = run.step;
    TRY_ASSIGN(LedgerGroups groups, ledger_.group(ledger_query_of(part)));
    out.insert(out.end(), std::make_move_iterator(groups.begin()), std::make_move_iterator(groups.end()));
  }
  return out;
}

Result<CostReport> ReportService::cost(CostQuestion question) const {
  const std::shared_ptr<void> still = ledger_.hold();  // one state of the books for all the reads below
  question.window = whole_hours(question.window);
  if (question.step.count() % kNanosPerHour != 0) return fail(Code::kInvalid, "step is not whole hours: " + print_duration(question.step), "use 1h, 6h, 24h, ...");
  CostFacts facts;
  TRY_ASSIGN(const std::vector<TimePoint> hours, ledger_.hours());
  const HoursInWindow known = hours_in(hours, question.window);
  facts.data_from = known.first;
  if (known.last) facts.data_to = *known.last + kLedgerHour;
  TRY_ASSIGN(facts.current, groups_by_step(question, hours));
  TRY_ASSIGN(facts.charges, ledger_.charges(question.window, {}));
  if (question.compare_previous && question.step.count() == 0) {
    CostQuestion before = question;
    before.window = previous_window(question.window);
    facts.has_previous = hours_in(hours, before.window).count > 0;
    if (facts.has_previous) {
      TRY_ASSIGN(facts.previous, ledger_.group(ledger_query_of(before)));
    }
  }
  TRY_ASSIGN(const LedgerMarks marks, ledger_.marks(question.window));
  facts.split_methods = marks.split_methods;
  facts.has_provisional = marks.has_provisional;
  CostReport report = make_cost_report(question, std::move(facts));
  report.telemetry = notes_of(question.window);
  return report;
}

Result<WaterfallReport> ReportService::waterfall(WaterfallQuestion question) const {
  const std::shared_ptr<void> still = ledger_.hold();  // one state of the books for all the reads below
  question.window = whole_hours(question.window);
  TRY_ASSIGN(const LedgerGroups groups, ledger_.group(ledger_query_of(question)));
  TRY_ASSIGN(const LedgerMarks marks, ledger_.marks(question.window));
  WaterfallReport report = make_waterfall_report(question, groups, marks.has_provisional);
  report.telemetry = notes_of(question.window);
  return report;
}

Result<TopReport> ReportService::top(TopQuestion question) const {
  const std::shared_ptr<void> still = ledger_.hold();  // one state of the books for all the reads below
  question.window = whole_hours(question.window);
  TRY_ASSIGN(const std::vector<TimePoint> hours, ledger_.hours());
  TopFacts facts;
  const HoursInWindow known = hours_in(hours, question.window);
  facts.covered = covered_time(hours, question.window);
  facts.as_of = known.last ? books_end(*known.last) : question.window.to;
  facts.books_from = hours.empty() ? question.window.from : hours.front();
  TRY_ASSIGN(facts.groups, ledger_.group(ledger_query_of(question)));
  if (question.subject == TopSubject::kGpus) {
    TRY_ASSIGN(facts.now_free, ledger_.group(free_now_query(question, facts.as_of)));
    TRY_ASSIGN(facts.freed, ledger_.group(freed_query(facts.as_of)));
  }
  TRY_ASSIGN(const LedgerMarks marks, ledger_.marks(question.window));
  facts.has_provisional = marks.has_provisional;
  TopReport report = make_top_report(question, facts);
  report.telemetry = notes_of(question.window);
  return report;
}

Result<ColdStartReport> ReportService::cold_starts(Interval window, const TimeZone& zone) const {
  const std::shared_ptr<void> still = ledger_.hold();
  window = whole_hours(window);
  TRY_ASSIGN(const std::vector<TimePoint> hours, ledger_.hours());
  TRY_ASSIGN(const std::vector<ColdStart> starts, ledger_.cold_starts(window, {}));
  ColdStartReport report = make_cold_start_report(window, starts, covered_time(hours, window));
  report.zone = zone;
  report.telemetry = notes_of(window);
  return report;
}

// How far the books of an hour reach: to its end, or to the newest sample of the running one.
TimePoint ReportService::books_end(TimePoint hour) const {
  const TimePoint end = hour + kLedgerHour;
  return known_until_ ? std::clamp(known_until_(), hour, end) : end;
}

// The time inside the window for which there are books.
Nanos ReportService::covered_time(const std::vector<TimePoint>& hours, Interval window) const {
  const HoursInWindow known = hours_in(hours, window);
  const Nanos whole = static_cast<std::int64_t>(known.count) * kLedgerHour;
  return known.last ? whole - (*known.last + kLedgerHour - books_end(*known.last)) : whole;
}

Result<Interval> parse_window(std::string_view text, TimePoint end, const TimeZone& zone) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) {
    TRY_ASSIGN(const Nanos length, parse_duration(text));
    return Interval{end - length, end};
  }
  TRY_ASSIGN(const TimePoint from, parse_time(text.substr(0, dots), zone));
  TRY_ASSIGN(const TimePoint to, parse_time(text.substr(dots + 2), zone));
  if (to <= from) return fail(Code::kInvalid, "window ends before it starts: " + std::string(text), "write FROM..TO with FROM before TO");
  return Interval{from, to};
}

Result<LedgerFilter> parse_filter(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    return fail(Code::kInvalid, "not a filter: " + std::string(text.substr(0, 60)), "write key=value[,value] or key!=value");
  }
  LedgerFilter filter;
  filter.negated = text[equals - 1] == '!';
  TRY_ASSIGN(filter.key, parse_group_key(text.substr(0, filter.negated ? equals - 1 : equals)));
  filter.values = split_text(text.substr(equals + 1), ',');
  return filter;
}

}  // namespace seedance
