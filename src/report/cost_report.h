// The cost table: who spent what, with every rest in sight. One computation for API, command line and dashboard, so that the
// same question shows the same digits everywhere.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/time_zone.h"
#include "json/value.h"
#include "model/ledger_query.h"
#include "report/telemetry_report.h"

namespace seedance {

enum class IdleMode : std::uint8_t {
  kSeparate,  // a line of its own
  kShare,     // each node's idle and stranded money goes to those who held that node, by the same resource; exact
  kHide,      // left out, and the report says how much
};
Result<IdleMode> parse_idle_mode(std::string_view name);
std::string_view idle_mode_name(IdleMode mode);

struct CostQuestion {
  Interval window;  // whole hours
  std::vector<GroupKey> by;
  Nanos step{0};    // 0 or whole hours; whole days follow the days of `zone`
  std::vector<LedgerFilter> filters;
  IdleMode idle = IdleMode::kSeparate;
  bool compare_previous = true;  // with the window of the same length before
  TimeZone zone = {};            // in which days begin and times are shown
};

// What a line of the table is about.
enum class LineKind : std::uint8_t { kGroup, kNotAllocated, kStranded, kUnattributed, kShared, kUnpriced };
std::string_view line_kind_name(LineKind kind);  // "group", "not_allocated", ...

struct CostLine {
  LineKind kind = LineKind::kGroup;
  std::vector<std::string> keys;  // as asked; empty texts mean "has no value for this dimension"
  TimePoint step_start;
  std::string currency;
  LedgerSums sums;
  std::optional<MoneySum> previous_total;  // absent: nothing is known of the time before; 0 with a line: it is new
  std::string owner = {};                  // who answers for it, from the dimension mapping; see set_owners
};

struct CurrencyTotal {
  std::string currency;
  LedgerSums sums;                 // of all lines, hidden ones included
  MoneySum hidden = 0;             // idle money that the mode leaves out
  std::optional<MoneySum> charged; // what nodes and services cost; absent when filters cut the books
  MoneySum left() const { return charged ? *charged - sums.total_cost() : 0; }
  std::optional<MoneySum> previous_total;
};

struct CostReport {
  CostQuestion question;
  std::vector<CostLine> lines;          // by step, groups by falling total, then the rests
  std::vector<CurrencyTotal> totals;    // one a currency, never added up
  std::vector<std::string> split_methods;
  bool has_provisional = false;         // some of it may still change
  std::optional<TimePoint> data_from;   // first and last hour with books in the window
  std::optional<TimePoint> data_to;
  std::vector<TelemetryNote> telemetry = {};  // what was wrong with the metrics of the window
};

// What has to be asked of the ledger for a question.
LedgerQuery ledger_query_of(const CostQuestion& question);
Interval previous_window(Interval window);

struct CostFacts {
  LedgerGroups current;    // answer to ledger_query_of(question)
  LedgerGroups previous;   // the same for previous_window; empty when nothing is known
  bool has_previous = false;
  std::vector<HourCharge> charges;
  std::vector<std::string> split_methods;
  bool has_provisional = false;
  std::optional<TimePoint> data_from;
  std::optional<TimePoint> data_to;
};

CostReport make_cost_report(const CostQuestion& question, CostFacts facts);

// Writes the owner of each group's first dimension value that has one.
void set_owners(CostReport& report, const DimensionRules& rules);

Json cost_report_json(const CostReport& report);
Result<CostReport> cost_report_from_json(const Json& json);

}  // namespace seedance
