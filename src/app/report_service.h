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
  // `known_until`: how far the samples reach, for the rates of a running hour; without it every hour with books counts whole.
  explicit ReportService(const LedgerStore& ledger, std::function<TimePoint()> known_until = {})
      : ledger_(ledger), known_until_(std::move(known_until)) {}

  // Windows are widened to whole hours; a step must be whole hours. kTooLarge beyond the group limit.
  Result<CostReport> cost(CostQuestion question) const;
  Result<WaterfallReport> waterfall(WaterfallQuestion question) const;
  Result<TopReport> top(TopQuestion question) const;
  Result<ColdStartReport> cold_starts(Interval window) const;

  // The hour behind the newest one with books: where "the last 24 hours" end. nullopt for an empty ledger.
  Result<std::optional<TimePoint>> data_end() const;

 private:
  TimePoint books_end(TimePoint hour) const;
  Nanos covered_time(const std::vector<TimePoint>& hours, Interval window) const;

  const LedgerStore& ledger_;
  std::function<TimePoint()> known_until_;
};

// "24h", "7d" or "FROM..TO" (RFC 3339 instants or dates). Relative windows end at `end`.
Result<Interval> parse_window(std::string_view text, TimePoint end);

// Whole hours that cover the window.
Interval whole_hours(Interval window);

// "tenant=a,b" or "team!=x".
Result<LedgerFilter> parse_filter(std::string_view text);

}  // namespace seedance
