// kube-state-metrics about containers: images, state, requests. Native sidecars appear among the init containers, as
// they do in Kubernetes, and run as long as the pod.
#include "simulate/pages.h"

namespace seedance {
namespace {

// Calls `write(life, container)` for every container that is, or is not, a sidecar.
template <typename Write>
void for_containers(const PageView& view, bool sidecars, Write write) {
  for (const PodLife& life : view.pods) {
    for (const PlannedContainer& container : life.plan->containers) {
      if (container.is_sidecar == sidecars) write(life, container);
    }
  }
}

std::string container_identity(const PodLife& life, const PlannedContainer& container) {
  return LabelText(pod_identity(life)).add("container", container.name).str();
}

void write_info(const PageView& view, SeriesSink& sink, bool sidecars) {
  if (sidecars) {
    sink.family({"kube_pod_init_container_info", "Information about an init container in a pod.", "gauge"});
  } else {
    sink.family({"kube_pod_container_info", "Information about a container in a pod.", "gauge"});
  }
  for_containers(view, sidecars, [&](const PodLife& life, const PlannedContainer& container) {
    const std::string id = planned_uuid(view.plan.seed, life.uid + container.name);
    LabelText labels(container_identity(life, container));
    labels.add("image_spec", container.image).add("image", container.image);
    labels.add("image_id", container.image + "@sha256:" + planned_uuid(view.plan.seed, container.image).substr(0, 8));
    labels.add("container_id", life.is_started ? "containerd://" + id : "");
    if (sidecars) labels.add("restart_policy", "Always");
    sink.sample(labels.str(), "1", kNoNode);
  });
}

void write_running(const PageView& view, SeriesSink& sink, bool sidecars) {
  if (sidecars) {
    sink.family({"kube_pod_init_container_status_running",
                 "Describes whether the init container is currently in running state.", "gauge"});
  } else {
    sink.family({"kube_pod_container_status_running", "Describes whether the container is currently in running state.",
                 "gauge"});
  }
  for_containers(view, sidecars, [&](const PodLife& life, const PlannedContainer& container) {
    sink.sample(container_identity(life, container), life.runs() ? "1" : "0", kNoNode);
  });
}

void write_states(const PageView& view, SeriesSink& sink) {
  sink.family({"kube_pod_container_state_started", "Start time in unix timestamp for a pod container.", "gauge"});
  for_containers(view, false, [&](const PodLife& life, const PlannedContainer& container) {
    if (!life.is_started) return;
    const bool restarted = container.counter_reset <= view.since_start;
    const Nanos started = restarted ? container.counter_reset : life.started;
    sink.sample(container_identity(life, container), go_number(static_cast<double>(view.unix_seconds(started))),
                kNoNode);
  });
  sink.family({"kube_pod_container_status_waiting_reason",
               "Describes the reason the container is currently in waiting state.", "gauge"});
  for_containers(view, false, [&](const PodLife& life, const PlannedContainer& container) {
    if (life.is_started || !life.is_scheduled) return;
    const std::string_view reason =
        container.waiting_reason.empty() ? "ContainerCreating" : std::string_view(container.waiting_reason);
    sink.sample(LabelText(container_identity(life, container)).add("reason", reason).str(), "1", kNoNode);
  });
}

void write_requests(const PageView& view, SeriesSink& sink, bool sidecars) {
  if (sidecars) {
    sink.family({"kube_pod_init_container_resource_requests",
                 "The number of requested request resource by an init container.", "gauge"});
  } else {
    sink.family(
        {"kube_pod_container_resource_requests", "The number of requested request resource by a container.", "gauge"});
  }
  for_containers(view, sidecars, [&](const PodLife& life, const PlannedContainer& container) {
    const std::string identity = LabelText(container_identity(life, container))
                                     .add("node", life.is_scheduled ? view.plan.nodes[life.plan->node].name : "")
                                     .str();
    const auto line = [&](std::string_view resource, std::string_view unit, double value) {
      sink.sample(LabelText(identity).add("resource", resource).add("unit", unit).str(), go_number(value), kNoNode);
    };
    if (container.cpu_request_millis > 0) line("cpu", "core", static_cast<double>(container.cpu_request_millis) / 1000);
    if (container.memory_request_bytes > 0) line("memory", "byte", static_cast<double>(container.memory_request_bytes));
    if (container.gpu_count > 0)
      line(cleaned_name(container.gpu_resource), "integer", static_cast<double>(container.gpu_count));
  });
}

}  // namespace

void write_kube_containers(const PageView& view, SeriesSink& sink) {
  write_info(view, sink, false);
  write_info(view, sink, true);
  write_running(view, sink, false);
  write_running(view, sink, true);
  write_states(view, sink);
  write_requests(view, sink, false);
  write_requests(view, sink, true);
}

}  // namespace seedance
