#include "ingest/series_table.h"

#include <gtest/gtest.h>

#include "ingest/wire_builder.h"

namespace seedance {
namespace {

using Kind = Resolved::Kind;

bool wants_all(std::string_view) { return true; }

std::string numbered_block(std::string_view metric, int number) {
  return wire_labels({{"__name__", metric}, {"pod", "pod-" + std::to_string(number)}});
}

TEST(SeriesTableTest, SameBlockIsSameSeries) {
  SeriesTable table(wants_all);
  const Resolved first = table.resolve(numbered_block("up", 1));
  EXPECT_EQ(first.kind, Kind::kSeries);
  EXPECT_EQ(table.resolve(numbered_block("up", 1)).series, first.series);
  EXPECT_NE(table.resolve(numbered_block("up", 2)).series, first.series);
  EXPECT_EQ(table.size(), 2U);
}

TEST(SeriesTableTest, SpellingsOfOneLabelSetAreOneSeries) {
  SeriesTable table(wants_all);
  const auto sorted = table.resolve(wire_labels({{"__name__", "up"}, {"a", "1"}, {"b", "2"}}));
  const auto shuffled = table.resolve(wire_labels({{"b", "2"}, {"__name__", "up"}, {"a", "1"}}));
  const auto padded = table.resolve(wire_labels({{"__name__", "up"}, {"a", "1"}, {"b", "2"}, {"c", ""}}));
  EXPECT_EQ(sorted.series, shuffled.series);
  EXPECT_EQ(sorted.series, padded.series);
  EXPECT_EQ(table.size(), 1U);
}

TEST(SeriesTableTest, LabelsComeBackCanonical) {
  SeriesTable table(wants_all);
  const auto resolved = table.resolve(wire_labels({{"pod", "a"}, {"__name__", "up"}}));
  EXPECT_EQ(table.labels(resolved.series), (Labels{{"__name__", "up"}, {"pod", "a"}}));
  EXPECT_EQ(table.metric_name(resolved.series), "up");
}

TEST(SeriesTableTest, WholeRequestIsFoundLikeOneByOne) {
  SeriesTable table(wants_all);
  std::vector<std::string> blocks;
  for (int i = 0; i < 100; ++i) blocks.push_back(numbered_block("up", i));
  std::vector<DecodedSeries> request;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    request.push_back({blocks[i], 0, 1});
    if (i % 3 != 0) table.resolve(blocks[i]);
  }
  std::vector<std::uint32_t> found;
  table.find_known(request, found);
  ASSERT_EQ(found.size(), request.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i], i % 3 == 0 ? SeriesTable::kUnknown : table.resolve(blocks[i]).series);
  }
}

TEST(SeriesTableTest, InternFindsWhatBlocksMade) {
  SeriesTable table(wants_all);
  const auto resolved = table.resolve(numbered_block("up", 1));
  EXPECT_EQ(table.intern({{"__name__", "up"}, {"pod", "pod-1"}}), resolved.series);
  EXPECT_EQ(table.intern({{"__name__", "up"}, {"pod", "pod-2"}}), 1U);
}

TEST(SeriesTableTest, UnwantedMetricsCostNothing) {
  SeriesTable table([](std::string_view metric) { return metric == "up"; });
  const std::size_t before = table.bytes();
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(table.resolve(numbered_block("noise", i)).kind, Kind::kIgnored);
  EXPECT_EQ(table.bytes(), before);
  EXPECT_EQ(table.resolve(Labels{{"__name__", "noise"}}).kind, Kind::kIgnored);
}

TEST(SeriesTableTest, InvalidLabelsAreExplained) {
  SeriesTable table(wants_all);
  EXPECT_EQ(table.resolve(wire_labels({{"__name__", "up"}, {"pod", "a"}, {"pod", "a"}})).kind, Kind::kInvalid);
  EXPECT_NE(table.last_error().message.find("metric up, label pod"), std::string::npos);
  EXPECT_EQ(table.resolve(std::string_view{}).kind, Kind::kInvalid);
  EXPECT_EQ(table.size(), 0U);
}

TEST(SeriesTableTest, SeriesLimitRefusesNewAndKeepsOld) {
  SeriesTable table(wants_all, {.series_max = 2});
  table.resolve(numbered_block("up", 1));
  table.resolve(numbered_block("up", 2));
  EXPECT_EQ(table.resolve(numbered_block("down", 3)).kind, Kind::kOverLimit);
  EXPECT_EQ(table.last_error().code, Code::kExhausted);
  EXPECT_NE(table.last_error().message.find("most series has up with 2"), std::string::npos) << table.last_error().message;
  EXPECT_EQ(table.resolve(numbered_block("up", 2)).kind, Kind::kSeries);
}

TEST(SeriesTableTest, OneMetricCannotTakeTheWholeTable) {
  SeriesTable table(wants_all, {.series_per_metric_max = 2});
  for (int i = 0; i < 5; ++i) table.resolve(numbered_block("flood", i));
  EXPECT_EQ(table.series_of_metric("flood"), 2U);
  EXPECT_EQ(table.resolve(numbered_block("up", 1)).kind, Kind::kSeries);
  EXPECT_EQ(table.largest_metrics(1).front().metric, "flood");
}

TEST(SeriesTableTest, MemoryLimitRefuses) {
  SeriesTable table(wants_all, {.bytes_max = std::size_t{1} << 20});
  Kind last = Kind::kSeries;
  for (int i = 0; i < 100'000 && last == Kind::kSeries; ++i) last = table.resolve(numbered_block("up", i)).kind;
  EXPECT_EQ(last, Kind::kOverLimit);
  EXPECT_LT(table.bytes(), std::size_t{2} << 20);
}

TEST(SeriesTableTest, ShuffledSpellingsDoNotGrowWithoutEnd) {
  SeriesTable table(wants_all, {.series_max = 2});
  const std::string up = wire_label("__name__", "up");
  for (int i = 0; i < 100; ++i) EXPECT_EQ(table.resolve(up + wire_label("empty" + std::to_string(i), "")).kind, Kind::kSeries);
  EXPECT_EQ(table.size(), 1U);
  EXPECT_LT(table.bytes(), std::size_t{300'000});
}

TEST(SeriesTableTest, ThirteenLabelsTakeLessThan600Bytes) {
  constexpr std::size_t kSeries = 100'000;
  SeriesTable table(wants_all);
  std::size_t spelling_bytes = 0;
  for (std::size_t i = 0; i < kSeries; ++i) {
    std::string block = wire_label("__name__", "DCGM_FI_DEV_GPU_UTIL");
    for (int label = 0; label < 10; ++label) {
      block += wire_label("label_name" + std::to_string(label), "a common value " + std::to_string(i % 100));
    }
    block += wire_label("node", "node-" + std::to_string(i / 8)) + wire_label("pod", "trainer-worker-" + std::to_string(i));
    spelling_bytes += block.size();
    ASSERT_EQ(table.resolve(block).kind, Kind::kSeries);
  }
  EXPECT_GT(spelling_bytes / kSeries, 370U);  // as long as a real DCGM series
  EXPECT_LT(table.bytes() / kSeries, 600U);
}

TEST(SeriesTableTest, ReplayedSeriesMeetsTheSenderOnTheWarmPath) {
  SeriesTable table(wants_all);
  const std::uint32_t replayed = table.intern({{"__name__", "up"}, {"pod", "pod-1"}});
  const std::size_t before = table.bytes();
  EXPECT_EQ(table.resolve(numbered_block("up", 1)).series, replayed);
  EXPECT_EQ(table.bytes(), before);
}

}  // namespace
}  // namespace seedance
