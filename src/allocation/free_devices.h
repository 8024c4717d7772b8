// Which devices of a node nobody held, and when.
//
// A device is free where its exporter shows it and no hold is on it. While a container holds a GPU and nobody says which one, no
// device of the node can be called free: that time stays with the node's unknown rest.
#pragma once

#include <vector>

#include "allocation/holdings.h"

namespace seedance {

struct FreeDevice {
  const DeviceActivity* device = nullptr;
  Steps units;  // of NodeGpus::units_per_gpu; only where more than 0
};

// In the order of `devices`; whole cards, or the instances of a card that has some.
std::vector<FreeDevice> free_devices(const std::vector<const DeviceActivity*>& devices, const std::vector<ContainerHolding>& holdings,
                                     const NodeRecord& node, const NodeGpus& gpus, const Steps& live);

}  // namespace seedance
