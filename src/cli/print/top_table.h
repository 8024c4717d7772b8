// What costs or wastes most per hour, as a table.
#pragma once

#include <string>

#include "cli/print/presentation.h"
#include "report/top_report.h"

namespace seedance {

// `is_wide` adds model, GPU hours and activity.
std::string print_top_table(const TopReport& report, const Presentation& look, bool is_wide);

}  // namespace seedance
