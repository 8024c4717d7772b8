#include "signal/features.h"

#include <cmath>
#include <limits>

namespace seedance {
namespace {

void fill(FeatureVector& vector, std::size_t slot, const Window& w, double delta) {
  const double stats[] = {w.sum / w.count, w.max, w.last, delta};
  vector.presence |= std::uint32_t{1} << slot;
  for (std::size_t i = 0; i < 4; ++i) vector.values[slot * 4 + i] = static_cast<float>(stats[i]);
}

// Counters restart: the new value is what has come since. Gauges may fall.
double delta_of(SignalId signal, double before, double now) {
  return signal_of(signal).kind == SignalKind::kCounter && now < before ? now : now - before;
}

}  // namespace

int feature_slot(SignalId signal) {
  for (std::size_t i = 0; i < kFeatureSignals; ++i) {
    if (kFeatureLayout[i] == signal && signal != SignalId::kCount) return static_cast<int>(i);
  }
  return -1;
}

bool is_needed_for_money(SignalId signal) {
  switch (signal) {
    case SignalId::kGpuEngineActive:
    case SignalId::kGpuUtilization:
    case SignalId::kGpuSmActive:
    case SignalId::kGpuTensorActive:
    case SignalId::kGpuFp64Active:
    case SignalId::kGpuFp32Active:
    case SignalId::kGpuFp16Active:
    case SignalId::kGpuDramActive:
    case SignalId::kGpuMemoryUsed:
    case SignalId::kGpuMemoryFree:
    case SignalId::kGpuMemoryReserved:
    case SignalId::kJobDataWait:
    case SignalId::kJobCommunicationWait:
    case SignalId::kServeRequestsRunning: return true;
    default: return false;
  }
}

std::vector<NumberedFeature> FeatureBuilder::take(const std::vector<Window>& windows) {
  std::vector<NumberedFeature> out;
  for (const Window& w : windows) {
    const std::uint32_t entity = w.group / kFeatureSignals;
    const std::size_t slot = w.group % kFeatureSignals;
    if (out.empty() || out.back().entity != entity || out.back().vector.second != w.second) {
      out.push_back({entity, {}});
      out.back().vector.second = w.second;
      out.back().vector.values.fill(std::numeric_limits<float>::quiet_NaN());
    }
    if (last_.size() <= w.group) last_.resize((entity + 1) * kFeatureSignals, std::numeric_limits<double>::quiet_NaN());
    double& last = last_[w.group];
    fill(out.back().vector, slot, w, delta_of(kFeatureLayout[slot], std::isnan(last) ? w.first : last, w.last));
    last = w.last;
  }
  return out;
}

}  // namespace seedance
