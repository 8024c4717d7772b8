#include "allocation/device_match.h"

#include <algorithm>
#include <set>

namespace seedance {
namespace {

std::int64_t named_nanos(const DeviceActivity& device, const ContainerHolding& h) {
  std::int64_t nanos = 0;
  for (const DeviceHolder& holder : device.holders) {
    if (holder.pod != h.pod->name || holder.namespace_name != h.pod->namespace_name) continue;
    if (!holder.container.empty() && holder.container != h.container_name) continue;
    // A label that was seen at one instant only still names the holder.
    nanos += std::max<std::int64_t>(present_nanos(masked(holder.seen, h.held)), holder.seen.empty() ? 1 : 0);
  }
  return nanos;
}

struct Candidate {
  const DeviceActivity* device;
  std::int64_t nanos;
};

std::vector<Candidate> candidates_for(const std::vector<const DeviceActivity*>& devices, const ContainerHolding& h) {
  std::vector<Candidate> out;
  for (const DeviceActivity* device : devices) {
    if (const std::int64_t nanos = named_nanos(*device, h); nanos > 0) out.push_back({device, nanos});
  }
  std::sort(out.begin(), out.end(), [](const Candidate& a, const Candidate& b) {
    return a.nanos != b.nanos ? a.nanos > b.nanos : a.device->key() < b.device->key();
  });
  return out;
}

std::size_t unknown_count(const ContainerHolding& h) {
  return static_cast<std::size_t>(std::count_if(h.gpus.begin(), h.gpus.end(), [](const GpuHold& g) { return g.device == nullptr; }));
}

// See the header: the one container without devices takes the devices without a holder, when the numbers agree.
void match_the_rest(const std::vector<const DeviceActivity*>& devices, const std::set<const DeviceActivity*>& taken,
                    std::vector<ContainerHolding>& holdings) {
  ContainerHolding* only = nullptr;
  for (ContainerHolding& h : holdings) {
    if (unknown_count(h) == 0) continue;
    if (only != nullptr) return;
    only = &h;
  }
  if (only == nullptr) return;
  std::vector<const DeviceActivity*> free;
  for (const DeviceActivity* device : devices) {
    if (device->instance.empty() && !taken.contains(device) && device->holders.empty()) free.push_back(device);
  }
  if (free.size() != unknown_count(*only)) return;
  std::size_t next = 0;
  for (GpuHold& hold : only->gpus) {
    if (hold.device == nullptr) hold.device = free[next++];
  }
}

}  // namespace

void match_devices(const std::vector<const DeviceActivity*>& devices, const NodeGpus& gpus, std::vector<ContainerHolding>& holdings) {
  std::set<const DeviceActivity*> taken;
  for (ContainerHolding& h : holdings) {
    if (h.gpus.empty()) continue;
    std::size_t next = 0;
    for (const Candidate& candidate : candidates_for(devices, h)) {
      if (next == h.gpus.size()) break;
      h.gpus[next++].device = candidate.device;
      taken.insert(candidate.device);
    }
  }
  if (gpus.replicas == 1) match_the_rest(devices, taken, holdings);
}

}  // namespace seedance
