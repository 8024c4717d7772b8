// Tables in kubectl's shape: a header, blanks between columns, no frames.
#pragma once

#include <string>
#include <vector>

#include "cli/print/presentation.h"

namespace seedance {

struct TableColumn {
  std::string header;
  bool is_number = false;  // right-aligned and never shortened; names are left-aligned and may be
};

struct Table {
  std::vector<TableColumn> columns;
  std::vector<std::vector<std::string>> rows;  // one cell a column
};

// Every cell passes `visible`. On a terminal names are shortened in the middle until the table fits.
std::string print_table(const Table& table, const Presentation& look);

}  // namespace seedance
