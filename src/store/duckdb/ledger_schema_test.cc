#include "store/duckdb/ledger_schema.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "store/duckdb/duckdb_ledger.h"
#include "store/made_rows.h"

namespace seedance {
namespace {

// Takes a column away, as a store of a version before that column looks.
void drop_columns(const std::string& path) {
  const std::shared_ptr<Database> database = *Database::open(path, {});
  ASSERT_TRUE((*database->connect())->run("ALTER TABLE subjects DROP COLUMN since; ALTER TABLE subjects DROP COLUMN gpu_index;"
                                          "ALTER TABLE ledger DROP COLUMN gpu_memory_size; ALTER TABLE ledger_daily DROP COLUMN gpu_memory_size;"));
}

TEST(LedgerSchemaTest, OlderStoreIsBroughtUpToDate) {
  const std::string path = (std::filesystem::path(testing::TempDir()) / "older.duckdb").string();
  std::filesystem::remove(path);
  std::mt19937_64 random(7);
  HourBooks before = made_books(random, 1, 20);
  for (LedgerRow& r : before.rows) {
    r.since.clear();
    r.gpu_index.clear();
    r.gpu_memory_size = 0;
  }
  ASSERT_TRUE((*DuckdbLedger::open(path, {}))->replace_hour(made_hour(1), before));
  drop_columns(path);

  const auto refused = DuckdbLedger::open(path, {.memory_bytes_max = std::int64_t{64} << 20, .threads = 1, .read_only = true});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kConflict) << "who only reads cannot change the store";

  const std::unique_ptr<DuckdbLedger> ledger = *DuckdbLedger::open(path, {});
  EXPECT_EQ(made_lines(*ledger->read_rows(made_hours(0, 5))), made_lines(before.rows));
  const HourBooks after = made_books(random, 2, 20);
  ASSERT_TRUE(ledger->replace_hour(made_hour(2), after));
  EXPECT_EQ(made_lines(*ledger->read_rows(made_hours(2, 3))), made_lines(after.rows));
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace seedance
