// Loads over time in exact integers, so that a counter made from them can never step back by a rounding.
//
// A load is a level in thousandths of something (cores, a ratio, a watt), either steady or in bursts: `level` for the
// first `burst` of every `period`, `rest` for the remainder. Value and integral are closed forms: any instant can be
// asked for without having seen the ones before it.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/units.h"

namespace seedance {

struct Wave {
  std::int64_t level_millis = 0;
  std::int64_t rest_millis = 0;
  Nanos period{0};  // 0: steady
  Nanos burst{0};
};

std::int64_t wave_value(const Wave& wave, Nanos since_start);

// Thousandths x nanoseconds over [from, to); 0 when to <= from. Never falls as `to` grows, for levels >= 0.
Int128 wave_integral(const Wave& wave, Nanos from, Nanos to);

// The same 64 bits for the same inputs on every machine; the whole randomness of the simulator.
std::uint64_t mixed(std::uint64_t seed, std::string_view key, std::int64_t number = 0);

// -1000 .. 1000, spread evenly.
std::int64_t jitter(std::uint64_t seed, std::string_view key, Nanos since_start);

}  // namespace seedance
