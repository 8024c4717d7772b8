#include "allocation/cold_start.h"

#include <algorithm>

#include "base/split.h"

namespace seedance {
namespace {

constexpr std::int64_t kFirstWork = kMillion / 100;

std::optional<TimePoint> latest(std::optional<TimePoint> a, std::optional<TimePoint> b) {
  if (!a || !b) return a ? a : b;
  return std::max(*a, *b);
}

// The first time after `from` at which a device is busy.
std::optional<TimePoint> first_work_of(const DeviceActivity& device, TimePoint from) {
  const Steps& activity = device.engine_active.empty() ? device.utilization : device.engine_active;
  for (const Step& s : activity) {
    if (s.to > from && s.level >= kFirstWork) return std::max(s.from, from);
  }
  return std::nullopt;
}

// A container that ran before its start instant was restarted: its pod is warm.
bool was_restarted(const ContainerRecord& container) {
  return container.started_at && std::any_of(container.running.begin(), container.running.end(),
                                             [&](const Step& s) { return s.level != 0 && s.from < *container.started_at; });
}

// What the pod held at one time.
struct HeldAt {
  std::int64_t cpu = 0;
  std::int64_t memory = 0;
  std::int64_t gpu_units = 0;
};

HeldAt held_at(const std::vector<const ContainerHolding*>& holdings, TimePoint t) {
  HeldAt out;
  for (const ContainerHolding* h : holdings) {
    out.cpu += level_at(h->cpu_requested, t, 0);
    out.memory += level_at(h->memory_requested, t, 0);
    for (const GpuHold& g : h->gpus) out.gpu_units += level_at(g.units, t, 0);
  }
  return out;
}

std::int64_t capacity_level(const NodeRecord& node, std::string_view resource) {
  std::int64_t level = 0;
  for (const Step& s : resource_steps(node.capacity, resource)) level = std::max(level, s.level);
  return level;
}

// rate of the pool x time x held / capacity, for one resource.
Money part_cost(Money pool_per_hour, std::int64_t nanos, std::int64_t held, std::int64_t capacity) {
  if (capacity <= 0 || held <= 0) return {};
  return scale(price({pool_per_hour.nanos()}, nanos), std::min(held, capacity), capacity);
}

Money cost_of(const HeldAt& held, const NodeGpus& gpus, const NodeRecord& node, const PricePiece& piece, std::int64_t nanos) {
  const Int128 weights[] = {piece.cpu_weight, piece.memory_weight, piece.gpu_weight};
  if (!piece.is_priced || piece.cpu_weight + piece.memory_weight + piece.gpu_weight == 0) return {};
  const std::vector<Money> pools = split(Money::nanos(piece.rate.nanos_per_unit_hour), weights);
  return part_cost(pools[0], nanos, held.cpu, capacity_level(node, "cpu")) + part_cost(pools[1], nanos, held.memory, capacity_level(node, "memory")) +
         part_cost(pools[2], nanos, held.gpu_units, gpus.capacity_units());
}

}  // namespace

std::optional<ColdStart> cold_start_of(const std::vector<const ContainerHolding*>& holdings, const NodeGpus& gpus, const NodeRecord& node,
                                       const PricePiece& piece, Interval hour) {
  if (holdings.empty()) return std::nullopt;
  const PodRecord& pod = *holdings.front()->pod;
  ColdStart out;
  std::optional<TimePoint> work;
  bool has_gpus = false;
  for (const ContainerHolding* h : holdings) {
    if (h->container == nullptr || (h->container->init && !h->container->sidecar)) continue;
    if (was_restarted(*h->container)) return std::nullopt;
    out.started = latest(out.started, h->container->started_at);
    out.image_pulled = latest(out.image_pulled, h->container->image_pulled_at);
    has_gpus = has_gpus || !h->gpus.empty();
  }
  if (!pod.scheduled_at || !out.started || !hour.contains(*out.started) || *out.started < *pod.scheduled_at) return std::nullopt;
  for (const ContainerHolding* h : holdings) {
    for (const GpuHold& g : h->gpus) {
      if (g.device == nullptr) continue;
      const std::optional<TimePoint> first = first_work_of(*g.device, *out.started);
      if (first && (!work || *first < *work)) work = first;
    }
  }
  out.cluster = pod.cluster;
  out.namespace_name = pod.namespace_name;
  out.workload = pod.workload_kind + "/" + pod.workload;
  out.pod = pod.name;
  out.pod_uid = pod.uid;
  out.node = pod.node;
  out.scheduled = *pod.scheduled_at;
  if (pod.ready_at && *pod.ready_at >= *out.started) out.ready = pod.ready_at;
  if (has_gpus) out.first_work = work;
  const HeldAt held = held_at(holdings, *out.started);
  out.cpu_nanocores = held.cpu;
  out.memory_bytes = held.memory;
  out.gpus = reduced({held.gpu_units, gpus.units_per_gpu});
  out.currency = piece.currency;
  out.cost = cost_of(held, gpus, node, piece, Interval{out.scheduled, out.end()}.nanos());
  return out;
}

}  // namespace seedance
