// Money: an exact number of nano-units (10^-9) of one currency. Currency travels beside it on every row.
//
// There is no way from `double` to `Money`. An int64 holds 9.2 billion units; sums over many rows use `MoneySum`.
// Parsing and printing are exact: parse(print(x)) == x.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/units.h"

namespace seedance {

class Money {
 public:
  constexpr Money() = default;
  static constexpr Money nanos(std::int64_t n) { return Money(n); }
  constexpr std::int64_t nanos() const { return nanos_; }

  friend constexpr auto operator<=>(const Money&, const Money&) = default;
  friend constexpr Money operator+(Money a, Money b) { return Money(a.nanos_ + b.nanos_); }
  friend constexpr Money operator-(Money a, Money b) { return Money(a.nanos_ - b.nanos_); }
  constexpr Money& operator+=(Money other) { nanos_ += other.nanos_; return *this; }
  constexpr Money& operator-=(Money other) { nanos_ -= other.nanos_; return *this; }

 private:
  explicit constexpr Money(std::int64_t n) : nanos_(n) {}
  std::int64_t nanos_ = 0;
};

// A sum that cannot wrap. Printed like Money.
using MoneySum = Int128;

// Nano-units for one unit (core, GiB, GPU, node) held for one hour.
struct HourlyRate {
  std::int64_t nanos_per_unit_hour = 0;
  friend constexpr auto operator<=>(const HourlyRate&, const HourlyRate&) = default;
};

// rate x time, rounded half away from zero. `unit_nanoseconds` is units x nanoseconds held.
constexpr Money price(HourlyRate rate, Int128 unit_nanoseconds) {
  const Int128 scaled = static_cast<Int128>(rate.nanos_per_unit_hour) * unit_nanoseconds;
  const Int128 half = scaled < 0 ? -kNanosPerHour / 2 : kNanosPerHour / 2;
  return Money::nanos(static_cast<std::int64_t>((scaled + half) / kNanosPerHour));
}
static_assert(price({30'000'000}, 900'000'000'000).nanos() == 7'500'000);     // a quarter core for an hour in one piece
static_assert(price({30'000'000}, 250'000'000).nanos() * 3600 == 7'498'800);  // the same as 3600 rounded seconds

// amount x num / den, rounded half away from zero. `den` > 0.
Money scale(Money amount, std::int64_t num, std::int64_t den);

// "12.345678901" or "-0.5": up to 9 decimals, no exponent, no currency sign, no blanks.
Result<Money> parse_money(std::string_view text);

// All nine decimals: "7.500000000". Exports, JSON, detail views.
std::string print_exact(MoneySum nanos);
inline std::string print_exact(Money money) { return print_exact(static_cast<MoneySum>(money.nanos())); }

// Rounded half away from zero to `decimals` (0..9), with thousands separators: "12,846.20".
std::string print_rounded(MoneySum nanos, int decimals);

}  // namespace seedance
