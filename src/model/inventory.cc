#include "model/inventory.h"

#include <algorithm>
#include <tuple>

namespace seedance {

const Steps& resource_steps(const std::vector<ResourceSteps>& resources, std::string_view resource) {
  static const Steps kNone;
  for (const ResourceSteps& r : resources) {
    if (r.resource == resource) return r.amount;
  }
  return kNone;
}

const ContainerRecord* PodRecord::container(std::string_view container_name) const {
  for (const ContainerRecord& c : containers) {
    if (c.name == container_name) return &c;
  }
  return nullptr;
}

Steps held_steps(const PodRecord& pod) {
  if (pod.bound.empty()) return {};
  TimePoint from = pod.bound.front().from;
  TimePoint to = pod.bound.back().to;
  // The exporter sees a pod up to one scrape late; the API's own instant is exact.
  if (pod.scheduled_at) from = *pod.scheduled_at;
  if (pod.completed_at && *pod.completed_at < to) to = *pod.completed_at;
  for (const Step& s : pod.phase) {
    const auto phase = static_cast<PodPhase>(s.level);
    if ((phase == PodPhase::kSucceeded || phase == PodPhase::kFailed) && s.from < to) to = s.from;
  }
  if (to <= from) return {};
  // Gaps in the middle of a run stay gaps.
  Steps held = pod.bound;
  held.front().from = std::min(held.front().from, from);
  return clip(held, {from, to});
}

const NamespaceRecord* Inventory::find_namespace(std::string_view cluster, std::string_view name) const {
  const auto at = std::lower_bound(namespaces.begin(), namespaces.end(), std::tie(cluster, name),
                                   [](const NamespaceRecord& n, const std::tuple<std::string_view&, std::string_view&>& key) {
                                     return std::tuple<std::string_view, std::string_view>(n.cluster, n.name) < key;
                                   });
  return at != namespaces.end() && at->cluster == cluster && at->name == name ? &*at : nullptr;
}

const PodRecord* Inventory::find_pod(std::string_view uid) const {
  const auto at = std::find_if(pods.begin(), pods.end(), [&](const PodRecord& pod) { return pod.uid == uid; });
  return at == pods.end() ? nullptr : &*at;
}

}  // namespace seedance
