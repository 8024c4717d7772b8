// kube-state-metrics about pods as wholes: identity, labels, owner, phase, times, volumes.
#include "simulate/pages.h"

namespace seedance {
namespace {

constexpr std::string_view kPhases[] = {"Pending", "Succeeded", "Failed", "Unknown", "Running"};

std::string_view phase_of(const PodLife& life) {
  if (life.is_finished) return "Succeeded";
  return life.is_started ? "Running" : "Pending";
}

// A made address inside the node's pod range; only its shape matters.
std::string pod_address(const PodLife& life) {
  const std::uint64_t bits = mixed(0, life.uid);
  return "10.200." + std::to_string(bits % 256) + "." + std::to_string(bits / 256 % 254 + 1);
}

void write_pod_info(const PageView& view, SeriesSink& sink) {
  sink.family({"kube_pod_info", "Information about pod.", "gauge"});
  for (const PodLife& life : view.pods) {
    const PlannedNode& node = view.plan.nodes[life.plan->node];
    LabelText labels(pod_identity(life));
    labels.add("host_ip", life.is_scheduled ? node.address : "")
        .add("pod_ip", life.is_started ? pod_address(life) : "");
    labels.add("node", life.is_scheduled ? node.name : "");
    labels.add("created_by_kind", life.plan->owner_kind).add("created_by_name", life.owner_name);
    labels.add("priority_class", "").add("host_network", "false");
    sink.sample(labels.str(), "1", kNoNode);
  }
}

void write_pod_labels(const PageView& view, SeriesSink& sink) {
  sink.family({"kube_pod_labels", "Kubernetes labels converted to Prometheus labels.", "gauge"});
  for (const PodLife& life : view.pods) {
    LabelText labels(pod_identity(life));
    for (const auto& [key, value] : life.plan->labels) labels.add("label_" + cleaned_name(key), value);
    sink.sample(labels.str(), "1", kNoNode);
  }
  sink.family({"kube_pod_annotations", "Kubernetes annotations converted to Prometheus labels.", "gauge"});
  for (const PodLife& life : view.pods) {
    if (life.plan->annotations.empty()) continue;
    LabelText labels(pod_identity(life));
    for (const auto& [key, value] : life.plan->annotations) labels.add("annotation_" + cleaned_name(key), value);
    sink.sample(labels.str(), "1", kNoNode);
  }
}

void write_pod_owners(const PageView& view, SeriesSink& sink) {
  sink.family({"kube_pod_owner", "Information about the Pod's owner.", "gauge"});
  for (const PodLife& life : view.pods) {
    const bool is_owned = !life.plan->owner_kind.empty();
    LabelText labels(pod_identity(life));
    labels.add("owner_kind", life.plan->owner_kind).add("owner_name", life.owner_name);
    labels.add("owner_is_controller", is_owned ? "true" : "");
    sink.sample(labels.str(), "1", kNoNode);
  }
}

void write_phases(const PageView& view, SeriesSink& sink) {
  sink.family({"kube_pod_status_phase", "The pods current phase.", "gauge"});
  for (const PodLife& life : view.pods) {
    for (const std::string_view phase : kPhases) {
      sink.sample(LabelText(pod_identity(life)).add("phase", phase).str(), phase == phase_of(life) ? "1" : "0",
                  kNoNode);
    }
  }
}

void write_times(const PageView& view, SeriesSink& sink) {
  sink.family({"kube_pod_start_time", "Start time in unix timestamp for a pod.", "gauge"});
  for (const PodLife& life : view.pods) {
    if (life.is_scheduled)
      sink.sample(pod_identity(life), go_number(static_cast<double>(view.unix_seconds(life.scheduled))), kNoNode);
  }
  sink.family({"kube_pod_status_scheduled_time", "Unix timestamp when pod moved into scheduled status", "gauge"});
  for (const PodLife& life : view.pods) {
    if (life.is_scheduled)
      sink.sample(pod_identity(life), go_number(static_cast<double>(view.unix_seconds(life.scheduled))), kNoNode);
  }
  sink.family({"kube_pod_completion_time", "Completion time in unix timestamp for a pod.", "gauge"});
  for (const PodLife& life : view.pods) {
    if (life.is_finished)
      sink.sample(pod_identity(life), go_number(static_cast<double>(view.unix_seconds(life.finished))), kNoNode);
  }
}

void write_volumes(const PageView& view, SeriesSink& sink) {
  sink.family({"kube_pod_spec_volumes_persistentvolumeclaims_info",
               "Information about persistentvolumeclaim volumes in a pod.", "gauge"});
  for (const PodLife& life : view.pods) {
    for (const std::string& claim : life.plan->claims) {
      sink.sample(LabelText(pod_identity(life)).add("volume", "data").add("persistentvolumeclaim", claim).str(), "1",
                  kNoNode);
    }
  }
}

}  // namespace

std::string pod_identity(const PodLife& life) {
  return LabelText().add("namespace", life.plan->namespace_name).add("pod", life.name).add("uid", life.uid).str();
}

void write_kube_pods(const PageView& view, SeriesSink& sink) {
  write_pod_info(view, sink);
  write_pod_labels(view, sink);
  write_pod_owners(view, sink);
  write_phases(view, sink);
  write_times(view, sink);
  write_volumes(view, sink);
}

}  // namespace seedance
