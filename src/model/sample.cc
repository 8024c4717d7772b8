#include "model/sample.h"

#include <algorithm>
#include <cmath>

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

void sort_samples(std::vector<Sample>& samples) {
  const auto rank = [](double v) { return is_stale_marker(v) ? 0 : std::isnan(v) ? 1 : 2; };
  std::sort(samples.begin(), samples.end(), [&](const Sample& a, const Sample& b) {
    if (a.timestamp_ms != b.timestamp_ms) return a.timestamp_ms < b.timestamp_ms;
    if (rank(a.value) != rank(b.value)) return rank(a.value) > rank(b.value);
    return rank(a.value) == 2 && a.value > b.value;
  });
  const auto same_time = [](const Sample& a, const Sample& b) { return a.timestamp_ms == b.timestamp_ms; };
  samples.erase(std::unique(samples.begin(), samples.end(), same_time), samples.end());
}

}  // namespace seedance
