// CPU per million OTLP data points, from the bytes of a request to kept samples, in memory (no log, no network).
//
//   otlp_bench [--points MILLIONS] [--rounds N]
//
// 2,000 points a request with 10 attributes each, one resource with a service and a place, 20 metrics of 100 GPUs; every request again a
// second later, as an SDK sends it. Protobuf of metrics that are kept, protobuf of metrics that nobody reads, JSON of kept ones; the best
// of the rounds. One request that registers its series is not counted. Checked: every sample is kept, or ignored.
#include <cstdlib>

#include "app/intake/otlp_import.h"
#include "base/check.h"
#include "base/clock.h"
#include "bench/measure.h"
#include "ingest/otlp/otlp_wire.h"

namespace seedance {
namespace {

constexpr std::size_t kGpusOfRequest = 100;
constexpr std::int64_t kFirstMs = 1'796'061'600'000;
constexpr const char* kOtlpBenchMetrics[] = {
    "DCGM_FI_DEV_SM_CLOCK", "DCGM_FI_PROF_SM_OCCUPANCY", "DCGM_FI_DEV_MEMORY_TEMP", "DCGM_FI_DEV_GPU_TEMP",
    "DCGM_FI_DEV_POWER_USAGE", "DCGM_FI_PROF_PIPE_FP32_ACTIVE", "DCGM_FI_DEV_GPU_UTIL", "DCGM_FI_DEV_MEM_COPY_UTIL",
    "DCGM_FI_PROF_SM_ACTIVE", "DCGM_FI_PROF_PIPE_FP16_ACTIVE", "DCGM_FI_DEV_XID_ERRORS", "DCGM_FI_DEV_FB_FREE",
    "DCGM_FI_DEV_FB_USED", "DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL", "DCGM_FI_PROF_GR_ENGINE_ACTIVE", "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE",
    "DCGM_FI_PROF_DRAM_ACTIVE", "DCGM_FI_PROF_PCIE_TX_BYTES", "DCGM_FI_PROF_PCIE_RX_BYTES", "DCGM_FI_DEV_FB_RESERVED",
};

struct MadeAttribute {
  std::string key;
  std::string value;
};

std::vector<MadeAttribute> attributes_of(std::size_t gpu) {
  char uuid[64];
  std::snprintf(uuid, sizeof uuid, "GPU-%08zx-7f4a-7c15-97f4-%012zx", gpu * 2'654'435'769U % 0xffffffffU, gpu);
  const std::string number = std::to_string(gpu % 8);
  const std::string node = std::to_string(gpu / 8);
  return {{"Hostname", "gpu-node-" + node}, {"UUID", uuid}, {"container", "trainer"}, {"device", "nvidia" + number}, {"gpu", number},
          {"modelName", "NVIDIA H100 80GB HBM3"}, {"namespace", "team-" + node}, {"pci_bus_id", "00000000:1A:00.0"},
          {"pod", "pretrain-" + node + "-worker-" + number}, {"DCGM_FI_DRIVER_VERSION", "535.129.03"}};
}

std::string protobuf_request(std::int64_t at_ms, const std::string& prefix) {
  std::string metrics;
  for (std::size_t m = 0; m < std::size(kOtlpBenchMetrics); ++m) {
    std::string points;
    for (std::size_t gpu = 0; gpu < kGpusOfRequest; ++gpu) {
      std::string attributes;
      for (const MadeAttribute& a : attributes_of(gpu)) attributes += otlp_text_attribute(7, a.key, a.value);
      points += otlp_field(1, otlp_number_point({.attributes = attributes, .time_nanos = static_cast<std::uint64_t>(at_ms) * 1'000'000,
                                                 .value = static_cast<double>((gpu * 7 + m) % 100)}));
    }
    metrics += otlp_field(2, otlp_field(1, prefix + kOtlpBenchMetrics[m]) + otlp_field(5, points));
  }
  const std::string resource = otlp_text_attribute(1, "service.name", "dcgm") + otlp_text_attribute(1, "k8s.cluster.name", "a");
  return otlp_field(1, otlp_field(1, resource) + otlp_field(2, metrics));
}

std::string json_request(std::int64_t at_ms) {
  const auto pair = [](const MadeAttribute& a) { return R"({"key":")" + a.key + R"(","value":{"stringValue":")" + a.value + "\"}}"; };
  std::string out = R"({"resourceMetrics":[{"resource":{"attributes":[)" + pair({"service.name", "dcgm"}) + "," + pair({"k8s.cluster.name", "a"}) +
                    R"(]},"scopeMetrics":[{"metrics":[)";
  for (std::size_t m = 0; m < std::size(kOtlpBenchMetrics); ++m) {
    out += std::string(m == 0 ? "" : ",") + R"({"name":")" + kOtlpBenchMetrics[m] + R"(","gauge":{"dataPoints":[)";
    for (std::size_t gpu = 0; gpu < kGpusOfRequest; ++gpu) {
      out += std::string(gpu == 0 ? "" : ",") + R"({"timeUnixNano":")" + std::to_string(at_ms) + R"(000000","asDouble":)" +
             std::to_string((gpu * 7 + m) % 100) + R"(,"attributes":[)";
      std::string attributes;
      for (const MadeAttribute& a : attributes_of(gpu)) attributes += (attributes.empty() ? "" : ",") + pair(a);
      out += attributes + "]}";
    }
    out += "]}}";
  }
  return out + "]}]}]}";
}

struct OtlpBenchCase {
  const char* name;
  OtlpEncoding encoding;
  bool is_kept;
};

std::string request_of(const OtlpBenchCase& c, std::int64_t at_ms) {
  return c.encoding == OtlpEncoding::kJson ? json_request(at_ms) : protobuf_request(at_ms, c.is_kept ? "" : "nobody.reads.");
}

// CPU-s a million points.
double measure_otlp(const OtlpBenchCase& c, std::size_t requests) {
  ManualClock clock(time_from_millis(kFirstMs + 3'600'000));
  Counters counters;
  const std::unique_ptr<SampleIntake> intake = SampleIntake::open("", Catalogue{}, {}, clock, counters).value();
  constexpr std::size_t kPoints = std::size(kOtlpBenchMetrics) * kGpusOfRequest;
  double cpu = 0;
  for (std::size_t i = 0; i <= requests; ++i) {
    const std::string body = request_of(c, kFirstMs + static_cast<std::int64_t>(i) * 1'000);
    const double before = cpu_seconds();
    const OtlpReport report = import_otlp(*intake, counters, body, c.encoding).value();
    if (i > 0) cpu += cpu_seconds() - before;
    SEEDANCE_CHECK(report.points == kPoints && report.points_rejected == 0, report.first_reason);
    // The resource's own series, target_info, comes on top.
    const std::uint64_t taken = c.is_kept ? report.taken.samples_kept : report.samples_ignored;
    SEEDANCE_CHECK(taken >= kPoints, "not every sample was kept or ignored");
  }
  return cpu / static_cast<double>(requests * kPoints) * 1e6;
}

int bench_otlp(double millions, int rounds) {
  const auto points = static_cast<double>(std::size(kOtlpBenchMetrics) * kGpusOfRequest);
  const auto requests = std::max<std::size_t>(1, static_cast<std::size_t>(millions * 1e6 / points));
  const OtlpBenchCase cases[] = {{"protobuf, kept", OtlpEncoding::kProtobuf, true},
                                 {"protobuf, nobody reads it", OtlpEncoding::kProtobuf, false},
                                 {"JSON, kept", OtlpEncoding::kJson, true}};
  for (const OtlpBenchCase& c : cases) {
    double best = 1e9;
    for (int round = 0; round < rounds; ++round) best = std::min(best, measure_otlp(c, requests));
    std::printf("%-28s %6.2f CPU-s a million points of 10 attributes\n", c.name, best);
  }
  return 0;
}

}  // namespace
}  // namespace seedance

int main(int argc, char** argv) {
  double millions = 0.5;
  int rounds = 3;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::string(argv[i]) == "--points") millions = std::atof(argv[i + 1]);
    if (std::string(argv[i]) == "--rounds") rounds = std::atoi(argv[i + 1]);
  }
  return seedance::bench_otlp(millions, rounds);
}
