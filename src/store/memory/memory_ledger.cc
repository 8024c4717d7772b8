#include "store/memory/memory_ledger.h"

#include <algorithm>
#include <tuple>

namespace seedance {
namespace {

TimePoint step_of(TimePoint hour, TimePoint origin, Nanos step) {
  return step.count() == 0 ? origin : origin + (hour - origin) / step * step;
}

using GroupIdentity = std::tuple<TimePoint, std::vector<std::string>, RowKind, std::string>;

}  // namespace

bool passes(const LedgerRow& row, std::span<const LedgerFilter> filters) {
  return std::all_of(filters.begin(), filters.end(), [&](const LedgerFilter& filter) {
    const std::string value = group_value(row, filter.key);
    const bool named = std::find(filter.values.begin(), filter.values.end(), value) != filter.values.end();
    return named != filter.negated;
  });
}

Result<void> MemoryLedger::replace_hour(TimePoint hour, std::span<const LedgerRow> rows) {
  auto kept = std::make_shared<const std::vector<LedgerRow>>(rows.begin(), rows.end());
  const std::lock_guard lock(mutex_);
  if (rows.empty()) {
    hours_.erase(hour);
  } else {
    hours_[hour] = std::move(kept);
  }
  return {};
}

std::vector<MemoryLedger::Rows> MemoryLedger::snapshot(Interval window) const {
  const std::lock_guard lock(mutex_);
  std::vector<Rows> out;
  for (auto at = hours_.lower_bound(window.from); at != hours_.end() && at->first < window.to; ++at) out.push_back(at->second);
  return out;
}

Result<std::vector<LedgerRow>> MemoryLedger::read_rows(Interval window) const {
  std::vector<LedgerRow> out;
  for (const Rows& rows : snapshot(window)) out.insert(out.end(), rows->begin(), rows->end());
  return out;
}

Result<LedgerGroups> MemoryLedger::group(const LedgerQuery& query) const {
  std::map<GroupIdentity, LedgerSums> sums;
  for (const Rows& rows : snapshot(query.window)) {
    if (std::find(query.except_hours.begin(), query.except_hours.end(), rows->front().hour) != query.except_hours.end()) continue;
    for (const LedgerRow& row : *rows) {
      if (!passes(row, query.filters)) continue;
      std::vector<std::string> keys;
      for (const GroupKey key : query.by) keys.push_back(group_value(row, key));
      sums[{step_of(row.hour, query.window.from, query.step), std::move(keys), row.kind, row.currency}] += sums_of(row);
      if (sums.size() > kGroupsMax) return fail(Code::kTooLarge, "too many groups", "add a filter or remove a dimension");
    }
  }
  LedgerGroups out;
  for (auto& [identity, sum] : sums) out.push_back({std::get<1>(identity), std::get<0>(identity), std::get<2>(identity), std::get<3>(identity), sum});
  return out;
}

Result<std::vector<TimePoint>> MemoryLedger::hours() const {
  const std::lock_guard lock(mutex_);
  std::vector<TimePoint> out;
  for (const auto& [hour, rows] : hours_) out.push_back(hour);
  return out;
}

}  // namespace seedance
