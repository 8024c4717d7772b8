// OTLP as a sender sees it over HTTP, and what it is answered over gRPC.
#include <zlib.h>

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "api/otlp_routes.h"
#include "api/routes.h"
#include "ingest/otlp/otlp_answer.h"
#include "ingest/otlp/otlp_wire.h"
#include "tests/e2e/test_service.h"
#include "tests/reference/shared_data.h"

namespace seedance {
namespace {

constexpr std::int64_t kOtlpNowMs = 1'796'061'600'000;
constexpr std::string_view kProtobufType = "application/x-protobuf";
constexpr std::string_view kJsonType = "application/json";

std::string capture_bytes(const std::string& path) {
  std::ostringstream out;
  out << std::ifstream(shared_data("ingest/" + path), std::ios::binary).rdbuf();
  return out.str();
}

std::string gzipped(const std::string& plain) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, plain.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

struct OtlpBench {
  TestService service{time_from_millis(kOtlpNowMs)};

  HttpResponse post(std::string body, std::string_view type, std::string_view packing = "", const std::string& path = "/v1/metrics") {
    HttpFields headers{{"Content-Type", std::string(type)}};
    if (!packing.empty()) headers.emplace_back("Content-Encoding", std::string(packing));
    return service.api.handle({"POST", path, {}, std::move(headers), std::move(body), "", "r1"});
  }
  std::int64_t taken() { return service.counters.counter("ingest_otlp_points", "", "outcome=\"taken\"").value(); }
};

std::string gpu_request(std::int64_t at_ms) {
  const std::string attributes = otlp_text_attribute(7, "UUID", "GPU-1") + otlp_text_attribute(7, "Hostname", "node-a") + otlp_text_attribute(7, "gpu", "0");
  return otlp_request(otlp_metric("DCGM_FI_DEV_GPU_UTIL", 5, otlp_number_point({.attributes = attributes, .time_nanos = static_cast<std::uint64_t>(at_ms) * 1'000'000, .value = 41})));
}

TEST(OtlpHttpTest, EveryCaptureIsTakenAndAnsweredInItsEncoding) {
  SKIP_WITHOUT(shared_data("ingest/otlp-proto-cumulative"));
  OtlpBench bench;
  const std::pair<const char*, int> folders[] = {{"otlp-proto-cumulative", 7}, {"otlp-proto-gzip", 3}, {"otlp-json-cumulative", 3}};
  for (const auto& [folder, bodies] : folders) {
    const nlohmann::json manifest = nlohmann::json::parse(capture_bytes(std::string(folder) + "/manifest.json"));
    for (const auto& entry : manifest["entries"]) {
      const std::string type = entry["headers"]["Content-Type"];
      const HttpResponse answer = bench.post(capture_bytes(std::string(folder) + "/" + entry["file"].get<std::string>()), type, entry["headers"].value("Content-Encoding", ""));
      EXPECT_EQ(answer.status, 200) << answer.body;
      EXPECT_EQ(answer.content_type, type);
      EXPECT_EQ(answer.body, type == kJsonType ? "{}" : "");
    }
    EXPECT_EQ(manifest["entries"].size(), static_cast<std::size_t>(bodies));
  }
  EXPECT_EQ(bench.taken(), 13 * 21);
}

TEST(OtlpHttpTest, BothPathsKeepSamples) {
  OtlpBench bench;
  EXPECT_EQ(bench.post(gpu_request(kOtlpNowMs), kProtobufType).status, 200);
  EXPECT_EQ(bench.post(gzipped(gpu_request(kOtlpNowMs + 1'000)), kProtobufType, "gzip", "/api/v1/otlp/v1/metrics").status, 200);
  EXPECT_EQ(bench.service.service->intake().kept_samples(), 2u);
  EXPECT_EQ(bench.service.service->intake().series(), 1u);
}

TEST(OtlpHttpTest, AnEmptyRequestIsASuccess) {
  OtlpBench bench;
  EXPECT_EQ(bench.post("", kProtobufType).status, 200);
  const HttpResponse json = bench.post("{}", "application/json; charset=utf-8");
  EXPECT_EQ(json.status, 200);
  EXPECT_EQ(json.body, "{}");
}

TEST(OtlpHttpTest, RejectedPointsAreAPartialSuccess) {
  OtlpBench bench;
  const HttpResponse answer = bench.post(gpu_request(1'000) + gpu_request(kOtlpNowMs), kProtobufType);
  EXPECT_EQ(answer.status, 200);
  const std::string message = "1 of 2 data points were rejected: timestamp is not a time in milliseconds: DCGM_FI_DEV_GPU_UTIL at 1000";
  EXPECT_EQ(answer.body, encode_otlp_answer(1, message, OtlpEncoding::kProtobuf));
  EXPECT_EQ(answer.body.substr(0, 2), std::string("\x0a") + static_cast<char>(answer.body.size() - 2));
  EXPECT_EQ(answer.body.substr(2, 2), "\x08\x01");
  const HttpResponse json = bench.post(R"({"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"g","gauge":{"dataPoints":[{"timeUnixNano":"5"}]}}]}]}]})", kJsonType);
  EXPECT_EQ(json.status, 200);
  EXPECT_EQ(nlohmann::json::parse(json.body), (nlohmann::json{{"partialSuccess", {{"rejectedDataPoints", "1"}, {"errorMessage", "1 of 1 data points were rejected: data point without a value: g"}}}}));
}

TEST(OtlpHttpTest, WhatCannotBeReadIsAStatusInTheSameEncoding) {
  OtlpBench bench;
  const HttpResponse protobuf = bench.post("\x0a\x7f", kProtobufType);
  EXPECT_EQ(protobuf.status, 400);
  EXPECT_EQ(protobuf.content_type, kProtobufType);
  EXPECT_EQ(protobuf.body.substr(0, 3), "\x08\x03\x12") << "google.rpc.Status: code 3, then the message";
  const HttpResponse json = bench.post("{", kJsonType);
  EXPECT_EQ(json.status, 400);
  EXPECT_EQ(nlohmann::json::parse(json.body)["code"], 3);
  EXPECT_EQ(bench.post("no gzip", kProtobufType, "gzip").status, 400);
}

TEST(OtlpHttpTest, OtherEncodingsAreNotSpoken) {
  OtlpBench bench;
  EXPECT_EQ(bench.post("", "text/plain").status, 415);
  EXPECT_EQ(bench.post("", "").status, 415);
  EXPECT_EQ(bench.post("", kProtobufType, "zstd").status, 415);
  EXPECT_EQ(bench.service.get("/v1/metrics").status, 405);
}

TEST(OtlpHttpTest, TheLimitHoldsAfterDecompression) {
  OtlpBench bench;
  const HttpResponse answer = bench.post(gzipped(std::string(std::size_t{33} << 20, '\0')), kJsonType, "gzip");
  EXPECT_EQ(answer.status, 413);
  EXPECT_EQ(nlohmann::json::parse(answer.body)["code"], 8);
}

TEST(OtlpHttpTest, WhatCannotBeKeptNowIsToBeSentAgain) {
  TestService service(time_from_millis(kOtlpNowMs), [](Settings& s) { s.ingest.kept_bytes_max = 1; });
  HttpRequest request{"POST", "/v1/metrics", {}, {{"Content-Type", std::string(kProtobufType)}}, gpu_request(kOtlpNowMs), "", "r1"};
  EXPECT_EQ(service.api.handle(request).status, 200);
  const HttpResponse answer = service.api.handle(request);
  EXPECT_EQ(answer.status, 503);
  EXPECT_FALSE(answer.header("Retry-After").empty());
  EXPECT_EQ(answer.body.substr(0, 2), "\x08\x0e");
  EXPECT_EQ(take_otlp_call(*service.service, {"", "", gpu_request(kOtlpNowMs)}).status, GrpcStatus::kUnavailable);
}

TEST(OtlpGrpcTest, MessagesArePlainOrPackedAndErrorsAreStatuses) {
  OtlpBench bench;
  Service& service = *bench.service.service;
  const GrpcAnswer plain = take_otlp_call(service, {"", "", gpu_request(kOtlpNowMs)});
  EXPECT_EQ(plain.status, GrpcStatus::kOk);
  EXPECT_EQ(plain.message, "");
  EXPECT_EQ(take_otlp_call(service, {"", "", gzipped(gpu_request(kOtlpNowMs + 1))}).status, GrpcStatus::kOk);
  EXPECT_EQ(service.intake().kept_samples(), 2u);
  EXPECT_EQ(take_otlp_call(service, {"", "", "\x0a\x7f"}).status, GrpcStatus::kInvalidArgument);
  EXPECT_EQ(take_otlp_call(service, {"", "", gzipped(std::string(std::size_t{33} << 20, '\0'))}).status, GrpcStatus::kResourceExhausted);
  EXPECT_NE(take_otlp_call(service, {"", "", gpu_request(1'000)}).message, "") << "a partial success";
}

TEST(OtlpGrpcTest, OnlyWritersMayExport) {
  TemporaryFolder folder;
  const std::string file = folder.path() + "/tokens";
  std::ofstream(file) << "w writer\nr reader\n";
  const auto auth = BearerAuth::open(file).value();
  const std::string method = "/opentelemetry.proto.collector.metrics.v1.MetricsService/Export";
  EXPECT_EQ(admit_otlp_call(auth.get(), {method, "Bearer w", ""}).status, GrpcStatus::kOk);
  EXPECT_EQ(admit_otlp_call(auth.get(), {method, "Bearer r", ""}).status, GrpcStatus::kPermissionDenied);
  EXPECT_EQ(admit_otlp_call(auth.get(), {method, "Bearer x", ""}).status, GrpcStatus::kUnauthenticated);
  EXPECT_EQ(admit_otlp_call(auth.get(), {method, "", ""}).status, GrpcStatus::kUnauthenticated);
  EXPECT_EQ(admit_otlp_call(nullptr, {method, "", ""}).status, GrpcStatus::kOk);
  EXPECT_EQ(admit_otlp_call(nullptr, {"/opentelemetry.proto.collector.trace.v1.TraceService/Export", "", ""}).status, GrpcStatus::kUnimplemented);
}

}  // namespace
}  // namespace seedance
