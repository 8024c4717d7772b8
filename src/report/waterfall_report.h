// Where each GPU dollar went: billed = not allocated + the parts of what was held, to the nano-unit.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/time_zone.h"
#include "json/value.h"
#include "model/ledger_query.h"
#include "report/telemetry_report.h"

namespace seedance {

struct WaterfallQuestion {
  Interval window;
  std::vector<LedgerFilter> filters;
  TimeZone zone = {};  // in which times are shown
};

// The bars in their fixed order; a report always has all of them, also at 0.
enum class WaterfallBar : std::uint8_t {
  kNotAllocated,
  kStranded,
  kUnattributed,
  kHeldNotStarted,
  kWaitingForData,
  kWaitingForCommunication,
  kOtherIdle,
  kInefficient,
  kUndetermined,
  kProductive,
};
inline constexpr std::size_t kWaterfallBarCount = 10;
std::string_view waterfall_bar_name(WaterfallBar bar);  // "not_allocated", ...

struct WaterfallTotal {
  std::string currency;
  MoneySum billed = 0;
  std::array<MoneySum, kWaterfallBarCount> bars{};
  // What "undetermined" is made of, so that the reader can mend it.
  MoneySum undetermined_idle = 0;
  MoneySum undetermined_busy = 0;
  MoneySum undetermined_no_data = 0;
  Int128 gpu_nanos = 0;
};

struct WaterfallReport {
  WaterfallQuestion question;
  std::vector<WaterfallTotal> totals;  // one a currency
  bool has_provisional = false;
  std::vector<TelemetryNote> telemetry = {};  // what was wrong with the metrics of the window
};

LedgerQuery ledger_query_of(const WaterfallQuestion& question);
WaterfallReport make_waterfall_report(const WaterfallQuestion& question, const LedgerGroups& groups, bool has_provisional);

Json waterfall_report_json(const WaterfallReport& report);
Result<WaterfallReport> waterfall_report_from_json(const Json& json);

}  // namespace seedance
