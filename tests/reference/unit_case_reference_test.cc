// The small rule cases of other tools, read from their file: AWS split cost allocation, idle, claims, allocation, GPU counts.
#include <cmath>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "allocation/gpu_share.h"
#include "allocation/made_cluster.h"
#include "allocation/service_costs.h"
#include "pricing/node_split.h"
#include "signal/timeline.h"
#include "tests/reference/shared_data.h"

namespace seedance {
namespace {

using UnitCases = nlohmann::json;

std::string unit_case_path() { return shared_data("finops/oc_unit_cases.json"); }

const UnitCases& unit_cases() {
  static const UnitCases kCases = UnitCases::parse(std::ifstream(unit_case_path()));
  return kCases;
}

class UnitCaseReferenceTest : public testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT(unit_case_path()); }
};

std::int64_t nanos_of_dollars(double dollars) { return std::llround(dollars * 1e9); }
double dollars_of_money(Money money) { return static_cast<double>(money.nanos()) / 1e9; }

// A pod of the AWS cases: what it holds of each resource.
MadePod scad_pod(const std::string& name, const UnitCases& held) {
  return MadePod("a/" + name).with(MadeContainer("c").cpu(held["cpu"].get<double>()).memory(held["mem"].get<double>()).gpus(held["gpu"].get<std::int64_t>()));
}

TEST_F(UnitCaseReferenceTest, AwsSplitOfEveryPod) {
  for (const UnitCases& c : unit_cases()["scad"]["cases"]) {
    SCOPED_TRACE(c["name"].get<std::string>());
    const auto cores = c["vcpu"].get<std::int64_t>();
    const auto gib = c["gib"].get<std::int64_t>();
    const auto gpus = c["gpu"].get<std::int64_t>();
    SplitQuestion question;
    question.method = SplitMethod::kAwsWeights;
    question.shape = {cores * kMadeCore, gib * kMadeGib, gpus * 1'000};
    const NodeSplit split = split_node_price(question);
    MadeCluster cluster;
    cluster.node("n1", cores, gib, gpus, nanos_of_dollars(c["node_cost"].get<double>()), split.cpu, split.memory, split.gpu);
    for (const auto& [name, held] : c["allocated"].items()) cluster.pod(scad_pod(name, held));
    const auto rows = cluster.close().rows;
    for (const auto& [name, expected] : c["expect"].items()) {
      const LedgerRow pod = made_sum_of_pod(rows, "a/" + name);
      EXPECT_NEAR(dollars_of_money(pod.cpu_cost), expected["cpu_split"].get<double>(), 1e-6) << name;
      EXPECT_NEAR(dollars_of_money(pod.memory_cost), expected["mem_split"].get<double>(), 1e-6) << name;
      EXPECT_NEAR(dollars_of_money(pod.gpu_cost), expected["gpu_split"].get<double>(), 1e-6) << name;
    }
  }
}

TEST_F(UnitCaseReferenceTest, AwsSplitAndIdleAreTheNode) {
  for (const UnitCases& c : unit_cases()["scad"]["cases"]) {
    double unused = 0;
    double split = 0;
    for (const auto& [name, expected] : c["expect"].items()) {
      for (const char* resource : {"cpu", "mem", "gpu"}) {
        split += expected[std::string(resource) + "_split"].get<double>();
        unused += expected[std::string(resource) + "_unused"].get<double>();
      }
    }
    EXPECT_NEAR(split + unused, c["node_cost"].get<double>(), 2e-5) << "the reference itself balances";
  }
}

TEST_F(UnitCaseReferenceTest, IdleIsNodeCostLessAllocated) {
  for (const UnitCases& c : unit_cases()["idle"]["cases"]) {
    for (const auto& [name, cost] : c["nodes"].items()) {
      if (cost.contains("adjustment")) continue;  // bills are reconciled elsewhere
      const double cpu = cost["cpu"].get<double>();
      const double memory = cost["ram"].get<double>();
      const double gpu = cost["gpu"].get<double>();
      MadeCluster cluster;
      cluster.node("n1", 100, 100, gpu > 0 ? 1 : 0, nanos_of_dollars(cpu + memory + gpu), nanos_of_dollars(cpu), nanos_of_dollars(memory), nanos_of_dollars(gpu));
      if (c["allocated"].contains(name)) {
        const UnitCases& held = c["allocated"][name];
        cluster.pod(MadePod("a/p").with(MadeContainer("c").cpu(100 * held["cpu"].get<double>() / cpu).memory(100 * held["ram"].get<double>() / memory)));
      }
      const LedgerRow idle = made_sum(cluster.close().rows, RowKind::kIdle);
      EXPECT_NEAR(dollars_of_money(idle.cpu_cost), c["expect"][name]["cpu"].get<double>(), 1e-8) << c["name"];
      EXPECT_NEAR(dollars_of_money(idle.memory_cost), c["expect"][name]["ram"].get<double>(), 1e-8) << c["name"];
      EXPECT_NEAR(dollars_of_money(idle.gpu_cost), c["expect"][name]["gpu"].get<double>(), 1e-8) << c["name"];
    }
  }
}

// "08:30" as minutes after eight.
std::int64_t minutes_after_eight(const UnitCases& text) {
  const auto clock = text.get<std::string>();
  return std::stol(clock.substr(0, 2)) * 60 + std::stol(clock.substr(3)) - 480;
}

TEST_F(UnitCaseReferenceTest, ClaimsAreSharedOverTime) {
  std::size_t checked = 0;
  for (const UnitCases& c : unit_cases()["pvc_sharing"]["cases"]) {
    SCOPED_TRACE(c["name"].get<std::string>());
    const std::int64_t end = c.contains("claim") ? minutes_after_eight(c["claim"]["end"]) : 60;
    std::vector<ClaimMount> mounts;
    for (const auto& [pod, run] : c["pods"].items()) {
      const std::int64_t from = minutes_after_eight(run[0]);
      const std::int64_t to = minutes_after_eight(run[1]);
      mounts.push_back({pod, from < to ? made_steps(1, from, to) : Steps{}});
    }
    const std::vector<ClaimShare> shares = claim_shares(end > 0 ? made_steps(1, 0, end) : Steps{}, mounts);
    double total = 0;
    for (const ClaimShare& s : shares) total += static_cast<double>(s.weight);
    if (c.contains("expect_error")) {
      EXPECT_EQ(total, 0) << "nothing to share";
      continue;
    }
    for (const ClaimShare& s : shares) {
      const std::string name = s.pod_uid.empty() ? "__unmounted__" : s.pod_uid;
      EXPECT_NEAR(static_cast<double>(s.weight) / total, c["expect"].value(name, 0.0), 1e-12) << name;
      ++checked;
    }
  }
  EXPECT_GE(checked, 12u);
}

TEST_F(UnitCaseReferenceTest, RunMinutesOfPods) {
  const UnitCases& group = unit_cases()["pod_minutes"];
  for (const UnitCases& c : group["cases"]) {
    const Nanos resolution = std::chrono::minutes(c["resolution_min"].get<int>());
    std::vector<Sample> samples;
    for (const UnitCases& minute : c["sample_minutes"]) samples.push_back({millis_of(made_minute(minute.get<std::int64_t>())), 1});
    const TimelineOptions options{.gap_max = std::max<Nanos>(resolution, std::chrono::minutes(5)), .resolution = resolution};
    const Steps steps = clip(state_steps(samples, options, [](double) { return 1; }), {made_minute(0), made_minute(24 * 60)});
    ASSERT_FALSE(steps.empty()) << c["name"];
    EXPECT_EQ(steps.front().from, made_minute(c["expect_start_min"].get<std::int64_t>())) << c["name"];
    EXPECT_EQ(steps.back().to, made_minute(c["expect_end_min"].get<std::int64_t>())) << c["name"];
  }
}

// Kubernetes spelling to the exporter's: "nvidia.com/gpu" becomes "nvidia_com_gpu".
std::string exporter_spelling(std::string text) {
  for (char& c : text) c = c == '.' || c == '/' || c == '-' ? '_' : c;
  return text;
}

TEST_F(UnitCaseReferenceTest, GpusOfANode) {
  for (const UnitCases& c : unit_cases()["gpu_count_on_node"]["cases"]) {
    NodeRecord node;
    for (const auto& [key, value] : c["labels"].items()) node.labels.push_back({exporter_spelling(key), value.get<std::string>()});
    std::sort(node.labels.begin(), node.labels.end());
    for (const auto& [resource, count] : c["capacity"].items()) node.capacity.push_back({exporter_spelling(resource), made_steps(count.get<std::int64_t>())});
    const NodeGpus gpus = node_gpus(node, kMadeHour, 0, 0);
    EXPECT_EQ(gpus.physical, std::max<std::int64_t>(0, c["expect_physical"].get<std::int64_t>())) << c["name"];
    EXPECT_EQ(gpus.physical * gpus.replicas, std::max<std::int64_t>(0, c["expect_units"].get<std::int64_t>())) << c["name"];
  }
}

}  // namespace
}  // namespace seedance
