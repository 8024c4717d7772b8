// A ledger in memory: the provisional hours of a server, and tests.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "store/ledger_store.h"

namespace seedance {

class MemoryLedger final : public LedgerStore {
 public:
  Result<void> replace_hour(TimePoint hour, const HourBooks& books) override;
  Result<std::vector<LedgerRow>> read_rows(Interval window) const override;
  Result<LedgerGroups> group(const LedgerQuery& query) const override;
  Result<std::vector<HourCharge>> charges(Interval window, std::span<const TimePoint> except_hours) const override;
  Result<std::vector<ColdStart>> cold_starts(Interval window, std::span<const TimePoint> except_hours) const override;
  Result<LedgerMarks> marks(Interval window) const override;
  Result<std::vector<TimePoint>> hours() const override;

 private:
  using Books = std::shared_ptr<const HourBooks>;
  std::vector<Books> snapshot(Interval window) const;

  mutable std::mutex mutex_;  // guards hours_; books are immutable once inside
  std::map<TimePoint, Books> hours_;
};

// Whether a row passes all filters.
bool passes(const LedgerRow& row, std::span<const LedgerFilter> filters);

}  // namespace seedance
