#include "api/state_routes.h"

#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "net/problem.h"
#include "api/query_routes.h"
#include "api/routes.h"
#include "base/time_text.h"

namespace seedance {
namespace {

constexpr double kMebibyte = 1024.0 * 1024.0;
constexpr std::size_t kFeaturesDefault = 1'000;
constexpr std::size_t kFeaturesMax = 100'000;

Json present(const FeatureVector& v, SignalId signal, FeatureStat stat, double scale) {
  const int slot = feature_slot(signal);
  if (slot < 0 || (v.presence >> slot & 1u) == 0) return {};
  return Json(static_cast<double>(v.value(static_cast<std::size_t>(slot), stat)) * scale);
}

// Device memory in all: what DCGM counts as used, free and reserved by the driver.
double memory_total(const FeatureVector& v) {
  double sum = 0;
  for (const SignalId part : {SignalId::kGpuMemoryUsed, SignalId::kGpuMemoryFree, SignalId::kGpuMemoryReserved}) {
    const double bytes = present(v, part, FeatureStat::kLast, 1).number();
    if (!std::isnan(bytes)) sum += bytes;
  }
  return sum;
}

// The semantic metric schema. Absent is null, never 0. The allocator's figures come from the job: DCGM's FB_RESERVED is
// the driver's. Interconnect traffic of collectives needs the agent.
Json gpu_json(const FeatureVector& v) {
  const auto last = [&](SignalId signal, double scale) { return present(v, signal, FeatureStat::kLast, scale); };
  Json out = Json::object();
  out.set("gpu_id", v.entity).set("at", print_time(time_from_seconds(v.second)));
  Json memory = Json::object();
  memory.set("allocated_mb", last(SignalId::kJobMemoryAllocated, 1 / kMebibyte)).set("reserved_mb", last(SignalId::kJobMemoryReserved, 1 / kMebibyte));
  memory.set("peak_used_mb", last(SignalId::kJobMemoryPeak, 1 / kMebibyte)).set("device_used_mb", last(SignalId::kGpuMemoryUsed, 1 / kMebibyte));
  const double total = memory_total(v);
  memory.set("device_total_mb", total > 0 ? Json(total / kMebibyte) : Json());
  out.set("memory", std::move(memory));
  Json utilization = Json::object();
  utilization.set("sm_pct", last(SignalId::kGpuSmActive, 100)).set("tensor_pct", last(SignalId::kGpuTensorActive, 100));
  utilization.set("engine_pct", last(SignalId::kGpuEngineActive, 100)).set("gpu_util_pct", last(SignalId::kGpuUtilization, 100));
  out.set("utilization", std::move(utilization));
  const double tx = last(SignalId::kGpuPcieTx, 1e-9).number();
  const double rx = last(SignalId::kGpuPcieRx, 1e-9).number();
  out.set("bandwidth", Json::object().set("pcie_gbps", std::isnan(tx) || std::isnan(rx) ? Json() : Json(tx + rx)).set("nccl_gbps", Json()));
  const double reserved = last(SignalId::kJobMemoryReserved, 1).number();
  const double sm = last(SignalId::kGpuSmActive, 1).number();
  const double tensor = last(SignalId::kGpuTensorActive, 1).number();
  out.set("memory_pressure", total > 0 && !std::isnan(reserved) ? Json(reserved / total) : Json());
  out.set("compute_bound", std::isnan(sm) || std::isnan(tensor) ? Json() : Json(sm > 0.95 && tensor < 0.70));
  return out;
}

Json feature_json(const FeatureVector& v) {
  Json values = Json::array();
  for (const float f : v.values) values.add(Json(static_cast<double>(f)));
  return Json::object().set("at", print_time(time_from_seconds(v.second))).set("gpu_id", v.entity).set("presence", std::int64_t{v.presence}).set("values", std::move(values));
}

Json layout_json() {
  Json layout = Json::array();
  for (const SignalId id : kFeatureLayout) layout.add(id == SignalId::kCount ? Json() : Json(signal_of(id).name));
  return layout;
}

}  // namespace

HttpResponse get_telemetry(Service& service, const HttpRequest& request) {
  const Result<TimeZone> zone = zone_of(service, request);
  if (!zone) return problem(zone.error(), request);
  TelemetryReport report = service.telemetry().report();
  report.zone = *zone;
  return json_response(telemetry_report_json(report));
}

HttpResponse get_gpus(Service& service, const HttpRequest&) {
  Json gpus = Json::array();
  for (const FeatureVector& v : service.windows().latest()) gpus.add(gpu_json(v));
  return json_response(Json::object().set("gpus", std::move(gpus)));
}

HttpResponse get_features(Service& service, const HttpRequest& request) {
  const std::string_view text = request.query_value("window");
  const TimePoint end = std::max(service.intake().watermark(), TimePoint{}) + std::chrono::seconds(1);
  const Result<TimeZone> zone = zone_of(service, request);
  if (!zone) return problem(zone.error(), request);
  const Result<Interval> window = parse_window(text.empty() ? "5m" : text, end, *zone);
  if (!window) return problem(window.error(), request);
  std::size_t limit = kFeaturesDefault;
  if (const std::string_view asked = request.query_value("limit"); !asked.empty()) {
    const auto [stop, error] = std::from_chars(asked.data(), asked.data() + asked.size(), limit);
    if (error != std::errc{} || limit == 0 || limit > kFeaturesMax) return problem({Code::kInvalid, "limit is not a number from 1 to 100000", ""}, request);
  }
  if (request.query_value("format") == "parquet") {
    const std::string path = service.settings().store.directory + "/features-" + request.request_id + ".parquet";
    const Result<void> written = service.windows().store().export_parquet(*window, path);
    std::ostringstream bytes;
    bytes << std::ifstream(path, std::ios::binary).rdbuf();
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
    if (!written) return problem(written.error(), request);
    return {200, "application/vnd.apache.parquet", std::move(bytes).str(), {}};
  }
  const Result<std::vector<FeatureVector>> vectors = service.windows().store().read(*window, std::string(request.query_value("gpu")), limit);
  if (!vectors) return problem(vectors.error(), request);
  Json list = Json::array();
  for (const FeatureVector& v : *vectors) list.add(feature_json(v));
  Json out = Json::object();
  out.set("version", kFeatureVersion).set("layout", layout_json());
  out.set("stats", Json::array().add("mean").add("max").add("last").add("delta"));
  return json_response(out.set("vectors", std::move(list)));
}

HttpResponse get_status(Service& service, const HttpRequest&) {
  Json out = Json::object();
  const TimePoint watermark = service.intake().watermark();
  const Service::Readiness ready = service.readiness();
  out.set("ready", ready.is_ready).set("reason", ready.reason).set("now", print_time(service.clock().now()));
  out.set("reporting_zone", service.settings().ledger.reporting_zone);
  out.set("newest_sample", watermark == TimePoint{} ? Json() : Json(print_time(watermark)));
  const TimePoint final_before = service.intake().final_before();
  out.set("final_before", final_before == TimePoint{} ? Json() : Json(print_time(final_before)));
  out.set("series", std::uint64_t{service.intake().series()}).set("kept_samples", std::uint64_t{service.intake().kept_samples()});
  out.set("kept_bytes", std::uint64_t{service.intake().kept_bytes()});
  return json_response(out);
}

HttpResponse get_openapi(Service&, const HttpRequest&) { return {200, "application/yaml", std::string(openapi_yaml()), {}}; }

HttpResponse get_metrics(Service& service, const HttpRequest&) {
  return {200, "application/openmetrics-text; version=1.0.0; charset=utf-8", service.counters().print(), {}};
}

HttpResponse get_health(Service&, const HttpRequest&) { return {200, "text/plain; charset=utf-8", "ok\n", {}}; }

HttpResponse get_readiness(Service& service, const HttpRequest& request) {
  const Service::Readiness ready = service.readiness();
  if (!ready.is_ready) return problem(503, {Code::kUnavailable, ready.reason, ""}, request);
  return {200, "text/plain; charset=utf-8", "ready\n", {}};
}

HttpResponse get_welcome(Service& service, const HttpRequest&) {
  std::string text = "Seedance: what each GPU hour costs, and what of it is wasted.\n\n";
  if (service.intake().watermark() == TimePoint{}) {
    text += "No metrics yet. Point a Prometheus at this server; the first costs appear about a minute later.\n\n"
            "remote_write:\n  - url: http://HOST:PORT/api/v1/write\n\n";
  }
  text += "seedancectl cost --by team --window 24h\n/api/v1/cost?by=team&window=24h\n/api/v1/openapi.yaml\n/metrics\n";
  return {200, "text/plain; charset=utf-8", text, {}};
}

}  // namespace seedance
