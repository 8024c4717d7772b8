// cAdvisor as the kubelet serves it: one row per container and one more per pod (container=""), which must not be added
// up; the network belongs to the pod's sandbox. There is no UID label: it stands in the `id` path.
#include "simulate/pages.h"

namespace seedance {
namespace {

std::string hex_id(const PageView& view, const std::string& key) {
  std::string id = planned_uuid(view.plan.seed, key) + planned_uuid(view.plan.seed, key + "/more");
  std::erase(id, '-');
  return id;
}

std::string pod_cgroup(const PodLife& life) {
  const bool has_requests = life.plan->containers.front().cpu_request_millis > 0;
  const std::string quality = has_requests ? "burstable" : "besteffort";
  return "/kubepods.slice/kubepods-" + quality + ".slice/kubepods-" + quality + "-pod" + cleaned_name(life.uid) +
         ".slice";
}

std::string container_row(const PageView& view, const PodLife& life, const PlannedContainer& container, bool has_cpu) {
  const std::string id = hex_id(view, life.uid + container.name);
  LabelText labels;
  labels.add("container", container.name);
  if (has_cpu) labels.add("cpu", "total");
  labels.add("id", pod_cgroup(life) + "/cri-containerd-" + id + ".scope").add("image", container.image).add("name", id);
  return labels.add("namespace", life.plan->namespace_name).add("pod", life.name).str();
}

std::string pod_row(const PodLife& life, bool has_cpu) {
  LabelText labels;
  labels.add("container", "");
  if (has_cpu) labels.add("cpu", "total");
  labels.add("id", pod_cgroup(life)).add("image", "").add("name", "");
  return labels.add("namespace", life.plan->namespace_name).add("pod", life.name).str();
}

// Nanoseconds of CPU since the container, or its counter, began. Thousandths of a core times nanoseconds, over a
// thousand.
std::int64_t cpu_nanos(const PageView& view, const PodLife& life, const PlannedContainer& container, bool with_reset) {
  const bool is_reset = with_reset && container.counter_reset <= view.since_start;
  const Nanos from = is_reset ? container.counter_reset : life.started;
  return static_cast<std::int64_t>(wave_integral(container.cpu, from, view.since_start) / 1000);
}

std::string seconds_text(std::int64_t nanos) { return go_number(static_cast<double>(nanos) / 1e9); }

// The working set breathes by half a percent.
std::int64_t working_set(const PageView& view, const PodLife& life, const PlannedContainer& container) {
  const std::int64_t breath = jitter(view.plan.seed, life.uid + container.name, view.since_start);
  return (container.memory_bytes + container.memory_bytes / 200'000 * breath) / 4096 * 4096;
}

template <typename Write>
void for_running(const PageView& view, Write write) {
  for (const PodLife& life : view.pods) {
    if (life.runs() && !view.is_in_gap(life.plan->node)) write(life);
  }
}

}  // namespace

void write_cadvisor(const PageView& view, SeriesSink& sink) {
  sink.family({"container_cpu_usage_seconds_total", "Cumulative cpu time consumed in seconds.", "counter"});
  for_running(view, [&](const PodLife& life) {
    std::int64_t sum = 0;
    for (const PlannedContainer& container : life.plan->containers) {
      sum += cpu_nanos(view, life, container, false);
      sink.sample(container_row(view, life, container, true), seconds_text(cpu_nanos(view, life, container, true)),
                  life.plan->node);
    }
    sink.sample(pod_row(life, true), seconds_text(sum), life.plan->node);
  });
  sink.family({"container_memory_working_set_bytes", "Current working set in bytes.", "gauge"});
  for_running(view, [&](const PodLife& life) {
    std::int64_t sum = 0;
    for (const PlannedContainer& container : life.plan->containers) {
      const std::int64_t bytes = working_set(view, life, container);
      sum += bytes;
      sink.sample(container_row(view, life, container, false), go_number(static_cast<double>(bytes)), life.plan->node);
    }
    sink.sample(pod_row(life, false), go_number(static_cast<double>(sum)), life.plan->node);
  });
  sink.family({"container_network_transmit_bytes_total", "Cumulative count of bytes transmitted", "counter"});
  for_running(view, [&](const PodLife& life) {
    const std::string sandbox = hex_id(view, life.uid + "/sandbox");
    LabelText labels;
    labels.add("container", "").add("id", pod_cgroup(life) + "/cri-containerd-" + sandbox + ".scope");
    labels.add("image", "registry.example/pause:3.10").add("interface", "eth0").add("name", sandbox);
    labels.add("namespace", life.plan->namespace_name).add("pod", life.name);
    const Int128 bytes = wave_integral(life.plan->network, life.started, view.since_start) / 1000 / kNanosPerSecond;
    sink.sample(labels.str(), go_number(static_cast<double>(static_cast<std::int64_t>(bytes))), life.plan->node);
  });
}

}  // namespace seedance
