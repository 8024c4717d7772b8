// The GPU time of a node that nobody held, by device: free, or stranded because no pod could have had it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "allocation/free_devices.h"
#include "model/ledger.h"

namespace seedance {

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
