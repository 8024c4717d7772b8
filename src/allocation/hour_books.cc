#include "allocation/hour_books.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "allocation/dimensions.h"
#include "allocation/service_costs.h"

namespace seedance {
namespace {

using NodeName = std::pair<std::string_view, std::string_view>;  // cluster, node

struct ByNode {
  std::map<NodeName, std::vector<const PodRecord*>> pods;
  std::map<NodeName, std::vector<const DeviceActivity*>> devices;
};

ByNode group_by_node(const ClusterHour& hour) {
  ByNode out;
  for (const PodRecord& pod : hour.inventory.pods) {
    if (!pod.node.empty()) out.pods[{pod.cluster, pod.node}].push_back(&pod);
  }
  for (const DeviceActivity& device : hour.devices) out.devices[{device.cluster, device.node}].push_back(&device);
  return out;
}

// Pods whose node is not in the inventory: their usage is kept and listed, without money.
void list_homeless_pods(const ClusterHour& hour, const AllocationOptions& options, const ByNode& by_node, std::vector<LedgerRow>& rows) {
  std::map<NodeName, bool> known;
  for (const NodeRecord& node : hour.inventory.nodes) known[{node.cluster, node.name}] = true;
  for (const auto& [name, pods] : by_node.pods) {
    if (known.contains(name)) continue;
    for (const PodRecord* pod : pods) {
      const Steps held = clip(held_steps(*pod), hour.hour);
      if (held.empty()) continue;
      LedgerRow r;
      r.hour = hour.hour.from;
      r.price_from = hour.hour.from;
      r.price_to = hour.hour.to;
      r.kind = RowKind::kUnpriced;
      r.provisional = hour.provisional;
      r.cluster = pod->cluster.empty() ? options.cluster_name : pod->cluster;
      r.node = pod->node;
      r.namespace_name = pod->namespace_name;
      r.workload_kind = pod->workload_kind;
      r.workload = pod->workload;
      r.pod = pod->name;
      r.pod_uid = pod->uid;
      r.held_nanos = present_nanos(held);
      r.currency = options.currency;
      r.split_method = options.method;
      r.reason = "no node metrics (kube_node_info) for " + pod->node;
      rows.push_back(std::move(r));
    }
  }
}

}  // namespace

HourBooks close_hour(const ClusterHour& hour, const AllocationOptions& options, const DimensionRules& rules) {
  HourBooks books;
  const ByNode by_node = group_by_node(hour);
  const auto of = [](const auto& map, const NodeRecord& node) {
    const auto at = map.find({node.cluster, node.name});
    return at == map.end() ? typename std::decay_t<decltype(map)>::mapped_type{} : at->second;
  };
  for (std::size_t i = 0; i < hour.inventory.nodes.size(); ++i) {
    const NodeRecord& node = hour.inventory.nodes[i];
    close_node_books({&node, &hour.prices[i], of(by_node.pods, node), of(by_node.devices, node)}, hour, options, books);
  }
  list_homeless_pods(hour, options, by_node, books.rows);
  book_storage(hour, options, books);
  book_network(hour, options, books);
  book_shared(hour, options, books);
  set_dimensions(hour.inventory, rules, books.rows);
  std::sort(books.rows.begin(), books.rows.end(), ledger_order);
  std::sort(books.cold_starts.begin(), books.cold_starts.end(), [](const ColdStart& a, const ColdStart& b) { return a.pod_uid < b.pod_uid; });
  return books;
}

}  // namespace seedance
