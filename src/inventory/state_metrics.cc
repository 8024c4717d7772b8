#include "inventory/state_metrics.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <unordered_map>

#include "inventory/node_labels.h"
#include "inventory/owner_chain.h"

namespace seedance {
namespace {

using enum SignalId;

std::int64_t one_if_set(double value) { return value != 0 ? 1 : 0; }

// CPU in nanocores, everything else in whole units (bytes, pieces).
std::int64_t amount_of(std::string_view resource, double value) {
  return std::llround(std::min(resource == "cpu" ? value * 1e9 : value, 9e18));
}

std::optional<TimePoint> last_instant(std::span<const Sample> samples) {
  for (auto s = samples.rbegin(); s != samples.rend(); ++s) {
    if (std::isfinite(s->value) && s->value > 0 && s->value < 4e9) return time_from_millis(std::llround(s->value * 1000));
  }
  return std::nullopt;
}

// Instants differ only while something restarts; the earliest is the first start.
void keep_earliest(std::optional<TimePoint>& slot, std::optional<TimePoint> seen) {
  if (seen && (!slot || *seen < *slot)) slot = seen;
}

void join(std::vector<ResourceSteps>& resources, std::string_view resource, const Steps& steps) {
  for (ResourceSteps& known : resources) {
    if (known.resource == resource) {
      known.amount = max_of(known.amount, steps);
      return;
    }
  }
  resources.push_back({std::string(resource), steps});
}

PodPhase phase_of(std::string_view name) {
  if (name == "Pending") return PodPhase::kPending;
  if (name == "Running") return PodPhase::kRunning;
  if (name == "Succeeded") return PodPhase::kSucceeded;
  if (name == "Failed") return PodPhase::kFailed;
  return PodPhase::kUnknown;
}

// Labels of an object over time: the set seen last wins, ties to the larger text.
struct SeenLabels {
  std::int64_t last_ms = INT64_MIN;
  std::string text;
  Labels labels;
};

// Keys behind `prefix` ("label_", "annotation_").
Labels stripped(const Labels& labels, std::string_view prefix) {
  Labels out;
  for (const Label& label : labels) {
    if (label.name.starts_with(prefix)) out.push_back({label.name.substr(prefix.size()), label.value});
  }
  return out;
}

// OpenTelemetry's operator writes resource attributes as annotations; the exporter cleans the keys.
constexpr std::string_view kOtelAnnotation = "resource_opentelemetry_io_";

void keep_latest(SeenLabels& slot, Labels labels, std::span<const Sample> samples) {
  if (samples.empty()) return;
  const std::int64_t last_ms = samples.back().timestamp_ms;
  std::string text = print_labels(labels);
  if (last_ms < slot.last_ms || (last_ms == slot.last_ms && text <= slot.text)) return;
  slot = {last_ms, std::move(text), std::move(labels)};
}

struct ContainerState {
  ContainerRecord record;
  Steps init_running;
  bool restart_always = false;
};

struct PodState {
  PodRecord record;
  SeenLabels labels;
  SeenLabels annotations;
  SeenLabels attributes;
  OwnerRef owner;
  std::int64_t node_last_ms = INT64_MIN;
  std::map<Symbol, ContainerState> containers;
};

struct ClaimState {
  ClaimRecord record;
  std::map<Symbol, Steps> mounts;
};

struct NodeState {
  Steps present;
};

using Key2 = std::pair<Symbol, Symbol>;
using Key3 = std::tuple<Symbol, Symbol, Symbol>;

}  // namespace

struct InventoryBuilder::State {
  const SymbolTable& symbols;
  TimelineOptions options;
  std::map<Key3, PodState> pods;                    // cluster, uid or 0, "namespace/name" symbol hash when uid is 0
  std::map<std::tuple<Symbol, Symbol, Symbol, Symbol>, PodState> pods_without_uid;
  std::map<Key3, Steps> node_info;                  // cluster, node, provider id
  std::map<Key2, SeenLabels> node_labels;           // cluster, node
  std::map<Key2, std::vector<ResourceSteps>> node_capacity;
  std::map<Key2, Steps> node_price;
  std::map<Key2, SeenLabels> namespaces;
  std::map<Key3, ClaimState> claims;
  OwnerChain owners;

  std::string text(Symbol s) const { return std::string(symbols.text(s)); }
  Steps steps(std::span<const Sample> samples, const LevelOf& level) const { return state_steps(samples, options, level); }
  Steps present(std::span<const Sample> samples) const { return compact(masked_ones(steps(samples, one_if_set))); }
  static Steps masked_ones(Steps s) {
    std::erase_if(s, [](const Step& step) { return step.level == 0; });
    return s;
  }

  PodState& pod(const SeriesMeaning& m) {
    if (m.pod_uid != 0) return named(pods[{m.cluster, m.pod_uid, 0}], m);
    return named(pods_without_uid[{m.cluster, m.namespace_name, m.pod, 0}], m);
  }
  PodState& named(PodState& pod, const SeriesMeaning& m) const {
    if (pod.record.name.empty()) {
      pod.record.cluster = text(m.cluster);
      pod.record.namespace_name = text(m.namespace_name);
      pod.record.name = text(m.pod);
      pod.record.uid = m.pod_uid != 0 ? text(m.pod_uid) : pod.record.namespace_name + "/" + pod.record.name;
    }
    return pod;
  }
  ContainerState& container(const SeriesMeaning& m) {
    ContainerState& c = pod(m).containers[m.container];
    c.record.name = symbols.text(m.container);
    return c;
  }

  void add_pod_info(const SeriesMeaning& m, std::span<const Sample> samples) {
    PodState& p = pod(m);
    if (m.node != 0 && !samples.empty()) {
      p.record.bound = max_of(p.record.bound, present(samples));
      // One pod has one node for life; the latest series decides between an old and a new spelling.
      if (samples.back().timestamp_ms > p.node_last_ms || (samples.back().timestamp_ms == p.node_last_ms && text(m.node) > p.record.node)) {
        p.node_last_ms = samples.back().timestamp_ms;
        p.record.node = text(m.node);
      }
    }
    if (p.owner.kind.empty() && m.detail2 != 0) p.owner = owner_ref(text(m.detail), text(m.detail2));
  }
  void add_requests(const SeriesMeaning& m, std::span<const Sample> samples, bool init) {
    const std::string_view resource = symbols.text(m.detail);
    ContainerState& c = container(m);
    c.record.init = c.record.init || init;
    join(c.record.requests, resource, steps(samples, [&](double v) { return amount_of(resource, v); }));
  }
  void add_running(const SeriesMeaning& m, std::span<const Sample> samples) {
    ContainerState& c = container(m);
    Steps& slot = m.signal == kInitContainerRunning ? c.init_running : c.record.running;
    slot = max_of(slot, steps(samples, one_if_set));
  }
  void add_waiting(const SeriesMeaning& m, std::span<const Sample> samples) {
    const Steps waiting = present(samples);
    if (waiting.empty()) return;
    ContainerState& c = container(m);
    const bool later = c.record.waiting.empty() || waiting.back().to >= c.record.waiting.back().to;
    c.record.waiting = max_of(c.record.waiting, waiting);
    if (later) c.record.waiting_reason = text(m.detail);
  }
  void add_phase(const SeriesMeaning& m, std::span<const Sample> samples) {
    const auto phase = static_cast<std::int64_t>(phase_of(symbols.text(m.detail)));
    Steps seen = present(samples);
    // A last sample holds for nothing, but "Succeeded" seen once is the end.
    if (seen.empty() && !samples.empty() && samples.back().value == 1) {
      const TimePoint at = time_from_millis(samples.back().timestamp_ms);
      seen.push_back({at, at + Nanos{1}, 1});
    }
    for (Step& s : seen) s.level = phase;
    PodState& p = pod(m);
    p.record.phase = max_of(p.record.phase, seen);
  }
  void add_claim(const SeriesMeaning& m, std::span<const Sample> samples) {
    ClaimState& c = claims[{m.cluster, m.namespace_name, m.detail}];
    c.record.cluster = text(m.cluster);
    c.record.namespace_name = text(m.namespace_name);
    c.record.name = text(m.detail);
    if (m.signal == kVolumeClaimBytes) {
      c.record.bytes = max_of(c.record.bytes, steps(samples, [](double v) { return std::llround(v); }));
    } else {
      Steps& mounted = c.mounts[m.pod_uid];
      mounted = max_of(mounted, present(samples));
    }
  }
  bool add_node_series(const SeriesMeaning& m, const Labels& labels, std::span<const Sample> samples) {
    const Key2 node{m.cluster, m.node};
    switch (m.signal) {
      case kNodeInfo: {
        Steps& slot = node_info[{m.cluster, m.node, m.detail}];
        slot = max_of(slot, present(samples));
        return true;
      }
      case kNodeLabels: keep_latest(node_labels[node], stripped(labels, "label_"), samples); return true;
      case kNodeCapacity: {
        const std::string_view resource = symbols.text(m.detail);
        join(node_capacity[node], resource, steps(samples, [&](double v) { return amount_of(resource, v); }));
        return true;
      }
      case kNodePrice: {
        Steps& slot = node_price[node];
        slot = max_of(slot, steps(samples, [](double v) { return std::llround(std::min(v, 1e9) * 1e9); }));
        return true;
      }
      case kNamespaceLabels: keep_latest(namespaces[{m.cluster, m.namespace_name}], stripped(labels, "label_"), samples); return true;
      default: return false;
    }
  }
  bool add_container_series(const SeriesMeaning& m, std::span<const Sample> samples) {
    switch (m.signal) {
      case kContainerRequests: add_requests(m, samples, false); return true;
      case kInitContainerRequests: add_requests(m, samples, true); return true;
      case kContainerRunning:
      case kInitContainerRunning: add_running(m, samples); return true;
      case kContainerWaiting: add_waiting(m, samples); return true;
      case kInitContainerInfo: {
        ContainerState& c = container(m);
        c.record.init = true;
        c.restart_always = c.restart_always || symbols.text(m.detail) == "Always";
        return true;
      }
      case kContainerStartedTime: keep_earliest(container(m).record.started_at, last_instant(samples)); return true;
      case kContainerImagePulledTime: keep_earliest(container(m).record.image_pulled_at, last_instant(samples)); return true;
      default: return false;
    }
  }
  bool add_pod_series(const SeriesMeaning& m, const Labels& labels, std::span<const Sample> samples) {
    switch (m.signal) {
      case kPodInfo: add_pod_info(m, samples); return true;
      case kPodLabels: keep_latest(pod(m).labels, stripped(labels, "label_"), samples); return true;
      case kPodAnnotations: keep_latest(pod(m).annotations, stripped(labels, "annotation_"), samples); return true;
      case kTargetInfo: keep_latest(pod(m).attributes, labels, samples); return true;
      case kPodOwner: pod(m).owner = owner_ref(text(m.detail), text(m.detail2)); return true;
      case kPodPhase: add_phase(m, samples); return true;
      case kPodScheduledTime: keep_earliest(pod(m).record.scheduled_at, last_instant(samples)); return true;
      case kPodStartTime: keep_earliest(pod(m).record.started_at, last_instant(samples)); return true;
      case kPodReadyTime: keep_earliest(pod(m).record.ready_at, last_instant(samples)); return true;
      case kPodCompletionTime: keep_earliest(pod(m).record.completed_at, last_instant(samples)); return true;
      case kReplicaSetOwner:
        owners.add({text(m.cluster), text(m.namespace_name), "ReplicaSet", text(m.container)}, owner_ref(text(m.detail), text(m.detail2)));
        return true;
      case kJobOwner:
        owners.add({text(m.cluster), text(m.namespace_name), "Job", text(m.container)}, owner_ref(text(m.detail), text(m.detail2)));
        return true;
      case kVolumeClaimBytes:
      case kVolumeClaimMount: add_claim(m, samples); return true;
      default: return false;
    }
  }

  // OpenTelemetry resources that know their pod by name alone.
  void name_attributes() {
    std::map<std::tuple<std::string_view, std::string_view, std::string_view>, const Labels*> by_name;
    for (const auto& [key, p] : pods_without_uid) {
      if (!p.attributes.labels.empty()) by_name[{p.record.cluster, p.record.namespace_name, p.record.name}] = &p.attributes.labels;
    }
    for (auto& [uid, p] : pods) {
      if (!p.attributes.labels.empty()) continue;
      const auto named = by_name.find({p.record.cluster, p.record.namespace_name, p.record.name});
      if (named != by_name.end()) p.attributes.labels = *named->second;
    }
  }

  PodRecord finished(PodState& p) const {
    PodRecord record = std::move(p.record);
    record.labels = std::move(p.labels.labels);
    record.annotations = std::move(p.annotations.labels);
    record.resource_attributes = stripped(record.annotations, kOtelAnnotation);
    for (Label& attribute : p.attributes.labels) {
      if (!attribute.name.starts_with("__")) record.resource_attributes.push_back(std::move(attribute));
    }
    std::sort(record.resource_attributes.begin(), record.resource_attributes.end());
    const OwnerRef top = owners.top(record.cluster, record.namespace_name, p.owner);
    record.workload_kind = top.kind.empty() ? "Pod" : top.kind;
    record.workload = top.kind.empty() ? record.name : top.name;
    for (auto& [name, c] : p.containers) {
      if (name == 0) continue;
      c.record.running = max_of(c.record.running, c.init_running);
      c.record.sidecar = c.record.init && (c.restart_always || runs_beside_others(p, c.record));
      std::sort(c.record.requests.begin(), c.record.requests.end(),
                [](const ResourceSteps& a, const ResourceSteps& b) { return a.resource < b.resource; });
    }
    for (auto& [name, c] : p.containers) {
      if (name != 0) record.containers.push_back(std::move(c.record));
    }
    std::sort(record.containers.begin(), record.containers.end(),
              [](const ContainerRecord& a, const ContainerRecord& b) { return a.name < b.name; });
    return record;
  }

  // Older exporters do not say restartPolicy: an init container that runs while an ordinary one runs is a sidecar.
  static bool runs_beside_others(const PodState& p, const ContainerRecord& init) {
    for (const auto& [name, c] : p.containers) {
      if (!c.record.init && !masked(masked_ones(init.running), c.record.running).empty()) return true;
    }
    return false;
  }

  NodeRecord finished_node(const Key3& key, const Steps& present_steps) const {
    const auto& [cluster, node, provider_id] = key;
    NodeRecord record;
    record.cluster = text(cluster);
    record.name = text(node);
    record.uid = provider_id != 0 ? text(provider_id) : record.name;
    record.present = present_steps;
    const Key2 name_key{cluster, node};
    if (const auto at = node_labels.find(name_key); at != node_labels.end()) record.labels = at->second.labels;
    if (const auto at = node_capacity.find(name_key); at != node_capacity.end()) record.capacity = at->second;
    if (const auto at = node_price.find(name_key); at != node_price.end()) record.price = at->second;
    std::sort(record.capacity.begin(), record.capacity.end(),
              [](const ResourceSteps& a, const ResourceSteps& b) { return a.resource < b.resource; });
    read_node_labels(record);
    return record;
  }
};

InventoryBuilder::InventoryBuilder(const SymbolTable& symbols, TimelineOptions options)
    : state_(new State{symbols, options, {}, {}, {}, {}, {}, {}, {}, {}, {}}) {}
InventoryBuilder::~InventoryBuilder() = default;

bool InventoryBuilder::needs_labels(SignalId signal) {
  return signal == kNodeLabels || signal == kNamespaceLabels || signal == kPodLabels || signal == kPodAnnotations || signal == kTargetInfo;
}

bool InventoryBuilder::add(const SeriesMeaning& meaning, const Labels& labels, std::span<const Sample> samples) {
  return state_->add_node_series(meaning, labels, samples) || state_->add_container_series(meaning, samples) ||
         state_->add_pod_series(meaning, labels, samples);
}

Inventory InventoryBuilder::finish() {
  Inventory out;
  state_->name_attributes();
  for (const auto& [key, present] : state_->node_info) out.nodes.push_back(state_->finished_node(key, present));
  for (auto& [key, pod] : state_->pods) out.pods.push_back(state_->finished(pod));
  for (auto& [key, pod] : state_->pods_without_uid) {
    if (!pod.record.bound.empty()) out.pods.push_back(state_->finished(pod));
  }
  for (auto& [key, seen] : state_->namespaces) {
    out.namespaces.push_back({state_->text(key.first), state_->text(key.second), std::move(seen.labels)});
  }
  for (auto& [key, claim] : state_->claims) {
    for (auto& [uid, mounted] : claim.mounts) claim.record.mounts.push_back({state_->text(uid), std::move(mounted)});
    std::sort(claim.record.mounts.begin(), claim.record.mounts.end(),
              [](const ClaimMount& a, const ClaimMount& b) { return a.pod_uid < b.pod_uid; });
    out.claims.push_back(std::move(claim.record));
  }
  const auto by_identity = [](const auto& a, const auto& b) { return std::tie(a.cluster, a.name) < std::tie(b.cluster, b.name); };
  std::sort(out.nodes.begin(), out.nodes.end(), [](const NodeRecord& a, const NodeRecord& b) {
    return std::tie(a.cluster, a.name, a.uid) < std::tie(b.cluster, b.name, b.uid);
  });
  std::sort(out.pods.begin(), out.pods.end(), [](const PodRecord& a, const PodRecord& b) {
    return std::tie(a.cluster, a.namespace_name, a.name, a.uid) < std::tie(b.cluster, b.namespace_name, b.name, b.uid);
  });
  std::sort(out.namespaces.begin(), out.namespaces.end(), by_identity);
  std::sort(out.claims.begin(), out.claims.end(), [](const ClaimRecord& a, const ClaimRecord& b) {
    return std::tie(a.cluster, a.namespace_name, a.name) < std::tie(b.cluster, b.namespace_name, b.name);
  });
  return out;
}

}  // namespace seedance
