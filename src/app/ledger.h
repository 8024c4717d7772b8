// The ledger as readers see it: settled hours in the store, hours that may still change in memory, one answer.
//
// A running hour is recomputed every few seconds; writing it to disk each time would wear the store for rows that nobody will
// keep. It moves to the store when it is settled. In between a reader sees it once, never twice and never not.
#pragma once

#include <memory>
#include <shared_mutex>

#include "store/ledger_store.h"
#include "store/memory/memory_ledger.h"

namespace seedance {

class Ledger final : public LedgerStore {
 public:
  explicit Ledger(std::unique_ptr<LedgerStore> settled) : settled_(std::move(settled)) {}

  // Readers who ask more than one thing hold the ledger; writers wait for them.
  std::shared_ptr<void> hold() const override { return std::make_shared<std::shared_lock<std::shared_mutex>>(mutex_); }

  // Into the store.
  Result<void> replace_hour(TimePoint hour, const HourBooks& books) override;
  // Into memory, until replace_hour takes it over.
  Result<void> replace_provisional_hour(TimePoint hour, const HourBooks& books);

  // Hours that are only in memory, ascending.
  std::vector<TimePoint> provisional_hours() const;

  Result<std::vector<LedgerRow>> read_rows(Interval window) const override;
  Result<LedgerGroups> group(const LedgerQuery& query) const override;
  Result<std::vector<HourCharge>> charges(Interval window, std::span<const TimePoint> except_hours) const override;
  Result<std::vector<ColdStart>> cold_starts(Interval window, std::span<const TimePoint> except_hours) const override;
  Result<LedgerMarks> marks(Interval window) const override;
  Result<std::vector<TimePoint>> hours() const override;

 private:
  mutable std::shared_mutex mutex_;  // readers shared, replacing exclusive
  std::unique_ptr<LedgerStore> settled_;
  MemoryLedger provisional_;
};

}  // namespace seedance
