#include "store/kept_samples.h"

#include <bit>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace seedance {
namespace {

constexpr std::int64_t kHourMs = 3'600'000;
constexpr std::int64_t kFirstMs = 1'796'040'000'000;
const Interval kAlways{time_from_millis(0), time_from_millis(4'000'000'000'000)};

// Bits, so that NaNs compare.
std::vector<std::pair<std::int64_t, std::uint64_t>> bits_of(const std::vector<Sample>& samples) {
  std::vector<std::pair<std::int64_t, std::uint64_t>> out;
  for (const Sample& s : samples) out.emplace_back(s.timestamp_ms, std::bit_cast<std::uint64_t>(s.value));
  return out;
}

std::vector<Sample> read_back(const KeptSamples& kept, std::uint32_t series = 1, Interval window = kAlways) {
  std::vector<Sample> out;
  kept.read(series, window, out);
  return out;
}

double random_value(std::mt19937_64& random) {
  switch (random() % 8) {
    case 0: return 0;
    case 1: return 1;
    case 2: return static_cast<double>(random() % 1'000);
    case 3: return stale_marker();
    case 4: return std::numeric_limits<double>::quiet_NaN();
    case 5: return -std::numeric_limits<double>::infinity();
    case 6: return static_cast<double>(random() % 1'000'000) / 1'000'000;
    default: {
      const auto any = std::bit_cast<double>(random());
      return any == any ? any : 7.5;  // NaNs with a payload of their own are not part of the promise
    }
  }
}

// Mostly steady scrapes, as real ones; some jitter, some jumps over hours, some repeats.
std::vector<Sample> random_samples(std::mt19937_64& random) {
  std::vector<Sample> out;
  std::int64_t at = kFirstMs + static_cast<std::int64_t>(random() % kHourMs);
  double value = random_value(random);
  for (std::size_t i = random() % 300; i > 0; --i) {
    at += random() % 10 == 0 ? static_cast<std::int64_t>(random() % (2 * kHourMs)) : random() % 4 == 0 ? static_cast<std::int64_t>(random() % 40'000) : 15'000;
    if (random() % 3 == 0) value = random_value(random);
    out.push_back({at, value});
  }
  return out;
}

TEST(KeptSamplesTest, DecodeOfEncodeIsTheInputSortedForAnySeries) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 1'000; ++round) {
    std::vector<Sample> samples = random_samples(random);
    if (random() % 2 == 0) std::shuffle(samples.begin(), samples.end(), random);
    KeptSamples kept;
    for (const Sample& s : samples) kept.add(1, s);
    sort_samples(samples);
    ASSERT_EQ(bits_of(read_back(kept)), bits_of(samples)) << "round " << round;
  }
}

TEST(KeptSamplesTest, OrderAndDuplicatesDoNotMatter) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 300; ++round) {
    std::vector<Sample> samples = random_samples(random);
    KeptSamples in_order;
    for (const Sample& s : samples) in_order.add(1, s);
    KeptSamples doubled;
    const std::vector<Sample> once = samples;
    samples.insert(samples.end(), once.begin(), once.end());
    std::shuffle(samples.begin(), samples.end(), random);
    for (const Sample& s : samples) doubled.add(1, s);
    ASSERT_EQ(bits_of(read_back(in_order)), bits_of(read_back(doubled)));
  }
}

TEST(KeptSamplesTest, WindowsAreInclusiveAtBothEnds) {
  KeptSamples kept;
  for (std::int64_t i = 0; i < 5; ++i) kept.add(1, {kFirstMs + i * 1'000, static_cast<double>(i)});
  EXPECT_EQ(read_back(kept, 1, {time_from_millis(kFirstMs + 1'000), time_from_millis(kFirstMs + 3'000)}).size(), 3u);
  EXPECT_EQ(read_back(kept, 1, {time_from_nanos((kFirstMs + 1'000) * 1'000'000 + 1), time_from_millis(kFirstMs + 3'000)}).size(), 2u);
}

TEST(KeptSamplesTest, ReadingCrossesHours) {
  KeptSamples kept;
  for (std::int64_t i = 0; i < 10; ++i) kept.add(1, {kFirstMs + i * kHourMs / 2, 1});
  EXPECT_EQ(read_back(kept).size(), 10u);
  EXPECT_EQ(kept.hours().size(), 5u);
}

TEST(KeptSamplesTest, SeriesAreApart) {
  KeptSamples kept;
  kept.add(7, {kFirstMs, 1});
  kept.add(3, {kFirstMs, 2});
  kept.add(3, {kFirstMs + 5 * kHourMs, 2});
  EXPECT_EQ(kept.series_in(kAlways), (std::vector<std::uint32_t>{3, 7}));
  EXPECT_EQ(kept.series_in({time_from_millis(kFirstMs + 4 * kHourMs), time_from_millis(kFirstMs + 6 * kHourMs)}), (std::vector<std::uint32_t>{3}));
  EXPECT_EQ(read_back(kept, 7).at(0).value, 1);
  EXPECT_TRUE(read_back(kept, 99).empty());
}

TEST(KeptSamplesTest, DroppedHoursAreGoneAndTheirMemoryCountedDown) {
  KeptSamples kept;
  for (std::uint32_t series = 0; series < 100; ++series) {
    kept.add(series, {kFirstMs, 1});
    kept.add(series, {kFirstMs + kHourMs, 1});
  }
  const std::size_t before = kept.bytes();
  kept.drop_hour(time_from_millis(kFirstMs));
  EXPECT_EQ(kept.samples(), 100u);
  EXPECT_EQ(kept.bytes(), before / 2);
  EXPECT_EQ(read_back(kept).at(0).timestamp_ms, kFirstMs + kHourMs);
  kept.drop_hour(time_from_millis(kFirstMs + kHourMs));
  EXPECT_EQ(kept.bytes(), 0u);
  kept.drop_hour(time_from_millis(kFirstMs));
  EXPECT_EQ(kept.samples(), 0u);
}

TEST(KeptSamplesTest, SteadySeriesCostNothingMoreHoweverOftenTheyAreScraped) {
  SampleChunk slow;
  SampleChunk fast;
  for (std::int64_t i = 0; i < 60; ++i) slow.append({kFirstMs + i * 60'000, 1});
  for (std::int64_t i = 0; i < 3'600; ++i) fast.append({kFirstMs + i * 1'000, 1});
  EXPECT_LE(fast.heap_bytes(), slow.heap_bytes() + 8);
  std::vector<Sample> out;
  fast.read(out);
  EXPECT_EQ(out.size(), 3'600u);
}

}  // namespace
}  // namespace seedance
