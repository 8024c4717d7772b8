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

std::string memory_text(const LedgerSums& sums) {
  if (sums.gpu_memory_nanos <= 0) return "-";
  const double bytes_per_gib_second = static_cast<double>(std::int64_t{1} << 30) * static_cast<double>(sums.gpu_memory_nanos) / 1e9;
  const auto gib = [&](Int128 byte_seconds) { return static_cast<double>(byte_seconds) / bytes_per_gib_second; };
  char text[64];
  std::snprintf(text, sizeof text, "%.1f/%.0fGi", gib(sums.gpu_memory_used), gib(sums.gpu_memory_size));
  return text;
}

std::string age_text(Nanos age) {
  const std::int64_t seconds = std::max<std::int64_t>(0, age.count() / kNanosPerSecond);
  const std::int64_t minutes = seconds / 60;
  const std::int64_t hours = minutes / 60;
  const std::int64_t days = hours / 24;
  const auto pair = [](std::int64_t large, const char* unit, std::int64_t small, const char* small_unit) {
    return std::to_string(large) + unit + (small > 0 ? std::to_string(small) + small_unit : "");
  };
  if (minutes < 2) return std::to_string(seconds) + "s";
  if (hours < 1) return std::to_string(minutes) + "m";
  if (hours < 8) return pair(hours, "h", minutes % 60, "m");
  if (days < 1) return std::to_string(hours) + "h";
  return days < 8 ? pair(days, "d", hours % 24, "h") : std::to_string(days) + "d";
}

std::string change_text(MoneySum now, std::optional<MoneySum> before) {
  if (!before || (*before == 0 && now == 0)) return "-";
  if (*before == 0) return "new";
  const Int128 percent = (now - *before) * 100 * kOne / absolute(*before);
  return (percent < 0 ? "" : "+") + print_rounded(percent, 1) + "%";
}

std::string minute_text(TimePoint t, const TimeZone& zone) {
  std::string text = print_time(t, zone).substr(0, 16);
  text[10] = ' ';
  return text;
}

std::string day_text(TimePoint t, const TimeZone& zone) {
  const std::string text = minute_text(t, zone);
  return text.ends_with(" 00:00") ? text.substr(0, 10) : text;
}

std::string instant_text(TimePoint t, const TimeZone& zone) { return minute_text(t, zone) + " " + print_offset(t, zone); }

// One offset at the end speaks for both times, unless the clock was changed between them.
std::string window_text(Interval window, const TimeZone& zone) {
  const std::string from = minute_text(window.from, zone);
  const std::string to = minute_text(window.to, zone);
  const bool same_year = from.substr(0, 4) == to.substr(0, 4);
  const std::string offset = print_offset(window.to, zone);
  const std::string offset_before = print_offset(window.from, zone);
  return from + (offset_before == offset ? "" : " " + offset_before) + " .. " + (same_year ? to.substr(5) : to) + " " + offset;
}

}  // namespace seedance
