#include "pricing/billing_adjustment.h"

#include "base/split.h"

namespace seedance {

std::optional<ComputeCost> spread_adjustment(const ComputeCost& charged, Money adjustment) {
  const Int128 weights[] = {charged.cpu.nanos(), charged.memory.nanos(), charged.gpu.nanos()};
  if (weights[0] + weights[1] + weights[2] == 0) return std::nullopt;
  if (adjustment >= Money{}) {
    const std::vector<Money> parts = split(adjustment, weights);
    return ComputeCost{parts[0], parts[1], parts[2]};
  }
  const std::vector<Money> parts = split(Money{} - adjustment, weights);
  return ComputeCost{Money{} - parts[0], Money{} - parts[1], Money{} - parts[2]};
}

}  // namespace seedance
