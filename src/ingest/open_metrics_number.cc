// The numbers of the text formats: values as doubles, time stamps as exact decimals.
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "base/units.h"
#include "ingest/open_metrics.h"

namespace seedance {
namespace {

bool is_decimal_digit(char c) { return c >= '0' && c <= '9'; }

bool equals_ignoring_case(std::string_view text, std::string_view lower) {
  if (text.size() != lower.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i] >= 'A' && text[i] <= 'Z' ? static_cast<char>(text[i] - 'A' + 'a') : text[i];
    if (c != lower[i]) return false;
  }
  return true;
}

tl::unexpected<Error> not_a_number(std::string_view what, std::string_view text) {
  return fail(Code::kInvalid, std::string(what) + ": " + text_for_message(text));
}

// A decimal number taken apart: mantissa x 10^exponent.
struct Decimal {
  bool negative = false;
  Int128 mantissa = 0;
  int exponent = 0;
};

constexpr int kMantissaDigitsMax = 30;

// Digits with at most one dot. Digits after the first thirty are far below a millisecond and are dropped.
bool take_mantissa(std::string_view& text, Decimal& out) {
  int digits = 0;
  int kept = 0;
  bool after_dot = false;
  for (; !text.empty(); text.remove_prefix(1)) {
    if (text.front() == '.' && !after_dot) {
      after_dot = true;
      continue;
    }
    if (!is_decimal_digit(text.front())) break;
    ++digits;
    if (kept < kMantissaDigitsMax) {
      out.mantissa = out.mantissa * 10 + (text.front() - '0');
      if (out.mantissa != 0) ++kept;
      if (after_dot) --out.exponent;
    } else if (!after_dot) {
      ++out.exponent;
    }
  }
  return digits > 0;
}

bool take_exponent(std::string_view& text, Decimal& out) {
  if (text.empty()) return true;
  if (text.front() != 'e' && text.front() != 'E') return false;
  text.remove_prefix(1);
  if (text.size() > 1 && text.front() == '+' && is_decimal_digit(text[1])) text.remove_prefix(1);
  int exponent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (error != std::errc{} || end != text.data() + text.size() || exponent < -400 || exponent > 400) return false;
  out.exponent += exponent;
  text = {};
  return true;
}

}  // namespace

Result<std::int64_t> parse_decimal_millis(std::string_view text, std::int64_t unit_millis) {
  Decimal decimal;
  std::string_view rest = text.substr(0, 512);
  if (!rest.empty() && (rest.front() == '-' || rest.front() == '+')) {
    decimal.negative = rest.front() == '-';
    rest.remove_prefix(1);
  }
  if (!take_mantissa(rest, decimal) || !take_exponent(rest, decimal) || text.size() > 512) return not_a_number("not a time stamp", text);
  constexpr Int128 kMax = std::numeric_limits<std::int64_t>::max();
  Int128 scaled = decimal.mantissa * unit_millis;  // at most 10^33
  for (; decimal.exponent > 0 && scaled != 0 && scaled <= kMax; --decimal.exponent) scaled *= 10;
  int last_digit = 0;
  for (; decimal.exponent < 0; ++decimal.exponent) {
    last_digit = static_cast<int>(scaled % 10);
    scaled /= 10;
  }
  if (last_digit >= 5) ++scaled;
  if (scaled > kMax) return not_a_number("time stamp out of range", text);
  return static_cast<std::int64_t>(decimal.negative ? -scaled : scaled);
}

Result<double> parse_sample_value(std::string_view text) {
  std::string_view rest = text;
  const bool negative = !rest.empty() && rest.front() == '-';
  if (negative || (!rest.empty() && rest.front() == '+')) rest.remove_prefix(1);
  if (equals_ignoring_case(rest, "nan")) return std::numeric_limits<double>::quiet_NaN();
  if (equals_ignoring_case(rest, "inf") || equals_ignoring_case(rest, "infinity")) {
    return negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  }
  // from_chars would also take "inf..." and "nan(...)"; a number here starts with a digit or a dot.
  if (rest.empty() || !(is_decimal_digit(rest.front()) || rest.front() == '.')) return not_a_number("not a value", text);
  double value = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (end != rest.data() + rest.size() || error == std::errc::invalid_argument) return not_a_number("not a value", text);
  if (error == std::errc::result_out_of_range) {  // too small is zero, too large is refused
    value = std::strtod(std::string(rest).c_str(), nullptr);
    if (std::isinf(value)) return not_a_number("value out of range", text);
  }
  return negative ? -value : value;
}

}  // namespace seedance
