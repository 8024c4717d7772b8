// The mapping of the eight dimensions, as YAML:
//
//   team:
//     labels: [team, app.kubernetes.io/team]
//     rules:
//       - {namespace: "ml-*", workload: "bert-*", label: {tier: gold}, value: research}
//     owners: {research: ada@example.org}
//     default: unknown
//
// What a dimension does not mention keeps its default; a `labels` that is given replaces the default keys.
#pragma once

#include "base/result.h"
#include "config/yaml.h"
#include "model/dimension_rules.h"

namespace seedance {

Result<DimensionRules> read_dimension_rules(const YamlNode& node, YamlSource source);

}  // namespace seedance
