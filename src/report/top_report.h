// What costs and wastes most per hour: GPUs, pods or workloads over a window, as rates.
#pragma once

#include <string>
#include <vector>

#include "base/time_zone.h"
#include "json/value.h"
#include "model/ledger_query.h"

namespace seedance {

enum class TopSubject : std::uint8_t { kGpus, kPods, kWorkloads };
Result<TopSubject> parse_top_subject(std::string_view name);
std::string_view top_subject_name(TopSubject subject);

enum class TopSort : std::uint8_t { kWasted, kCost };
Result<TopSort> parse_top_sort(std::string_view name);

struct TopQuestion {
  TopSubject subject = TopSubject::kGpus;
  Interval window;
  TopSort sort = TopSort::kWasted;
  std::vector<LedgerFilter> filters;
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
  std::string gpu_model;
  std::string currency;
  bool is_free = false;    // not allocated or stranded
  LedgerSums sums;
  MoneySum cost_per_hour = 0;    // over the covered time of the window
  MoneySum wasted_per_hour = 0;
  std::string cause;       // the largest waste part, "not allocated", "undetermined", or empty
  Evidence evidence = Evidence::kNotApplicable;
};

struct TopReport {
  TopQuestion question;
  std::vector<TopLine> lines;
  std::size_t lines_left_out = 0;
  bool has_provisional = false;
};

LedgerQuery ledger_query_of(const TopQuestion& question);
// `covered`: the time inside the window for which there are books, for the rates.
TopReport make_top_report(const TopQuestion& question, const LedgerGroups& groups, Nanos covered, bool has_provisional);

Json top_report_json(const TopReport& report);
Result<TopReport> top_report_from_json(const Json& json);

}  // namespace seedance
