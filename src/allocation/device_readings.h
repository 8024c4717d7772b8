// What a device's own counters say over the time that somebody held it, or that it was free.
#pragma once

#include "base/steps.h"
#include "model/ledger.h"
#include "model/usage.h"

namespace seedance {

// Unit-nanoseconds x 10^6, weighted by `units`; memory is the device's own, not weighted.
struct DeviceReadings {
  Int128 sm_measured = 0;
  Int128 sm_active = 0;
  Int128 tensor_measured = 0;
  Int128 tensor_active = 0;
  std::int64_t memory_nanos = 0;  // time for which use and size are known
  Int128 memory_used = 0;         // byte-nanoseconds
  Int128 memory_size = 0;
};

// `units`: how much of the device, over time. `card_memory_bytes`: the size where the exporter does not say it; 0: not known.
DeviceReadings device_readings(const DeviceActivity& device, const Steps& units, std::int64_t card_memory_bytes, Interval span);

}  // namespace seedance
