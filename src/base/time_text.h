// Instants as text and back: RFC 3339, UTC or with an offset.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time_zone.h"
#include "base/units.h"

namespace seedance {

// "2026-11-30T14:03:10Z", "2026-11-30T14:03:10.5+08:00", or a bare "2026-11-30" (midnight UTC).
Result<TimePoint> parse_time(std::string_view text);

// The same; and a date or a time without an offset ("2026-11-30", "2026-11-30T14:00", "2026-11-30 14:00:10") is what the wall clock
// of `zone` shows.
Result<TimePoint> parse_time(std::string_view text, const TimeZone& zone);

// "2026-11-30T14:03:10Z"; a fraction of a second is kept as milliseconds.
std::string print_time(TimePoint t);

// "2026-11-30T22:03:10+08:00"; "...Z" for UTC.
std::string print_time(TimePoint t, const TimeZone& zone);

// "+08:00", "-03:30"; "UTC" for UTC itself.
std::string print_offset(TimePoint t, const TimeZone& zone);

// A length such as "90s", "5m", "24h", "7d", "2w". No fractions, > 0.
Result<Nanos> parse_duration(std::string_view text);

// The inverse, in the largest unit that divides: "24h", "90s".
std::string print_duration(Nanos d);

}  // namespace seedance
