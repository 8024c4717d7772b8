// Bodies of a small cluster for tests: a node and pods that are scraped every 30 seconds.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ingest/write_encoder.h"
#include "model/sample.h"

namespace seedance {

inline constexpr std::int64_t kMadeHourMs = 1'796'047'200'000;  // 2026-11-30T14:00:00Z

inline Labels made_labels(const std::string& metric, std::initializer_list<Label> labels) {
  Labels out(labels);
  out.push_back({"__name__", metric});
  std::sort(out.begin(), out.end());
  return out;
}

class MadeSamples {
 public:
  void add(const Labels& labels, std::int64_t timestamp_ms, double value) { series_[labels].push_back({timestamp_ms, value}); }

  // A state or gauge that keeps its value, in seconds after 14:00.
  void hold(const Labels& labels, std::int64_t from_s, std::int64_t to_s, double value, std::int64_t every_s = 30) {
    for (std::int64_t t = from_s; t <= to_s; t += every_s) add(labels, kMadeHourMs + t * 1'000, value);
  }
  // A counter that grows by `per_second`.
  void count(const Labels& labels, std::int64_t from_s, std::int64_t to_s, double per_second, std::int64_t every_s = 30) {
    for (std::int64_t t = from_s; t <= to_s; t += every_s) add(labels, kMadeHourMs + t * 1'000, 1'000'000 + static_cast<double>(t) * per_second);
  }
  void node(const std::string& name, const std::string& type, double cores, double gib, std::int64_t from_s, std::int64_t to_s) {
    hold(made_labels("kube_node_info", {{"node", name}, {"provider_id", "aws:///us-east-1a/i-" + name}}), from_s, to_s, 1);
    hold(made_labels("kube_node_labels", {{"node", name}, {"label_node_kubernetes_io_instance_type", type}, {"label_topology_kubernetes_io_region", "us-east-1"},
                                          {"label_topology_kubernetes_io_zone", "us-east-1a"}}), from_s, to_s, 1);
    hold(made_labels("kube_node_status_capacity", {{"node", name}, {"resource", "cpu"}}), from_s, to_s, cores);
    hold(made_labels("kube_node_status_capacity", {{"node", name}, {"resource", "memory"}}), from_s, to_s, gib * 1073741824.0);
  }
  void pod(const std::string& name, const std::string& uid, const std::string& node_name, double cores, std::int64_t from_s, std::int64_t to_s) {
    hold(made_labels("kube_pod_info", {{"namespace", "ml"}, {"pod", name}, {"uid", uid}, {"node", node_name}}), from_s, to_s, 1);
    hold(made_labels("kube_pod_status_phase", {{"namespace", "ml"}, {"pod", name}, {"uid", uid}, {"phase", "Running"}}), from_s, to_s, 1);
    hold(made_labels("kube_pod_container_resource_requests", {{"namespace", "ml"}, {"pod", name}, {"uid", uid}, {"container", "main"}, {"resource", "cpu"}}), from_s, to_s, cores);
  }

  std::vector<SeriesSamples> series() const {
    std::vector<SeriesSamples> out;
    for (const auto& [labels, samples] : series_) out.push_back({labels, samples});
    return out;
  }
  std::string body() const { return compress_snappy(encode_write_request(series())); }
  // One body for each scrape, in order.
  std::vector<std::string> bodies() const {
    std::map<std::int64_t, MadeSamples> by_time;
    for (const auto& [labels, samples] : series_) {
      for (const Sample& s : samples) by_time[s.timestamp_ms].add(labels, s.timestamp_ms, s.value);
    }
    std::vector<std::string> out;
    for (const auto& [time, one] : by_time) out.push_back(one.body());
    return out;
  }

 private:
  std::map<Labels, std::vector<Sample>> series_;
};

}  // namespace seedance
