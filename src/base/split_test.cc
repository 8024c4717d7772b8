#include "base/split.h"

#include <random>

#include <gtest/gtest.h>

namespace seedance {
namespace {

std::vector<std::int64_t> split_nanos(std::int64_t whole, const std::vector<Int128>& weights) {
  std::vector<std::int64_t> out;
  for (const Money part : split(Money::nanos(whole), weights)) out.push_back(part.nanos());
  return out;
}

Int128 sum_of_parts(const std::vector<Money>& parts) {
  Int128 sum = 0;
  for (const Money part : parts) sum += part.nanos();
  return sum;
}

using Parts = std::vector<std::int64_t>;

TEST(SplitTest, LeftoverGoesToTheLargestRemainder) { EXPECT_EQ(split_nanos(10, {3, 3, 1}), (Parts{4, 4, 2})); }

TEST(SplitTest, TiesGoToTheSmallerIndex) {
  EXPECT_EQ(split_nanos(1, {1, 1, 1}), (Parts{1, 0, 0}));
  EXPECT_EQ(split_nanos(5, {1, 1, 1}), (Parts{2, 2, 1}));
}

TEST(SplitTest, NegativeAmountsSplitLikePositiveOnes) { EXPECT_EQ(split_nanos(-5, {1, 1, 1}), (Parts{-2, -2, -1})); }

TEST(SplitTest, ZeroWeightGetsNothing) { EXPECT_EQ(split_nanos(7, {0, 1, 0, 1}), (Parts{0, 4, 0, 3})); }

TEST(SplitTest, ZeroAmountGivesZeros) { EXPECT_EQ(split_nanos(0, {5, 9}), (Parts{0, 0})); }

TEST(SplitTest, OneWeightGetsEverythingAtBothLimits) {
  EXPECT_EQ(split_nanos(INT64_MAX, {1}), (Parts{INT64_MAX}));
  EXPECT_EQ(split_nanos(INT64_MIN, {0, 7}), (Parts{0, INT64_MIN}));
}

TEST(SplitTest, WeightsOfAnySizeKeepTheRatio) {
  const Int128 huge = static_cast<Int128>(1) << 124;
  EXPECT_EQ(split_nanos(9'000'000'000, {huge, 2 * huge}), (Parts{3'000'000'000, 6'000'000'000}));
}

// The law of the ledger: no nano-unit is lost or made, and every part is within one of its exact share.
void expect_law(std::int64_t whole, const std::vector<Int128>& weights) {
  const std::vector<Money> parts = split(Money::nanos(whole), weights);
  ASSERT_EQ(parts.size(), weights.size());
  ASSERT_EQ(sum_of_parts(parts), static_cast<Int128>(whole));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    ASSERT_FALSE(whole >= 0 && parts[i] < Money{});
    ASSERT_FALSE(whole <= 0 && parts[i] > Money{});
    ASSERT_TRUE(weights[i] != 0 || parts[i] == Money{});
  }
}

TEST(SplitTest, SumOfPartsIsTheWholeForTwoMillionRandomParts) {
  std::mt19937_64 random(20260301);
  std::size_t parts = 0;
  while (parts < 2'000'000) {
    const std::size_t count = 1 + random() % 400;
    const int weight_shift = static_cast<int>(random() % 110);
    std::vector<Int128> weights(count);
    for (Int128& w : weights) {
      if (random() % 5 == 0) continue;  // zeros
      const Int128 wide = (static_cast<Int128>(random() >> 1) << 53) | static_cast<Int128>(random() >> 11);
      w = wide >> weight_shift;
    }
    weights[random() % count] += 1;
    const std::int64_t whole = static_cast<std::int64_t>(random()) >> (random() % 64);
    expect_law(whole, weights);
    if (testing::Test::HasFatalFailure()) return;
    parts += count;
  }
}

TEST(SplitTest, EveryPartIsWithinOneNanoOfItsShare) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 2'000; ++round) {
    std::vector<Int128> weights(1 + random() % 50);
    Int128 total = 0;
    for (Int128& w : weights) total += w = static_cast<Int128>(random() % 1'000'000);
    if (total == 0) continue;
    const auto whole = static_cast<std::int64_t>(random() % 1'000'000'000'000'000);
    const std::vector<Money> parts = split(Money::nanos(whole), weights);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Int128 low = static_cast<Int128>(whole) * weights[i] / total;
      ASSERT_TRUE(parts[i].nanos() == low || parts[i].nanos() == low + 1);
    }
  }
}

TEST(SplitTest, MoreWeightNeverGetsLess) {
  std::mt19937_64 random(8);
  for (int round = 0; round < 2'000; ++round) {
    std::vector<Int128> weights(2 + random() % 30);
    for (Int128& w : weights) w = 1 + static_cast<Int128>(random() % 1'000);
    const std::vector<Money> parts = split(Money::nanos(static_cast<std::int64_t>(random() % 100'000)), weights);
    for (std::size_t i = 1; i < parts.size(); ++i) {
      ASSERT_TRUE(weights[i] <= weights[i - 1] || parts[i] >= parts[i - 1]);
      ASSERT_TRUE(weights[i] >= weights[i - 1] || parts[i] <= parts[i - 1]);
    }
  }
}

}  // namespace
}  // namespace seedance
