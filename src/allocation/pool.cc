#include "allocation/pool.h"

#include <algorithm>

#include "base/split.h"

namespace seedance {
namespace {

struct Overload {
  Interval span;
  std::int64_t capacity;
  std::int64_t total;
};

// Adds level x time, scaled by capacity / total inside the overloaded stretches (sorted, disjoint).
Int128 scaled_integral(const Steps& steps, std::span<const Overload> overloads) {
  Int128 sum = integral(steps);
  for (const Step& s : steps) {
    auto at = std::lower_bound(overloads.begin(), overloads.end(), s.from, [](const Overload& o, TimePoint t) { return o.span.to <= t; });
    for (; at != overloads.end() && at->span.from < s.to; ++at) {
      const Int128 amount = static_cast<Int128>(s.level) * intersection(s.span(), at->span).nanos();
      // level x capacity x time / total, exact below one level-nanosecond: the remainder is carried, so that no product passes 128 bits.
      const Int128 product = static_cast<Int128>(s.level) * at->capacity;
      const std::int64_t nanos = intersection(s.span(), at->span).nanos();
      const Int128 kept = product / at->total * nanos + product % at->total * nanos / at->total;
      sum -= amount - kept;
    }
  }
  return sum;
}

}  // namespace

PoolShares share_pool(std::span<const Steps* const> holders, const Steps& capacity, Interval window) {
  PoolShares out;
  std::vector<Steps> clipped;
  clipped.reserve(holders.size());
  for (const Steps* h : holders) clipped.push_back(clip(*h, window));
  std::vector<const Steps*> pointers;
  for (const Steps& s : clipped) pointers.push_back(&s);
  out.total = sum_of(pointers);

  std::vector<Overload> overloads;
  Int128 held_in_capacity = 0;
  const Steps room = clip(capacity, window);
  const Steps* const both[] = {&out.total, &room};
  sweep(both, window, [&](Interval piece, std::span<const std::int64_t> at) {
    if (at[0] == kAbsent || at[1] == kAbsent || at[0] <= at[1]) return;
    overloads.push_back({piece, at[1], at[0]});
  });
  for (const Steps& s : clipped) {
    out.held.push_back(scaled_integral(s, overloads));
    held_in_capacity += scaled_integral(masked(s, room), overloads);
  }
  out.idle = std::max<Int128>(0, integral(room) - held_in_capacity);
  return out;
}

PoolMoney split_pool(Money amount, const PoolShares& shares) {
  PoolMoney out;
  out.held.resize(shares.held.size());
  std::vector<Int128> weights = shares.held;
  weights.push_back(shares.idle);
  Int128 sum = 0;
  for (const Int128 w : weights) sum += w;
  if (sum == 0) {
    out.idle = amount;
    return out;
  }
  const std::vector<Money> parts = split(amount, weights);
  std::copy(parts.begin(), parts.end() - 1, out.held.begin());
  out.idle = parts.back();
  return out;
}

}  // namespace seedance
