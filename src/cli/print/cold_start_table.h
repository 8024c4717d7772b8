// Cold starts as a table: one line a workload, mean seconds of each stage.
#pragma once

#include <string>

#include "cli/print/presentation.h"
#include "report/cold_start_report.h"

namespace seedance {

std::string print_cold_start_table(const ColdStartReport& report, const Presentation& look);

}  // namespace seedance
