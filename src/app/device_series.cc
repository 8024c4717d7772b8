#include "app/device_series.h"

#include <algorithm>
#include <cmath>

namespace seedance {
namespace {

using enum SignalId;

bool is_activity(SignalId id) {
  switch (id) {
    case kGpuEngineActive:
    case kGpuUtilization:
    case kGpuSmActive:
    case kGpuTensorActive:
    case kGpuFp64Active:
    case kGpuFp32Active:
    case kGpuFp16Active:
    case kGpuDramActive: return true;
    default: return false;
  }
}

bool is_memory(SignalId id) { return id == kGpuMemoryUsed || id == kGpuMemoryFree || id == kGpuMemoryReserved; }

constexpr std::int64_t kStoppedFrom = kMillion / 2;  // of utilization

// The sum where both are there.
Steps both_of(const Steps& a, const Steps& b) {
  if (a.empty() || b.empty()) return {};
  Steps out;
  const Steps* const parts[] = {&a, &b};
  sweep(parts, {a.front().from, a.back().to}, [&](Interval piece, std::span<const std::int64_t> at) {
    if (at[0] != kAbsent && at[1] != kAbsent) out.push_back({piece.from, piece.to, at[0] + at[1]});
  });
  return compact(std::move(out));
}

std::int64_t byte_count(double v) { return v <= 0 ? 0 : std::llround(std::min(v, 9e18)); }
std::int64_t ratio_level(double v) { return std::llround(std::clamp(v, 0.0, 1.0) * static_cast<double>(kMillion)); }

}  // namespace

bool DeviceSeries::add(const SeriesMeaning& m, std::span<const Sample> samples) {
  if (m.device == 0) return false;
  Device& device = devices_[{m.cluster, m.device, m.instance}];
  device.is_by_place = m.is_device_by_place;
  if (m.node != 0) device.hosts.insert(symbols_.text(m.node));
  if (m.profile != 0) device.profile = m.profile;
  if (m.index != 0) device.index = m.index;
  if (m.model != 0) device.model = m.model;
  if (is_activity(m.signal) || is_memory(m.signal)) {
    Gauge& gauge = device.gauges[m.signal];
    ++gauge.series;
    for (const Sample& s : samples) gauge.samples.push_back({s.timestamp_ms, meant_value(*m.binding, s.value)});
  }
  // The memory series is there on every card, also where profiling counters are not.
  if (!is_activity(m.signal) && m.signal != kGpuMemoryUsed) return true;
  std::vector<Sample>* seen = &device.free;
  if (m.pod != 0) {
    Holder& holder = device.holders[{m.namespace_name, m.pod, m.container}];
    holder.by_exporter = holder.by_exporter || m.is_pod_by_exporter;
    seen = &holder.seen;
  }
  for (const Sample& s : samples) seen->push_back({s.timestamp_ms, is_stale_marker(s.value) ? s.value : 1.0});
  return true;
}

Steps DeviceSeries::gauge(const Device& device, SignalId signal, const std::function<std::int64_t(double)>& level) const {
  const auto at = device.gauges.find(signal);
  if (at == device.gauges.end()) return {};
  std::vector<Sample> samples = at->second.samples;
  if (at->second.series > 1) {
    // The end of one holder's series is not the end of the device.
    std::erase_if(samples, [](const Sample& s) { return is_stale_marker(s.value); });
  }
  sort_samples(samples);
  return gauge_steps(samples, level);
}

Steps DeviceSeries::ratio(const Device& device, SignalId signal) const { return gauge(device, signal, ratio_level); }
Steps DeviceSeries::bytes(const Device& device, SignalId signal) const { return gauge(device, signal, byte_count); }

namespace {

// Where kernels run and a profiling counter stands at 0, the counter has stopped, and what it says is missing. The engine's own
// counter, or without one the SMs', is enough of a contradiction; the pipes may well rest, unless everything profiled is at 0.
void leave_out_stopped_counters(DeviceActivity& device) {
  if (device.utilization.empty()) return;
  const Interval span{device.utilization.front().from, device.utilization.back().to};
  const Steps* const counters[] = {&device.utilization, &device.engine_active, &device.sm_active, &device.math_active, &device.dram_active};
  Steps without_engine;
  Steps without_sm;
  Steps without_pipes;
  sweep(counters, span, [&](Interval piece, std::span<const std::int64_t> at) {
    if (at[0] == kAbsent || at[0] < kStoppedFrom) return;
    const Step out{piece.from, piece.to, 1};
    if (at[1] == 0) without_engine.push_back(out);
    if (at[2] == 0) without_sm.push_back(out);
    const std::int64_t highest = std::max({at[1], at[2], at[3], at[4]});
    if (highest == 0) without_pipes.push_back(out);
  });
  const auto cut = [](Steps& from, const Steps& gone) {
    if (gone.empty() || from.empty()) return;
    Steps left;
    const Steps* const both[] = {&from, &gone};
    sweep(both, {from.front().from, from.back().to}, [&](Interval piece, std::span<const std::int64_t> at) {
      if (at[0] != kAbsent && at[1] == kAbsent) left.push_back({piece.from, piece.to, at[0]});
    });
    from = compact(std::move(left));
  };
  cut(device.engine_active, without_engine);
  cut(device.sm_active, without_sm);
  for (Steps* pipe : {&device.math_active, &device.tensor_active, &device.dram_active}) cut(*pipe, without_pipes);
}

}  // namespace

DeviceActivity DeviceSeries::activity(const Key& key, const Device& device, const TimelineOptions& options) const {
  const auto text = [&](Symbol s) { return std::string(symbols_.text(s)); };
  DeviceActivity out;
  out.cluster = text(std::get<0>(key));
  out.uuid = text(std::get<1>(key));
  out.instance = text(std::get<2>(key));
  out.profile = text(device.profile);
  out.index = text(device.index);
  out.model = text(device.model);
  out.engine_active = ratio(device, kGpuEngineActive);
  out.utilization = ratio(device, kGpuUtilization);
  out.sm_active = ratio(device, kGpuSmActive);
  out.tensor_active = ratio(device, kGpuTensorActive);
  out.dram_active = ratio(device, kGpuDramActive);
  out.memory_used = bytes(device, kGpuMemoryUsed);
  out.memory_size = both_of(out.memory_used, bytes(device, kGpuMemoryFree));
  if (const Steps reserved = bytes(device, kGpuMemoryReserved); !reserved.empty()) out.memory_size = both_of(out.memory_size, reserved);
  for (const SignalId pipe : {kGpuTensorActive, kGpuFp64Active, kGpuFp32Active, kGpuFp16Active}) {
    out.math_active = max_of(out.math_active, ratio(device, pipe));
  }
  leave_out_stopped_counters(out);
  const auto presence = [&](std::vector<Sample> samples) {
    sort_samples(samples);
    return state_steps(samples, options, [](double) { return 1; });
  };
  out.free = presence(device.free);
  for (const auto& [name, holder] : device.holders) {
    const auto& [namespace_name, pod, container] = name;
    out.holders.push_back({text(namespace_name), text(pod), text(container), presence(holder.seen), holder.by_exporter});
  }
  std::sort(out.holders.begin(), out.holders.end(), [](const DeviceHolder& a, const DeviceHolder& b) {
    return std::tie(a.namespace_name, a.pod, a.container) < std::tie(b.namespace_name, b.pod, b.container);
  });
  return out;
}

namespace {

// Looks up where a device is: by one of the names its exporters gave, else by the pod that held it.
class NodeFinder {
 public:
  explicit NodeFinder(const Inventory& inventory) {
    for (const NodeRecord& node : inventory.nodes) nodes_.emplace(node.cluster, node.name);
    for (const PodRecord& pod : inventory.pods) node_of_pod_[{pod.cluster, pod.namespace_name, pod.name}] = pod.node;
  }
  std::string find(const std::set<std::string_view>& hosts, const DeviceActivity& device) const {
    const std::string_view cluster = device.cluster;
    for (const std::string_view host : hosts) {
      if (nodes_.contains({cluster, host})) return std::string(host);
    }
    for (const std::string_view host : hosts) {
      const std::string_view short_name = host.substr(0, host.find('.'));
      if (nodes_.contains({cluster, short_name})) return std::string(short_name);
    }
    for (const DeviceHolder& holder : device.holders) {
      const auto at = node_of_pod_.find({cluster, holder.namespace_name, holder.pod});
      if (at != node_of_pod_.end() && !at->second.empty()) return std::string(at->second);
    }
    return hosts.empty() ? std::string{} : std::string(*hosts.begin());
  }

 private:
  std::set<std::pair<std::string_view, std::string_view>> nodes_;
  std::map<std::tuple<std::string_view, std::string_view, std::string_view>, std::string_view> node_of_pod_;
};

}  // namespace

void DeviceSeries::merge_by_place() {
  using Place = std::tuple<Symbol, std::string_view, Symbol, Symbol>;  // cluster, host, number of the card, instance
  std::map<Place, Device*> named;
  const auto for_places = [](const Key& key, const Device& device, const std::function<void(const Place&)>& visit) {
    for (const std::string_view host : device.hosts) visit({std::get<0>(key), host, device.index, std::get<2>(key)});
  };
  for (auto& [key, device] : devices_) {
    if (device.is_by_place || device.index == 0) continue;
    for_places(key, device, [&, d = &device](const Place& place) {
      const auto [at, is_first] = named.try_emplace(place, d);
      if (!is_first) at->second = nullptr;  // two cards in one hour: nobody can tell
    });
  }
  std::erase_if(devices_, [&](auto& entry) {
    auto& [key, device] = entry;
    if (!device.is_by_place) return false;
    Device* card = nullptr;
    for_places(key, device, [&](const Place& place) {
      const auto at = named.find(place);
      if (at != named.end()) card = at->second;
    });
    if (card == nullptr) return false;
    for (auto& [signal, gauge] : device.gauges) {
      Gauge& of_card = card->gauges[signal];
      of_card.series += gauge.series;
      of_card.samples.insert(of_card.samples.end(), gauge.samples.begin(), gauge.samples.end());
    }
    for (auto& [name, holder] : device.holders) {
      Holder& of_card = card->holders[name];
      of_card.by_exporter = of_card.by_exporter || holder.by_exporter;
      of_card.seen.insert(of_card.seen.end(), holder.seen.begin(), holder.seen.end());
    }
    card->free.insert(card->free.end(), device.free.begin(), device.free.end());
    if (card->model == 0) card->model = device.model;
    if (card->profile == 0) card->profile = device.profile;
    return true;
  });
}

std::vector<DeviceActivity> DeviceSeries::finish(const Inventory& inventory, const TimelineOptions& options) {
  merge_by_place();
  const NodeFinder nodes(inventory);
  std::vector<DeviceActivity> out;
  for (const auto& [key, device] : devices_) {
    out.push_back(activity(key, device, options));
    out.back().node = nodes.find(device.hosts, out.back());
  }
  std::sort(out.begin(), out.end(), [](const DeviceActivity& a, const DeviceActivity& b) {
    return std::tuple(a.cluster, a.node, a.key()) < std::tuple(b.cluster, b.node, b.key());
  });
  return out;
}

}  // namespace seedance
