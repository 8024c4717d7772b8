// Random ledger rows and questions for tests, and the answer that a loop over all rows gives.
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "base/time_text.h"
#include "model/ledger_query.h"

namespace seedance {

inline TimePoint made_hour(std::int64_t number) { return time_from_seconds(1'796'040'000 + number * 3'600); }
inline Interval made_hours(std::int64_t from, std::int64_t to) { return {made_hour(from), made_hour(to)}; }

// Texts that break what pastes them together; no NUL, which no label can hold.
inline const std::vector<std::string>& hostile_texts() {
  static const std::vector<std::string> kTexts{
      "'", "''", "\"", "\\", "';--", "'); DROP TABLE ledger; --", "\" OR 1=1 --", "$1", "?", "%", "_", "a\tb", "a\nb", "\r", "\x01\x02\x1b[31m", "\x7f",
      "x' UNION SELECT * FROM subjects --", "<script>alert(1)</script>", "=1+1", "{{7*7}}", "../../etc/passwd", "\xe6\xb8\xac\xe8\xa9\xa6", "\xf0\x9f\x92\xb8",
      "NULL", "null", " ", "a,b;c|d", "0", "team-a/../team-b"};
  return kTexts;
}

// One of a few values, so that groups have several rows; sometimes empty.
inline std::string made_value(std::mt19937_64& random, const std::string& prefix) {
  const std::uint64_t pick = random() % 5;
  return pick == 0 ? std::string() : pick == 1 ? hostile_texts()[random() % 6] : prefix + std::to_string(pick);
}

inline LedgerRow made_row(std::mt19937_64& random, std::int64_t hour, std::size_t number) {
  const auto amount = [&] { return static_cast<std::int64_t>(random() % 4'000'000'000'000'000); };
  LedgerRow r;
  r.hour = made_hour(hour);
  r.price_from = r.hour + std::chrono::milliseconds(random() % 1'000'000);
  r.price_to = r.price_from + std::chrono::milliseconds(1 + random() % 1'000'000);
  r.kind = static_cast<RowKind>(random() % 8);
  r.provisional = random() % 2 == 0;
  r.cluster = made_value(random, "cluster");
  r.node = made_value(random, "node");
  r.node_uid = made_value(random, "uid");
  r.instance_type = made_value(random, "type");
  r.capacity_kind = made_value(random, "kind");
  r.namespace_name = made_value(random, "ns");
  r.workload_kind = made_value(random, "Kind");
  r.workload = made_value(random, "work");
  r.pod = made_value(random, "pod");
  r.pod_uid = made_value(random, "pod-uid");
  r.container = "c" + std::to_string(number);
  r.gpu = made_value(random, "GPU-");
  r.gpu_index = made_value(random, "0.");
  r.gpu_model = made_value(random, "model");
  r.since = made_value(random, "2026-11-30T14:00:0");
  r.reason = made_value(random, "because");
  for (std::string& value : r.dimensions) value = made_value(random, "d");
  r.dimension_origin = made_value(random, "team=rule ");
  for (std::int64_t* usage : {&r.cpu_requested, &r.cpu_used, &r.cpu_allocated, &r.memory_requested, &r.memory_used, &r.memory_allocated, &r.gpu_allocated,
                              &r.gpu_measured, &r.gpu_active, &r.sm_measured, &r.sm_active, &r.tensor_measured, &r.tensor_active, &r.gpu_memory_nanos,
                              &r.gpu_memory_used, &r.gpu_memory_size, &r.held_nanos}) {
    *usage = amount();
  }
  r.currency = random() % 3 == 0 ? "EUR" : "USD";
  for (Money* money : {&r.cpu_cost, &r.memory_cost, &r.gpu_cost, &r.storage_cost, &r.network_cost, &r.shared_cost}) *money = Money::nanos(amount());
  for (Money& part : r.waterfall) part = Money::nanos(amount() / 1'000);
  r.split_method = static_cast<SplitMethod>(random() % 3);
  r.price_source = made_value(random, "list ");
  return r;
}

inline HourBooks made_books(std::mt19937_64& random, std::int64_t hour, std::size_t rows) {
  HourBooks books;
  for (std::size_t i = 0; i < rows; ++i) {
    books.rows.push_back(made_row(random, hour, i));
    books.charge(books.rows.back().currency, books.rows.back().total_cost());
  }
  std::sort(books.rows.begin(), books.rows.end(), ledger_order);
  return books;
}

inline std::string made_lines(const std::vector<LedgerRow>& rows) {
  std::string out;
  for (const LedgerRow& r : rows) out += ledger_line(r) + "\n";
  return out;
}

inline LedgerQuery made_query(std::mt19937_64& random, const std::vector<LedgerRow>& rows) {
  LedgerQuery q;
  const auto from = static_cast<std::int64_t>(random() % 8);
  q.window = made_hours(from, from + 1 + static_cast<std::int64_t>(random() % 8));
  for (std::size_t i = random() % 4; i > 0; --i) q.by.push_back(static_cast<GroupKey>(random() % kGroupKeyCount));
  if (random() % 2 == 0) q.step = std::chrono::hours(1 + random() % 5);
  for (std::size_t i = random() % 3; i > 0; --i) {
    LedgerFilter filter{static_cast<GroupKey>(random() % kGroupKeyCount), {}, random() % 3 == 0};
    for (std::size_t k = 1 + random() % 3; k > 0; --k) filter.values.push_back(group_value(rows[random() % rows.size()], filter.key));
    q.filters.push_back(filter);
  }
  q.measures = static_cast<Measures>(random() % 4);
  for (std::size_t i = random() % 3; i > 0; --i) q.except_hours.push_back(made_hour(static_cast<std::int64_t>(random() % 12)));
  return q;
}

inline LedgerGroups brute_force(const std::vector<LedgerRow>& rows, const LedgerQuery& q) {
  LedgerGroups out;
  for (const LedgerRow& r : rows) {
    if (!q.window.contains(r.hour) || std::find(q.except_hours.begin(), q.except_hours.end(), r.hour) != q.except_hours.end()) continue;
    bool passed = true;
    for (const LedgerFilter& f : q.filters) passed = passed && (std::find(f.values.begin(), f.values.end(), group_value(r, f.key)) != f.values.end()) != f.negated;
    if (!passed) continue;
    LedgerGroup group;
    for (const GroupKey key : q.by) group.keys.push_back(group_value(r, key));
    group.step_start = q.step.count() == 0 ? q.window.from : q.window.from + (r.hour - q.window.from) / q.step * q.step;
    group.kind = r.kind;
    group.currency = r.currency;
    group.sums = sums_of(r);
    out.push_back(std::move(group));
  }
  return merged(std::move(out));
}

// The measures that were asked, as text.
inline std::string made_text(const LedgerGroups& groups, Measures measures) {
  std::string out;
  for (const LedgerGroup& g : groups) {
    out += print_time(g.step_start) + "|" + std::string(row_kind_name(g.kind)) + "|" + g.currency;
    for (const std::string& key : g.keys) out += "|" + key;
    const LedgerSums& s = g.sums;
    const auto add = [&](Int128 value) { out += " " + print_exact(value); };
    for (const Int128 v : {s.cpu_cost, s.memory_cost, s.gpu_cost, s.storage_cost, s.network_cost, s.shared_cost, s.wasted, s.gpu_allocated}) add(v);
    if (measures != Measures::kCosts) {
      for (const MoneySum part : s.waterfall) add(part);
    }
    if (measures == Measures::kUsage || measures == Measures::kAll) {
      for (const Int128 v : {s.cpu_requested, s.cpu_used, s.cpu_allocated, s.memory_requested, s.memory_used, s.memory_allocated, s.gpu_measured, s.gpu_active}) add(v);
    }
    if (measures == Measures::kAll) {
      for (const Int128 v : {s.sm_measured, s.sm_active, s.tensor_measured, s.tensor_active, s.gpu_memory_nanos, s.gpu_memory_used, s.gpu_memory_size}) add(v);
    }
    out += "\n";
  }
  return out;
}

}  // namespace seedance
