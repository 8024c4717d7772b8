#include "allocation/dimensions.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace seedance {
namespace {

// kube-state-metrics turns every character but letters, digits and _ into _.
std::string cleaned(std::string_view key) {
  std::string out(key);
  for (char& c : out) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return out;
}

std::string_view find_label(const Labels& labels, const std::string& key, const std::string& clean_key) {
  if (const std::string_view exact = label_value(labels, key); !exact.empty()) return exact;
  return label_value(labels, clean_key);
}

bool rule_matches(const DimensionRule& rule, const PodRecord& pod) {
  if (!rule.namespace_glob.empty() && !glob_matches(rule.namespace_glob, pod.namespace_name)) return false;
  if (!rule.workload_glob.empty() && !glob_matches(rule.workload_glob, pod.workload)) return false;
  return std::all_of(rule.labels.begin(), rule.labels.end(), [&](const Label& wanted) {
    return find_label(pod.labels, wanted.name, cleaned(wanted.name)) == wanted.value;
  });
}

struct PodDimensions {
  std::array<std::string, kDimensionCount> values;
  std::string origin;
};

PodDimensions dimensions_of(const DimensionRules& rules, const PodRecord& pod, const NamespaceRecord* name_space) {
  PodDimensions out;
  for (std::size_t i = 0; i < kDimensionCount; ++i) {
    const auto dimension = static_cast<Dimension>(i);
    DimensionValue value = dimension_of(dimension, rules, pod, name_space);
    if (value.value.empty()) continue;
    if (!out.origin.empty()) out.origin += ";";
    out.origin += std::string(dimension_name(dimension)) + "=" + value.origin;
    out.values[i] = std::move(value.value);
  }
  return out;
}

}  // namespace

DimensionValue dimension_of(Dimension dimension, const DimensionRules& rules, const PodRecord& pod, const NamespaceRecord* name_space) {
  const DimensionMapping& mapping = rules.of(dimension);
  for (std::size_t i = 0; i < mapping.rules.size(); ++i) {
    if (rule_matches(mapping.rules[i], pod)) return {mapping.rules[i].value, "rule " + std::to_string(i + 1)};
  }
  struct Source {
    std::string_view name;
    const Labels* labels;
  };
  const Source sources[] = {{"pod label", &pod.labels},
                            {"pod annotation", &pod.annotations},
                            {"resource attribute", &pod.resource_attributes},
                            {"namespace label", name_space != nullptr ? &name_space->labels : nullptr}};
  for (const Source& source : sources) {
    if (source.labels == nullptr) continue;
    for (const std::string& key : mapping.label_keys) {
      const std::string_view value = find_label(*source.labels, key, cleaned(key));
      if (!value.empty()) return {std::string(value), std::string(source.name) + " " + key};
    }
  }
  if (!mapping.default_value.empty()) return {mapping.default_value, "default"};
  return {};
}

void set_dimensions(const Inventory& inventory, const DimensionRules& rules, std::vector<LedgerRow>& rows) {
  std::map<std::string_view, PodDimensions> by_uid;
  std::map<std::string_view, const PodRecord*> pods;
  for (const PodRecord& pod : inventory.pods) pods[pod.uid] = &pod;
  for (LedgerRow& row : rows) {
    PodRecord only_namespace;  // an unmounted claim has a namespace but no pod
    const auto pod = pods.find(row.pod_uid);
    if (pod == pods.end() && row.namespace_name.empty()) continue;
    if (pod == pods.end()) {
      only_namespace.namespace_name = row.namespace_name;
      const NamespaceRecord* name_space = inventory.find_namespace(row.cluster, row.namespace_name);
      if (name_space == nullptr) name_space = inventory.find_namespace("", row.namespace_name);  // series without a cluster label
      const PodDimensions d = dimensions_of(rules, only_namespace, name_space);
      row.dimensions = d.values;
      row.dimension_origin = d.origin;
      continue;
    }
    auto known = by_uid.find(row.pod_uid);
    if (known == by_uid.end()) {
      const NamespaceRecord* name_space = inventory.find_namespace(pod->second->cluster, pod->second->namespace_name);
      known = by_uid.emplace(pod->first, dimensions_of(rules, *pod->second, name_space)).first;
    }
    row.dimensions = known->second.values;
    row.dimension_origin = known->second.origin;
  }
}

}  // namespace seedance
