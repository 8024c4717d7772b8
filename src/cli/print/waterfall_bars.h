// The GPU dollar waterfall in 80 columns: fixed order, undetermined always present, and what it consists of.
#pragma once

#include <string>

#include "cli/print/presentation.h"
#include "report/waterfall_report.h"

namespace seedance {

std::string print_waterfall(const WaterfallReport& report, const Presentation& look);

}  // namespace seedance
