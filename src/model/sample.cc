#include "model/sample.h"

#include <algorithm>

namespace seedance {

std::string_view label_value(const Labels& labels, std::string_view name) {
  const auto at = std::lower_bound(labels.begin(), labels.end(), name,
                                   [](const Label& label, std::string_view wanted) { return label.name < wanted; });
  return at != labels.end() && at->name == name ? std::string_view(at->value) : std::string_view{};
}

std::string print_labels(const Labels& labels) {
  std::string out = "{";
  for (const Label& label : labels) {
    if (out.size() > 1) out += ",";
    out += label.name + "=\"";
    for (const char c : label.value) {
      if (c == '\\' || c == '"') out.push_back('\\');
      if (c == '\n') {
        out += "\\n";
      } else {
        out.push_back(c);
      }
    }
    out += "\"";
  }
  return out + "}";
}

}  // namespace seedance
