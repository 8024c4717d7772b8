#include "allocation/device_readings.h"

namespace seedance {

DeviceReadings device_readings(const DeviceActivity& device, const Steps& units, std::int64_t card_memory_bytes, Interval span) {
  DeviceReadings out;
  const Steps* const functions[] = {&units, &device.sm_active, &device.tensor_active, &device.memory_used, &device.memory_size};
  sweep(functions, span, [&](Interval piece, std::span<const std::int64_t> at) {
    if (at[0] == kAbsent || at[0] == 0) return;
    const Int128 amount = static_cast<Int128>(at[0]) * piece.nanos();
    if (at[1] != kAbsent) {
      out.sm_measured += amount * kMillion;
      out.sm_active += amount * at[1];
    }
    if (at[2] != kAbsent) {
      out.tensor_measured += amount * kMillion;
      out.tensor_active += amount * at[2];
    }
    // An instance's share of the card's memory is not known from the card's size.
    const std::int64_t size = at[4] != kAbsent ? at[4] : device.instance.empty() ? card_memory_bytes : 0;
    if (at[3] == kAbsent || size == 0) return;
    out.memory_nanos += piece.nanos();
    out.memory_used += static_cast<Int128>(at[3]) * piece.nanos();
    out.memory_size += static_cast<Int128>(size) * piece.nanos();
  });
  return out;
}

}  // namespace seedance
