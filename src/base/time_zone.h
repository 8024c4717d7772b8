// Time zones by their IANA names, as values: what a clock on the wall of a place shows at an instant, and back.
//
// Names come from users and from the network, so a name that is no zone of the machine's time-zone data is refused before any file
// is opened. "UTC" needs no data.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/units.h"

namespace seedance {

class TimeZone {
 public:
  TimeZone() = default;  // UTC

  // "Asia/Shanghai", "UTC" (also by its other names, such as "Etc/UTC"). kInvalid for anything else: offsets, paths, "localtime".
  static Result<TimeZone> named(std::string_view name);

  const std::string& name() const { return name_; }
  bool is_utc() const { return rules_ == nullptr; }

  // How far the wall clock is ahead of UTC, in whole minutes (RFC 3339 knows no seconds; before 1972 some zones had them).
  std::int64_t offset_seconds(TimePoint t) const;

  // The instant at which the wall clock shows this, given as seconds since 1970-01-01 00:00 on that clock. A time that the clock
  // shows twice is the first one; a time that it skips is the moment of the jump.
  TimePoint at_wall_clock(std::int64_t wall_seconds) const;

  bool operator==(const TimeZone& other) const { return name_ == other.name_; }

 private:
  std::string name_ = "UTC";
  const void* rules_ = nullptr;  // lives as long as the process; nullptr: UTC
};

}  // namespace seedance
