// Checks a Prometheus native histogram (message Histogram of remote write 1.0 and 2.0) for what a receiver must refuse.
//
// No signal of ours is a native histogram, so nothing is kept of it; but a sender must hear when it sends a broken one.
// Rules: prometheus/prometheus model/histogram Validate, and the receiver compliance suite: schema -4..8 or -53 (custom
// buckets); as many buckets as the spans say; no negative bucket; the count is the sum of the buckets (at least that when the
// sum is NaN: observations that are NaN are in no bucket).
#pragma once

#include <string_view>

namespace seedance {

// nullptr, or what is wrong with it.
const char* histogram_fault(std::string_view message);

}  // namespace seedance
