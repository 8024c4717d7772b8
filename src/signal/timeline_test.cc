#include "signal/timeline.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace seedance {
namespace {

constexpr std::int64_t kBase = 1'592'265'600;  // 2020-06-16T00:00:00Z

Sample sample_at(double seconds, double value) { return {kBase * 1'000 + std::llround(seconds * 1'000), value}; }
TimePoint second(std::int64_t s) { return time_from_seconds(kBase + s); }
Step held(std::int64_t from, std::int64_t to, std::int64_t level) { return {second(from), second(to), level}; }
std::int64_t whole(double v) { return std::llround(v); }

Steps state_of(const std::vector<Sample>& samples, TimelineOptions options = {}) { return state_steps(samples, options, whole); }

TEST(StateStepsTest, LevelHoldsToTheNextSampleAndTheLastForNothing) {
  EXPECT_EQ(state_of({sample_at(0, 1), sample_at(60, 1), sample_at(120, 2)}), (Steps{held(0, 120, 1)}));
}

TEST(StateStepsTest, GapsUpToFiveMinutesAreBridged) {
  EXPECT_EQ(state_of({sample_at(0, 1), sample_at(300, 1), sample_at(360, 1)}), (Steps{held(0, 360, 1)}));
  EXPECT_EQ(state_of({sample_at(0, 1), sample_at(60, 1), sample_at(361, 1), sample_at(420, 1)}), (Steps{held(0, 60, 1), held(361, 420, 1)}));
}

TEST(StateStepsTest, StaleMarkerEndsTheLevelAtTheMarker) {
  EXPECT_EQ(state_of({sample_at(0, 1), sample_at(30, stale_marker()), sample_at(60, 1), sample_at(90, 1)}), (Steps{held(0, 30, 1), held(60, 90, 1)}));
}

TEST(StateStepsTest, OtherNaNsAreMissing) {
  EXPECT_EQ(state_of({sample_at(0, std::numeric_limits<double>::quiet_NaN()), sample_at(60, 3), sample_at(120, 3)}), (Steps{held(60, 120, 3)}));
}

TEST(StateStepsTest, NoSamplesAreNoSteps) {
  EXPECT_EQ(state_of({}), Steps{});
  EXPECT_EQ(state_of({sample_at(0, stale_marker())}), Steps{});
}

// opencost/opencost pkg/costmodel/allocation_helpers_test.go: run minutes of a pod, clamped to the window.
struct MinutesCase {
  int resolution;
  std::vector<int> samples;
  int start, end;
};

TEST(StateStepsTest, RunMinutesAreLastMinusFirstSampleAndASingleOneCountsHalfOnEachSide) {
  for (const MinutesCase& c : {MinutesCase{60, {0, 60}, 0, 60}, MinutesCase{30, {0, 30, 60}, 0, 60}, MinutesCase{15, {0, 15, 30, 45}, 0, 45},
                               MinutesCase{10, {600}, 595, 605}, MinutesCase{10, {0}, 0, 5}}) {
    std::vector<Sample> samples;
    for (const int minute : c.samples) samples.push_back(sample_at(minute * 60, 1));
    const Nanos resolution = std::chrono::minutes(c.resolution);
    const Steps steps = clip(compact(state_of(samples, {.gap_max = std::max<Nanos>(resolution, std::chrono::minutes(5)), .resolution = resolution})),
                             {second(0), second(86'400)});
    EXPECT_EQ(steps, (Steps{held(c.start * 60, c.end * 60, 1)})) << c.resolution;
  }
}

// opencost/opencost-helm-chart#232: a 15-minute window at 5-minute resolution said 10 minutes.
TEST(StateStepsTest, WindowOfFifteenMinutesHoldsFifteenMinutes) {
  std::vector<Sample> samples;
  for (int minute = -10; minute <= 25; minute += 5) samples.push_back(sample_at(minute * 60, 1));
  const Steps steps = clip(state_of(samples, {.gap_max = std::chrono::minutes(5), .resolution = std::chrono::minutes(5)}), {second(0), second(900)});
  EXPECT_EQ(present_nanos(steps), 15 * 60 * kNanosPerSecond);
}

// opencost/opencost#4057: a pod last seen before the window gave negative minutes.
TEST(StateStepsTest, PodGoneBeforeAShortWindowHasNoTimeInIt) {
  const Steps steps = state_of({sample_at(-600, 1), sample_at(-300, 1), sample_at(-147, 1)});
  EXPECT_TRUE(clip(steps, {second(0), second(76)}).empty());
  EXPECT_EQ(present_nanos(clip(steps, {second(0), second(76)})), 0);
}

Steps gauge_of(const std::vector<Sample>& samples) { return gauge_steps(samples, whole); }

TEST(GaugeStepsTest, ValueHoldsUntilTheNextSample) {
  EXPECT_EQ(gauge_of({sample_at(0, 5), sample_at(10, 7), sample_at(20, 0)}), (Steps{held(0, 10, 5), held(10, 20, 7)}));
}

TEST(GaugeStepsTest, ValueHoldsAtMostTwoIntervals) {
  EXPECT_EQ(gauge_of({sample_at(0, 5), sample_at(10, 5), sample_at(20, 5), sample_at(100, 5), sample_at(110, 5)}), (Steps{held(0, 40, 5), held(100, 110, 5)}));
}

TEST(GaugeStepsTest, StaleMarkerEndsTheValue) {
  EXPECT_EQ(gauge_of({sample_at(0, 5), sample_at(10, 5), sample_at(13, stale_marker()), sample_at(30, 1), sample_at(40, 1)}), (Steps{held(0, 13, 5), held(30, 40, 1)}));
}

TEST(GaugeStepsTest, OneSampleIsNotAStretch) { EXPECT_EQ(gauge_of({sample_at(0, 5)}), Steps{}); }

Steps counter_of(const std::vector<Sample>& samples) { return counter_steps(samples, TimelineOptions{}, 1e9); }

TEST(CounterStepsTest, ChangeIsSpreadOverTheTimeBetweenSamples) {
  EXPECT_EQ(counter_of({sample_at(0, 100), sample_at(60, 130), sample_at(120, 130)}), (Steps{held(0, 60, 500'000'000), held(60, 120, 0)}));
}

TEST(CounterStepsTest, ResetIsBridgedWithTheRateBefore) {
  EXPECT_EQ(counter_of({sample_at(0, 100), sample_at(60, 160), sample_at(120, 3), sample_at(180, 63)}), (Steps{held(0, 180, 1'000'000'000)}));
}

TEST(CounterStepsTest, ResetAtTheStartIsBridgedWithTheRateAfter) {
  EXPECT_EQ(counter_of({sample_at(0, 100), sample_at(60, 3), sample_at(120, 63)}), (Steps{held(0, 120, 1'000'000'000)}));
}

TEST(CounterStepsTest, ResetNeverGoesBelowWhatTheCounterShows) {
  EXPECT_EQ(counter_of({sample_at(0, 100), sample_at(60, 106), sample_at(120, 60)}), (Steps{held(0, 60, 100'000'000), held(60, 120, 1'000'000'000)}));
}

TEST(CounterStepsTest, LongGapsAreMissingNotAveraged) {
  EXPECT_EQ(counter_of({sample_at(0, 0), sample_at(60, 60), sample_at(361, 361), sample_at(421, 421)}), (Steps{held(0, 60, 1'000'000'000), held(361, 421, 1'000'000'000)}));
}

TEST(CounterStepsTest, StaleMarkerStartsAnew) {
  EXPECT_EQ(counter_of({sample_at(0, 0), sample_at(60, 60), sample_at(90, stale_marker()), sample_at(120, 500), sample_at(180, 560)}),
            (Steps{held(0, 60, 1'000'000'000), held(120, 180, 1'000'000'000)}));
}

TEST(CounterStepsTest, AbsurdRatesStayInsideSixtyFourBits) {
  const Steps steps = counter_of({sample_at(0, 0), sample_at(1, 1e300)});
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_GT(steps[0].level, 0);
}

TEST(CounterIncreaseTest, DropCountsFromZero) {
  const CounterIncrease increase = counter_increase(std::vector<Sample>{sample_at(0, 100), sample_at(1, 150), sample_at(2, 20), sample_at(3, 25)});
  EXPECT_DOUBLE_EQ(increase.increase, 75);
  EXPECT_EQ(increase.resets, 1);
}

TEST(CounterIncreaseTest, NothingAndOneSampleIncreaseNothing) {
  EXPECT_EQ(counter_increase({}).increase, 0);
  EXPECT_EQ(counter_increase(std::vector<Sample>{sample_at(0, 100)}).increase, 0);
}

TEST(SampleSpacingTest, IsTheMiddleDistance) {
  EXPECT_EQ(sample_spacing(std::vector<Sample>{sample_at(0, 1), sample_at(10, 1), sample_at(20, 1), sample_at(500, 1)}), std::chrono::seconds(10));
  EXPECT_EQ(sample_spacing(std::vector<Sample>{sample_at(0, 1)}), Nanos{0});
}

}  // namespace
}  // namespace seedance
