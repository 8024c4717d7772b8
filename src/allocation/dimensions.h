// Gives every row its dimension values (tenant, team, ...): explicit rules first, then labels with the nearest object winning, then
// the default. Each value remembers what set it.
//
// Nearest: the pod's labels (a workload's labels reach its pods through the pod template), its annotations, its OpenTelemetry
// resource attributes, then the namespace's labels.
#pragma once

#include <vector>

#include "model/dimension_rules.h"
#include "model/inventory.h"
#include "model/ledger.h"

namespace seedance {

struct DimensionValue {
  std::string value;   // empty: not set
  std::string origin;  // "rule 2", "pod label team", "namespace label team", "default"
};

DimensionValue dimension_of(Dimension dimension, const DimensionRules& rules, const PodRecord& pod, const NamespaceRecord* name_space);

void set_dimensions(const Inventory& inventory, const DimensionRules& rules, const std::string& cluster_name, std::vector<LedgerRow>& rows);

}  // namespace seedance
