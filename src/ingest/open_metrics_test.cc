#include "ingest/open_metrics.h"

#include <cmath>

#include <gtest/gtest.h>

namespace seedance {
namespace {

struct Seen {
  std::string labels;
  Sample sample;
};

Result<std::vector<Seen>> read_text(std::string_view text, OpenMetricsOptions options = {}, std::size_t piece = SIZE_MAX) {
  std::vector<Seen> seen;
  OpenMetricsReader reader(options);
  const auto keep = [&](const Labels& labels, Sample sample) { seen.push_back({print_labels(labels), sample}); };
  for (std::size_t at = 0; at < text.size(); at += std::min(piece, text.size() - at)) TRY(reader.feed(text.substr(at, piece), keep));
  TRY(reader.finish(keep));
  return seen;
}

std::string error_of(std::string_view text, OpenMetricsOptions options = {}) {
  const auto result = read_text(text, options);
  EXPECT_FALSE(result);
  return result ? "" : result.error().message;
}

constexpr std::string_view kExport =
    "# HELP up Whether.\n# TYPE up gauge\n"
    "up{job=\"node\",pod=\"a\"} 1 1796062177.818\n"
    "up{job=\"node\",pod=\"a\"} 0 1796062178.818\n"
    "up 2.5e3 1796062178\n# EOF\n";

TEST(OpenMetricsTest, ReadsSamplesWithExactTimes) {
  const auto seen = read_text(kExport);
  ASSERT_TRUE(seen) << seen.error().message;
  ASSERT_EQ(seen->size(), 3U);
  EXPECT_EQ((*seen)[0].labels, R"({__name__="up",job="node",pod="a"})");
  EXPECT_EQ((*seen)[0].sample.timestamp_ms, 1'796'062'177'818);
  EXPECT_EQ((*seen)[1].sample.value, 0);
  EXPECT_EQ((*seen)[2].sample.value, 2500);
  EXPECT_EQ((*seen)[2].sample.timestamp_ms, 1'796'062'178'000);
}

TEST(OpenMetricsTest, PiecesOfAnySizeGiveTheSame) {
  for (std::size_t piece = 1; piece < 40; ++piece) {
    const auto seen = read_text(kExport, {}, piece);
    ASSERT_TRUE(seen);
    EXPECT_EQ(seen->size(), 3U);
    EXPECT_EQ((*seen)[1].labels, R"({__name__="up",job="node",pod="a"})");
  }
}

TEST(OpenMetricsTest, EscapesAndBracesInsideQuotes) {
  const auto seen = read_text("m{a=\"x\\\\y\\\"}\\n,=\", b=\"{\" , } 1 1\n");
  ASSERT_TRUE(seen) << seen.error().message;
  EXPECT_EQ((*seen)[0].labels, "{__name__=\"m\",a=\"x\\\\y\\\"}\\n,=\",b=\"{\"}");
}

TEST(OpenMetricsTest, QuotedNamesAreUtf8) {
  const auto seen = read_text("{\"gpu.power\",\"k8s.pod\"=\"x\"} 1 1\n");
  ASSERT_TRUE(seen) << seen.error().message;
  EXPECT_EQ((*seen)[0].labels, R"({__name__="gpu.power",k8s.pod="x"})");
}

TEST(OpenMetricsTest, ExemplarsAreSkipped) {
  const auto seen = read_text("a_total 3 1.5 # {trace_id=\"x\"} 1 1.4\n");
  ASSERT_TRUE(seen) << seen.error().message;
  EXPECT_EQ((*seen)[0].sample.timestamp_ms, 1500);
}

TEST(OpenMetricsTest, SpecialValues) {
  const auto seen = read_text("a NaN 1\na +Inf 1\na -Inf 1\na 5e-324 1\na 1e-400 1\na -0 1\n");
  ASSERT_TRUE(seen) << seen.error().message;
  EXPECT_TRUE(std::isnan((*seen)[0].sample.value));
  EXPECT_FALSE(is_stale_marker((*seen)[0].sample.value));
  EXPECT_EQ((*seen)[1].sample.value, INFINITY);
  EXPECT_EQ((*seen)[2].sample.value, -INFINITY);
  EXPECT_EQ((*seen)[3].sample.value, 5e-324);
  EXPECT_EQ((*seen)[4].sample.value, 0);
  EXPECT_TRUE(std::signbit((*seen)[5].sample.value));
}

TEST(OpenMetricsTest, MissingTimestampTakesTheDefaultOrIsAnError) {
  EXPECT_EQ(error_of("a 1 1\n\na 1\n"), "line 3: sample without a time stamp");
  const auto seen = read_text("a 1\n", {.default_timestamp_ms = 42});
  ASSERT_TRUE(seen);
  EXPECT_EQ((*seen)[0].sample.timestamp_ms, 42);
}

TEST(OpenMetricsTest, PrometheusTextHasMilliseconds) {
  const auto seen = read_text("a\t1  1796062177818\r\n", {.timestamps = TimestampUnit::kMillis});
  ASSERT_TRUE(seen) << seen.error().message;
  EXPECT_EQ((*seen)[0].sample.timestamp_ms, 1'796'062'177'818);
  EXPECT_NE(error_of("a 1 1796062177.8\n", {.timestamps = TimestampUnit::kMillis}), "");
}

TEST(OpenMetricsTest, AutoTellsSecondsFromMilliseconds) {
  const auto seen = read_text("a 1 1796062177818\na 1 1796062177\na 1 1796062177.5\n", {.timestamps = TimestampUnit::kAuto});
  ASSERT_TRUE(seen);
  EXPECT_EQ((*seen)[0].sample.timestamp_ms, 1'796'062'177'818);
  EXPECT_EQ((*seen)[1].sample.timestamp_ms, 1'796'062'177'000);
  EXPECT_EQ((*seen)[2].sample.timestamp_ms, 1'796'062'177'500);
}

TEST(OpenMetricsTest, ErrorsNameTheLine) {
  EXPECT_EQ(error_of("a 1 1\nb{x=\"1\" 1 1\n").substr(0, 7), "line 2:");
  EXPECT_EQ(error_of("a one 1\n"), "line 1: not a value: one");
  EXPECT_EQ(error_of("a 0x10 1\n"), "line 1: not a value: 0x10");
  EXPECT_EQ(error_of("a 1 1 2\n"), "line 1: text after the time stamp: 2");
  EXPECT_EQ(error_of("a{x=\"1\",x=\"2\"} 1 1\n"), "line 1: label name given twice: metric a, label x");
  EXPECT_EQ(error_of("# EOF\na 1 1\n"), "line 2: text after # EOF: a 1 1");
}

TEST(OpenMetricsTest, AnErrorEndsTheReader) {
  OpenMetricsReader reader({});
  const auto nothing = [](const Labels&, Sample) {};
  ASSERT_FALSE(reader.feed("broken\n", nothing));
  EXPECT_FALSE(reader.feed("a 1 1\n", nothing));
  EXPECT_FALSE(reader.finish(nothing));
}

TEST(OpenMetricsTest, CutOffTextIsNoticedWhenAsked) {
  EXPECT_EQ(error_of("a 1 1\n", {.end_required = true}), "no # EOF after line 1");
  EXPECT_TRUE(read_text("a 1 1\n# EOF", {.end_required = true}));
}

TEST(OpenMetricsTest, EndlessLineIsRefused) {
  EXPECT_EQ(error_of(std::string(2000, 'a'), {.line_bytes_max = 1000}), "line 1: longer than 1000 bytes");
}

TEST(DecimalMillisTest, RoundsHalfUpWithoutDoubles) {
  EXPECT_EQ(parse_decimal_millis("1796062177.8184999999999999", 1000), 1'796'062'177'818);
  EXPECT_EQ(parse_decimal_millis("1796062177.8185", 1000), 1'796'062'177'819);
  EXPECT_EQ(parse_decimal_millis("1.796062177818e9", 1000), 1'796'062'177'818);
  EXPECT_EQ(parse_decimal_millis("-0.0015", 1000), -2);
  EXPECT_EQ(parse_decimal_millis("9223372036854775807", 1), INT64_MAX);
  EXPECT_EQ(parse_decimal_millis("0e400", 1000), 0);
}

TEST(DecimalMillisTest, RefusesWhatIsNoTime) {
  for (const std::string_view text : {"", ".", "-", "1e", "1e+-5", "NaN", "1.2.3", "9223372036854775808", "1e400", " 1"}) {
    EXPECT_FALSE(parse_decimal_millis(text, 1)) << text;
  }
}

}  // namespace
}  // namespace seedance
