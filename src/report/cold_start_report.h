// What cold starts cost, by workload: how often, how long in each stage, how much money.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/money.h"
#include "base/time_zone.h"
#include "json/value.h"
#include "model/cold_start.h"
#include "report/telemetry_report.h"

namespace seedance {

// Seconds over the starts for which a stage can be told; its own count, since an event may be missing for some.
struct StageTime {
  std::int64_t nanos = 0;
  std::size_t known = 0;
};

struct ColdStartLine {
  std::string namespace_name;
  std::string workload;
  std::string currency;
  std::size_t starts = 0;
  StageTime image_pull;   // scheduled to image pulled; undetermined where the event is not in the series
  StageTime container;    // image pulled (else scheduled) to started
  StageTime ready;        // started to ready
  StageTime first_work;   // ready (else started) to the first GPU work
  std::int64_t nanos = 0; // all, over all starts
  MoneySum cost = 0;
  MoneySum cost_per_month = 0;  // estimated: at the rate of the covered time, 730 hours
};

struct ColdStartReport {
  Interval window;
  std::vector<ColdStartLine> lines;  // by falling cost
  TimeZone zone = {};                // in which times are shown
  std::vector<TelemetryNote> telemetry = {};  // what was wrong with the metrics of the window
};

ColdStartReport make_cold_start_report(Interval window, const std::vector<ColdStart>& starts, Nanos covered);

Json cold_start_report_json(const ColdStartReport& report);
Result<ColdStartReport> cold_start_report_from_json(const Json& json);

}  // namespace seedance
