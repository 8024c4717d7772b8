// What costs and wastes most per hour: GPUs, pods or workloads over a window, as rates.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/time_zone.h"
#include "json/value.h"
#include "model/ledger_query.h"
#include "report/telemetry_report.h"

namespace seedance {

enum class TopSubject : std::uint8_t { kGpus, kPods, kWorkloads };
Result<TopSubject> parse_top_subject(std::string_view name);
std::string_view top_subject_name(TopSubject subject);

enum class TopSort : std::uint8_t { kWasted, kCost };
Result<TopSort> parse_top_sort(std::string_view name);

// What a GPU (or the GPUs of a pod) mostly was over the window.
enum class TopState : std::uint8_t { kFree, kStranded, kIdle, kBusy, kUndetermined };
std::string_view top_state_name(TopState state);
Result<std::vector<TopState>> parse_top_states(std::string_view names);  // "free,stranded"

struct TopQuestion {
  TopSubject subject = TopSubject::kGpus;
  Interval window;
  TopSort sort = TopSort::kWasted;
  std::vector<LedgerFilter> filters;
  std::vector<TopState> states;  // empty: all
  std::size_t limit = 20;
  TimeZone zone = {};  // in which times are shown
};

// How much of the evidence is there: share of the held GPU time with an activity counter.
enum class Evidence : std::uint8_t { kGood, kPartial, kNone, kNotApplicable };
std::string_view evidence_name(Evidence evidence);  // "good" (>= 95 %), "partial", "no counters", "n/a"

struct TopLine {
  std::string node;
  std::string namespace_name;
  std::string workload;
  std::string pod;
  std::string gpu;         // UUID, or empty: devices not known
  std::string gpu_index;   // number on the node, with ".<instance>" for a MIG slice
  std::string gpu_model;
  std::string currency;
  TopState state = TopState::kBusy;
  std::string stranded_by;  // "no cpu beside the gpu", ...
  std::optional<TimePoint> since;  // held since then, or free since then
  bool since_or_earlier = false;   // the books do not reach back to the start
  LedgerSums sums;
  MoneySum cost_per_hour = 0;    // over the covered time of the window
  MoneySum wasted_per_hour = 0;
  std::string cause;       // the largest waste part, "not allocated", "undetermined", or empty
  Evidence evidence = Evidence::kNotApplicable;

  bool is_free() const { return state == TopState::kFree || state == TopState::kStranded; }
};

struct TopReport {
  TopQuestion question;
  TimePoint as_of;  // how far the books of the window reach
  std::vector<TopLine> lines;
  std::size_t lines_left_out = 0;
  bool has_provisional = false;
  std::vector<TelemetryNote> telemetry = {};  // what was wrong with the metrics of the window
};

LedgerQuery ledger_query_of(const TopQuestion& question);

struct TopFacts {
  LedgerGroups groups;      // of ledger_query_of
  LedgerGroups now_free;    // of free_now_query
  LedgerGroups freed;       // of freed_query
  Nanos covered{0};         // the time inside the window for which there are books, for the rates
  TimePoint as_of;
  TimePoint books_from;     // the first hour of the ledger
  bool has_provisional = false;
};
TopReport make_top_report(const TopQuestion& question, const TopFacts& facts);

// Since when free GPUs are free: those with free time in the last hour, and when each was last freed.
inline constexpr Nanos kFreedLookBack = std::chrono::hours(24 * 30);
LedgerQuery free_now_query(const TopQuestion& question, TimePoint as_of);
LedgerQuery freed_query(TimePoint as_of);

Json top_report_json(const TopReport& report);
Result<TopReport> top_report_from_json(const Json& json);

}  // namespace seedance
