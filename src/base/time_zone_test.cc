#include "base/time_zone.h"

#include <gtest/gtest.h>

#include "base/time_text.h"

namespace seedance {
namespace {

TimeZone zone_called(const char* name) {
  const Result<TimeZone> zone = TimeZone::named(name);
  EXPECT_TRUE(zone) << name << ": is the package tzdata installed?";
  return zone.value_or(TimeZone{});
}

// What a wall clock's time is in UTC.
std::string utc_of(const char* written, const TimeZone& zone) {
  const Result<TimePoint> t = parse_time(written, zone);
  return t ? print_time(*t) : t.error().message;
}

std::string shown(const char* utc, const TimeZone& zone) { return print_time(parse_time(utc).value(), zone); }

TEST(TimeZoneTest, UtcIsTheDefaultAndNeedsNoData) {
  const TimeZone utc;
  EXPECT_EQ(utc.name(), "UTC");
  EXPECT_TRUE(utc.is_utc());
  EXPECT_EQ(TimeZone::named("UTC").value(), utc);
  EXPECT_EQ(TimeZone::named("Etc/UTC").value(), utc) << "what containers set";
  EXPECT_EQ(shown("2026-11-30T14:03:10Z", utc), "2026-11-30T14:03:10Z");
  EXPECT_EQ(print_offset(TimePoint{}, utc), "UTC");
  EXPECT_EQ(utc_of("2026-11-30", utc), "2026-11-30T00:00:00Z");
}

TEST(TimeZoneTest, NamesThatAreNoZonesAreRefused) {
  for (const char* name : {"", "Mars/Olympus", "Asia", "asia", "+08:00", "UTC+8", "CST-8", "localtime", "Fixed/UTC+08:00:00", "../../../etc/passwd", "/etc/localtime",
                           "Asia/../Asia/Tokyo", "posix/Asia/Tokyo", "right/Asia/Tokyo", "zone.tab", "Asia/Shanghai\n", "Asia/Shanghai/"}) {
    EXPECT_FALSE(TimeZone::named(name)) << name;
  }
  EXPECT_FALSE(TimeZone::named(std::string(1'000'000, 'A')));
  EXPECT_EQ(TimeZone::named("Mars/Olympus").error().message, "unknown time zone: Mars/Olympus");
}

TEST(TimeZoneTest, ShanghaiIsEightHoursAhead) {
  const TimeZone zone = zone_called("Asia/Shanghai");
  EXPECT_EQ(shown("2026-11-30T18:03:10.005Z", zone), "2026-12-01T02:03:10.005+08:00");
  EXPECT_EQ(print_offset(TimePoint{}, zone), "+08:00");
  EXPECT_EQ(utc_of("2026-11-30", zone), "2026-11-29T16:00:00Z");
  EXPECT_EQ(utc_of("2026-11-30T14:00", zone), "2026-11-30T06:00:00Z");
  EXPECT_EQ(utc_of("2026-11-30 14:00:10.5", zone), "2026-11-30T06:00:10.500Z");
  EXPECT_EQ(utc_of("1969-12-31T23:59:59.999", zone), "1969-12-31T15:59:59.999Z");
}

TEST(TimeZoneTest, AnOffsetInTheTextWins) {
  const TimeZone zone = zone_called("Asia/Shanghai");
  EXPECT_EQ(utc_of("2026-11-30T14:00:00Z", zone), "2026-11-30T14:00:00Z");
  EXPECT_EQ(utc_of("2026-11-30T14:00:00-03:30", zone), "2026-11-30T17:30:00Z");
  EXPECT_EQ(utc_of("2026-11-30T14:00Z", zone), "not an instant: 2026-11-30T14:00Z");
  EXPECT_EQ(utc_of("2026-11-30T25:00", zone), "not an instant: 2026-11-30T25:00");
}

TEST(TimeZoneTest, HalfHoursAndNegativeOffsetsArePrinted) {
  const TimeZone india = zone_called("Asia/Kolkata");
  EXPECT_EQ(shown("2026-11-30T14:00:00Z", india), "2026-11-30T19:30:00+05:30");
  EXPECT_EQ(utc_of("2026-11-30", india), "2026-11-29T18:30:00Z");
  EXPECT_EQ(print_offset(parse_time("2026-07-01").value(), zone_called("America/St_Johns")), "-02:30");
}

TEST(TimeZoneTest, InSpringAnHourIsSkipped) {
  const TimeZone zone = zone_called("Europe/Berlin");
  EXPECT_EQ(utc_of("2026-03-29T01:59:59", zone), "2026-03-29T00:59:59Z");
  EXPECT_EQ(utc_of("2026-03-29T02:30", zone), "2026-03-29T01:00:00Z") << "the moment of the jump";
  EXPECT_EQ(utc_of("2026-03-29T03:00", zone), "2026-03-29T01:00:00Z");
  EXPECT_EQ(*parse_time("2026-03-30", zone) - *parse_time("2026-03-29", zone), std::chrono::hours(23));
  EXPECT_EQ(shown("2026-03-29T00:59:59Z", zone), "2026-03-29T01:59:59+01:00");
  EXPECT_EQ(shown("2026-03-29T01:00:00Z", zone), "2026-03-29T03:00:00+02:00");
}

TEST(TimeZoneTest, InAutumnAnHourComesTwice) {
  const TimeZone zone = zone_called("Europe/Berlin");
  EXPECT_EQ(utc_of("2026-10-25T02:30", zone), "2026-10-25T00:30:00Z") << "the first one";
  EXPECT_EQ(utc_of("2026-10-25T03:00", zone), "2026-10-25T02:00:00Z");
  EXPECT_EQ(*parse_time("2026-10-26", zone) - *parse_time("2026-10-25", zone), std::chrono::hours(25));
  EXPECT_EQ(shown("2026-10-25T00:30:00Z", zone), "2026-10-25T02:30:00+02:00");
  EXPECT_EQ(shown("2026-10-25T01:30:00Z", zone), "2026-10-25T02:30:00+01:00");
}

TEST(TimeZoneTest, WhatIsPrintedIsReadBack) {
  for (const char* name : {"UTC", "Asia/Shanghai", "Asia/Kolkata", "Europe/Berlin", "Australia/Lord_Howe", "Pacific/Apia", "America/St_Johns"}) {
    const TimeZone zone = zone_called(name);
    for (std::int64_t second = -7'000'000'000; second < 6'000'000'000; second += 7'777'777) {
      const TimePoint t = time_from_seconds(second);
      ASSERT_EQ(parse_time(print_time(t, zone)).value(), t) << name << " " << print_time(t, zone);
    }
  }
}

}  // namespace
}  // namespace seedance
