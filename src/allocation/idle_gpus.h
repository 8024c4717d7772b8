// The GPU time of a node that nobody held, by device: free, or stranded because no pod could have had it.
//
// A device is free where its exporter shows it and no hold is on it. While a container holds a GPU and nobody says which one, no
// device of the node can be called free: that time stays with the node's unknown rest.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "allocation/holdings.h"
#include "model/ledger.h"

namespace seedance {

struct FreeDevice {
  const DeviceActivity* device = nullptr;
  Steps units;  // of NodeGpus::units_per_gpu; only where more than 0
};

// In the order of `devices`; whole cards, or the instances of a card that has some.
std::vector<FreeDevice> free_devices(const std::vector<const DeviceActivity*>& devices, const std::vector<ContainerHolding>& holdings,
                                     const NodeRecord& node, const NodeGpus& gpus, const Steps& live);

struct IdleQuestion {
  Interval span;         // one price piece
  TimePoint hour;        // its hour
  Int128 idle = 0;       // unit-nanoseconds not held, as the pool has it
  std::int64_t unreachable_units = 0;
  const Steps* gpu_capacity = nullptr;
  const Steps* gpu_held = nullptr;
  const Steps* cpu_capacity = nullptr;
  const Steps* cpu_held = nullptr;
  const Steps* memory_capacity = nullptr;
  const Steps* memory_held = nullptr;
  std::int64_t stranded_cpu = 0;     // less than this beside a free GPU strands it
  std::int64_t stranded_memory = 0;
};

struct IdlePart {
  RowKind kind = RowKind::kIdle;             // or kStranded
  const DeviceActivity* device = nullptr;    // nullptr: the node's rest
  Int128 amount = 0;                         // unit-nanoseconds
  std::string reason;                        // why stranded: "no cpu beside the gpu", ...
  Steps units;                               // of the device, for its readings
  std::optional<TimePoint> since;            // start of the last stretch, when it lies inside the hour
};

// The amounts add up to `idle`. The first two parts are the node's rests, free and stranded, possibly 0.
std::vector<IdlePart> idle_parts(const IdleQuestion& question, const std::vector<FreeDevice>& devices);

}  // namespace seedance
