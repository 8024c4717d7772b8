// What each node cost over an hour, piece by piece: the price the cluster itself states (a spot price series), where it can be
// believed, else the price book at the price of that time.
#pragma once

#include "model/inventory.h"
#include "model/ledger.h"
#include "model/usage.h"
#include "pricing/price_book.h"

namespace seedance {

struct NodePriceOptions {
  SplitMethod method = SplitMethod::kResidual;
  std::string currency = "USD";  // of price series without a currency of their own
  std::int64_t gpus_seen = 0;    // physical GPUs that the node's exporter shows; used when the book does not know the type
};

// The question a price book is asked for a node.
PriceQuestion price_question(const NodeRecord& node);

// Pieces cover `hour` without holes. A stated price holds until the next one and, before the first, backwards; a stated price
// that the book cannot believe is not used, and the piece says so in `source`.
NodePrices node_prices(const NodeRecord& node, Interval hour, const PriceBook& book, const NodePriceOptions& options);

}  // namespace seedance
