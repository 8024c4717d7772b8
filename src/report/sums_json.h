// Sums of the ledger as JSON members: money as decimal strings with nine digits, time-weighted amounts as hours.
#pragma once

#include "json/value.h"
#include "model/ledger_query.h"

namespace seedance {

// Adds the members to `out`; the waterfall parts stand in a member object of their own.
void set_sums(Json& out, const LedgerSums& sums);
LedgerSums sums_from(const Json& json);

// What the counters of devices say, beside them.
void set_device_sums(Json& out, const LedgerSums& sums);
void read_device_sums(const Json& json, LedgerSums& sums);

// "12.345678901" from any sum, and back (also beyond the range of Money).
Result<MoneySum> parse_sum(std::string_view text);

// GPU-nanoseconds as GPU hours with nine decimals, exact to the printed digit.
std::string print_hours(Int128 unit_nanos);

}  // namespace seedance
