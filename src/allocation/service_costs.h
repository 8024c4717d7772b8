// The other three TCO items: storage by claim and time, network by traffic class, operations and shared costs.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "allocation/node_books.h"

namespace seedance {

// A claim's life is cut wherever a pod starts or stops to mount it; each piece is shared equally by the pods that mount it then;
// a piece without pods is "unmounted". Shares are exact and sum to 1 (OpenCost computes pod hours here: opencost#2129).
struct ClaimShare {
  std::string pod_uid;  // empty: unmounted
  Int128 weight = 0;
};
std::vector<ClaimShare> claim_shares(const Steps& life, const std::vector<ClaimMount>& mounts);

void book_storage(const ClusterHour& hour, const AllocationOptions& options, std::vector<LedgerRow>& rows);
void book_network(const ClusterHour& hour, const AllocationOptions& options, std::vector<LedgerRow>& rows);

// kSeparate: a row of its own. kEven: equally over the namespaces with money; kWeighted: by their compute cost. Inside a namespace
// by compute cost. Without anybody to carry it, a row of its own.
void book_shared(const ClusterHour& hour, const AllocationOptions& options, std::vector<LedgerRow>& rows);

}  // namespace seedance
