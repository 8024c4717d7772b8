#include "store/duckdb/daily_rollup.h"

#include "store/duckdb/ledger_schema.h"

namespace seedance {
namespace {

constexpr std::int64_t kHoursPerDay = 24;

Result<void> roll_up(Connection& connection, std::int64_t day) {
  const std::string number = std::to_string(day);
  std::string columns;
  std::string sums;
  for (const std::string_view c : measured_columns(Measures::kAll)) {
    columns += ", " + std::string(c);
    sums += ", CAST(sum(" + std::string(c) + ") AS BIGINT)";
  }
  TRY(connection.run("DELETE FROM ledger_daily WHERE day = " + number + "; DELETE FROM rolled_days WHERE day = " + number));
  TRY(connection.run("INSERT INTO ledger_daily (day, subject" + columns + ") SELECT " + number + ", subject" + sums + " FROM ledger WHERE hour >= " +
                     std::to_string(day * kHoursPerDay) + " AND hour < " + std::to_string((day + 1) * kHoursPerDay) + " GROUP BY subject"));
  return connection.run("INSERT INTO rolled_days VALUES (" + number + ")");
}

Result<bool> has_hours(Connection& connection, std::int64_t day) {
  bool found = false;
  TRY(connection.query("SELECT count(*) FROM charges WHERE hour >= $1 AND hour < $2", {day * kHoursPerDay, (day + 1) * kHoursPerDay},
                       [&](const RowBatch& batch) { found = batch.size() > 0 && batch.integer(0, 0) > 0; }));
  return found;
}

}  // namespace

std::string daily_ddl() {
  std::string columns;
  for (const std::string_view c : measured_columns(Measures::kAll)) columns += ", " + std::string(c) + " BIGINT";
  return "CREATE TABLE IF NOT EXISTS ledger_daily (day BIGINT, subject BIGINT" + columns + ");"
         "CREATE TABLE IF NOT EXISTS rolled_days (day BIGINT);";
}

Result<void> DailyRollup::load(Connection& connection) {
  return connection.query("SELECT day FROM rolled_days", {}, [&](const RowBatch& batch) {
    for (std::size_t row = 0; row < batch.size(); ++row) days_.insert(batch.integer(0, row));
  });
}

Result<DailyRollup::Changes> DailyRollup::update(Connection& connection, std::int64_t hour) const {
  Changes changes;
  const std::int64_t day = hour / kHoursPerDay;
  if (hour % kHoursPerDay == kHoursPerDay - 1 || days_.contains(day)) changes.days.insert(day);
  if (!days_.contains(day - 1)) {
    TRY_ASSIGN(const bool ended, has_hours(connection, day - 1));
    if (ended) changes.days.insert(day - 1);
  }
  for (const std::int64_t d : changes.days) TRY(roll_up(connection, d));
  return changes;
}

std::vector<std::int64_t> DailyRollup::usable_days(const LedgerQuery& query, std::int64_t first_hour, std::int64_t end_hour) const {
  const std::int64_t step_hours = query.step.count() / kNanosPerHour;
  if (step_hours % kHoursPerDay != 0 || (step_hours != 0 && first_hour % kHoursPerDay != 0)) return {};
  std::set<std::int64_t> excepted;
  for (const TimePoint hour : query.except_hours) excepted.insert(nanos_of(hour) / kNanosPerHour / kHoursPerDay);
  std::vector<std::int64_t> out;
  for (auto day = days_.lower_bound((first_hour + kHoursPerDay - 1) / kHoursPerDay); day != days_.end() && (*day + 1) * kHoursPerDay <= end_hour; ++day) {
    if (!excepted.contains(*day)) out.push_back(*day);
  }
  return out;
}

}  // namespace seedance
