#include "ingest/prometheus_query.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "ingest/label_rules.h"
#include "ingest/open_metrics.h"
#include "json/events.h"
#include "json/value.h"

namespace seedance {
namespace {

// {"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"up"},"values":[[1796061599.5,"1"],...]},...]}}
// Keys in any order; unknown ones are skipped with whatever is below them.
class MatrixEvents final : public JsonEvents {
 public:
  bool on_other() override { return is_skipped() || wrong("a value of the wrong kind"); }
  bool on_integer(std::int64_t value) override {
    if (is_skipped()) return true;
    if (!is_time_expected()) return wrong("a number where none belongs");
    if (value > INT64_MAX / 1'000 || value < INT64_MIN / 1'000) return wrong("a time stamp that does not fit");
    time_ms_ = value * 1'000;
    return true;
  }
  bool on_number(double, std::string_view text) override {
    if (is_skipped()) return true;
    if (!is_time_expected()) return wrong("a number where none belongs");
    const Result<std::int64_t> ms = parse_decimal_millis(text, 1'000);
    if (!ms) return wrong("a time stamp that does not fit");
    time_ms_ = *ms;
    return true;
  }
  bool on_text(std::string_view text) override;
  bool on_object() override { return open(true); }
  bool on_array() override { return open(false); }
  bool on_key(std::string_view name) override {
    if (skipped_levels_ == 0) key_ = name;
    return true;
  }
  bool on_object_end() override { return close(); }
  bool on_array_end() override { return close(); }

  // The answer, or what is wrong with it.
  Result<RawSamples> take();
  const std::string& complaint() const { return complaint_; }

 private:
  enum class Place { kNowhere, kRoot, kData, kResult, kSeries, kMetric, kValues, kPair };

  Place place() const { return places_.empty() ? Place::kNowhere : places_.back(); }
  // In something unknown, or at the value of a key that nobody asked for.
  bool is_skipped() const {
    if (skipped_levels_ > 0) return true;
    switch (place()) {
      case Place::kRoot: return key_ != "status" && key_ != "data";
      case Place::kData: return key_ != "resultType" && key_ != "result";
      case Place::kSeries: return key_ != "metric" && key_ != "values";
      default: return false;
    }
  }
  bool is_time_expected() const { return place() == Place::kPair && !time_ms_; }
  bool wrong(const char* what) {
    complaint_ = what;
    return false;
  }
  bool open(bool is_object);
  bool close();

  std::vector<Place> places_;
  std::size_t skipped_levels_ = 0;
  std::string key_;
  std::optional<std::int64_t> time_ms_;
  std::optional<double> value_;
  bool is_success_ = false;
  bool is_matrix_ = false;
  bool has_result_ = false;
  RawSamples out_;
  std::string complaint_;
};

bool MatrixEvents::open(bool is_object) {
  if (is_skipped()) {
    if (place() == Place::kSeries && skipped_levels_ == 0 && key_ == "histograms") ++out_.histogram_series;
    ++skipped_levels_;
    return true;
  }
  Place next = Place::kNowhere;
  switch (place()) {
    case Place::kNowhere: next = is_object ? Place::kRoot : Place::kNowhere; break;
    case Place::kRoot: next = is_object && key_ == "data" ? Place::kData : Place::kNowhere; break;
    case Place::kData: next = !is_object && key_ == "result" && !has_result_ ? Place::kResult : Place::kNowhere; break;
    case Place::kResult: next = is_object ? Place::kSeries : Place::kNowhere; break;
    case Place::kSeries: next = is_object == (key_ == "metric") ? (is_object ? Place::kMetric : Place::kValues) : Place::kNowhere; break;
    case Place::kValues: next = !is_object ? Place::kPair : Place::kNowhere; break;
    case Place::kMetric:
    case Place::kPair: break;
  }
  if (next == Place::kNowhere) return wrong("a list or an object where none belongs");
  if (next == Place::kResult) has_result_ = true;
  if (next == Place::kSeries) out_.series.emplace_back();
  if (next == Place::kPair) {
    time_ms_.reset();
    value_.reset();
  }
  places_.push_back(next);
  key_.clear();
  return true;
}

bool MatrixEvents::close() {
  if (skipped_levels_ > 0) {
    --skipped_levels_;
    return true;
  }
  const Place closed = place();
  places_.pop_back();
  if (closed == Place::kPair) {
    if (!time_ms_ || !value_) return wrong("a sample that is not a time and a value");
    out_.series.back().samples.push_back({*time_ms_, *value_});
    ++out_.samples;
  }
  if (closed == Place::kMetric) {
    Labels& labels = out_.series.back().labels;
    std::erase_if(labels, [](const Label& label) { return label.value.empty(); });
    std::sort(labels.begin(), labels.end());
  }
  return true;
}

bool MatrixEvents::on_text(std::string_view text) {
  if (is_skipped()) return true;
  switch (place()) {
    case Place::kRoot:
      if (key_ != "status") return wrong("data that is a text");
      is_success_ = text == "success";
      return is_success_ || wrong("a status other than success");
    case Place::kData:
      if (key_ != "resultType") return wrong("a result that is a text");
      is_matrix_ = text == "matrix";
      return is_matrix_ || wrong("a result other than a matrix");
    case Place::kMetric: out_.series.back().labels.push_back({key_, std::string(text)}); return true;
    case Place::kPair: {
      if (!time_ms_ || value_) return wrong("a sample that is not a time and a value");
      const Result<double> value = parse_sample_value(text);
      if (!value) return wrong("a value that is not a number");
      value_ = *value;
      return true;
    }
    default: return wrong("a text where none belongs");
  }
}

Result<RawSamples> MatrixEvents::take() {
  if (!is_success_ || !is_matrix_ || !has_result_) return fail(Code::kInvalid, "not an answer of the prometheus api: no matrix in it");
  // A series of native histograms alone, or one without a sample, brings nothing.
  std::erase_if(out_.series, [](const SeriesSamples& one) { return one.samples.empty(); });
  return std::move(out_);
}

}  // namespace

Result<RawSamples> decode_raw_samples(std::string_view json) {
  MatrixEvents events;
  TRY_ASSIGN(const bool is_read, read_json(json, events));
  if (!is_read) return fail(Code::kInvalid, "not an answer of the prometheus api: " + events.complaint());
  return events.take();
}

Result<std::vector<std::string>> decode_label_values(std::string_view json) {
  TRY_ASSIGN(const Json answer, parse_json(json));
  const Json& values = answer.at("data");
  // Without a value, some answer null for the list.
  if (answer.at("status").text() != "success" || !(values.is_array() || values.is_null())) {
    return fail(Code::kInvalid, "not an answer of the prometheus api: no list of label values in it");
  }
  std::vector<std::string> out;
  for (const Json& value : values.elements()) {
    if (value.is_text()) out.emplace_back(value.text());
  }
  return out;
}

QueryFailure decode_query_failure(std::string_view json) {
  const Result<Json> answer = parse_json(json);
  if (!answer) return {};
  return {std::string(answer->at("errorType").text()), std::string(answer->at("error").text())};
}

RawQuery raw_query(std::string_view metric, Interval span) {
  RawQuery out;
  out.selector = "{__name__=\"";
  for (const char c : metric) {
    if (c == '"' || c == '\\') out.selector.push_back('\\');
    out.selector += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  out.selector += "\"}[" + std::to_string(millis_of(span.to) - millis_of(span.from)) + "ms]";
  const std::int64_t last_ms = millis_of(span.to) - 1;
  const std::string fraction = std::to_string(1'000 + last_ms % 1'000);
  out.time = std::to_string(last_ms / 1'000) + "." + fraction.substr(1);
  return out;
}

}  // namespace seedance
