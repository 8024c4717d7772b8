// The window and the zone of a report as JSON: instants with the offset of the zone, and the zone by its name.
#pragma once

#include "base/time_zone.h"
#include "json/value.h"

namespace seedance {

// {"from": "2026-11-23T14:00:00+08:00", "to": "..."}
Json window_json(Interval window, const TimeZone& zone);

// The members "window" and "zone" of a report. A zone that this machine does not know is read as UTC: the instants stay right.
Result<Interval> window_from(const Json& report);
TimeZone zone_from(const Json& report);

}  // namespace seedance
