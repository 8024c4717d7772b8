// What a token of an inference server costs: the money its GPUs, CPU and memory cost over a time, by the tokens it worked on.
//
// The cost divides into reading the prompt (prefill) and writing the answer (decode) by the time that each took. Where the server
// does not say, a written token counts as 2.5 read ones. Prompt tokens found in the prefix cache cost no prefill and are not
// counted as read. Rule: OpenCost, docs/inference-cost-tracking.md. Money divides by largest remainder: input + output is the
// cost, exactly; prices per million tokens are rounded half away from zero to a nano-unit.
#pragma once

#include <cstdint>
#include <optional>

#include "base/money.h"

namespace seedance {

struct TokenCounts {
  std::int64_t prompt = 0;
  std::int64_t cached = 0;     // of the prompt: found in the prefix cache
  std::int64_t generated = 0;
  std::int64_t read() const { return prompt > cached ? prompt - cached : 0; }
};

struct PhaseTimes {
  std::int64_t prefill_nanos = 0;
  std::int64_t decode_nanos = 0;
};

struct InferenceCost {
  Money input;
  Money output;
  // Per million tokens; absent where there were none of the kind, or so few that the price is no amount of money.
  std::optional<Money> blended_price;  // of all tokens, cached ones too
  std::optional<Money> input_price;
  std::optional<Money> output_price;
};

// `cost` >= 0. `times` absent, or zero: the fall-back weight. Without any token that cost something, the money is input.
InferenceCost inference_cost(Money cost, const TokenCounts& tokens, const std::optional<PhaseTimes>& times);

// The part of what was allocated that did work: cost x active / allocated GPU time, rounded half away from zero. What the tokens
// would cost on GPUs that are never idle.
Money usage_cost(Money allocated_cost, std::int64_t gpu_active_nanos, std::int64_t gpu_allocated_nanos);

// Own serving against a price per million tokens that somebody else asks.
struct ServingComparison {
  Rational utilization;      // usage / allocation
  Rational break_even;       // the utilization from which own serving is as cheap
  bool is_external_cheaper = false;
};
// Prices per million tokens, all > 0.
ServingComparison compare_serving(Money usage_price, Money allocation_price, Money external_price);

}  // namespace seedance
