// What a measurement means, whatever exporter it came from: the semantic schema.
//
// `signal/catalogue.cc` maps exporter metric names to these; docs/signals.md lists the table. A unit stands in each comment.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace seedance {

enum class SignalId : std::uint16_t {
  // GPU or MIG slice, gauges. Ratios are 0..1.
  kGpuEngineActive,        // ratio of time the graphics/compute engine is busy
  kGpuSmActive,            // ratio of SM-time with at least one warp
  kGpuSmOccupancy,         // ratio of resident warps
  kGpuTensorActive,        // ratio of tensor pipe cycles
  kGpuFp64Active,          // ratio
  kGpuFp32Active,          // ratio
  kGpuFp16Active,          // ratio
  kGpuDramActive,          // ratio of memory interface cycles
  kGpuUtilization,         // ratio of time at least one kernel ran
  kGpuMemoryCopyUtil,      // ratio
  kGpuMemoryUsed,          // bytes
  kGpuMemoryFree,          // bytes
  kGpuMemoryReserved,      // bytes held by the driver
  kGpuPower,               // watts, whole GPU even on a MIG row
  kGpuEnergy,              // joules, counter, whole GPU even on a MIG row
  kGpuPcieTx,              // bytes/s
  kGpuPcieRx,              // bytes/s
  kGpuNvlinkBandwidth,     // exporter's unit; declared a counter, may fall
  kGpuSmClock,             // MHz
  kGpuTemperature,         // degrees Celsius
  kGpuMemoryTemperature,   // degrees Celsius
  kGpuXid,                 // last error code, not a count
  // Job, from the agent or the training hook.
  kJobDataWait,            // ratio of time the step loop waits for input
  kJobCommunicationWait,   // ratio of time blocked in collectives
  kJobMemoryAllocated,     // bytes, caching allocator
  kJobMemoryReserved,      // bytes, caching allocator
  kJobMemoryPeak,          // bytes, caching allocator
  kServeRequestsRunning,   // requests
  kServeRequestsWaiting,   // requests
  // Container and node.
  kContainerCpu,           // core-seconds, counter
  kContainerMemory,        // bytes, working set
  kPodNetworkTransmit,     // bytes, counter
  kPodNetworkReceive,      // bytes, counter
  kPodEgressZone,          // bytes, counter, traffic to another zone
  kPodEgressRegion,        // bytes, counter, to another region
  kPodEgressInternet,      // bytes, counter
  kNodeCpu,                // core-seconds, counter by mode
  kNodeMemoryTotal,        // bytes
  kNodeMemoryAvailable,    // bytes
  kNodePrice,              // currency units per hour for the whole node
  // State of the cluster, from kube-state-metrics.
  kNodeInfo,
  kNodeLabels,
  kNodeCapacity,
  kNamespaceLabels,
  kPodInfo,
  kPodLabels,
  kPodAnnotations,
  kPodOwner,
  kReplicaSetOwner,
  kJobOwner,
  kPodPhase,
  kPodStartTime,           // Unix seconds as value
  kPodScheduledTime,       // Unix seconds as value
  kPodCompletionTime,      // Unix seconds as value
  kPodReadyTime,           // Unix seconds as value
  kContainerStartedTime,   // Unix seconds as value
  kContainerRunning,
  kInitContainerRunning,
  kContainerWaiting,
  kContainerRequests,
  kInitContainerRequests,
  kInitContainerInfo,
  kContainerImagePulledTime,  // Unix seconds as value, from the agent's event watch
  kVolumeClaimBytes,
  kVolumeClaimMount,
  kTargetInfo,             // OpenTelemetry resource attributes
  // What a sender of metrics counts about itself: samples, counters.
  kSenderSamplesAttempted,
  kSenderSamplesRetried,
  kSenderSamplesFailed,
  kCount,
};

enum class SignalKind : std::uint8_t { kGauge, kCounter, kState };

struct Signal {
  SignalId id;
  std::string_view name;    // "gpu.engine_active"
  std::string_view unit;    // "ratio", "bytes", ...
  SignalKind kind;
};

const Signal& signal_of(SignalId id);

// How one exporter metric becomes a signal: value x scale.
struct SignalBinding {
  std::string metric;
  SignalId signal;
  double scale = 1;
  std::string exporter;  // who sends it, for the documented table
  bool percent = false;  // a value above 1.5 is a percentage: some versions print ratios "in %"
};

}  // namespace seedance
