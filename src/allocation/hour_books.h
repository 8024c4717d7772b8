// The ledger rows of one hour of a cluster: nodes, then claims, traffic and shared costs, then dimensions; sorted.
//
// A pure function: the same ClusterHour gives the same bytes. This is the truth of the ledger; the provisional rows of the
// running hour are the same function on what has arrived so far.
#pragma once

#include <vector>

#include "allocation/node_books.h"
#include "model/dimension_rules.h"

namespace seedance {

std::vector<LedgerRow> close_hour(const ClusterHour& hour, const AllocationOptions& options, const DimensionRules& rules);

}  // namespace seedance
