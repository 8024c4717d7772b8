// What the sample cluster consists of and when things happen in it, before anything is printed.
//
// Instants are offsets from the plan's start and may be negative. The plan never changes once made; every page is a
// function of (plan, instant). `sample_plan` holds the cluster with all its traps, `scale_plan` a large and regular
// one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/units.h"
#include "simulate/wave.h"

namespace seedance {

inline constexpr Nanos kNever{std::numeric_limits<std::int64_t>::max()};
inline constexpr Nanos kDriverLoaded = -std::chrono::hours(24 * 30);  // energy counters begin here

struct PlannedContainer {
  std::string name;
  std::string image;
  std::int64_t cpu_request_millis = 0;  // 0: no request
  std::int64_t memory_request_bytes = 0;
  std::string gpu_resource;  // as Kubernetes spells it: "nvidia.com/gpu", "nvidia.com/mig-1g.5gb"
  std::int64_t gpu_count = 0;
  Wave cpu;  // thousandths of a core
  std::int64_t memory_bytes = 0;
  bool is_sidecar = false;     // an init container with restartPolicy Always
  std::string waiting_reason;  // never starts
  Nanos counter_reset = kNever;
};

struct PlannedPod {
  std::string namespace_name;
  std::string name;
  std::size_t node = 0;
  std::string owner_kind;  // "" for a bare pod
  std::string owner_name;
  std::string top_kind;  // the owner's owner: Deployment of a ReplicaSet, CronJob of a Job
  std::string top_name;
  std::vector<std::pair<std::string, std::string>> labels;
  std::vector<std::pair<std::string, std::string>> annotations;
  std::vector<std::string> claims;
  std::vector<PlannedContainer> containers;
  Wave network;  // thousandths of a byte per second sent
  Nanos created{};
  Nanos scheduled{};
  Nanos started{};
  Nanos finished = kNever;
  Nanos removed = kNever;
  Nanos repeat{0};      // a new pod of a new owner every so often; 0: once
  std::string uid_key;  // what the UID is made from
  // What the job's own agent says about waiting, in thousandths; negative: it says nothing.
  std::int64_t data_wait_millis = -1;
  std::int64_t communication_wait_millis = -1;
};

struct PlannedHolder {
  std::string namespace_name;
  std::string pod;
  std::string container;
};

// One row of the GPU exporter: a whole card or a MIG instance.
struct PlannedDevice {
  std::string profile;  // "" for a whole card
  int instance_id = 0;
  int slices = 7;  // compute slices of the card's seven
  std::int64_t memory_mib = 0;
  std::vector<PlannedHolder> holders;  // several with time slicing
  Wave engine;                        // thousandths of full activity
  std::int64_t sm_share = 0;          // thousandths of the engine's activity
  std::int64_t tensor_share = 0;
  std::int64_t dram_share = 0;
  std::int64_t used_mib = 0;
  Nanos active_from = kDriverLoaded;
  Nanos active_to = kNever;
};

struct PlannedGpu {
  std::string uuid;
  std::string model;
  std::int64_t memory_mib = 0;
  std::int64_t idle_milliwatts = 0;
  std::int64_t full_milliwatts = 0;
  bool has_profiling = true;
  bool has_power = true;      // false: blank values, as cards without a sensor report them
  Nanos blank_from = kNever;  // the utilisation is blank in [blank_from, blank_to)
  Nanos blank_to = kNever;
  Nanos xid_from = kNever;  // an XID 31 from here on
  std::vector<PlannedDevice> devices;
};

struct NodeResource {
  std::string name;  // as Kubernetes spells it
  std::int64_t capacity = 0;
  std::int64_t allocatable = 0;
};

struct PlannedNode {
  std::string name;
  std::string instance_type;
  std::string region;
  std::string zone;
  std::string capacity_type;  // "on-demand" or "spot"
  std::int64_t cpu_millis = 0;
  std::int64_t memory_bytes = 0;
  std::string address;
  std::string kubelet_version;
  std::vector<std::pair<std::string, std::string>> labels;
  std::vector<NodeResource> resources;  // beside cpu and memory
  std::vector<PlannedGpu> gpus;
  std::int64_t price_nanos_per_hour = 0;    // 0: no price series
  std::int64_t price_nanos_after_step = 0;  // from `price_step` of every hour on
  Nanos price_step{0};
  Nanos gap_from = kNever;  // no cAdvisor, GPU or node exporter samples in [gap_from, gap_to)
  Nanos gap_to = kNever;
};

struct PlannedClaim {
  std::string namespace_name;
  std::string name;
  std::int64_t bytes = 0;
};

struct PlannedNamespace {
  std::string name;
  std::vector<std::pair<std::string, std::string>> labels;
};

struct ClusterPlan {
  std::uint64_t seed = 0;
  TimePoint start;
  Nanos scrape_interval{};
  std::vector<PlannedNamespace> namespaces;
  std::vector<PlannedNode> nodes;
  std::vector<PlannedPod> pods;
  std::vector<PlannedClaim> claims;
};

ClusterPlan sample_plan(std::uint64_t seed, TimePoint start, Nanos scrape_interval, unsigned scale);
ClusterPlan scale_plan(std::uint64_t seed, TimePoint start, std::size_t node_count, std::size_t pod_count);

// A UUID of version 4 made from the seed and a key.
std::string planned_uuid(std::uint64_t seed, std::string_view key);

// A pod that exists at one instant: a repeating plan gives each turn its own names and UID.
struct PodLife {
  const PlannedPod* plan = nullptr;
  std::string name;
  std::string uid;
  std::string owner_name;
  Nanos created{};
  Nanos scheduled{};
  Nanos started{};
  Nanos finished{};
  bool is_scheduled = false;
  bool is_started = false;  // has started, now or before
  bool is_finished = false;
  bool runs() const { return is_started && !is_finished; }
};

// The pods of nodes [node_first, node_end) that Kubernetes knows at `at`, in the plan's order.
std::vector<PodLife> pods_at(const ClusterPlan& plan, TimePoint at, std::size_t node_first, std::size_t node_end);

}  // namespace seedance
