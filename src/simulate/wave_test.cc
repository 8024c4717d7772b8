#include "simulate/wave.h"

#include <gtest/gtest.h>

#include "simulate/series_sink.h"

namespace seedance {
namespace {

using std::chrono::seconds;

constexpr Wave kTwelveOfThirty{.level_millis = 1000, .rest_millis = 100, .period = seconds(30), .burst = seconds(12)};

TEST(WaveTest, BurstsFillTheStartOfEveryPeriod) {
  EXPECT_EQ(wave_value(kTwelveOfThirty, seconds(0)), 1000);
  EXPECT_EQ(wave_value(kTwelveOfThirty, seconds(11)), 1000);
  EXPECT_EQ(wave_value(kTwelveOfThirty, seconds(12)), 100);
  EXPECT_EQ(wave_value(kTwelveOfThirty, seconds(30)), 1000);
  EXPECT_EQ(wave_value(kTwelveOfThirty, seconds(-1)), 100);
  EXPECT_EQ(wave_value(kTwelveOfThirty, seconds(-30)), 1000);
}

TEST(WaveTest, TheIntegralIsTheSumOfItsSeconds) {
  for (int from = -65; from < 65; from += 7) {
    Int128 sum = 0;
    for (int at = from; at < from + 100; ++at)
      sum += Int128{wave_value(kTwelveOfThirty, seconds(at))} * kNanosPerSecond;
    EXPECT_TRUE(wave_integral(kTwelveOfThirty, seconds(from), seconds(from + 100)) == sum) << from;
  }
  EXPECT_TRUE(wave_integral(kTwelveOfThirty, seconds(5), seconds(5)) == 0);
  EXPECT_TRUE(wave_integral(kTwelveOfThirty, seconds(5), seconds(1)) == 0);
}

TEST(WaveTest, TheIntegralNeverFalls) {
  Int128 last = 0;
  for (std::int64_t nanos = 0; nanos < 100 * kNanosPerSecond; nanos += 333'333'333) {
    const Int128 now = wave_integral(kTwelveOfThirty, Nanos{0}, Nanos{nanos});
    EXPECT_TRUE(now >= last);
    last = now;
  }
}

TEST(SeriesSinkTest, NumbersLookAsGoPrintsThem) {
  EXPECT_EQ(go_number(0), "0");
  EXPECT_EQ(go_number(1), "1");
  EXPECT_EQ(go_number(0.25), "0.25");
  EXPECT_EQ(go_number(0.00001), "1e-05");
  EXPECT_EQ(go_number(999'999), "999999");
  EXPECT_EQ(go_number(1'000'000), "1e+06");
  EXPECT_EQ(go_number(1'772'409'600), "1.7724096e+09");
  EXPECT_EQ(go_number(-2.5), "-2.5");
  EXPECT_EQ(six_decimals(40), "0.000040");
  EXPECT_EQ(six_decimals(75'690'000), "75.690000");
  EXPECT_EQ(six_decimals(-1'500'000), "-1.500000");
}

TEST(SeriesSinkTest, LabelsAreEscapedAndNamesCleaned) {
  EXPECT_EQ(LabelText().add("a", "x\"y\\z\n").str(), "a=\"x\\\"y\\\\z\\n\"");
  EXPECT_EQ(cleaned_name("nvidia.com/mig-1g.5gb"), "nvidia_com_mig_1g_5gb");
}

}  // namespace
}  // namespace seedance
