// OpenMetrics wants each family once and each series in one piece, exporters speak scrape by scrape. So the export
// collects the values of every series, about 25 bytes a sample, and prints family by family at the end.
#include "simulate/open_metrics_export.h"

#include <map>
#include <utility>
#include <vector>

namespace seedance {
namespace {

struct Target {
  Page page = Page::kKubeStateMetrics;
  std::string_view job;
  std::string_view port;
  bool only_train = false;         // this instance watches one namespace
  std::string_view instance = {};  // for exporters that speak for the cluster
};

constexpr Target kTargets[] = {
    {.page = Page::kKubeStateMetrics, .job = "kube-state-metrics", .port = {}, .instance = "10.0.0.11:8080"},
    {.page = Page::kKubeStateMetrics,
     .job = "kube-state-metrics",
     .port = {},
     .only_train = true,
     .instance = "10.0.0.12:8080"},
    {.page = Page::kCadvisor, .job = "kubelet", .port = "10250"},
    {.page = Page::kDcgm, .job = "dcgm-exporter", .port = "9400"},
    {.page = Page::kDcgmDuplicate, .job = "dcgm-exporter", .port = "9401"},
    {.page = Page::kNodeExporter, .job = "node-exporter", .port = "9100"},
    {.page = Page::kNodePrice, .job = "node-price", .port = {}, .instance = "10.0.0.13:9800"},
    {.page = Page::kAgent, .job = "seedance-agent", .port = {}, .instance = "10.0.0.14:9810"},
};

// "1772409600" or "1772409600.5": OpenMetrics timestamps are seconds.
std::string seconds_of(TimePoint at) {
  const std::int64_t millis = millis_of(at);
  std::string text = std::to_string(millis / 1000);
  if (millis % 1000 == 0) return text;
  std::string rest = std::to_string(millis % 1000);
  rest.insert(0, 3 - rest.size(), '0');
  return text + "." + rest;
}

class Collector final : public SeriesSink {
 public:
  explicit Collector(const ClusterPlan& plan) : plan_(plan) {}

  void begin(const Target& target, TimePoint at) {
    target_ = &target;
    ending_ = " " + seconds_of(at) + "\n";
  }

  void family(const MetricFamily& family) override {
    const auto [at, is_new] = index_.try_emplace(family.name, families_.size());
    if (is_new) families_.push_back({family, {}, {}});
    current_ = at->second;
  }

  void sample(std::string_view labels, std::string_view value, std::size_t node) override {
    if (target_->only_train && labels.find("namespace=\"train\"") == std::string_view::npos) return;
    Family& family = families_[current_];
    std::string all = scraped_labels(labels, node);
    const auto [at, is_new] = family.index.try_emplace(std::move(all), family.series.size());
    if (is_new) family.series.push_back({at->first, {}});
    std::string& samples = family.series[at->second].samples;
    samples += ' ';
    samples += value;
    samples += ending_;
  }

  void print(const std::function<void(std::string_view)>& sink) const {
    for (const Family& family : families_) print_family(family, sink);
    sink("# EOF\n");
  }

 private:
  struct Series {
    std::string labels;
    std::string samples;  // " value time\n" for each
  };
  struct Family {
    MetricFamily family;
    std::map<std::string, std::size_t, std::less<>> index;  // into series, which stay in the order of appearance
    std::vector<Series> series;
  };

  std::string scraped_labels(std::string_view labels, std::size_t node) const {
    LabelText text{std::string(labels)};
    std::string instance(target_->instance);
    if (node != kNoNode) instance = plan_.nodes[node].address + ":" + std::string(target_->port);
    text.add("instance", instance).add("job", target_->job);
    if (target_->page == Page::kCadvisor) {
      text.add("metrics_path", "/metrics/cadvisor").add("node", plan_.nodes[node].name);
    }
    return text.str();
  }

  // A counter's family is named without _total; one whose samples lack _total can only be of unknown type.
  static void print_family(const Family& family, const std::function<void(std::string_view)>& sink) {
    constexpr std::string_view kTotal = "_total";
    std::string_view name = family.family.name;
    std::string_view type = family.family.type;
    if (type == "counter" && name.ends_with(kTotal)) {
      name.remove_suffix(kTotal.size());
    } else if (type == "counter") {
      type = "unknown";
    }
    std::string head = "# HELP " + std::string(name) + " " + std::string(family.family.help) + "\n# TYPE " +
                       std::string(name) + " " + std::string(type) + "\n";
    sink(head);
    for (const Series& series : family.series) {
      const std::string start = std::string(family.family.name) + "{" + series.labels + "}";
      std::string lines;
      for (std::size_t at = 0; at < series.samples.size();) {
        const std::size_t end = series.samples.find('\n', at) + 1;
        lines += start;
        lines.append(series.samples, at, end - at);
        at = end;
      }
      sink(lines);
    }
  }

  const ClusterPlan& plan_;  // outlives the collector, which lives for one export
  const Target* target_ = nullptr;
  std::string ending_;
  std::vector<Family> families_;
  std::map<std::string_view, std::size_t> index_;
  std::size_t current_ = 0;
};

}  // namespace

void write_view(const PageView& view, Page page, SeriesSink& sink) {
  switch (page) {
    case Page::kKubeStateMetrics:
      write_kube_nodes(view, sink);
      write_kube_pods(view, sink);
      write_kube_containers(view, sink);
      return;
    case Page::kCadvisor: return write_cadvisor(view, sink);
    case Page::kDcgm: return write_dcgm(view, sink);
    case Page::kDcgmDuplicate: return write_dcgm_duplicate(view, sink);
    case Page::kNodeExporter: return write_node_exporter(view, sink);
    case Page::kNodePrice: return write_node_prices(view, sink);
    case Page::kAgent: return write_agent(view, sink);
  }
}

void export_open_metrics(const ClusterPlan& plan, TimePoint from, TimePoint to,
                         const std::function<void(std::string_view)>& sink) {
  Collector collector(plan);
  for (TimePoint at = from; at < to; at += plan.scrape_interval) {
    const PageView view(plan, at, 0, plan.nodes.size());
    for (const Target& target : kTargets) {
      collector.begin(target, at);
      write_view(view, target.page, collector);
    }
  }
  collector.print(sink);
}

}  // namespace seedance
