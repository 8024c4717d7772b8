// Step functions of time: what a container asked for, used or held, as pieces of constant integer level.
//
// A level is nanocores, bytes, share units or parts per million; its integral (level x nanoseconds) is exact in 128 bits.
// Pieces are sorted, do not overlap and are not empty; outside of them the function is *absent*, which is not the same as 0.
// Two neighbouring pieces with the same level may or may not be merged: compare with `integral` or after `compact`.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/units.h"

namespace seedance {

struct Step {
  TimePoint from;
  TimePoint to;
  std::int64_t level = 0;
  constexpr Interval span() const { return {from, to}; }
  friend constexpr bool operator==(const Step&, const Step&) = default;
};

using Steps = std::vector<Step>;

Int128 integral(const Steps& steps);

// Nanoseconds on which the function is present.
std::int64_t present_nanos(const Steps& steps);

Steps clip(const Steps& steps, Interval window);

// Merges neighbours that touch and have the same level.
Steps compact(Steps steps);

// Absent where both are absent; where one is absent the other counts.
Steps max_of(const Steps& a, const Steps& b);

// Sum over all, absent where all are absent. Cost O(n log n) in the number of pieces.
Steps sum_of(std::span<const Steps* const> functions);

// Only where `mask` is present and its level is not 0.
Steps masked(const Steps& steps, const Steps& mask);

// Where `whole` is present and `mask` is absent or 0.
Steps unmasked(const Steps& whole, const Steps& mask);

// The level at `t`, or `otherwise` when absent. O(log n).
std::int64_t level_at(const Steps& steps, TimePoint t, std::int64_t otherwise);

// Walks several functions together: calls `visit(piece, levels)` for every maximal stretch of `window` on which none changes;
// levels[i] is kAbsent where function i is absent.
inline constexpr std::int64_t kAbsent = INT64_MIN;
void sweep(std::span<const Steps* const> functions, Interval window,
           const std::function<void(Interval, std::span<const std::int64_t>)>& visit);

}  // namespace seedance
