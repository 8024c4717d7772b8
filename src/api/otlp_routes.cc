#include "api/otlp_routes.h"

#include <algorithm>

#include "net/problem.h"
#include "app/intake/otlp_import.h"
#include "ingest/gzip_stream.h"

namespace seedance {
namespace {

constexpr std::string_view kExportPath = "/opentelemetry.proto.collector.metrics.v1.MetricsService/Export";

// google.rpc.Code of what a sender is told in the body.
std::int32_t rpc_code_of(Code code) {
  switch (code) {
    case Code::kTooLarge: return 8;
    case Code::kExhausted:
    case Code::kUnavailable:
    case Code::kTimeout: return 14;
    default: return 3;
  }
}

Result<OtlpEncoding> otlp_encoding_of(const HttpRequest& request) {
  std::string_view type = request.header("Content-Type");
  type = type.substr(0, type.find(';'));
  while (type.ends_with(' ')) type.remove_suffix(1);
  if (type == otlp_content_type(OtlpEncoding::kProtobuf)) return OtlpEncoding::kProtobuf;
  if (type == otlp_content_type(OtlpEncoding::kJson)) return OtlpEncoding::kJson;
  return fail(Code::kUnsupported, "content type is not application/x-protobuf or application/json: " + std::string(type.substr(0, 80)));
}

Result<std::string> gunzipped(std::string_view packed, std::size_t limit) {
  std::string plain;
  GunzipStream gunzip(limit);
  TRY(gunzip.feed(packed, [&](std::string_view piece) -> Result<void> {
    plain += piece;
    return {};
  }));
  TRY(gunzip.finish());
  return plain;
}

std::size_t body_limit_of(Service& service, std::string_view tenant) {
  const auto of_server = static_cast<std::size_t>(service.settings().server.body_bytes_max);
  const std::size_t of_tenant = service.intake().limit_of(tenant).body_bytes_max;
  return of_tenant == 0 ? of_server : std::min(of_server, of_tenant);
}

// Who sends, by address and by its own word.
struct OtlpSender {
  std::string_view tenant;
  std::string_view address;
  std::string_view calls_itself;
};

// For the gates of telemetry quality: points that could not be translated never reached the intake.
Result<IntakeAnswer> delivery_of(const Result<OtlpReport>& report) {
  if (!report) return tl::unexpected<Error>(report.error());
  IntakeAnswer out = report->taken;
  const std::uint64_t untranslated = report->points_rejected - std::min<std::uint64_t>(report->points_rejected, out.samples_refused);
  out.samples_refused += untranslated;
  out.samples_malformed += untranslated;
  out.samples_ignored += report->points - std::min<std::uint64_t>(report->points, report->taken.samples_taken() + report->points_rejected);
  return out;
}

Result<OtlpReport> take_body(Service& service, std::string_view body, OtlpEncoding encoding, bool is_packed, const OtlpSender& sender) {
  const auto taken = [&]() -> Result<OtlpReport> {
    const SampleSource source = service.source_of(sender.address, sender.tenant);
    const std::size_t limit = body_limit_of(service, sender.tenant);
    if (!is_packed && body.size() > limit) return fail(Code::kTooLarge, "request is larger than the tenant may send, bytes allowed and found: " + std::to_string(limit) + ", " + std::to_string(body.size()));
    if (!is_packed) return import_otlp(service.intake(), service.counters(), body, encoding, source);
    TRY_ASSIGN(const std::string plain, gunzipped(body, limit));
    return import_otlp(service.intake(), service.counters(), plain, encoding, source);
  };
  Result<OtlpReport> report = taken();
  service.telemetry().add(sender.address, sender.calls_itself, delivery_of(report), service.clock().now());
  return report;
}

std::string sentence_of(const Error& error) { return error.hint.empty() ? error.message : error.message + "; " + error.hint; }

HttpResponse otlp_problem(const Error& error, OtlpEncoding encoding, const HttpRequest& request) {
  // Its status and its headers; only the body is OTLP's.
  HttpResponse response = problem(error, request);
  response.content_type = otlp_content_type(encoding);
  response.body = encode_rpc_status(rpc_code_of(error.code), sentence_of(error), encoding);
  return response;
}

GrpcStatus grpc_status_of(Code code) {
  switch (code) {
    case Code::kTooLarge: return GrpcStatus::kResourceExhausted;
    case Code::kExhausted:
    case Code::kUnavailable:
    case Code::kTimeout: return GrpcStatus::kUnavailable;
    default: return GrpcStatus::kInvalidArgument;
  }
}

}  // namespace

HttpResponse take_otlp_metrics(Service& service, const HttpRequest& request, std::string_view tenant) {
  const Result<OtlpEncoding> encoding = otlp_encoding_of(request);
  if (!encoding) return problem(encoding.error(), request);
  const std::string_view packing = request.header("Content-Encoding");
  if (!packing.empty() && packing != "gzip" && packing != "identity") {
    return problem({Code::kUnsupported, "content encoding is not gzip: " + std::string(packing.substr(0, 80)), ""}, request);
  }
  const Result<OtlpReport> report = take_body(service, request.body, *encoding, packing == "gzip", {tenant, request.remote_address, request.header("User-Agent")});
  if (!report) return otlp_problem(report.error(), *encoding, request);
  const auto rejected = static_cast<std::int64_t>(report->points_rejected);
  return {200, std::string(otlp_content_type(*encoding)), encode_otlp_answer(rejected, rejection_message(*report), *encoding), {}};
}

GrpcAnswer admit_otlp_call(BearerAuth* auth, const GrpcRequest& request) {
  if (auth != nullptr) {
    if (const Result<void> allowed = auth->authorize(request.authorization, Role::kWriter); !allowed) {
      const bool is_known = auth->role_of(request.authorization).has_value();
      return {is_known ? GrpcStatus::kPermissionDenied : GrpcStatus::kUnauthenticated, sentence_of(allowed.error()), {}};
    }
  }
  if (request.method != kExportPath) return {GrpcStatus::kUnimplemented, "no such method: " + request.method.substr(0, 200), {}};
  return {};
}

GrpcAnswer take_otlp_call(Service& service, const GrpcRequest& request, std::string_view tenant) {
  const Result<OtlpReport> report = take_body(service, request.message, OtlpEncoding::kProtobuf, is_gzip(request.message), {tenant, request.remote_address, "gRPC"});
  if (!report) return {grpc_status_of(report.error().code), sentence_of(report.error()), {}};
  const auto rejected = static_cast<std::int64_t>(report->points_rejected);
  return {GrpcStatus::kOk, {}, encode_otlp_answer(rejected, rejection_message(*report), OtlpEncoding::kProtobuf)};
}

}  // namespace seedance
