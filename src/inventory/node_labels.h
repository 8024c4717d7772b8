// Reads what a node is from its Kubernetes labels: provider, region, zone, instance type, capacity kind.
#pragma once

#include "model/inventory.h"

namespace seedance {

// Fills the fields from `record.labels` (exporter spelling: every character but letters, digits and _ is _) and from the
// provider id in `record.uid` ("aws:///us-east-1a/i-0abc").
void read_node_labels(NodeRecord& record);

}  // namespace seedance
