// What the containers of one node held over an hour: CPU, memory and GPU devices, as step functions.
//
// CPU and memory: max(request, usage). A pod holds its requests from binding to its end, whether its containers run or not;
// native sidecars count beside the others; ordinary init containers only by what they ask for above the others, as the scheduler
// reserves it. GPUs: what was asked for; where nothing was, what the exporter says the pod holds (allocation/named_holders.h).
#pragma once

#include <string>
#include <vector>

#include "allocation/gpu_share.h"
#include "model/usage.h"

namespace seedance {

// One device, or a part of it, in the hands of a container.
struct GpuHold {
  const DeviceActivity* device = nullptr;  // nullptr: which one is not known
  Steps units;                             // of NodeGpus::units_per_gpu
};

struct ContainerHolding {
  const PodRecord* pod = nullptr;
  const ContainerRecord* container = nullptr;  // nullptr: known from usage alone
  std::string container_name;
  Steps held;       // 1 while the pod holds its requests on this node
  Steps cpu_requested;
  Steps cpu_used;
  Steps cpu;        // max of both
  Steps memory_requested;
  Steps memory_used;
  Steps memory;
  std::vector<GpuHold> gpus;
};

// `live`: when the node was there. `pods`: those that were bound to the node, in inventory order. Devices belong to the node.
std::vector<ContainerHolding> holdings_of(const NodeRecord& node, const NodeGpus& gpus, const Steps& live,
                                          const std::vector<const PodRecord*>& pods, const std::vector<const DeviceActivity*>& devices,
                                          const ClusterHour& hour);

}  // namespace seedance
