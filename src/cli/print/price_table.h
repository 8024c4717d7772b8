// Prices for people: the book as a table, and one node's price taken apart.
#pragma once

#include <string>
#include <vector>

#include "app/price_service.h"
#include "cli/print/presentation.h"

namespace seedance {

std::string print_price_table(const PriceList& prices, const Presentation& look);
std::string print_price_explanation(const PriceExplanation& explanation, const Presentation& look);

}  // namespace seedance
