// Who owned what, and when: an immutable picture of a cluster over a stretch of time, keyed by UID.
//
// Built from kube-state-metrics series by `inventory/state_metrics.cc`; a live Kubernetes watch fills the same type. Names are
// labels: a pod recreated under its old name is another pod. Quantities over time are step functions: CPU in nanocores,
// memory in bytes, extended resources in pieces.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/steps.h"
#include "model/sample.h"

namespace seedance {

struct ResourceSteps {
  std::string resource;  // as kube-state-metrics spells it: "cpu", "memory", "nvidia_com_gpu", "nvidia_com_mig_1g_5gb"
  Steps amount;
};

// The steps of a resource, or an empty function.
const Steps& resource_steps(const std::vector<ResourceSteps>& resources, std::string_view resource);

struct ContainerRecord {
  std::string name;
  bool init = false;
  bool sidecar = false;  // an init container that keeps running: restartPolicy Always
  std::vector<ResourceSteps> requests;
  Steps running;        // 0/1
  Steps waiting;        // 1 while in a waiting reason
  std::string waiting_reason;  // the last one
  std::optional<TimePoint> started_at;
  std::optional<TimePoint> image_pulled_at;
};

enum class PodPhase : std::uint8_t { kPending, kRunning, kSucceeded, kFailed, kUnknown };

struct PodRecord {
  std::string cluster;
  std::string uid;  // namespace/name when the source has no UID
  std::string namespace_name;
  std::string name;
  std::string node;
  std::string workload_kind;  // the top of the owner chain: Deployment, Job, ...; "Pod" for a bare pod
  std::string workload;
  Labels labels;      // sorted; keys without the exporter's `label_` prefix, with its clean-up
  Labels annotations;
  Labels resource_attributes;  // OpenTelemetry
  Steps bound;        // present while assigned to `node`
  Steps phase;        // levels are PodPhase
  std::optional<TimePoint> scheduled_at;
  std::optional<TimePoint> started_at;
  std::optional<TimePoint> ready_at;
  std::optional<TimePoint> completed_at;
  std::vector<ContainerRecord> containers;  // sorted by name

  const ContainerRecord* container(std::string_view container_name) const;
};

// The stretch for which a pod holds its requests: from its binding to a node until it has ended.
Steps held_steps(const PodRecord& pod);

struct NodeRecord {
  std::string cluster;
  std::string uid;  // provider id or system UUID; the name when the source has neither
  std::string name;
  std::string provider;       // "aws", "gcp", "azure", or empty
  std::string region;
  std::string zone;
  std::string instance_type;
  std::string capacity_kind;  // "on-demand", "spot", "reserved"
  Labels labels;
  Steps present;
  std::vector<ResourceSteps> capacity;
  Steps price;                // nano-units per hour for the whole node, when the cluster itself says it
};

struct NamespaceRecord {
  std::string cluster;
  std::string name;
  Labels labels;
};

struct ClaimMount {
  std::string pod_uid;
  Steps mounted;
};

struct ClaimRecord {
  std::string cluster;
  std::string namespace_name;
  std::string name;
  Steps bytes;
  std::vector<ClaimMount> mounts;  // sorted by pod UID
};

// Every vector is sorted by its identity.
struct Inventory {
  std::vector<NodeRecord> nodes;
  std::vector<PodRecord> pods;
  std::vector<NamespaceRecord> namespaces;
  std::vector<ClaimRecord> claims;

  const NamespaceRecord* find_namespace(std::string_view cluster, std::string_view name) const;
  const PodRecord* find_pod(std::string_view uid) const;  // linear; tests and explanations
};

}  // namespace seedance
