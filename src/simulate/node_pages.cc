// The small pages: node exporter, node prices, and the agent that jobs carry.
//
// The node exporter itself does not know its node's name; the page carries the `node` label that the usual relabelling
// adds, because it speaks for all nodes at once.
#include <algorithm>

#include "simulate/pages.h"

namespace seedance {
namespace {

// Thousandths of a core x nanoseconds used by the node's pods that are running now, since their starts.
Int128 node_usage(const PageView& view, std::size_t node) {
  Int128 sum = 0;
  for (const PodLife& life : view.pods) {
    if (life.plan->node != node || !life.runs()) continue;
    for (const PlannedContainer& container : life.plan->containers) {
      sum += wave_value(container.cpu, view.since_start);
    }
  }
  return sum;
}

std::int64_t node_memory(const PageView& view, std::size_t node) {
  std::int64_t sum = 0;
  for (const PodLife& life : view.pods) {
    if (life.plan->node != node || !life.runs()) continue;
    for (const PlannedContainer& container : life.plan->containers) sum += container.memory_bytes;
  }
  return sum;
}

void write_ratio(const PageView& view, SeriesSink& sink, const MetricFamily& family, std::int64_t PlannedPod::*millis) {
  sink.family(family);
  for (const PodLife& life : view.pods) {
    const std::int64_t mean = life.plan->*millis;
    if (mean < 0 || !life.runs()) continue;
    const std::int64_t tremble =
        mean * jitter(view.plan.seed, life.uid + std::string(family.name), view.since_start) / 50'000;
    LabelText labels(pod_identity(life));
    labels.add("container", life.plan->containers.front().name);
    sink.sample(labels.str(), go_number(static_cast<double>(std::clamp<std::int64_t>(mean + tremble, 0, 1000)) / 1000),
                kNoNode);
  }
}

}  // namespace

void write_node_exporter(const PageView& view, SeriesSink& sink) {
  const auto for_nodes = [&](const MetricFamily& family, const auto& value) {
    sink.family(family);
    for (std::size_t node = view.node_first; node < view.node_end; ++node) {
      if (view.is_in_gap(node)) continue;
      sink.sample(LabelText().add("node", view.plan.nodes[node].name).str(), go_number(value(node)), node);
    }
  };
  for_nodes({"node_load1", "1m load average.", "gauge"}, [&](std::size_t node) {
    return static_cast<double>(static_cast<std::int64_t>(node_usage(view, node))) / 1000;
  });
  for_nodes({"node_memory_MemAvailable_bytes", "Memory information field MemAvailable_bytes.", "gauge"},
            [&](std::size_t node) {
              return static_cast<double>(view.plan.nodes[node].memory_bytes - node_memory(view, node));
            });
  for_nodes({"node_memory_MemTotal_bytes", "Memory information field MemTotal_bytes.", "gauge"},
            [&](std::size_t node) { return static_cast<double>(view.plan.nodes[node].memory_bytes); });
}

void write_node_prices(const PageView& view, SeriesSink& sink) {
  sink.family({"node_spot_price_usd_per_hour", "Current hourly price of the node.", "gauge"});
  for (std::size_t index = view.node_first; index < view.node_end; ++index) {
    const PlannedNode& node = view.plan.nodes[index];
    if (node.price_nanos_per_hour == 0) continue;
    // The hour of the wall clock, so that the step falls inside a ledger hour whatever the start is.
    const TimePoint now = view.plan.start + view.since_start;
    const bool is_after_step = now - hour_of(now) >= node.price_step;
    const std::int64_t nanos = is_after_step ? node.price_nanos_after_step : node.price_nanos_per_hour;
    sink.sample(LabelText().add("node", node.name).str(), go_number(static_cast<double>(nanos) / 1e9), kNoNode);
  }
}

void write_agent(const PageView& view, SeriesSink& sink) {
  write_ratio(view, sink, {"seedance_job_data_wait_ratio", "Share of time the job waited for its input data.", "gauge"},
              &PlannedPod::data_wait_millis);
  write_ratio(
      view, sink,
      {"seedance_job_communication_wait_ratio", "Share of time the job waited for collective communication.", "gauge"},
      &PlannedPod::communication_wait_millis);
}

}  // namespace seedance
