// Exact integer quantities: 128-bit sums, and the instants and durations that every engine uses.
//
// Instants are UTC nanoseconds since the epoch (64 bits: years 1678 to 2262). Prometheus speaks milliseconds; the
// conversion is exact in one direction and truncating in the other.
#pragma once

#include <chrono>
#include <cstdint>
#include <numeric>

namespace seedance {

__extension__ typedef __int128 Int128;

using Nanos = std::chrono::nanoseconds;
using TimePoint = std::chrono::time_point<std::chrono::system_clock, Nanos>;

inline constexpr std::int64_t kNanosPerSecond = 1'000'000'000;
inline constexpr std::int64_t kNanosPerHour = 3'600 * kNanosPerSecond;

constexpr TimePoint time_from_nanos(std::int64_t nanos) { return TimePoint{Nanos{nanos}}; }
constexpr TimePoint time_from_millis(std::int64_t millis) { return TimePoint{Nanos{millis * 1'000'000}}; }
constexpr TimePoint time_from_seconds(std::int64_t seconds) { return TimePoint{Nanos{seconds * kNanosPerSecond}}; }
constexpr std::int64_t nanos_of(TimePoint t) { return t.time_since_epoch().count(); }
constexpr std::int64_t millis_of(TimePoint t) { return nanos_of(t) / 1'000'000; }

// The start of the UTC hour that holds `t`; also right before 1970.
constexpr TimePoint hour_of(TimePoint t) {
  const std::int64_t n = nanos_of(t);
  const std::int64_t rest = n % kNanosPerHour;
  return time_from_nanos(n - (rest < 0 ? rest + kNanosPerHour : rest));
}

// A half-open stretch of time [from, to).
struct Interval {
  TimePoint from;
  TimePoint to;
  constexpr std::int64_t nanos() const { return nanos_of(to) - nanos_of(from); }
  constexpr bool empty() const { return to <= from; }
  constexpr bool contains(TimePoint t) const { return from <= t && t < to; }
  friend constexpr bool operator==(const Interval&, const Interval&) = default;
};

constexpr Interval intersection(Interval a, Interval b) {
  const TimePoint from = a.from < b.from ? b.from : a.from;
  const TimePoint to = a.to < b.to ? a.to : b.to;
  return {from, to < from ? from : to};
}

// A share of one device, kept exact: 3/7 of a MIG card, 1/4 of a time-sliced GPU.
struct Rational {
  std::int64_t num = 0;
  std::int64_t den = 1;  // > 0
  friend constexpr bool operator==(const Rational& a, const Rational& b) {
    return static_cast<Int128>(a.num) * b.den == static_cast<Int128>(b.num) * a.den;
  }
};

constexpr Rational reduced(Rational r) {
  const std::int64_t g = std::gcd(r.num, r.den);
  return g == 0 ? Rational{0, 1} : Rational{r.num / g, r.den / g};
}

}  // namespace seedance
