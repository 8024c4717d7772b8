#include "allocation/waterfall.h"

#include <gtest/gtest.h>

#include "allocation/made_cluster.h"

namespace seedance {
namespace {

// One device held for the hour by a running container; signals in percent.
class Hold {
 public:
  Hold() {
    pod_.uid = "a/p";
    container_.running = made_steps(1);
  }
  Hold& engine(std::int64_t percent) { return set(device_.engine_active, percent); }
  Hold& utilization(std::int64_t percent) { return set(device_.utilization, percent); }
  Hold& sm(std::int64_t percent) { return set(device_.sm_active, percent); }
  Hold& math(std::int64_t percent) { return set(device_.math_active, percent); }
  Hold& dram(std::int64_t percent) { return set(device_.dram_active, percent); }
  Hold& data_wait(std::int64_t percent) { return set(job_.data_wait, percent); }
  Hold& communication_wait(std::int64_t percent) { return set(job_.communication_wait, percent); }
  Hold& serving(std::int64_t requests) {
    job_.requests_running = made_steps(requests);
    return *this;
  }
  Hold& running(Steps steps) {
    container_.running = std::move(steps);
    return *this;
  }
  Hold& engine_steps(Steps steps) {
    device_.engine_active = std::move(steps);
    return *this;
  }
  PodRecord& pod() { return pod_; }
  ContainerRecord& container() { return container_; }

  HoldActivity activity() const {
    ContainerHolding holder;
    holder.pod = &pod_;
    holder.container = &container_;
    return hold_activity({&device_, made_steps(1)}, holder, &job_, kMadeHour);
  }
  // Percent of the hour by part, those that are not 0, in the order of the waterfall.
  std::string parts() const {
    std::string out;
    const HoldActivity a = activity();
    Int128 sum = 0;
    for (std::size_t i = 0; i < kWaterfallPartCount; ++i) {
      sum += a.weights[i];
      if (a.weights[i] == 0) continue;
      const auto tenths = static_cast<std::int64_t>(a.weights[i] * 1'000 / (static_cast<Int128>(kNanosPerHour) * kMillion));
      out += std::string(waterfall_part_name(static_cast<WaterfallPart>(i))) + "=" + std::to_string(tenths / 10) + " ";
    }
    EXPECT_EQ(sum, static_cast<Int128>(kNanosPerHour) * kMillion) << "the parts are the whole";
    return out;
  }

 private:
  Hold& set(Steps& slot, std::int64_t percent) {
    slot = made_steps(percent * 10'000);
    return *this;
  }
  PodRecord pod_;
  ContainerRecord container_;
  DeviceActivity device_;
  JobSignals job_;
};

TEST(WaterfallTest, HeldWithoutARunningContainerIsNotStarted) {
  EXPECT_EQ(Hold().running(made_steps(0)).engine(50).parts(), "held_not_started=100 ");
}

TEST(WaterfallTest, StartIsExactWhereScrapesSeeItLate) {
  Hold hold;
  hold.running({{made_minute(0), made_minute(30), 0}, {made_minute(30), made_minute(60), 1}});
  hold.container().started_at = made_minute(15);
  EXPECT_EQ(hold.engine(100).sm(100).parts(), "held_not_started=25 productive=75 ");
}

TEST(WaterfallTest, StartInstantAfterARestartSaysNothing) {
  Hold hold;
  hold.running(made_steps(1));
  hold.container().started_at = made_minute(45);
  EXPECT_EQ(hold.engine(100).sm(100).parts(), "productive=100 ");
}

TEST(WaterfallTest, PendingPodWithoutContainerStateIsNotStarted) {
  Hold hold;
  hold.running({}).pod().phase = {{made_minute(0), made_minute(15), static_cast<std::int64_t>(PodPhase::kPending)},
                                  {made_minute(15), made_minute(60), static_cast<std::int64_t>(PodPhase::kRunning)}};
  EXPECT_EQ(hold.engine(100).sm(100).parts(), "held_not_started=25 productive=75 ");
}

TEST(WaterfallTest, NoCounterIsUndeterminedNoData) { EXPECT_EQ(Hold().data_wait(50).parts(), "undetermined_no_data=100 "); }

TEST(WaterfallTest, CounterThatStopsIsUndeterminedFromThere) {
  EXPECT_EQ(Hold().engine_steps(made_steps(kMillion, 0, 45)).parts(), "undetermined_busy=75 undetermined_no_data=25 ");
}

TEST(WaterfallTest, UtilizationAloneSaysBusyOrIdleNotHowWell) { EXPECT_EQ(Hold().utilization(60).parts(), "undetermined_idle=40 undetermined_busy=60 "); }

TEST(WaterfallTest, EngineActiveIsPreferredToUtilization) { EXPECT_EQ(Hold().engine(30).utilization(90).parts(), "undetermined_idle=70 undetermined_busy=30 "); }

TEST(WaterfallTest, DataWaitIsTakenFromTheIdlePartOnly) {
  EXPECT_EQ(Hold().engine(40).sm(40).data_wait(30).parts(), "waiting_for_data=30 other_idle=30 productive=40 ");
  EXPECT_EQ(Hold().engine(40).sm(40).data_wait(90).parts(), "waiting_for_data=60 productive=40 ");
}

TEST(WaterfallTest, CommunicationWaitComesAfterDataWait) {
  EXPECT_EQ(Hold().engine(40).sm(40).data_wait(30).communication_wait(20).parts(), "waiting_for_data=30 waiting_for_communication=20 other_idle=10 productive=40 ");
}

TEST(WaterfallTest, SpinningCollectivesAreTakenFromTheBusyPartWhereMathAndDramAreIdle) {
  EXPECT_EQ(Hold().engine(90).sm(90).math(30).dram(20).communication_wait(50).parts(), "waiting_for_communication=50 productive=50 ");
  EXPECT_EQ(Hold().engine(90).sm(90).communication_wait(50).parts(), "waiting_for_communication=10 productive=90 ") << "without pipe counters nobody can tell";
}

TEST(WaterfallTest, SpinningNeverTakesWhatMathOrDramUse) {
  EXPECT_EQ(Hold().engine(90).sm(90).math(80).dram(20).communication_wait(100).parts(), "waiting_for_communication=20 productive=80 ");
}

TEST(WaterfallTest, IdleTimeOfAJobThatSpeaksIsOtherIdle) { EXPECT_EQ(Hold().engine(40).sm(40).data_wait(0).parts(), "other_idle=60 productive=40 "); }

TEST(WaterfallTest, IdleTimeWithoutRequestsIsOtherIdle) {
  EXPECT_EQ(Hold().engine(40).sm(40).serving(0).parts(), "other_idle=60 productive=40 ");
  EXPECT_EQ(Hold().engine(40).sm(40).serving(3).parts(), "productive=40 undetermined_idle=60 ");
}

TEST(WaterfallTest, TenQuietMinutesAreOtherIdle) {
  EXPECT_EQ(Hold().engine_steps({{made_minute(0), made_minute(15), 0}, {made_minute(15), made_minute(60), kMillion}}).sm(100).parts(), "other_idle=25 productive=75 ");
  EXPECT_EQ(Hold().engine_steps({{made_minute(0), made_minute(9), 0}, {made_minute(9), made_minute(60), kMillion}}).sm(100).parts(), "productive=85 undetermined_idle=15 ");
}

TEST(WaterfallTest, QuietStretchIsMeasuredOverItsWholeLength) {
  EXPECT_EQ(Hold().engine_steps({{made_minute(-9), made_minute(3), 0}, {made_minute(3), made_minute(60), kMillion}}).sm(100).parts(), "other_idle=5 productive=95 ")
      << "twelve minutes, three of them in this hour";
}

TEST(WaterfallTest, BusyWithoutAnSmCounterIsUndetermined) { EXPECT_EQ(Hold().engine(100).parts(), "undetermined_busy=100 "); }

TEST(WaterfallTest, CopiesAndLaunchGapsAreInefficient) { EXPECT_EQ(Hold().engine(100).sm(70).parts(), "inefficient=30 productive=70 "); }

TEST(WaterfallTest, BusySmsWithIdlePipesAreInefficient) {
  EXPECT_EQ(Hold().engine(100).sm(80).math(5).dram(9).parts(), "inefficient=100 ");
  EXPECT_EQ(Hold().engine(100).sm(80).math(10).dram(0).parts(), "inefficient=20 productive=80 ");
  EXPECT_EQ(Hold().engine(100).sm(50).math(0).dram(0).parts(), "inefficient=50 productive=50 ") << "not above one half";
}

TEST(WaterfallTest, MeasuredAndActiveTimeAreThoseOfTheCounter) {
  const HoldActivity a = Hold().engine_steps(made_steps(kMillion / 2, 0, 30)).activity();
  EXPECT_EQ(a.measured, static_cast<Int128>(kNanosPerHour / 2) * kMillion);
  EXPECT_EQ(a.active, static_cast<Int128>(kNanosPerHour / 4) * kMillion);
}

TEST(WaterfallTest, UnknownDeviceIsUndetermined) {
  PodRecord pod;
  ContainerHolding holder;
  holder.pod = &pod;
  const HoldActivity a = hold_activity({nullptr, made_steps(1)}, holder, nullptr, kMadeHour);
  EXPECT_EQ(a.weights[static_cast<std::size_t>(WaterfallPart::kUndeterminedNoData)], static_cast<Int128>(kNanosPerHour) * kMillion);
  EXPECT_EQ(a.measured, 0);
}

}  // namespace
}  // namespace seedance
