#include "simulate/plan_builder.h"

namespace seedance {
namespace {

PlannedGpu planned_gpu(std::uint64_t seed, const PlannedShape& shape, std::size_t index) {
  PlannedGpu gpu;
  gpu.uuid = "GPU-" + planned_uuid(seed, shape.name + "/gpu/" + std::to_string(index));
  gpu.model = shape.model;
  gpu.memory_mib = shape.memory_mib;
  gpu.idle_milliwatts = shape.full_watts * 1000 / 6;
  gpu.full_milliwatts = shape.full_watts * 1000;
  gpu.devices.emplace_back();
  gpu.devices.back().memory_mib = shape.memory_mib;
  return gpu;
}

}  // namespace

std::size_t add_node(ClusterPlan& plan, const PlannedShape& shape) {
  const std::size_t index = plan.nodes.size();
  PlannedNode node;
  node.name = shape.name;
  node.instance_type = shape.type;
  node.region = "us-east-1";
  node.zone = index % 2 == 0 ? "us-east-1a" : "us-east-1b";
  node.capacity_type = "on-demand";
  node.cpu_millis = shape.cores * 1000;
  node.memory_bytes = shape.gib << 30;
  node.address = "10." + std::to_string(index / 62'500 % 256) + "." + std::to_string(index / 250 % 250) + "." +
                 std::to_string(index % 250 + 1);
  node.kubelet_version = "v1.31.4";
  if (shape.gpu_count > 0) {
    node.labels = {{"nvidia.com/gpu.count", std::to_string(shape.gpu_count)},
                   {"nvidia.com/gpu.memory", std::to_string(shape.memory_mib)},
                   {"nvidia.com/gpu.product", shape.product}};
  }
  for (std::size_t gpu = 0; gpu < shape.gpu_count; ++gpu) node.gpus.push_back(planned_gpu(plan.seed, shape, gpu));
  plan.nodes.push_back(std::move(node));
  return index;
}

void add_resource(ClusterPlan& plan, std::size_t node, std::string_view name, std::int64_t count) {
  plan.nodes[node].resources.push_back({std::string(name), count, count});
}

void cut(ClusterPlan& plan, std::size_t node, std::size_t gpu, const std::vector<Slice>& slices) {
  std::vector<PlannedDevice>& devices = plan.nodes[node].gpus[gpu].devices;
  devices.clear();
  for (const Slice& slice : slices) {
    PlannedDevice& device = devices.emplace_back();
    device.profile = slice.profile;
    device.instance_id = slice.instance_id;
    device.slices = slice.slices;
    device.memory_mib = slice.memory_mib;
  }
}

void share_by_time(ClusterPlan& plan, std::size_t node, int replicas, std::string_view resource) {
  PlannedNode& shared = plan.nodes[node];
  const auto count = static_cast<std::int64_t>(shared.gpus.size()) * replicas;
  add_resource(plan, node, resource, count);
  shared.labels.push_back({"nvidia.com/gpu.replicas", std::to_string(replicas)});
  shared.labels.push_back({"nvidia.com/gpu.sharing-strategy", "time-slicing"});
  if (resource != "nvidia.com/gpu") return;
  // Feature discovery marks the product when the resource keeps its name.
  for (auto& [key, value] : shared.labels) {
    if (key == "nvidia.com/gpu.product") value += "-SHARED";
  }
}

PlannedPod& add_pod(ClusterPlan& plan, std::size_t node, std::string_view namespace_name, std::string name,
                    Nanos created) {
  PlannedPod& pod = plan.pods.emplace_back();
  pod.node = node;
  pod.namespace_name = namespace_name;
  pod.name = std::move(name);
  pod.uid_key = pod.namespace_name + "/" + pod.name;
  pod.created = created;
  pod.scheduled = created + std::chrono::seconds(1);
  pod.started = created + std::chrono::seconds(5);
  pod.network = {.level_millis = 20'000'000};
  return pod;
}

PlannedPod& add_replica(ClusterPlan& plan, std::size_t node, std::string_view namespace_name,
                        const std::string& deployment, int replica, Nanos created) {
  const std::string set = deployment + "-" + planned_uuid(plan.seed, "set of " + deployment).substr(0, 8);
  const std::string tail = planned_uuid(plan.seed, set + "/" + std::to_string(replica)).substr(0, 5);
  PlannedPod& pod = add_pod(plan, node, namespace_name, set + "-" + tail, created);
  owned(pod, "ReplicaSet", set);
  pod.top_kind = "Deployment";
  pod.top_name = deployment;
  return pod;
}

void owned(PlannedPod& pod, std::string_view kind, std::string_view name) {
  pod.owner_kind = kind;
  pod.owner_name = name;
}

PlannedContainer container(std::string_view name, std::int64_t cpu_millis, std::int64_t memory_gib, Wave cpu) {
  PlannedContainer made;
  made.name = name;
  made.image = "registry.example/" + made.name + ":1";
  made.cpu_request_millis = cpu_millis;
  made.memory_request_bytes = memory_gib << 30;
  made.cpu = cpu;
  made.memory_bytes = (memory_gib << 30) / 4 * 3;
  return made;
}

void request_gpus(PlannedPod& pod, std::string_view resource, std::int64_t count) {
  pod.containers.front().gpu_resource = resource;
  pod.containers.front().gpu_count = count;
}

void hold(ClusterPlan& plan, std::size_t node, std::size_t gpu, std::size_t device, const PlannedPod& pod,
          const DeviceLoad& load) {
  PlannedDevice& held = plan.nodes[node].gpus[gpu].devices[device];
  held.holders.push_back({pod.namespace_name, pod.name, pod.containers.front().name});
  held.engine = load.engine;
  held.sm_share = load.sm;
  held.tensor_share = load.tensor;
  held.dram_share = load.dram;
  held.used_mib = load.used_mib;
  held.active_from = pod.started;
  held.active_to = pod.finished;
}

ClusterPlan scale_plan(std::uint64_t seed, TimePoint start, std::size_t node_count, std::size_t pod_count) {
  constexpr std::size_t kTeams = 20;
  ClusterPlan plan;
  plan.seed = seed;
  plan.start = start;
  plan.scrape_interval = std::chrono::seconds(15);
  for (std::size_t team = 0; team < kTeams; ++team) {
    plan.namespaces.push_back({"team-" + std::to_string(team), {{"bu", "bu-" + std::to_string(team % 4)}}});
  }
  for (std::size_t node = 0; node < node_count; ++node) {
    add_node(plan, {.name = "node-" + std::to_string(node),
                    .type = "p4d.24xlarge",
                    .cores = 96,
                    .gib = 1152,
                    .model = "NVIDIA A100-SXM4-40GB",
                    .product = "NVIDIA-A100-SXM4-40GB",
                    .gpu_count = 8,
                    .memory_mib = 40'960,
                    .full_watts = 400});
    add_resource(plan, node, "nvidia.com/gpu", 8);
  }
  plan.pods.reserve(pod_count);
  for (std::size_t index = 0; index < pod_count && node_count > 0; ++index) {
    const std::size_t node = index % node_count;
    const std::size_t on_node = index / node_count;
    const std::string team = "team-" + std::to_string(index % kTeams);
    PlannedPod& pod = add_replica(plan, node, team, "app-" + std::to_string(index / 10), static_cast<int>(index % 10),
                                  -std::chrono::hours(1));
    pod.labels = {{"team", team}, {"task-type", index % 2 == 0 ? "inference" : "batch"}};
    pod.containers = {container("main", 250, 1, {.level_millis = 180})};
    if (on_node >= 8) continue;
    request_gpus(pod, "nvidia.com/gpu", 1);
    hold(plan, node, on_node, 0, plan.pods.back(),
         {.engine = {.level_millis = 500}, .sm = 600, .tensor = 300, .dram = 300, .used_mib = 20'000});
  }
  return plan;
}

}  // namespace seedance
