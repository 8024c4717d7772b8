// Small words to write a cluster plan with. A reference to a pod is good until the next pod is added.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "simulate/cluster_plan.h"

namespace seedance {

struct PlannedShape {
  std::string name;
  std::string type;
  std::int64_t cores = 0;
  std::int64_t gib = 0;
  std::string model = {};    // as the GPU exporter spells it
  std::string product = {};  // as the node label spells it
  std::size_t gpu_count = 0;
  std::int64_t memory_mib = 0;
  std::int64_t full_watts = 0;
};

std::size_t add_node(ClusterPlan& plan, const PlannedShape& shape);
void add_resource(ClusterPlan& plan, std::size_t node, std::string_view name, std::int64_t count);

struct Slice {
  std::string_view profile;
  int instance_id = 0;
  int slices = 0;
  std::int64_t memory_mib = 0;
};
void cut(ClusterPlan& plan, std::size_t node, std::size_t gpu, const std::vector<Slice>& slices);

// Every card of the node is offered `replicas` times as `resource`, which is nvidia.com/gpu when it is not renamed.
void share_by_time(ClusterPlan& plan, std::size_t node, int replicas, std::string_view resource);

// Running from `created` on, with a few seconds for scheduling and starting.
PlannedPod& add_pod(ClusterPlan& plan, std::size_t node, std::string_view namespace_name, std::string name,
                    Nanos created);
// A pod of a ReplicaSet of a Deployment.
PlannedPod& add_replica(ClusterPlan& plan, std::size_t node, std::string_view namespace_name,
                        const std::string& deployment, int replica, Nanos created);
void owned(PlannedPod& pod, std::string_view kind, std::string_view name);

// Requests of 0 mean none. Uses three quarters of the requested memory.
PlannedContainer container(std::string_view name, std::int64_t cpu_millis, std::int64_t memory_gib, Wave cpu);
void request_gpus(PlannedPod& pod, std::string_view resource, std::int64_t count);  // on the first container

struct DeviceLoad {
  Wave engine = {};
  std::int64_t sm = 0;
  std::int64_t tensor = 0;
  std::int64_t dram = 0;
  std::int64_t used_mib = 0;
};
// The pod's first container holds the device; several pods may hold one, the last load counts.
void hold(ClusterPlan& plan, std::size_t node, std::size_t gpu, std::size_t device, const PlannedPod& pod,
          const DeviceLoad& load);

}  // namespace seedance
