// From closed windows to feature vectors. Remembers the last value of every (entity, signal) for the deltas.
#pragma once

#include <vector>

#include "model/feature.h"
#include "signal/windows.h"

namespace seedance {

// The slot of a signal in the layout, or -1.
int feature_slot(SignalId signal);

// Whether the books need it: what is still read from a sender whose metrics cannot be parsed in part.
bool is_needed_for_money(SignalId signal);

// Windows are grouped by entity x 32 + slot.
inline std::uint32_t feature_group(std::uint32_t entity, int slot) { return entity * std::uint32_t{kFeatureSignals} + static_cast<std::uint32_t>(slot); }

class FeatureBuilder {
 public:
  // One vector for every entity and second that has a window; windows sorted by (second, group), as WindowShard gives them.
  // `entity` in the result is the number; the caller names it.
  std::vector<NumberedFeature> take(const std::vector<Window>& windows);

 private:
  std::vector<double> last_;  // by group; NaN: none yet
};

}  // namespace seedance
