#include "base/time_text.h"

#include <array>
#include <charconv>
#include <cstdio>
#include <optional>

namespace seedance {
namespace {

// Days since 1970-01-01 and back, proleptic Gregorian: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms".
std::int64_t days_from_civil(std::int64_t y, unsigned m, unsigned d) {
  y -= m <= 2 ? 1 : 0;
  const std::int64_t era = (y >= 0 ? y : y - 399) / 400;
  const auto yoe = static_cast<unsigned>(y - era * 400);
  const unsigned doy = (153 * (m > 2 ? m - 3 : m + 9) + 2) / 5 + d - 1;
  const unsigned doe = yoe * 365 + yoe / 4 - yoe / 100 + doy;
  return era * 146'097 + static_cast<std::int64_t>(doe) - 719'468;
}

struct Civil {
  std::int64_t year;
  unsigned month;
  unsigned day;
};

Civil civil_from_days(std::int64_t z) {
  z += 719'468;
  const std::int64_t era = (z >= 0 ? z : z - 146'096) / 146'097;
  const auto doe = static_cast<unsigned>(z - era * 146'097);
  const unsigned yoe = (doe - doe / 1460 + doe / 36'524 - doe / 146'096) / 365;
  const unsigned doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
  const unsigned mp = (5 * doy + 2) / 153;
  const unsigned month = mp < 10 ? mp + 3 : mp - 9;
  return {static_cast<std::int64_t>(yoe) + era * 400 + (month <= 2 ? 1 : 0), month, doy - (153 * mp + 2) / 5 + 1};
}

// Reads exactly `width` digits at the front.
bool take_digits(std::string_view& text, std::size_t width, int& out) {
  if (text.size() < width) return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + width, out);
  if (error != std::errc{} || end != text.data() + width || text.front() == '-') return false;
  text.remove_prefix(width);
  return true;
}

bool take(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

// The fraction after the dot, as nanoseconds.
bool take_fraction(std::string_view& text, std::int64_t& nanos) {
  std::int64_t unit = kNanosPerSecond / 10;
  std::size_t digits = 0;
  for (; !text.empty() && text.front() >= '0' && text.front() <= '9'; text.remove_prefix(1), ++digits, unit /= 10) {
    nanos += unit * (text.front() - '0');
  }
  return digits > 0 && digits <= 9;
}

bool take_offset(std::string_view& text, std::int64_t& seconds) {
  if (take(text, 'Z')) return true;
  const bool east = take(text, '+');
  if (!east && !take(text, '-')) return false;
  int hours = 0;
  int minutes = 0;
  if (!take_digits(text, 2, hours) || !take(text, ':') || !take_digits(text, 2, minutes)) return false;
  seconds = (east ? 1 : -1) * (hours * 3600 + minutes * 60);
  return hours < 24 && minutes < 60;
}

// "14:00", "14:00:10" or "14:00:10.5".
bool take_time_of_day(std::string_view& text, std::int64_t& nanos, bool& has_seconds) {
  int hour = 0;
  int minute = 0;
  int second = 0;
  if (!take_digits(text, 2, hour) || !take(text, ':') || !take_digits(text, 2, minute) || hour > 23 || minute > 59) return false;
  has_seconds = take(text, ':');
  if (has_seconds && (!take_digits(text, 2, second) || second > 60)) return false;
  if (has_seconds && take(text, '.') && !take_fraction(text, nanos)) return false;
  nanos += (hour * 3600 + minute * 60 + second) * kNanosPerSecond;
  return true;
}

TimePoint floor_seconds(std::int64_t nanos) {
  const std::int64_t rest = nanos % kNanosPerSecond;
  return time_from_nanos(nanos - (rest < 0 ? rest + kNanosPerSecond : rest));
}

// What stands in a text: a wall clock's time, and how far that clock is ahead of UTC where the text says it.
struct WrittenTime {
  std::int64_t wall_nanos = 0;
  bool has_time = false;
  std::optional<std::int64_t> offset_seconds;
};

std::optional<WrittenTime> read_time(std::string_view text) {
  int year = 0;
  int month = 0;
  int day = 0;
  if (!take_digits(text, 4, year) || !take(text, '-') || !take_digits(text, 2, month) || !take(text, '-') || !take_digits(text, 2, day) || month < 1 ||
      month > 12 || day < 1 || day > 31 || year < 1700 || year > 2200) {
    return std::nullopt;
  }
  const std::int64_t days = days_from_civil(year, static_cast<unsigned>(month), static_cast<unsigned>(day));
  if (civil_from_days(days).day != static_cast<unsigned>(day)) return std::nullopt;  // 30 February
  WrittenTime out;
  out.wall_nanos = days * 86'400 * kNanosPerSecond;
  if (text.empty()) return out;
  std::int64_t nanos = 0;
  bool has_seconds = false;
  if (!(take(text, 'T') || take(text, ' ')) || !take_time_of_day(text, nanos, has_seconds)) return std::nullopt;
  out.wall_nanos += nanos;
  out.has_time = true;
  if (text.empty()) return out;
  std::int64_t offset_seconds = 0;
  if (!has_seconds || !take_offset(text, offset_seconds) || !text.empty()) return std::nullopt;
  out.offset_seconds = offset_seconds;
  return out;
}

std::string wall_clock_text(TimePoint t) {
  constexpr std::int64_t kDay = 86'400 * kNanosPerSecond;
  std::int64_t days = nanos_of(t) / kDay;
  std::int64_t rest = nanos_of(t) % kDay;
  if (rest < 0) {
    rest += kDay;
    --days;
  }
  const Civil date = civil_from_days(days);
  const std::int64_t seconds = rest / kNanosPerSecond;
  const std::int64_t millis = rest % kNanosPerSecond / 1'000'000;
  std::array<char, 48> out{};
  int length = std::snprintf(out.data(), out.size(), "%04lld-%02u-%02uT%02lld:%02lld:%02lld", static_cast<long long>(date.year),
                             date.month, date.day, static_cast<long long>(seconds / 3600),
                             static_cast<long long>(seconds / 60 % 60), static_cast<long long>(seconds % 60));
  std::string text(out.data(), static_cast<std::size_t>(length));
  if (millis != 0) {
    length = std::snprintf(out.data(), out.size(), ".%03lld", static_cast<long long>(millis));
    text.append(out.data(), static_cast<std::size_t>(length));
  }
  return text;
}

tl::unexpected<Error> not_an_instant(std::string_view text) {
  return fail(Code::kInvalid, "not an instant: " + std::string(text.substr(0, 40)), "write 2026-11-30T14:00:00Z or 2026-11-30T14:00:00+08:00");
}

struct DurationUnit {
  char letter;
  std::int64_t seconds;
};
constexpr std::array<DurationUnit, 5> kUnits{{{'w', 604'800}, {'d', 86'400}, {'h', 3'600}, {'m', 60}, {'s', 1}}};

}  // namespace

Result<TimePoint> parse_time(std::string_view text) {
  const std::optional<WrittenTime> written = read_time(text);
  if (!written || (written->has_time && !written->offset_seconds)) return not_an_instant(text);
  return time_from_nanos(written->wall_nanos - written->offset_seconds.value_or(0) * kNanosPerSecond);
}

Result<TimePoint> parse_time(std::string_view text, const TimeZone& zone) {
  const std::optional<WrittenTime> written = read_time(text);
  if (!written) return not_an_instant(text);
  if (written->offset_seconds) return time_from_nanos(written->wall_nanos - *written->offset_seconds * kNanosPerSecond);
  const TimePoint second = floor_seconds(written->wall_nanos);
  return zone.at_wall_clock(nanos_of(second) / kNanosPerSecond) + Nanos{written->wall_nanos - nanos_of(second)};
}

std::string print_time(TimePoint t) { return wall_clock_text(t) + "Z"; }

std::string print_time(TimePoint t, const TimeZone& zone) {
  if (zone.is_utc()) return print_time(t);
  return wall_clock_text(t + Nanos{zone.offset_seconds(t) * kNanosPerSecond}) + print_offset(t, zone);
}

std::string print_offset(TimePoint t, const TimeZone& zone) {
  if (zone.is_utc()) return "UTC";
  const std::int64_t minutes = zone.offset_seconds(t) / 60;
  const std::int64_t size = minutes < 0 ? -minutes : minutes;
  std::array<char, 16> out{};
  std::snprintf(out.data(), out.size(), "%c%02d:%02d", minutes < 0 ? '-' : '+', static_cast<int>(size / 60 % 100), static_cast<int>(size % 60));
  return out.data();
}

Result<Nanos> parse_duration(std::string_view text) {
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error == std::errc{} && end + 1 == text.data() + text.size() && count > 0 && count < 1'000'000) {
    for (const DurationUnit& unit : kUnits) {
      if (unit.letter == *end) return Nanos{count * unit.seconds * kNanosPerSecond};
    }
  }
  return fail(Code::kInvalid, "not a duration: " + std::string(text.substr(0, 40)), "write a number and one of s, m, h, d, w, such as 24h");
}

std::string print_duration(Nanos d) {
  const std::int64_t seconds = d.count() / kNanosPerSecond;
  for (const DurationUnit& unit : kUnits) {
    if (unit.letter == 'w' || unit.letter == 'd') continue;  // hours read better than days in a configuration
    if (seconds % unit.seconds == 0) return std::to_string(seconds / unit.seconds) + unit.letter;
  }
  return std::to_string(seconds) + "s";
}

}  // namespace seedance
