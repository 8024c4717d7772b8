// Divides a node price over its CPU, memory and GPUs. Three methods; the chosen one stands on every report.
//
//  residual  CPU and memory at the price of plain instances of the same cloud, the GPUs get the rest of the list price; all three
//            then scale by paid / list (a spot node pays less for everything). The default: it is the only method
//            that agrees with a separately listed GPU price (GCP a2-highgpu-1g: 2.9339 per GPU-hour).
//  aws       weights of AWS split cost allocation: GPU 9, vCPU 0.9, GiB 0.1 with GPUs, else vCPU 9, GiB 1.
//  opencost  the ratio of OpenCost's default unit prices (CPU 0.031611, GiB 0.004237, GPU 0.95; Azure and GCP have their own).
//
// A node without GPUs never has a GPU part, whatever a custom price list says.
#pragma once

#include <optional>
#include <string_view>

#include "model/ledger.h"
#include "model/price.h"

namespace seedance {

struct NodeShape {
  std::int64_t cpu_nanocores = 0;
  std::int64_t memory_bytes = 0;
  std::int64_t gpu_millis = 0;  // thousandths of a card
};

struct NodeSplit {
  Int128 cpu = 0;
  Int128 memory = 0;
  Int128 gpu = 0;
};

struct SplitQuestion {
  SplitMethod method = SplitMethod::kResidual;
  std::string_view provider;
  NodeShape shape;
  HourlyRate list;  // on-demand price of the whole node; what is paid when no list price is known
  UnitRates plain;
  // Custom unit prices; they replace the method when CPU or memory is given.
  std::optional<HourlyRate> cpu_rate;
  std::optional<HourlyRate> memory_rate;
  std::optional<HourlyRate> gpu_rate;
};

// Weights in nano-units per hour x 10^9; only their ratio counts.
NodeSplit split_node_price(const SplitQuestion& question);

}  // namespace seedance
