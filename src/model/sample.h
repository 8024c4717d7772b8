// What an exporter said: labels and time-stamped values, before any meaning is read into them.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"

namespace seedance {

struct Label {
  std::string name;
  std::string value;
  friend auto operator<=>(const Label&, const Label&) = default;
};

// Sorted by name, names unique, no empty value (an empty value means "absent" in Prometheus), __name__ among them.
using Labels = std::vector<Label>;

// The value of a label, or an empty view.
std::string_view label_value(const Labels& labels, std::string_view name);

// {name="value",...} with values escaped as in the Prometheus text format; the identity of a series.
std::string print_labels(const Labels& labels);

struct Sample {
  std::int64_t timestamp_ms = 0;  // UTC milliseconds, event time
  double value = 0;
};

// Prometheus' stale marker: this NaN and no other ends a series (prometheus/prometheus model/value).
inline constexpr std::uint64_t kStaleBits = 0x7ff0000000000002;
inline bool is_stale_marker(double value) { return std::bit_cast<std::uint64_t>(value) == kStaleBits; }
inline double stale_marker() { return std::bit_cast<double>(kStaleBits); }

// Sorts by time. Of several values at one time stamp the largest wins, a stale marker loses: the answer does not depend on
// the order of arrival, and a doubled sample changes nothing.
void sort_samples(std::vector<Sample>& samples);

// All samples of one series that one input brought; views into the caller's storage are never kept.
struct SeriesSamples {
  Labels labels;
  std::vector<Sample> samples;
};

}  // namespace seedance
