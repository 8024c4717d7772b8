#include "allocation/named_holders.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace seedance {
namespace {

bool watches_devices(const PodRecord& pod) { return pod.workload_kind == "DaemonSet" || pod.workload_kind == "Node"; }

bool claims_gpus(const PodRecord& pod, const NodeRecord& node, const NodeGpus& gpus) {
  return std::any_of(pod.containers.begin(), pod.containers.end(), [&](const ContainerRecord& c) { return !gpu_claims(c, node, gpus).empty(); });
}

// Containers, by pod, that can hold a device by name; indices of holdings.
using Nameable = std::map<const PodRecord*, std::vector<std::size_t>>;

Nameable nameable_containers(const NodeRecord& node, const NodeGpus& gpus, const std::vector<ContainerHolding>& holdings) {
  Nameable out;
  for (std::size_t i = 0; i < holdings.size(); ++i) out[holdings[i].pod].push_back(i);
  std::erase_if(out, [&](const auto& entry) { return watches_devices(*entry.first) || claims_gpus(*entry.first, node, gpus); });
  return out;
}

// The container that a name means: the one so called, else the pod's first that is no init container.
std::size_t container_meant(std::string_view name, const std::vector<std::size_t>& of_pod, const std::vector<ContainerHolding>& holdings) {
  for (const std::size_t i : of_pod) {
    if (holdings[i].container_name == name) return i;
  }
  for (const std::size_t i : of_pod) {
    if (holdings[i].container == nullptr || !holdings[i].container->init) return i;
  }
  return of_pod.front();
}

// Whether a name that may be the scraper's is the exporter's; see the header.
bool is_plain_name_believed(const DeviceHolder& holder, const DeviceActivity& device) {
  return present_nanos(masked(holder.seen, device.free)) * 2 < present_nanos(holder.seen);
}

// One container that is named on a device, and when.
struct NamedSpan {
  std::size_t holding;
  const PodRecord* pod;
  Steps named;
};

std::vector<NamedSpan> names_on(const DeviceActivity& device, bool plain_names_count, const Nameable& nameable, const std::vector<ContainerHolding>& holdings) {
  std::map<std::size_t, Steps> by_holding;
  for (const DeviceHolder& holder : device.holders) {
    if (!holder.by_exporter && !(plain_names_count && is_plain_name_believed(holder, device))) continue;
    for (const auto& [pod, containers] : nameable) {
      if (pod->name != holder.pod || pod->namespace_name != holder.namespace_name) continue;
      const std::size_t i = container_meant(holder.container, containers, holdings);
      by_holding[i] = max_of(by_holding[i], masked(holder.seen, holdings[i].held));
    }
  }
  std::vector<const Steps*> by_claims;
  for (const ContainerHolding& h : holdings) {
    for (const GpuHold& g : h.gpus) {
      if (g.device == &device) by_claims.push_back(&g.units);
    }
  }
  const Steps claimed = sum_of(by_claims);
  std::vector<NamedSpan> out;
  for (const auto& [i, named] : by_holding) {
    Steps free = unmasked(named, claimed);
    if (!free.empty()) out.push_back({i, holdings[i].pod, std::move(free)});
  }
  return out;
}

// What the one of `rank` among `count` gets of `units`.
std::int64_t even_part(std::int64_t units, std::int64_t count, std::int64_t rank) { return units / count + (rank < units % count ? 1 : 0); }

// Shares `units` over the spans: evenly over pods, then over the containers of each.
std::vector<Steps> shared_evenly(const std::vector<NamedSpan>& spans, std::int64_t units) {
  std::vector<const Steps*> functions;
  Interval window{spans.front().named.front().from, spans.front().named.back().to};
  for (const NamedSpan& s : spans) {
    functions.push_back(&s.named);
    window = {std::min(window.from, s.named.front().from), std::max(window.to, s.named.back().to)};
  }
  std::vector<Steps> out(spans.size());
  sweep(functions, window, [&](Interval piece, std::span<const std::int64_t> at) {
    std::vector<std::pair<const PodRecord*, std::vector<std::size_t>>> pods;
    for (std::size_t i = 0; i < at.size(); ++i) {
      if (at[i] == kAbsent || at[i] == 0) continue;
      const auto known = std::find_if(pods.begin(), pods.end(), [&](const auto& p) { return p.first == spans[i].pod; });
      if (known == pods.end()) {
        pods.push_back({spans[i].pod, {i}});
      } else {
        known->second.push_back(i);
      }
    }
    for (std::size_t p = 0; p < pods.size(); ++p) {
      const std::int64_t of_pod = even_part(units, std::ssize(pods), static_cast<std::int64_t>(p));
      for (std::size_t c = 0; c < pods[p].second.size(); ++c) {
        const std::int64_t part = even_part(of_pod, std::ssize(pods[p].second), static_cast<std::int64_t>(c));
        if (part > 0) out[pods[p].second[c]].push_back({piece.from, piece.to, part});
      }
    }
  });
  return out;
}

std::int64_t units_of(const DeviceActivity& device, const NodeGpus& gpus) {
  if (device.instance.empty()) return gpus.device_units();
  return gpus.device_units() * mig_compute_slices(device.profile) / card_compute_slices(device.model);
}

}  // namespace

void hold_named_devices(const NodeRecord& node, const NodeGpus& gpus, const std::vector<const DeviceActivity*>& devices,
                        std::vector<ContainerHolding>& holdings) {
  const Nameable nameable = nameable_containers(node, gpus, holdings);
  if (nameable.empty()) return;
  const bool plain_names_count = std::any_of(devices.begin(), devices.end(), [](const DeviceActivity* d) { return !d->free.empty(); });
  std::set<std::string_view> cut;  // cards of which instances are named: the row of the whole card is not one more device
  for (const DeviceActivity* d : devices) {
    if (!d->instance.empty()) cut.insert(d->uuid);
  }
  for (const DeviceActivity* device : devices) {
    if (device->instance.empty() && cut.contains(device->uuid)) continue;
    const std::vector<NamedSpan> spans = names_on(*device, plain_names_count, nameable, holdings);
    if (spans.empty()) continue;
    std::vector<Steps> parts = shared_evenly(spans, units_of(*device, gpus));
    for (std::size_t i = 0; i < spans.size(); ++i) {
      if (!parts[i].empty()) holdings[spans[i].holding].gpus.push_back({device, compact(std::move(parts[i]))});
    }
  }
}

}  // namespace seedance
