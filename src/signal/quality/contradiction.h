// A GPU whose counters contradict each other: utilization says that kernels run, and every profiling counter stands at 0.
//
// Seen in the wild for weeks (dcgm-exporter issue 662, gpu-monitoring-tools issue 189): the profiling module stopped, and a dashboard calls a busy GPU
// idle. Books take the profiling counters as absent there (app/device_series.cc); this tells that it happens. One thread at a time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/feature.h"

namespace seedance {

inline constexpr double kContradictionUtilization = 0.5;  // from here on a kernel ran half of the time

// Whether one second of a GPU contradicts itself. False where one side is missing.
bool contradicts_itself(const FeatureVector& vector);

class ContradictionWatch {
 public:
  struct State {
    bool is_bad = false;
    std::int64_t since = 0;       // Unix seconds
    double utilization = 0;       // the last one
  };
  void add(std::span<const NumberedFeature> vectors);
  // By number of the entity.
  const std::vector<State>& states() const { return states_; }

 private:
  struct Run {
    std::int64_t first = 0;
    int vectors = 0;
  };
  std::vector<State> states_;
  std::vector<Run> runs_;
};

}  // namespace seedance
