// What the counters of a device say when they contradict each other, or name it in different ways.
#include "app/device_series.h"

#include <gtest/gtest.h>

#include "app/made_samples.h"

namespace seedance {
namespace {

class DeviceBench {
 public:
  void add(const std::string& metric, std::initializer_list<Label> labels, std::int64_t from_s, std::int64_t to_s, double value) {
    MadeSamples samples;
    samples.hold(made_labels(metric, labels), from_s, to_s, value);
    const SeriesSamples series = samples.series()[0];
    series_.push_back(series);
  }
  std::vector<DeviceActivity> devices() {
    DeviceSeries out(symbols_);
    for (const SeriesSamples& series : series_) EXPECT_TRUE(out.add(*meaning_of(series.labels, catalogue_, symbols_), series.samples));
    return out.finish(Inventory{}, TimelineOptions{});
  }

 private:
  Catalogue catalogue_;
  SymbolTable symbols_;
  std::vector<SeriesSamples> series_;
};

Steps level(std::int64_t from_s, std::int64_t to_s, std::int64_t value) {
  return {{time_from_millis(kMadeHourMs + from_s * 1'000), time_from_millis(kMadeHourMs + to_s * 1'000), value}};
}

TEST(DeviceSeriesTest, AStoppedProfilingCounterIsMissingWhileTheGpuIsUtilized) {
  DeviceBench bench;
  const std::initializer_list<Label> gpu{{"UUID", "GPU-1"}, {"Hostname", "n1"}, {"gpu", "0"}};
  bench.add("DCGM_FI_DEV_GPU_UTIL", gpu, 0, 600, 99);
  bench.add("DCGM_FI_PROF_GR_ENGINE_ACTIVE", gpu, 0, 300, 0.9);
  bench.add("DCGM_FI_PROF_GR_ENGINE_ACTIVE", gpu, 330, 600, 0);
  bench.add("DCGM_FI_PROF_SM_ACTIVE", gpu, 0, 300, 0.7);
  bench.add("DCGM_FI_PROF_SM_ACTIVE", gpu, 330, 600, 0);
  bench.add("DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", gpu, 0, 600, 0);
  bench.add("DCGM_FI_PROF_DRAM_ACTIVE", gpu, 0, 600, 0);
  const DeviceActivity device = bench.devices().at(0);
  EXPECT_EQ(device.engine_active, level(0, 330, 900'000));
  EXPECT_EQ(device.sm_active, level(0, 330, 700'000));
  EXPECT_EQ(device.tensor_active, level(0, 330, 0)) << "pipes may rest while the SMs work";
  EXPECT_EQ(device.utilization, level(0, 600, 990'000));
}

TEST(DeviceSeriesTest, BelowHalfUtilizationAZeroIsBelieved) {
  DeviceBench bench;
  const std::initializer_list<Label> gpu{{"UUID", "GPU-1"}, {"Hostname", "n1"}, {"gpu", "0"}};
  bench.add("DCGM_FI_DEV_GPU_UTIL", gpu, 0, 600, 49);
  bench.add("DCGM_FI_PROF_GR_ENGINE_ACTIVE", gpu, 0, 600, 0);
  EXPECT_EQ(bench.devices().at(0).engine_active, level(0, 600, 0));
}

TEST(DeviceSeriesTest, SeriesWithoutAUuidBelongToTheCardInTheirPlace) {
  DeviceBench bench;
  bench.add("DCGM_FI_DEV_GPU_UTIL", {{"UUID", "GPU-1"}, {"Hostname", "n1"}, {"gpu", "0"}}, 0, 600, 50);
  bench.add("DCGM_FI_PROF_GR_ENGINE_ACTIVE", {{"Hostname", "n1"}, {"gpu", "0"}}, 0, 600, 0.4);
  bench.add("DCGM_FI_DEV_GPU_UTIL", {{"Hostname", "n1"}, {"gpu", "1"}}, 0, 600, 20);
  const std::vector<DeviceActivity> devices = bench.devices();
  ASSERT_EQ(devices.size(), 2U);
  EXPECT_EQ(devices[0].uuid, "GPU-1");
  EXPECT_EQ(devices[0].engine_active, level(0, 600, 400'000));
  EXPECT_EQ(devices[1].uuid, "n1#1") << "no exporter says its id";
}

}  // namespace
}  // namespace seedance
