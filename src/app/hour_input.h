// From kept samples to a ClusterHour: which series are state, usage or device activity, put together by identity.
#pragma once

#include <memory>
#include <span>

#include "app/intake/series_registry.h"
#include "model/usage.h"
#include "pricing/node_prices.h"
#include "signal/timeline.h"

namespace seedance {

struct HourInputOptions {
  TimelineOptions timelines;
  NodePriceOptions prices;
};

// Samples around the hour that decide what happens inside it: states bridge five minutes, long idle stretches need ten.
inline constexpr Nanos kHourMargin = std::chrono::minutes(10);

// Feed every series with its samples in [hour - margin, hour + 1 h + margin], sorted, in any order; then finish once.
class HourInput {
 public:
  HourInput(const SeriesRegistry& registry, Interval hour, HourInputOptions options);
  ~HourInput();

  void add(std::uint32_t series, std::span<const Sample> samples);

  ClusterHour finish(const PriceBook& book);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The scrape interval of the state exporter: how long a pod that was seen once counts. From node and pod state series.
Nanos state_resolution(std::span<const Nanos> spacings);

}  // namespace seedance
