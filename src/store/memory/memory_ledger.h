// A ledger in memory: the provisional hours of a server, and tests.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "store/ledger_store.h"

namespace seedance {

class MemoryLedger final : public LedgerStore {
 public:
  Result<void> replace_hour(TimePoint hour, std::span<const LedgerRow> rows) override;
  Result<std::vector<LedgerRow>> read_rows(Interval window) const override;
  Result<LedgerGroups> group(const LedgerQuery& query) const override;
  Result<std::vector<TimePoint>> hours() const override;

 private:
  using Rows = std::shared_ptr<const std::vector<LedgerRow>>;
  std::vector<Rows> snapshot(Interval window) const;

  mutable std::mutex mutex_;  // guards hours_; rows are immutable once inside
  std::map<TimePoint, Rows> hours_;
};

// Whether a row passes all filters.
bool passes(const LedgerRow& row, std::span<const LedgerFilter> filters);

}  // namespace seedance
