// Spreads what a bill adds to or takes from a node (a discount, a credit, a correction) over the node's CPU, memory and GPU cost.
//
// A bill corrects an instance as a whole; each part carries it in proportion to what it cost before, by largest remainder, so the
// parts add up to the adjustment to the nano-unit. Rule: OpenCost, pkg/costmodel (discounts and billing adjustments of a node).
#pragma once

#include <optional>

#include "base/money.h"

namespace seedance {

struct ComputeCost {
  Money cpu;
  Money memory;
  Money gpu;
  Money total() const { return cpu + memory + gpu; }
};

// The part of `adjustment` (of either sign) that each part of `charged` (>= 0) carries. Nothing was charged: there is nothing to be in
// proportion to, and the caller books the adjustment as a line of its own.
std::optional<ComputeCost> spread_adjustment(const ComputeCost& charged, Money adjustment);

}  // namespace seedance
