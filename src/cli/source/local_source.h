// Answers from a store on this machine, without a server: DIR/ledger.duckdb, DIR/log and DIR/prices.
//
// Reports open the ledger read-only. A store that a running server holds is kConflict.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cli/source/report_source.h"
#include "config/settings.h"
#include "model/language.h"

namespace seedance {

// `zone`: nullopt takes that of the settings.
std::unique_ptr<ReportSource> local_source(std::string directory, Settings settings, Language language, std::optional<TimeZone> zone);

}  // namespace seedance
