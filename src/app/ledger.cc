#include "app/ledger.h"

#include <algorithm>

namespace seedance {

Result<void> Ledger::replace_hour(TimePoint hour, const HourBooks& books) {
  const std::unique_lock lock(mutex_);
  TRY(settled_->replace_hour(hour, books));
  return provisional_.replace_hour(hour, {});
}

Result<void> Ledger::replace_provisional_hour(TimePoint hour, const HourBooks& books) {
  const std::unique_lock lock(mutex_);
  return provisional_.replace_hour(hour, books);
}

std::vector<TimePoint> Ledger::provisional_hours() const {
  return provisional_.hours().value_or(std::vector<TimePoint>{});
}

Result<std::vector<LedgerRow>> Ledger::read_rows(Interval window) const {
  TRY_ASSIGN(std::vector<LedgerRow> open, provisional_.read_rows(window));
  TRY_ASSIGN(std::vector<LedgerRow> rows, settled_->read_rows(window));
  TRY_ASSIGN(const std::vector<TimePoint> taken, provisional_.hours());
  std::erase_if(rows, [&](const LedgerRow& row) { return std::binary_search(taken.begin(), taken.end(), row.hour); });
  rows.insert(rows.end(), std::make_move_iterator(open.begin()), std::make_move_iterator(open.end()));
  std::sort(rows.begin(), rows.end(), ledger_order);
  return rows;
}

Result<LedgerGroups> Ledger::group(const LedgerQuery& query) const {
  TRY_ASSIGN(const std::vector<TimePoint> taken, provisional_.hours());
  TRY_ASSIGN(LedgerGroups open, provisional_.group(query));
  LedgerQuery rest = query;
  rest.except_hours.insert(rest.except_hours.end(), taken.begin(), taken.end());
  TRY_ASSIGN(LedgerGroups groups, settled_->group(rest));
  groups.insert(groups.end(), std::make_move_iterator(open.begin()), std::make_move_iterator(open.end()));
  return merged(std::move(groups));
}

Result<std::vector<HourCharge>> Ledger::charges(Interval window, std::span<const TimePoint> except_hours) const {
  std::vector<TimePoint> taken = provisional_hours();
  TRY_ASSIGN(const std::vector<HourCharge> open, provisional_.charges(window, except_hours));
  taken.insert(taken.end(), except_hours.begin(), except_hours.end());
  std::sort(taken.begin(), taken.end());
  TRY_ASSIGN(std::vector<HourCharge> out, settled_->charges(window, taken));
  HourBooks sum{{}, std::move(out), {}};
  for (const HourCharge& c : open) sum.add(c);
  return sum.charges;
}

Result<std::vector<ColdStart>> Ledger::cold_starts(Interval window, std::span<const TimePoint> except_hours) const {
  std::vector<TimePoint> taken = provisional_hours();
  TRY_ASSIGN(std::vector<ColdStart> out, provisional_.cold_starts(window, except_hours));
  taken.insert(taken.end(), except_hours.begin(), except_hours.end());
  std::sort(taken.begin(), taken.end());
  TRY_ASSIGN(std::vector<ColdStart> settled, settled_->cold_starts(window, taken));
  out.insert(out.end(), std::make_move_iterator(settled.begin()), std::make_move_iterator(settled.end()));
  return out;
}

Result<LedgerMarks> Ledger::marks(Interval window) const {
  TRY_ASSIGN(LedgerMarks out, settled_->marks(window));
  TRY_ASSIGN(const LedgerMarks open, provisional_.marks(window));
  out.has_provisional = out.has_provisional || open.has_provisional;
  out.split_methods.insert(out.split_methods.end(), open.split_methods.begin(), open.split_methods.end());
  std::sort(out.split_methods.begin(), out.split_methods.end());
  out.split_methods.erase(std::unique(out.split_methods.begin(), out.split_methods.end()), out.split_methods.end());
  return out;
}

Result<std::vector<TimePoint>> Ledger::hours() const {
  TRY_ASSIGN(std::vector<TimePoint> out, settled_->hours());
  TRY_ASSIGN(const std::vector<TimePoint> open, provisional_.hours());
  out.insert(out.end(), open.begin(), open.end());
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace seedance
