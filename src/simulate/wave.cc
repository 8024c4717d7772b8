#include "simulate/wave.h"

#include <algorithm>

namespace seedance {
namespace {

constexpr std::uint64_t kFnvPrime = 0x100000001b3;
constexpr std::uint64_t kFnvOffset = 0xcbf29ce484222325;

// The finaliser of SplitMix64 (Steele, Lea, Flood 2014).
std::uint64_t finalised(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

struct Turn {
  std::int64_t cycles = 0;
  std::int64_t rest = 0;  // 0 <= rest < period, also before the start
};

Turn turn_of(Nanos period, Nanos t) {
  std::int64_t cycles = t.count() / period.count();
  std::int64_t rest = t.count() % period.count();
  if (rest < 0) {
    rest += period.count();
    --cycles;
  }
  return {cycles, rest};
}

// Integral over [0, t); negative before 0.
Int128 integral_from_zero(const Wave& wave, Nanos t) {
  if (wave.period.count() == 0) return static_cast<Int128>(wave.level_millis) * t.count();
  const Turn turn = turn_of(wave.period, t);
  const Int128 bursts = static_cast<Int128>(turn.cycles) * wave.burst.count() + std::min(turn.rest, wave.burst.count());
  return bursts * wave.level_millis + (static_cast<Int128>(t.count()) - bursts) * wave.rest_millis;
}

}  // namespace

std::int64_t wave_value(const Wave& wave, Nanos since_start) {
  if (wave.period.count() == 0) return wave.level_millis;
  return turn_of(wave.period, since_start).rest < wave.burst.count() ? wave.level_millis : wave.rest_millis;
}

Int128 wave_integral(const Wave& wave, Nanos from, Nanos to) {
  return to <= from ? 0 : integral_from_zero(wave, to) - integral_from_zero(wave, from);
}

std::uint64_t mixed(std::uint64_t seed, std::string_view key, std::int64_t number) {
  std::uint64_t hash = kFnvOffset;
  for (const char c : key) hash = (hash ^ static_cast<unsigned char>(c)) * kFnvPrime;
  return finalised(finalised(hash ^ finalised(seed)) ^ static_cast<std::uint64_t>(number));
}

std::int64_t jitter(std::uint64_t seed, std::string_view key, Nanos since_start) {
  return static_cast<std::int64_t>(mixed(seed, key, since_start.count()) % 2001) - 1000;
}

}  // namespace seedance
