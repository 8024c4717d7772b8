// Daily sums beside the hourly ledger: questions over weeks read one row a day and subject instead of twenty-four.
//
// A day is rolled up when its last hour, or an hour of the next day, is written, and again whenever one of its hours is replaced: always
// in the transaction that changes the hour, so that a reader never sees a day that disagrees with its hours. The other days are
// answered from the hours.
#pragma once

#include <set>
#include <span>
#include <string>

#include "model/ledger_query.h"
#include "store/duckdb/connection.h"

namespace seedance {

std::string daily_ddl();

class DailyRollup {
 public:
  // Reads which days are rolled up.
  Result<void> load(Connection& connection);

  // Call inside the transaction that replaced `hour` (hours since the epoch), after its rows are in. `changed` is to be kept by
  // the caller and handed to `commit` when the transaction has committed.
  struct Changes {
    std::set<std::int64_t> days;
  };
  Result<Changes> update(Connection& connection, std::int64_t hour) const;
  void commit(const Changes& changes) { days_.insert(changes.days.begin(), changes.days.end()); }

  // The rolled-up days that lie whole inside [first_hour, end_hour), hold none of the excepted hours, and do not straddle steps.
  std::vector<std::int64_t> usable_days(const LedgerQuery& query, std::int64_t first_hour, std::int64_t end_hour) const;

 private:
  std::set<std::int64_t> days_;
};

}  // namespace seedance
