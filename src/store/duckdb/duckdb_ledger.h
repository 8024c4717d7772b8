// The ledger in one DuckDB file. Replacing an hour is one transaction.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "store/duckdb/connection.h"
#include "store/duckdb/daily_rollup.h"
#include "store/ledger_store.h"

namespace seedance {

class DuckdbLedger final : public LedgerStore {
 public:
  // `path` empty: in memory. Makes the tables when they are missing (not with `read_only`).
  static Result<std::unique_ptr<DuckdbLedger>> open(const std::string& path, Database::Options options);
  ~DuckdbLedger() override;

  Result<void> replace_hour(TimePoint hour, const HourBooks& books) override;
  Result<std::vector<LedgerRow>> read_rows(Interval window) const override;
  Result<LedgerGroups> group(const LedgerQuery& query) const override;
  Result<std::vector<HourCharge>> charges(Interval window, std::span<const TimePoint> except_hours) const override;
  Result<std::vector<ColdStart>> cold_starts(Interval window, std::span<const TimePoint> except_hours) const override;
  Result<LedgerMarks> marks(Interval window) const override;
  Result<std::vector<TimePoint>> hours() const override;

  // The rows of a window as one Parquet file, money as DECIMAL(28,9).
  Result<void> export_rows(Interval window, const std::string& path) const;

  // For stores of other things in the same file (features).
  const std::shared_ptr<Database>& database() const { return database_; }

 private:
  class Subjects;
  explicit DuckdbLedger(std::shared_ptr<Database> database);
  Result<void> append_books(Connection& connection, TimePoint hour, const HourBooks& books);

  std::shared_ptr<Database> database_;
  std::unique_ptr<Subjects> subjects_;
  mutable std::mutex daily_mutex_;  // guards daily_; taken after the subjects' lock
  DailyRollup daily_;
};

}  // namespace seedance
