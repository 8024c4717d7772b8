// OTLP data points as series and samples, by the rules of OpenTelemetry's Prometheus compatibility specification (names: otlp_names.h).
//
// Labels. `service.namespace/service.name` is the label `job`, `service.instance.id` is `instance`. What says where something runs is
// kept on every series: `k8s.*`, `cloud.*`, `deployment.*` and `host.name`, as `k8s_pod_name` and so on. The rest of a resource stands on
// its `target_info` series alone, one sample a request at the time of its newest point. A point's own attribute wins over the
// resource's. The scope is `otel_scope_name` and `otel_scope_version`. Two attributes that become one label are joined with `;`.
//
// Values. Gauges and cumulative sums are one sample at the time of the point. A histogram is `_bucket`, `_sum` and `_count`, a summary
// `{quantile=...}`, `_sum` and `_count`. Of an exponential histogram only `_sum` and `_count` are made: no signal reads buckets, and
// classic ones cannot be had from it. A point with "no recorded value" is a stale marker.
//
// Delta temporality needs no memory of earlier points. What v counts in [start, end) becomes three samples of a counter:
// 0 at start + 1 ms, v at end, 0 at end + 1 ms. Our counters take a fall to zero for a new beginning, so their increases are exactly the
// deltas: in any order, sent twice, across our restarts and across gaps. Where the start is missing or less than 2 ms before the end,
// v counts in the last millisecond before the end. As for every counter, an interval longer than the longest bridged gap counts nothing.
// Refused: deltas of a sum that may fall (nothing but a memory of all earlier points could place them), deltas below zero or not
// finite, and sums and histograms that state no temporality.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "ingest/otlp/otlp_names.h"
#include "model/sample.h"

namespace seedance {

struct OtlpCounts {
  std::uint64_t points = 0;
  std::uint64_t points_ignored = 0;   // nobody wants any series of them
  std::uint64_t points_rejected = 0;
  std::uint64_t samples_ignored = 0;  // of points that are ignored, wholly or in part
  std::string first_reason;           // of a rejection, with the metric's name
};

class OtlpTranslator {
 public:
  // `label_block`: the labels as a remote write message has them (prometheus_write.h), sorted, without doubles and without empty values. Names
  // and texts are as the sender chose them; whoever keeps them judges. Both views end with the call.
  // `samples_a_point`: how many samples one data point of such a series makes, 3 for a delta.
  struct Series {
    std::string_view label_block;
    std::span<const Sample> samples;
    std::size_t samples_a_point = 1;

    Labels labels() const;
  };
  using OnSeries = std::function<void(Series)>;

  // Series whose name is not wanted are counted and not made; without `wanted` all are made.
  OtlpTranslator(OtlpWantedName wanted, OnSeries on_series);
  ~OtlpTranslator();

  // Points in the order of a decoder: those of one resource together.
  void add(const OtlpPointRef& ref);
  // Makes what stands at the end of the last resource. Afterwards a new request may begin.
  void finish();

  const OtlpCounts& counts() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace seedance
