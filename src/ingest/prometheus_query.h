// Reads the answers of the Prometheus HTTP API (https://prometheus.io/docs/prometheus/latest/querying/api/) that hold raw samples, and
// writes the questions that get them.
//
// A range selector as an instant query gives the samples as they were scraped, with their own time stamps; query_range would resample
// them. Prometheus, Thanos, Mimir and VictoriaMetrics all answer it so. What such an answer does not have are stale markers: a series
// ends at its last sample. Native histograms come under a key of their own and are counted, not read.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "model/sample.h"

namespace seedance {

struct RawSamples {
  // Labels sorted and without empty values; whether they are sound is for the series table to judge.
  std::vector<SeriesSamples> series;
  std::size_t samples = 0;
  std::size_t histogram_series = 0;
};

// The body of a 200. kInvalid: not such an answer, cut off, or `status` is not "success"; kTooLarge: over 64 MiB.
Result<RawSamples> decode_raw_samples(std::string_view json);

// The names of /api/v1/label/NAME/values.
Result<std::vector<std::string>> decode_label_values(std::string_view json);

// What an answer with an error status says: "execution: query processing would load too many samples". Empty when it is not JSON.
struct QueryFailure {
  std::string type;
  std::string message;
};
QueryFailure decode_query_failure(std::string_view json);

// The selector and the time of evaluation that bring every sample of `metric` in [from, to), whole milliseconds, from < to.
// Prometheus 3 and VictoriaMetrics leave out a sample at the lower end of a range, Prometheus 2 takes it in: one there belongs to the
// piece before, and samples are a set.
struct RawQuery {
  std::string selector;  // {__name__="DCGM_FI_DEV_GPU_UTIL"}[3600000ms]
  std::string time;      // Unix seconds, "1796061599.999"
};
RawQuery raw_query(std::string_view metric, Interval span);

}  // namespace seedance
