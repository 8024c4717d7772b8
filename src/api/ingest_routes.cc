#include "api/ingest_routes.h"

#include "net/problem.h"
#include "app/intake/text_import.h"

namespace seedance {
namespace {

constexpr std::string_view kWrite1 = "prometheus.WriteRequest";
constexpr std::string_view kWrite2 = "io.prometheus.write.v2.Request";

// "application/x-protobuf;proto=prometheus.WriteRequest" -> {"application/x-protobuf", "prometheus.WriteRequest"}
struct MediaType {
  std::string type;
  std::string proto;
};

MediaType media_type_of(std::string_view header) {
  MediaType out;
  const std::size_t semicolon = header.find(';');
  for (const char c : header.substr(0, semicolon)) {
    if (c != ' ') out.type.push_back(c);
  }
  const std::size_t proto = header.find("proto=");
  if (proto != std::string_view::npos) out.proto = header.substr(proto + 6, header.find_first_of("; ", proto) - proto - 6);
  return out;
}

// Headers are judged before the body is looked at. Missing ones are taken as remote write 1.0, as old senders leave them out.
Result<LogRecordKind> write_kind_of(const HttpRequest& request) {
  const MediaType media = media_type_of(request.header("Content-Type"));
  if (!media.type.empty() && media.type != "application/x-protobuf") {
    return fail(Code::kUnsupported, "content type is not application/x-protobuf: " + media.type);
  }
  if (!media.proto.empty() && media.proto != kWrite1 && media.proto != kWrite2) {
    return fail(Code::kUnsupported, "remote write message is not spoken here: " + media.proto, "senders fall back to remote write 1.0 after this answer");
  }
  const bool is_version_2 = media.proto == kWrite2;
  const std::string_view encoding = request.header("Content-Encoding");
  // vmagent's own variant: remote write 1.0 in zstd.
  if (encoding == "zstd" && !is_version_2) return LogRecordKind::kPrometheusWriteZstd;
  if (!encoding.empty() && encoding != "snappy") return fail(Code::kUnsupported, "content encoding is not snappy: " + std::string(encoding));
  return is_version_2 ? LogRecordKind::kPrometheusWrite2 : LogRecordKind::kPrometheusWrite;
}

// A 2.0 sender takes a 2xx without these for a failure; they are on refusals too.
HttpResponse with_written_counts(HttpResponse response, const IntakeAnswer& answer) {
  const auto add = [&](std::string_view what, std::size_t count) {
    response.headers.emplace_back("X-Prometheus-Remote-Write-" + std::string(what) + "-Written", std::to_string(count));
  };
  add("Samples", answer.samples_taken());
  add("Histograms", answer.histograms_taken);
  add("Exemplars", answer.exemplars_taken);
  return response;
}

HttpResponse partial_answer(const IntakeAnswer& answer, const HttpRequest& request) {
  std::string detail = std::to_string(answer.samples_refused) + " samples were refused, " + std::to_string(answer.samples_kept) + " kept";
  if (answer.others_refused > 0) detail += ", " + std::to_string(answer.others_refused) + " histograms and exemplars refused";
  return problem(400, {Code::kInvalid, detail + ": " + answer.first_reason, ""}, request);
}

}  // namespace

HttpResponse take_prometheus_write(Service& service, const HttpRequest& request, std::string_view tenant) {
  const Result<LogRecordKind> kind = write_kind_of(request);
  if (!kind) return problem(kind.error(), request);
  const Result<IntakeAnswer> answer = service.intake().take(request.body, *kind, service.source_of(request.remote_address, tenant));
  service.telemetry().add(request.remote_address, request.header("User-Agent"), answer, service.clock().now());
  const IntakeAnswer counts = answer ? *answer : IntakeAnswer{};
  HttpResponse response = !answer ? problem(answer.error(), request) : counts.refused() > 0 ? partial_answer(counts, request) : HttpResponse{204, "", "", {}};
  return *kind == LogRecordKind::kPrometheusWrite2 ? with_written_counts(std::move(response), counts) : response;
}

HttpResponse take_open_metrics(Service& service, const HttpRequest& request, std::string_view tenant) {
  TextImport import(service.intake(), service.source_of(request.remote_address, tenant));
  Result<void> fed = import.feed(request.body);
  if (!fed) return problem(fed.error(), request);
  const Result<TextImportReport> report = import.finish();
  if (!report) return problem(report.error(), request);
  Json out = Json::object();
  out.set("lines", report->lines).set("samples", report->samples).set("samples_kept", std::uint64_t{report->answer.samples_kept});
  out.set("samples_ignored", std::uint64_t{report->answer.samples_ignored}).set("samples_refused", std::uint64_t{report->answer.samples_refused});
  out.set("first_reason", report->answer.first_reason);
  return json_response(out);
}

}  // namespace seedance
