// One resource of one node: who held how much of it, never more than there is.
#pragma once

#include <span>
#include <vector>

#include "base/money.h"
#include "base/steps.h"

namespace seedance {

struct PoolShares {
  std::vector<Int128> held;  // level x nanoseconds per holder, scaled down where the pool was over-subscribed
  Int128 idle = 0;           // capacity not held; >= 0
  Steps total;               // sum of the holders, before scaling
};

// `capacity` in the same unit as the levels; where it is absent the pool is as large as what is held. All within `window`.
PoolShares share_pool(std::span<const Steps* const> holders, const Steps& capacity, Interval window);

// The money of a pool over its holders and its idle part, exactly. With neither, everything is idle.
struct PoolMoney {
  std::vector<Money> held;
  Money idle;
};
PoolMoney split_pool(Money amount, const PoolShares& shares);

}  // namespace seedance
