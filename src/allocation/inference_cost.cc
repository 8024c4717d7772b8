#include "allocation/inference_cost.h"

#include "base/split.h"

namespace seedance {
namespace {

constexpr std::int64_t kTokens = 1'000'000;
// 2.5 : 1, whole.
constexpr std::int64_t kWrittenWeight = 5;
constexpr std::int64_t kReadWeight = 2;

std::optional<Money> price_of_million(Money cost, std::int64_t tokens) {
  if (tokens <= 0) return std::nullopt;
  const Int128 nanos = (static_cast<Int128>(cost.nanos()) * kTokens * 2 + tokens) / (static_cast<Int128>(tokens) * 2);
  if (nanos > INT64_MAX) return std::nullopt;
  return Money::nanos(static_cast<std::int64_t>(nanos));
}

}  // namespace

InferenceCost inference_cost(Money cost, const TokenCounts& tokens, const std::optional<PhaseTimes>& times) {
  Int128 weights[] = {static_cast<Int128>(tokens.read()) * kReadWeight, static_cast<Int128>(tokens.generated) * kWrittenWeight};
  if (times && times->prefill_nanos + times->decode_nanos > 0) {
    weights[0] = times->prefill_nanos;
    weights[1] = times->decode_nanos;
  }
  InferenceCost out;
  out.input = cost;
  if (weights[0] + weights[1] > 0) {
    const std::vector<Money> parts = split(cost, weights);
    out.input = parts[0];
    out.output = parts[1];
  }
  out.blended_price = price_of_million(cost, tokens.prompt + tokens.generated);
  out.input_price = price_of_million(out.input, tokens.read());
  out.output_price = price_of_million(out.output, tokens.generated);
  return out;
}

Money usage_cost(Money allocated_cost, std::int64_t gpu_active_nanos, std::int64_t gpu_allocated_nanos) {
  if (gpu_allocated_nanos <= 0) return {};
  return scale(allocated_cost, gpu_active_nanos, gpu_allocated_nanos);
}

ServingComparison compare_serving(Money usage_price, Money allocation_price, Money external_price) {
  return {reduced({usage_price.nanos(), allocation_price.nanos()}), reduced({usage_price.nanos(), external_price.nanos()}),
          external_price < allocation_price};
}

}  // namespace seedance
