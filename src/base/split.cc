#include "base/split.h"

#include <algorithm>
#include <numeric>

#include "base/check.h"

namespace seedance {
namespace {

// Weights with more significant bits than money x weight can hold are shifted down together. The parts then still sum to
// the whole; each moves by less than one nano-unit.
int shift_to_fit(Int128 magnitude, Int128 total) {
  const Int128 limit = (static_cast<Int128>(1) << 126) / (magnitude + 1);
  int shift = 0;
  while ((total >> shift) >= limit) ++shift;
  return shift;
}

}  // namespace

std::vector<Money> split(Money whole, std::span<const Int128> weights) {
  Int128 raw_total = 0;
  for (const Int128 w : weights) {
    SEEDANCE_CHECK(w >= 0, "negative weight in a split");
    raw_total += w;
  }
  SEEDANCE_CHECK(raw_total > 0, "a split without weight");
  const std::int64_t sign = whole.nanos() < 0 ? -1 : 1;
  const Int128 magnitude = static_cast<Int128>(whole.nanos()) * sign;
  const int shift = shift_to_fit(magnitude, raw_total);
  Int128 total = 0;
  for (const Int128 w : weights) total += w >> shift;
  SEEDANCE_CHECK(total > 0, "a split whose weights vanish");

  std::vector<Money> parts(weights.size());
  std::vector<Int128> remainders(weights.size());
  Int128 given = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const Int128 product = magnitude * (weights[i] >> shift);
    const Int128 share = product / total;
    remainders[i] = product % total;
    parts[i] = Money::nanos(static_cast<std::int64_t>(share * sign));
    given += share;
  }
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto left = static_cast<std::size_t>(magnitude - given);
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(left), order.end(),
                    [&](std::size_t a, std::size_t b) {
                      return remainders[a] != remainders[b] ? remainders[a] > remainders[b] : a < b;
                    });
  for (std::size_t i = 0; i < left; ++i) parts[order[i]] += Money::nanos(sign);
  return parts;
}

}  // namespace seedance
