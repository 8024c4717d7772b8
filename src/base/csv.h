// Comma-separated values, RFC 4180: quoted fields, doubled quotes, CRLF or LF, an optional byte-order mark.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace seedance {

// Calls `on_row(line, fields)` for every row that is not empty; the line counts from 1 where the row starts. Stops at the first
// error. Fields longer than 64 KiB or more than 1,000 in a row are refused.
Result<void> read_csv(std::string_view text, const std::function<Result<void>(std::size_t line, const std::vector<std::string>& fields)>& on_row);

// Quotes a field when it needs it. Text that a spreadsheet would run as a formula (it starts with = + - @ tab or CR and is
// not a number) gets a leading apostrophe: OWASP "CSV Injection".
std::string csv_field(std::string_view value);

}  // namespace seedance
