// Where pages put their series, and how labels and values are spelt.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace seedance {

inline constexpr std::size_t kNoNode = static_cast<std::size_t>(-1);

struct MetricFamily {
  std::string_view name;
  std::string_view help;
  std::string_view type;  // "gauge" or "counter"
};

class SeriesSink {
 public:
  virtual ~SeriesSink() = default;
  virtual void family(const MetricFamily& family) = 0;
  // One sample of the family named last. `labels` is the text between the braces, `value` as the exporter prints it,
  // `node` the machine whose exporter says it, or kNoNode when one exporter speaks for the cluster.
  virtual void sample(std::string_view labels, std::string_view value, std::size_t node) = 0;
};

// name="value",name="value" in the order given; values are escaped.
class LabelText {
 public:
  LabelText() = default;
  explicit LabelText(std::string text) : text_(std::move(text)) {}
  LabelText& add(std::string_view name, std::string_view value);
  const std::string& str() const { return text_; }

 private:
  std::string text_;
};

// A Kubernetes label or resource name as exporters clean it: every character but letters, digits and _ becomes _.
std::string cleaned_name(std::string_view name);

// As Go's strconv prints a float with 'g' and shortest digits: 1, 0.25, 1.7724096e+09. What Go exporters print.
std::string go_number(double value);
// As C's %f prints it with six decimals, from millionths: what the GPU exporter prints for ratios and watts.
std::string six_decimals(std::int64_t millionths);

// Writes the Prometheus text format without timestamps.
class PageText final : public SeriesSink {
 public:
  explicit PageText(std::string& out) : out_(out) {}
  void family(const MetricFamily& family) override;
  void sample(std::string_view labels, std::string_view value, std::size_t node) override;

 private:
  std::string& out_;  // outlives the object: the caller of write_page owns it
  std::string_view name_;
};

}  // namespace seedance
