#include "api/ingest_routes.h"

#include "api/problem.h"
#include "app/text_import.h"

namespace seedance {
namespace {

constexpr std::string_view kWrite1 = "prometheus.WriteRequest";

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
Result<void> check_write_headers(const HttpRequest& request) {
  const MediaType media = media_type_of(request.header("Content-Type"));
  if (!media.type.empty() && media.type != "application/x-protobuf") {
    return fail(Code::kUnsupported, "content type is not application/x-protobuf: " + media.type);
  }
  if (!media.proto.empty() && media.proto != kWrite1) {
    return fail(Code::kUnsupported, "remote write message is not spoken here: " + media.proto, "senders fall back to remote write 1.0 after this answer");
  }
  const std::string_view encoding = request.header("Content-Encoding");
  if (!encoding.empty() && encoding != "snappy") return fail(Code::kUnsupported, "content encoding is not snappy: " + std::string(encoding));
  return {};
}

HttpResponse partial_answer(const IntakeAnswer& answer, const HttpRequest& request) {
  return problem(400, {Code::kInvalid, std::to_string(answer.samples_refused) + " samples were refused, " + std::to_string(answer.samples_kept) +
                                           " kept: " + answer.first_reason, ""}, request);
}

}  // namespace

HttpResponse take_prometheus_write(Service& service, const HttpRequest& request) {
  if (const Result<void> headers = check_write_headers(request); !headers) return problem(headers.error(), request);
  const Result<IntakeAnswer> answer = service.intake().take(request.body);
  if (!answer) return problem(answer.error(), request);
  if (answer->samples_refused > 0) return partial_answer(*answer, request);
  return {204, "", "", {}};
}

HttpResponse take_open_metrics(Service& service, const HttpRequest& request) {
  TextImport import(service.intake());
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
