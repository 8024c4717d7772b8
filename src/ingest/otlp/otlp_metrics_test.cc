#include "ingest/otlp/otlp_metrics.h"

#include <gtest/gtest.h>

#include <protozero/pbf_writer.hpp>

#include "ingest/otlp/otlp_wire.h"

namespace seedance {
namespace {

std::string point_with(const std::string& attribute_value) {
  return otlp_number_point({.attributes = otlp_attribute(7, "k", attribute_value), .time_nanos = 5, .value = 1.5});
}

// The attributes of the only point, or the error.
Result<OtlpAttributes> attributes_of(const std::string& body) {
  OtlpAttributes out;
  TRY(decode_otlp_metrics(body, [&](const OtlpPointRef& ref) -> Result<void> {
    out = ref.point.attributes;
    return {};
  }));
  return out;
}

std::string text_of_value(const std::string& any_value) {
  const auto attributes = attributes_of(otlp_request(otlp_metric("m", 5, point_with(any_value))));
  return attributes ? attributes->at(0).value : attributes.error().message;
}

Code code_of(const std::string& body) {
  const auto decoded = decode_otlp_metrics(body, [](const OtlpPointRef&) -> Result<void> { return {}; });
  EXPECT_FALSE(decoded.has_value());
  return decoded ? Code::kNotFound : decoded.error().code;
}

TEST(OtlpMetricsTest, TemporalityBehindThePointsIsKnownAtThePoints) {
  std::string sum = otlp_field(1, otlp_number_point({.start_nanos = 3, .time_nanos = 5, .as_int = -7}));
  protozero::pbf_writer writer(sum);
  writer.add_enum(2, 1);
  writer.add_bool(3, true);
  const std::string metric = otlp_field(7, sum) + otlp_field(1, "requests") + otlp_field(3, "1");
  std::size_t points = 0;
  const auto decoded = decode_otlp_metrics(otlp_request(metric), [&](const OtlpPointRef& ref) -> Result<void> {
    ++points;
    EXPECT_EQ(ref.metric.name, "requests");
    EXPECT_EQ(ref.metric.type, OtlpType::kSum);
    EXPECT_EQ(ref.metric.temporality, OtlpTemporality::kDelta);
    EXPECT_TRUE(ref.metric.is_monotonic);
    EXPECT_EQ(ref.point.as_int, -7);
    EXPECT_EQ(ref.point.start_nanos, 3u);
    EXPECT_EQ(ref.point.time_nanos, 5u);
    EXPECT_EQ(ref.resource.attributes, (OtlpAttributes{{"service.name", "s"}}));
    return {};
  });
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_EQ(points, 1u);
}

TEST(OtlpMetricsTest, EveryKindOfValueBecomesText) {
  const auto any = [](auto add) {
    std::string out;
    protozero::pbf_writer writer(out);
    add(writer);
    return out;
  };
  EXPECT_EQ(text_of_value(otlp_field(1, "a\"b")), "a\"b");
  EXPECT_EQ(text_of_value(any([](auto& w) { w.add_bool(2, true); })), "true");
  EXPECT_EQ(text_of_value(any([](auto& w) { w.add_int64(3, INT64_MIN); })), "-9223372036854775808");
  EXPECT_EQ(text_of_value(any([](auto& w) { w.add_double(4, 0.1); })), "0.1");
  EXPECT_EQ(text_of_value(any([](auto& w) { w.add_double(4, std::numeric_limits<double>::quiet_NaN()); })), "NaN");
  EXPECT_EQ(text_of_value(otlp_field(7, "\xff\x01")), "/wE=");
  const std::string two = otlp_field(1, otlp_field(1, "a\"")) + otlp_field(1, any([](auto& w) { w.add_int64(3, 2); })) + otlp_field(1, "");
  EXPECT_EQ(text_of_value(otlp_field(5, two)), "[\"a\\\"\",2,null]");
  EXPECT_EQ(text_of_value(otlp_field(6, otlp_field(1, otlp_field(1, "x") + otlp_field(2, otlp_field(5, ""))))), "{\"x\":[]}");
  EXPECT_EQ(text_of_value(""), "");
}

TEST(OtlpMetricsTest, DamagedBodiesAreInvalid) {
  const std::string good = otlp_request(otlp_metric("m", 5, otlp_number_point({.time_nanos = 5, .value = 1})));
  for (std::size_t cut = 1; cut < good.size(); ++cut) EXPECT_EQ(code_of(good.substr(0, cut)), Code::kInvalid) << cut;
  std::string wrong;
  protozero::pbf_writer(wrong).add_uint64(1, 7);
  EXPECT_EQ(code_of(wrong), Code::kInvalid) << "the resources of a request";
  EXPECT_EQ(code_of(otlp_request(otlp_metric("m", 5, wrong + otlp_field(2, "time is no text")))), Code::kInvalid);
  EXPECT_EQ(code_of(otlp_request(otlp_metric("m", 9, otlp_field(6, "seven b")))), Code::kInvalid) << "half a bucket count";
}

TEST(OtlpMetricsTest, UnknownFieldsAreSkipped) {
  const std::string point = otlp_number_point({.time_nanos = 5, .value = 1}) + otlp_field(40, "new");
  std::size_t points = 0;
  ASSERT_TRUE(decode_otlp_metrics(otlp_request(otlp_metric("m", 5, point) + otlp_field(99, "new")) + otlp_field(77, "new"), [&](const OtlpPointRef&) -> Result<void> {
    ++points;
    return {};
  }));
  EXPECT_EQ(points, 1u);
  EXPECT_TRUE(decode_otlp_metrics("", [](const OtlpPointRef&) -> Result<void> { return {}; })) << "an empty request";
}

TEST(OtlpMetricsTest, EveryLimitSaysTooLarge) {
  std::string deep = otlp_field(1, "bottom");
  for (std::size_t i = 0; i < kOtlpDepthMax; ++i) deep = otlp_field(5, otlp_field(1, deep));
  EXPECT_EQ(code_of(otlp_request(otlp_metric("m", 5, point_with(deep)))), Code::kTooLarge);
  std::string many;
  for (std::size_t i = 0; i <= kOtlpAttributesMax; ++i) many += otlp_attribute(7, "k", "");
  EXPECT_EQ(code_of(otlp_request(otlp_metric("m", 5, many))), Code::kTooLarge);
  EXPECT_EQ(code_of(otlp_request(otlp_metric("m", 9, otlp_field(6, std::string(8 * (kOtlpBucketsMax + 1), '\0'))))), Code::kTooLarge);
  std::string points;
  for (std::size_t i = 0; i <= kOtlpPointsMax; ++i) points += otlp_field(1, "");
  EXPECT_EQ(code_of(otlp_request(otlp_field(5, points))), Code::kTooLarge);
}

TEST(OtlpMetricsTest, AnErrorOfTheTakerEndsTheWalk) {
  const std::string point = otlp_number_point({.time_nanos = 5, .value = 1});
  std::size_t points = 0;
  const auto decoded = decode_otlp_metrics(otlp_request(otlp_field(5, otlp_field(1, point) + otlp_field(1, point))), [&](const OtlpPointRef&) -> Result<void> {
    ++points;
    return fail(Code::kExhausted, "full");
  });
  ASSERT_FALSE(decoded);
  EXPECT_EQ(decoded.error().code, Code::kExhausted);
  EXPECT_EQ(points, 1u);
}

TEST(OtlpMetricsTest, NoRecordedValueIsAFlag) {
  std::string point = otlp_number_point({.time_nanos = 5});
  protozero::pbf_writer(point).add_uint32(8, 1);
  bool has_no_value = false;
  ASSERT_TRUE(decode_otlp_metrics(otlp_request(otlp_metric("m", 5, point)), [&](const OtlpPointRef& ref) -> Result<void> {
    has_no_value = ref.point.has_no_value;
    return {};
  }));
  EXPECT_TRUE(has_no_value);
}

}  // namespace
}  // namespace seedance
