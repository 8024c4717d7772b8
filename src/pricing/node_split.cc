#include "pricing/node_split.h"

#include <algorithm>

namespace seedance {
namespace {

constexpr std::int64_t kGiB = std::int64_t{1} << 30;
constexpr std::int64_t kScale = 1'000'000'000;

Int128 cpu_part(HourlyRate rate, const NodeShape& shape) { return static_cast<Int128>(rate.nanos_per_unit_hour) * shape.cpu_nanocores; }
Int128 memory_part(HourlyRate rate, const NodeShape& shape) {
  return static_cast<Int128>(rate.nanos_per_unit_hour) * shape.memory_bytes * kScale / kGiB;
}
Int128 gpu_part(HourlyRate rate, const NodeShape& shape) { return static_cast<Int128>(rate.nanos_per_unit_hour) * shape.gpu_millis * (kScale / 1'000); }

NodeSplit by_rates(HourlyRate cpu, HourlyRate memory, HourlyRate gpu, const NodeShape& shape) {
  return {cpu_part(cpu, shape), memory_part(memory, shape), gpu_part(gpu, shape)};
}

NodeSplit residual(const SplitQuestion& q) {
  NodeSplit split = by_rates(q.plain.cpu, q.plain.memory, {0}, q.shape);
  if (q.shape.gpu_millis > 0) split.gpu = std::max<Int128>(0, static_cast<Int128>(q.list.nanos_per_unit_hour) * kScale - split.cpu - split.memory);
  return split;
}

// OpenCost's configs/{default,azure}.json; GCP lists GPUs apart and keeps the default here.
NodeSplit opencost_ratio(const SplitQuestion& q) {
  if (q.provider == "azure") return by_rates({39'000'000}, {1'917'000}, {42'892'500}, q.shape);
  return by_rates({31'611'000}, {4'237'000}, {950'000'000}, q.shape);
}

NodeSplit aws_weights(const SplitQuestion& q) {
  return by_rates({900'000'000}, {100'000'000}, {9'000'000'000}, q.shape);
}

}  // namespace

NodeSplit split_node_price(const SplitQuestion& q) {
  if (q.cpu_rate || q.memory_rate) {
    return by_rates(q.cpu_rate.value_or(HourlyRate{}), q.memory_rate.value_or(HourlyRate{}), q.gpu_rate.value_or(HourlyRate{}), q.shape);
  }
  switch (q.method) {
    case SplitMethod::kResidual: return residual(q);
    case SplitMethod::kAwsWeights: return aws_weights(q);
    case SplitMethod::kOpenCostRatio: return opencost_ratio(q);
  }
  return residual(q);
}

}  // namespace seedance
