// Small clusters for tests: one hour from 14:00, one node after the other, pods that run all the time unless told otherwise.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "allocation/hour_books.h"

namespace seedance {

inline const TimePoint kMadeStart = time_from_seconds(1'796'047'200);  // 2026-11-30T14:00:00Z
inline const Interval kMadeHour{kMadeStart, kMadeStart + std::chrono::hours(1)};

inline TimePoint made_second(std::int64_t s) { return kMadeStart + std::chrono::seconds(s); }
inline TimePoint made_minute(std::int64_t m) { return made_second(m * 60); }
// A level between two minutes of the hour; by default all of it.
inline Steps made_steps(std::int64_t level, std::int64_t from_minute = 0, std::int64_t to_minute = 60) {
  return {{made_minute(from_minute), made_minute(to_minute), level}};
}
inline constexpr std::int64_t kMadeCore = 1'000'000'000;
inline constexpr std::int64_t kMadeGib = std::int64_t{1} << 30;

class MadeContainer {
 public:
  explicit MadeContainer(std::string name) { record_.name = std::move(name); }
  MadeContainer& cpu(double cores) { return request("cpu", static_cast<std::int64_t>(cores * 1e9)); }
  MadeContainer& memory(double gib) { return request("memory", static_cast<std::int64_t>(gib * 1073741824.0)); }
  MadeContainer& gpus(std::int64_t count) { return request("nvidia_com_gpu", count); }
  MadeContainer& request(std::string resource, std::int64_t amount) { return request_steps(std::move(resource), made_steps(amount)); }
  MadeContainer& request_steps(std::string resource, Steps amount) {
    record_.requests.push_back({std::move(resource), std::move(amount)});
    return *this;
  }
  MadeContainer& init() { record_.init = true; return *this; }
  MadeContainer& sidecar() { record_.init = record_.sidecar = true; return *this; }
  MadeContainer& running(Steps steps) { record_.running = std::move(steps); return *this; }
  const ContainerRecord& record() const { return record_; }

 private:
  ContainerRecord record_;
};

class MadePod {
 public:
  // "namespace/name"; the UID is the same text.
  explicit MadePod(const std::string& full_name) {
    record_.uid = full_name;
    record_.namespace_name = full_name.substr(0, full_name.find('/'));
    record_.name = full_name.substr(full_name.find('/') + 1);
    record_.workload_kind = "Pod";
    record_.workload = record_.name;
    record_.node = "n1";
    record_.bound = made_steps(1);
  }
  MadePod& uid(std::string value) { record_.uid = std::move(value); return *this; }
  MadePod& on(std::string node) { record_.node = std::move(node); return *this; }
  MadePod& between(std::int64_t from_minute, std::int64_t to_minute) { record_.bound = made_steps(1, from_minute, to_minute); return *this; }
  MadePod& label(std::string key, std::string value) {
    record_.labels.push_back({std::move(key), std::move(value)});
    std::sort(record_.labels.begin(), record_.labels.end());
    return *this;
  }
  MadePod& with(const MadeContainer& container) {
    record_.containers.push_back(container.record());
    std::sort(record_.containers.begin(), record_.containers.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return *this;
  }
  PodRecord& record() { return record_; }

 private:
  PodRecord record_;
};

class MadeCluster {
 public:
  ClusterHour hour;
  AllocationOptions options;
  DimensionRules rules;

  MadeCluster() { hour.hour = kMadeHour; }

  // A node that is there all the time at `rate` nano-units an hour, split over its parts by the three weights.
  NodeRecord& node(const std::string& name, std::int64_t cores, std::int64_t gib, std::int64_t gpus, std::int64_t rate, Int128 cpu_weight = 1,
                   Int128 memory_weight = 1, Int128 gpu_weight = 1) {
    NodeRecord record;
    record.name = record.uid = name;
    record.present = made_steps(1);
    record.capacity = {{"cpu", made_steps(cores * kMadeCore)}, {"memory", made_steps(gib * kMadeGib)}};
    if (gpus > 0) record.capacity.push_back({"nvidia_com_gpu", made_steps(gpus)});
    hour.inventory.nodes.push_back(record);
    NodePrices prices;
    prices.gpu_millis = gpus * 1'000;
    PricePiece piece;
    piece.span = kMadeHour;
    piece.is_priced = true;
    piece.rate = {rate};
    piece.cpu_weight = cpu_weight;
    piece.memory_weight = memory_weight;
    piece.gpu_weight = gpus > 0 ? gpu_weight : 0;
    piece.currency = "USD";
    piece.source = "made";
    prices.pieces = {piece};
    hour.prices.push_back(prices);
    return hour.inventory.nodes.back();
  }
  void pod(MadePod pod) { hour.inventory.pods.push_back(std::move(pod.record())); }
  void use(const std::string& uid, const std::string& container, Steps cpu, Steps memory = {}) { hour.usage[uid].push_back({container, std::move(cpu), std::move(memory)}); }
  // A device of `node`, busy at `active` parts per million, held by "namespace/pod" all the time; no holder when that is empty.
  DeviceActivity& device(const std::string& node, const std::string& uuid, const std::string& holder = {}, std::int64_t active = -1) {
    DeviceActivity d;
    d.node = node;
    d.uuid = uuid;
    d.model = "made";
    if (active >= 0) d.engine_active = made_steps(active);
    if (holder.empty()) d.free = made_steps(1);
    if (!holder.empty()) d.holders.push_back({holder.substr(0, holder.find('/')), holder.substr(holder.find('/') + 1), "", made_steps(1)});
    hour.devices.push_back(d);
    return hour.devices.back();
  }
  HourBooks close() const { return close_hour(hour, options, rules); }
};

// Sums over the rows that pass.
template <typename Pass>
LedgerRow made_sum(const std::vector<LedgerRow>& rows, const Pass& pass) {
  LedgerRow sum;
  for (const LedgerRow& r : rows) {
    if (!pass(r)) continue;
    sum.cpu_cost += r.cpu_cost;
    sum.memory_cost += r.memory_cost;
    sum.gpu_cost += r.gpu_cost;
    sum.storage_cost += r.storage_cost;
    sum.network_cost += r.network_cost;
    sum.shared_cost += r.shared_cost;
    for (std::size_t i = 0; i < kWaterfallPartCount; ++i) sum.waterfall[i] += r.waterfall[i];
    sum.cpu_allocated += r.cpu_allocated;
    sum.memory_allocated += r.memory_allocated;
    sum.gpu_allocated += r.gpu_allocated;
    sum.gpu_measured += r.gpu_measured;
    sum.gpu_active += r.gpu_active;
    if (r.gpu.empty()) sum.held_nanos += r.held_nanos;
  }
  return sum;
}
inline LedgerRow made_sum(const std::vector<LedgerRow>& rows, RowKind kind) {
  return made_sum(rows, [&](const LedgerRow& r) { return r.kind == kind; });
}
inline LedgerRow made_sum_of_pod(const std::vector<LedgerRow>& rows, const std::string& uid, const std::string& container = {}) {
  return made_sum(rows, [&](const LedgerRow& r) { return r.pod_uid == uid && (container.empty() || r.container == container); });
}
inline Money made_total(const std::vector<LedgerRow>& rows) {
  return made_sum(rows, [](const LedgerRow&) { return true; }).total_cost();
}

}  // namespace seedance
