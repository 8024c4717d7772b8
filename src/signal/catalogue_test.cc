#include "signal/catalogue.h"

#include <cmath>

#include <gtest/gtest.h>

#include "model/sample.h"

namespace seedance {
namespace {

double meant(const char* metric, double raw) {
  const Catalogue catalogue;
  const SignalBinding* binding = catalogue.find(metric);
  EXPECT_NE(binding, nullptr) << metric;
  return binding == nullptr ? -1 : meant_value(*binding, raw);
}

SignalId signal_named(const char* metric) {
  const Catalogue catalogue;
  const SignalBinding* binding = catalogue.find(metric);
  return binding == nullptr ? SignalId::kCount : binding->signal;
}

TEST(CatalogueTest, BothGenerationsOfDcgmNamesMeanTheSame) {
  const std::pair<const char*, const char*> pairs[] = {{"DCGM_FI_DEV_GPU_UTIL", "dcgm_gpu_utilization"},
                                                       {"DCGM_FI_DEV_MEM_COPY_UTIL", "dcgm_mem_copy_utilization"},
                                                       {"DCGM_FI_DEV_FB_USED", "dcgm_fb_used"},
                                                       {"DCGM_FI_DEV_FB_FREE", "dcgm_fb_free"},
                                                       {"DCGM_FI_DEV_POWER_USAGE", "dcgm_power_usage"},
                                                       {"DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", "dcgm_total_energy_consumption"},
                                                       {"DCGM_FI_DEV_SM_CLOCK", "dcgm_sm_clock"},
                                                       {"DCGM_FI_DEV_GPU_TEMP", "dcgm_gpu_temp"},
                                                       {"DCGM_FI_DEV_MEMORY_TEMP", "dcgm_memory_temp"},
                                                       {"DCGM_FI_DEV_XID_ERRORS", "dcgm_xid_errors"}};
  for (const auto& [now, before] : pairs) {
    EXPECT_NE(signal_named(now), SignalId::kCount) << now;
    EXPECT_EQ(signal_named(now), signal_named(before)) << before;
    EXPECT_EQ(meant(now, 42), meant(before, 42)) << before;
  }
}

TEST(CatalogueTest, LoweredDcgmNamesAreKnown) {
  EXPECT_EQ(signal_named("dcgm_fi_prof_gr_engine_active"), SignalId::kGpuEngineActive);
  EXPECT_EQ(signal_named("dcgm_fi_dev_fb_used"), SignalId::kGpuMemoryUsed);
}

TEST(CatalogueTest, CountersAreKnownWithAndWithoutTotal) {
  for (const char* metric : {"container_cpu_usage_seconds", "node_cpu_seconds", "container_network_transmit_bytes", "seedance_pod_egress_zone_bytes"}) {
    EXPECT_NE(signal_named(metric), SignalId::kCount) << metric;
    EXPECT_EQ(signal_named((std::string(metric) + "_total").c_str()), signal_named(metric)) << metric;
  }
}

TEST(CatalogueTest, GaugesHaveNoTotal) { EXPECT_EQ(signal_named("DCGM_FI_DEV_GPU_UTIL_total"), SignalId::kCount); }

TEST(CatalogueTest, EnergyIsKnownInEverySpelling) {
  for (const char* metric : {"DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION_total", "dcgm_fi_dev_total_energy_consumption",
                             "dcgm_fi_dev_total_energy_consumption_total"}) {
    EXPECT_EQ(signal_named(metric), SignalId::kGpuEnergy) << metric;
  }
}

TEST(CatalogueTest, UnknownMetricsAreNotFound) {
  for (const char* metric : {"", "up", "go_goroutines", "DCGM_FI_DEV_GPU_UTIL ", "DCGM_FI_DEV_NO_SUCH_FIELD"}) EXPECT_EQ(signal_named(metric), SignalId::kCount) << metric;
}

TEST(CatalogueTest, EveryBindingHasANamedSignalAndAnExporter) {
  const Catalogue catalogue;
  for (const SignalBinding& binding : catalogue.bindings()) {
    EXPECT_EQ(*parse_signal(signal_of(binding.signal).name), binding.signal) << binding.metric;
    EXPECT_FALSE(binding.exporter.empty()) << binding.metric;
    EXPECT_NE(binding.scale, 0) << binding.metric;
  }
}

TEST(CatalogueTest, SignalTableIsIndexedByItsIds) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(SignalId::kCount); ++i) EXPECT_EQ(signal_of(static_cast<SignalId>(i)).id, static_cast<SignalId>(i));
}

TEST(CatalogueTest, UserBindingReplacesTheBuiltInOne) {
  const SignalBinding mine[] = {{"DCGM_FI_DEV_GPU_UTIL", SignalId::kGpuEngineActive, 1, "user"}, {"my_gpu_busy_percent", SignalId::kGpuEngineActive, 0.01, "user"}};
  const Catalogue catalogue(mine);
  EXPECT_EQ(catalogue.find("DCGM_FI_DEV_GPU_UTIL")->signal, SignalId::kGpuEngineActive);
  EXPECT_EQ(catalogue.find("dcgm_fi_dev_gpu_util")->exporter, "user") << "also under its lowered name";
  EXPECT_DOUBLE_EQ(meant_value(*catalogue.find("my_gpu_busy_percent"), 37), 0.37);
}

TEST(CatalogueTest, UnknownSignalNamesTheDocument) {
  const auto parsed = parse_signal("gpu.colour");
  ASSERT_FALSE(parsed);
  EXPECT_FALSE(parsed.error().hint.empty());
}

TEST(MeantValueTest, SentinelsOfAllThreeWidthsAreMissing) {
  const double int64_blank = static_cast<double>(0x7ffffffffffffff0);
  for (int code = 0; code < 4; ++code) {
    for (const char* metric : {"DCGM_FI_DEV_GPU_TEMP", "DCGM_FI_DEV_MEMORY_TEMP", "DCGM_FI_DEV_FB_USED", "DCGM_FI_DEV_POWER_USAGE", "DCGM_FI_PROF_SM_ACTIVE", "dcgm_gpu_utilization"}) {
      EXPECT_TRUE(std::isnan(meant(metric, 2147483632.0 + code))) << metric << " int32 " << code;
      EXPECT_TRUE(std::isnan(meant(metric, int64_blank + code))) << metric << " int64 " << code;
      EXPECT_TRUE(std::isnan(meant(metric, 140737488355328.0 + code))) << metric << " double " << code;
    }
  }
  EXPECT_TRUE(std::isnan(meant("DCGM_FI_DEV_MEMORY_TEMP", 9223372036854775794.0))) << "as real exporters print it";
}

TEST(MeantValueTest, BigCountersAreNotMistakenForSentinels) {
  EXPECT_DOUBLE_EQ(meant("DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", 2147483632.0), 2147483.632);
  EXPECT_DOUBLE_EQ(meant("DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL", 140737488355328.0), 140737488355328.0);
  EXPECT_TRUE(std::isnan(meant("DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", 9223372036854775794.0)));
}

TEST(MeantValueTest, PercentagesBecomeRatios) {
  EXPECT_DOUBLE_EQ(meant("DCGM_FI_DEV_GPU_UTIL", 100), 1);
  EXPECT_DOUBLE_EQ(meant("DCGM_FI_DEV_GPU_UTIL", 1), 0.01) << "one percent, not full";
}

TEST(MeantValueTest, RatiosThatAreWrittenAsPercentagesAreRecognised) {
  EXPECT_DOUBLE_EQ(meant("DCGM_FI_PROF_GR_ENGINE_ACTIVE", 0.37), 0.37);
  EXPECT_DOUBLE_EQ(meant("DCGM_FI_PROF_GR_ENGINE_ACTIVE", 37), 0.37);
  EXPECT_DOUBLE_EQ(meant("DCGM_FI_PROF_GR_ENGINE_ACTIVE", 100), 1);
  EXPECT_DOUBLE_EQ(meant("DCGM_FI_PROF_GR_ENGINE_ACTIVE", 1.02), 1) << "a little over one is rounding";
}

TEST(MeantValueTest, RatiosThatCannotBeAreMissing) {
  EXPECT_TRUE(std::isnan(meant("DCGM_FI_PROF_GR_ENGINE_ACTIVE", 101)));
  EXPECT_TRUE(std::isnan(meant("DCGM_FI_PROF_GR_ENGINE_ACTIVE", -0.1)));
  EXPECT_TRUE(std::isnan(meant("DCGM_FI_DEV_GPU_UTIL", 4'294'967)));
  EXPECT_TRUE(std::isnan(meant("seedance_job_data_wait_ratio", 37)));
}

TEST(MeantValueTest, SizesCountInBytesAndEnergyInJoules) {
  EXPECT_DOUBLE_EQ(meant("DCGM_FI_DEV_FB_USED", 1), 1'048'576);
  EXPECT_DOUBLE_EQ(meant("DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", 1'500), 1.5);
  EXPECT_TRUE(std::isnan(meant("DCGM_FI_DEV_FB_USED", -1)));
}

TEST(MeantValueTest, TemperaturesMayBeNegative) { EXPECT_DOUBLE_EQ(meant("DCGM_FI_DEV_GPU_TEMP", -5), -5); }

TEST(MeantValueTest, StaleMarkersPassThroughUnchanged) {
  EXPECT_TRUE(is_stale_marker(meant("DCGM_FI_DEV_GPU_UTIL", stale_marker())));
  EXPECT_TRUE(is_stale_marker(meant("kube_pod_info", stale_marker())));
}

}  // namespace
}  // namespace seedance
