// Questions that the daily sums answer get the same answer as from the hours.
#include "store/duckdb/daily_rollup.h"

#include <random>

#include <gtest/gtest.h>

#include "store/duckdb/duckdb_ledger.h"
#include "store/made_rows.h"
#include "store/memory/memory_ledger.h"

namespace seedance {
namespace {

constexpr std::int64_t kRolledHours = 80;

std::string rollup_text(const LedgerGroups& groups) {
  std::string out;
  for (const LedgerGroup& g : groups) {
    for (const std::string& key : g.keys) out += key + "|";
    out += std::to_string(nanos_of(g.step_start)) + "|" + g.currency + "|" + print_exact(g.sums.total_cost()) + "|" + print_exact(g.sums.wasted) + "|" +
           print_exact(g.sums.gpu_active) + "\n";
  }
  return out;
}

// A store with roll-ups beside one without, with the same hours in both.
struct Twins {
  std::unique_ptr<DuckdbLedger> rolled = *DuckdbLedger::open("", {});
  MemoryLedger plain;
  std::mt19937_64 random{7};

  void put(std::int64_t hour, int rows) {
    const HourBooks books = made_books(random, hour, rows);
    ASSERT_TRUE(rolled->replace_hour(made_hour(hour), books));
    ASSERT_TRUE(plain.replace_hour(made_hour(hour), books));
  }
  void expect_same(const LedgerQuery& query) { EXPECT_EQ(rollup_text(*rolled->group(query)), rollup_text(*plain.group(query))); }
};

TEST(DailyRollupTest, WholeDaysPartsOfDaysAndStepsAgreeWithTheHours) {
  Twins twins;
  for (std::int64_t hour = 0; hour < kRolledHours; ++hour) twins.put(hour, 20);
  for (const auto& [from, to] : {std::pair{0, 80}, std::pair{5, 71}, std::pair{23, 49}, std::pair{24, 72}}) {
    for (const Nanos step : {Nanos{0}, Nanos{std::chrono::hours(24)}, Nanos{std::chrono::hours(6)}}) {
      twins.expect_same({.window = made_hours(from, to), .by = {GroupKey::kTeam, GroupKey::kNode}, .step = step, .filters = {}, .measures = Measures::kAll, .except_hours = {}});
    }
  }
}

TEST(DailyRollupTest, AHourReplacedLaterChangesItsDay) {
  Twins twins;
  for (std::int64_t hour = 0; hour < kRolledHours; ++hour) twins.put(hour, 10);
  twins.put(30, 25);
  ASSERT_TRUE(twins.rolled->replace_hour(made_hour(31), {}));
  ASSERT_TRUE(twins.plain.replace_hour(made_hour(31), {}));
  twins.expect_same({.window = made_hours(0, 80), .by = {GroupKey::kTeam}, .filters = {}, .measures = Measures::kAll, .except_hours = {}});
}

TEST(DailyRollupTest, ADayWithAnExceptedHourIsAnsweredFromItsHours) {
  Twins twins;
  for (std::int64_t hour = 0; hour < kRolledHours; ++hour) twins.put(hour, 10);
  twins.expect_same({.window = made_hours(0, 80), .by = {GroupKey::kTeam}, .filters = {}, .measures = Measures::kAll, .except_hours = {made_hour(33)}});
}

}  // namespace
}  // namespace seedance
