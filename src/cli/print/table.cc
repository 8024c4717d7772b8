#include "cli/print/table.h"

#include <algorithm>
#include <numeric>

#include "cli/print/terminal_text.h"

namespace seedance {
namespace {

constexpr std::size_t kColumnGap = 2;
constexpr std::size_t kNameWidthMin = 8;

std::vector<std::size_t> natural_widths(const Table& table, bool with_header) {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    std::size_t width = with_header ? display_width(table.columns[c].header) : 0;
    for (const std::vector<std::string>& row : table.rows) width = std::max(width, display_width(row[c]));
    widths.push_back(width);
  }
  return widths;
}

// Takes from the widest name until the line fits or no name can give more.
void fit_names(std::vector<std::size_t>& widths, const Table& table, std::size_t line_width) {
  std::size_t total = std::accumulate(widths.begin(), widths.end(), kColumnGap * (widths.size() - 1));
  while (total > line_width) {
    std::size_t widest = widths.size();
    for (std::size_t c = 0; c < widths.size(); ++c) {
      if (table.columns[c].is_number || widths[c] <= kNameWidthMin) continue;
      if (widest == widths.size() || widths[c] > widths[widest]) widest = c;
    }
    if (widest == widths.size()) return;
    --widths[widest];
    --total;
  }
}

std::string table_line(const Table& table, const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (c > 0) line.append(kColumnGap, ' ');
    line += table.columns[c].is_number ? padded_left(cells[c], widths[c]) : padded_right(shortened(cells[c], widths[c]), widths[c]);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

std::string print_table(const Table& table, const Presentation& look) {
  if (table.columns.empty()) return {};
  Table safe = table;
  for (std::vector<std::string>& row : safe.rows) {
    for (std::string& cell : row) cell = visible(cell);
  }
  std::vector<std::size_t> widths = natural_widths(safe, look.headers);
  if (look.on_terminal) fit_names(widths, safe, look.width);
  std::string out;
  if (look.headers) {
    std::vector<std::string> names;
    for (const TableColumn& column : safe.columns) names.push_back(column.header);
    const std::string line = table_line(safe, names, widths);
    out += look.colour ? "\x1b[1m" + line + "\x1b[0m\n" : line + "\n";
  }
  for (const std::vector<std::string>& row : safe.rows) out += table_line(safe, row, widths) + "\n";
  return out;
}

}  // namespace seedance
