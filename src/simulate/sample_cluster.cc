#include "simulate/sample_cluster.h"

#include <algorithm>

#include "base/check.h"
#include "simulate/cluster_plan.h"
#include "simulate/open_metrics_export.h"
#include "simulate/pages.h"

namespace seedance {

SampleCluster::SampleCluster(const SampleClusterOptions& options)
    : plan_(std::make_unique<const ClusterPlan>(
          sample_plan(options.seed, options.start, options.scrape_interval, options.scale))) {
  SEEDANCE_CHECK(options.scrape_interval.count() > 0, std::to_string(options.scrape_interval.count()));
}
SampleCluster::~SampleCluster() = default;
SampleCluster::SampleCluster(SampleCluster&&) noexcept = default;
SampleCluster& SampleCluster::operator=(SampleCluster&&) noexcept = default;

void SampleCluster::write_page(Page page, TimePoint at, std::string& out) const {
  PageText text(out);
  write_view(PageView(*plan_, at, 0, plan_->nodes.size()), page, text);
}

void SampleCluster::write_open_metrics(TimePoint from, TimePoint to,
                                       const std::function<void(std::string_view)>& sink) const {
  export_open_metrics(*plan_, from, to, sink);
}

std::vector<std::string> SampleCluster::node_names() const {
  std::vector<std::string> names;
  for (const PlannedNode& node : plan_->nodes) names.push_back(node.name);
  return names;
}

ScaleCluster::ScaleCluster(const ScaleClusterOptions& options)
    : plan_(std::make_unique<const ClusterPlan>(scale_plan(options.seed, options.start, options.nodes, options.pods))) {
}
ScaleCluster::~ScaleCluster() = default;
ScaleCluster::ScaleCluster(ScaleCluster&&) noexcept = default;
ScaleCluster& ScaleCluster::operator=(ScaleCluster&&) noexcept = default;

void ScaleCluster::write_scale_page(Page page, TimePoint at, std::size_t node_first, std::size_t node_count,
                                    std::string& out) const {
  if (page == Page::kDcgmDuplicate) return;
  const std::size_t first = std::min(node_first, plan_->nodes.size());
  const std::size_t end = first + std::min(node_count, plan_->nodes.size() - first);
  PageText text(out);
  write_view(PageView(*plan_, at, first, end), page, text);
}

}  // namespace seedance
