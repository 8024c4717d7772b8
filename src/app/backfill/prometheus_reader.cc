#include "app/backfill/prometheus_reader.h"

#include <algorithm>
#include <charconv>

#include "config/yaml.h"
#include "ingest/label_rules.h"
#include "json/value.h"

namespace seedance {
namespace {

constexpr Nanos kPatienceMax = std::chrono::seconds(60);  // a server that asks for more is asked again after this
constexpr Nanos kBackoffMax = std::chrono::seconds(30);
constexpr Nanos kPieceMin = std::chrono::seconds(1);

bool is_busy(int status) { return status == 429 || status == 502 || status == 503 || status == 504; }

// 422: too many samples, chunks or series for one query (Prometheus, Mimir, VictoriaMetrics); 413: a proxy's limit of an answer. A query
// that ran into the server's own timeout is 503 like a server that is busy, but says what it was.
bool is_too_much(const HttpResponse& response) {
  if (response.status == 422 || response.status == 413) return true;
  return response.status == 503 && decode_query_failure(response.body).type == "timeout";
}

std::string seconds_text(TimePoint t) { return std::to_string(nanos_of(t) / kNanosPerSecond); }

// The lines of one key of the top level. A configuration may be larger, deeper and stranger than what we read of YAML.
std::string top_level_block(const std::string& yaml, std::string_view key) {
  std::string out;
  bool is_inside = false;
  for (std::size_t at = 0; at < yaml.size();) {
    const std::size_t end = std::min(yaml.find('\n', at), yaml.size());
    const std::string_view line = std::string_view(yaml).substr(at, end - at);
    if (!line.empty() && line.front() != ' ' && line.front() != '#') is_inside = line.starts_with(key);
    if (is_inside) out.append(line).push_back('\n');
    at = end + 1;
  }
  return out;
}

const YamlNode* child(const YamlNode* node, std::string_view key) {
  if (node == nullptr) return nullptr;
  for (const YamlEntry& entry : node->map) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}

}  // namespace

struct PrometheusReader::Piece {
  bool is_too_much = false;
  RawSamples samples;
  Error why;  // of too much
};

Nanos patience(const HttpResponse* response, int attempt) {
  const Nanos backoff = std::min<Nanos>(std::chrono::seconds(std::int64_t{1} << std::min(attempt, 5)), kBackoffMax);
  if (response == nullptr) return backoff;
  const std::string_view said = response->header("Retry-After");
  std::int64_t seconds = 0;
  const auto [end, error] = std::from_chars(said.data(), said.data() + said.size(), seconds);
  if (said.empty() || error != std::errc{} || end != said.data() + said.size() || seconds < 0) return backoff;  // a date is not read
  return std::min<Nanos>(std::chrono::seconds(std::min<std::int64_t>(seconds, 3'600)), kPatienceMax);
}

Result<HttpResponse> PrometheusReader::ask(const std::string& path_and_query) {
  for (int attempt = 0;; ++attempt) {
    Result<HttpResponse> response = get_(path_and_query);
    const bool is_last = attempt + 1 >= kAttemptsMax;
    if (response) {
      has_answered_ = true;
      if (is_last || !is_busy(response->status) || is_too_much(*response)) return response;
    } else if (is_last || !has_answered_ || response.error().code != Code::kUnavailable) {
      return response;  // a server that never answered is a wrong address, not a busy one
    }
    rest_(patience(response ? &*response : nullptr, attempt));
  }
}

tl::unexpected<Error> PrometheusReader::refusal(const std::string& what, const HttpResponse& response) const {
  const QueryFailure failure = decode_query_failure(response.body);
  const std::string why = failure.message.empty() ? text_for_message(response.body) : failure.type + ": " + text_for_message(failure.message);
  const std::string status = std::to_string(response.status);
  if (response.status == 401 || response.status == 403) {
    return fail(Code::kDenied, "prometheus refuses access: " + server_ + ": " + what + ": status " + status, "give a token with --prometheus-token-file");
  }
  if (response.status == 404) {
    return fail(Code::kNotFound, "no prometheus api at this address: " + server_ + ": " + what + ": status " + status,
                "write the address in front of /api/v1, with the path that a proxy or Thanos, Mimir or VictoriaMetrics needs");
  }
  return fail(is_busy(response.status) ? Code::kUnavailable : Code::kInvalid, "prometheus does not answer: " + server_ + ": " + what + ": status " + status + ": " + why);
}

Result<std::vector<std::string>> PrometheusReader::metric_names(Interval span, const Catalogue& catalogue) {
  TRY_ASSIGN(const HttpResponse response, ask("/api/v1/label/__name__/values?start=" + seconds_text(span.from) + "&end=" + seconds_text(span.to)));
  if (response.status != 200) return refusal("names of metrics", response);
  Result<std::vector<std::string>> names = decode_label_values(response.body);
  if (!names) return fail_in(server_, names.error());
  std::erase_if(*names, [&](const std::string& name) { return catalogue.find(name) == nullptr; });
  std::sort(names->begin(), names->end());
  names->erase(std::unique(names->begin(), names->end()), names->end());
  return names;
}

Result<Labels> external_labels_of(const std::string& yaml) {
  const std::string block = top_level_block(yaml, "global:");
  TRY_ASSIGN(const YamlNode root, parse_yaml({"prometheus.yml", block}));
  Labels out;
  const YamlNode* labels = child(child(&root, "global"), "external_labels");
  if (labels == nullptr) return out;
  for (const YamlEntry& entry : labels->map) {
    if (!entry.value.text.empty()) out.push_back({entry.key, entry.value.text});
  }
  std::sort(out.begin(), out.end());
  return out;
}

Result<Labels> PrometheusReader::external_labels() {
  TRY_ASSIGN(const HttpResponse response, ask("/api/v1/status/config"));
  if (response.status != 200) {
    return fail(Code::kNotFound, "server does not show its configuration: " + server_ + ": status " + std::to_string(response.status));
  }
  const Result<Json> answer = parse_json(response.body);
  if (!answer || !answer->at("data").at("yaml").is_text()) return fail(Code::kNotFound, "server does not show its configuration: " + server_);
  return external_labels_of(std::string(answer->at("data").at("yaml").text()));
}

Result<PrometheusReader::Piece> PrometheusReader::read_piece(const std::string& metric, Interval span) {
  const RawQuery query = raw_query(metric, span);
  Result<HttpResponse> response = ask("/api/v1/query?query=" + percent_encoded(query.selector) + "&time=" + query.time);
  if (!response) {
    const Code code = response.error().code;
    if (code != Code::kTooLarge && code != Code::kTimeout) return tl::unexpected<Error>(std::move(response.error()));
    return Piece{true, {}, std::move(response.error())};
  }
  if (is_too_much(*response)) return Piece{true, {}, refusal(metric, *response).value()};
  if (response->status != 200) return refusal(metric, *response);
  Result<RawSamples> samples = decode_raw_samples(response->body);
  if (!samples && samples.error().code == Code::kTooLarge) return Piece{true, {}, samples.error()};
  if (!samples) return fail(samples.error().code, "answer of prometheus cannot be read: " + server_ + ": " + metric + ": " + samples.error().message);
  return Piece{false, std::move(*samples), {}};
}

Result<void> PrometheusReader::read(const std::string& metric, Interval span, const OnSamples& on_samples) {
  for (TimePoint from = span.from; from < span.to;) {
    const auto known = piece_max_.find(metric);
    const Interval piece{from, known == piece_max_.end() ? span.to : std::min(span.to, from + known->second)};
    TRY_ASSIGN(Piece answer, read_piece(metric, piece));
    if (answer.is_too_much) {
      // Whole seconds, so that the questions of a second run are those of the first.
      const Nanos half = std::chrono::floor<std::chrono::seconds>((piece.to - piece.from) / 2);
      if (half < kPieceMin) return fail(answer.why.code, "one second of a metric is too much for an answer: " + metric + ": " + answer.why.message);
      piece_max_[metric] = half;
      continue;
    }
    // Prometheus 2 also gives a sample right before the piece.
    for (SeriesSamples& one : answer.samples.series) {
      std::erase_if(one.samples, [&](const Sample& s) { return s.timestamp_ms < millis_of(piece.from) || s.timestamp_ms >= millis_of(piece.to); });
    }
    std::erase_if(answer.samples.series, [](const SeriesSamples& one) { return one.samples.empty(); });
    TRY(on_samples(std::move(answer.samples.series)));
    from = piece.to;
  }
  return {};
}

}  // namespace seedance
