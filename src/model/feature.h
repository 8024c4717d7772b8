// The feature vector: 128 float32 = 32 signals x {mean, max, last, delta} of one second of one GPU.
//
// The layout is versioned and append-only: a signal keeps its slot for ever. `presence` has one bit a signal; where it is 0 the four
// floats are NaN, because missing is not zero.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "model/signal.h"

namespace seedance {

inline constexpr std::size_t kFeatureSignals = 32;
inline constexpr std::size_t kFeatureFloats = kFeatureSignals * 4;
inline constexpr std::int64_t kFeatureVersion = 1;

enum class FeatureStat : std::uint8_t { kMean, kMax, kLast, kDelta };

// Version 1. kCount marks a slot that is not given out yet.
inline constexpr std::array<SignalId, kFeatureSignals> kFeatureLayout{
    SignalId::kGpuEngineActive,   SignalId::kGpuSmActive,        SignalId::kGpuSmOccupancy,      SignalId::kGpuTensorActive,
    SignalId::kGpuFp64Active,     SignalId::kGpuFp32Active,      SignalId::kGpuFp16Active,       SignalId::kGpuDramActive,
    SignalId::kGpuUtilization,    SignalId::kGpuMemoryCopyUtil,  SignalId::kGpuMemoryUsed,       SignalId::kGpuMemoryFree,
    SignalId::kGpuMemoryReserved, SignalId::kGpuPower,           SignalId::kGpuEnergy,           SignalId::kGpuPcieTx,
    SignalId::kGpuPcieRx,         SignalId::kGpuNvlinkBandwidth, SignalId::kGpuSmClock,          SignalId::kGpuTemperature,
    SignalId::kGpuMemoryTemperature, SignalId::kGpuXid,          SignalId::kJobDataWait,         SignalId::kJobCommunicationWait,
    SignalId::kJobMemoryAllocated, SignalId::kJobMemoryReserved, SignalId::kJobMemoryPeak,       SignalId::kServeRequestsRunning,
    SignalId::kServeRequestsWaiting, SignalId::kCount,           SignalId::kCount,               SignalId::kCount};

struct FeatureVector {
  std::int64_t second = 0;  // Unix seconds
  std::string entity;       // GPU UUID, with "/<instance>" for a MIG slice
  std::uint32_t presence = 0;
  std::array<float, kFeatureFloats> values{};

  float value(std::size_t slot, FeatureStat stat) const { return values[slot * 4 + static_cast<std::size_t>(stat)]; }
};

// A vector whose entity is a number of the maker; its name is not filled in.
struct NumberedFeature {
  std::uint32_t entity = 0;
  FeatureVector vector;
};

}  // namespace seedance
