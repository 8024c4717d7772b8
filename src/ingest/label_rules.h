// What makes a set of labels a series, whichever format brought it.
//
// Labels arrive in any order, with empty values that mean "absent", and from senders that we do not control. Here they
// become canonical (sorted, no empty value, names unique) or are refused with a message that names the metric and the
// label. Names may be any UTF-8, as remote write 2.0 allows; dots and blanks are legal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/sample.h"

namespace seedance {

struct LabelLimits {
  std::size_t labels_max = 64;
  std::size_t name_bytes_max = 256;
  std::size_t value_bytes_max = 4096;
};

inline constexpr std::string_view kMetricNameLabel = "__name__";

// Makes `labels` canonical in place. kInvalid: no __name__, an empty or repeated name (even with the same value), text
// that is not UTF-8, or more than the limits.
Result<void> canonicalise_labels(Labels& labels, const LabelLimits& limits);

// Well-formed UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF.
bool is_utf8(std::string_view text);

// Outside text cut and cleaned for a message: at most 80 bytes, no control characters, valid UTF-8.
std::string text_for_message(std::string_view text);

}  // namespace seedance
