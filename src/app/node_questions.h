// What the ledger knows of a node that matters for its price.
#pragma once

#include <string>

#include "model/price.h"
#include "store/ledger_store.h"

namespace seedance {

// From the node's newest rows. A name that no node has is taken for an instance type. kNotFound when it is empty.
Result<PriceQuestion> price_question_of_node(const LedgerStore& ledger, const std::string& node);

}  // namespace seedance
