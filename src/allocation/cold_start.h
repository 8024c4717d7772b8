// What a pod's start cost: money for resources that were held before the first useful work.
//
// cost = seconds x (cores x price per core-second + GiB x price per GiB-second + GPUs x price per GPU-second), from scheduling to the first
// GPU work (a device of the pod busy for 1 % and more); for a pod without GPUs, to readiness, else to the start of its containers.
// Each stage is an interval of the pod's own timeline. A stage whose event is not in the series is undetermined: its time is
// counted in the stage that can be told apart, and the missing name is said, never guessed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "allocation/holdings.h"
#include "model/cold_start.h"

namespace seedance {

// The start of one pod, when its containers started inside the hour. `piece`: the price at that time. nullopt: it did not start
// in this hour, or nothing says when it was scheduled.
std::optional<ColdStart> cold_start_of(const std::vector<const ContainerHolding*>& holdings, const NodeGpus& gpus, const NodeRecord& node,
                                       const PricePiece& piece, Interval hour);

}  // namespace seedance
