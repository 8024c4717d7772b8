#include "ingest/remote_write_2.h"

#include <gtest/gtest.h>

#include <protozero/pbf_writer.hpp>

#include "ingest/native_histogram.h"
#include "ingest/write_body.h"

namespace seedance {
namespace {

using protozero::pbf_writer;

struct Series2 {
  std::vector<std::uint32_t> refs;
  std::vector<Sample> samples;
  std::vector<std::string> histograms;
};

std::string request_2(const std::vector<std::string>& symbols, const std::vector<Series2>& all, bool symbols_last = false) {
  std::string out;
  pbf_writer request(out);
  const auto add_symbols = [&] {
    for (const std::string& s : symbols) request.add_string(4, s);
  };
  if (!symbols_last) add_symbols();
  for (const Series2& series : all) {
    std::string message;
    pbf_writer writer(message);
    writer.add_packed_uint32(1, series.refs.begin(), series.refs.end());
    for (const Sample& s : series.samples) {
      std::string sample;
      pbf_writer sample_writer(sample);
      sample_writer.add_double(1, s.value);
      sample_writer.add_int64(2, s.timestamp_ms);
      sample_writer.add_int64(3, s.timestamp_ms - 5);
      writer.add_message(2, sample);
    }
    for (const std::string& h : series.histograms) writer.add_message(3, h);
    writer.add_int64(6, 17);
    request.add_message(5, message);
  }
  if (symbols_last) add_symbols();
  return out;
}

std::string made_histogram(std::uint64_t count, const std::vector<std::int64_t>& deltas, std::uint32_t span, std::int32_t schema = 3) {
  std::string out;
  pbf_writer writer(out);
  writer.add_uint64(1, count);
  writer.add_sint32(4, schema);
  std::string spans;
  pbf_writer(spans).add_uint32(2, span);
  writer.add_message(11, spans);
  writer.add_packed_sint64(12, deltas.begin(), deltas.end());
  writer.add_int64(15, 1'000);
  return out;
}

const std::vector<std::string> kSymbols{"", "__name__", "up", "pod", "p-0"};

TEST(RemoteWrite2Test, LabelsAreTheBlockOfVersion1) {
  DecodedWrite write;
  for (const bool symbols_last : {false, true}) {
    const std::string body = request_2(kSymbols, {{{1, 2, 3, 4}, {{1'000, 1.5}, {2'000, 2.5}}, {}}}, symbols_last);
    ASSERT_TRUE(decode_write_request_2(body, write));
    ASSERT_EQ(write.series.size(), 1u);
    EXPECT_EQ(write.series[0].label_block, encode_label_block({{"__name__", "up"}, {"pod", "p-0"}}));
    ASSERT_EQ(write.samples.size(), 2u);
    EXPECT_EQ(write.samples[1].timestamp_ms, 2'000);
    EXPECT_EQ(write.samples[1].value, 2.5);
  }
}

TEST(RemoteWrite2Test, ABadSeriesIsRefusedAlone) {
  DecodedWrite write;
  const Series2 good{{1, 2}, {{1'000, 1}}, {}};
  const struct {
    Series2 bad;
    const char* reason;
  } kCases[] = {{{{1, 5}, {{1'000, 1}, {2'000, 1}}, {}}, "label reference outside the table of symbols"},
                {{{1, 2, 3}, {{1'000, 1}, {2'000, 1}}, {}}, "odd number of label references"},
                {{{1, 2}, {{1'000, 1}, {2'000, 1}}, {made_histogram(1, {1}, 1)}}, "samples and native histograms in one series"}};
  for (const auto& c : kCases) {
    ASSERT_TRUE(decode_write_request_2(request_2(kSymbols, {good, c.bad, good}), write)) << c.reason;
    EXPECT_EQ(write.series.size(), 2u);
    EXPECT_EQ(write.samples.size(), 2u);
    EXPECT_EQ(write.samples_refused, 2u);
    EXPECT_STREQ(write.first_refusal, c.reason);
    EXPECT_EQ(write.series[1].sample_begin, 1u);
  }
}

TEST(RemoteWrite2Test, HistogramsAreCheckedAndCounted) {
  DecodedWrite write;
  ASSERT_TRUE(decode_write_request_2(request_2(kSymbols, {{{1, 2}, {}, {made_histogram(3, {1, 1}, 2), made_histogram(9, {1, 1}, 2)}}}), write));
  EXPECT_EQ(write.histogram_count, 1u);
  EXPECT_EQ(write.histograms_refused, 1u);
  EXPECT_STREQ(write.first_refusal, "native histogram whose count is not the sum of its buckets");
}

TEST(RemoteWrite2Test, WholeRequestIsRefusedForItsSymbols) {
  DecodedWrite write;
  EXPECT_FALSE(decode_write_request_2(request_2({"__name__", "up"}, {{{0, 1}, {{1'000, 1}}, {}}}), write));
  EXPECT_FALSE(decode_write_request_2("\x20\x01", write)) << "symbols as a number";
  EXPECT_TRUE(decode_write_request_2("", write)) << "nothing is a request";
  const std::string version_1("\x0a\x02\x12\x00", 4);
  EXPECT_FALSE(decode_write_request_2(version_1, write));
}

TEST(RemoteWrite2Test, RepeatedSymbolsCannotFillMemory) {
  std::vector<std::string> symbols = kSymbols;
  symbols.emplace_back(std::size_t{1} << 20, 'x');
  std::vector<Series2> all(64, Series2{{1, 5}, {{1'000, 1}}, {}});
  DecodedWrite write;
  const Result<void> decoded = decode_write_request_2(request_2(symbols, all), write);
  ASSERT_FALSE(decoded);
  EXPECT_EQ(decoded.error().code, Code::kTooLarge);
  EXPECT_LE(write.arena.bytes(), kLabelBlockBytesMax + (std::size_t{2} << 20));
}

TEST(NativeHistogramTest, Faults) {
  EXPECT_EQ(histogram_fault(made_histogram(3, {1, 1}, 2)), nullptr);
  EXPECT_EQ(histogram_fault(made_histogram(0, {}, 0, -53)), nullptr);
  EXPECT_NE(histogram_fault(made_histogram(3, {1, 1}, 2, 9)), nullptr) << "no such schema";
  EXPECT_NE(histogram_fault(made_histogram(3, {1, 1}, 3)), nullptr) << "three buckets announced, two sent";
  EXPECT_NE(histogram_fault(made_histogram(0, {1, -2}, 2)), nullptr) << "negative bucket";
  EXPECT_NE(histogram_fault(made_histogram(1, {INT64_MAX, INT64_MAX}, 2)), nullptr) << "wraps";
  EXPECT_NE(histogram_fault("\xff\xff"), nullptr);
}

TEST(ZstdBodyTest, DamageAndBombs) {
  EXPECT_FALSE(decompress_zstd(""));
  EXPECT_FALSE(decompress_zstd("not zstd at all"));
  // A frame of four mebibytes of zeros: magic, descriptor with one segment and four bytes of size, then RLE blocks of 128 KiB.
  std::string bomb("\x28\xb5\x2f\xfd\xa0\x00\x00\x40\x00", 9);
  for (int i = 0; i < 32; ++i) bomb += std::string(i == 31 ? "\x03\x00\x10" : "\x02\x00\x10", 3) + std::string(1, '\0');
  const Result<std::string> whole = decompress_zstd(bomb);
  ASSERT_TRUE(whole) << whole.error().message;
  EXPECT_EQ(whole->size(), std::size_t{4} << 20);
  const Result<std::string> refused = decompress_zstd(bomb, std::size_t{1} << 20);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kTooLarge);
  EXPECT_FALSE(decompress_zstd(std::string_view(bomb).substr(0, bomb.size() - 4))) << "the last block is missing";
}

}  // namespace
}  // namespace seedance
