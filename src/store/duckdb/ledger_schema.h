// How a ledger row lies in tables: the texts of a row are a *subject*, kept once; the ledger itself holds only numbers.
//
// Rows of one container repeat thirty texts every hour. Grouping 18 million rows by strings costs seconds; grouping them by an
// integer first and joining 25,000 subjects afterwards does not.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/ledger.h"
#include "model/ledger_query.h"
#include "store/duckdb/connection.h"

namespace seedance {

// The statements that make the tables, for an empty or an existing store.
std::string ledger_ddl();

// Drops what older versions kept in the database and nobody reads any more.
std::string retired_ddl();

// Adds the columns that a store of an older version lacks. kConflict when they are lacking and the store is only read.
Result<void> bring_up_to_date(Connection& connection, bool read_only);

// The text columns of a subject, in table order behind `id`.
std::span<const std::string_view> subject_columns();
std::vector<std::string_view> subject_values(const LedgerRow& row);
void set_subject_values(LedgerRow& row, std::span<const std::string_view> values);

// The number columns of the ledger table, in table order behind `hour` and `subject`.
std::span<const std::string_view> number_columns();
std::vector<std::int64_t> number_values(const LedgerRow& row);
void set_number_values(LedgerRow& row, std::span<const std::int64_t> values);

// SQL over the subject table `s` that gives a group key as text.
std::string group_expression(GroupKey key);

// The number columns that the measures need, and where their sums go.
std::vector<std::string_view> measured_columns(Measures measures);
void add_measured(LedgerSums& sums, std::string_view column, Int128 value);

// Wide rows with money as decimals, for exports.
std::string export_select();

}  // namespace seedance
