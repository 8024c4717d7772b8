// The cost report as a table with its rests, its total, and the notes that say what the numbers are worth.
#pragma once

#include <string>

#include "cli/print/presentation.h"
#include "report/cost_report.h"

namespace seedance {

// `is_wide` adds the single costs and how much of the GPU time was measured and active.
std::string print_cost_table(const CostReport& report, const Presentation& look, bool is_wide);

// Whether every currency's books close; true when filters leave nothing to compare.
bool books_close(const CostReport& report);

// "books closed, 0.000000000 USD left"
std::string books_text(const std::vector<CurrencyTotal>& totals, Language language);

}  // namespace seedance
