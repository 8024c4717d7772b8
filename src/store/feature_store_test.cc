#include "store/feature_store.h"

#include <cmath>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace seedance {
namespace {

constexpr std::int64_t kFeatureHour = 1'796'047'200;  // 2026-11-30T14:00:00Z
const std::vector<std::string> kFeatureNames{"GPU-b", "GPU-a/1"};

NumberedFeature made_feature(std::uint32_t entity, std::int64_t second) {
  NumberedFeature out{entity, {}};
  out.vector.second = second;
  out.vector.values.fill(std::nanf(""));
  for (const std::size_t slot : {std::size_t{0}, std::size_t{9}, std::size_t{28}}) {
    out.vector.presence |= std::uint32_t{1} << slot;
    for (std::size_t i = 0; i < 4; ++i) out.vector.values[slot * 4 + i] = static_cast<float>(second % 1'000) + static_cast<float>(slot + i) / 8;
  }
  return out;
}

class FeatureStoreTest : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove_all(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  Interval window(std::int64_t from, std::int64_t to) const { return {time_from_seconds(kFeatureHour + from), time_from_seconds(kFeatureHour + to)}; }

  const std::string folder_ = (std::filesystem::path(testing::TempDir()) / "features").string();
  FeatureStore store_{folder_, *Database::open("", {})};
};

TEST_F(FeatureStoreTest, ReadsBackWhatWasAppendedInTimeOrder) {
  std::vector<NumberedFeature> all;
  for (std::int64_t s = 3'590; s < 3'610; ++s) {  // over the end of an hour
    for (const std::uint32_t entity : {0U, 1U}) all.push_back(made_feature(entity, kFeatureHour + s));
  }
  std::filesystem::create_directories(folder_);
  ASSERT_TRUE(store_.append(all, kFeatureNames));
  const std::vector<FeatureVector> both = *store_.read(window(3'595, 3'605), "", 1'000);
  ASSERT_EQ(both.size(), 20u);
  EXPECT_EQ(both[0].entity, "GPU-a/1") << "by name within a second";
  EXPECT_EQ(both[0].second, kFeatureHour + 3'595);
  EXPECT_EQ(both[0].presence, all[0].vector.presence);
  EXPECT_EQ(both[0].value(9, FeatureStat::kMax), made_feature(1, both[0].second).vector.value(9, FeatureStat::kMax));
  EXPECT_TRUE(std::isnan(both[0].value(1, FeatureStat::kMean))) << "missing is not zero";
  EXPECT_EQ(store_.read(window(0, 7'200), "GPU-b", 1'000)->size(), 20u);
  EXPECT_EQ(store_.read(window(0, 7'200), "", 7)->size(), 7u);
  EXPECT_TRUE(store_.read(window(0, 3'590), "", 7)->empty());
}

TEST_F(FeatureStoreTest, OldHoursAreDropped) {
  std::filesystem::create_directories(folder_);
  ASSERT_TRUE(store_.append(std::vector{made_feature(0, kFeatureHour), made_feature(0, kFeatureHour + 3'600)}, kFeatureNames));
  ASSERT_TRUE(store_.drop_before(time_from_seconds(kFeatureHour + 3'599)));
  EXPECT_EQ(store_.read(window(0, 9'000), "", 10)->size(), 2u);
  ASSERT_TRUE(store_.drop_before(time_from_seconds(kFeatureHour + 3'600)));
  EXPECT_EQ(store_.read(window(0, 9'000), "", 10)->size(), 1u);
}

TEST_F(FeatureStoreTest, DamagedAndCutOffBlocksAreSkipped) {
  std::filesystem::create_directories(folder_);
  for (std::int64_t s = 0; s < 3; ++s) ASSERT_TRUE(store_.append(std::vector{made_feature(0, kFeatureHour + s)}, kFeatureNames));
  const std::string path = folder_ + "/" + std::to_string(kFeatureHour / 3'600) + ".features";
  const auto size = std::filesystem::file_size(path);
  {
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(size / 2));  // inside the second block's payload
    file.put('\x7f');
  }
  EXPECT_EQ(store_.read(window(0, 10), "", 10)->size(), 2u);
  EXPECT_EQ(store_.damaged_blocks(), 1u);
  std::filesystem::resize_file(path, size - 3);
  EXPECT_EQ(store_.read(window(0, 10), "", 10)->size(), 1u);
  ASSERT_TRUE(store_.append(std::vector{made_feature(0, kFeatureHour + 9)}, kFeatureNames)) << "writing goes on behind the damage";
}

TEST_F(FeatureStoreTest, ParquetHasWideColumns) {
  std::filesystem::create_directories(folder_);
  ASSERT_TRUE(store_.append(std::vector{made_feature(0, kFeatureHour)}, kFeatureNames));
  const std::string path = folder_ + "/out.parquet";
  ASSERT_TRUE(store_.export_parquet(window(0, 10), path));
  const std::shared_ptr<Database> database = *Database::open("", {});
  std::int64_t rows = 0;
  ASSERT_TRUE((*database->connect())->query("SELECT count(*) FROM '" + path + "' WHERE f0 IS NOT NULL AND entity = 'GPU-b'", {}, [&](const RowBatch& batch) {
    if (batch.size() > 0) rows = batch.integer(0, 0);
  }));
  EXPECT_EQ(rows, 1);
}

}  // namespace
}  // namespace seedance
