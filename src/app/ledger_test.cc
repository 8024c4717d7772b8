#include "app/ledger.h"

#include <random>

#include <gtest/gtest.h>

#include "store/duckdb/duckdb_ledger.h"
#include "store/made_rows.h"

namespace seedance {
namespace {

// A ledger over DuckDB whose hours are some settled, some provisional, and all rows beside it.
struct MixedLedger {
  std::mt19937_64 random{42};
  Ledger ledger{std::move(*DuckdbLedger::open("", {}))};
  std::vector<LedgerRow> all;
  std::vector<HourCharge> charges;

  MixedLedger() {
    HourBooks sum;
    for (std::int64_t hour = 0; hour < 12; ++hour) {
      const HourBooks books = made_books(random, hour, 40);
      const bool open = hour % 3 == 0;
      EXPECT_TRUE(open ? ledger.replace_provisional_hour(made_hour(hour), books) : ledger.replace_hour(made_hour(hour), books));
      all.insert(all.end(), books.rows.begin(), books.rows.end());
      for (const HourCharge& c : books.charges) sum.add(c);
    }
    charges = sum.charges;
  }
};

TEST(LedgerTest, ReaderSeesSettledAndProvisionalRowsAsOne) {
  MixedLedger mixed;
  EXPECT_EQ(made_lines(*mixed.ledger.read_rows(made_hours(0, 12))), made_lines(mixed.all));
  EXPECT_EQ(*mixed.ledger.charges(made_hours(0, 12), {}), mixed.charges);
  EXPECT_EQ(mixed.ledger.hours()->size(), 12u);
}

TEST(LedgerTest, GroupsEqualABruteForceSumOverBoth) {
  MixedLedger mixed;
  for (int round = 0; round < 80; ++round) {
    const LedgerQuery query = made_query(mixed.random, mixed.all);
    const auto groups = mixed.ledger.group(query);
    ASSERT_TRUE(groups) << groups.error().message;
    ASSERT_EQ(made_text(*groups, query.measures), made_text(brute_force(mixed.all, query), query.measures)) << "round " << round;
  }
}

TEST(LedgerTest, SettlingAnHourTakesItOutOfMemory) {
  MixedLedger mixed;
  const HourBooks books = made_books(mixed.random, 3, 7);
  ASSERT_TRUE(mixed.ledger.replace_hour(made_hour(3), books));
  EXPECT_EQ(mixed.ledger.provisional_hours(), (std::vector<TimePoint>{made_hour(0), made_hour(6), made_hour(9)}));
  EXPECT_EQ(made_lines(*mixed.ledger.read_rows(made_hours(3, 4))), made_lines(books.rows));
}

TEST(LedgerTest, ProvisionalHourStandsBeforeItsSettledOne) {
  MixedLedger mixed;
  const HourBooks books = made_books(mixed.random, 4, 7);
  ASSERT_TRUE(mixed.ledger.replace_provisional_hour(made_hour(4), books));
  EXPECT_EQ(made_lines(*mixed.ledger.read_rows(made_hours(4, 5))), made_lines(books.rows)) << "once, not twice";
  EXPECT_EQ(*mixed.ledger.charges(made_hours(4, 5), {}), books.charges);
}

TEST(LedgerTest, ExceptedHoursAreLeftOutOfBoth) {
  MixedLedger mixed;
  std::vector<TimePoint> except;
  for (std::int64_t hour = 0; hour < 11; ++hour) except.push_back(made_hour(hour));
  HourBooks last;
  for (const LedgerRow& r : mixed.all) {
    if (r.hour == made_hour(11)) last.charge(r.currency, r.total_cost());
  }
  EXPECT_EQ(*mixed.ledger.charges(made_hours(0, 12), except), last.charges);
}

}  // namespace
}  // namespace seedance
