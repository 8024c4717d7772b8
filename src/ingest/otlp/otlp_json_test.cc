#include "ingest/otlp/otlp_json.h"

#include <gtest/gtest.h>

#include <cmath>

namespace seedance {
namespace {

std::string json_request(const std::string& metric) { return R"({"resourceMetrics":[{"scopeMetrics":[{"metrics":[)" + metric + "]}]}]}"; }
std::string json_gauge(const std::string& point) { return json_request(R"({"name":"m","gauge":{"dataPoints":[)" + point + "]}}"); }

Result<OtlpPoint> json_point(const std::string& body) {
  OtlpPoint out;
  TRY(decode_otlp_json(body, [&](const OtlpPointRef& ref) -> Result<void> {
    out = ref.point;
    return {};
  }));
  return out;
}

Code json_code(const std::string& body) {
  const auto point = json_point(body);
  EXPECT_FALSE(point.has_value()) << body;
  return point ? Code::kNotFound : point.error().code;
}

TEST(OtlpJsonTest, WholeNumbersAreTextOrNumbers) {
  EXPECT_EQ(json_point(json_gauge(R"({"asInt":"-9223372036854775808"})"))->as_int, INT64_MIN);
  EXPECT_EQ(json_point(json_gauge(R"({"asInt":12})"))->as_int, 12);
  EXPECT_EQ(json_point(json_gauge(R"({"timeUnixNano":1544712660300000000})"))->time_nanos, 1544712660300000000u);
  EXPECT_EQ(json_point(json_gauge(R"({"count":"18446744073709551615"})"))->count, UINT64_MAX);
  EXPECT_EQ(json_point(json_gauge(R"({"count":2.0})"))->count, 2u);
  for (const char* wrong : {R"({"asInt":1.5})", R"({"asInt":"1x"})", R"({"asInt":true})", R"({"asInt":1e300})", R"({"count":-1})", R"({"scale":4294967296})",
                            R"({"asInt":[]})", R"({"timeUnixNano":"9223372036854775808000"})"}) {
    EXPECT_EQ(json_code(json_gauge(wrong)), Code::kInvalid) << wrong;
  }
}

TEST(OtlpJsonTest, SpecialNumbersAreStrings) {
  EXPECT_TRUE(std::isnan(*json_point(json_gauge(R"({"asDouble":"NaN"})"))->as_double));
  EXPECT_EQ(json_point(json_gauge(R"({"asDouble":"-Infinity"})"))->as_double, -HUGE_VAL);
  EXPECT_EQ(json_point(json_gauge(R"({"asDouble":"1.25"})"))->as_double, 1.25);
  EXPECT_EQ(json_code(json_gauge(R"({"asDouble":"inf"})")), Code::kInvalid);
  EXPECT_EQ(json_code(json_gauge(R"({"asDouble":true})")), Code::kInvalid);
}

TEST(OtlpJsonTest, EnumerationsAreNumbersOrNames) {
  for (const char* delta : {"1", "\"1\"", "\"AGGREGATION_TEMPORALITY_DELTA\""}) {
    OtlpMetric metric;
    const std::string body = json_request(std::string(R"({"name":"m","sum":{"isMonotonic":true,"dataPoints":[{}],"aggregationTemporality":)") + delta + "}}");
    ASSERT_TRUE(decode_otlp_json(body, [&](const OtlpPointRef& ref) -> Result<void> {
      metric = ref.metric;
      return {};
    }));
    EXPECT_EQ(metric.temporality, OtlpTemporality::kDelta) << delta;
    EXPECT_TRUE(metric.is_monotonic);
  }
}

TEST(OtlpJsonTest, UnknownKeysAndNullsAreIgnored) {
  const auto point = json_point(json_gauge(R"({"new":{"deep":[1]},"asDouble":1,"attributes":null,"exemplars":[{"x":1}]})"));
  ASSERT_TRUE(point);
  EXPECT_EQ(point->as_double, 1);
  EXPECT_TRUE(json_point("{}"));
  EXPECT_TRUE(json_point(R"({"resourceMetrics":null})"));
}

TEST(OtlpJsonTest, EveryKindOfValueBecomesText) {
  const auto text = [](const std::string& value) { return json_point(json_gauge(R"({"attributes":[{"key":"k","value":)" + value + "}]}"))->attributes.at(0).value; };
  EXPECT_EQ(text(R"({"stringValue":"a"})"), "a");
  EXPECT_EQ(text(R"({"boolValue":false})"), "false");
  EXPECT_EQ(text(R"({"intValue":"7"})"), "7");
  EXPECT_EQ(text(R"({"doubleValue":0.1})"), "0.1");
  EXPECT_EQ(text(R"({"bytesValue":"/wE="})"), "/wE=");
  EXPECT_EQ(text(R"({"arrayValue":{"values":[{"stringValue":"a\""},{"intValue":2},{}]}})"), "[\"a\\\"\",2,null]");
  EXPECT_EQ(text(R"({"kvlistValue":{"values":[{"key":"x","value":{"arrayValue":{}}}]}})"), "{\"x\":[]}");
  EXPECT_EQ(text("{}"), "");
}

TEST(OtlpJsonTest, WrongKindsAreInvalid) {
  for (const char* body : {"", "[]", "7", "{", R"({"resourceMetrics":{}})", R"({"resourceMetrics":[7]})", R"({"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":7}]}]}]})",
                           R"({"resourceMetrics":[{"resource":[]}]})", "{\"resourceMetrics\":\"\xff\"}"}) {
    EXPECT_EQ(json_code(body), Code::kInvalid);
  }
  EXPECT_EQ(json_code(json_gauge(R"({"attributes":[{"key":1}]})")), Code::kInvalid);
  EXPECT_EQ(json_code(json_gauge("7")), Code::kInvalid);
  EXPECT_EQ(json_code(json_request(R"({"sum":{"isMonotonic":"yes","dataPoints":[{}]}})")), Code::kInvalid);
}

TEST(OtlpJsonTest, EveryLimitSaysTooLarge) {
  std::string deep = R"({"stringValue":"bottom"})";
  for (std::size_t i = 0; i < kOtlpDepthMax; ++i) deep = R"({"arrayValue":{"values":[)" + deep + "]}}";
  EXPECT_EQ(json_code(json_gauge(R"({"attributes":[{"key":"k","value":)" + deep + "}]}")), Code::kTooLarge);
  std::string many = "{}";
  for (std::size_t i = 0; i < kOtlpAttributesMax; ++i) many += ",{}";
  EXPECT_EQ(json_code(json_gauge(R"({"attributes":[)" + many + "]}")), Code::kTooLarge);
  EXPECT_EQ(json_code(std::string(kOtlpJsonValuesMax + 1, '[')), Code::kTooLarge);
}

}  // namespace
}  // namespace seedance
