// How much of a physical GPU one unit of a Kubernetes GPU resource is, exactly.
//
//  nvidia_com_gpu            1; 1/replicas when the node time-slices or runs MPS without renaming; slices/7 under MIG single
//  nvidia_com_gpu_shared     1/replicas (renamed time slices)
//  nvidia_com_mig_<profile>  compute slices of the profile / compute slices of the card (7; A30: 4)
//  HAMi                      the larger of cores percent / 100 and MiB / memory of the card, per virtual GPU
// Where the instance type brings a part of a card (AWS g6f: an eighth of an L4), Kubernetes sees a whole device; it is that part.
// Sources: NVIDIA GPU feature discovery labels, k8s-device-plugin sharing.timeSlicing, NVIDIA MIG user guide, HAMi resources.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "model/inventory.h"

namespace seedance {

// GPUs of one node at one time. All amounts of a node are kept in `units` of 1/`units_per_gpu` of a whole card.
struct NodeGpus {
  std::int64_t physical = 0;           // devices
  Rational card{1, 1};                 // the part of a card that one device is
  std::int64_t units_per_gpu = 1;
  std::int64_t unreachable_units = 0;  // MIG slices that the layout leaves over: no pod can ever get them
  std::int64_t replicas = 1;           // of time slicing or MPS
  bool mig_single = false;
  std::int64_t memory_mib = 0;         // of one device, when the node says it

  std::int64_t device_units() const { return units_per_gpu * card.num / card.den; }
  std::int64_t capacity_units() const { return physical * device_units(); }
};

// `book_millis`: cards of the instance type by the price book, in thousandths, 0 when not known; `seen`: distinct UUIDs its exporter
// shows.
NodeGpus node_gpus(const NodeRecord& node, Interval hour, std::int64_t book_millis, std::int64_t seen);

bool is_gpu_resource(std::string_view resource);

// The part of a whole card that one unit of `resource` is on this node; {0, 1} when it is none (HAMi's modifiers).
Rational unit_share(std::string_view resource, const NodeRecord& node, const NodeGpus& gpus);

struct GpuClaim {
  std::string resource;
  Rational per_device;  // part of a whole card
  Steps count;          // devices
};

// The claims of one container, HAMi's modifiers applied.
std::vector<GpuClaim> gpu_claims(const ContainerRecord& container, const NodeRecord& node, const NodeGpus& gpus);

// Compute slices of a MIG profile such as "3g.20gb" or "1g.5gb+me"; 0 when it is not one.
std::int64_t mig_compute_slices(std::string_view profile);

// Compute slices of a card, by the name of the product: 7; A30: 4.
std::int64_t card_compute_slices(std::string_view product);

}  // namespace seedance
