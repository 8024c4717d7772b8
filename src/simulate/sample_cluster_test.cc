#include "simulate/sample_cluster.h"

#include <cstdlib>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace seedance {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

const TimePoint kStart = time_from_seconds(1'796'083'200);  // 2026-12-01T00:00:00Z

SampleCluster cluster(std::uint64_t seed = 7, unsigned scale = 1) {
  return SampleCluster({.seed = seed, .start = kStart, .scrape_interval = seconds(15), .scale = scale});
}

std::string page(const SampleCluster& from, Page which, Nanos after_start) {
  std::string out;
  from.write_page(which, kStart + after_start, out);
  return out;
}

// The lines that hold every one of the parts.
std::vector<std::string> lines_with(const std::string& text, const std::vector<std::string>& parts) {
  std::vector<std::string> found;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    bool has_all = true;
    for (const std::string& part : parts) has_all = has_all && line.find(part) != std::string::npos;
    if (has_all) found.push_back(line);
  }
  return found;
}

std::string value_of(const std::string& line) { return line.substr(line.rfind(' ') + 1); }

TEST(SampleClusterTest, TheSameSeedGivesTheSameBytesInAnyOrder) {
  const SampleCluster one = cluster();
  const SampleCluster two = cluster();
  for (std::size_t index = 0; index < kPageCount; ++index) {
    const Page which = static_cast<Page>(index);
    const std::string late = page(one, which, minutes(50));
    EXPECT_EQ(page(one, which, minutes(3)), page(two, which, minutes(3)));
    EXPECT_EQ(late, page(two, which, minutes(50)));
    EXPECT_FALSE(late.empty());
  }
  EXPECT_NE(page(one, Page::kDcgm, minutes(3)), page(cluster(8), Page::kDcgm, minutes(3)));
}

TEST(SampleClusterTest, NoPageSaysASeriesTwice) {
  const SampleCluster sample = cluster(7, 2);
  for (std::size_t index = 0; index < kPageCount; ++index) {
    std::set<std::string> seen;
    std::istringstream stream(page(sample, static_cast<Page>(index), minutes(75)));
    for (std::string line; std::getline(stream, line);) {
      if (line.starts_with('#')) continue;
      EXPECT_TRUE(seen.insert(line.substr(0, line.rfind(' '))).second) << line;
    }
  }
}

TEST(SampleClusterTest, CountersRiseButForThePlannedReset) {
  const SampleCluster sample = cluster();
  std::map<std::string, double> last;
  std::set<std::string> fell;
  for (Nanos at = minutes(30); at < minutes(75); at += seconds(15)) {
    const std::string text = page(sample, Page::kCadvisor, at) + page(sample, Page::kDcgm, at);
    for (const char* name : {"container_cpu_usage_seconds_total{", "container_network_transmit_bytes_total{",
                             "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION{"}) {
      for (const std::string& line : lines_with(text, {name})) {
        const std::string series = line.substr(0, line.rfind(' '));
        const double value = std::strtod(value_of(line).c_str(), nullptr);
        if (last.contains(series) && value < last[series]) fell.insert(series);
        last[series] = value;
      }
    }
  }
  ASSERT_EQ(fell.size(), 1u);
  EXPECT_NE(fell.begin()->find("container=\"server\""), std::string::npos);
  EXPECT_NE(fell.begin()->find("pod=\"chat-"), std::string::npos);
}

TEST(SampleClusterTest, ThePulsedJobIsBusyForTwelveOfThirtySeconds) {
  const SampleCluster sample = SampleCluster({.seed = 1, .start = kStart, .scrape_interval = seconds(1), .scale = 1});
  int busy = 0;
  for (int second = 1; second <= 300; ++second) {
    const auto lines = lines_with(page(sample, Page::kDcgm, seconds(second)),
                                  {"DCGM_FI_PROF_GR_ENGINE_ACTIVE{gpu=\"0\"", "pod=\"llm-pretrain-0\""});
    ASSERT_EQ(lines.size(), 1u);
    busy += std::strtod(value_of(lines[0]).c_str(), nullptr) > 0.5;
  }
  EXPECT_EQ(busy, 120);
}

TEST(SampleClusterTest, OneNodeIsSilentForFourMinutes) {
  const SampleCluster sample = cluster();
  const std::vector<std::string> chat = {"container_memory_working_set_bytes{", "pod=\"chat-"};
  EXPECT_FALSE(lines_with(page(sample, Page::kCadvisor, minutes(40)), chat).empty());
  for (const Nanos at : {Nanos(minutes(41)), Nanos(minutes(44))}) {
    EXPECT_TRUE(lines_with(page(sample, Page::kCadvisor, at), chat).empty());
    EXPECT_TRUE(lines_with(page(sample, Page::kDcgm, at), {"Hostname=\"g6-a\""}).empty());
    EXPECT_FALSE(lines_with(page(sample, Page::kKubeStateMetrics, at), {"kube_pod_info{", "pod=\"chat-"}).empty());
  }
  EXPECT_FALSE(lines_with(page(sample, Page::kCadvisor, minutes(45)), chat).empty());
}

TEST(SampleClusterTest, APodNameComesBackWithAnotherUid) {
  const SampleCluster sample = cluster();
  const std::vector<std::string> nightly = {"kube_pod_info{", "pod=\"nightly\""};
  const auto first = lines_with(page(sample, Page::kKubeStateMetrics, minutes(12)), nightly);
  const auto second = lines_with(page(sample, Page::kKubeStateMetrics, minutes(72)), nightly);
  EXPECT_TRUE(lines_with(page(sample, Page::kKubeStateMetrics, minutes(50)), nightly).empty());
  ASSERT_EQ(first.size(), 1u);
  ASSERT_EQ(second.size(), 1u);
  EXPECT_NE(first[0], second[0]);
}

TEST(SampleClusterTest, ATwentySecondJobKeepsItsTimes) {
  const std::string text = page(cluster(), Page::kKubeStateMetrics, minutes(14));
  const auto started = lines_with(text, {"kube_pod_container_state_started{", "container=\"thumbs\""});
  const auto finished = lines_with(text, {"kube_pod_completion_time{", "pod=\"thumbs-"});
  ASSERT_EQ(started.size(), 1u);
  ASSERT_EQ(finished.size(), 1u);
  EXPECT_EQ(std::strtod(value_of(finished[0]).c_str(), nullptr) - std::strtod(value_of(started[0]).c_str(), nullptr),
            20);
  EXPECT_FALSE(lines_with(text, {"kube_job_owner{", "owner_kind=\"CronJob\"", "owner_name=\"thumbs\""}).empty());
}

TEST(SampleClusterTest, ThePriceStepsInsideTheHour) {
  const SampleCluster sample = cluster();
  const std::vector<std::string> price = {"node_spot_price_usd_per_hour{node=\"g6-spot\"}"};
  EXPECT_EQ(value_of(lines_with(page(sample, Page::kNodePrice, minutes(34)), price).at(0)), "1.7123");
  EXPECT_EQ(value_of(lines_with(page(sample, Page::kNodePrice, minutes(35)), price).at(0)), "2.2041");
  EXPECT_EQ(value_of(lines_with(page(sample, Page::kNodePrice, minutes(60)), price).at(0)), "1.7123");
}

TEST(SampleClusterTest, TheExportHoldsEveryTrap) {
  const SampleCluster sample = SampleCluster({.seed = 7, .start = kStart, .scrape_interval = seconds(60), .scale = 1});
  std::string text;
  sample.write_open_metrics(kStart, kStart + minutes(80), [&](std::string_view piece) { text += piece; });
  EXPECT_TRUE(text.ends_with("# EOF\n"));
  const std::vector<std::vector<std::string>> traps = {
      {"kube_pod_container_status_waiting_reason{", "broken-image-0", "reason=\"ImagePullBackOff\""},
      {"kube_pod_container_resource_requests{", "broken-image-0", "resource=\"nvidia_com_gpu\""},
      {"kube_pod_init_container_resource_requests{", "container=\"istio-proxy\""},
      {"kube_pod_init_container_info{", "restart_policy=\"Always\""},
      {"kube_pod_init_container_status_running{", "istio-proxy"},
      {"kube_pod_info{", "llm-pretrain-0", "instance=\"10.0.0.11:8080\""},
      {"kube_pod_info{", "llm-pretrain-0", "instance=\"10.0.0.12:8080\""},
      {"DCGM_FI_DEV_GPU_UTIL{", "Hostname=\"nvidia-dcgm-exporter-x7k2p\""},
      {"DCGM_FI_DEV_GPU_UTIL{", " 9223372036854775794 "},
      {"DCGM_FI_DEV_POWER_USAGE{", " 140737488355328.000000 "},
      {"DCGM_FI_PROF_GR_ENGINE_ACTIVE{", "GPU_I_PROFILE=\"3g.20gb\""},
      {"DCGM_FI_PROF_GR_ENGINE_ACTIVE{", "GPU_I_PROFILE=\"1g.5gb\"", "pod=\"tiny-3\""},
      {"DCGM_FI_DEV_XID_ERRORS{", "eval-suite-0", " 31 "},
      {"kube_node_status_capacity{", "g6-a", "resource=\"nvidia_com_gpu\"", " 16 "},
      {"kube_node_status_allocatable{", "g6-b", "resource=\"nvidia_com_gpu_shared\"", " 16 "},
      {"kube_node_status_allocatable{", "p4d-a", "resource=\"nvidia_com_mig_1g_5gb\"", " 8 "},
      {"kube_node_labels{", "g6-a", "label_nvidia_com_gpu_product=\"NVIDIA-L4-SHARED\"",
       "label_nvidia_com_gpu_replicas=\"4\""},
      {"kube_node_labels{", "g6-spot", "label_karpenter_sh_capacity_type=\"spot\""},
      {"kube_node_labels{", "p4d-a", "label_nvidia_com_mig_strategy=\"mixed\""},
      {"kube_persistentvolumeclaim_resource_requests_storage_bytes{", "dataset-cache"},
      {"kube_pod_spec_volumes_persistentvolumeclaims_info{", "moe-finetune-0", "dataset-cache"},
      {"kube_replicaset_owner{", "owner_kind=\"Deployment\"", "owner_name=\"chat\""},
      {"kube_pod_owner{", "owner_kind=\"DaemonSet\""},
      {"kube_pod_owner{", "ada-notebook-0", "owner_kind=\"StatefulSet\""},
      {"kube_pod_annotations{", "annotation_notebooks_example_org_last_activity=\"never\""},
      {"kube_pod_labels{", "label_app_kubernetes_io_team=\"nlp\""},
      {"kube_namespace_labels{", "label_bu=\"research\""},
      {"seedance_job_data_wait_ratio{", "llm-pretrain-0"},
      {"seedance_job_communication_wait_ratio{", "moe-finetune-0"},
      {"# TYPE container_cpu_usage_seconds counter"},
      {"# TYPE DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION unknown"},
      {"container_cpu_usage_seconds_total{", "job=\"kubelet\"", "node=\"m5-a\""},
      {"kube_pod_status_phase{", "nightly", "phase=\"Succeeded\"", " 1 "}};
  for (const std::vector<std::string>& trap : traps) {
    EXPECT_FALSE(lines_with(text, trap).empty()) << ::testing::PrintToString(trap);
  }
  EXPECT_TRUE(lines_with(text, {"kube_pod_container_resource_requests{", "etl-0"}).empty());
  EXPECT_TRUE(lines_with(text, {"DCGM_FI_PROF_", "eval-suite-0"}).empty());
  EXPECT_TRUE(lines_with(text, {"DCGM_FI_DEV_GPU_UTIL{", "GPU_I_ID"}).empty());
}

TEST(SampleClusterTest, TheExportGroupsFamiliesAndSeriesInTimeOrder) {
  const SampleCluster sample = SampleCluster({.seed = 7, .start = kStart, .scrape_interval = seconds(60), .scale = 1});
  std::string text;
  sample.write_open_metrics(kStart, kStart + minutes(5), [&](std::string_view piece) { text += piece; });
  std::set<std::string> families;
  std::set<std::string> done;
  std::string series;
  double last = 0;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with('#')) {
      const bool is_new = !line.starts_with("# TYPE ") || families.insert(line).second;
      EXPECT_TRUE(is_new) << line;
      continue;
    }
    const std::size_t end = line.rfind("} ") + 1;
    const double time = std::strtod(value_of(line).c_str(), nullptr);
    if (line.substr(0, end) != series) {
      EXPECT_TRUE(done.insert(series).second) << series;
      series = line.substr(0, end);
    } else {
      EXPECT_GT(time, last);
    }
    last = time;
  }
}

TEST(SampleClusterTest, ScaleCopiesMachinesUnderOtherNames) {
  EXPECT_EQ(cluster(7, 1).node_names().size(), 6u);
  const std::vector<std::string> names = cluster(7, 3).node_names();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), 18u);
}

TEST(ScaleClusterTest, PagesOfAllNodesTogetherHoldEveryPodOnce) {
  const ScaleCluster large({.seed = 3, .start = kStart, .nodes = 10, .pods = 250});
  std::string all;
  for (std::size_t node = 0; node < 10; node += 4)
    large.write_scale_page(Page::kKubeStateMetrics, kStart, node, 4, all);
  EXPECT_EQ(lines_with(all, {"kube_pod_info{"}).size(), 250u);
  EXPECT_EQ(lines_with(all, {"kube_node_info{"}).size(), 10u);
  std::string gpus;
  large.write_scale_page(Page::kDcgm, kStart, 0, 10, gpus);
  EXPECT_EQ(lines_with(gpus, {"DCGM_FI_DEV_GPU_UTIL{", "pod=\"app-"}).size(), 80u);
}

}  // namespace
}  // namespace seedance
