// Where time comes from. Engines take instants as arguments; only `app`, `net` and `programs` hold a Clock.
#pragma once

#include <atomic>

#include "base/units.h"

namespace seedance {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual TimePoint now() const = 0;  // any thread
};

class SystemClock final : public Clock {
 public:
  TimePoint now() const override { return std::chrono::time_point_cast<Nanos>(std::chrono::system_clock::now()); }
};

// Stands still until told otherwise: tests and replays.
class ManualClock final : public Clock {
 public:
  explicit ManualClock(TimePoint start) : nanos_(nanos_of(start)) {}
  TimePoint now() const override { return time_from_nanos(nanos_.load()); }
  void set(TimePoint t) { nanos_.store(nanos_of(t)); }
  void advance(Nanos d) { nanos_.fetch_add(d.count()); }

 private:
  std::atomic<std::int64_t> nanos_;
};

}  // namespace seedance
