#include "base/time_text.h"

#include <random>

#include <gtest/gtest.h>

namespace seedance {
namespace {

std::int64_t seconds_of_text(const char* text) {
  const auto parsed = parse_time(text);
  EXPECT_TRUE(parsed) << text;
  return parsed ? nanos_of(*parsed) / kNanosPerSecond : -1;
}

TEST(TimeTextTest, ReadsUtcAndBareDates) {
  EXPECT_EQ(seconds_of_text("1970-01-01T00:00:00Z"), 0);
  EXPECT_EQ(seconds_of_text("2026-11-30T14:03:10Z"), 1'796'047'390);
  EXPECT_EQ(seconds_of_text("2026-11-30"), seconds_of_text("2026-11-30T00:00:00Z"));
  EXPECT_EQ(seconds_of_text("2026-11-30 14:03:10Z"), 1'796'047'390);
}

TEST(TimeTextTest, OffsetsAreTakenOff) {
  EXPECT_EQ(seconds_of_text("2026-11-30T22:03:10+08:00"), 1'796'047'390);
  EXPECT_EQ(seconds_of_text("2026-11-30T10:33:10-03:30"), 1'796'047'390);
  EXPECT_EQ(seconds_of_text("2026-01-01T00:30:00+01:00"), seconds_of_text("2025-12-31T23:30:00Z")) << "over the end of a year";
}

TEST(TimeTextTest, FractionsAreExactNanoseconds) {
  EXPECT_EQ(nanos_of(*parse_time("1970-01-01T00:00:00.123456789Z")), 123'456'789);
  EXPECT_EQ(nanos_of(*parse_time("1970-01-01T00:00:01.5+00:00")), 1'500'000'000);
  EXPECT_FALSE(parse_time("1970-01-01T00:00:00.1234567891Z")) << "ten digits";
}

TEST(TimeTextTest, LeapDaysExistInLeapYearsOnly) {
  EXPECT_EQ(seconds_of_text("2024-02-29"), seconds_of_text("2024-03-01") - 86'400);
  EXPECT_TRUE(parse_time("2000-02-29"));
  for (const char* text : {"2023-02-29", "2100-02-29", "1900-02-29", "2024-02-30", "2026-04-31"}) EXPECT_FALSE(parse_time(text)) << text;
}

TEST(TimeTextTest, InstantsBefore1970GoBothWays) {
  EXPECT_EQ(seconds_of_text("1969-12-31T23:59:59Z"), -1);
  EXPECT_EQ(print_time(time_from_seconds(-1)), "1969-12-31T23:59:59Z");
  EXPECT_EQ(print_time(time_from_millis(-1)), "1969-12-31T23:59:59.999Z");
}

TEST(TimeTextTest, RefusesGarbage) {
  for (const char* text : {"", "now", "2026", "2026-11", "2026-13-01", "2026-00-10", "2026-11-00", "2026-11-32", "26-11-30", "2026-11-30T", "2026-11-30T14:03Z",
                           "2026-11-30T14:03:10", "2026-11-30T24:00:00Z", "2026-11-30T14:60:00Z", "2026-11-30T14:03:61Z", "2026-11-30T14:03:10.Z",
                           "2026-11-30T14:03:10Zx", "2026-11-30T14:03:10+8", "2026-11-30T14:03:10+25:00", "2026-11-30T14:03:10+08:99", "-026-11-30",
                           "2026-1-130", "2026-11-30Z", "9999-01-01", "0001-01-01", "2026-11-30T-1:00:00Z", "2026-11-30T14:03:10+08:00Z"}) {
    EXPECT_FALSE(parse_time(text)) << text;
  }
}

TEST(TimeTextTest, PrintingKeepsMilliseconds) {
  EXPECT_EQ(print_time(time_from_millis(1'796'047'390'000)), "2026-11-30T14:03:10Z");
  EXPECT_EQ(print_time(time_from_millis(1'796'047'390'005)), "2026-11-30T14:03:10.005Z");
}

TEST(TimeTextTest, ParseOfPrintIsTheSameForAnyMillisecond) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 100'000; ++i) {
    const auto span = static_cast<std::int64_t>(random() % 15'000'000'000'000);
    const TimePoint t = time_from_millis(span - 8'000'000'000'000);  // 1716 to 2191
    const auto parsed = parse_time(print_time(t));
    ASSERT_TRUE(parsed) << print_time(t);
    ASSERT_EQ(*parsed, t);
  }
}

TEST(TimeTextTest, HoursStartAtFullHoursAlsoBefore1970) {
  EXPECT_EQ(hour_of(*parse_time("2026-11-30T14:59:59.999Z")), *parse_time("2026-11-30T14:00:00Z"));
  EXPECT_EQ(hour_of(*parse_time("2026-11-30T14:00:00Z")), *parse_time("2026-11-30T14:00:00Z"));
  EXPECT_EQ(hour_of(time_from_seconds(-1)), time_from_seconds(-3'600));
}

TEST(DurationTextTest, ReadsOneNumberAndOneUnit) {
  EXPECT_EQ(*parse_duration("90s"), std::chrono::seconds(90));
  EXPECT_EQ(*parse_duration("5m"), std::chrono::minutes(5));
  EXPECT_EQ(*parse_duration("24h"), std::chrono::hours(24));
  EXPECT_EQ(*parse_duration("7d"), std::chrono::hours(168));
  EXPECT_EQ(*parse_duration("2w"), std::chrono::hours(336));
}

TEST(DurationTextTest, RefusesEverythingElse) {
  for (const char* text : {"", "5", "h", "0s", "-5m", "1.5h", "5 m", "5min", "1h30m", "99999999s", "99999999999999999999h", "5M"}) {
    EXPECT_FALSE(parse_duration(text)) << text;
  }
}

TEST(DurationTextTest, PrintsTheLargestUnitThatDivides) {
  EXPECT_EQ(print_duration(std::chrono::seconds(90)), "90s");
  EXPECT_EQ(print_duration(std::chrono::seconds(120)), "2m");
  EXPECT_EQ(print_duration(std::chrono::hours(24)), "24h");
}

TEST(DurationTextTest, ParseOfPrintIsTheSame) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 10'000; ++i) {
    const Nanos length = std::chrono::seconds(1 + random() % 999'999);
    ASSERT_EQ(*parse_duration(print_duration(length)), length);
  }
}

}  // namespace
}  // namespace seedance
