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

TEST(KeptSamplesTest, SampleThatComesAgainAtOnceIsNotStoredAgain) {
  KeptSamples kept;
  for (int i = 0; i < 3; ++i) kept.add(1, {kFirstMs, 5});
  EXPECT_EQ(kept.samples(), 1u);
  kept.add(1, {kFirstMs, 6});
  EXPECT_EQ(kept.samples(), 2u) << "another value of the same time";
  EXPECT_EQ(read_back(kept).at(0).value, 6);
}

// The chunks of one object put into another: the same content, and it can go on.
void move_chunks(const KeptSamples& from, KeptSamples& to) {
  for (const TimePoint hour : from.hours()) {
    from.chunks_of(hour, 0, from.series_end(hour), [&](std::uint32_t series, const SampleChunk& chunk) {
      SampleChunk::Extent extent;
      std::optional<SampleChunk> restored = SampleChunk::restore(chunk.encoded(), chunk.run(), extent);
      ASSERT_TRUE(restored);
      to.restore(hour, series, std::move(*restored), extent.samples);
    });
  }
}

TEST(KeptSamplesTest, RestoredChunksAreWhatTheyWereAndGoOn) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 300; ++round) {
    const std::vector<Sample> samples = random_samples(random);
    const std::size_t half = samples.size() / 2;
    KeptSamples whole;
    KeptSamples before;
    for (const Sample& s : samples) whole.add(1, s);
    for (std::size_t i = 0; i < half; ++i) before.add(1, samples[i]);
    KeptSamples after;
    move_chunks(before, after);
    EXPECT_EQ(after.samples(), before.samples());
    EXPECT_LE(after.bytes(), before.bytes()) << "what is restored has no room to spare";
    for (std::size_t i = half; i < samples.size(); ++i) after.add(1, samples[i]);
    ASSERT_EQ(bits_of(read_back(after)), bits_of(read_back(whole))) << "round " << round;
    EXPECT_EQ(after.samples(), whole.samples());
  }
}

TEST(KeptSamplesTest, ExtentOfAChunkIsItsFirstAndLastSample) {
  SampleChunk chunk;
  for (const std::int32_t at : {50'000, 60'000, 70'000, 80'000, 20'000}) chunk.append(at, 1);
  SampleChunk::Extent extent;
  ASSERT_TRUE(SampleChunk::restore(chunk.encoded(), chunk.run(), extent));
  EXPECT_EQ(extent.first_ms, 20'000);
  EXPECT_EQ(extent.last_ms, 80'000);
  EXPECT_EQ(extent.samples, 5u);
}

TEST(KeptSamplesTest, BytesThatAreNoChunkAreRefused) {
  using namespace std::string_literals;
  const std::string first = "\x03\x00\x00"s;  // one sample at the hour's begin, value zero
  SampleChunk::Extent extent;
  ASSERT_TRUE(SampleChunk::restore(first, 0, extent));
  const std::pair<std::string, std::uint32_t> cases[] = {
      {"", 0}, {"\x04"s, 0}, {"\x03"s, 0}, {"\x03\x80"s, 0}, {"\x03\x00\x08\x01"s, 0},  // cut
      {"\x03\x00\x28\x01\x02\x03\x04\x05\x06\x07\x08"s, 0},                       // a value of ten bytes
      {"\x03\x01\x00"s, 0},                                                          // before the hour
      {"\x03\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00"s, 0},                  // a varint without an end
      {"\x00\x05"s, 0}, {first + "\x00\x05"s, 0}, {first, 5},                          // a run of nothing, and one that stands still
      {first + "\x01\x02\x00\xff\xff\xff\x7f"s, 0}, {first + "\x01\x02"s, 3'600'000},  // out of the hour
  };
  for (const auto& [bytes, run] : cases) EXPECT_FALSE(SampleChunk::restore(bytes, run, extent)) << testing::PrintToString(bytes);
}

// Every change of a bit is refused or gives a chunk that can be read.
TEST(KeptSamplesTest, ChangedBytesNeverLeadOutOfTheHour) {
  std::mt19937_64 random(4);
  SampleChunk chunk;
  std::int32_t at = 0;
  for (int i = 0; i < 40; ++i) chunk.append(at += 1'000 + static_cast<std::int32_t>(random() % 3) * 500, random_value(random));
  for (std::size_t bit = 0; bit < chunk.encoded().size() * 8; ++bit) {
    std::string bytes(chunk.encoded());
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8)));
    SampleChunk::Extent extent;
    const std::optional<SampleChunk> restored = SampleChunk::restore(bytes, chunk.run(), extent);
    if (!restored) continue;
    std::vector<Sample> out;
    restored->read(kFirstMs, out);
    ASSERT_EQ(out.size(), extent.samples);
    for (const Sample& s : out) ASSERT_TRUE(s.timestamp_ms >= kFirstMs + extent.first_ms && s.timestamp_ms <= kFirstMs + extent.last_ms) << bit;
  }
}

TEST(KeptSamplesTest, SteadySeriesCostNothingMoreHoweverOftenTheyAreScraped) {
  SampleChunk slow;
  SampleChunk fast;
  for (std::int32_t i = 0; i < 60; ++i) slow.append(i * 60'000, 1);
  for (std::int32_t i = 0; i < 3'600; ++i) fast.append(i * 1'000, 1);
  EXPECT_EQ(fast.heap_bytes(), 0u);
  EXPECT_EQ(slow.heap_bytes(), 0u);
  std::vector<Sample> out;
  fast.read(kFirstMs, out);
  EXPECT_EQ(out.size(), 3'600u);
}

}  // namespace
}  // namespace seedance
