#include "base/money.h"

#include <algorithm>

namespace seedance {
namespace {

constexpr std::int64_t kNanosPerUnit = 1'000'000'000;
constexpr int kDecimals = 9;

std::string digits_of(Int128 value) {  // value >= 0
  if (value == 0) return "0";
  std::string out;
  for (; value > 0; value /= 10) out.push_back(static_cast<char>('0' + static_cast<int>(value % 10)));
  std::reverse(out.begin(), out.end());
  return out;
}

tl::unexpected<Error> bad_amount(std::string_view text) {
  return fail(Code::kInvalid, "not an amount of money: " + std::string(text.substr(0, 40)),
              "write digits with at most nine decimals, such as 21.957642");
}

}  // namespace

Money scale(Money amount, std::int64_t num, std::int64_t den) {
  const Int128 scaled = static_cast<Int128>(amount.nanos()) * num;
  const Int128 half = scaled < 0 ? -static_cast<Int128>(den) / 2 : static_cast<Int128>(den) / 2;
  return Money::nanos(static_cast<std::int64_t>((scaled + half) / den));
}

Result<Money> parse_money(std::string_view text) {
  std::string_view rest = text;
  const bool negative = !rest.empty() && rest.front() == '-';
  if (negative) rest.remove_prefix(1);
  const std::size_t dot = rest.find('.');
  const std::string_view whole = rest.substr(0, dot);
  const std::string_view fraction = dot == std::string_view::npos ? std::string_view{} : rest.substr(dot + 1);
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (whole.empty() || whole.size() > 10 || fraction.size() > kDecimals ||
      (dot != std::string_view::npos && fraction.empty()) || !std::all_of(whole.begin(), whole.end(), is_digit) ||
      !std::all_of(fraction.begin(), fraction.end(), is_digit)) {
    return bad_amount(text);
  }
  Int128 nanos = 0;
  for (const char c : whole) nanos = nanos * 10 + (c - '0');
  for (int i = 0; i < kDecimals; ++i) {
    const auto at = static_cast<std::size_t>(i);
    nanos = nanos * 10 + (at < fraction.size() ? fraction[at] - '0' : 0);
  }
  if (negative) nanos = -nanos;
  if (nanos > INT64_MAX || nanos < INT64_MIN) return bad_amount(text);
  return Money::nanos(static_cast<std::int64_t>(nanos));
}

std::string print_exact(MoneySum nanos) {
  const Int128 magnitude = nanos < 0 ? -nanos : nanos;
  std::string fraction = digits_of(magnitude % kNanosPerUnit);
  fraction.insert(0, static_cast<std::size_t>(kDecimals) - fraction.size(), '0');
  return (nanos < 0 ? "-" : "") + digits_of(magnitude / kNanosPerUnit) + "." + fraction;
}

std::string print_rounded(MoneySum nanos, int decimals) {
  Int128 step = 1;
  for (int i = decimals; i < kDecimals; ++i) step *= 10;
  const Int128 magnitude = ((nanos < 0 ? -nanos : nanos) + step / 2) / step;
  Int128 scale_up = 1;
  for (int i = 0; i < decimals; ++i) scale_up *= 10;
  std::string whole = digits_of(magnitude / scale_up);
  for (std::size_t at = whole.size(); at > 3; at -= 3) whole.insert(at - 3, ",");
  if (decimals > 0) {
    std::string fraction = digits_of(magnitude % scale_up);
    fraction.insert(0, static_cast<std::size_t>(decimals) - fraction.size(), '0');
    whole += "." + fraction;
  }
  return (nanos < 0 && magnitude != 0 ? "-" : "") + whole;
}

}  // namespace seedance
