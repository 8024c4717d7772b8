#include "pricing/billing_adjustment.h"

#include <gtest/gtest.h>

namespace seedance {
namespace {

ComputeCost cost_of_nanos(std::int64_t cpu, std::int64_t memory, std::int64_t gpu) { return {Money::nanos(cpu), Money::nanos(memory), Money::nanos(gpu)}; }

TEST(BillingAdjustmentTest, DiscountsAreSpreadInProportion) {
  const auto parts = spread_adjustment(cost_of_nanos(55, 44, 11), Money::nanos(-10));
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->cpu, Money::nanos(-5));
  EXPECT_EQ(parts->memory, Money::nanos(-4));
  EXPECT_EQ(parts->gpu, Money::nanos(-1));
}

TEST(BillingAdjustmentTest, SupplementsAreSpreadInProportion) {
  const auto parts = spread_adjustment(cost_of_nanos(5, 4, 1), Money::nanos(90));
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->cpu, Money::nanos(45));
  EXPECT_EQ(parts->memory, Money::nanos(36));
  EXPECT_EQ(parts->gpu, Money::nanos(9));
}

TEST(BillingAdjustmentTest, NoNanoUnitIsLost) {
  for (std::int64_t adjustment = -1'000; adjustment <= 1'000; ++adjustment) {
    const auto parts = spread_adjustment(cost_of_nanos(333, 7, 100'003), Money::nanos(adjustment));
    ASSERT_TRUE(parts);
    ASSERT_EQ(parts->total().nanos(), adjustment);
  }
}

TEST(BillingAdjustmentTest, PartsThatCostNothingCarryNothing) { EXPECT_EQ(spread_adjustment(cost_of_nanos(3, 4, 0), Money::nanos(1'001))->gpu, Money{}); }

TEST(BillingAdjustmentTest, NothingChargedCarriesNothing) { EXPECT_FALSE(spread_adjustment({}, Money::nanos(5))); }

}  // namespace
}  // namespace seedance
