#include "store/memory/memory_ledger.h"

#include <algorithm>
#include <set>
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

Result<void> MemoryLedger::replace_hour(TimePoint hour, const HourBooks& books) {
  auto kept = std::make_shared<const HourBooks>(books);
  const std::lock_guard lock(mutex_);
  if (books.rows.empty() && books.charges.empty()) {
    hours_.erase(hour);
  } else {
    hours_[hour] = std::move(kept);
  }
  return {};
}

std::vector<MemoryLedger::Books> MemoryLedger::snapshot(Interval window) const {
  const std::lock_guard lock(mutex_);
  std::vector<Books> out;
  for (auto at = hours_.lower_bound(window.from); at != hours_.end() && at->first < window.to; ++at) out.push_back(at->second);
  return out;
}

Result<std::vector<LedgerRow>> MemoryLedger::read_rows(Interval window) const {
  std::vector<LedgerRow> out;
  for (const Books& books : snapshot(window)) out.insert(out.end(), books->rows.begin(), books->rows.end());
  return out;
}

Result<LedgerGroups> MemoryLedger::group(const LedgerQuery& query) const {
  std::map<GroupIdentity, LedgerSums> sums;
  for (const Books& books : snapshot(query.window)) {
    for (const LedgerRow& row : books->rows) {
      if (std::find(query.except_hours.begin(), query.except_hours.end(), row.hour) != query.except_hours.end()) break;
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

Result<std::vector<HourCharge>> MemoryLedger::charges(Interval window, std::span<const TimePoint> except_hours) const {
  const std::lock_guard lock(mutex_);
  HourBooks sum;
  for (auto at = hours_.lower_bound(window.from); at != hours_.end() && at->first < window.to; ++at) {
    if (std::binary_search(except_hours.begin(), except_hours.end(), at->first)) continue;
    for (const HourCharge& c : at->second->charges) sum.add(c);
  }
  return sum.charges;
}

Result<std::vector<ColdStart>> MemoryLedger::cold_starts(Interval window, std::span<const TimePoint> except_hours) const {
  const std::lock_guard lock(mutex_);
  std::vector<ColdStart> out;
  for (auto at = hours_.lower_bound(window.from); at != hours_.end() && at->first < window.to; ++at) {
    if (std::binary_search(except_hours.begin(), except_hours.end(), at->first)) continue;
    out.insert(out.end(), at->second->cold_starts.begin(), at->second->cold_starts.end());
  }
  return out;
}

Result<LedgerMarks> MemoryLedger::marks(Interval window) const {
  LedgerMarks out;
  std::set<std::string> methods;
  for (const Books& books : snapshot(window)) {
    for (const LedgerRow& row : books->rows) {
      methods.emplace(split_method_name(row.split_method));
      out.has_provisional = out.has_provisional || row.provisional;
    }
  }
  out.split_methods.assign(methods.begin(), methods.end());
  return out;
}

Result<std::vector<TimePoint>> MemoryLedger::hours() const {
  const std::lock_guard lock(mutex_);
  std::vector<TimePoint> out;
  for (const auto& [hour, books] : hours_) out.push_back(hour);
  return out;
}

}  // namespace seedance
