#include "signal/quality/contradiction.h"

#include <algorithm>

#include "signal/features.h"

namespace seedance {
namespace {

// One burst between two reads of counters that are not read at the same instant proves nothing.
constexpr int kVectorsToTrip = 5;
constexpr std::int64_t kSecondsToTrip = 60;

}  // namespace

bool contradicts_itself(const FeatureVector& v) {
  const auto mean = [&](SignalId signal) -> double {
    const int slot = feature_slot(signal);
    return (v.presence >> slot & 1U) == 0 ? -1.0 : static_cast<double>(v.value(static_cast<std::size_t>(slot), FeatureStat::kMean));
  };
  if (mean(SignalId::kGpuUtilization) < kContradictionUtilization) return false;
  double highest = -1;
  for (const SignalId profiled : {SignalId::kGpuEngineActive, SignalId::kGpuSmActive, SignalId::kGpuDramActive}) highest = std::max(highest, mean(profiled));
  return highest == 0;
}

void ContradictionWatch::add(std::span<const NumberedFeature> vectors) {
  for (const NumberedFeature& numbered : vectors) {
    if (states_.size() <= numbered.entity) {
      states_.resize(numbered.entity + 1);
      runs_.resize(numbered.entity + 1);
    }
    const int slot = feature_slot(SignalId::kGpuUtilization);
    if ((numbered.vector.presence >> slot & 1U) == 0) continue;
    State& state = states_[numbered.entity];
    Run& run = runs_[numbered.entity];
    if (!contradicts_itself(numbered.vector)) {
      run = {};
      // A pause of the work is no cure: utilization has to be there for both to be compared.
      if (numbered.vector.value(static_cast<std::size_t>(slot), FeatureStat::kMean) >= static_cast<float>(kContradictionUtilization)) state.is_bad = false;
      continue;
    }
    if (run.vectors == 0) run.first = numbered.vector.second;
    ++run.vectors;
    state.utilization = static_cast<double>(numbered.vector.value(static_cast<std::size_t>(slot), FeatureStat::kMean));
    if (state.is_bad || run.vectors < kVectorsToTrip || numbered.vector.second - run.first < kSecondsToTrip) continue;
    state.is_bad = true;
    state.since = run.first;
  }
}

}  // namespace seedance
