// A GPU cluster that exists only as its metrics: deterministic from a seed, with the traps that real clusters lay.
//
// Every value is a closed function of (seed, series, instant), so pages can be asked for in any order, again, or from
// several threads. What the cluster contains is written at the top of sample_plan.cc; what a page looks like follows
// the real exporter (kube-state-metrics 2, the kubelet's cAdvisor, dcgm-exporter). Events are placed relative to
// `start`: a gap of one node from minute 41 to 45, a counter reset at minute 60, a pod of the same name twice (minutes
// 10 and 70), blank values from minute 20 to 25, an XID from minute 50, a 20-second job every 30 minutes from minute 12
// on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"

namespace seedance {

struct ClusterPlan;

enum class Page : std::uint8_t {
  kKubeStateMetrics,
  kCadvisor,       // all nodes on one page; the `node` label is added by scraping
  kDcgm,           // all nodes
  kDcgmDuplicate,  // a second exporter on the first node
  kNodeExporter,
  kNodePrice,
  kAgent,
};
inline constexpr std::size_t kPageCount = 7;

struct SampleClusterOptions {
  std::uint64_t seed = 1;
  TimePoint start;
  Nanos scrape_interval = std::chrono::seconds(15);  // > 0
  unsigned scale = 1;                                // copies of the six machines and their pods
};

class SampleCluster {
 public:
  explicit SampleCluster(const SampleClusterOptions& options);
  ~SampleCluster();
  SampleCluster(SampleCluster&&) noexcept;
  SampleCluster& operator=(SampleCluster&&) noexcept;

  // Appends the page as its exporter prints it at `at`: Prometheus text format, no timestamps.
  void write_page(Page page, TimePoint at, std::string& out) const;

  // One OpenMetrics 1.0 text export of all pages with the labels that scraping adds (job, instance, node), one scrape
  // every interval in [from, to). Families are grouped, series within a family are grouped, samples are in time order;
  // ends with "# EOF". A second kube-state-metrics instance repeats the namespace `train`. Holds about 25 bytes a
  // sample in memory.
  void write_open_metrics(TimePoint from, TimePoint to, const std::function<void(std::string_view)>& sink) const;

  std::vector<std::string> node_names() const;

 private:
  std::unique_ptr<const ClusterPlan> plan_;
};

struct ScaleClusterOptions {
  std::uint64_t seed = 1;
  TimePoint start;
  std::size_t nodes = 100;
  std::size_t pods = 25'000;  // spread evenly; the first eight of a node hold one GPU each
};

// A large and regular cluster for load and memory tests.
class ScaleCluster {
 public:
  explicit ScaleCluster(const ScaleClusterOptions& options);
  ~ScaleCluster();
  ScaleCluster(ScaleCluster&&) noexcept;
  ScaleCluster& operator=(ScaleCluster&&) noexcept;

  // Like SampleCluster::write_page, for the nodes [node_first, node_first + node_count) and the pods on them: pages of
  // the whole cluster are tens of megabytes. kDcgmDuplicate is empty.
  void write_scale_page(Page page, TimePoint at, std::size_t node_first, std::size_t node_count,
                        std::string& out) const;

 private:
  std::unique_ptr<const ClusterPlan> plan_;
};

}  // namespace seedance
