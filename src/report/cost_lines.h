// Turns ledger groups into the lines of a cost table: kinds become rests, idle is kept apart, shared or hidden.
#pragma once

#include <vector>

#include "report/cost_report.h"

namespace seedance {

struct CostLines {
  std::vector<CostLine> lines;
  std::vector<CostLine> hidden;  // what kHide left out
};

CostLines cost_lines(const CostQuestion& question, const LedgerGroups& groups);

}  // namespace seedance
