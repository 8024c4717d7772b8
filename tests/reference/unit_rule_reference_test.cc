// More rule cases of other tools, read from the same file: max(request, usage), node price split, tokens, traffic.
#include <algorithm>

#include <gtest/gtest.h>

#include "allocation/holdings.h"
#include "allocation/inference_cost.h"
#include "allocation/made_cluster.h"
#include "pricing/node_split.h"
#include "tests/reference/unit_cases.h"
#include "tests/reference/whole_path.h"

namespace seedance {
namespace {

class UnitRuleReferenceTest : public UnitCaseReferenceTest {};

// --- max(request, usage)

// A value, or a value and the second of its sample; null: no series.
struct SkewedValue {
  double value = 0;
  std::int64_t second = 0;
};
std::optional<SkewedValue> skewed(const UnitCases& c, const char* key) {
  if (!c.contains(key) || c[key].is_null()) return std::nullopt;
  if (c[key].is_array()) return SkewedValue{c[key][0].get<double>(), c[key][1].get<std::int64_t>()};
  return SkewedValue{c[key].get<double>(), 0};
}

// A pod on a large node; both sides of one resource start at their sample, counted in seconds after the earliest of the two.
struct SkewedPod {
  MadeCluster cluster;
  MadeContainer container{"c"};
  std::int64_t earliest = 0;
  std::int64_t latest = 0;

  explicit SkewedPod(const UnitCases& c) {
    cluster.node("n1", 100, 100, 0, 1'000'000'000, 1, 1);
    const auto cpu_request = skewed(c, "cpu_req");
    const auto cpu_used = skewed(c, "cpu_used");
    for (const auto& v : {cpu_request, cpu_used}) {
      if (v && v->second > 0) earliest = earliest == 0 ? v->second : std::min(earliest, v->second);
      if (v) latest = std::max(latest, v->second);
    }
    const auto steps = [&](const SkewedValue& v, double scale) { return Steps{{made_second(std::max<std::int64_t>(0, v.second - earliest)), kMadeHour.to, std::llround(v.value * scale)}}; };
    if (cpu_request) container.request_steps("cpu", steps(*cpu_request, 1e9));
    if (const auto memory = skewed(c, "ram_req")) container.request_steps("memory", steps(*memory, 1));
    const auto memory_used = skewed(c, "ram_used");
    if (cpu_used || memory_used) {
      cluster.use("a/p", "c", cpu_used ? steps(*cpu_used, 1e9) : Steps{}, memory_used ? steps(*memory_used, 1) : Steps{});
    }
    cluster.pod(MadePod("a/p").with(container));
  }
  ContainerHolding holding() const {
    const NodeRecord& node = cluster.hour.inventory.nodes[0];
    return holdings_of(node, {}, made_steps(1), {&cluster.hour.inventory.pods[0]}, {}, cluster.hour).at(0);
  }
};

// Two rules of the reference do not fit step functions and are tested as far as they agree with ours:
//  - "the time stamp is the later of the two" joins the last samples of two series into one point. We never join samples: each
//    side is a level over time, and the larger one counts at every instant. At the later stamp, and after, both say the same. Before
//    it, a request that is seen for the first time also holds backwards to the start of the pod (nobody can raise the request of a
//    running container, so it was there), and usage before its first sample is missing.
//  - "NaN counts as 0": with us it is missing; the other side decides alone, which is the same maximum.
TEST_F(UnitRuleReferenceTest, AllocationIsTheLargerOfRequestAndUsage) {
  std::size_t checked = 0;
  for (const UnitCases& c : unit_cases()["container_allocation"]["cases"]) {
    if (c.contains("cpu_req_series")) continue;
    SCOPED_TRACE(c["name"].get<std::string>());
    const SkewedPod pod(c);
    const ContainerHolding held = pod.holding();
    const auto expected_cpu = skewed(c, "expect_cpu");
    const TimePoint then = made_second(pod.latest - pod.earliest);
    if (expected_cpu->second > 0) {
      EXPECT_EQ(expected_cpu->second, pod.latest);
    }
    EXPECT_EQ(level_at(held.cpu, then, 0), std::llround(expected_cpu->value * 1e9));
    if (const auto memory = skewed(c, "expect_ram")) {
      EXPECT_EQ(level_at(held.memory, then, 0), std::llround(memory->value));
    }
    EXPECT_EQ(integral(held.cpu), static_cast<Int128>(std::llround(expected_cpu->value * 1e9)) * kNanosPerHour) << "and all the time, as the level never changes";
    ++checked;
  }
  EXPECT_EQ(checked, 7u);
}

TEST_F(UnitRuleReferenceTest, TheMaximumIsTakenAtEveryInstant) {
  std::size_t checked = 0;
  for (const UnitCases& c : unit_cases()["container_allocation"]["cases"]) {
    if (!c.contains("cpu_req_series")) continue;
    const auto series = [&](const char* key) {
      Steps out;
      const auto count = static_cast<std::int64_t>(c[key].size());
      for (std::int64_t i = 0; i < count; ++i) {
        out.push_back({made_minute(60 * i / count), made_minute(60 * (i + 1) / count), std::llround(c[key][static_cast<std::size_t>(i)].get<double>() * 1e9)});
      }
      return out;
    };
    MadeCluster cluster;
    cluster.node("n1", 100, 100, 0, 1'000'000'000);
    cluster.pod(MadePod("a/p").with(MadeContainer("c").request_steps("cpu", series("cpu_req_series"))));
    cluster.use("a/p", "c", series("cpu_used_series"));
    const LedgerRow pod = made_sum_of_pod(cluster.close().rows, "a/p");
    EXPECT_EQ(pod.cpu_allocated, std::llround(c["expect_cpu_avg"].get<double>() * 3'600e9)) << c["name"];
    ++checked;
  }
  EXPECT_EQ(checked, 1u);
}

// --- node price split

TEST_F(UnitRuleReferenceTest, NodePriceSplit) {
  const auto rate = [](const UnitCases& price) { return HourlyRate{nanos_of_dollars(price.get<double>())}; };
  std::size_t checked = 0;
  for (const UnitCases& c : unit_cases()["node_price_split"]["cases"]) {
    SCOPED_TRACE(c["name"].get<std::string>());
    SplitQuestion q;
    q.shape = {c["cpu"].get<std::int64_t>() * kMadeCore, c["ram_gib"].get<std::int64_t>() * kMadeGib, c["gpu"].get<std::int64_t>() * 1'000};
    const double price = c.value("node_price", c.value("node_price_month", 0.0));
    q.list = {nanos_of_dollars(price)};
    if (c.contains("base")) {
      q.cpu_rate = rate(c["base"]["cpu"]);
      q.memory_rate = rate(c["base"]["ram"]);
      q.gpu_rate = rate(c["base"]["gpu"]);
    } else {
      q.plain = {rate(c["known_parts"]["cpu"]), rate(c["known_parts"]["ram"]), ""};
    }
    const auto unit = [&](const NodeSplit& split, Int128 part, const char* count) {
      return static_cast<double>(part) / static_cast<double>(split.cpu + split.memory + split.gpu) * price / c[count].get<double>();
    };
    std::vector<NodeSplit> splits{split_node_price(q)};
    if (c["name"].get<std::string>().starts_with("default ratios")) {
      // The built-in method knows these ratios without being told.
      q.cpu_rate = q.memory_rate = q.gpu_rate = std::nullopt;
      q.method = SplitMethod::kOpenCostRatio;
      splits.push_back(split_node_price(q));
    }
    for (const NodeSplit& split : splits) {
      if (c.contains("expect_residual_gpu")) {
        EXPECT_NEAR(unit(split, split.gpu, "gpu"), c["expect_residual_gpu"].get<double>(), 5e-7);
      } else {
        EXPECT_NEAR(unit(split, split.cpu, "cpu"), c["expect"]["cpu"].get<double>(), 5e-7);
        EXPECT_NEAR(unit(split, split.memory, "ram_gib"), c["expect"]["ram"].get<double>(), 5e-7);
        EXPECT_NEAR(unit(split, split.gpu, "gpu"), c["expect"]["gpu"].get<double>(), 5e-7);
      }
      ++checked;
    }
  }
  EXPECT_EQ(checked, 4u);
}

// --- tokens

Money money_at(const UnitCases& c, const char* key) { return Money::nanos(nanos_of_dollars(c[key].get<double>())); }

void expect_token_prices(const UnitCases& c) {
  const auto count = [&](const char* key) { return std::llround(c[key].get<double>()); };
  const TokenCounts tokens{count("prompt_tokens"), count("cache_hit_blocks") * count("block_size"), count("generation_tokens")};
  const UnitCases& expected = c["expect_per_million"];
  const InferenceCost cost = inference_cost(money_at(c, "cost"), tokens, PhaseTimes{count("prefill_s") * kNanosPerSecond, count("decode_s") * kNanosPerSecond});
  EXPECT_NEAR(dollars_of_money(cost.blended_price.value()), expected["blended"].get<double>(), 6e-10);
  EXPECT_NEAR(dollars_of_money(cost.input_price.value()), expected["input"].get<double>(), 6e-10);
  EXPECT_NEAR(dollars_of_money(cost.output_price.value()), expected["output"].get<double>(), 6e-10);
  EXPECT_EQ(cost.input + cost.output, money_at(c, "cost"));
  const InferenceCost fall_back = inference_cost(money_at(c, "cost"), tokens, std::nullopt);
  EXPECT_NEAR(dollars_of_money(*fall_back.output_price) / dollars_of_money(*fall_back.input_price), 2.5, 1e-7);
}

// A pod that holds the only GPU of a node whose money is all GPU.
void expect_cost_on_basis(const UnitCases& c) {
  MadeCluster cluster;
  cluster.node("n1", 8, 8, 1, nanos_of_dollars(c["cost"].get<double>()), 0, 0, 1);
  cluster.device("n1", "GPU-1", "a/serve", std::llround(c["gpu_engine_active"].get<double>() * 1e6));
  cluster.pod(MadePod("a/serve").with(MadeContainer("c").gpus(1)));
  const LedgerRow pod = made_sum_of_pod(cluster.close().rows, "a/serve");
  EXPECT_EQ(pod.gpu_allocated, std::llround(c["gpu_hours"].get<double>() * 3'600e9));
  const Money cost = c["basis"] == "usage" ? usage_cost(pod.gpu_cost, pod.gpu_active, pod.gpu_allocated) : pod.gpu_cost;
  EXPECT_EQ(cost, money_at(c, "expect_cost")) << c["basis"];
}

void expect_comparison(const UnitCases& c) {
  const ServingComparison compared = compare_serving(money_at(c, "usage_cost_per_million"), money_at(c, "allocation_cost_per_million"), money_at(c, "external_price"));
  const auto as_double = [](Rational r) { return static_cast<double>(r.num) / static_cast<double>(r.den); };
  EXPECT_EQ(as_double(compared.utilization), c["expect_utilisation"].get<double>());
  EXPECT_EQ(as_double(compared.break_even), c["expect_break_even_utilisation"].get<double>());
  EXPECT_EQ(compared.is_external_cheaper, c["expect_cheaper"] == "external");
}

TEST_F(UnitRuleReferenceTest, TokensOfAnInferenceServer) {
  std::size_t checked = 0;
  for (const UnitCases& c : unit_cases()["inference_cost"]["cases"]) {
    if (c.contains("prompt_tokens")) {
      expect_token_prices(c);
    } else if (c.contains("basis")) {
      expect_cost_on_basis(c);
    } else {
      expect_comparison(c);
    }
    ++checked;
  }
  EXPECT_EQ(checked, 4u);
}

// --- traffic

constexpr std::int64_t kTrafficStart = 1'735'689'600;  // 2025-01-01T00:00:00Z

// A counter that grows evenly from its first value to its last over the hour.
void add_counter(MetricLines& lines, const std::string& series, const UnitCases& first_and_last) {
  const double from = first_and_last[0].get<double>();
  const double to = first_and_last[1].get<double>();
  for (std::int64_t minute = 0; minute <= 60; ++minute) {
    const double bytes = (from + (to - from) * static_cast<double>(minute) / 60) * 1073741824.0;
    lines.at(kTrafficStart + minute * 60, series, std::to_string(std::llround(bytes)));
  }
}

MetricLines traffic_lines(const UnitCases& counters) {
  MetricLines lines;
  const std::int64_t end = kTrafficStart + 3'600;
  lines.hold(kTrafficStart, end, R"(kube_node_info{node="n1"})");
  lines.hold(kTrafficStart, end, R"(kube_pod_info{namespace="a",pod="p",uid="u1",node="n1"})");
  lines.hold(kTrafficStart, end, R"(kube_pod_status_phase{namespace="a",pod="p",uid="u1",phase="Running"})");
  for (const auto& [name, values] : counters.items()) {
    const std::string labels = R"({namespace="a",pod="p")";
    if (name == "transmit" || name == "receive") {
      add_counter(lines, "container_network_" + name + "_bytes_total" + labels + R"(,interface="eth0"})", values);
    } else if (name.starts_with("internet_")) {
      add_counter(lines, "seedance_pod_egress_internet_bytes_total" + labels + ",service=\"" + name + "\"}", values);
    } else {
      add_counter(lines, "seedance_pod_egress_" + name + "_bytes_total" + labels + "}", values);
    }
  }
  return lines;
}

// "A pod total is shared equally by its containers" has no counterpart: traffic belongs to the pod's network, which its containers share,
// and our row for it names the pod and no container. The money of the pod is the same.
TEST_F(UnitRuleReferenceTest, TrafficByClass) {
  const UnitCases& c = unit_cases()["network"]["case"];
  double cost_of_all = 0;
  for (const char* one : {"zone", "region", "internet"}) {
    BooksOptions options;
    ServicePrices& prices = options.allocation.service_prices;
    (std::string(one) == "zone" ? prices.zone_gib : std::string(one) == "region" ? prices.region_gib : prices.internet_gib) =
        Money::nanos(nanos_of_dollars(c["price_per_gib"][one].get<double>()));
    WholePath path(options);
    path.import(traffic_lines(c["counters_gib"]).text());
    const PodTraffic traffic = path.gather(time_from_seconds(kTrafficStart)).traffic.at("u1");
    const std::int64_t bytes = std::string(one) == "zone" ? traffic.zone : std::string(one) == "region" ? traffic.region : traffic.internet;
    EXPECT_NEAR(static_cast<double>(bytes) / 1073741824.0, c["expect_gib"][one].get<double>(), 1e-7) << one;
    const double cost = dollars_of_money(made_sum(path.rows(), RowKind::kNetwork).network_cost);
    EXPECT_NEAR(cost, c["expect_cost"][one].get<double>(), 1e-6) << one;
    cost_of_all += cost;
  }
  EXPECT_NEAR(cost_of_all, 25, 1e-6);
}

// What the network card counted, whatever class: read and kept, not priced.
TEST_F(UnitRuleReferenceTest, TrafficOfTheNetworkCard) {
  const UnitCases& c = unit_cases()["network"]["case"];
  for (const char* one : {"transmit", "receive"}) {
    const UnitCases& ends = c["counters_gib"][one];
    const std::vector<Sample> samples{{kTrafficStart * 1'000, ends[0].get<double>()}, {(kTrafficStart + 3'600) * 1'000, ends[1].get<double>()}};
    EXPECT_EQ(counter_increase(samples).increase, c["expect_gib"][one].get<double>()) << one;
  }
}

}  // namespace
}  // namespace seedance
