#include "model/dimension_rules.h"

namespace seedance {
namespace {

constexpr std::array<std::string_view, kDimensionCount> kDimensionNames = {
    "tenant", "team", "task_type", "data_source", "sla", "environment", "domain", "business_unit"};

}  // namespace

std::string_view dimension_name(Dimension dimension) { return kDimensionNames[static_cast<std::size_t>(dimension)]; }

std::optional<Dimension> dimension_from_name(std::string_view name) {
  for (std::size_t i = 0; i < kDimensionCount; ++i) {
    if (kDimensionNames[i] == name) return static_cast<Dimension>(i);
  }
  return std::nullopt;
}

DimensionRules default_dimension_rules() {
  DimensionRules rules;
  rules.of(Dimension::kTenant).label_keys = {"tenant"};
  rules.of(Dimension::kTeam).label_keys = {"team", "app.kubernetes.io/team"};
  rules.of(Dimension::kTaskType).label_keys = {"task_type", "task-type"};
  rules.of(Dimension::kDataSource).label_keys = {"data_source", "data-source"};
  rules.of(Dimension::kSla).label_keys = {"sla"};
  rules.of(Dimension::kEnvironment).label_keys = {"environment", "env"};
  rules.of(Dimension::kDomain).label_keys = {"domain"};
  rules.of(Dimension::kBusinessUnit).label_keys = {"business_unit", "business-unit", "bu"};
  return rules;
}

// The usual two-pointer walk: on a mismatch go back to the last `*` and let it swallow one character more.
bool glob_matches(std::string_view glob, std::string_view text) {
  std::size_t g = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t star_text = 0;
  while (t < text.size()) {
    if (g < glob.size() && glob[g] == '*') {
      star = g++;
      star_text = t;
    } else if (g < glob.size() && (glob[g] == '?' || glob[g] == text[t])) {
      ++g;
      ++t;
    } else if (star != std::string_view::npos) {
      g = star + 1;
      t = ++star_text;
    } else {
      return false;
    }
  }
  while (g < glob.size() && glob[g] == '*') ++g;
  return g == glob.size();
}

}  // namespace seedance
