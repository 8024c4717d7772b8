#include "ingest/otlp/otlp_json.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "ingest/label_rules.h"
#include "json/value.h"

namespace seedance {
namespace {

// Thrown inside this file only; ends in `decode_otlp_json`.
struct OtlpJsonStop {
  Error error;
};

[[noreturn]] void stop_at_kind(std::string_view key, std::string_view expected) {
  throw OtlpJsonStop{{Code::kInvalid, "value of a json key is not " + std::string(expected) + ": " + std::string(key),
                      "send ExportMetricsServiceRequest in OTLP's JSON encoding"}};
}

void check_json_limit(std::string_view what, std::size_t count, std::size_t limit) {
  if (count >= limit) throw OtlpJsonStop{otlp_limit_error(what, limit)};
}

template <typename Number>
std::optional<Number> parsed(std::string_view text) {
  Number out{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return out;
}

// A whole number that `Integer` can hold, as text or as a number.
template <typename Integer>
Integer whole(const Json& value, std::string_view key) {
  if (value.is_null()) return 0;
  std::optional<Integer> out;
  if (value.is_text()) {
    out = parsed<Integer>(value.text());
  } else if (const double number = value.number(); std::abs(number) < 9.2e18) {  // NaN for what is no number
    const std::int64_t integer = value.integer();
    if (static_cast<double>(integer) == number && std::in_range<Integer>(integer)) out = static_cast<Integer>(integer);
  }
  if (!out) stop_at_kind(key, "a whole number in range");
  return *out;
}

double real(const Json& value, std::string_view key) {
  if (value.is_text()) {
    const std::string_view text = value.text();
    if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
    if (text == "Infinity") return std::numeric_limits<double>::infinity();
    if (text == "-Infinity") return -std::numeric_limits<double>::infinity();
    if (const std::optional<double> number = parsed<double>(text); number && std::isfinite(*number)) return *number;
    stop_at_kind(key, "a number");
  }
  const double number = value.number();
  if (std::isnan(number)) stop_at_kind(key, "a number");
  return number;
}

std::optional<double> optional_real(const Json& parent, std::string_view key) {
  const Json& value = parent.at(key);
  if (value.is_null()) return std::nullopt;
  return real(value, key);
}

std::string json_text(const Json& parent, std::string_view key) {
  const Json& value = parent.at(key);
  if (!value.is_null() && !value.is_text()) stop_at_kind(key, "a string");
  return std::string(value.text());
}

const Json& json_object(const Json& parent, std::string_view key) {
  const Json& value = parent.at(key);
  if (!value.is_null() && !value.is_object()) stop_at_kind(key, "an object");
  return value;
}

const Json::Array& json_array(const Json& parent, std::string_view key) {
  const Json& value = parent.at(key);
  if (!value.is_null() && !value.is_array()) stop_at_kind(key, "an array");
  return value.elements();
}

const Json& require_object(const Json& element, std::string_view key) {
  if (!element.is_object()) stop_at_kind(key, "an array of objects");
  return element;
}

// null: not set. A boolean has no number in it.
bool json_boolean(const Json& parent, std::string_view key) {
  const Json& value = parent.at(key);
  const bool is_something_else = value.is_text() || value.is_array() || value.is_object() || !std::isnan(value.number());
  if (!value.is_null() && is_something_else) stop_at_kind(key, "true or false");
  return value.boolean();
}

std::string any_json_text(const Json& value, std::size_t depth, bool is_inside) {
  check_json_limit("nesting of an attribute value", depth, kOtlpDepthMax);
  const auto quoted = [&](std::string_view text) { return is_inside ? otlp_quoted_text(text) : std::string(text); };
  for (const auto& [key, member] : value.members()) {
    if (member.is_null()) continue;
    if (key == "stringValue" || key == "bytesValue") return quoted(json_text(value, key));
    if (key == "boolValue") return json_boolean(value, key) ? "true" : "false";
    if (key == "intValue") return std::to_string(whole<std::int64_t>(member, key));
    if (key == "doubleValue") return otlp_number_text(real(member, key));
    if (key != "arrayValue" && key != "kvlistValue") continue;
    const bool has_keys = key == "kvlistValue";
    std::string out(1, has_keys ? '{' : '[');
    if (!member.is_object()) stop_at_kind(key, "an object");
    for (const Json& element : json_array(member, "values")) {
      if (out.size() > 1) out.push_back(',');
      require_object(element, "values");
      if (has_keys) out += otlp_quoted_text(json_text(element, "key")) + ":";
      out += any_json_text(has_keys ? json_object(element, "value") : element, depth + 1, true);
    }
    out.push_back(has_keys ? '}' : ']');
    return out;
  }
  return is_inside ? "null" : "";
}

void read_json_attributes(const Json& parent, OtlpAttributes& out) {
  out.clear();
  for (const Json& element : json_array(parent, "attributes")) {
    check_json_limit("attributes of one point, scope or resource", out.size(), kOtlpAttributesMax);
    require_object(element, "attributes");
    out.push_back({json_text(element, "key"), any_json_text(json_object(element, "value"), 0, false)});
  }
}

void read_json_counts(const Json& parent, std::vector<std::uint64_t>& out) {
  for (const Json& element : json_array(parent, "bucketCounts")) {
    check_json_limit("buckets of one point", out.size(), kOtlpBucketsMax);
    out.push_back(whole<std::uint64_t>(element, "bucketCounts"));
  }
}

void read_json_buckets(const Json& buckets, OtlpBuckets& out) {
  out.offset = whole<std::int32_t>(buckets.at("offset"), "offset");
  read_json_counts(buckets, out.counts);
}

void read_json_point(const Json& json, OtlpPoint& out) {
  out.clear();
  read_json_attributes(json, out.attributes);
  out.start_nanos = whole<std::uint64_t>(json.at("startTimeUnixNano"), "startTimeUnixNano");
  out.time_nanos = whole<std::uint64_t>(json.at("timeUnixNano"), "timeUnixNano");
  out.has_no_value = (whole<std::uint32_t>(json.at("flags"), "flags") & 1U) != 0;
  if (!json.at("asInt").is_null()) out.as_int = whole<std::int64_t>(json.at("asInt"), "asInt");
  if (!out.as_int) out.as_double = optional_real(json, "asDouble");
  out.count = whole<std::uint64_t>(json.at("count"), "count");
  out.sum = optional_real(json, "sum");
  out.min = optional_real(json, "min");
  out.max = optional_real(json, "max");
  read_json_counts(json, out.bucket_counts);
  for (const Json& element : json_array(json, "explicitBounds")) {
    check_json_limit("bounds of one point", out.bounds.size(), kOtlpBucketsMax);
    out.bounds.push_back(real(element, "explicitBounds"));
  }
  out.scale = whole<std::int32_t>(json.at("scale"), "scale");
  out.zero_count = whole<std::uint64_t>(json.at("zeroCount"), "zeroCount");
  out.zero_threshold = optional_real(json, "zeroThreshold").value_or(0);
  read_json_buckets(json_object(json, "positive"), out.positive);
  read_json_buckets(json_object(json, "negative"), out.negative);
  for (const Json& element : json_array(json, "quantileValues")) {
    check_json_limit("quantiles of one point", out.quantiles.size(), kOtlpBucketsMax);
    require_object(element, "quantileValues");
    out.quantiles.push_back({optional_real(element, "quantile").value_or(0), optional_real(element, "value").value_or(0)});
  }
}

OtlpTemporality json_temporality(const Json& data) {
  const Json& value = data.at("aggregationTemporality");
  if (value.text() == "AGGREGATION_TEMPORALITY_DELTA") return OtlpTemporality::kDelta;
  if (value.text() == "AGGREGATION_TEMPORALITY_CUMULATIVE") return OtlpTemporality::kCumulative;
  if (value.text() == "AGGREGATION_TEMPORALITY_UNSPECIFIED") return OtlpTemporality::kUnspecified;
  const auto number = whole<std::int32_t>(value, "aggregationTemporality");
  return number == 1 || number == 2 ? static_cast<OtlpTemporality>(number) : OtlpTemporality::kUnspecified;
}

class OtlpJsonWalk {
 public:
  explicit OtlpJsonWalk(const OnOtlpPoint& on_point) : on_point_(on_point) {}

  void read_request(const Json& request) {
    if (!request.is_object()) throw OtlpJsonStop{{Code::kInvalid, "json request is not an object", ""}};
    for (const Json& of_resource : json_array(request, "resourceMetrics")) {
      require_object(of_resource, "resourceMetrics");
      ++resource_.index;
      read_json_attributes(json_object(of_resource, "resource"), resource_.attributes);
      for (const Json& of_scope : json_array(of_resource, "scopeMetrics")) {
        const Json& scope = json_object(require_object(of_scope, "scopeMetrics"), "scope");
        scope_.name = json_text(scope, "name");
        scope_.version = json_text(scope, "version");
        read_json_attributes(scope, scope_.attributes);
        for (const Json& metric : json_array(of_scope, "metrics")) read_metric(require_object(metric, "metrics"));
      }
    }
  }

 private:
  void read_metric(const Json& json) {
    static constexpr std::pair<std::string_view, OtlpType> kTypes[] = {{"gauge", OtlpType::kGauge},
                                                                       {"sum", OtlpType::kSum},
                                                                       {"histogram", OtlpType::kHistogram},
                                                                       {"exponentialHistogram", OtlpType::kExponentialHistogram},
                                                                       {"summary", OtlpType::kSummary}};
    metric_ = {.index = metric_.index + 1};
    metric_.name = json_text(json, "name");
    metric_.description = json_text(json, "description");
    metric_.unit = json_text(json, "unit");
    for (const auto& [key, type] : kTypes) {
      const Json& data = json_object(json, key);
      if (data.is_null()) continue;
      metric_.type = type;
      metric_.temporality = json_temporality(data);
      metric_.is_monotonic = json_boolean(data, "isMonotonic");
      for (const Json& point : json_array(data, "dataPoints")) {
        check_json_limit("data points of one request", points_++, kOtlpPointsMax);
        read_json_point(require_object(point, "dataPoints"), point_);
        if (Result<void> taken = on_point_({resource_, scope_, metric_, point_}); !taken) throw OtlpJsonStop{taken.error()};
      }
      return;
    }
  }

  const OnOtlpPoint& on_point_;
  OtlpResource resource_;
  OtlpScope scope_;
  OtlpMetric metric_;
  OtlpPoint point_;
  std::size_t points_ = 0;
};

}  // namespace

Result<void> decode_otlp_json(std::string_view text, const OnOtlpPoint& on_point) {
  // Before anything is built: a comma or a bracket for every value. Those inside strings count too; real requests are far below.
  const auto values = std::ranges::count_if(text, [](char c) { return c == ',' || c == '[' || c == '{'; });
  if (static_cast<std::size_t>(values) > kOtlpJsonValuesMax) return tl::unexpected<Error>(otlp_limit_error("values of one json request", kOtlpJsonValuesMax));
  if (!is_utf8(text)) return fail(Code::kInvalid, "json request is not UTF-8");
  TRY_ASSIGN(const Json request, parse_json(text));
  try {
    OtlpJsonWalk(on_point).read_request(request);
    return {};
  } catch (const OtlpJsonStop& stopped) {
    return tl::unexpected<Error>(stopped.error);
  }
}

}  // namespace seedance
