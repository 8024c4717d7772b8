#include "report/cost_lines.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/split.h"

namespace seedance {
namespace {

LineKind line_kind_of(RowKind kind) {
  switch (kind) {
    case RowKind::kIdle: return LineKind::kNotAllocated;
    case RowKind::kStranded: return LineKind::kStranded;
    case RowKind::kUnattributed: return LineKind::kUnattributed;
    case RowKind::kShared: return LineKind::kShared;
    case RowKind::kUnpriced: return LineKind::kUnpriced;
    case RowKind::kAllocated:
    case RowKind::kStorage:
    case RowKind::kNetwork: return LineKind::kGroup;
  }
  return LineKind::kUnattributed;
}

bool is_idle(LineKind kind) { return kind == LineKind::kNotAllocated || kind == LineKind::kStranded; }

// Step, cluster, node, currency: money moves only inside one of these.
using Place = std::tuple<TimePoint, std::string, std::string, std::string>;

using Identity = std::tuple<TimePoint, LineKind, std::vector<std::string>, std::string>;
Identity identity_of(const CostLine& line) { return {line.step_start, line.kind, line.keys, line.currency}; }

std::vector<CostLine> joined(std::vector<CostLine> lines) {
  std::map<Identity, CostLine> by_identity;
  for (CostLine& line : lines) {
    const auto [at, is_new] = by_identity.try_emplace(identity_of(line), line);
    if (!is_new) at->second.sums += line.sums;
  }
  std::vector<CostLine> out;
  for (auto& [identity, line] : by_identity) out.push_back(std::move(line));
  return out;
}

constexpr MoneySum LedgerSums::*kComputeResources[] = {&LedgerSums::cpu_cost, &LedgerSums::memory_cost, &LedgerSums::gpu_cost};

// An amount of one resource over the holders, by what that resource cost them; when it cost nobody anything, by their compute
// cost. The holders have compute cost.
std::vector<Money> parts_of(MoneySum amount, MoneySum LedgerSums::*resource, const std::vector<LedgerSums>& holders) {
  for (const bool by_resource : {true, false}) {
    std::vector<Int128> weights;
    Int128 sum = 0;
    for (const LedgerSums& h : holders) {
      weights.push_back(std::max<Int128>(0, by_resource ? h.*resource : h.compute_cost()));
      sum += weights.back();
    }
    if (sum > 0) return split(Money::nanos(static_cast<std::int64_t>(amount)), weights);
  }
  return {};
}

// Moves the idle money of one place to its holders. Without holders it stays a line.
void share_idle(std::vector<CostLine>& lines) {
  std::vector<CostLine*> holders;
  std::vector<LedgerSums> before;  // weights are what the holders had before anything moved
  for (CostLine& line : lines) {
    if (line.kind != LineKind::kGroup || line.sums.compute_cost() <= 0) continue;
    holders.push_back(&line);
    before.push_back(line.sums);
  }
  if (holders.empty()) return;
  for (CostLine& line : lines) {
    if (!is_idle(line.kind)) continue;
    for (MoneySum LedgerSums::*resource : kComputeResources) {
      const std::vector<Money> parts = parts_of(line.sums.*resource, resource, before);
      for (std::size_t i = 0; i < holders.size(); ++i) {
        holders[i]->sums.*resource += parts[i].nanos();
        holders[i]->sums.wasted += parts[i].nanos();
      }
    }
  }
  std::erase_if(lines, [](const CostLine& line) { return is_idle(line.kind); });
}

}  // namespace

CostLines cost_lines(const CostQuestion& question, const LedgerGroups& groups) {
  const bool with_place = question.idle == IdleMode::kShare;
  std::map<Place, std::vector<CostLine>> by_place;
  for (const LedgerGroup& group : groups) {
    CostLine line;
    line.kind = line_kind_of(group.kind);
    line.keys = group.keys;
    line.step_start = group.step_start;
    line.currency = group.currency;
    line.sums = group.sums;
    Place place{group.step_start, "", "", group.currency};
    if (with_place) {
      std::get<2>(place) = line.keys.back();
      line.keys.pop_back();
      std::get<1>(place) = line.keys.back();
      line.keys.pop_back();
    }
    by_place[place].push_back(std::move(line));
  }
  std::vector<CostLine> all;
  CostLines out;
  for (auto& [place, lines] : by_place) {
    if (with_place) share_idle(lines);
    for (CostLine& line : lines) {
      (question.idle == IdleMode::kHide && is_idle(line.kind) ? out.hidden : all).push_back(std::move(line));
    }
  }
  out.lines = joined(std::move(all));
  out.hidden = joined(std::move(out.hidden));
  return out;
}

}  // namespace seedance
