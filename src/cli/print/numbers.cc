#include "cli/print/numbers.h"

#include "base/time_text.h"

namespace seedance {
namespace {

constexpr Int128 kOne = 1'000'000'000;  // what print_rounded calls one unit
constexpr Int128 kCent = kOne / 100;
constexpr Int128 kTenth = kOne / 10;
constexpr Int128 kSecondsPerHour = 3'600;

Int128 absolute(Int128 n) { return n < 0 ? -n : n; }

}  // namespace

std::string money_text(MoneySum nanos) {
  if (nanos != 0 && absolute(nanos) * 2 < kCent) return nanos > 0 ? "< 0.01" : "> -0.01";
  return print_rounded(nanos, 2);
}

std::string hours_text(Int128 unit_nanos) {
  const Int128 hours = unit_nanos / kSecondsPerHour;
  if (hours != 0 && absolute(hours) * 2 < kTenth) return hours > 0 ? "< 0.1" : "> -0.1";
  return print_rounded(hours, 1);
}

std::string card_count(std::int64_t gpu_millis) {
  std::string text = print_exact(MoneySum{gpu_millis} * (kOne / 1'000));
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string percent_text(Int128 part, Int128 whole) {
  if (whole == 0) return "-";
  const Int128 percent = part * 100 * kOne / whole;
  if (percent != 0 && absolute(percent) * 2 < kTenth) return percent > 0 ? "< 0.1%" : "> -0.1%";
  return print_rounded(percent, 1) + "%";
}

// Of the hours as they travel, so that a store and a server show the same digits.
std::string activity_text(const LedgerSums& sums) { return percent_text(sums.gpu_active / kSecondsPerHour, sums.gpu_measured / kSecondsPerHour); }

std::string change_text(MoneySum now, std::optional<MoneySum> before) {
  if (!before || (*before == 0 && now == 0)) return "-";
  if (*before == 0) return "new";
  const Int128 percent = (now - *before) * 100 * kOne / absolute(*before);
  return (percent < 0 ? "" : "+") + print_rounded(percent, 1) + "%";
}

std::string minute_text(TimePoint t) {
  std::string text = print_time(t).substr(0, 16);
  text[10] = ' ';
  return text;
}

std::string window_text(Interval window) {
  const std::string from = minute_text(window.from);
  const std::string to = minute_text(window.to);
  const bool same_year = from.substr(0, 4) == to.substr(0, 4);
  return from + " .. " + (same_year ? to.substr(5) : to) + " UTC";
}

}  // namespace seedance
