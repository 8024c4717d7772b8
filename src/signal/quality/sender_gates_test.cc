#include "signal/quality/sender_gates.h"

#include <gtest/gtest.h>

namespace seedance {
namespace {

SenderPeriod good_period() {
  SenderPeriod p;
  p.requests = 60;
  p.samples = 10'000;
  p.gpu_samples = 1'000;
  p.ahead_ms = -800;
  return p;
}

SenderGates after(std::initializer_list<SenderPeriod> periods) {
  SenderGates gates;
  for (const SenderPeriod& p : periods) gates.close_period(p);
  return gates;
}

SenderPeriod refusing(std::uint64_t samples) {
  SenderPeriod p = good_period();
  p.samples_refused = samples;
  return p;
}

TEST(SenderGatesTest, NothingIsKnownBeforeAnythingCame) {
  const SenderGates gates = after({SenderPeriod{}});
  for (std::size_t i = 0; i < kSenderGateCount; ++i) EXPECT_FALSE(gates.reading(static_cast<SenderGate>(i)).is_known);
}

TEST(SenderGatesTest, AboveEightPercentUnparsedTheSchemaIsLight) {
  SenderPeriod p = good_period();
  p.samples_unparsed = 800;
  EXPECT_FALSE(after({p}).is_light()) << "8 % exactly is not above";
  p.samples_unparsed = 801;
  EXPECT_TRUE(after({p}).is_light());
  SenderPeriod bodies = good_period();
  bodies.requests_unparsed = 5;  // of 60
  EXPECT_TRUE(after({bodies}).is_light());
}

TEST(SenderGatesTest, AboveTwelvePercentWithoutIdThePlaceStandsIn) {
  SenderPeriod p = good_period();
  p.gpu_samples_without_id = 120;
  EXPECT_FALSE(after({p}).reading(SenderGate::kDeviceIds).is_bad);
  p.gpu_samples_without_id = 121;
  EXPECT_TRUE(after({p}).reading(SenderGate::kDeviceIds).is_bad);
}

TEST(SenderGatesTest, ThreePeriodsInARowAboveFifteenPercentDegrade) {
  const SenderPeriod bad = refusing(1'501);
  EXPECT_FALSE(after({bad, bad}).is_degraded());
  EXPECT_FALSE(after({bad, bad, good_period(), bad}).is_degraded()) << "not in a row";
  EXPECT_TRUE(after({bad, bad, bad}).is_degraded());
  EXPECT_FALSE(after({refusing(1'500), refusing(1'500), refusing(1'500)}).is_degraded());
}

TEST(SenderGatesTest, ThreeGoodPeriodsInARowMend) {
  const SenderPeriod bad = refusing(5'000);
  EXPECT_TRUE(after({bad, bad, bad, good_period(), good_period()}).is_degraded());
  EXPECT_TRUE(after({bad, bad, bad, good_period(), good_period(), bad, good_period()}).is_degraded());
  EXPECT_FALSE(after({bad, bad, bad, good_period(), good_period(), good_period()}).is_degraded());
  // A silent sender does not become good by being silent.
  EXPECT_TRUE(after({bad, bad, bad, {}, {}, {}, {}}).is_degraded());
}

TEST(SenderGatesTest, ClocksAndDelays) {
  SenderPeriod p = good_period();
  p.ahead_ms = 5'001;
  EXPECT_TRUE(after({p}).reading(SenderGate::kClock).is_bad);
  p.ahead_ms = 5'000;
  EXPECT_FALSE(after({p}).reading(SenderGate::kClock).is_bad);
  p.ahead_ms = -300'001;
  const SenderGates late = after({p});
  EXPECT_TRUE(late.reading(SenderGate::kDelay).is_bad);
  EXPECT_FALSE(late.reading(SenderGate::kClock).is_bad);
  EXPECT_EQ(late.reading(SenderGate::kDelay).value, 300.001);
}

TEST(SenderGatesTest, HalfAPercentApartIsTheLimitOfConsistency) {
  SenderPeriod p = good_period();
  p.imbalance = 0.005;
  EXPECT_FALSE(after({p}).reading(SenderGate::kConsistency).is_bad);
  p.imbalance = 0.0051;
  EXPECT_TRUE(after({p}).reading(SenderGate::kConsistency).is_bad);
}

}  // namespace
}  // namespace seedance
