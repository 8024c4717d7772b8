#include "app/intake/tenant_limits.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "app/intake/sample_intake.h"
#include "app/made_samples.h"

namespace seedance {
namespace {

TEST(TenantLimitsTest, RateIsOverTenSecondsAndPerTenant) {
  TenantLimits limits({{100, 0, 0, 0}, {{"big", {1'000, 0, 0, 0}}}});
  TimePoint now = time_from_seconds(1'000);
  EXPECT_TRUE(limits.admit("a", 600, now));
  EXPECT_FALSE(limits.admit("a", 600, now));
  EXPECT_TRUE(limits.admit("a", 400, now));
  EXPECT_TRUE(limits.admit("b", 1'000, now)) << "another tenant has its own";
  EXPECT_TRUE(limits.admit("big", 10'000, now));
  now += std::chrono::seconds(3);
  EXPECT_TRUE(limits.admit("a", 300, now));
  EXPECT_FALSE(limits.admit("a", 1, now));
}

TEST(TenantLimitsTest, ARequestLargerThanEverythingPassesAloneAndIsPaidForLater) {
  TenantLimits limits({{100, 0, 0, 0}, {}});
  TimePoint now = time_from_seconds(1'000);
  EXPECT_TRUE(limits.admit("a", 5'000, now));
  now += std::chrono::seconds(40);
  EXPECT_FALSE(limits.admit("a", 1, now)) << "4,000 of 5,000 are paid for";
  now += std::chrono::seconds(1);
  EXPECT_TRUE(limits.admit("a", 100, now));
}

TEST(TenantLimitsTest, AClockThatGoesBackGivesNothing) {
  TenantLimits limits({{100, 0, 0, 0}, {}});
  EXPECT_TRUE(limits.admit("a", 1'000, time_from_seconds(1'000)));
  EXPECT_FALSE(limits.admit("a", 1, time_from_seconds(900)));
}

class LimitedIntake {
 public:
  explicit LimitedIntake(TenantLimit limit) {
    IntakeOptions options;
    options.tenants.named.emplace_back("llm", limit);
    intake_ = SampleIntake::open("", Catalogue{}, options, clock_, counters_).value();
  }
  Result<IntakeAnswer> take(int first_pod, int pods, const std::string& tenant, int extra_labels = 0) {
    MadeSamples samples;
    for (int i = first_pod; i < first_pod + pods; ++i) {
      Labels labels = made_labels("kube_pod_status_phase", {{"namespace", "ml"}, {"phase", "Running"}, {"uid", "u" + std::to_string(i)}});
      for (int j = 0; j < extra_labels; ++j) labels.push_back({"x" + std::to_string(j), "y"});
      std::sort(labels.begin(), labels.end());
      samples.add(labels, kMadeHourMs, 1);
    }
    return intake_->take(samples.body(), LogRecordKind::kPrometheusWrite, {tenant});
  }
  ManualClock clock_{time_from_millis(kMadeHourMs)};

 private:
  Counters counters_;
  std::unique_ptr<SampleIntake> intake_;
};

TEST(TenantLimitsTest, BeyondTheSeriesLimitNewOnesAreRefusedByMetricAndLabelAndKnownOnesGoOn) {
  LimitedIntake intake({0, 10, 0, 0});
  EXPECT_EQ(intake.take(0, 8, "llm")->samples_kept, 8U);
  const IntakeAnswer over = intake.take(0, 20, "llm").value();
  EXPECT_EQ(over.samples_kept, 10U) << "eight known ones and two new ones";
  EXPECT_EQ(over.samples_refused, 10U);
  EXPECT_EQ(over.first_reason,
            "too many series of tenant llm: refused a new series of metric kube_pod_status_phase with 10 series, most series has kube_pod_status_phase with 10, "
            "told apart by label uid with 10 values in the newest thousand");
  EXPECT_EQ(intake.take(100, 20, "other")->samples_kept, 20U) << "others are not touched";
  EXPECT_EQ(intake.take(0, 8, "llm")->samples_kept, 8U);
}

TEST(TenantLimitsTest, TooManySamplesComeAgainLaterAndTheMetricIsNamed) {
  LimitedIntake intake({10, 0, 0, 0});
  ASSERT_TRUE(intake.take(0, 90, "llm"));
  const Result<IntakeAnswer> refused = intake.take(0, 20, "llm");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kExhausted);
  EXPECT_EQ(refused.error().message,
            "too many samples a second of tenant llm, allowed: 10; of this request's 20 samples most are of metric kube_pod_status_phase with 20 series, told apart by label "
            "uid with 20 values");
  intake.clock_.advance(std::chrono::seconds(1));
  EXPECT_TRUE(intake.take(0, 20, "llm"));
}

TEST(TenantLimitsTest, LabelsAndBodiesOfATenant) {
  LimitedIntake intake({0, 0, 6, 2'000});
  EXPECT_EQ(intake.take(0, 1, "llm", 2)->samples_kept, 1U);
  const IntakeAnswer refused = intake.take(1, 1, "llm", 3).value();
  EXPECT_EQ(refused.samples_refused, 1U);
  EXPECT_NE(refused.first_reason.find("kube_pod_status_phase"), std::string::npos) << refused.first_reason;
  EXPECT_EQ(intake.take(1, 1, "", 3)->samples_kept, 1U);
  const Result<IntakeAnswer> large = intake.take(0, 100, "llm");
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().code, Code::kTooLarge);
  EXPECT_EQ(large.error().message.find("tenant llm: "), 0U);
}

}  // namespace
}  // namespace seedance
