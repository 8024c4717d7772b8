// One function a page: what each exporter of the cluster says at one instant.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "simulate/cluster_plan.h"
#include "simulate/series_sink.h"

namespace seedance {

// A plan at one instant, for the nodes [node_first, node_end) and the pods on them.
struct PageView {
  PageView(const ClusterPlan& cluster, TimePoint instant, std::size_t first, std::size_t end)
      : plan(cluster),
        since_start(instant - cluster.start),
        node_first(first),
        node_end(end),
        pods(pods_at(cluster, instant, first, end)) {}

  const ClusterPlan& plan;  // outlives the view: it belongs to the cluster that makes the view
  Nanos since_start;
  std::size_t node_first;
  std::size_t node_end;
  std::vector<PodLife> pods;

  // True while the machine's own exporters (cAdvisor, GPUs, node exporter) cannot be reached.
  bool is_in_gap(std::size_t node) const {
    return plan.nodes[node].gap_from <= since_start && since_start < plan.nodes[node].gap_to;
  }
  std::int64_t unix_seconds(Nanos offset) const {
    return std::chrono::floor<std::chrono::seconds>((plan.start + offset).time_since_epoch()).count();
  }
};

void write_kube_nodes(const PageView& view, SeriesSink& sink);
void write_kube_pods(const PageView& view, SeriesSink& sink);
void write_kube_containers(const PageView& view, SeriesSink& sink);
void write_cadvisor(const PageView& view, SeriesSink& sink);
void write_dcgm(const PageView& view, SeriesSink& sink);
// A second, older GPU exporter left running on the first node: the same cards under another Hostname.
void write_dcgm_duplicate(const PageView& view, SeriesSink& sink);
void write_node_exporter(const PageView& view, SeriesSink& sink);
void write_node_prices(const PageView& view, SeriesSink& sink);
void write_agent(const PageView& view, SeriesSink& sink);

// namespace, pod and uid: how kube-state-metrics begins every series of a pod.
std::string pod_identity(const PodLife& life);

}  // namespace seedance
