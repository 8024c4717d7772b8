#include "report/cost_report.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "report/cost_lines.h"

namespace seedance {
namespace {

constexpr std::array<std::string_view, 3> kIdleNames{"separate", "share", "hide"};
constexpr std::array<std::string_view, 6> kLineNames{"group", "not_allocated", "stranded", "unattributed", "shared", "unpriced"};

using LineName = std::tuple<LineKind, std::vector<std::string>, std::string>;

void set_previous(CostReport& report, const CostQuestion& question, const CostFacts& facts) {
  if (!question.compare_previous || !facts.has_previous || question.step.count() != 0) return;
  std::map<LineName, MoneySum> before;
  std::map<std::string, MoneySum> totals;
  const CostLines previous = cost_lines(question, facts.previous);
  for (const CostLine& line : previous.lines) {
    before[{line.kind, line.keys, line.currency}] += line.sums.total_cost();
    totals[line.currency] += line.sums.total_cost();
  }
  for (const CostLine& line : previous.hidden) totals[line.currency] += line.sums.total_cost();
  for (CostLine& line : report.lines) {
    const auto at = before.find({line.kind, line.keys, line.currency});
    line.previous_total = at == before.end() ? MoneySum{0} : at->second;
  }
  for (CurrencyTotal& total : report.totals) total.previous_total = totals[total.currency];
}

// Groups by falling cost, ties by name; rests at the end in the order of their kinds.
bool line_order(const CostLine& a, const CostLine& b) {
  if (a.step_start != b.step_start) return a.step_start < b.step_start;
  if (a.kind != b.kind) return a.kind < b.kind;
  const MoneySum cost_a = a.sums.total_cost();
  const MoneySum cost_b = b.sums.total_cost();
  if (cost_a != cost_b) return cost_a > cost_b;
  return std::tie(a.keys, a.currency) < std::tie(b.keys, b.currency);
}

}  // namespace

Result<IdleMode> parse_idle_mode(std::string_view name) {
  for (std::size_t i = 0; i < kIdleNames.size(); ++i) {
    if (kIdleNames[i] == name) return static_cast<IdleMode>(i);
  }
  return fail(Code::kInvalid, "unknown idle mode: " + std::string(name.substr(0, 40)), "use separate, share or hide");
}

std::string_view idle_mode_name(IdleMode mode) { return kIdleNames[static_cast<std::size_t>(mode)]; }
std::string_view line_kind_name(LineKind kind) { return kLineNames[static_cast<std::size_t>(kind)]; }

LedgerQuery ledger_query_of(const CostQuestion& question) {
  LedgerQuery query;
  query.window = question.window;
  query.by = question.by;
  query.step = question.step;
  query.filters = question.filters;
  query.measures = Measures::kUsage;
  if (question.idle == IdleMode::kShare) {
    query.by.push_back(GroupKey::kCluster);
    query.by.push_back(GroupKey::kNode);
  }
  return query;
}

Interval previous_window(Interval window) { return {window.from - (window.to - window.from), window.from}; }

void set_owners(CostReport& report, const DimensionRules& rules) {
  const auto owner_of = [&](GroupKey key, const std::string& value) -> std::string {
    const std::optional<Dimension> dimension = dimension_from_name(group_key_name(key));
    if (!dimension) return {};
    const auto& owners = rules.of(*dimension).owners;
    const auto at = std::find_if(owners.begin(), owners.end(), [&](const auto& pair) { return pair.first == value; });
    return at == owners.end() ? std::string{} : at->second;
  };
  for (CostLine& line : report.lines) {
    for (std::size_t i = 0; i < line.keys.size() && line.owner.empty(); ++i) line.owner = owner_of(report.question.by[i], line.keys[i]);
  }
}

CostReport make_cost_report(const CostQuestion& question, CostFacts facts) {
  CostReport report;
  report.question = question;
  report.split_methods = std::move(facts.split_methods);
  report.has_provisional = facts.has_provisional;
  report.data_from = facts.data_from;
  report.data_to = facts.data_to;
  CostLines lines = cost_lines(question, facts.current);
  report.lines = std::move(lines.lines);
  std::sort(report.lines.begin(), report.lines.end(), line_order);

  std::map<std::string, CurrencyTotal> totals;
  for (const CostLine& line : report.lines) totals[line.currency].sums += line.sums;
  for (const CostLine& line : lines.hidden) {
    totals[line.currency].sums += line.sums;
    totals[line.currency].hidden += line.sums.total_cost();
  }
  if (question.filters.empty()) {
    for (auto& [currency, total] : totals) total.charged = 0;
    for (const HourCharge& charge : facts.charges) totals[charge.currency].charged = charge.nanos;
  }
  for (auto& [currency, total] : totals) {
    total.currency = currency;
    report.totals.push_back(total);
  }
  set_previous(report, question, facts);
  return report;
}

}  // namespace seedance
