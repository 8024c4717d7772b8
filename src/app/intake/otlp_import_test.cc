#include "app/intake/otlp_import.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "ingest/otlp/otlp_series.h"
#include "ingest/otlp/otlp_wire.h"
#include "signal/timeline.h"

namespace seedance {
namespace {

constexpr std::int64_t kHourMs = 1'796'061'600'000;  // a whole hour
constexpr std::uint64_t kMillisecondNanos = 1'000'000;

std::uint64_t nanos(std::int64_t ms) { return static_cast<std::uint64_t>(ms) * kMillisecondNanos; }

struct Delta {
  std::int64_t start_ms;
  std::int64_t end_ms;
  double value;
};

// The counter that deltas become, as the intake keeps it.
std::vector<Sample> counter_of_deltas(const std::vector<Delta>& deltas) {
  std::vector<Sample> out;
  OtlpTranslator translator({}, [&](OtlpTranslator::Series series) { out.insert(out.end(), series.samples.begin(), series.samples.end()); });
  const OtlpResource resource{1, {}};
  const OtlpScope scope;
  const OtlpMetric metric{.index = 1, .name = "c", .type = OtlpType::kSum, .temporality = OtlpTemporality::kDelta, .is_monotonic = true};
  for (const Delta& d : deltas) {
    OtlpPoint point;
    point.start_nanos = nanos(d.start_ms);
    point.time_nanos = nanos(d.end_ms);
    point.as_double = d.value;
    translator.add({resource, scope, metric, point});
  }
  sort_samples(out);
  return out;
}

// An hour of deltas with rates that 10^-9 can say, and a gap; the sum is exact.
std::vector<Delta> made_deltas(std::int64_t step_ms, double& sum) {
  std::vector<Delta> out;
  sum = 0;
  for (std::int64_t at = 0; at < 3'600'000; at += step_ms) {
    if (at >= 1'200'000 && at < 1'320'000) continue;  // nothing for two minutes
    const double value = 0.25 * static_cast<double>(1 + at / step_ms % 7) * static_cast<double>(step_ms - 1) / 1'000 * 8;
    out.push_back({kHourMs + at, kHourMs + at + step_ms, value});
    sum += value;
  }
  return out;
}

// Core-nanoseconds of the hour.
Int128 used_in_hour(const std::vector<Sample>& samples) {
  const Interval hour{time_from_millis(kHourMs), time_from_millis(kHourMs + 3'600'000)};
  return integral(clip(counter_steps(samples, TimelineOptions{}, 1e9), hour));
}

TEST(OtlpDeltaTest, AnHourOfDeltasAddsUpExactly) {
  for (const std::int64_t step_ms : {1'000, 10'000, 60'000}) {
    double sum = 0;
    std::vector<Delta> deltas = made_deltas(step_ms, sum);
    const std::vector<Sample> in_order = counter_of_deltas(deltas);
    EXPECT_DOUBLE_EQ(counter_increase(in_order).increase, sum);
    // Level times time is in billionths twice over.
    const auto wanted = static_cast<Int128>(std::llround(sum * 1e9)) * kNanosPerSecond;
    const Int128 got = used_in_hour(in_order);
    EXPECT_TRUE(got == wanted) << step_ms << ": " << static_cast<double>(got) / 1e18 << " instead of " << sum;

    std::mt19937 random(7);
    for (int round = 0; round < 5; ++round) {
      std::vector<Delta> shuffled = deltas;
      shuffled.insert(shuffled.end(), deltas.begin(), deltas.begin() + static_cast<std::ptrdiff_t>(deltas.size() / 2));
      std::shuffle(shuffled.begin(), shuffled.end(), random);
      EXPECT_TRUE(used_in_hour(counter_of_deltas(shuffled)) == got) << "shuffled and half of it sent twice";
    }
  }
}

TEST(OtlpDeltaTest, APointWithoutAStartCountsOnce) {
  const std::vector<Sample> samples = counter_of_deltas({{0, kHourMs + 60'000, 30}, {kHourMs + 60'000, kHourMs + 120'000, 30}});
  EXPECT_DOUBLE_EQ(counter_increase(samples).increase, 60);
}

struct ImportFixture {
  ManualClock clock{time_from_millis(kHourMs + 200'000)};
  Counters counters;
  std::unique_ptr<SampleIntake> intake = SampleIntake::open("", Catalogue{}, {}, clock, counters).value();

  Result<OtlpReport> take(std::string_view body, OtlpEncoding encoding = OtlpEncoding::kProtobuf) { return import_otlp(*intake, counters, body, encoding); }
  std::vector<std::string> series() const {
    std::vector<std::string> out;
    for (std::uint32_t i = 0; i < intake->series(); ++i) out.push_back(print_labels(intake->registry().labels(i)));
    return out;
  }
};

std::string gpu_point(std::int64_t at_ms) {
  return otlp_number_point({.attributes = otlp_text_attribute(7, "UUID", "GPU-1") + otlp_text_attribute(7, "Hostname", "node-a") + otlp_text_attribute(7, "gpu", "0"), .time_nanos = nanos(at_ms), .value = 41});
}

std::string state_point(std::int64_t at_ms) {
  return otlp_number_point({.attributes = otlp_text_attribute(7, "namespace", "n") + otlp_text_attribute(7, "pod", "p") + otlp_text_attribute(7, "uid", "u") + otlp_text_attribute(7, "node", "node-a"), .time_nanos = nanos(at_ms), .value = 1});
}

std::string cpu_point(std::int64_t at_ms) {
  return otlp_number_point({.attributes = otlp_text_attribute(7, "namespace", "n") + otlp_text_attribute(7, "pod", "p") + otlp_text_attribute(7, "container", "main"), .time_nanos = nanos(at_ms), .value = 12});
}

TEST(OtlpImportTest, NamesOfPrometheusExportersArriveAsTheyAre) {
  ImportFixture f;
  std::string cpu = otlp_field(1, "container_cpu_usage_seconds_total") + otlp_field(3, "s") + otlp_field(7, otlp_field(1, cpu_point(kHourMs)) + std::string("\x10\x02\x18\x01"));
  for (const std::string& metric : {otlp_metric("DCGM_FI_DEV_GPU_UTIL", 5, gpu_point(kHourMs)) + otlp_field(3, "%"), otlp_metric("kube_pod_info", 5, state_point(kHourMs)) + otlp_field(3, "1"), cpu}) {
    const auto report = f.take(otlp_request(metric));
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->taken.samples_kept, 1u);
    EXPECT_EQ(report->points_rejected, 0u);
  }
  EXPECT_EQ(f.series(), (std::vector<std::string>{R"({Hostname="node-a",UUID="GPU-1",__name__="DCGM_FI_DEV_GPU_UTIL",gpu="0",job="s"})",
                                                  R"({__name__="kube_pod_info",job="s",namespace="n",node="node-a",pod="p",uid="u"})",
                                                  R"({__name__="container_cpu_usage_seconds_total",container="main",job="s",namespace="n",pod="p"})"}));
}

TEST(OtlpImportTest, WhatNobodyReadsIsCounted) {
  ImportFixture f;
  const auto report = f.take(otlp_request(otlp_metric("my.gauge", 5, gpu_point(kHourMs))));
  ASSERT_TRUE(report);
  EXPECT_EQ(report->taken.samples_kept, 0u);
  EXPECT_EQ(report->samples_ignored, 1u);
  EXPECT_EQ(f.counters.counter("ingest_samples", "", "outcome=\"ignored\"").value(), 1);
  EXPECT_EQ(rejection_message(*report), "");
}

TEST(OtlpImportTest, RefusedSamplesAreRejectedPoints) {
  ImportFixture f;
  const std::string delta = otlp_field(1, "container_cpu_usage_seconds_total") +
                            otlp_field(7, otlp_field(1, cpu_point(1'000'000)) + otlp_field(1, cpu_point(kHourMs)) + std::string("\x10\x01\x18\x01"));
  const auto report = f.take(otlp_request(delta));
  ASSERT_TRUE(report);
  EXPECT_EQ(report->points, 2u);
  EXPECT_EQ(report->points_rejected, 1u) << "three samples of one point";
  EXPECT_EQ(report->taken.samples_kept, 3u);
  EXPECT_TRUE(rejection_message(*report).starts_with("1 of 2 data points were rejected: timestamp is not a time")) << rejection_message(*report);
}

TEST(OtlpImportTest, ADamagedRequestKeepsNothing) {
  ImportFixture f;
  const std::string good = otlp_request(otlp_metric("DCGM_FI_DEV_GPU_UTIL", 5, gpu_point(kHourMs)));
  const auto report = f.take(good + "\x0a\x7f");
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, Code::kInvalid);
  EXPECT_EQ(f.intake->kept_samples(), 0u);
  EXPECT_EQ(f.take("[]", OtlpEncoding::kJson).error().code, Code::kInvalid);
  EXPECT_EQ(f.take("")->points, 0u);
  EXPECT_EQ(f.take("{}", OtlpEncoding::kJson)->points, 0u);
}

TEST(OtlpImportTest, BothEncodingsKeepTheSameAndResendsNothingNew) {
  ImportFixture f;
  ASSERT_TRUE(f.take(otlp_request(otlp_metric("DCGM_FI_DEV_GPU_UTIL", 5, gpu_point(kHourMs)))));
  const std::string json = R"({"resourceMetrics":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"s"}}]},"scopeMetrics":[{"metrics":[)"
                           R"({"name":"DCGM_FI_DEV_GPU_UTIL","gauge":{"dataPoints":[{"asInt":"41","timeUnixNano":")" + std::to_string(nanos(kHourMs)) +
                           R"(","attributes":[{"key":"UUID","value":{"stringValue":"GPU-1"}},{"key":"Hostname","value":{"stringValue":"node-a"}},{"key":"gpu","value":{"intValue":0}}]}]}}]}]}]})";
  ASSERT_TRUE(f.take(json, OtlpEncoding::kJson));
  ASSERT_TRUE(f.take(json, OtlpEncoding::kJson));
  EXPECT_EQ(f.intake->series(), 1u);
  std::size_t samples = 0;
  const TimePoint hour = time_from_millis(kHourMs);
  f.intake->read_hour({hour, hour + std::chrono::hours(1)}, [](const SeriesMeaning&) { return true; },
                      [&](std::uint32_t, std::span<const Sample> of_series) { samples += of_series.size(); });
  EXPECT_EQ(samples, 1u);
}

}  // namespace
}  // namespace seedance
