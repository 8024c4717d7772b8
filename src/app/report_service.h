// Asks the ledger and makes the reports: the one place where API and offline command line meet the numbers.
//
// Thread-safe as far as the ledger is.
#pragma once

#include <functional>
#include <optional>

#include "report/cold_start_report.h"
#include "report/cost_report.h"
#include "report/top_report.h"
#include "report/waterfall_report.h"
#include "store/ledger_store.h"

namespace seedance {

class ReportService {
 public:
  using NotesOf = std::function<std::vector<TelemetryNote>(Interval)>;
  // `known_until`: how far the samples reach, for the rates of a running hour; without it every hour with books counts whole.
  // `notes_of`: what was wrong with the metrics of a window.
  explicit ReportService(const LedgerStore& ledger, std::function<TimePoint()> known_until = {}, NotesOf notes_of = {})
      : ledger_(ledger), known_until_(std::move(known_until)), notes_of_(std::move(notes_of)) {}

  // Windows are widened to whole hours; a step must be whole hours. Steps of whole days begin when the zone's clock shows what it showed at
  // the start of the window, so that a day with a change of the clock has 23 or 25 hours. kTooLarge beyond the group limit.
  Result<CostReport> cost(CostQuestion question) const;
  Result<WaterfallReport> waterfall(WaterfallQuestion question) const;
  Result<TopReport> top(TopQuestion question) const;
  Result<ColdStartReport> cold_starts(Interval window, const TimeZone& zone) const;

  // The hour behind the newest one with books: where "the last 24 hours" end. nullopt for an empty ledger.
  Result<std::optional<TimePoint>> data_end() const;

 private:
  Result<LedgerGroups> groups_by_step(const CostQuestion& question, const std::vector<TimePoint>& hours) const;
  TimePoint books_end(TimePoint hour) const;
  std::vector<TelemetryNote> notes_of(Interval window) const { return notes_of_ ? notes_of_(window) : std::vector<TelemetryNote>{}; }
  Nanos covered_time(const std::vector<TimePoint>& hours, Interval window) const;

  const LedgerStore& ledger_;
  std::function<TimePoint()> known_until_;
  NotesOf notes_of_;
};

// "24h", "7d" or "FROM..TO" (RFC 3339 instants; dates and times without an offset are those of `zone`). Relative windows end at `end`.
Result<Interval> parse_window(std::string_view text, TimePoint end, const TimeZone& zone);

// Whole hours that cover the window.
Interval whole_hours(Interval window);

// "tenant=a,b" or "team!=x".
Result<LedgerFilter> parse_filter(std::string_view text);

}  // namespace seedance
