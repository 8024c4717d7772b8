// Cold starts as rows of a table; an absent instant is 0.
#pragma once

#include <span>
#include <string>

#include "model/cold_start.h"
#include "store/duckdb/connection.h"

namespace seedance {

std::string cold_start_ddl();
Result<void> append_cold_starts(Connection& connection, std::int64_t hour, std::span<const ColdStart> starts);

// "SELECT ... FROM cold_starts"; its columns are read by `cold_start_from`.
std::string cold_start_select();
ColdStart cold_start_from(const RowBatch& batch, std::size_t row);

}  // namespace seedance
