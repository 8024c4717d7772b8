#include "signal/meaning.h"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace seedance {
namespace {

using enum SignalId;

std::string_view first_of(const Labels& labels, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    if (const std::string_view value = label_value(labels, name); !value.empty()) return value;
  }
  return {};
}

bool is_gpu(SignalId id) { return signal_of(id).name.starts_with("gpu."); }
// What a job says about itself; "job.owner" is state of the cluster.
bool is_job(SignalId id) {
  const Signal& signal = signal_of(id);
  return signal.kind != SignalKind::kState && (signal.name.starts_with("job.") || signal.name.starts_with("serve."));
}

// The pod of an exporter, or of a collector that scrapes it and says where it runs itself, is nobody's workload: it does not hold the GPU.
bool is_exporter(std::string_view pod, std::string_view container) {
  const auto is_named = [](std::string_view name) {
    return name.find("dcgm-exporter") != std::string_view::npos || name.find("otel-collector") != std::string_view::npos ||
           name.find("opentelemetry-collector") != std::string_view::npos;
  };
  return is_named(pod) || is_named(container) || container == "exporter" || container == "otc-container";
}

void read_workload(const Labels& labels, SymbolTable& symbols, SeriesMeaning& meaning) {
  std::string_view namespace_name = first_of(labels, {"exported_namespace"});
  std::string_view pod = first_of(labels, {"exported_pod"});
  meaning.is_pod_by_exporter = !pod.empty() || !first_of(labels, {"dra_claim_name", "dra_device_name"}).empty();
  std::string_view container = first_of(labels, {"exported_container"});
  if (pod.empty()) {
    namespace_name = first_of(labels, {"namespace", "pod_namespace", "k8s_namespace_name"});
    pod = first_of(labels, {"pod", "pod_name", "podname", "k8s_pod_name"});
    container = first_of(labels, {"container", "container_name", "k8s_container_name"});
    if (is_exporter(pod, container)) return;
  }
  meaning.namespace_name = symbols.intern(namespace_name);
  meaning.pod = symbols.intern(pod);
  meaning.container = symbols.intern(container);
}

bool read_gpu(const Labels& labels, SymbolTable& symbols, SeriesMeaning& meaning) {
  std::string_view device = first_of(labels, {"UUID", "uuid", "gpu_uuid"});
  const std::string_view host = first_of(labels, {"Hostname", "hostname", "node", "k8s_node_name", "instance"});
  std::string fallback;
  if (device.empty()) {
    // Without a UUID the place is the identity: host and device number.
    const std::string_view number = first_of(labels, {"gpu", "device"});
    if (number.empty()) return false;
    fallback = std::string(host) + "#" + std::string(number);
    device = fallback;
    meaning.is_device_by_place = true;
  }
  meaning.device = symbols.intern(device);
  meaning.node = symbols.intern(host);
  meaning.instance = symbols.intern(first_of(labels, {"GPU_I_ID", "gpu_i_id"}));
  meaning.profile = symbols.intern(first_of(labels, {"GPU_I_PROFILE", "gpu_i_profile"}));
  meaning.index = symbols.intern(first_of(labels, {"gpu", "index", "minor_number"}));
  meaning.model = symbols.intern(first_of(labels, {"modelName", "model_name", "modelname"}));
  read_workload(labels, symbols, meaning);
  return true;
}

bool read_container_usage(const Labels& labels, SymbolTable& symbols, SeriesMeaning& meaning) {
  const bool exported = !label_value(labels, "exported_pod").empty();  // then `container` is the scraper's own
  const std::string_view container = exported ? label_value(labels, "exported_container") : first_of(labels, {"exported_container", "container", "container_name"});
  if (container.empty() || container == "POD") return false;
  if (meaning.signal == kContainerCpu) {
    const std::string_view cpu = label_value(labels, "cpu");
    if (!cpu.empty() && cpu != "total") return false;
  }
  meaning.namespace_name = symbols.intern(first_of(labels, {"exported_namespace", "namespace"}));
  meaning.pod = symbols.intern(first_of(labels, {"exported_pod", "pod", "pod_name"}));
  meaning.container = symbols.intern(container);
  meaning.pod_uid = symbols.intern(pod_uid_of_cgroup(label_value(labels, "id")));
  return meaning.pod != 0;
}

bool read_network(const Labels& labels, SymbolTable& symbols, SeriesMeaning& meaning) {
  const std::string_view device = label_value(labels, "interface");
  if (device == "lo") return false;
  meaning.namespace_name = symbols.intern(first_of(labels, {"exported_namespace", "namespace"}));
  meaning.pod = symbols.intern(first_of(labels, {"exported_pod", "pod", "pod_name"}));
  meaning.pod_uid = symbols.intern(pod_uid_of_cgroup(label_value(labels, "id")));
  meaning.detail = symbols.intern(device.empty() ? first_of(labels, {"service"}) : device);
  return meaning.pod != 0;
}

bool read_state(const Labels& labels, SymbolTable& symbols, SeriesMeaning& meaning) {
  const auto intern = [&](std::string_view name) { return symbols.intern(label_value(labels, name)); };
  meaning.node = symbols.intern(first_of(labels, {"exported_node", "node"}));
  meaning.namespace_name = symbols.intern(first_of(labels, {"exported_namespace", "namespace"}));
  meaning.pod = symbols.intern(first_of(labels, {"exported_pod", "pod"}));
  meaning.pod_uid = intern("uid");
  meaning.container = symbols.intern(first_of(labels, {"exported_container", "container"}));
  switch (meaning.signal) {
    case kNodeInfo: meaning.detail = symbols.intern(first_of(labels, {"provider_id", "system_uuid"})); break;
    case kNodeCapacity:
    case kContainerRequests:
    case kInitContainerRequests: meaning.detail = intern("resource"); break;
    case kPodPhase: meaning.detail = intern("phase"); break;
    case kContainerWaiting: meaning.detail = intern("reason"); break;
    case kInitContainerInfo: meaning.detail = intern("restart_policy"); break;
    case kPodInfo:
      meaning.detail = intern("created_by_kind");
      meaning.detail2 = intern("created_by_name");
      break;
    case kPodOwner:
      if (label_value(labels, "owner_is_controller") == "false") return false;
      [[fallthrough]];
    case kReplicaSetOwner:
    case kJobOwner:
      meaning.detail = intern("owner_kind");
      meaning.detail2 = intern("owner_name");
      if (meaning.signal == kReplicaSetOwner) meaning.container = intern("replicaset");
      if (meaning.signal == kJobOwner) meaning.container = intern("job_name");
      break;
    case kVolumeClaimBytes:
    case kVolumeClaimMount: meaning.detail = intern("persistentvolumeclaim"); break;
    case kTargetInfo:
      meaning.pod_uid = intern("k8s_pod_uid");
      meaning.pod = intern("k8s_pod_name");
      meaning.namespace_name = intern("k8s_namespace_name");
      return meaning.pod_uid != 0 || meaning.pod != 0;
    default: break;
  }
  return true;
}

}  // namespace

std::string pod_uid_of_cgroup(std::string_view id) {
  constexpr std::size_t kUidLength = 36;
  for (std::size_t at = id.find("pod"); at != std::string_view::npos; at = id.find("pod", at + 1)) {
    std::string uid(id.substr(at + 3, kUidLength));
    if (uid.size() != kUidLength) continue;
    std::replace(uid.begin(), uid.end(), '_', '-');
    const bool shaped = uid[8] == '-' && uid[13] == '-' && uid[18] == '-' && uid[23] == '-' &&
                        uid.find_first_not_of("0123456789abcdefABCDEF-") == std::string::npos;
    if (shaped) return uid;
  }
  return {};
}

std::optional<SeriesMeaning> meaning_of(const Labels& labels, const Catalogue& catalogue, SymbolTable& symbols) {
  const SignalBinding* binding = catalogue.find(label_value(labels, "__name__"));
  if (binding == nullptr) return std::nullopt;
  SeriesMeaning meaning;
  meaning.binding = binding;
  meaning.signal = binding->signal;
  meaning.cluster = symbols.intern(first_of(labels, {"cluster", "k8s_cluster_name"}));
  bool usable = true;
  if (is_gpu(meaning.signal)) {
    usable = read_gpu(labels, symbols, meaning);
  } else if (is_job(meaning.signal)) {
    read_workload(labels, symbols, meaning);
    meaning.pod_uid = symbols.intern(first_of(labels, {"uid", "pod_uid", "k8s_pod_uid"}));
    usable = meaning.pod != 0 || meaning.pod_uid != 0;
  } else if (meaning.signal == kContainerCpu || meaning.signal == kContainerMemory) {
    usable = read_container_usage(labels, symbols, meaning);
  } else if (signal_of(meaning.signal).name.starts_with("pod.network") || signal_of(meaning.signal).name.starts_with("pod.egress")) {
    usable = read_network(labels, symbols, meaning);
  } else if (signal_of(meaning.signal).kind == SignalKind::kState) {
    usable = read_state(labels, symbols, meaning);
  } else {
    meaning.node = symbols.intern(first_of(labels, {"node", "k8s_node_name", "instance"}));
    meaning.detail = symbols.intern(label_value(labels, "mode"));
  }
  if (!usable) return std::nullopt;
  return meaning;
}

}  // namespace seedance
