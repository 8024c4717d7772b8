// Splits an amount over weights without losing a nano-unit.
//
// Every part first gets floor(share); the nano-units left over (fewer than there are parts) go one each to the largest
// remainders, ties to the smaller index, so the result depends only on the input. Cost O(n log n).
//
// Precondition: weights >= 0 and their sum > 0. All-zero weights are the caller's case: it books the amount as idle.
#pragma once

#include <span>
#include <vector>

#include "base/money.h"

namespace seedance {

std::vector<Money> split(Money whole, std::span<const Int128> weights);

}  // namespace seedance
