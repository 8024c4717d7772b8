#include "signal/catalogue.h"

#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <vector>

#include <absl/container/flat_hash_map.h>
#include <absl/strings/string_view.h>

#include "model/sample.h"

namespace seedance {
namespace {

using enum SignalId;

struct Entry {
  std::string_view metric;
  SignalId signal;
  double scale;
  std::string_view exporter;
  bool percent = false;
};

constexpr double kMiB = 1024.0 * 1024.0;
constexpr std::string_view kDcgm = "dcgm-exporter";
constexpr std::string_view kDcgm1 = "dcgm-exporter 1.x";
constexpr std::string_view kKsm = "kube-state-metrics";
constexpr std::string_view kCadvisor = "cAdvisor";
constexpr std::string_view kNodeExporter = "node-exporter";
constexpr std::string_view kAgent = "seedance-agent";

constexpr Entry kBuiltin[] = {
    // DCGM. Energy is in millijoules; framebuffer sizes in MiB; PCIe "BYTES" are rates since DCGM 2.
    {"DCGM_FI_PROF_GR_ENGINE_ACTIVE", kGpuEngineActive, 1, kDcgm, true},
    {"DCGM_FI_PROF_SM_ACTIVE", kGpuSmActive, 1, kDcgm, true},
    {"DCGM_FI_PROF_SM_OCCUPANCY", kGpuSmOccupancy, 1, kDcgm, true},
    {"DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", kGpuTensorActive, 1, kDcgm, true},
    {"DCGM_FI_PROF_PIPE_FP64_ACTIVE", kGpuFp64Active, 1, kDcgm, true},
    {"DCGM_FI_PROF_PIPE_FP32_ACTIVE", kGpuFp32Active, 1, kDcgm, true},
    {"DCGM_FI_PROF_PIPE_FP16_ACTIVE", kGpuFp16Active, 1, kDcgm, true},
    {"DCGM_FI_PROF_DRAM_ACTIVE", kGpuDramActive, 1, kDcgm, true},
    {"DCGM_FI_DEV_GPU_UTIL", kGpuUtilization, 0.01, kDcgm},
    {"DCGM_FI_DEV_MEM_COPY_UTIL", kGpuMemoryCopyUtil, 0.01, kDcgm},
    {"DCGM_FI_DEV_FB_USED", kGpuMemoryUsed, kMiB, kDcgm},
    {"DCGM_FI_DEV_FB_FREE", kGpuMemoryFree, kMiB, kDcgm},
    {"DCGM_FI_DEV_FB_RESERVED", kGpuMemoryReserved, kMiB, kDcgm},
    {"DCGM_FI_DEV_POWER_USAGE", kGpuPower, 1, kDcgm},
    {"DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", kGpuEnergy, 0.001, kDcgm},
    {"DCGM_FI_PROF_PCIE_TX_BYTES", kGpuPcieTx, 1, kDcgm},
    {"DCGM_FI_PROF_PCIE_RX_BYTES", kGpuPcieRx, 1, kDcgm},
    {"DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL", kGpuNvlinkBandwidth, 1, kDcgm},
    {"DCGM_FI_DEV_SM_CLOCK", kGpuSmClock, 1, kDcgm},
    {"DCGM_FI_DEV_GPU_TEMP", kGpuTemperature, 1, kDcgm},
    {"DCGM_FI_DEV_MEMORY_TEMP", kGpuMemoryTemperature, 1, kDcgm},
    {"DCGM_FI_DEV_XID_ERRORS", kGpuXid, 1, kDcgm},
    {"dcgm_gpu_utilization", kGpuUtilization, 0.01, kDcgm1},
    {"dcgm_mem_copy_utilization", kGpuMemoryCopyUtil, 0.01, kDcgm1},
    {"dcgm_fb_used", kGpuMemoryUsed, kMiB, kDcgm1},
    {"dcgm_fb_free", kGpuMemoryFree, kMiB, kDcgm1},
    {"dcgm_power_usage", kGpuPower, 1, kDcgm1},
    {"dcgm_total_energy_consumption", kGpuEnergy, 0.001, kDcgm1},
    {"dcgm_sm_clock", kGpuSmClock, 1, kDcgm1},
    {"dcgm_gpu_temp", kGpuTemperature, 1, kDcgm1},
    {"dcgm_memory_temp", kGpuMemoryTemperature, 1, kDcgm1},
    {"dcgm_xid_errors", kGpuXid, 1, kDcgm1},
    // Agent and training hook.
    {"seedance_gpu_engine_active_ratio", kGpuEngineActive, 1, kAgent},
    {"seedance_gpu_sm_active_ratio", kGpuSmActive, 1, kAgent},
    {"seedance_gpu_tensor_active_ratio", kGpuTensorActive, 1, kAgent},
    {"seedance_gpu_memory_used_bytes", kGpuMemoryUsed, 1, kAgent},
    {"seedance_gpu_power_watts", kGpuPower, 1, kAgent},
    {"seedance_gpu_energy_joules", kGpuEnergy, 1, kAgent},
    {"seedance_job_data_wait_ratio", kJobDataWait, 1, kAgent},
    {"seedance_job_communication_wait_ratio", kJobCommunicationWait, 1, kAgent},
    {"seedance_job_gpu_memory_allocated_bytes", kJobMemoryAllocated, 1, kAgent},
    {"seedance_job_gpu_memory_reserved_bytes", kJobMemoryReserved, 1, kAgent},
    {"seedance_job_gpu_memory_peak_bytes", kJobMemoryPeak, 1, kAgent},
    {"seedance_container_image_pulled_time_seconds", kContainerImagePulledTime, 1, kAgent},
    // Serving.
    {"vllm:num_requests_running", kServeRequestsRunning, 1, "vLLM"},
    {"vllm:num_requests_waiting", kServeRequestsWaiting, 1, "vLLM"},
    {"nv_inference_pending_request_count", kServeRequestsWaiting, 1, "Triton"},
    // cAdvisor and network cost daemons.
    {"container_cpu_usage_seconds", kContainerCpu, 1, kCadvisor},
    {"container_memory_working_set_bytes", kContainerMemory, 1, kCadvisor},
    {"container_network_transmit_bytes", kPodNetworkTransmit, 1, kCadvisor},
    {"container_network_receive_bytes", kPodNetworkReceive, 1, kCadvisor},
    {"seedance_pod_egress_zone_bytes", kPodEgressZone, 1, kAgent},
    {"seedance_pod_egress_region_bytes", kPodEgressRegion, 1, kAgent},
    {"seedance_pod_egress_internet_bytes", kPodEgressInternet, 1, kAgent},
    // Node.
    {"node_cpu_seconds", kNodeCpu, 1, kNodeExporter},
    {"node_memory_MemTotal_bytes", kNodeMemoryTotal, 1, kNodeExporter},
    {"node_memory_MemAvailable_bytes", kNodeMemoryAvailable, 1, kNodeExporter},
    {"node_spot_price_usd_per_hour", kNodePrice, 1, "price exporter"},
    {"node_total_hourly_cost", kNodePrice, 1, "OpenCost"},
    // kube-state-metrics.
    {"kube_node_info", kNodeInfo, 1, kKsm},
    {"kube_node_labels", kNodeLabels, 1, kKsm},
    {"kube_node_status_capacity", kNodeCapacity, 1, kKsm},
    {"kube_namespace_labels", kNamespaceLabels, 1, kKsm},
    {"kube_pod_info", kPodInfo, 1, kKsm},
    {"kube_pod_labels", kPodLabels, 1, kKsm},
    {"kube_pod_annotations", kPodAnnotations, 1, kKsm},
    {"kube_pod_owner", kPodOwner, 1, kKsm},
    {"kube_replicaset_owner", kReplicaSetOwner, 1, kKsm},
    {"kube_job_owner", kJobOwner, 1, kKsm},
    {"kube_pod_status_phase", kPodPhase, 1, kKsm},
    {"kube_pod_start_time", kPodStartTime, 1, kKsm},
    {"kube_pod_status_scheduled_time", kPodScheduledTime, 1, kKsm},
    {"kube_pod_completion_time", kPodCompletionTime, 1, kKsm},
    {"kube_pod_status_ready_time", kPodReadyTime, 1, kKsm},
    {"kube_pod_container_state_started", kContainerStartedTime, 1, kKsm},
    {"kube_pod_container_status_running", kContainerRunning, 1, kKsm},
    {"kube_pod_init_container_status_running", kInitContainerRunning, 1, kKsm},
    {"kube_pod_container_status_waiting_reason", kContainerWaiting, 1, kKsm},
    {"kube_pod_container_resource_requests", kContainerRequests, 1, kKsm},
    {"kube_pod_init_container_resource_requests", kInitContainerRequests, 1, kKsm},
    {"kube_pod_init_container_info", kInitContainerInfo, 1, kKsm},
    {"kube_persistentvolumeclaim_resource_requests_storage_bytes", kVolumeClaimBytes, 1, kKsm},
    {"kube_pod_spec_volumes_persistentvolumeclaims_info", kVolumeClaimMount, 1, kKsm},
    {"target_info", kTargetInfo, 1, "OpenTelemetry"},
    // Senders of metrics about themselves.
    {"prometheus_remote_storage_samples", kSenderSamplesAttempted, 1, "Prometheus"},
    {"prometheus_remote_storage_samples_retried", kSenderSamplesRetried, 1, "Prometheus"},
    {"prometheus_remote_storage_samples_failed", kSenderSamplesFailed, 1, "Prometheus"},
};

// DCGM 2+ names are upper case on the wire, but some agents lower them.
std::string lowered(std::string_view name) {
  std::string out(name);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

// dcgm_structs.h: DCGM_INT32_BLANK 0x7ffffff0, DCGM_INT64_BLANK 0x7ffffffffffffff0, DCGM_FP64_BLANK 2^47; each with the four
// codes blank, not found, not supported, no permission. As doubles all int64 ones are 2^63.
bool is_blank(double v) {
  return v >= 9223372036854775000.0 || (v >= 140737488355328.0 && v <= 140737488355331.0) ||
         (v >= 2147483632.0 && v <= 2147483635.0 && v == std::floor(v)) || v == 4294967295.0;
}

constexpr double kPercentFrom = 1.5;

}  // namespace

struct Catalogue::Table {
  std::vector<SignalBinding> bindings;
  absl::flat_hash_map<std::string, std::size_t> by_metric;

  void add(SignalBinding binding) {
    // A user's entry takes the place of a built-in one.
    const auto known = by_metric.find(binding.metric);
    if (known != by_metric.end() && bindings[known->second].metric == binding.metric) {
      bindings[known->second] = std::move(binding);
      return;
    }
    const std::size_t index = bindings.size();
    std::vector<std::string> names{binding.metric};
    if (binding.metric.starts_with("DCGM_")) names.push_back(lowered(binding.metric));
    for (const std::string& name : names) {
      by_metric[name] = index;
      if (signal_of(binding.signal).kind == SignalKind::kCounter) by_metric[name + "_total"] = index;
    }
    bindings.push_back(std::move(binding));
  }
};

Catalogue::Catalogue(std::span<const SignalBinding> extra) : table_(std::make_unique<Table>()) {
  for (const Entry& e : kBuiltin) table_->add({std::string(e.metric), e.signal, e.scale, std::string(e.exporter), e.percent});
  for (const SignalBinding& binding : extra) table_->add(binding);
}
Catalogue::~Catalogue() = default;
Catalogue::Catalogue(Catalogue&&) noexcept = default;
Catalogue& Catalogue::operator=(Catalogue&&) noexcept = default;

const SignalBinding* Catalogue::find(std::string_view metric) const {
  const auto at = table_->by_metric.find(absl::string_view(metric.data(), metric.size()));
  return at == table_->by_metric.end() ? nullptr : &table_->bindings[at->second];
}

std::span<const SignalBinding> Catalogue::bindings() const { return table_->bindings; }

Result<SignalId> parse_signal(std::string_view name) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(kCount); ++i) {
    if (signal_of(static_cast<SignalId>(i)).name == name) return static_cast<SignalId>(i);
  }
  return fail(Code::kInvalid, "unknown signal: " + std::string(name.substr(0, 60)), "docs/signals.md lists them");
}

double meant_value(const SignalBinding& binding, double raw) {
  if (std::isnan(raw)) return raw;
  constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
  const Signal& signal = signal_of(binding.signal);
  if (signal.kind == SignalKind::kState) return raw * binding.scale;
  const bool gpu = signal.name.starts_with("gpu.");
  if (gpu && binding.signal != kGpuEnergy && binding.signal != kGpuNvlinkBandwidth && is_blank(raw)) return kMissing;
  if (gpu && raw >= 9223372036854775000.0) return kMissing;
  double value = raw * binding.scale;
  if (signal.unit == "ratio") {
    if (binding.percent && value > kPercentFrom && value <= 100) value /= 100;
    if (value < 0 || value > kPercentFrom) return kMissing;
    return std::min(value, 1.0);
  }
  return value < 0 && binding.signal != kGpuTemperature && binding.signal != kGpuMemoryTemperature ? kMissing : value;
}

}  // namespace seedance
