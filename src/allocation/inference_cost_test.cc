#include "allocation/inference_cost.h"

#include <gtest/gtest.h>

namespace seedance {
namespace {

constexpr Money kSpent = Money::nanos(3'500'000'000);

TEST(InferenceCostTest, TimesDivideTheCost) {
  const InferenceCost cost = inference_cost(kSpent, {4'000'000, 3'000'000, 1'000'000}, PhaseTimes{1'000, 6'000});
  EXPECT_EQ(cost.input, Money::nanos(500'000'000));
  EXPECT_EQ(cost.output, Money::nanos(3'000'000'000));
  EXPECT_EQ(cost.blended_price, Money::nanos(700'000'000)) << "of five million, cached ones too";
  EXPECT_EQ(cost.input_price, Money::nanos(500'000'000)) << "of the million that was read";
  EXPECT_EQ(cost.output_price, Money::nanos(3'000'000'000));
}

TEST(InferenceCostTest, WithoutTimesAWrittenTokenIsTwoAndAHalfReadOnes) {
  for (const std::optional<PhaseTimes> times : {std::optional<PhaseTimes>{}, std::optional<PhaseTimes>{PhaseTimes{}}}) {
    const InferenceCost cost = inference_cost(kSpent, {1'000'000, 0, 1'000'000}, times);
    EXPECT_EQ(cost.input_price, Money::nanos(1'000'000'000));
    EXPECT_EQ(cost.output_price, Money::nanos(2'500'000'000));
  }
}

TEST(InferenceCostTest, NoNanoUnitIsLost) {
  for (std::int64_t nanos = 0; nanos < 1'000; ++nanos) {
    const InferenceCost cost = inference_cost(Money::nanos(nanos), {17, 4, 29}, PhaseTimes{3, 7});
    ASSERT_EQ(cost.input + cost.output, Money::nanos(nanos));
  }
}

TEST(InferenceCostTest, PricesOfTokensThatWereNotThereAreAbsent) {
  const InferenceCost idle = inference_cost(kSpent, {}, std::nullopt);
  EXPECT_EQ(idle.input, kSpent);
  EXPECT_FALSE(idle.blended_price);
  EXPECT_FALSE(idle.input_price);
  EXPECT_FALSE(idle.output_price);
  EXPECT_FALSE(inference_cost(kSpent, {10, 20, 5}, std::nullopt).input_price) << "all cached";
}

TEST(InferenceCostTest, IdleGpusHaveNoUsageCost) {
  EXPECT_EQ(usage_cost(kSpent, 0, 100), Money{});
  EXPECT_EQ(usage_cost(kSpent, 0, 0), Money{});
  EXPECT_EQ(usage_cost(kSpent, 100, 100), kSpent);
}

TEST(InferenceCostTest, OwnServingIsCheaperAboveTheBreakEven) {
  const ServingComparison full = compare_serving(Money::nanos(10), Money::nanos(12), Money::nanos(15));
  EXPECT_FALSE(full.is_external_cheaper);
  EXPECT_EQ(full.utilization, (Rational{5, 6}));
  EXPECT_EQ(full.break_even, (Rational{2, 3}));
}

}  // namespace
}  // namespace seedance
