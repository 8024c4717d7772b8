// Where ledger rows live. One interface, one conformance test (`ledger_store_test.cc`), several stores.
//
// The ledger has no primary key: an hour is replaced as a whole, atomically. A reader sees an hour's old rows or its new ones.
// All functions may be called from any thread.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/ledger_query.h"

namespace seedance {

// What every report states about the rows it used.
struct LedgerMarks {
  std::vector<std::string> split_methods;  // sorted
  bool has_provisional = false;
};

class LedgerStore {
 public:
  virtual ~LedgerStore() = default;

  // While the returned object lives, nothing is replaced: several reads see the same books. Null where nobody writes meanwhile.
  virtual std::shared_ptr<void> hold() const { return nullptr; }

  // All rows of `hour`, in ledger order, and what was charged; replaces what was there. Empty books remove the hour.
  virtual Result<void> replace_hour(TimePoint hour, const HourBooks& books) = 0;

  // Rows whose hour lies in the window, in ledger order.
  virtual Result<std::vector<LedgerRow>> read_rows(Interval window) const = 0;

  // kTooLarge beyond kGroupsMax groups.
  virtual Result<LedgerGroups> group(const LedgerQuery& query) const = 0;

  // What was charged in the hours of the window, by currency, sorted; without the hours in `except_hours` (sorted).
  virtual Result<std::vector<HourCharge>> charges(Interval window, std::span<const TimePoint> except_hours) const = 0;

  // The starts of pods in the hours of the window, in no order; without the hours in `except_hours` (sorted).
  virtual Result<std::vector<ColdStart>> cold_starts(Interval window, std::span<const TimePoint> except_hours) const = 0;

  virtual Result<LedgerMarks> marks(Interval window) const = 0;

  // The hours that have rows, ascending.
  virtual Result<std::vector<TimePoint>> hours() const = 0;
};

inline constexpr std::size_t kGroupsMax = 200'000;

}  // namespace seedance
