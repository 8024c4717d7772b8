#include "signal/quality/contradiction.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "signal/features.h"

namespace seedance {
namespace {

constexpr double kAbsentValue = -1;

NumberedFeature second_of_gpu(std::int64_t second, double utilization, double engine, double sm = kAbsentValue, double dram = kAbsentValue) {
  NumberedFeature out{0, {}};
  out.vector.second = second;
  out.vector.values.fill(std::numeric_limits<float>::quiet_NaN());
  const std::pair<SignalId, double> values[] = {{SignalId::kGpuUtilization, utilization}, {SignalId::kGpuEngineActive, engine}, {SignalId::kGpuSmActive, sm}, {SignalId::kGpuDramActive, dram}};
  for (const auto& [signal, value] : values) {
    if (value == kAbsentValue) continue;
    const auto slot = static_cast<std::size_t>(feature_slot(signal));
    out.vector.presence |= std::uint32_t{1} << slot;
    for (std::size_t stat = 0; stat < 4; ++stat) out.vector.values[slot * 4 + stat] = static_cast<float>(value);
  }
  return out;
}

TEST(ContradictionTest, UtilizedWithEverythingProfiledAtZero) {
  EXPECT_TRUE(contradicts_itself(second_of_gpu(0, 0.99, 0).vector));
  EXPECT_TRUE(contradicts_itself(second_of_gpu(0, 0.5, 0, 0, 0).vector));
  EXPECT_FALSE(contradicts_itself(second_of_gpu(0, 0.99, 0, 0, 0.2).vector));
  EXPECT_FALSE(contradicts_itself(second_of_gpu(0, 0.49, 0).vector));
  EXPECT_FALSE(contradicts_itself(second_of_gpu(0, 0.99, kAbsentValue).vector)) << "not profiled at all";
  EXPECT_FALSE(contradicts_itself(second_of_gpu(0, kAbsentValue, 0).vector));
}

TEST(ContradictionTest, AMinuteOfItIsBadAndAWorkingCounterMends) {
  ContradictionWatch watch;
  for (int i = 0; i < 4; ++i) watch.add(std::vector{second_of_gpu(1'000 + i * 15, 0.99, 0)});
  EXPECT_FALSE(watch.states()[0].is_bad) << "45 seconds";
  watch.add(std::vector{second_of_gpu(1'060, 0.99, 0)});
  EXPECT_TRUE(watch.states()[0].is_bad);
  EXPECT_EQ(watch.states()[0].since, 1'000);
  watch.add(std::vector{second_of_gpu(1'075, 0.0, 0)});
  EXPECT_TRUE(watch.states()[0].is_bad) << "a pause is no cure";
  watch.add(std::vector{second_of_gpu(1'090, 0.99, 0.9)});
  EXPECT_FALSE(watch.states()[0].is_bad);
}

}  // namespace
}  // namespace seedance
