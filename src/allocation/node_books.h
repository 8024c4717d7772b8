// Closes the books of one node for one hour: rows whose money adds up to what the node cost, to the nano-unit.
//
// Per price piece: cost = rate x time present, split over CPU, memory and GPUs by the piece's weights, each pool split over the
// containers by what they held, the rest is idle. Where a pool is over-subscribed (the sum of max(request, usage) passes the
// capacity), all are scaled pro rata for exactly that stretch of time, so idle is never negative. Everything is largest-remainder
// integer arithmetic; cost O(containers log containers + pieces).
#pragma once

#include <vector>

#include "model/ledger.h"
#include "model/usage.h"

namespace seedance {

struct AllocationOptions {
  SplitMethod method = SplitMethod::kResidual;
  std::string cluster_name = "default";   // for series without a cluster label
  std::string currency = "USD";
  Nanos node_gap_max = std::chrono::hours(1);  // a node seen before and after a longer silence is not charged for it
  // A free GPU is stranded while less CPU or memory than this is free beside it.
  std::int64_t stranded_cpu_nanocores = 500'000'000;
  std::int64_t stranded_memory_bytes = std::int64_t{1} << 30;
  ServicePrices service_prices;
  std::vector<SharedCost> shared_costs;
};

struct NodeHour {
  const NodeRecord* node = nullptr;
  const NodePrices* prices = nullptr;
  std::vector<const PodRecord*> pods;             // bound to the node at some time, in inventory order
  std::vector<const DeviceActivity*> devices;     // of the node
};

// Appends the rows. Checks its own promise: the money of the rows equals the money of the pieces.
void close_node_books(const NodeHour& node, const ClusterHour& hour, const AllocationOptions& options, std::vector<LedgerRow>& rows);

}  // namespace seedance
