// A stretch of the sample cluster's time as one OpenMetrics 1.0 text, with the labels that scraping adds.
#pragma once

#include <functional>
#include <string_view>

#include "simulate/cluster_plan.h"
#include "simulate/pages.h"
#include "simulate/sample_cluster.h"

namespace seedance {

void write_view(const PageView& view, Page page, SeriesSink& sink);

// The text comes in pieces; a piece ends anywhere.
void export_open_metrics(const ClusterPlan& plan, TimePoint from, TimePoint to,
                         const std::function<void(std::string_view)>& sink);

}  // namespace seedance
