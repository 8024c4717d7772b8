// The small rule cases of other tools, read from their file: AWS split cost allocation, idle, claims, run minutes, GPU counts.
#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "allocation/gpu_share.h"
#include "allocation/made_cluster.h"
#include "allocation/service_costs.h"
#include "pricing/billing_adjustment.h"
#include "pricing/node_split.h"
#include "report/cost_report.h"
#include "signal/timeline.h"
#include "store/memory/memory_ledger.h"
#include "tests/reference/unit_cases.h"

namespace seedance {
namespace {

// A pod of the AWS cases: what it holds of each resource.
MadePod scad_pod(const std::string& name, const UnitCases& held) {
  return MadePod("a/" + name).with(MadeContainer("c").cpu(held["cpu"].get<double>()).memory(held["mem"].get<double>()).gpus(held["gpu"].get<std::int64_t>()));
}

NodeSplit scad_split(const UnitCases& c) {
  SplitQuestion question;
  question.method = SplitMethod::kAwsWeights;
  question.shape = {c["vcpu"].get<std::int64_t>() * kMadeCore, c["gib"].get<std::int64_t>() * kMadeGib, c["gpu"].get<std::int64_t>() * 1'000};
  return split_node_price(question);
}

HourBooks scad_books(const UnitCases& c) {
  const NodeSplit split = scad_split(c);
  MadeCluster cluster;
  cluster.node("n1", c["vcpu"].get<std::int64_t>(), c["gib"].get<std::int64_t>(), c["gpu"].get<std::int64_t>(), nanos_of_dollars(c["node_cost"].get<double>()), split.cpu,
               split.memory, split.gpu);
  for (const auto& [name, held] : c["allocated"].items()) cluster.pod(scad_pod(name, held));
  return cluster.close();
}

TEST_F(UnitCaseReferenceTest, AwsUnitPrices) {
  for (const UnitCases& c : unit_cases()["scad"]["cases"]) {
    const NodeSplit split = scad_split(c);
    const double dollars = c["node_cost"].get<double>() / static_cast<double>(split.cpu + split.memory + split.gpu);
    const UnitCases& unit = c["unit_prices"];
    EXPECT_NEAR(static_cast<double>(split.cpu) * dollars / c["vcpu"].get<double>(), unit["cpu"].get<double>(), 5e-7) << c["name"];
    EXPECT_NEAR(static_cast<double>(split.memory) * dollars / c["gib"].get<double>(), unit["mem"].get<double>(), 5e-7) << c["name"];
    const double gpus = std::max(1.0, c["gpu"].get<double>());
    EXPECT_NEAR(static_cast<double>(split.gpu) * dollars / gpus, unit["gpu"].get<double>(), 5e-7) << c["name"];
  }
}

TEST_F(UnitCaseReferenceTest, AwsSplitOfEveryPod) {
  for (const UnitCases& c : unit_cases()["scad"]["cases"]) {
    SCOPED_TRACE(c["name"].get<std::string>());
    const auto rows = scad_books(c).rows;
    for (const auto& [name, expected] : c["expect"].items()) {
      const LedgerRow pod = made_sum_of_pod(rows, "a/" + name);
      EXPECT_NEAR(dollars_of_money(pod.cpu_cost), expected["cpu_split"].get<double>(), 1e-6) << name;
      EXPECT_NEAR(dollars_of_money(pod.memory_cost), expected["mem_split"].get<double>(), 1e-6) << name;
      EXPECT_NEAR(dollars_of_money(pod.gpu_cost), expected["gpu_split"].get<double>(), 1e-6) << name;
    }
  }
}

// The cost report by pod, with idle money shared.
CostReport report_with_shared_idle(const HourBooks& books) {
  CostQuestion question;
  question.window = kMadeHour;
  question.by = {GroupKey::kPod};
  question.idle = IdleMode::kShare;
  MemoryLedger ledger;
  EXPECT_TRUE(ledger.replace_hour(kMadeStart, books));
  CostFacts facts;
  facts.current = ledger.group(ledger_query_of(question)).value();
  facts.charges = books.charges;
  return make_cost_report(question, std::move(facts));
}

TEST_F(UnitCaseReferenceTest, AwsUnusedCapacityGoesToThosePodsThatUsedTheResource) {
  for (const UnitCases& c : unit_cases()["scad"]["cases"]) {
    SCOPED_TRACE(c["name"].get<std::string>());
    const CostReport report = report_with_shared_idle(scad_books(c));
    EXPECT_EQ(report.lines.size(), c["expect"].size()) << "no idle line is left";
    for (const CostLine& line : report.lines) {
      const UnitCases& expected = c["expect"].at(line.keys.at(0));
      const auto whole = [&](const std::string& resource) { return expected[resource + "_split"].get<double>() + expected[resource + "_unused"].get<double>(); };
      EXPECT_NEAR(static_cast<double>(line.sums.cpu_cost) / 1e9, whole("cpu"), 2e-6) << line.keys[0];
      EXPECT_NEAR(static_cast<double>(line.sums.memory_cost) / 1e9, whole("mem"), 2e-6) << line.keys[0];
      EXPECT_NEAR(static_cast<double>(line.sums.gpu_cost) / 1e9, whole("gpu"), 2e-6) << line.keys[0];
      EXPECT_NEAR(static_cast<double>(line.sums.total_cost()) / 1e9, expected["total"].get<double>(), 2e-6) << line.keys[0];
    }
    EXPECT_EQ(report.totals.at(0).left(), 0);
  }
}

// What the node cost once its bill is in.
ComputeCost billed_cost(const UnitCases& node) {
  ComputeCost cost{Money::nanos(nanos_of_dollars(node["cpu"].get<double>())), Money::nanos(nanos_of_dollars(node["ram"].get<double>())),
                   Money::nanos(nanos_of_dollars(node["gpu"].get<double>()))};
  if (!node.contains("adjustment")) return cost;
  const Money adjustment = Money::nanos(nanos_of_dollars(node["adjustment"].get<double>()));
  const auto parts = spread_adjustment(cost, adjustment);
  EXPECT_TRUE(parts && parts->total() == adjustment);
  return {cost.cpu + parts->cpu, cost.memory + parts->memory, cost.gpu + parts->gpu};
}

TEST_F(UnitCaseReferenceTest, IdleIsNodeCostLessAllocated) {
  constexpr std::int64_t kCapacity = 100;  // cores, GiB and GPUs of every node
  std::size_t checked = 0;
  for (const UnitCases& c : unit_cases()["idle"]["cases"]) {
    for (const auto& [name, node] : c["nodes"].items()) {
      const ComputeCost cost = billed_cost(node);
      MadeCluster cluster;
      cluster.node("n1", kCapacity, kCapacity, cost.gpu > Money{} ? kCapacity : 0, cost.total().nanos(), cost.cpu.nanos(), cost.memory.nanos(), cost.gpu.nanos());
      if (c["allocated"].contains(name)) {
        const UnitCases& held = c["allocated"][name];
        const auto part = [&](const char* resource, Money whole) { return whole > Money{} ? kCapacity * held[resource].get<double>() / dollars_of_money(whole) : 0.0; };
        cluster.pod(MadePod("a/p").with(MadeContainer("c").cpu(part("cpu", cost.cpu)).memory(part("ram", cost.memory)).gpus(std::llround(part("gpu", cost.gpu)))));
      }
      const LedgerRow idle = made_sum(cluster.close().rows, RowKind::kIdle);
      EXPECT_NEAR(dollars_of_money(idle.cpu_cost), c["expect"][name]["cpu"].get<double>(), 1e-8) << c["name"];
      EXPECT_NEAR(dollars_of_money(idle.memory_cost), c["expect"][name]["ram"].get<double>(), 1e-8) << c["name"];
      EXPECT_NEAR(dollars_of_money(idle.gpu_cost), c["expect"][name]["gpu"].get<double>(), 1e-8) << c["name"];
      ++checked;
    }
  }
  EXPECT_EQ(checked, 5u);
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

TEST_F(UnitCaseReferenceTest, ClaimsCostTheirOwnHours) {
  const UnitCases& group = unit_cases()["pvc_sharing"];
  const double cost = group["claim"]["gib"].get<double>() * group["claim"]["price_per_gib_hr"].get<double>();
  for (const UnitCases& c : group["cases"]) {
    if (c.contains("expect_error")) continue;
    MadeCluster cluster;
    cluster.options.service_prices.storage_gib = {nanos_of_dollars(group["claim"]["price_per_gib_hr"].get<double>())};
    ClaimRecord claim;
    claim.namespace_name = "a";
    claim.name = "data";
    claim.bytes = made_steps(group["claim"]["gib"].get<std::int64_t>() * kMadeGib);
    for (const auto& [pod, run] : c["pods"].items()) {
      cluster.pod(MadePod("a/" + pod));
      claim.mounts.push_back({"a/" + pod, made_steps(1, minutes_after_eight(run[0]), minutes_after_eight(run[1]))});
    }
    cluster.hour.inventory.claims.push_back(claim);
    const auto rows = cluster.close().rows;
    EXPECT_NEAR(dollars_of_money(made_total(rows)), cost, 1e-7) << c["name"];
    for (const auto& [pod, coefficient] : c["expect"].items()) {
      const std::string uid = pod == "__unmounted__" ? "" : "a/" + pod;
      EXPECT_NEAR(dollars_of_money(made_sum_of_pod(rows, uid).storage_cost), cost * coefficient.get<double>(), 1e-7) << c["name"] << " " << pod;
    }
  }
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
