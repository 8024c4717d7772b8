// What an hour of a cluster looked like, ready to be priced: the input of allocation.
//
// Levels: CPU in nanocores, memory in bytes, ratios in parts per million.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "base/money.h"
#include "base/steps.h"
#include "model/inventory.h"

namespace seedance {

inline constexpr std::int64_t kMillion = 1'000'000;

struct ContainerUsage {
  std::string container;
  Steps cpu;
  Steps memory;
};

// What the job itself says about why its GPUs wait.
struct JobSignals {
  Steps data_wait;
  Steps communication_wait;
  Steps requests_running;  // serving: requests being worked on
};

// Traffic of one pod inside the hour, bytes by class.
struct PodTraffic {
  std::int64_t zone = 0;
  std::int64_t region = 0;
  std::int64_t internet = 0;
};

// Who a device row named as its holder, and for how long.
struct DeviceHolder {
  std::string namespace_name;
  std::string pod;
  std::string container;  // may be empty
  Steps seen;             // 1 while named
  bool by_exporter = false;  // the name is the exporter's own word: it cannot be a label that the scraper put on (signal/meaning.h)
};

// One GPU or one MIG instance, as its exporter sees it.
struct DeviceActivity {
  std::string cluster;
  std::string node;
  std::string uuid;
  std::string instance;  // MIG instance id, or empty
  std::string profile;   // MIG profile, or empty
  std::string index;     // number of the card on its node as the driver counts, or empty
  std::string model;
  Steps engine_active;
  Steps utilization;
  Steps sm_active;
  Steps math_active;     // the largest of the tensor and floating point pipes
  Steps tensor_active;
  Steps dram_active;
  Steps memory_used;     // bytes; of the instance on a MIG row
  Steps memory_size;     // bytes, reserved memory included
  std::vector<DeviceHolder> holders;
  Steps free;  // 1 while some of its series named nobody

  std::string key() const { return instance.empty() ? uuid : uuid + "/" + instance; }
  // For people: "4", or "0.7" for instance 7 of card 0; empty when no exporter numbers the cards.
  std::string index_text() const { return index.empty() || instance.empty() ? index : index + "." + instance; }
  std::string model_text() const { return profile.empty() ? model : model + " MIG " + profile; }
};

// Price of a node for a stretch of time and how it divides. Weights are in one common unit; all zero: nothing to divide by.
struct PricePiece {
  Interval span;
  bool is_priced = false;
  HourlyRate rate;  // whole node
  Int128 cpu_weight = 0;
  Int128 memory_weight = 0;
  Int128 gpu_weight = 0;
  std::string currency;
  std::string source;
  std::string problem;  // why it is not priced
};

struct NodePrices {
  std::vector<PricePiece> pieces;  // sorted, cover the hour
  std::int64_t gpu_millis = 0;     // cards by the price book, in thousandths; 0: not known
  std::int64_t cpu_millis = 0;     // by the price book
  std::int64_t memory_mib = 0;
};

struct ClusterHour {
  Interval hour;
  bool provisional = false;
  Inventory inventory;
  std::map<std::string, std::vector<ContainerUsage>, std::less<>> usage;   // pod UID
  std::map<std::string, JobSignals, std::less<>> jobs;                     // pod UID
  std::map<std::string, PodTraffic, std::less<>> traffic;                  // pod UID
  std::vector<DeviceActivity> devices;                                     // sorted by (cluster, node, key)
  std::vector<NodePrices> prices;                                          // one per inventory node
};

// A cost that belongs to everybody: the control plane, a management fee.
struct SharedCost {
  enum class Mode : std::uint8_t { kSeparate, kEven, kWeighted };
  std::string name;
  HourlyRate rate;
  Mode mode = Mode::kSeparate;
};

struct ServicePrices {
  HourlyRate storage_gib;  // per GiB and hour
  Money zone_gib;          // per GiB of traffic
  Money region_gib;
  Money internet_gib;
};

}  // namespace seedance
