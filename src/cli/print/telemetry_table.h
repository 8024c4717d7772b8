// The state of the senders of metrics, and the notes that stand under every report.
#pragma once

#include <string>

#include "cli/print/presentation.h"
#include "report/telemetry_report.h"

namespace seedance {

// One line a note, the newest first, at most five; empty when nothing was wrong.
std::string telemetry_lines(const std::vector<TelemetryNote>& notes, const TimeZone& zone, const Presentation& look);

std::string print_telemetry_table(const TelemetryReport& report, const Presentation& look);

}  // namespace seedance
