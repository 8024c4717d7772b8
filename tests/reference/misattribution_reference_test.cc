// Bug reports of other tools, each a small input and the right answer: our books give the right one.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "allocation/inference_cost.h"
#include "allocation/made_cluster.h"
#include "base/time_text.h"
#include "model/ledger_query.h"
#include "signal/timeline.h"
#include "tests/reference/shared_data.h"
#include "tests/reference/whole_path.h"

namespace seedance {
namespace {

using BugReport = nlohmann::json;

std::string bug_report_path() { return shared_data("finops/known_misattributions.json"); }

double report_number(const BugReport& json, const char* key) { return json[key].get<double>(); }
double report_dollars(Money money) { return static_cast<double>(money.nanos()) / 1e9; }

constexpr std::int64_t kReportDay = 1'772'409'600;  // 2026-03-02T00:00:00Z
std::int64_t report_hour(std::int64_t hour) { return kReportDay + hour * 3'600; }

// "01:30" as a time of that day.
TimePoint clock_of(const BugReport& text) {
  const auto clock = text.get<std::string>();
  return time_from_seconds(kReportDay + std::stol(clock.substr(0, 2)) * 3'600 + std::stol(clock.substr(3)) * 60);
}
Interval clock_span(const BugReport& pair) { return {clock_of(pair[0]), clock_of(pair[1])}; }

double held_minutes(const std::vector<LedgerRow>& rows, const std::string& uid) { return static_cast<double>(made_sum_of_pod(rows, uid).held_nanos) / 60e9; }

// A claim of 1 GiB whose price is the claim's, mounted by two pods; the books of every hour of its life.
void claim_shared_over_time(const BugReport& report) {
  const BugReport& input = report["input"];
  const Interval life = clock_span(input["claim"]);
  std::map<std::string, Money> cost;
  for (TimePoint hour = life.from; hour < life.to; hour += std::chrono::hours(1)) {
    MadeCluster cluster;
    cluster.hour.hour = {hour, hour + std::chrono::hours(1)};
    cluster.options.service_prices.storage_gib = {std::llround(report_number(input, "claim_cost_per_hr") * 1e9)};
    ClaimRecord claim;
    claim.namespace_name = "a";
    claim.bytes = {{life.from, life.to, kMadeGib}};
    for (const auto& [pod, run] : input["pods"].items()) {
      cluster.pod(MadePod("a/" + pod));
      const Interval mounted = clock_span(run);
      claim.mounts.push_back({"a/" + pod, {{mounted.from, mounted.to, 1}}});
    }
    cluster.hour.inventory.claims.push_back(claim);
    for (const LedgerRow& r : cluster.close().rows) {
      cost[r.pod] += r.storage_cost;
      cost["sum"] += r.storage_cost;
    }
  }
  for (const auto& [name, expected] : report["expected"].items()) EXPECT_EQ(report_dollars(cost[name]), expected.get<double>()) << name;
}

// The pod ended before the window: nothing of it is inside, and never less than nothing.
void window_after_the_end(const BugReport& report) {
  const BugReport& input = report["input"];
  const auto time = [](const BugReport& text) { return *parse_time(text.get<std::string>()); };
  const Interval window{time(input["window"][0]), time(input["window"][1])};
  const Nanos resolution = std::chrono::seconds(input["resolution_s"].get<std::int64_t>());
  std::vector<Sample> samples;
  for (TimePoint t = time(input["pod_seen_until"]); samples.size() < 6; t -= resolution) samples.push_back({millis_of(t), 1});
  std::reverse(samples.begin(), samples.end());
  const Steps seen = clip(state_steps(samples, {.gap_max = resolution, .resolution = resolution}, [](double) { return 1; }), window);
  EXPECT_TRUE(seen.empty());
  EXPECT_EQ(present_nanos(seen), report["expected"]["minutes"].get<std::int64_t>());

  MadeCluster cluster;
  cluster.hour.hour = {hour_of(window.from), hour_of(window.from) + std::chrono::hours(1)};
  cluster.node("n1", 4, 4, 0, 1'000'000'000).present = {{cluster.hour.hour.from, cluster.hour.hour.to, 1}};
  MadePod pod("a/p");
  pod.record().bound = seen;
  cluster.pod(pod.with(MadeContainer("c").cpu(1)));
  const auto rows = cluster.close().rows;
  EXPECT_TRUE(std::none_of(rows.begin(), rows.end(), [](const LedgerRow& r) { return r.pod_uid == "a/p"; })) << report["expected"]["row"];
}

void pods_of_one_name(const BugReport& report) {
  const BugReport& input = report["input"];
  MetricLines lines;
  lines.hold(report_hour(input["window_h"][0].get<std::int64_t>()), report_hour(input["window_h"][1].get<std::int64_t>()), R"(kube_node_info{node="n1"})");
  for (const BugReport& run : input["runs"]) {
    const std::string labels = R"(namespace="a",pod=")" + run["pod"].get<std::string>() + R"(",uid=")" + run["uid"].get<std::string>() + "\"";
    const std::int64_t from = report_hour(run["from_h"].get<std::int64_t>());
    const std::int64_t to = report_hour(run["to_h"].get<std::int64_t>());
    lines.hold(from, to, "kube_pod_info{" + labels + R"(,node="n1"})");
    lines.hold(from, to, "kube_pod_status_phase{" + labels + R"(,phase="Running"})");
    lines.hold(from, to, "kube_pod_container_resource_requests{" + labels + R"(,container="c",resource="cpu"})", "0.5");
  }
  WholePath path;
  path.import(lines.text());
  const auto rows = path.rows();
  const BugReport& expected = report["expected"];
  EXPECT_EQ(held_minutes(rows, "u1"), report_number(expected, "u1_minutes"));
  EXPECT_EQ(held_minutes(rows, "u2"), report_number(expected, "u2_minutes"));
  EXPECT_EQ(held_minutes(rows, "u1") + held_minutes(rows, "u2"), report_number(expected, "total_minutes"));
}

void custom_prices_without_gpus(const BugReport& report) {
  const BugReport& node = report["input"]["node"];
  const BugReport& price = report["input"]["custom_price_per_hr"];
  const std::int64_t hours = node["hours"].get<std::int64_t>();
  const auto nanos = [](double dollars) { return std::llround(dollars * 1e9); };
  const auto text = [&](const char* key) { return print_exact(Money::nanos(nanos(report_number(price, key)))); };
  const std::int64_t whole = node["vcpu"].get<std::int64_t>() * nanos(report_number(price, "cpu")) + node["mem_gib"].get<std::int64_t>() * nanos(report_number(price, "ram_gib"));
  WholePath path;
  const auto imported = path.book.import_csv("node,price_hr,cpu_core_hr,ram_gib_hr,gpu_hr,vcpu,mem_gib,gpus\nn1," + print_exact(Money::nanos(whole)) + "," + text("cpu") + "," +
                                                 text("ram_gib") + "," + text("gpu") + "," + node["vcpu"].dump() + "," + node["mem_gib"].dump() + "," + node["gpu"].dump() + "\n",
                                             "custom.csv");
  ASSERT_TRUE(imported && imported->refused.empty());
  MetricLines lines;
  lines.hold(report_hour(0), report_hour(hours), R"(kube_node_info{node="n1"})");
  lines.hold(report_hour(0), report_hour(hours), R"(kube_node_status_capacity{node="n1",resource="cpu"})", node["vcpu"].dump());
  path.import(lines.text());
  const LedgerRow sum = made_sum(path.rows(), [](const LedgerRow&) { return true; });
  EXPECT_EQ(report_dollars(sum.gpu_cost), report_number(report["expected"], "gpu_idle"));
  EXPECT_EQ(report_dollars(sum.total_cost()), report_number(report["expected"], "node_total"));
}

void usage_basis_of_a_quiet_server(const BugReport& report) {
  const BugReport& input = report["input"];
  MadeCluster cluster;
  cluster.node("n1", 8, 8, 1, std::llround(report_number(input, "gpu_price_hr") * 1e9), 0, 0, 1);
  cluster.device("n1", "GPU-1", "a/serve", std::llround(report_number(input, "gr_engine_active") * 1e6));
  cluster.pod(MadePod("a/serve").with(MadeContainer("c").gpus(1)));
  const LedgerRow pod = made_sum_of_pod(cluster.close().rows, "a/serve");
  EXPECT_EQ(static_cast<double>(pod.gpu_allocated) / 3.6e12, report_number(input, "gpu_hours"));
  EXPECT_EQ(report_dollars(pod.gpu_cost), report_number(report["expected"], "allocation"));
  EXPECT_EQ(report_dollars(usage_cost(pod.gpu_cost, pod.gpu_active, pod.gpu_allocated)), report_number(report["expected"], "usage"));
}

void one_series_from_two_exporters(const BugReport& report) {
  MetricLines lines;
  lines.hold(report_hour(0), report_hour(1), R"(kube_node_info{node="n1"})");
  for (const BugReport& series : report["input"]["series"]) {
    lines.hold(report_hour(0), report_hour(1), series["metric"].get<std::string>() + R"({node=")" + series["node"].get<std::string>() + R"(",resource=")" +
               series["resource"].get<std::string>() + R"(",instance=")" + series["instance"].get<std::string>() + "\"}", series["value"].dump());
  }
  WholePath path;
  path.import(lines.text());
  const ClusterHour hour = path.gather(time_from_seconds(kReportDay));
  ASSERT_EQ(hour.inventory.nodes.size(), 1u);
  for (const Step& s : resource_steps(hour.inventory.nodes[0].capacity, "cpu")) EXPECT_EQ(s.level, std::llround(report_number(report["expected"], "cores") * 1e9));
}

void efficiency_counts_the_gpu(const BugReport& report) {
  const BugReport& input = report["input"];
  const auto of = [&](const char* resource, const char* what) { return report_number(input[resource], what); };
  const double total = of("cpu", "cost") + of("ram", "cost") + of("gpu", "cost");
  MadeCluster cluster;
  const std::int64_t gpus = input["gpu"]["request"].get<std::int64_t>();
  cluster.node("n1", input["cpu"]["request"].get<std::int64_t>(), input["ram"]["request"].get<std::int64_t>(), gpus, std::llround(total * 1e9),
               std::llround(of("cpu", "cost") * 1e9), std::llround(of("ram", "cost") * 1e9), std::llround(of("gpu", "cost") * 1e9));
  cluster.pod(MadePod("a/p").with(MadeContainer("c").cpu(of("cpu", "request")).memory(of("ram", "request")).gpus(gpus)));
  cluster.use("a/p", "c", made_steps(std::llround(of("cpu", "usage") * 1e9)), made_steps(std::llround(of("ram", "usage") * 1073741824.0)));
  for (std::int64_t i = 0; i < gpus; ++i) cluster.device("n1", "GPU-" + std::to_string(i), "a/p", std::llround(of("gpu", "engine_active") * 1e6));
  LedgerSums sums;
  for (const LedgerRow& r : cluster.close().rows) {
    if (r.pod_uid == "a/p") sums += sums_of(r);
  }
  EXPECT_NEAR(estimated_efficiency(sums).value(), report_number(report["expected"], "efficiency"), 1e-12);
}

void whole_window_at_a_coarse_resolution(const BugReport& report) {
  const BugReport& input = report["input"];
  const auto minutes = [&](const char* key) { return std::chrono::minutes(input[key].get<std::int64_t>()); };
  const Nanos resolution = minutes("resolution_min");
  ASSERT_EQ(input["window_min"], input["pod_ran_min"]);
  std::vector<Sample> samples;
  for (TimePoint t = kMadeStart; t <= kMadeStart + minutes("pod_ran_min"); t += resolution) samples.push_back({millis_of(t), 1});
  const Steps seen = clip(state_steps(samples, {.gap_max = resolution, .resolution = resolution}, [](double) { return 1; }), {kMadeStart, kMadeStart + minutes("window_min")});
  EXPECT_EQ(static_cast<double>(present_nanos(seen)) / 60e9, report_number(report["expected"], "minutes"));
}

// By the report's id. Every feature that a report is about exists here, so none is left out; a new report fails until it is added.
const std::map<std::string, std::function<void(const BugReport&)>> kBugReports{
    {"B03", claim_shared_over_time},        {"B08", window_after_the_end},          {"B10", pods_of_one_name},          {"B12", custom_prices_without_gpus},
    {"B14", usage_basis_of_a_quiet_server}, {"B17", one_series_from_two_exporters}, {"B20", efficiency_counts_the_gpu}, {"B22", whole_window_at_a_coarse_resolution}};

TEST(MisattributionReferenceTest, EveryReportedMistakeIsRightHere) {
  SKIP_WITHOUT(bug_report_path());
  const BugReport reports = BugReport::parse(std::ifstream(bug_report_path()));
  EXPECT_EQ(reports.size(), 8u);
  for (const BugReport& report : reports) {
    const auto id = report["id"].get<std::string>();
    SCOPED_TRACE(id + ": " + report["complaint"].get<std::string>());
    const auto check = kBugReports.find(id);
    if (check == kBugReports.end()) {
      ADD_FAILURE() << "no check for this report";
      continue;
    }
    check->second(report);
  }
}

}  // namespace
}  // namespace seedance
