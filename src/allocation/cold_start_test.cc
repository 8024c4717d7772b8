// The money of a start, by hand.
#include "allocation/cold_start.h"

#include <gtest/gtest.h>

namespace seedance {
namespace {

TimePoint start_at(std::int64_t second) { return time_from_seconds(1'796'047'200 + second); }
const Interval kStartHour{start_at(0), start_at(3'600)};

// A p4d.24xlarge: 96 cores, 1152 GiB, 8 GPUs at 21.957642/h; residual split 3.168 / 4.32 / 14.469642.
struct StartBench {
  NodeRecord node;
  NodeGpus gpus;
  PricePiece piece;
  PodRecord pod;
  ContainerRecord container;
  DeviceActivity device;
  ContainerHolding holding;

  StartBench() {
    node.capacity = {{"cpu", {{kStartHour.from, kStartHour.to, 96'000'000'000}}}, {"memory", {{kStartHour.from, kStartHour.to, std::int64_t{1'152} << 30}}}};
    gpus.physical = 8;
    piece.span = kStartHour;
    piece.is_priced = true;
    piece.rate = {21'957'642'000};
    piece.cpu_weight = 3'168'000;
    piece.memory_weight = 4'320'000;
    piece.gpu_weight = 14'469'642;
    piece.currency = "USD";
    pod.name = "trainer-0";
    pod.uid = "u";
    pod.scheduled_at = start_at(100);
    container.name = "main";
    container.started_at = start_at(160);
    holding.pod = &pod;
    holding.container = &container;
    const Interval held{start_at(100), kStartHour.to};
    holding.cpu_requested = {{held.from, held.to, 8'000'000'000}};
    holding.memory_requested = {{held.from, held.to, std::int64_t{96} << 30}};
    device.engine_active = {{start_at(0), start_at(220), 0}, {start_at(220), start_at(300), 900'000}};
    holding.gpus = {{&device, {{held.from, held.to, 1}}}};
  }
  std::optional<ColdStart> start() const { return cold_start_of({&holding}, gpus, node, piece, kStartHour); }
};

TEST(ColdStartTest, CostIsSecondsTimesWhatWasHeldFromSchedulingToTheFirstGpuWork) {
  StartBench bench;
  const std::optional<ColdStart> start = bench.start();
  ASSERT_TRUE(start);
  EXPECT_EQ(start->first_work, start_at(220));
  // 120 s of 8/96 cores, 96/1152 GiB and 1/8 GPUs: (0.264 + 0.36 + 1.80870525) / 30.
  EXPECT_NEAR(static_cast<double>(start->cost.nanos()), 2.43270525e9 / 30, 5);
  EXPECT_FALSE(start->image_pulled) << "no event in the series: undetermined";
}

TEST(ColdStartTest, WithoutAnyGpuWorkTheStartEndsAtReadinessElseAtTheContainer) {
  StartBench bench;
  bench.device.engine_active = {{start_at(0), start_at(3'600), 0}};
  EXPECT_EQ(bench.start()->end(), start_at(160));
  bench.pod.ready_at = start_at(190);
  EXPECT_EQ(bench.start()->end(), start_at(190));
  EXPECT_FALSE(bench.start()->first_work);
}

TEST(ColdStartTest, AStartBelongsToTheHourInWhichItsContainersStarted) {
  StartBench bench;
  bench.container.started_at = start_at(3'700);
  EXPECT_FALSE(bench.start());
}

TEST(ColdStartTest, ARestartIsNoColdStart) {
  StartBench bench;
  bench.container.running = {{start_at(0), start_at(90), 1}, {start_at(165), start_at(600), 1}};
  EXPECT_FALSE(bench.start());
}

TEST(ColdStartTest, WithoutASchedulingInstantThereIsNothingToTell) {
  StartBench bench;
  bench.pod.scheduled_at.reset();
  EXPECT_FALSE(bench.start());
}

TEST(ColdStartTest, OnAnUnpricedNodeTheTimesStandAndTheMoneyIsZero) {
  StartBench bench;
  bench.piece.is_priced = false;
  EXPECT_EQ(bench.start()->cost, Money{});
  EXPECT_EQ(bench.start()->started, start_at(160));
}

}  // namespace
}  // namespace seedance
