// Reads samples from OpenMetrics 1.0 text and from the Prometheus text format 0.0.4, in pieces of any size.
//
// Exports of a time series database repeat the text of a series with every sample, so the labels of a text that was seen
// before are taken from a cache instead of being parsed again. Time stamps are read as decimal numbers, never as `double`:
// "1796062177.818" is exactly 1796062177818 ms, and digits below the millisecond are rounded half up.
//
// HELP, TYPE, UNIT and other comments and exemplars are skipped. Both kinds of blanks and quoted UTF-8 names
// (`{"gpu.power", "k8s.pod"="x"}`) are accepted. The reader does not check that the samples of a family lie together or
// that counters end in `_total`: it takes the samples, what they mean is decided elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ingest/hash_index.h"
#include "ingest/label_rules.h"
#include "model/sample.h"

namespace seedance {

enum class TimestampUnit : std::uint8_t {
  kSeconds,  // OpenMetrics
  kMillis,   // Prometheus text
  kAuto,     // a fraction, or a whole number below 10^11, is seconds; a larger whole number is milliseconds
};

struct OpenMetricsOptions {
  TimestampUnit timestamps = TimestampUnit::kSeconds;
  std::optional<std::int64_t> default_timestamp_ms = {};  // for samples without one; without it they are an error
  bool end_required = false;                         // a text without "# EOF" was cut off
  LabelLimits labels = {};
  std::size_t line_bytes_max = std::size_t{1024} * 1024;
};

class OpenMetricsReader {
 public:
  using OnSample = std::function<void(const Labels&, Sample)>;

  explicit OpenMetricsReader(OpenMetricsOptions options) : options_(options) {}

  // Calls `on_sample` for every complete line. The first error ends the reader: every later call gives it again. Errors
  // carry the line number; samples of the lines before have been handed on.
  Result<void> feed(std::string_view chunk, const OnSample& on_sample);
  // The last line may lack its line feed.
  Result<void> finish(const OnSample& on_sample);

  std::uint64_t line_count() const { return line_; }
  bool has_seen_end() const { return ended_; }  // "# EOF"

 private:
  struct Known {
    std::string text;
    Labels labels;
  };

  Result<void> take_lines(std::string_view chunk, const OnSample& on_sample);
  Result<void> take_line(std::string_view line, const OnSample& on_sample);
  Result<void> take_sample(std::string_view line, const OnSample& on_sample);
  Result<std::int64_t> timestamp_of(std::string_view rest) const;
  Result<std::size_t> known_labels(std::string_view series_text);

  OpenMetricsOptions options_;
  std::string partial_;  // the beginning of a line whose end has not come yet
  std::uint64_t line_ = 0;
  bool ended_ = false;
  std::optional<Error> failed_;

  std::vector<Known> known_;
  HashIndex known_index_;
  std::size_t known_bytes_ = 0;
};

// Decimal text with optional sign, fraction and exponent to milliseconds; `unit_millis` is 1 or 1000. kInvalid when it is
// no number or does not fit.
Result<std::int64_t> parse_decimal_millis(std::string_view text, std::int64_t unit_millis);

// "1.5", "NaN", "+Inf", "-Inf" (any case); no hexadecimal, no blanks.
Result<double> parse_sample_value(std::string_view text);

}  // namespace seedance
