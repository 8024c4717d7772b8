// What an OTLP metrics request says, the same for protobuf and JSON: one data point at a time, with the metric, the scope and the
// resource that it belongs to.
//
// Source of the shapes and rules: opentelemetry-proto 1.x, metrics/v1/metrics.proto and common/v1/common.proto. Times are nanoseconds
// since 1970, 0 when not stated. Exemplars, schema addresses and dropped counts are skipped: no signal reads them.
//
// A decoder walks the request and calls `OnOtlpPoint` for every point, in order; only one point is in memory at a time, and what is
// handed over is reused for the next one. Every count that a sender chooses has a limit here; beyond it a decoder says kTooLarge.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace seedance {

inline constexpr std::size_t kOtlpPointsMax = 1'000'000;  // of one request
inline constexpr std::size_t kOtlpAttributesMax = 256;    // of one point, scope or resource
inline constexpr std::size_t kOtlpDepthMax = 16;          // of arrays and lists inside one attribute value
inline constexpr std::size_t kOtlpBucketsMax = 16'384;    // of one list of a point: buckets, bounds, quantiles

// `value` is the value as text: a string as it is; numbers and booleans as JSON prints them; arrays and key-value lists as JSON; bytes
// in base64. An attribute without a value has an empty text.
struct OtlpAttribute {
  std::string key;
  std::string value;
  friend bool operator==(const OtlpAttribute&, const OtlpAttribute&) = default;
};
using OtlpAttributes = std::vector<OtlpAttribute>;

struct OtlpResource {
  std::size_t index = 0;  // counts the resources of a request from 1
  OtlpAttributes attributes;
};

struct OtlpScope {
  std::string name;
  std::string version;
  OtlpAttributes attributes;
};

enum class OtlpType : std::uint8_t { kNone, kGauge, kSum, kHistogram, kExponentialHistogram, kSummary };
enum class OtlpTemporality : std::uint8_t { kUnspecified = 0, kDelta = 1, kCumulative = 2 };

struct OtlpMetric {
  std::size_t index = 0;  // counts the metrics of a request from 1
  std::string name = {};
  std::string description = {};
  std::string unit = {};  // UCUM: "By", "s", "1", "{sample}"
  OtlpType type = OtlpType::kNone;
  OtlpTemporality temporality = OtlpTemporality::kUnspecified;  // sums and histograms
  bool is_monotonic = false;                                    // sums
};

struct OtlpBuckets {
  std::int32_t offset = 0;
  std::vector<std::uint64_t> counts;
};

struct OtlpQuantile {
  double quantile = 0;
  double value = 0;
};

struct OtlpPoint {
  OtlpAttributes attributes;
  std::uint64_t start_nanos = 0;
  std::uint64_t time_nanos = 0;
  bool has_no_value = false;  // flag "no recorded value": the series ends here
  // Gauge, sum: one of both.
  std::optional<std::int64_t> as_int;
  std::optional<double> as_double;
  // Histograms, summary.
  std::uint64_t count = 0;
  std::optional<double> sum;
  std::optional<double> min;
  std::optional<double> max;
  // Histogram: one count more than bounds, or neither.
  std::vector<std::uint64_t> bucket_counts;
  std::vector<double> bounds;
  // Exponential histogram.
  std::int32_t scale = 0;
  std::uint64_t zero_count = 0;
  double zero_threshold = 0;
  OtlpBuckets positive;
  OtlpBuckets negative;
  // Summary.
  std::vector<OtlpQuantile> quantiles;

  void clear();  // keeps the memory of the lists
};

struct OtlpPointRef {
  const OtlpResource& resource;
  const OtlpScope& scope;
  const OtlpMetric& metric;
  const OtlpPoint& point;
};

// An error ends the walk and is handed to the caller of the decoder.
using OnOtlpPoint = std::function<Result<void>(const OtlpPointRef&)>;

// How values become text, for both decoders.
std::string otlp_number_text(double value);  // the shortest that reads back; "NaN", "Infinity", "-Infinity"
std::string otlp_bytes_text(std::string_view bytes);
std::string otlp_quoted_text(std::string_view text);  // as a JSON string

Error otlp_limit_error(std::string_view what, std::size_t limit);

}  // namespace seedance
