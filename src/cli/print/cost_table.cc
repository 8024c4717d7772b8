#include "cli/print/cost_table.h"

#include <algorithm>
#include <map>

#include "cli/print/numbers.h"
#include "cli/print/table.h"
#include "cli/print/telemetry_table.h"
#include "cli/print/terminal_text.h"
#include "cli/texts.h"

namespace seedance {
namespace {

constexpr std::size_t kGroupsOnTerminal = 20;

// What a line of the table shows, whether it is a group, a rest, a fold or a total.
struct CostCells {
  std::vector<std::string> names;
  std::string currency;
  LedgerSums sums;
  std::optional<MoneySum> previous;
  std::string owner = {};
};

MoneySum undetermined_of(const LedgerSums& sums) {
  return sums.part(WaterfallPart::kUndeterminedIdle) + sums.part(WaterfallPart::kUndeterminedBusy) + sums.part(WaterfallPart::kUndeterminedNoData);
}

struct CostTableWriter {
  const CostReport& report;
  const Presentation& look;
  bool is_wide;
  bool has_owners = std::any_of(report.lines.begin(), report.lines.end(), [](const CostLine& l) { return !l.owner.empty(); });
  bool has_steps = report.question.step.count() != 0;
  bool has_currencies = report.totals.size() > 1;

  std::string word(TextId id) const { return std::string(text(id, look.language)); }

  std::vector<TableColumn> columns() const {
    const std::string unit = report.totals.size() == 1 ? "(" + visible(report.totals[0].currency) + ")" : "";
    const auto money = [&](TextId id) { return TableColumn{filled(id, look.language, {unit}), true}; };
    std::vector<TableColumn> out;
    if (has_steps) out.push_back({word(TextId::kHeadFrom)});
    for (const GroupKey key : report.question.by) out.push_back({word(text_after(TextId::kKeyCluster, static_cast<std::size_t>(key)))});
    if (report.question.by.empty()) out.push_back({""});
    if (has_currencies) out.push_back({word(TextId::kHeadCurrency)});
    out.push_back({word(TextId::kHeadGpuHours), true});
    out.push_back(money(TextId::kHeadGpu));
    out.push_back(money(TextId::kHeadCpuMemory));
    if (is_wide) {
      for (const TextId id : {TextId::kHeadCpu, TextId::kHeadMemory, TextId::kHeadStorage, TextId::kHeadNetwork, TextId::kHeadShared}) out.push_back(money(id));
    }
    out.push_back(money(TextId::kHeadTotal));
    out.push_back({word(TextId::kHeadChange), true});
    out.push_back({word(TextId::kHeadWasted), true});
    if (is_wide) {
      out.push_back({word(TextId::kHeadUndetermined), true});
      out.push_back({word(TextId::kHeadActive), true});
      out.push_back({word(TextId::kHeadGpuMeasured), true});
      if (has_owners) out.push_back({word(TextId::kHeadOwner)});
    }
    return out;
  }

  // Money whose cause nobody knows is not called wasted, and not called fine either.
  std::string wasted_text(const LedgerSums& sums) const {
    return sums.wasted == 0 && undetermined_of(sums) > 0 ? "?" : percent_text(sums.wasted, sums.total_cost());
  }

  std::vector<std::string> row(const CostCells& cells) const {
    const LedgerSums& s = cells.sums;
    std::vector<std::string> out = cells.names;
    if (has_currencies) out.push_back(cells.currency);
    out.push_back(hours_text(s.gpu_allocated));
    out.push_back(money_text(s.gpu_cost));
    out.push_back(money_text(s.cpu_cost + s.memory_cost));
    if (is_wide) {
      for (const MoneySum m : {s.cpu_cost, s.memory_cost, s.storage_cost, s.network_cost, s.shared_cost}) out.push_back(money_text(m));
    }
    out.push_back(money_text(s.total_cost()));
    out.push_back(change_text(s.total_cost(), cells.previous));
    out.push_back(wasted_text(s));
    if (is_wide) {
      out.push_back(percent_text(undetermined_of(s), s.total_cost()));
      out.push_back(activity_text(s));
      out.push_back(hours_text(s.gpu_measured));
      if (has_owners) out.push_back(cells.owner);
    }
    return out;
  }

  std::string rest_name(LineKind kind) const {
    switch (kind) {
      case LineKind::kNotAllocated: return word(TextId::kNotAllocated);
      case LineKind::kStranded: return word(TextId::kStranded);
      case LineKind::kUnattributed: return word(TextId::kUnattributed);
      case LineKind::kShared: return word(TextId::kShared);
      case LineKind::kUnpriced: return word(TextId::kUnpriced);
      case LineKind::kGroup: break;
    }
    return {};
  }

  std::string no_value(GroupKey key) const { return filled(TextId::kNoValue, look.language, {key_word(key)}); }
  std::string key_word(GroupKey key) const {
    if (look.language == Language::kChinese) return word(text_after(TextId::kKeyCluster, static_cast<std::size_t>(key)));
    std::string name(group_key_name(key));
    std::replace(name.begin(), name.end(), '_', ' ');
    return name;
  }

  // A rest says its name where the first value is missing, or behind the last one.
  std::vector<std::string> names_of(const CostLine& line) const {
    std::vector<std::string> out;
    if (has_steps) out.push_back(minute_text(line.step_start, report.question.zone));
    if (line.keys.empty()) out.push_back(rest_name(line.kind));
    bool is_named = line.kind == LineKind::kGroup;
    for (std::size_t i = 0; i < line.keys.size(); ++i) {
      const bool is_last = i + 1 == line.keys.size();
      if (!line.keys[i].empty()) {
        out.push_back(line.keys[i] + (!is_named && is_last ? " (" + rest_name(line.kind) + ")" : ""));
      } else if (is_named) {
        out.push_back(line.kind == LineKind::kGroup ? no_value(report.question.by[i]) : "");
      } else {
        out.push_back(rest_name(line.kind));
        is_named = true;
      }
    }
    return out;
  }

  CostCells cells_of(const CostLine& line) const {
    return {names_of(line), line.currency, line.sums, line.previous_total, line.owner};
  }

  std::vector<std::string> name_in_first_column(std::string name) const {
    std::vector<std::string> out(std::max<std::size_t>(1, report.question.by.size()) + (has_steps ? 1 : 0));
    out[0] = std::move(name);
    return out;
  }

  // On a terminal the groups beyond the first twenty become one line a currency.
  void add_lines(Table& table) const {
    std::map<std::string, std::pair<std::size_t, CostCells>> folded;
    std::size_t groups = 0;
    const bool may_fold = look.on_terminal && !has_steps;
    const auto flush = [&] {
      for (auto& [currency, fold] : folded) {
        fold.second.names = name_in_first_column(filled(TextId::kMore, look.language, {std::to_string(fold.first)}));
        fold.second.currency = currency;
        table.rows.push_back(row(fold.second));
      }
      folded.clear();
    };
    for (const CostLine& line : report.lines) {
      if (line.kind != LineKind::kGroup) flush();
      if (!may_fold || line.kind != LineKind::kGroup || ++groups <= kGroupsOnTerminal) {
        table.rows.push_back(row(cells_of(line)));
        continue;
      }
      auto& [count, cells] = folded[line.currency];
      ++count;
      cells.sums += line.sums;
      if (line.previous_total) cells.previous = cells.previous.value_or(0) + *line.previous_total;
    }
    flush();
  }

  // What the table shows adds up to its total; hidden money is a note.
  void add_totals(Table& table) const {
    for (const CurrencyTotal& total : report.totals) {
      CostCells cells;
      cells.names = name_in_first_column(word(TextId::kTotal));
      cells.currency = total.currency;
      for (const CostLine& line : report.lines) {
        if (line.currency == total.currency) cells.sums += line.sums;
      }
      cells.previous = total.previous_total;
      table.rows.push_back(row(cells));
    }
  }

  std::string notes() const {
    const bool is_compared = std::any_of(report.totals.begin(), report.totals.end(), [](const CurrencyTotal& t) { return t.charged.has_value(); });
    std::string out = is_compared ? books_text(report.totals, look.language) : word(TextId::kBooksNotCompared);
    out += word(TextId::kSemicolon) + window_text(report.question.window, report.question.zone) + "\n";
    for (const CurrencyTotal& total : report.totals) {
      if (total.hidden != 0) out += filled(TextId::kHidden, look.language, {print_exact(total.hidden) + " " + visible(total.currency)}) + "\n";
    }
    std::string methods;
    for (const std::string& method : report.split_methods) methods += (methods.empty() ? "" : ", ") + visible(method);
    if (!methods.empty()) out += filled(TextId::kSplitBy, look.language, {methods}) + "\n";
    if (report.has_provisional) out += word(TextId::kProvisional) + "\n";
    out += telemetry_lines(report.telemetry, report.question.zone, look);
    const Interval window = report.question.window;
    if (report.data_from && *report.data_from > window.from) out += filled(TextId::kDataStarts, look.language, {instant_text(*report.data_from, report.question.zone)}) + "\n";
    if (report.data_to && *report.data_to < window.to) out += filled(TextId::kDataEnds, look.language, {instant_text(*report.data_to, report.question.zone)}) + "\n";
    return out;
  }
};

}  // namespace

bool books_close(const CostReport& report) {
  return std::all_of(report.totals.begin(), report.totals.end(), [](const CurrencyTotal& t) { return t.left() == 0; });
}

std::string books_text(const std::vector<CurrencyTotal>& totals, Language language) {
  std::string left;
  bool is_closed = true;
  for (const CurrencyTotal& total : totals) {
    left += (left.empty() ? "" : ", ") + print_exact(total.left()) + " " + visible(total.currency);
    is_closed = is_closed && total.left() == 0;
  }
  return filled(is_closed ? TextId::kBooksClosed : TextId::kBooksOpen, language, {left});
}

std::string print_cost_table(const CostReport& report, const Presentation& look, bool is_wide) {
  const CostTableWriter writer{report, look, is_wide};
  Table table{writer.columns(), {}};
  writer.add_lines(table);
  writer.add_totals(table);
  return print_table(table, look) + (look.headers ? writer.notes() : "");
}

}  // namespace seedance
