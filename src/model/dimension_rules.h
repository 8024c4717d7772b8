// How a row of money gets its eight dimension values: which labels to read, which rules override them, who owns a
// value.
//
// For each dimension, in this order: the first rule that matches; else the first label key that is present on the
// nearest object (container, pod, workload, namespace); else the default. These are plain structs; `config/` fills
// them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/sample.h"

namespace seedance {

enum class Dimension : std::uint8_t {
  kTenant,
  kTeam,
  kTaskType,
  kDataSource,
  kSla,
  kEnvironment,
  kDomain,
  kBusinessUnit,
};
inline constexpr std::size_t kDimensionCount = 8;

std::string_view dimension_name(Dimension dimension);  // "tenant", ..., "business_unit"
std::optional<Dimension> dimension_from_name(std::string_view name);

// Every condition that is given must hold. Globs know `*` (any run of characters) and `?` (one character).
struct DimensionRule {
  std::string namespace_glob;  // empty: any namespace
  std::string workload_glob;   // empty: any workload
  std::vector<Label> labels;   // sorted by name; the pod carries all of them with exactly these values
  std::string value;
  friend bool operator==(const DimensionRule&, const DimensionRule&) = default;
};

struct DimensionMapping {
  // As Kubernetes spells them ("app.kubernetes.io/team"); the reader compares them with exporter labels after the
  // exporter's own clean-up (every character but letters, digits and _ becomes _).
  std::vector<std::string> label_keys;
  std::vector<DimensionRule> rules;                         // the first that matches wins
  std::vector<std::pair<std::string, std::string>> owners;  // value -> owner, sorted by value
  std::string default_value;                                // empty: the row stays without a value
  friend bool operator==(const DimensionMapping&, const DimensionMapping&) = default;
};

struct DimensionRules {
  std::array<DimensionMapping, kDimensionCount> mappings;  // indexed by Dimension
  const DimensionMapping& of(Dimension d) const { return mappings[static_cast<std::size_t>(d)]; }
  DimensionMapping& of(Dimension d) { return mappings[static_cast<std::size_t>(d)]; }
  friend bool operator==(const DimensionRules&, const DimensionRules&) = default;
};

// The label keys that are read when nothing is configured; no rules, no owners, no defaults.
DimensionRules default_dimension_rules();

// True when `text` matches `glob`. Linear in practice, never worse than |glob| x |text|.
bool glob_matches(std::string_view glob, std::string_view text);

}  // namespace seedance
