#include "app/hour_input.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "allocation/gpu_share.h"
#include "app/device_series.h"
#include "inventory/state_metrics.h"

namespace seedance {
namespace {

using enum SignalId;

constexpr double kNano = 1e9;

// A container of a pod that is known by name only until the inventory is there.
struct NamedContainer {
  Symbol cluster;
  Symbol namespace_name;
  Symbol pod;
  Symbol pod_uid;  // 0: not said
  Symbol container;
  friend auto operator<=>(const NamedContainer&, const NamedContainer&) = default;
};

// What one exporter counts of a pod: a class of traffic to one service or over one interface.
struct TrafficName {
  NamedContainer pod;
  SignalId signal;
  Symbol detail;
  friend auto operator<=>(const TrafficName&, const TrafficName&) = default;
};

std::int64_t bytes_level(double v) { return v <= 0 ? 0 : std::llround(std::min(v, 9e18)); }
std::int64_t million_level(double v) { return std::llround(std::clamp(v, 0.0, 1.0) * static_cast<double>(kMillion)); }

struct PodName {
  std::string_view cluster;
  std::string_view namespace_name;
  std::string_view pod;
  friend auto operator<=>(const PodName&, const PodName&) = default;
};

// Finds pods by UID or, without one, by name: a name may have been several pods, one after the other.
class PodFinder {
 public:
  explicit PodFinder(const Inventory& inventory) {
    for (const PodRecord& pod : inventory.pods) {
      by_uid_[pod.uid] = &pod;
      by_name_[{pod.cluster, pod.namespace_name, pod.name}].push_back(&pod);
    }
  }
  std::vector<const PodRecord*> find(std::string_view uid, const PodName& name) const {
    if (!uid.empty()) {
      if (const auto at = by_uid_.find(uid); at != by_uid_.end()) return {at->second};
    }
    const auto at = by_name_.find(name);
    return at == by_name_.end() ? std::vector<const PodRecord*>{} : at->second;
  }

 private:
  std::map<std::string_view, const PodRecord*> by_uid_;
  std::map<PodName, std::vector<const PodRecord*>> by_name_;
};

}  // namespace

struct HourInput::State {
  const SeriesRegistry& registry;
  Interval hour;
  HourInputOptions options;
  InventoryBuilder inventory;
  DeviceSeries devices;
  std::map<NamedContainer, ContainerUsage> usage;
  std::map<NamedContainer, JobSignals> jobs;
  std::map<TrafficName, Steps> traffic;  // thousandths of a byte per second

  State(const SeriesRegistry& r, Interval h, HourInputOptions o)
      : registry(r), hour(h), options(std::move(o)), inventory(r.symbols(), options.timelines), devices(r.symbols()) {}

  static NamedContainer name_of(const SeriesMeaning& m, Symbol container) {
    return {m.cluster, m.namespace_name, m.pod, m.pod_uid, container};
  }

  void add_usage(const SeriesMeaning& m, std::span<const Sample> samples) {
    ContainerUsage& usage_of = usage[name_of(m, m.container)];
    // Two exporters, or a restarted container under a new cgroup: joined, never added.
    if (m.signal == kContainerCpu) {
      usage_of.cpu = max_of(usage_of.cpu, counter_steps(samples, options.timelines, kNano));
    } else {
      usage_of.memory = max_of(usage_of.memory, gauge_steps(samples, bytes_level));
    }
  }

  void add_job(const SeriesMeaning& m, std::span<const Sample> samples) {
    JobSignals& job = jobs[name_of(m, 0)];
    switch (m.signal) {
      case kJobDataWait: job.data_wait = max_of(job.data_wait, gauge_steps(samples, million_level)); break;
      case kJobCommunicationWait: job.communication_wait = max_of(job.communication_wait, gauge_steps(samples, million_level)); break;
      case kServeRequestsRunning:
        job.requests_running = max_of(job.requests_running, gauge_steps(samples, bytes_level));
        break;
      default: break;
    }
  }

  // Services add up; the same service from two exporters is joined.
  void add_traffic(const SeriesMeaning& m, std::span<const Sample> samples) {
    constexpr double kThousandths = 1000;  // of a byte per second: integer levels lose nothing that matters
    Steps& slot = traffic[{name_of(m, 0), m.signal, m.detail}];
    slot = max_of(slot, counter_steps(samples, options.timelines, kThousandths));
  }
  void book_traffic(SignalId signal, const Steps& rate, PodTraffic& t) const {
    const Int128 moved = integral(clip(rate, hour)) / 1'000 / kNanosPerSecond;
    std::int64_t& slot = signal == kPodEgressZone ? t.zone : signal == kPodEgressRegion ? t.region : t.internet;
    slot += static_cast<std::int64_t>(moved);
  }

  void resolve_pods(ClusterHour& out) const {
    const PodFinder finder(out.inventory);
    const SymbolTable& symbols = registry.symbols();
    const auto pods_of = [&](const NamedContainer& n) {
      return finder.find(symbols.text(n.pod_uid), {symbols.text(n.cluster), symbols.text(n.namespace_name), symbols.text(n.pod)});
    };
    for (const auto& [name, used] : usage) {
      for (const PodRecord* pod : pods_of(name)) {
        std::vector<ContainerUsage>& of_pod = out.usage[pod->uid];
        const std::string_view container = symbols.text(name.container);
        const auto at = std::find_if(of_pod.begin(), of_pod.end(), [&](const ContainerUsage& u) { return u.container == container; });
        if (at == of_pod.end()) {
          of_pod.push_back({std::string(container), used.cpu, used.memory});
        } else {
          at->cpu = max_of(at->cpu, used.cpu);
          at->memory = max_of(at->memory, used.memory);
        }
      }
    }
    for (const auto& [name, job] : jobs) {
      for (const PodRecord* pod : pods_of(name)) {
        JobSignals& of_pod = out.jobs[pod->uid];
        of_pod.data_wait = max_of(of_pod.data_wait, job.data_wait);
        of_pod.communication_wait = max_of(of_pod.communication_wait, job.communication_wait);
        of_pod.requests_running = max_of(of_pod.requests_running, job.requests_running);
      }
    }
    for (const auto& [name, rate] : traffic) {
      const std::vector<const PodRecord*> pods = pods_of(name.pod);
      if (!pods.empty()) book_traffic(name.signal, rate, out.traffic[pods.back()->uid]);
    }
    for (auto& [uid, list] : out.usage) {
      std::sort(list.begin(), list.end(), [](const ContainerUsage& a, const ContainerUsage& b) { return a.container < b.container; });
    }
  }

  std::int64_t gpus_of(const NodeRecord& node, const std::vector<DeviceActivity>& all) const {
    std::vector<std::string_view> uuids;
    for (const DeviceActivity& d : all) {
      if (d.cluster == node.cluster && d.node == node.name) uuids.push_back(d.uuid);
    }
    std::sort(uuids.begin(), uuids.end());
    uuids.erase(std::unique(uuids.begin(), uuids.end()), uuids.end());
    return node_gpus(node, hour, 0, static_cast<std::int64_t>(uuids.size())).physical;
  }
};

HourInput::HourInput(const SeriesRegistry& registry, Interval hour, HourInputOptions options)
    : state_(std::make_unique<State>(registry, hour, std::move(options))) {}
HourInput::~HourInput() = default;

void HourInput::add(std::uint32_t series, std::span<const Sample> samples) {
  const SeriesMeaning* meaning = state_->registry.meaning(series);
  if (meaning == nullptr || samples.empty()) return;
  // Devices read their own values; everything else is scaled here, where the user's table says so.
  std::vector<Sample> meant;
  if (meaning->device == 0 && (meaning->binding->scale != 1 || signal_of(meaning->signal).unit == "ratio")) {
    meant.assign(samples.begin(), samples.end());
    for (Sample& s : meant) s.value = meant_value(*meaning->binding, s.value);
    samples = meant;
  }
  static const Labels kNoLabels;
  const bool named = InventoryBuilder::needs_labels(meaning->signal);
  if (state_->inventory.add(*meaning, named ? state_->registry.labels(series) : kNoLabels, samples)) return;
  if (state_->devices.add(*meaning, samples)) return;
  switch (meaning->signal) {
    case kContainerCpu:
    case kContainerMemory: state_->add_usage(*meaning, samples); break;
    case kJobDataWait:
    case kJobCommunicationWait:
    case kServeRequestsRunning: state_->add_job(*meaning, samples); break;
    case kPodEgressZone:
    case kPodEgressRegion:
    case kPodEgressInternet: state_->add_traffic(*meaning, samples); break;
    default: break;
  }
}

ClusterHour HourInput::finish(const PriceBook& book) {
  ClusterHour out;
  out.hour = state_->hour;
  out.inventory = state_->inventory.finish();
  state_->resolve_pods(out);
  out.devices = state_->devices.finish(out.inventory, state_->options.timelines);
  for (const NodeRecord& node : out.inventory.nodes) {
    NodePriceOptions prices = state_->options.prices;
    prices.gpus_seen = state_->gpus_of(node, out.devices);
    out.prices.push_back(node_prices(node, state_->hour, book, prices));
  }
  return out;
}

Nanos state_resolution(std::span<const Nanos> spacings) {
  std::map<Nanos, std::size_t> counts;
  for (const Nanos s : spacings) {
    if (s > Nanos{0}) ++counts[s];
  }
  const auto most = std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == counts.end() ? Nanos{std::chrono::seconds(60)} : std::min<Nanos>(most->first, std::chrono::minutes(5));
}

}  // namespace seedance
