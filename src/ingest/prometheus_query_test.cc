#include "ingest/prometheus_query.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace seedance {
namespace {

std::string matrix_of(const std::string& result) { return R"({"status":"success","data":{"resultType":"matrix","result":[)" + result + "]}}"; }

std::string complaint_about(const std::string& json) {
  const Result<RawSamples> decoded = decode_raw_samples(json);
  return decoded ? "none" : decoded.error().message;
}

TEST(PrometheusQueryTest, SamplesKeepTheirOwnTimesAndValues) {
  const auto decoded = decode_raw_samples(matrix_of(
      R"({"metric":{"__name__":"up","job":"a","empty":""},"values":[[1796061599.818,"1"],[1796061600,"-2.5e-7"],[1.7960616015e9,"0"]]})"));
  ASSERT_TRUE(decoded) << decoded.error().message;
  ASSERT_EQ(decoded->series.size(), 1u);
  EXPECT_EQ(print_labels(decoded->series[0].labels), R"({__name__="up",job="a"})");
  ASSERT_EQ(decoded->samples, 3u);
  EXPECT_EQ(decoded->series[0].samples[0].timestamp_ms, 1'796'061'599'818);
  EXPECT_EQ(decoded->series[0].samples[1].timestamp_ms, 1'796'061'600'000);
  EXPECT_EQ(decoded->series[0].samples[1].value, -2.5e-7);
  EXPECT_EQ(decoded->series[0].samples[2].timestamp_ms, 1'796'061'601'500);
}

TEST(PrometheusQueryTest, NotANumberAndInfinitiesAreText) {
  const auto decoded = decode_raw_samples(matrix_of(R"({"metric":{},"values":[[1,"NaN"],[2,"+Inf"],[3,"-Inf"],[4,"1e400"]]})"));
  EXPECT_FALSE(decoded) << "a value beyond a double is not infinity";
  const auto odd = decode_raw_samples(matrix_of(R"({"metric":{},"values":[[1,"NaN"],[2,"+Inf"],[3,"-Inf"]]})"));
  ASSERT_TRUE(odd);
  EXPECT_TRUE(std::isnan(odd->series[0].samples[0].value));
  EXPECT_FALSE(is_stale_marker(odd->series[0].samples[0].value));
  EXPECT_EQ(odd->series[0].samples[1].value, std::numeric_limits<double>::infinity());
  EXPECT_EQ(odd->series[0].samples[2].value, -std::numeric_limits<double>::infinity());
}

TEST(PrometheusQueryTest, KeysInAnyOrderAndUnknownOnesAreFine) {
  const auto decoded = decode_raw_samples(
      R"({"infos":null,"data":{"stats":{"a":[1,{"b":true}]},"result":[{"values":[[1,"2"]],"histograms":[[1,{"count":"3","buckets":[[0,"1","2","3"]]}]],"metric":{"__name__":"m"}},)"
      R"({"metric":{"__name__":"only_histograms"},"histograms":[[1,{}]]}],"resultType":"matrix"},"warnings":["w"],"status":"success"})");
  ASSERT_TRUE(decoded) << decoded.error().message;
  ASSERT_EQ(decoded->series.size(), 1u);
  EXPECT_EQ(decoded->series[0].samples.size(), 1u);
  EXPECT_EQ(decoded->histogram_series, 2u);
}

TEST(PrometheusQueryTest, AnythingElseIsAnErrorThatSaysWhat) {
  const std::string good = matrix_of(R"({"metric":{"__name__":"m"},"values":[[1,"2"]]})");
  ASSERT_TRUE(decode_raw_samples(good));
  for (std::size_t cut = 0; cut < good.size(); ++cut) EXPECT_FALSE(decode_raw_samples(good.substr(0, cut))) << cut;
  EXPECT_NE(complaint_about(good + "x").find("not json at byte"), std::string::npos);
  EXPECT_NE(complaint_about("{}").find("no matrix"), std::string::npos);
  EXPECT_NE(complaint_about(R"({"status":"error"})").find("a status other than success"), std::string::npos);
  EXPECT_NE(complaint_about(R"({"status":"success","data":{"resultType":"vector","result":[]}})").find("other than a matrix"), std::string::npos);
  for (const char* values : {"[1]", R"([["1","2"]])", R"([[1,2]])", R"([[1,"2",3]])", R"([[1,"two"]])", R"([[1,null]])", R"([[1]])", R"([[]])", R"([[1e300,"1"]])", R"("x")", "{}",
                             R"([[9223372036854775807,"1"]])", R"([[1,["2"]]])"}) {
    const std::string json = matrix_of(R"({"metric":{},"values":)" + std::string(values) + "}");
    EXPECT_NE(complaint_about(json).find("not an answer of the prometheus api"), std::string::npos) << values << ": " << complaint_about(json);
  }
  EXPECT_FALSE(decode_raw_samples(matrix_of(R"({"metric":{"a":1},"values":[]})")));
  EXPECT_FALSE(decode_raw_samples(matrix_of(R"({"metric":[],"values":[]})")));
  EXPECT_FALSE(decode_raw_samples(std::string(100'000, '[')));
}

TEST(PrometheusQueryTest, NamesAndFailures) {
  EXPECT_EQ(*decode_label_values(R"({"status":"success","data":["a","b"]})"), (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(decode_label_values(R"({"status":"success","data":null})")->empty());
  EXPECT_FALSE(decode_label_values(R"({"status":"error","data":[]})"));
  EXPECT_FALSE(decode_label_values("<html>"));
  EXPECT_EQ(decode_query_failure(R"({"status":"error","errorType":"execution","error":"too many"})").type, "execution");
  EXPECT_EQ(decode_query_failure("<html>").message, "");
}

TEST(PrometheusQueryTest, AQueryEndsAtTheLastMillisecondOfItsTime) {
  const RawQuery query = raw_query("a\"b\\c", {time_from_seconds(1'796'058'000), time_from_seconds(1'796'061'600)});
  EXPECT_EQ(query.selector, R"({__name__="a\"b\\c"}[3600000ms])");
  EXPECT_EQ(query.time, "1796061599.999");
  EXPECT_EQ(raw_query("m", {time_from_millis(1'000), time_from_millis(1'006)}).time, "1.005");
}

}  // namespace
}  // namespace seedance
