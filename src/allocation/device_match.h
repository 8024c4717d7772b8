// Finds which devices a container's GPU claims are, from the pod labels on the devices' own series.
//
// For each container, the devices that named it longest come first, ties to the smaller key; as many as it claims. A device
// label that flaps between scrapes, or stays for a while after the pod has ended, therefore moves nothing. Only containers that
// claim GPUs are matched here. What is left: when one container alone still lacks devices and
// exactly as many whole devices were named by nobody, they are its own; else the device stays unknown.
#pragma once

#include <vector>

#include "allocation/holdings.h"

namespace seedance {

void match_devices(const std::vector<const DeviceActivity*>& devices, const NodeGpus& gpus, std::vector<ContainerHolding>& holdings);

}  // namespace seedance
