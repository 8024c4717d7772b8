// Reports as CSV: every amount with all nine decimals, every text safe in a spreadsheet, times in RFC 3339 with the
// offset of the report's zone.
#pragma once

#include <string>

#include "app/price_service.h"
#include "report/cost_report.h"
#include "report/top_report.h"
#include "report/waterfall_report.h"

namespace seedance {

std::string cost_csv(const CostReport& report, bool with_header);
std::string waterfall_csv(const WaterfallReport& report, bool with_header);
std::string top_csv(const TopReport& report, bool with_header);
std::string price_csv(const PriceList& prices, bool with_header);

}  // namespace seedance
