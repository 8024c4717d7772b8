#include "model/signal.h"

#include <array>

namespace seedance {
namespace {

using enum SignalId;
using enum SignalKind;

constexpr std::array<Signal, static_cast<std::size_t>(kCount)> kSignals{{
    {kGpuEngineActive, "gpu.engine_active", "ratio", kGauge},
    {kGpuSmActive, "gpu.sm_active", "ratio", kGauge},
    {kGpuSmOccupancy, "gpu.sm_occupancy", "ratio", kGauge},
    {kGpuTensorActive, "gpu.tensor_active", "ratio", kGauge},
    {kGpuFp64Active, "gpu.fp64_active", "ratio", kGauge},
    {kGpuFp32Active, "gpu.fp32_active", "ratio", kGauge},
    {kGpuFp16Active, "gpu.fp16_active", "ratio", kGauge},
    {kGpuDramActive, "gpu.dram_active", "ratio", kGauge},
    {kGpuUtilization, "gpu.utilization", "ratio", kGauge},
    {kGpuMemoryCopyUtil, "gpu.memory_copy_utilization", "ratio", kGauge},
    {kGpuMemoryUsed, "gpu.memory_used", "bytes", kGauge},
    {kGpuMemoryFree, "gpu.memory_free", "bytes", kGauge},
    {kGpuMemoryReserved, "gpu.memory_reserved", "bytes", kGauge},
    {kGpuPower, "gpu.power", "watts", kGauge},
    {kGpuEnergy, "gpu.energy", "joules", kCounter},
    {kGpuPcieTx, "gpu.pcie_tx", "bytes/s", kGauge},
    {kGpuPcieRx, "gpu.pcie_rx", "bytes/s", kGauge},
    {kGpuNvlinkBandwidth, "gpu.nvlink_bandwidth", "exporter's unit", kGauge},
    {kGpuSmClock, "gpu.sm_clock", "MHz", kGauge},
    {kGpuTemperature, "gpu.temperature", "celsius", kGauge},
    {kGpuMemoryTemperature, "gpu.memory_temperature", "celsius", kGauge},
    {kGpuXid, "gpu.xid", "code", kGauge},
    {kJobDataWait, "job.data_wait", "ratio", kGauge},
    {kJobCommunicationWait, "job.communication_wait", "ratio", kGauge},
    {kJobMemoryAllocated, "job.memory_allocated", "bytes", kGauge},
    {kJobMemoryReserved, "job.memory_reserved", "bytes", kGauge},
    {kJobMemoryPeak, "job.memory_peak", "bytes", kGauge},
    {kServeRequestsRunning, "serve.requests_running", "requests", kGauge},
    {kServeRequestsWaiting, "serve.requests_waiting", "requests", kGauge},
    {kContainerCpu, "container.cpu", "core-seconds", kCounter},
    {kContainerMemory, "container.memory", "bytes", kGauge},
    {kPodNetworkTransmit, "pod.network_transmit", "bytes", kCounter},
    {kPodNetworkReceive, "pod.network_receive", "bytes", kCounter},
    {kPodEgressZone, "pod.egress_zone", "bytes", kCounter},
    {kPodEgressRegion, "pod.egress_region", "bytes", kCounter},
    {kPodEgressInternet, "pod.egress_internet", "bytes", kCounter},
    {kNodeCpu, "node.cpu", "core-seconds", kCounter},
    {kNodeMemoryTotal, "node.memory_total", "bytes", kGauge},
    {kNodeMemoryAvailable, "node.memory_available", "bytes", kGauge},
    {kNodePrice, "node.price", "currency/h", kState},
    {kNodeInfo, "node.info", "", kState},
    {kNodeLabels, "node.labels", "", kState},
    {kNodeCapacity, "node.capacity", "units", kState},
    {kNamespaceLabels, "namespace.labels", "", kState},
    {kPodInfo, "pod.info", "", kState},
    {kPodLabels, "pod.labels", "", kState},
    {kPodAnnotations, "pod.annotations", "", kState},
    {kPodOwner, "pod.owner", "", kState},
    {kReplicaSetOwner, "replicaset.owner", "", kState},
    {kJobOwner, "job.owner", "", kState},
    {kPodPhase, "pod.phase", "0/1", kState},
    {kPodStartTime, "pod.start_time", "unix seconds", kState},
    {kPodScheduledTime, "pod.scheduled_time", "unix seconds", kState},
    {kPodCompletionTime, "pod.completion_time", "unix seconds", kState},
    {kPodReadyTime, "pod.ready_time", "unix seconds", kState},
    {kContainerStartedTime, "container.started_time", "unix seconds", kState},
    {kContainerRunning, "container.running", "0/1", kState},
    {kInitContainerRunning, "init_container.running", "0/1", kState},
    {kContainerWaiting, "container.waiting", "0/1", kState},
    {kContainerRequests, "container.requests", "units", kState},
    {kInitContainerRequests, "init_container.requests", "units", kState},
    {kInitContainerInfo, "init_container.info", "", kState},
    {kContainerImagePulledTime, "container.image_pulled_time", "unix seconds", kState},
    {kVolumeClaimBytes, "claim.requested", "bytes", kState},
    {kVolumeClaimMount, "claim.mount", "", kState},
    {kTargetInfo, "target.info", "", kState},
    {kSenderSamplesAttempted, "sender.samples_attempted", "samples", kCounter},
    {kSenderSamplesRetried, "sender.samples_retried", "samples", kCounter},
    {kSenderSamplesFailed, "sender.samples_failed", "samples", kCounter},
}};

}  // namespace

const Signal& signal_of(SignalId id) { return kSignals[static_cast<std::size_t>(id)]; }

}  // namespace seedance
