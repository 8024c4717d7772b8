#include "ingest/prometheus_write.h"

#include <gtest/gtest.h>

#include "ingest/wire_builder.h"
#include "ingest/write_encoder.h"

namespace seedance {
namespace {

const std::string kUp = wire_labels({{"__name__", "up"}, {"job", "node"}});

Code decode_error(std::string_view raw) {
  DecodedWrite out;
  const auto result = decode_write_request(raw, out);
  EXPECT_FALSE(result);
  return result ? Code::kConflict : result.error().code;
}

TEST(PrometheusWriteTest, LabelBlockIsTheBytesAsSent) {
  const std::string raw = wire_series(kUp + wire_sample(1000, 1.5) + wire_sample(2000, -2));
  DecodedWrite out;
  ASSERT_TRUE(decode_write_request(raw, out));
  ASSERT_EQ(out.series.size(), 1U);
  EXPECT_EQ(out.series[0].label_block, kUp);
  EXPECT_GE(out.series[0].label_block.data(), raw.data());
  ASSERT_EQ(out.series[0].sample_count, 2U);
  EXPECT_EQ(out.samples[1].timestamp_ms, 2000);
  EXPECT_EQ(out.samples[1].value, -2);
}

TEST(PrometheusWriteTest, LabelsScatteredBetweenSamplesArePutTogether) {
  const std::string a = wire_label("__name__", "up");
  const std::string b = wire_label("job", "node");
  const std::string c = wire_label("pod", "x");
  DecodedWrite out;
  ASSERT_TRUE(decode_write_request(wire_series(wire_sample(1, 1) + a + wire_sample(2, 2) + b + wire_bytes(9, "??") + c), out));
  ASSERT_EQ(out.series.size(), 1U);
  EXPECT_EQ(out.series[0].label_block, a + b + c);
  EXPECT_EQ(out.series[0].sample_count, 2U);
}

TEST(PrometheusWriteTest, StaleMarkerKeepsItsBits) {
  DecodedWrite out;
  ASSERT_TRUE(decode_write_request(wire_series(kUp + wire_sample(1, stale_marker())), out));
  EXPECT_TRUE(is_stale_marker(out.samples[0].value));
}

TEST(PrometheusWriteTest, NegativeTimestampIsRead) {
  DecodedWrite out;
  ASSERT_TRUE(decode_write_request(wire_series(kUp + wire_sample(-1, 0)), out));
  EXPECT_EQ(out.samples[0].timestamp_ms, -1);
}

TEST(PrometheusWriteTest, AbsentSampleFieldsAreZero) {
  DecodedWrite out;
  ASSERT_TRUE(decode_write_request(wire_series(kUp + wire_bytes(2, "")), out));
  EXPECT_EQ(out.samples[0].timestamp_ms, 0);
  EXPECT_EQ(out.samples[0].value, 0);
}

TEST(PrometheusWriteTest, ReuseForgetsTheRequestBefore) {
  DecodedWrite out;
  ASSERT_TRUE(decode_write_request(wire_series(kUp + wire_sample(1, 1)) + wire_bytes(3, ""), out));
  ASSERT_TRUE(decode_write_request("", out));
  EXPECT_TRUE(out.series.empty());
  EXPECT_TRUE(out.samples.empty());
  EXPECT_EQ(out.metadata_count, 0U);
}

TEST(PrometheusWriteTest, MetadataHistogramsAndExemplarsAreCounted) {
  DecodedWrite out;
  const std::string raw = wire_series(kUp + wire_bytes(4, "") + wire_bytes(3, "")) + wire_bytes(3, "") + wire_bytes(3, "");
  ASSERT_TRUE(decode_write_request(raw, out));
  EXPECT_EQ(out.metadata_count, 2U);
  EXPECT_EQ(out.histogram_count, 1U);
  EXPECT_EQ(out.exemplar_count, 1U);
  EXPECT_EQ(out.empty_series_count, 1U);
}

TEST(PrometheusWriteTest, UnknownFieldsAreSkipped) {
  DecodedWrite out;
  const std::string sample = wire_sample(1, 1);
  ASSERT_TRUE(decode_write_request(wire_bytes(15, "future") + wire_series(kUp + wire_bytes(9, "x") + sample), out));
  EXPECT_EQ(out.samples.size(), 1U);
}

TEST(PrometheusWriteTest, WrongWireTypesAreInvalid) {
  EXPECT_EQ(decode_error(std::string("\x08\x01", 2)), Code::kInvalid);                                // timeseries as varint
  EXPECT_EQ(decode_error(wire_series(std::string("\x08\x01", 2))), Code::kInvalid);                   // label as varint
  EXPECT_EQ(decode_error(wire_series(kUp + wire_bytes(2, std::string("\x08\x01", 2)))), Code::kInvalid);  // value as varint
}

TEST(PrometheusWriteTest, OverlongVarintIsInvalid) {
  EXPECT_EQ(decode_error("\x0a\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01"), Code::kInvalid);
}

TEST(PrometheusWriteTest, EveryTruncationIsInvalid) {
  const std::string raw = wire_series(kUp + wire_sample(1'796'062'177'818, 0.25));
  for (std::size_t length = 1; length < raw.size(); ++length) EXPECT_EQ(decode_error(raw.substr(0, length)), Code::kInvalid) << length;
}

TEST(PrometheusWriteTest, Version2BodyIsNamedNotSwallowed) {
  DecodedWrite out;
  const auto result = decode_write_request(wire_bytes(4, "") + wire_bytes(4, "__name__") + wire_bytes(5, ""), out);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Code::kInvalid);
  EXPECT_NE(result.error().message.find("2.0"), std::string::npos);
}

TEST(PrometheusWriteTest, TooManySamplesAreRefused) {
  std::string many;
  for (std::size_t i = 0; i <= kWriteSamplesMax; ++i) many += std::string_view("\x12\x00", 2);
  EXPECT_EQ(decode_error(wire_series(kUp + many)), Code::kTooLarge);
}

TEST(LabelBlockTest, BlockBecomesCanonicalLabels) {
  const auto labels = parse_label_block(wire_labels({{"pod", "a"}, {"gone", ""}, {"__name__", "up"}}), {});
  ASSERT_TRUE(labels);
  EXPECT_EQ(*labels, (Labels{{"__name__", "up"}, {"pod", "a"}}));
}

TEST(LabelBlockTest, EncodingIsWhatPrometheusSends) {
  EXPECT_EQ(encode_label_block({{"__name__", "up"}, {"job", "node"}}), kUp);
}

TEST(LabelBlockTest, AppendingASeriesWritesWhatTheEncoderWrites) {
  const Labels labels{{"__name__", "up"}, {"job", std::string(300, 'j')}, {"pod", ""}};
  const std::vector<SeriesSamples> all{{labels, {{1'796'000'000'000, 1.5}, {-1, -0.0}, {0, stale_marker()}}}, {{{"__name__", "x"}}, {{127, 1}, {128, 2}}}};
  std::string message;
  for (const SeriesSamples& one : all) {
    std::string block;
    for (const Label& l : one.labels) append_label(block, l.name, l.value);
    append_series(message, block, one.samples);
  }
  EXPECT_EQ(message, encode_write_request(all));
}

TEST(LabelBlockTest, DamagedLabelIsInvalid) {
  EXPECT_EQ(parse_label_block(wire_bytes(1, "\x0a\x7f"), {}).error().code, Code::kInvalid);
  EXPECT_EQ(parse_label_block(wire_bytes(1, std::string("\x08\x01", 2)), {}).error().code, Code::kInvalid);
}

TEST(LabelBlockTest, MetricNameIsFoundWithoutParsing) {
  EXPECT_EQ(metric_name_of_block(wire_labels({{"a", "b"}, {"__name__", "up"}})), "up");
  EXPECT_EQ(metric_name_of_block(wire_labels({{"a", "b"}})), "");
  EXPECT_EQ(metric_name_of_block("\x0a\x7f"), "");
}

}  // namespace
}  // namespace seedance
