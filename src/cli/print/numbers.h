// Numbers as people read them in tables; exports use the exact forms of base/money.h.
#pragma once

#include <optional>
#include <string>

#include "base/money.h"
#include "base/time_zone.h"
#include "model/ledger_query.h"

namespace seedance {

std::string money_text(MoneySum nanos);                       // "1,771.25"; "< 0.01" when it rounds to nothing but is not zero
std::string hours_text(Int128 unit_nanos);                    // "812.5"
std::string card_count(std::int64_t gpu_millis);               // "8", "0.125": exact, also in exports
std::string percent_text(Int128 part, Int128 whole);          // "41.0%", "< 0.1%", "-" of nothing
std::string activity_text(const LedgerSums& sums);            // share of the measured GPU time with an active engine
std::string memory_text(const LedgerSums& sums);              // "71.2/80Gi", the average of what the device held; "-" when not known
std::string age_text(Nanos age);                              // "42s", "17m", "3h20m", "9h", "3d4h", "12d"
std::string change_text(MoneySum now, std::optional<MoneySum> before);  // "+12.3%", "new", "-" when not known

// Times as the clocks of a zone show them.
std::string minute_text(TimePoint t, const TimeZone& zone);        // "2026-11-23 14:00"
std::string day_text(TimePoint t, const TimeZone& zone);           // "2026-11-23", with the minute where it is not midnight
std::string window_text(Interval window, const TimeZone& zone);    // "2026-11-23 14:00 .. 11-30 14:00 +08:00"
std::string instant_text(TimePoint t, const TimeZone& zone);       // "2026-11-23 14:00 +08:00"

}  // namespace seedance
