#include "base/money.h"

#include <random>

#include <gtest/gtest.h>

namespace seedance {
namespace {

TEST(MoneyTest, ParsesExactDecimals) {
  EXPECT_EQ(parse_money("21.957642")->nanos(), 21'957'642'000);
  EXPECT_EQ(parse_money("0")->nanos(), 0);
  EXPECT_EQ(parse_money("-0.000000001")->nanos(), -1);
  EXPECT_EQ(parse_money("12.345678901")->nanos(), 12'345'678'901);
  EXPECT_EQ(parse_money("007.50")->nanos(), 7'500'000'000);
}

TEST(MoneyTest, RefusesWhatIsNotAPlainDecimal) {
  for (const char* text : {"", "-", ".", "1.", ".5", "+1", " 1", "1 ", "1e3", "$1", "1,000", "1.2.3", "--1", "NaN", "0x10", "1.0000000001", "１"}) {
    EXPECT_FALSE(parse_money(text)) << text;
  }
}

TEST(MoneyTest, RefusalsQuoteNoMoreThanFortyBytes) {
  const auto refused = parse_money(std::string(10'000, 'x'));
  ASSERT_FALSE(refused);
  EXPECT_LT(refused.error().message.size(), 100u);
  EXPECT_EQ(refused.error().code, Code::kInvalid);
}

TEST(MoneyTest, LimitsAreThoseOfSixtyFourBits) {
  EXPECT_EQ(parse_money("9223372036.854775807")->nanos(), INT64_MAX);
  EXPECT_FALSE(parse_money("9223372036.854775808"));
  EXPECT_EQ(parse_money("-9223372036.854775808")->nanos(), INT64_MIN);
  EXPECT_FALSE(parse_money("-9223372036.854775809"));
  EXPECT_FALSE(parse_money("99999999999"));
}

TEST(MoneyTest, PrintExactShowsAllNineDecimals) {
  EXPECT_EQ(print_exact(Money::nanos(7'500'000'000)), "7.500000000");
  EXPECT_EQ(print_exact(Money::nanos(-1)), "-0.000000001");
  EXPECT_EQ(print_exact(Money{}), "0.000000000");
  EXPECT_EQ(print_exact(Money::nanos(INT64_MIN)), "-9223372036.854775808");
}

TEST(MoneyTest, PrintExactHoldsSumsBeyondSixtyFourBits) {
  const MoneySum sum = static_cast<MoneySum>(INT64_MAX) * 1'000;
  EXPECT_EQ(print_exact(sum), "9223372036854.775807000");
}

TEST(MoneyTest, ParseOfPrintIsTheSameForAnyAmount) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200'000; ++i) {
    const int shift = static_cast<int>(random() % 64);
    const Money money = Money::nanos(static_cast<std::int64_t>(random()) >> shift);
    const auto parsed = parse_money(print_exact(money));
    ASSERT_TRUE(parsed) << print_exact(money);
    ASSERT_EQ(*parsed, money);
  }
}

TEST(MoneyTest, RoundedTextGroupsThousands) {
  EXPECT_EQ(print_rounded(12'846'204'000'000, 2), "12,846.20");
  EXPECT_EQ(print_rounded(999'000'000'000, 2), "999.00");
  EXPECT_EQ(print_rounded(1'000'000'000'000, 0), "1,000");
  EXPECT_EQ(print_rounded(static_cast<MoneySum>(1'234'567'891'000'000'000), 3), "1,234,567,891.000");
}

TEST(MoneyTest, RoundedTextRoundsHalfAwayFromZero) {
  EXPECT_EQ(print_rounded(1'005'000'000, 2), "1.01");
  EXPECT_EQ(print_rounded(-1'005'000'000, 2), "-1.01");
  EXPECT_EQ(print_rounded(1'004'999'999, 2), "1.00");
  EXPECT_EQ(print_rounded(999'995'000'000, 2), "1,000.00");
  EXPECT_EQ(print_rounded(123'456'789, 9), "0.123456789");
}

TEST(MoneyTest, RoundedZeroHasNoSign) {
  EXPECT_EQ(print_rounded(-4'000'000, 2), "0.00");
  EXPECT_EQ(print_rounded(-5'000'000, 2), "-0.01");
}

TEST(MoneyTest, PriceOfAnHourIsTheRate) {
  EXPECT_EQ(price({21'957'642'000}, kNanosPerHour).nanos(), 21'957'642'000);
  EXPECT_EQ(price({21'957'642'000}, 0).nanos(), 0);
  EXPECT_EQ(price({1}, kNanosPerHour / 2).nanos(), 1) << "half a nano rounds up";
  EXPECT_EQ(price({-1}, kNanosPerHour / 2).nanos(), -1) << "and away from zero";
}

TEST(MoneyTest, ScaleRoundsHalfAwayFromZero) {
  EXPECT_EQ(scale(Money::nanos(1), 1, 2).nanos(), 1);
  EXPECT_EQ(scale(Money::nanos(-1), 1, 2).nanos(), -1);
  EXPECT_EQ(scale(Money::nanos(1), 1, 3).nanos(), 0);
  EXPECT_EQ(scale(Money::nanos(2), 1, 3).nanos(), 1);
  EXPECT_EQ(scale(Money::nanos(INT64_MAX), INT64_MAX, INT64_MAX).nanos(), INT64_MAX) << "the product does not wrap";
}

}  // namespace
}  // namespace seedance
