// One behaviour for every store: in memory, in DuckDB, and in a DuckDB file that is closed and opened again.
#include "store/ledger_store.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <random>

#include <gtest/gtest.h>
#include <unistd.h>

#include "store/duckdb/duckdb_ledger.h"
#include "store/made_rows.h"
#include "store/memory/memory_ledger.h"

namespace seedance {
namespace {

// A store that can be closed and opened again, where that means something.
class StoreUnderTest {
 public:
  explicit StoreUnderTest(std::string kind) : kind_(std::move(kind)) {
    if (kind_ == "file") {
      path_ = std::filesystem::path(testing::TempDir()) / ("seedance_ledger_" + std::to_string(::getpid()) + ".duckdb");
      std::filesystem::remove(path_);
    }
    open();
  }
  ~StoreUnderTest() {
    store_.reset();
    if (!path_.empty()) std::filesystem::remove(path_);
  }
  LedgerStore& store() { return *store_; }
  void reopen() {
    if (kind_ != "file") return;
    store_.reset();
    open();
  }

 private:
  void open() {
    if (kind_ == "memory") {
      store_ = std::make_unique<MemoryLedger>();
    } else {
      auto opened = DuckdbLedger::open(path_.string(), {});
      ASSERT_TRUE(opened) << opened.error().message;
      store_ = std::move(*opened);
    }
  }
  std::string kind_;
  std::filesystem::path path_;
  std::unique_ptr<LedgerStore> store_;
};

class LedgerStoreTest : public testing::TestWithParam<const char*> {
 protected:
  StoreUnderTest under_test_{GetParam()};
  LedgerStore& store() { return under_test_.store(); }

  void put(const HourBooks& books, std::int64_t hour) { ASSERT_TRUE(store().replace_hour(made_hour(hour), books)); }
  std::string lines(Interval window = made_hours(0, 100)) {
    const auto rows = store().read_rows(window);
    EXPECT_TRUE(rows);
    return rows ? made_lines(*rows) : "";
  }
};

TEST_P(LedgerStoreTest, EmptyStoreAnswersNothing) {
  EXPECT_EQ(lines(), "");
  EXPECT_TRUE(store().group({.window = made_hours(0, 9), .by = {GroupKey::kTeam}, .filters = {}, .except_hours = {}})->empty());
  EXPECT_TRUE(store().charges(made_hours(0, 9), {})->empty());
  EXPECT_TRUE(store().hours()->empty());
}

TEST_P(LedgerStoreTest, RowsComeBackIdenticalAndInOrder) {
  std::mt19937_64 random(1);
  const HourBooks books = made_books(random, 3, 300);
  put(books, 3);
  under_test_.reopen();
  EXPECT_EQ(lines(), made_lines(books.rows));
}

TEST_P(LedgerStoreTest, ReplacingAnHourLeavesNothingOfTheOldOne) {
  std::mt19937_64 random(2);
  put(made_books(random, 3, 100), 3);
  const HourBooks second = made_books(random, 3, 40);
  put(second, 3);
  under_test_.reopen();
  EXPECT_EQ(lines(), made_lines(second.rows));
  EXPECT_EQ(*store().charges(made_hours(0, 9), {}), second.charges);
}

TEST_P(LedgerStoreTest, EmptyBooksRemoveTheHour) {
  std::mt19937_64 random(3);
  put(made_books(random, 3, 10), 3);
  put({}, 3);
  EXPECT_EQ(lines(), "");
  EXPECT_TRUE(store().hours()->empty());
  EXPECT_TRUE(store().charges(made_hours(0, 9), {})->empty());
}

TEST_P(LedgerStoreTest, WindowsAreHalfOpen) {
  std::mt19937_64 random(4);
  const HourBooks third = made_books(random, 3, 5);
  put(third, 3);
  put(made_books(random, 4, 5), 4);
  EXPECT_EQ(lines(made_hours(3, 4)), made_lines(third.rows));
  EXPECT_EQ(lines(made_hours(5, 9)), "");
  EXPECT_EQ(store().read_rows({TimePoint::min(), TimePoint::max()})->size(), 10u);
}

TEST_P(LedgerStoreTest, HoursAreThoseWithRows) {
  std::mt19937_64 random(5);
  for (const std::int64_t hour : {7, 3, 5}) put(made_books(random, hour, 2), hour);
  under_test_.reopen();
  EXPECT_EQ(*store().hours(), (std::vector<TimePoint>{made_hour(3), made_hour(5), made_hour(7)}));
}

TEST_P(LedgerStoreTest, ChargesAreSummedByCurrencyWithoutTheExceptedHours) {
  HourBooks books;
  books.charge("USD", Money::nanos(5));
  books.charge("EUR", Money::nanos(7));
  std::mt19937_64 random(6);
  books.rows = made_books(random, 1, 1).rows;
  for (const std::int64_t hour : {1, 2, 3}) {
    books.rows[0].hour = made_hour(hour);
    put(books, hour);
  }
  EXPECT_EQ(*store().charges(made_hours(1, 4), {}), (std::vector<HourCharge>{{"EUR", 21}, {"USD", 15}}));
  const TimePoint except[] = {made_hour(2)};
  EXPECT_EQ(*store().charges(made_hours(1, 4), except), (std::vector<HourCharge>{{"EUR", 14}, {"USD", 10}}));
}

TEST_P(LedgerStoreTest, ChargesBeyondSixtyFourBitsDoNotWrap) {
  HourBooks books;
  books.charge("USD", Money::nanos(INT64_MAX));
  std::mt19937_64 random(7);
  books.rows = made_books(random, 1, 1).rows;
  put(books, 1);
  put(books, 2);
  EXPECT_EQ(store().charges(made_hours(0, 9), {})->at(0).nanos, static_cast<MoneySum>(INT64_MAX) * 2);
}

TEST_P(LedgerStoreTest, GroupsEqualABruteForceSumForRandomQuestions) {
  std::mt19937_64 random(8);
  std::vector<LedgerRow> all;
  for (std::int64_t hour = 0; hour < 12; ++hour) {
    const HourBooks books = made_books(random, hour, 60);
    put(books, hour);
    all.insert(all.end(), books.rows.begin(), books.rows.end());
  }
  under_test_.reopen();
  for (int round = 0; round < 150; ++round) {
    const LedgerQuery query = made_query(random, all);
    const auto groups = store().group(query);
    ASSERT_TRUE(groups) << groups.error().message;
    ASSERT_EQ(made_text(*groups, query.measures), made_text(brute_force(all, query), query.measures)) << "round " << round;
  }
}

TEST_P(LedgerStoreTest, HostileTextsAreOnlyTexts) {
  std::mt19937_64 random(9);
  HourBooks books = made_books(random, 1, hostile_texts().size());
  for (std::size_t i = 0; i < books.rows.size(); ++i) {
    LedgerRow& r = books.rows[i];
    r.kind = RowKind::kAllocated;
    r.container = hostile_texts()[i];
    r.namespace_name = hostile_texts()[i];
    r.reason = hostile_texts()[i];
    r.price_source = hostile_texts()[i];
    r.dimensions.fill(hostile_texts()[i]);
  }
  std::sort(books.rows.begin(), books.rows.end(), ledger_order);
  put(books, 1);
  under_test_.reopen();
  EXPECT_EQ(lines(), made_lines(books.rows));
  for (const std::string& text : hostile_texts()) {
    for (const GroupKey key : {GroupKey::kNamespace, GroupKey::kTeam}) {
      const auto found = store().group({.window = made_hours(0, 9), .by = {key}, .filters = {{key, {text}, false}}, .except_hours = {}});
      ASSERT_TRUE(found) << text << ": " << found.error().message;
      ASSERT_EQ(found->size(), 1u) << text;
      EXPECT_EQ(found->at(0).keys.at(0), text);
    }
  }
  EXPECT_EQ(store().hours()->size(), 1u) << "nothing was dropped";
}

TEST_P(LedgerStoreTest, FilterWithoutValuesPassesNothingAndNegatedEverything) {
  std::mt19937_64 random(10);
  put(made_books(random, 1, 5), 1);
  const auto none = store().group({.window = made_hours(0, 9), .by = {}, .filters = {{GroupKey::kTeam, {}, false}}, .except_hours = {}});
  ASSERT_TRUE(none) << none.error().message;
  EXPECT_TRUE(none->empty());
  const auto every = store().group({.window = made_hours(0, 9), .by = {}, .filters = {{GroupKey::kTeam, {}, true}}, .except_hours = {}});
  ASSERT_TRUE(every) << every.error().message;
  EXPECT_FALSE(every->empty());
}

TEST_P(LedgerStoreTest, SumsBeyondSixtyFourBitsDoNotWrap) {
  std::mt19937_64 random(11);
  HourBooks books = made_books(random, 1, 4);
  for (LedgerRow& r : books.rows) {
    r.kind = RowKind::kAllocated;
    r.currency = "USD";
    r.memory_cost = Money::nanos(INT64_MAX / 2);
  }
  put(books, 1);
  const auto groups = store().group({.window = made_hours(0, 9), .by = {}, .filters = {}, .except_hours = {}});
  ASSERT_EQ(groups->size(), 1u);
  EXPECT_EQ(groups->at(0).sums.memory_cost, static_cast<MoneySum>(INT64_MAX / 2) * 4);
}

TEST_P(LedgerStoreTest, TooManyGroupsAreRefused) {
  std::mt19937_64 random(12);
  HourBooks books = made_books(random, 1, 1);
  books.rows.resize(kGroupsMax + 1, books.rows[0]);
  for (std::size_t i = 0; i < books.rows.size(); ++i) books.rows[i].container = "c" + std::to_string(i);
  std::sort(books.rows.begin(), books.rows.end(), ledger_order);
  put(books, 1);
  const auto groups = store().group({.window = made_hours(0, 9), .by = {GroupKey::kContainer}, .filters = {}, .except_hours = {}});
  ASSERT_FALSE(groups);
  EXPECT_EQ(groups.error().code, Code::kTooLarge);
  EXPECT_TRUE(store().group({.window = made_hours(0, 9), .by = {GroupKey::kCluster}, .filters = {}, .except_hours = {}}));
}

INSTANTIATE_TEST_SUITE_P(Stores, LedgerStoreTest, testing::Values("memory", "duckdb", "file"), [](const auto& kind) { return std::string(kind.param); });

}  // namespace
}  // namespace seedance
