// One pod's start, stage by stage, with what it cost.
#pragma once

#include <optional>
#include <string>

#include "base/money.h"
#include "base/units.h"

namespace seedance {

struct ColdStart {
  std::string cluster;
  std::string namespace_name;
  std::string workload;  // "Kind/name"
  std::string pod;
  std::string pod_uid;
  std::string node;
  TimePoint scheduled;
  // Absent: the event is not in the series, the stage is undetermined.
  std::optional<TimePoint> image_pulled;
  std::optional<TimePoint> started;
  std::optional<TimePoint> ready;
  std::optional<TimePoint> first_work;  // of a GPU
  std::int64_t cpu_nanocores = 0;
  std::int64_t memory_bytes = 0;
  Rational gpus;
  std::string currency;
  Money cost;  // from scheduling to the last known event

  // The last event that is known; the cold start ends there.
  TimePoint end() const {
    for (const std::optional<TimePoint>& t : {first_work, ready, started, image_pulled}) {
      if (t) return *t;
    }
    return scheduled;
  }
};

}  // namespace seedance
