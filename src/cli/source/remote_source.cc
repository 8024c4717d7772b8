#include "cli/source/remote_source.h"

#include "base/time_text.h"
#include "cli/source/prometheus_import.h"
#include "cli/texts.h"
#include "model/message_texts.h"

namespace seedance {
namespace {

// "path?name=value&...", values encoded.
class RequestTarget {
 public:
  explicit RequestTarget(std::string path) : text_(std::move(path)) {}
  RequestTarget& add(std::string_view name, std::string_view value) {
    text_ += (has_query_ ? "&" : "?") + std::string(name) + "=" + percent_encoded(value);
    has_query_ = true;
    return *this;
  }
  RequestTarget& add_filters(const std::vector<LedgerFilter>& filters) {
    for (const LedgerFilter& filter : filters) {
      std::string words = std::string(group_key_name(filter.key)) + (filter.negated ? "!=" : "=");
      for (std::size_t i = 0; i < filter.values.size(); ++i) words += (i > 0 ? "," : "") + filter.values[i];
      add("filter", words);
    }
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  bool has_query_ = false;
};

Code code_of_status(int status) {
  if (status == 401 || status == 403) return Code::kDenied;
  if (status == 404) return Code::kNotFound;
  if (status == 409) return Code::kConflict;
  if (status == 413) return Code::kTooLarge;
  if (status == 504) return Code::kTimeout;
  return status >= 500 ? Code::kUnavailable : Code::kInvalid;
}

class RemoteSource final : public ReportSource {
 public:
  RemoteSource(HttpClientOptions options, Language language, std::optional<TimeZone> zone)
      : options_(std::move(options)), language_(language), zone_(std::move(zone)), client_(options_) {}

  Result<CostReport> cost(CostQuestion question, const std::string& window) override {
    std::string by;
    for (const GroupKey key : question.by) by += (by.empty() ? "" : ",") + std::string(group_key_name(key));
    RequestTarget target = report_at("/api/v1/cost");
    target.add("by", by).add("window", window).add("idle", idle_mode_name(question.idle));
    if (question.step.count() != 0) target.add("step", print_duration(question.step));
    TRY_ASSIGN(const Json json, get(target.add_filters(question.filters)));
    return understood(cost_report_from_json(json));
  }
  Result<WaterfallReport> waterfall(WaterfallQuestion question, const std::string& window) override {
    TRY_ASSIGN(const Json json, get(report_at("/api/v1/waterfall").add("window", window).add_filters(question.filters)));
    return understood(waterfall_report_from_json(json));
  }
  Result<TopReport> top(TopQuestion question, const std::string& window) override {
    RequestTarget target = report_at("/api/v1/top/" + std::string(top_subject_name(question.subject)));
    target.add("window", window).add("sort", question.sort == TopSort::kCost ? "cost" : "wasted").add("limit", std::to_string(question.limit));
    std::string states;
    for (const TopState state : question.states) states += (states.empty() ? "" : ",") + std::string(top_state_name(state));
    if (!states.empty()) target.add("state", states);
    TRY_ASSIGN(const Json json, get(target.add_filters(question.filters)));
    return understood(top_report_from_json(json));
  }
  Result<ColdStartReport> cold_starts(const std::string& window) override {
    TRY_ASSIGN(const Json json, get(report_at("/api/v1/cold-starts").add("window", window)));
    return understood(cold_start_report_from_json(json));
  }
  Result<TelemetryReport> telemetry() override {
    TRY_ASSIGN(const Json json, get(report_at("/api/v1/telemetry")));
    return understood(telemetry_report_from_json(json));
  }
  Result<void> export_parquet(const std::string& window, const std::string& path) override;

  Result<PriceList> prices(const PriceListQuestion& question) override {
    RequestTarget target = report_at("/api/v1/prices");
    if (!question.provider.empty()) target.add("provider", question.provider);
    if (!question.region.empty()) target.add("region", question.region);
    if (!question.instance_type.empty()) target.add("type", question.instance_type);
    TRY_ASSIGN(const Json json, get(target));
    return price_list_from_json(json);
  }
  Result<PriceImport> import_prices(const std::string& csv, const std::string& file_name) override {
    const RequestTarget target = RequestTarget("/api/v1/prices").add("name", file_name);
    TRY_ASSIGN(const Json json, answer(client_.request("POST", target.text(), csv, {{"Content-Type", "text/csv"}}), target));
    PriceImport out;
    out.accepted = static_cast<std::size_t>(json.at("accepted").integer());
    for (const Json& line : json.at("refused").elements()) out.refused.emplace_back(line.text());
    return out;
  }
  Result<PriceExplanation> explain_price(const std::string& node) override {
    TRY_ASSIGN(const Json json, get(RequestTarget("/api/v1/prices/explain").add("node", node)));
    return understood(price_explanation_from_json(json));
  }
  Result<ImportSummary> import_open_metrics(const std::string& path, const OnImportProgress& on_progress) override;
  Result<ImportSummary> import_prometheus(const PrometheusImport& import, const PrometheusImportEvents& events) override;

 private:
  RequestTarget report_at(std::string path) const {
    RequestTarget target(std::move(path));
    if (zone_) target.add("tz", zone_->name());
    return target;
  }
  Result<Json> get(const RequestTarget& target) { return answer(client_.request("GET", target.text()), target); }
  Result<HttpResponse> accepted(Result<HttpResponse> response, const RequestTarget& target) const;
  Result<Json> answer(Result<HttpResponse> response, const RequestTarget& target) const;
  Error silence_of(Error error, const RequestTarget& target) const;
  Error problem_of(const HttpResponse& response) const;

  template <typename Report>
  Result<Report> understood(Result<Report> report) const {
    if (!report) return fail(Code::kUnavailable, filled(TextId::kNotOurServer, language_, {message_in(language_, report.error().message)}));
    return report;
  }

  HttpClientOptions options_;
  Language language_;
  std::optional<TimeZone> zone_;
  HttpClient client_;
};

// RFC 9457. The request id helps whoever reads the server's log, so it stands on failures of the server.
Error RemoteSource::problem_of(const HttpResponse& response) const {
  Error error;
  error.code = code_of_status(response.status);
  const Result<Json> json = parse_json(response.body);
  const Json body = json ? *json : Json();
  error.message = body.at("detail").text();
  if (error.message.empty()) error.message = body.at("title").text();
  if (error.message.empty()) error.message = filled(TextId::kServerAnswer, language_, {std::to_string(response.status)});
  error.hint = body.at("hint").text();
  const std::string id(body.at("request_id").text());
  if (response.status >= 500 && !id.empty()) error.message += ", request_id " + id;
  return error;
}

// The server's name is enough; what was asked of it is noise here.
Error RemoteSource::silence_of(Error error, const RequestTarget& target) const {
  const std::size_t at = error.message.find(target.text());
  if (at != std::string::npos) error.message.erase(at, target.text().size());
  if (error.code == Code::kInvalid || error.code == Code::kNotFound) return error;
  error.message = filled(TextId::kServerSilent, language_, {message_in(language_, error.message)});
  if (error.hint.empty() || error.code == Code::kUnavailable) error.hint = text(TextId::kServerSilentHint, language_);
  return error;
}

Result<HttpResponse> RemoteSource::accepted(Result<HttpResponse> response, const RequestTarget& target) const {
  if (!response) return tl::unexpected<Error>(silence_of(std::move(response.error()), target));
  if (response->status < 200 || response->status >= 300) return tl::unexpected<Error>(problem_of(*response));
  return response;
}

Result<Json> RemoteSource::answer(Result<HttpResponse> response, const RequestTarget& target) const {
  TRY_ASSIGN(const HttpResponse good, accepted(std::move(response), target));
  Result<Json> json = parse_json(good.body);
  if (!json || !json->is_object()) return fail(Code::kUnavailable, filled(TextId::kNotOurServer, language_, {options_.base_url}));
  return json;
}

Result<void> RemoteSource::export_parquet(const std::string& window, const std::string& path) {
  const RequestTarget target = report_at("/api/v1/cost").add("format", "parquet").add("window", window);
  TRY(accepted(client_.download_file(target.text(), path), target));
  return {};
}

Result<ImportSummary> RemoteSource::import_open_metrics(const std::string& path, const OnImportProgress& on_progress) {
  const auto report = [&](std::uint64_t sent, std::uint64_t total) {
    if (on_progress && total > 0) on_progress(sent, total);
    return true;
  };
  const RequestTarget target("/api/v1/import/openmetrics");
  TRY_ASSIGN(const Json json, answer(client_.upload_file(target.text(), path, "application/openmetrics-text", report), target));
  ImportSummary summary;
  summary.samples_kept = static_cast<std::uint64_t>(json.at("samples_kept").integer());
  summary.samples_ignored = static_cast<std::uint64_t>(json.at("samples_ignored").integer());
  summary.samples_refused = static_cast<std::uint64_t>(json.at("samples_refused").integer());
  summary.first_reason = json.at("first_reason").text();
  return summary;
}

// What the server's own configuration adds to the table of signals is not known here: the built-in metrics are fetched.
Result<ImportSummary> RemoteSource::import_prometheus(const PrometheusImport& import, const PrometheusImportEvents& events) {
  const RequestTarget write("/api/v1/write");
  const auto post = [&](const std::string& body) -> Result<HttpResponse> {
    Result<HttpResponse> response = client_.request("POST", write.text(), body, {{"Content-Type", "application/x-protobuf"}, {"Content-Encoding", "snappy"}});
    if (!response) return tl::unexpected<Error>(silence_of(std::move(response.error()), write));
    return response;
  };
  const std::unique_ptr<BackfillTarget> target = write_target(post, rest_a_while);
  const Catalogue catalogue;
  TRY_ASSIGN(const BackfillReport report, fill_from_prometheus(import, events, {*target, catalogue, import.state_folder, address_to_show(options_.base_url), zone_.value_or(TimeZone{})}));
  ImportSummary summary;
  summary.samples_kept = report.answer.samples_kept;
  summary.samples_ignored = report.answer.samples_ignored;
  summary.samples_refused = report.answer.samples_refused;
  summary.first_reason = report.answer.first_reason;
  return summary;
}

}  // namespace

std::unique_ptr<ReportSource> remote_source(HttpClientOptions options, Language language, std::optional<TimeZone> zone) {
  return std::make_unique<RemoteSource>(std::move(options), language, std::move(zone));
}

}  // namespace seedance
