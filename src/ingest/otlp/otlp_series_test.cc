#include "ingest/otlp/otlp_series.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace seedance {
namespace {

constexpr std::uint64_t kSecondNanos = 1'000'000'000;

struct Made {
  std::map<std::string, std::vector<Sample>> series;  // by printed labels
  OtlpCounts counts;
};

Made translated(const OtlpAttributes& resource, const OtlpMetric& metric, const std::vector<OtlpPoint>& points, const OtlpWantedName& wanted = {}) {
  Made out;
  OtlpTranslator translator(wanted, [&](OtlpTranslator::Series series) {
    std::vector<Sample>& samples = out.series[print_labels(series.labels())];
    samples.insert(samples.end(), series.samples.begin(), series.samples.end());
  });
  const OtlpResource of{1, resource};
  const OtlpScope scope;
  OtlpMetric numbered = metric;
  numbered.index = 1;
  for (const OtlpPoint& point : points) translator.add({of, scope, numbered, point});
  translator.finish();
  out.counts = translator.counts();
  return out;
}

OtlpMetric gauge(std::string name, std::string unit = "") { return {.name = std::move(name), .unit = std::move(unit), .type = OtlpType::kGauge}; }
OtlpMetric counter(std::string name, std::string unit = "", OtlpTemporality temporality = OtlpTemporality::kCumulative) {
  return {.name = std::move(name), .unit = std::move(unit), .type = OtlpType::kSum, .temporality = temporality, .is_monotonic = true};
}

OtlpPoint value_at(std::uint64_t second, double value, OtlpAttributes attributes = {}) {
  OtlpPoint out;
  out.attributes = std::move(attributes);
  out.time_nanos = second * kSecondNanos;
  out.as_double = value;
  return out;
}

std::vector<std::string> keys_of(const Made& made) {
  std::vector<std::string> out;
  for (const auto& [key, samples] : made.series) out.push_back(key);
  return out;
}

using Names = std::vector<std::string>;

TEST(OtlpNamesTest, UnitsAndTotalsAreAppendedOnce) {
  const auto name = [](const OtlpMetric& metric) { return otlp_metric_name(metric, {}); };
  EXPECT_EQ(name(gauge("gpu.utilization", "1")), "gpu_utilization_ratio");
  EXPECT_EQ(name(counter("gpu.energy", "J")), "gpu_energy_joules_total");
  EXPECT_EQ(name(counter("train.samples", "{sample}")), "train_samples_total");
  EXPECT_EQ(name(counter("requests_total")), "requests_total");
  EXPECT_EQ(name(counter("cpu_usage_seconds_total", "s")), "cpu_usage_seconds_total");
  EXPECT_EQ(name(counter("disk.io", "By")), "disk_io_bytes_total");
  EXPECT_EQ(name(gauge("network.speed", "By/s")), "network_speed_bytes_per_second");
  EXPECT_EQ(name(gauge("speed", "km/h")), "speed_km_per_hour");
  EXPECT_EQ(name(gauge("rate", "{request}/s")), "rate_per_second");
  EXPECT_EQ(name(gauge("process.memory_bytes", "By")), "process_memory_bytes");
  EXPECT_EQ(name(gauge("bytesize", "By")), "bytesize_bytes") << "a part of a word is not the unit";
  EXPECT_EQ(name(gauge("1st..floor--", "")), "_1st_floor");
  EXPECT_EQ(name(gauge("vllm:running")), "vllm:running");
  EXPECT_EQ(name(gauge("")), "");
  EXPECT_EQ(name({.name = "d", .unit = "s", .type = OtlpType::kHistogram, .is_monotonic = true}), "d_seconds");
}

TEST(OtlpNamesTest, AWantedNameStaysAsItIs) {
  const OtlpWantedName wanted = [](std::string_view n) { return n == "DCGM_FI_DEV_GPU_UTIL" || n == "kube_pod_info" || n == "container_cpu_usage_seconds_total" || n == "dcgm_gpu_temp"; };
  EXPECT_EQ(otlp_metric_name(gauge("DCGM_FI_DEV_GPU_UTIL", "%"), wanted), "DCGM_FI_DEV_GPU_UTIL");
  EXPECT_EQ(otlp_metric_name(gauge("kube_pod_info", "1"), wanted), "kube_pod_info");
  EXPECT_EQ(otlp_metric_name(counter("container_cpu_usage_seconds_total", "s"), wanted), "container_cpu_usage_seconds_total");
  EXPECT_EQ(otlp_metric_name(gauge("dcgm.gpu.temp", "Cel"), wanted), "dcgm_gpu_temp");
  EXPECT_EQ(otlp_metric_name(gauge("kube_pod_other", "1"), wanted), "kube_pod_other_ratio");
}

TEST(OtlpNamesTest, LabelNamesAreSafe) {
  EXPECT_EQ(otlp_label_name("k8s.pod.name"), "k8s_pod_name");
  EXPECT_EQ(otlp_label_name("GPU_I_ID"), "GPU_I_ID");
  EXPECT_EQ(otlp_label_name("0weird"), "key_0weird");
  EXPECT_EQ(otlp_label_name("__name__"), "key_name");
  EXPECT_EQ(otlp_label_name(""), "key_");
}

TEST(OtlpSeriesTest, TheResourceSaysJobInstanceAndPlace) {
  const OtlpAttributes resource{{"service.name", "trainer"}, {"service.namespace", "llm"}, {"service.instance.id", "w-0"}, {"k8s.pod.name", "p-0"}, {"host.name", "a"}, {"process.pid", "7"}};
  const Made made = translated(resource, gauge("load"), {value_at(10, 0.5, {{"gpu", "0"}}), value_at(20, 0.5, {{"gpu", "0"}, {"empty", ""}})});
  EXPECT_EQ(keys_of(made), (Names{R"({__name__="load",gpu="0",host_name="a",instance="w-0",job="llm/trainer",k8s_pod_name="p-0"})",
                                  R"({__name__="target_info",host_name="a",instance="w-0",job="llm/trainer",k8s_pod_name="p-0",process_pid="7"})"}));
  EXPECT_EQ(made.series.begin()->second.size(), 2u);
  EXPECT_EQ(made.series.rbegin()->second.at(0).timestamp_ms, 20'000);
}

TEST(OtlpSeriesTest, PointAttributesWinAndDoublesAreJoined) {
  const Made made = translated({{"k8s.pod.name", "of-resource"}}, gauge("load"), {value_at(10, 1, {{"k8s.pod.name", "of-point"}, {"a.b", "2"}, {"a_b", "1"}, {"__name__", "other"}})});
  EXPECT_EQ(keys_of(made).at(0), R"({__name__="load",a_b="2;1",k8s_pod_name="of-point",key_name="other"})");
}

TEST(OtlpSeriesTest, HistogramsBecomeCumulativeBuckets) {
  OtlpPoint point;
  point.time_nanos = 10 * kSecondNanos;
  point.count = 6;
  point.sum = 3.5;
  point.bounds = {0.25, 1};
  point.bucket_counts = {1, 2, 3};
  const Made made = translated({}, {.name = "d", .unit = "s", .type = OtlpType::kHistogram, .temporality = OtlpTemporality::kCumulative}, {point});
  EXPECT_EQ(keys_of(made), (Names{R"({__name__="d_seconds_bucket",le="+Inf"})", R"({__name__="d_seconds_bucket",le="0.25"})", R"({__name__="d_seconds_bucket",le="1"})",
                                  R"({__name__="d_seconds_count"})", R"({__name__="d_seconds_sum"})"}));
  EXPECT_EQ(made.series.at(R"({__name__="d_seconds_bucket",le="1"})").at(0).value, 3);
  EXPECT_EQ(made.series.at(R"({__name__="d_seconds_sum"})").at(0).value, 3.5);
  point.bucket_counts = {1};
  EXPECT_EQ(translated({}, {.name = "d", .type = OtlpType::kHistogram, .temporality = OtlpTemporality::kCumulative}, {point}).counts.points_rejected, 1u);
}

TEST(OtlpSeriesTest, SummariesAndExponentialHistograms) {
  OtlpPoint point;
  point.time_nanos = 10 * kSecondNanos;
  point.count = 6;
  point.sum = 3.5;
  point.quantiles = {{0.99, 2}};
  EXPECT_EQ(keys_of(translated({}, {.name = "q", .type = OtlpType::kSummary}, {point})), (Names{R"({__name__="q",quantile="0.99"})", R"({__name__="q_count"})", R"({__name__="q_sum"})"}));
  EXPECT_EQ(keys_of(translated({}, {.name = "e", .type = OtlpType::kExponentialHistogram, .temporality = OtlpTemporality::kCumulative}, {point})),
            (Names{R"({__name__="e_count"})", R"({__name__="e_sum"})"}));
}

TEST(OtlpSeriesTest, NoRecordedValueIsAStaleMarker) {
  OtlpPoint point;
  point.time_nanos = 10 * kSecondNanos;
  point.has_no_value = true;
  for (const OtlpMetric& metric : {gauge("g"), counter("g", "", OtlpTemporality::kDelta)}) {
    const Made made = translated({}, metric, {point});
    ASSERT_EQ(made.series.size(), 1u);
    EXPECT_TRUE(is_stale_marker(made.series.begin()->second.at(0).value));
    EXPECT_EQ(made.series.begin()->second.size(), 1u);
  }
}

OtlpPoint delta(std::uint64_t start_second, std::uint64_t end_second, double value) {
  OtlpPoint out = value_at(end_second, value);
  out.start_nanos = start_second * kSecondNanos;
  return out;
}

std::vector<std::pair<std::int64_t, double>> delta_samples(const OtlpPoint& point) {
  const Made made = translated({}, counter("c", "", OtlpTemporality::kDelta), {point});
  std::vector<std::pair<std::int64_t, double>> out;
  for (const Sample& s : made.series.at(R"({__name__="c_total"})")) out.push_back({s.timestamp_ms, s.value});
  return out;
}

TEST(OtlpSeriesTest, ADeltaBeginsAndEndsAtZero) {
  using Samples = std::vector<std::pair<std::int64_t, double>>;
  EXPECT_EQ(delta_samples(delta(60, 120, 7)), (Samples{{60'001, 0}, {120'000, 7}, {120'001, 0}}));
  const Samples last_millisecond{{119'999, 0}, {120'000, 7}, {120'001, 0}};
  EXPECT_EQ(delta_samples(delta(0, 120, 7)), last_millisecond) << "no start";
  EXPECT_EQ(delta_samples(delta(120, 120, 7)), last_millisecond);
  EXPECT_EQ(delta_samples(delta(500, 120, 7)), last_millisecond) << "start behind the end";
}

TEST(OtlpSeriesTest, DeltasThatCannotBePlacedAreRejected) {
  OtlpMetric falls = counter("c", "", OtlpTemporality::kDelta);
  falls.is_monotonic = false;
  const Made refused = translated({}, falls, {delta(60, 120, 7)});
  EXPECT_EQ(refused.counts.points_rejected, 1u);
  EXPECT_EQ(refused.counts.first_reason, "delta of a sum that is not monotonic: send cumulative temporality: c");
  EXPECT_EQ(translated({}, counter("c", "", OtlpTemporality::kDelta), {delta(60, 120, -1), delta(60, 120, HUGE_VAL), delta(60, 120, std::nan(""))}).counts.points_rejected, 3u);
  EXPECT_EQ(translated({}, counter("c", "", OtlpTemporality::kUnspecified), {delta(60, 120, 1)}).counts.points_rejected, 1u);
  OtlpPoint empty;
  empty.time_nanos = 1;
  EXPECT_EQ(translated({}, gauge("g"), {empty, value_at(0, 1)}).counts.points_rejected, 2u) << "no value; no time";
  EXPECT_EQ(translated({}, gauge(""), {value_at(1, 1)}).counts.points_rejected, 1u);
}

// Points with the same attributes under other metrics, scopes and resources are other series; equal labels are made once and used again.
TEST(OtlpSeriesTest, TheSameAttributesElsewhereAreOtherSeries) {
  std::vector<std::string> made;
  OtlpTranslator translator({}, [&](const OtlpTranslator::Series& series) { made.push_back(print_labels(series.labels())); });
  const OtlpPoint point = value_at(1, 1, {{"gpu", "0"}, {"Zone", "z"}, {"job", "own"}});
  std::size_t metrics = 0;
  const auto add = [&](const OtlpResource& resource, const OtlpScope& scope, const char* name) {
    OtlpMetric metric = gauge(name);
    metric.index = ++metrics;
    translator.add({resource, scope, metric, point});
    translator.add({resource, scope, metric, point});
  };
  const OtlpResource first{1, {{"host.name", "a"}}};
  const OtlpResource second{2, {{"host.name", "b"}}};
  add(first, {}, "m");
  add(first, {}, "n");
  add(first, {"s", "1", {}}, "n");
  add(second, {}, "n");
  translator.finish();
  // Each twice, and a target_info where a resource ends.
  std::erase_if(made, [](const std::string& one) { return one.find("target_info") != std::string::npos; });
  ASSERT_EQ(made.size(), 8u);
  const Names once{made[0], made[2], made[4], made[6]};
  EXPECT_EQ(once, (Names{R"({Zone="z",__name__="m",gpu="0",host_name="a",job="own"})", R"({Zone="z",__name__="n",gpu="0",host_name="a",job="own"})",
                         R"({Zone="z",__name__="n",gpu="0",host_name="a",job="own",otel_scope_name="s",otel_scope_version="1"})",
                         R"({Zone="z",__name__="n",gpu="0",host_name="b",job="own"})"}));
  for (std::size_t i = 0; i < made.size(); i += 2) EXPECT_EQ(made[i], made[i + 1]);
}

TEST(OtlpSeriesTest, UnwantedSeriesAreCountedAndNotMade) {
  const OtlpWantedName wanted = [](std::string_view n) { return n == "d_sum"; };
  const Made none = translated({{"a", "b"}}, gauge("g"), {value_at(10, 1)}, wanted);
  EXPECT_TRUE(none.series.empty());
  EXPECT_EQ(none.counts.points_ignored, 1u);
  EXPECT_EQ(none.counts.samples_ignored, 1u);
  OtlpPoint point;
  point.time_nanos = 10 * kSecondNanos;
  point.sum = 1;
  const Made some = translated({}, {.name = "d", .type = OtlpType::kHistogram, .temporality = OtlpTemporality::kCumulative}, {point}, wanted);
  EXPECT_EQ(keys_of(some), (Names{R"({__name__="d_sum"})"}));
  EXPECT_EQ(some.counts.points_ignored, 0u);
  EXPECT_EQ(some.counts.samples_ignored, 2u) << "_count and the last bucket";
}

}  // namespace
}  // namespace seedance
