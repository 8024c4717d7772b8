// kube-state-metrics about nodes, namespaces, owners and claims.
#include <algorithm>
#include <set>

#include "simulate/pages.h"

namespace seedance {
namespace {

constexpr std::int64_t kKubeletMillis = 200;  // what the kubelet keeps: capacity minus this is allocatable
constexpr std::int64_t kKubeletBytes = std::int64_t{1} << 30;
constexpr std::int64_t kPodsPerNode = 250;

void write_node_info(const PageView& view, SeriesSink& sink) {
  sink.family({"kube_node_info", "Information about a cluster node.", "gauge"});
  for (std::size_t index = view.node_first; index < view.node_end; ++index) {
    const PlannedNode& node = view.plan.nodes[index];
    const std::string machine = planned_uuid(view.plan.seed, "machine " + node.name);
    LabelText labels;
    labels.add("node", node.name).add("kernel_version", "6.1.119-129.201.amzn2023.x86_64");
    labels.add("os_image", "Amazon Linux 2023.6.20241212").add("container_runtime_version", "containerd://1.7.24");
    labels.add("kubelet_version", node.kubelet_version).add("kubeproxy_version", node.kubelet_version);
    labels.add("provider_id", "aws:///" + node.zone + "/i-0" + machine.substr(0, 8) + machine.substr(24, 8));
    labels.add("pod_cidr", "").add("system_uuid", machine).add("internal_ip", node.address);
    sink.sample(labels.str(), "1", kNoNode);
  }
}

void write_node_labels(const PageView& view, SeriesSink& sink) {
  sink.family({"kube_node_labels", "Kubernetes labels converted to Prometheus labels.", "gauge"});
  for (std::size_t index = view.node_first; index < view.node_end; ++index) {
    const PlannedNode& node = view.plan.nodes[index];
    std::vector<std::pair<std::string, std::string>> all = node.labels;
    all.push_back({"karpenter.sh/capacity-type", node.capacity_type});
    all.push_back({"kubernetes.io/arch", "amd64"});
    all.push_back({"kubernetes.io/hostname", node.name});
    all.push_back({"node.kubernetes.io/instance-type", node.instance_type});
    all.push_back({"topology.kubernetes.io/region", node.region});
    all.push_back({"topology.kubernetes.io/zone", node.zone});
    std::ranges::sort(all);
    LabelText labels;
    labels.add("node", node.name);
    for (const auto& [key, value] : all) labels.add("label_" + cleaned_name(key), value);
    sink.sample(labels.str(), "1", kNoNode);
  }
}

void write_resources(const PageView& view, SeriesSink& sink, bool is_allocatable) {
  if (is_allocatable) {
    sink.family({"kube_node_status_allocatable",
                 "The allocatable for different resources of a node that are available for scheduling.", "gauge"});
  } else {
    sink.family({"kube_node_status_capacity", "The total amount of resources available for a node.", "gauge"});
  }
  for (std::size_t index = view.node_first; index < view.node_end; ++index) {
    const PlannedNode& node = view.plan.nodes[index];
    const auto line = [&](std::string_view resource, std::string_view unit, double value) {
      sink.sample(LabelText().add("node", node.name).add("resource", resource).add("unit", unit).str(),
                  go_number(value), kNoNode);
    };
    line("cpu", "core", static_cast<double>(node.cpu_millis - (is_allocatable ? kKubeletMillis : 0)) / 1000);
    line("memory", "byte", static_cast<double>(node.memory_bytes - (is_allocatable ? kKubeletBytes : 0)));
    for (const NodeResource& resource : node.resources) {
      line(cleaned_name(resource.name), "integer",
           static_cast<double>(is_allocatable ? resource.allocatable : resource.capacity));
    }
    line("pods", "integer", static_cast<double>(kPodsPerNode));
  }
}

void write_namespaces(const PageView& view, SeriesSink& sink) {
  sink.family({"kube_namespace_labels", "Kubernetes labels converted to Prometheus labels.", "gauge"});
  for (const PlannedNamespace& space : view.plan.namespaces) {
    LabelText labels;
    labels.add("namespace", space.name);
    for (const auto& [key, value] : space.labels) labels.add("label_" + cleaned_name(key), value);
    sink.sample(labels.str(), "1", kNoNode);
  }
}

// The owner of an owner, once for each ReplicaSet or Job that has pods.
void write_top_owners(const PageView& view, SeriesSink& sink, std::string_view kind, std::string_view label) {
  std::set<std::string> seen;
  for (const PodLife& life : view.pods) {
    if (life.plan->owner_kind != kind || !seen.insert(life.plan->namespace_name + "/" + life.owner_name).second)
      continue;
    const bool has_owner = !life.plan->top_kind.empty();
    LabelText labels;
    labels.add("namespace", life.plan->namespace_name).add(label, life.owner_name);
    labels.add("owner_kind", life.plan->top_kind).add("owner_name", life.plan->top_name);
    labels.add("owner_is_controller", has_owner ? "true" : "");
    sink.sample(labels.str(), "1", kNoNode);
  }
}

void write_claims(const PageView& view, SeriesSink& sink) {
  sink.family({"kube_persistentvolumeclaim_resource_requests_storage_bytes",
               "The capacity of storage requested by the persistent volume claim.", "gauge"});
  for (const PlannedClaim& claim : view.plan.claims) {
    sink.sample(LabelText().add("namespace", claim.namespace_name).add("persistentvolumeclaim", claim.name).str(),
                go_number(static_cast<double>(claim.bytes)), kNoNode);
  }
}

}  // namespace

void write_kube_nodes(const PageView& view, SeriesSink& sink) {
  write_node_info(view, sink);
  write_node_labels(view, sink);
  write_resources(view, sink, false);
  write_resources(view, sink, true);
  write_namespaces(view, sink);
  sink.family({"kube_replicaset_owner", "Information about the ReplicaSet's owner.", "gauge"});
  write_top_owners(view, sink, "ReplicaSet", "replicaset");
  sink.family({"kube_job_owner", "Information about the Job's owner.", "gauge"});
  write_top_owners(view, sink, "Job", "job_name");
  write_claims(view, sink);
}

}  // namespace seedance
