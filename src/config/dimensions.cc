#include "config/dimensions.h"

#include <algorithm>
#include <array>
#include <span>

#include "config/nearest.h"
#include "config/settings.h"

namespace seedance {
namespace {

constexpr std::size_t kRulesMax = 10'000;

tl::unexpected<Error> unknown_key(const YamlEntry& entry, YamlSource source, std::span<const std::string_view> known) {
  const std::string_view near = nearest_name(entry.key, known);
  std::string hint = near.empty() ? std::string() : "did you mean \"" + std::string(near) + "\"?";
  return fail_at(source, entry.place, "unknown key: " + entry.key, std::move(hint));
}

Result<std::string> read_text(const YamlNode& node, YamlSource source, std::string_view what) {
  if (node.kind != YamlNode::Kind::kText || node.text.empty()) {
    return fail_at(source, node.place, "text expected for " + std::string(what));
  }
  return node.text;
}

Result<std::vector<Label>> read_pairs(const YamlNode& node, YamlSource source, std::string_view what) {
  if (node.kind != YamlNode::Kind::kMap)
    return fail_at(source, node.place, "a map is expected for " + std::string(what));
  std::vector<Label> pairs;
  for (const YamlEntry& entry : node.map) {
    TRY_ASSIGN(std::string value, read_text(entry.value, source, entry.key));
    pairs.push_back({entry.key, std::move(value)});
  }
  std::ranges::sort(pairs);
  return pairs;
}

Result<DimensionRule> read_rule(const YamlNode& node, YamlSource source) {
  constexpr std::string_view kKeys[] = {"namespace", "workload", "label", "value"};
  if (node.kind != YamlNode::Kind::kMap) return fail_at(source, node.place, "a rule has to be a map");
  DimensionRule rule;
  for (const YamlEntry& entry : node.map) {
    if (entry.key == "label") {
      TRY_ASSIGN(rule.labels, read_pairs(entry.value, source, "label"));
    } else if (entry.key == "namespace") {
      TRY_ASSIGN(rule.namespace_glob, read_text(entry.value, source, entry.key));
    } else if (entry.key == "workload") {
      TRY_ASSIGN(rule.workload_glob, read_text(entry.value, source, entry.key));
    } else if (entry.key == "value") {
      TRY_ASSIGN(rule.value, read_text(entry.value, source, entry.key));
    } else {
      return unknown_key(entry, source, kKeys);
    }
  }
  if (rule.value.empty()) return fail_at(source, node.place, "a rule without value");
  if (rule.namespace_glob.empty() && rule.workload_glob.empty() && rule.labels.empty()) {
    return fail_at(source, node.place, "a rule without a condition", "use `default` for what always holds");
  }
  return rule;
}

Result<void> read_labels(const YamlNode& node, YamlSource source, std::vector<std::string>& keys) {
  if (node.kind != YamlNode::Kind::kList) return fail_at(source, node.place, "a list is expected for labels");
  keys.clear();
  for (const YamlNode& key : node.list) {
    TRY_ASSIGN(std::string text, read_text(key, source, "a label key"));
    if (std::ranges::find(keys, text) != keys.end())
      return fail_at(source, key.place, "label key given twice: " + text);
    keys.push_back(std::move(text));
  }
  return {};
}

Result<void> read_mapping(const YamlNode& node, YamlSource source, DimensionMapping& mapping) {
  constexpr std::string_view kKeys[] = {"labels", "rules", "owners", "default"};
  if (node.kind != YamlNode::Kind::kMap) return fail_at(source, node.place, "a dimension has to be a map");
  for (const YamlEntry& entry : node.map) {
    if (entry.key == "labels") {
      TRY(read_labels(entry.value, source, mapping.label_keys));
    } else if (entry.key == "rules") {
      if (entry.value.kind != YamlNode::Kind::kList)
        return fail_at(source, entry.value.place, "a list is expected for rules");
      if (entry.value.list.size() > kRulesMax) {
        return fail_at(source, entry.place, "too many rules, allowed: " + std::to_string(kRulesMax), {},
                       Code::kTooLarge);
      }
      for (const YamlNode& rule : entry.value.list) {
        TRY_ASSIGN(DimensionRule read, read_rule(rule, source));
        mapping.rules.push_back(std::move(read));
      }
    } else if (entry.key == "owners") {
      TRY_ASSIGN(const std::vector<Label> owners, read_pairs(entry.value, source, "owners"));
      for (const Label& owner : owners) mapping.owners.push_back({owner.name, owner.value});
    } else if (entry.key == "default") {
      TRY_ASSIGN(mapping.default_value, read_text(entry.value, source, entry.key));
    } else {
      return unknown_key(entry, source, kKeys);
    }
  }
  return {};
}

}  // namespace

Result<DimensionRules> read_dimension_rules(const YamlNode& node, YamlSource source) {
  DimensionRules rules = default_dimension_rules();
  if (node.kind == YamlNode::Kind::kNull) return rules;
  if (node.kind != YamlNode::Kind::kMap) return fail_at(source, node.place, "a map of dimensions is expected");
  std::array<std::string_view, kDimensionCount> known;
  for (std::size_t i = 0; i < kDimensionCount; ++i) known[i] = dimension_name(static_cast<Dimension>(i));
  for (const YamlEntry& entry : node.map) {
    const std::optional<Dimension> dimension = dimension_from_name(entry.key);
    if (!dimension) return unknown_key(entry, source, known);
    TRY(read_mapping(entry.value, source, rules.of(*dimension)));
  }
  return rules;
}

Result<DimensionRules> parse_dimension_rules(std::string_view text, std::string_view file_name) {
  const YamlSource source{file_name, text};
  TRY_ASSIGN(const YamlNode node, parse_yaml(source));
  return read_dimension_rules(node, source);
}

}  // namespace seedance
