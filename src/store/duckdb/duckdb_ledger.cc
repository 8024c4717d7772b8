#include "store/duckdb/duckdb_ledger.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>

#include <xxhash.h>

#include "store/duckdb/cold_start_rows.h"
#include "store/duckdb/ledger_schema.h"

namespace seedance {
namespace {

std::int64_t hour_number(TimePoint t) { return nanos_of(hour_of(t)) / kNanosPerHour; }
TimePoint hour_start(std::int64_t number) { return time_from_nanos(number * kNanosPerHour); }

// Windows reach to the ends of time; their hours must fit the arithmetic.
std::int64_t first_hour(TimePoint from) { return from <= TimePoint{} ? 0 : hour_number(from + Nanos{kNanosPerHour - 1}); }
std::int64_t end_hour(TimePoint to) { return nanos_of(to) > INT64_MAX - kNanosPerHour ? INT64_MAX / kNanosPerHour : hour_number(to + Nanos{kNanosPerHour - 1}); }

std::string except_clause(std::span<const TimePoint> hours) {
  if (hours.empty()) return {};
  std::string out = " AND l.hour NOT IN (";
  for (const TimePoint hour : hours) out += std::to_string(hour_number(hour)) + ",";
  out.back() = ')';
  return out;
}

std::string window_clause(Interval window, std::span<const TimePoint> except) {
  return "l.hour >= " + std::to_string(first_hour(window.from)) + " AND l.hour < " + std::to_string(end_hour(window.to)) + except_clause(except);
}

// Filters are about subjects: they choose ids before the ledger is read.
std::string filter_clause(const std::vector<LedgerFilter>& filters, std::vector<SqlValue>& values) {
  if (filters.empty()) return {};
  std::string out = " AND l.subject IN (SELECT s.id FROM subjects s WHERE ";
  for (std::size_t i = 0; i < filters.size(); ++i) {
    if (i > 0) out += " AND ";
    if (filters[i].values.empty()) {
      out += filters[i].negated ? "TRUE" : "FALSE";
      continue;
    }
    out += group_expression(filters[i].key) + (filters[i].negated ? " NOT IN (" : " IN (");
    for (const std::string& value : filters[i].values) {
      values.push_back(value);
      out += "$" + std::to_string(values.size()) + ",";
    }
    out.back() = ')';
  }
  return out + ")";
}

std::string day_list(std::span<const std::int64_t> days) {
  std::string out;
  for (const std::int64_t day : days) out += (out.empty() ? "" : ",") + std::to_string(day);
  return out;
}

// Sums by subject and step: whole days from the roll-up where there is one, everything else from the hours.
std::string group_sql(const LedgerQuery& query, std::span<const std::int64_t> days, std::vector<SqlValue>& values) {
  const std::vector<std::string_view> columns = measured_columns(query.measures);
  const std::int64_t step_hours = std::max<std::int64_t>(1, query.step.count() / kNanosPerHour);
  const auto step_of = [&](const std::string& hour) {
    if (query.step.count() == 0) return std::string("CAST(0 AS BIGINT)");
    return "(" + hour + " - " + std::to_string(first_hour(query.window.from)) + ") // " + std::to_string(step_hours);
  };
  std::string sums;
  for (const std::string_view c : columns) sums += ", sum(l." + std::string(c) + ") AS " + std::string(c);
  const std::string filter = filter_clause(query.filters, values);
  std::string inner = "SELECT l.subject, " + step_of("l.hour") + " AS step" + sums + " FROM ledger l WHERE " + window_clause(query.window, query.except_hours);
  if (!days.empty()) inner += " AND l.hour // 24 NOT IN (" + day_list(days) + ")";
  inner += filter + " GROUP BY 1, 2";
  if (!days.empty()) {
    inner += " UNION ALL SELECT l.subject, " + step_of("l.day * 24") + sums + " FROM ledger_daily l WHERE l.day IN (" + day_list(days) + ")" + filter + " GROUP BY 1, 2";
  }
  std::string outer = "SELECT f.step, s.kind, s.currency";
  std::string groups = "1, 2, 3";
  for (std::size_t i = 0; i < query.by.size(); ++i) {
    outer += ", " + group_expression(query.by[i]);
    groups += ", " + std::to_string(i + 4);
  }
  for (const std::string_view c : columns) outer += ", CAST(sum(f." + std::string(c) + ") AS HUGEINT)";
  return outer + " FROM (" + inner + ") f JOIN subjects s ON s.id = f.subject GROUP BY " + groups + " LIMIT " + std::to_string(kGroupsMax + 1);
}

}  // namespace

// Texts to ids. Ids are given out in order and never reused; the map is filled from the table once.
class DuckdbLedger::Subjects {
 public:
  Result<void> load(Connection& connection) {
    std::string sql = "SELECT id";
    for (const std::string_view c : subject_columns()) sql += ", \"" + std::string(c) + "\"";
    return connection.query(sql + " FROM subjects", {}, [&](const RowBatch& batch) {
      std::vector<std::string_view> texts(subject_columns().size());
      for (std::size_t row = 0; row < batch.size(); ++row) {
        for (std::size_t c = 0; c < texts.size(); ++c) texts[c] = batch.text(c + 1, row);
        ids_[key_of(texts)] = batch.integer(0, row);
        next_ = std::max(next_, batch.integer(0, row) + 1);
      }
    });
  }
  // The id, and whether the row is new and must be appended to the table.
  std::pair<std::int64_t, bool> id_of(const std::vector<std::string_view>& texts) {
    const auto [at, is_new] = ids_.try_emplace(key_of(texts), next_);
    if (is_new) ++next_;
    return {at->second, is_new};
  }
  void forget_after(std::int64_t id) {
    std::erase_if(ids_, [&](const auto& entry) { return entry.second >= id; });
    next_ = id;
  }
  std::int64_t next() const { return next_; }

  std::mutex mutex;  // one writer at a time

 private:
  // 128 bits of the texts with their lengths stand for them: 300 bytes a subject would be the larger part of the memory.
  struct Key {
    std::uint64_t low;
    std::uint64_t high;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& k) const { return k.low; }
  };
  static Key key_of(const std::vector<std::string_view>& texts) {
    std::string joined;
    for (const std::string_view t : texts) joined.append(std::to_string(t.size())).append(":").append(t);
    const XXH128_hash_t hash = XXH3_128bits(joined.data(), joined.size());
    return {hash.low64, hash.high64};
  }
  std::unordered_map<Key, std::int64_t, KeyHash> ids_;
  std::int64_t next_ = 1;
};

DuckdbLedger::DuckdbLedger(std::shared_ptr<Database> database) : database_(std::move(database)), subjects_(std::make_unique<Subjects>()) {}
DuckdbLedger::~DuckdbLedger() = default;

Result<std::unique_ptr<DuckdbLedger>> DuckdbLedger::open(const std::string& path, Database::Options options) {
  TRY_ASSIGN(std::shared_ptr<Database> database, Database::open(path, options));
  std::unique_ptr<DuckdbLedger> ledger(new DuckdbLedger(std::move(database)));
  TRY_ASSIGN(const std::unique_ptr<Connection> connection, ledger->database_->connect());
  if (!options.read_only) {
    TRY(connection->run(ledger_ddl() + daily_ddl() + cold_start_ddl() + retired_ddl()));
  }
  TRY(bring_up_to_date(*connection, options.read_only));
  if (!options.read_only) TRY(ledger->subjects_->load(*connection));
  TRY(ledger->daily_.load(*connection));
  return ledger;
}

Result<void> DuckdbLedger::append_books(Connection& connection, TimePoint hour, const HourBooks& books) {
  TRY_ASSIGN(const std::unique_ptr<Appender> subjects, Appender::open(connection, "subjects"));
  TRY_ASSIGN(const std::unique_ptr<Appender> ledger, Appender::open(connection, "ledger"));
  TRY_ASSIGN(const std::unique_ptr<Appender> charges, Appender::open(connection, "charges"));
  for (const LedgerRow& row : books.rows) {
    const std::vector<std::string_view> texts = subject_values(row);
    const auto [id, is_new] = subjects_->id_of(texts);
    if (is_new) {
      subjects->add(id);
      for (const std::string_view text : texts) subjects->add(text);
      subjects->end_row();
    }
    ledger->add(hour_number(hour));
    ledger->add(id);
    for (const std::int64_t value : number_values(row)) ledger->add(value);
    ledger->end_row();
  }
  for (const HourCharge& charge : books.charges) {
    charges->add(hour_number(hour));
    charges->add(charge.currency);
    charges->add(static_cast<std::int64_t>(charge.nanos));
    charges->end_row();
  }
  TRY(append_cold_starts(connection, hour_number(hour), books.cold_starts));
  TRY(subjects->close());
  TRY(ledger->close());
  return charges->close();
}

Result<void> DuckdbLedger::replace_hour(TimePoint hour, const HourBooks& books) {
  const std::lock_guard lock(subjects_->mutex);
  TRY_ASSIGN(const std::unique_ptr<Connection> connection, database_->connect());
  const std::string number = std::to_string(hour_number(hour));
  const std::int64_t first_new = subjects_->next();
  TRY(connection->run("BEGIN; DELETE FROM ledger WHERE hour = " + number + "; DELETE FROM charges WHERE hour = " + number + "; DELETE FROM cold_starts WHERE hour = " + number));
  Result<void> done = append_books(*connection, hour, books);
  Result<DailyRollup::Changes> rolled = done ? daily_.update(*connection, hour_number(hour)) : DailyRollup::Changes{};
  if (done && !rolled) done = tl::unexpected<Error>(rolled.error());
  if (done) done = connection->run("COMMIT");
  if (done) {
    const std::lock_guard daily_lock(daily_mutex_);
    daily_.commit(*rolled);
    return {};
  }
  ignore(connection->run("ROLLBACK"), "the first error is the one to tell");
  subjects_->forget_after(first_new);
  return done;
}

Result<std::vector<LedgerRow>> DuckdbLedger::read_rows(Interval window) const {
  TRY_ASSIGN(const std::unique_ptr<Connection> connection, database_->connect());
  std::string sql = "SELECT l.hour";
  for (const std::string_view c : subject_columns()) sql += ", s.\"" + std::string(c) + "\"";
  for (const std::string_view c : number_columns()) sql += ", l.\"" + std::string(c) + "\"";
  std::vector<LedgerRow> out;
  TRY(connection->query(sql + " FROM ledger l JOIN subjects s ON s.id = l.subject WHERE " + window_clause(window, {}), {}, [&](const RowBatch& batch) {
    std::vector<std::string_view> texts(subject_columns().size());
    std::vector<std::int64_t> numbers(number_columns().size());
    for (std::size_t row = 0; row < batch.size(); ++row) {
      for (std::size_t c = 0; c < texts.size(); ++c) texts[c] = batch.text(c + 1, row);
      for (std::size_t c = 0; c < numbers.size(); ++c) numbers[c] = batch.integer(c + 1 + texts.size(), row);
      LedgerRow& r = out.emplace_back();
      r.hour = hour_start(batch.integer(0, row));
      set_subject_values(r, texts);
      set_number_values(r, numbers);
    }
  }));
  std::sort(out.begin(), out.end(), ledger_order);
  return out;
}

Result<LedgerGroups> DuckdbLedger::group(const LedgerQuery& query) const {
  TRY_ASSIGN(const std::unique_ptr<Connection> connection, database_->connect());
  std::vector<SqlValue> values;
  std::vector<std::int64_t> days;
  {
    const std::lock_guard lock(daily_mutex_);
    days = daily_.usable_days(query, first_hour(query.window.from), end_hour(query.window.to));
  }
  const std::string sql = group_sql(query, days, values);
  const std::vector<std::string_view> columns = measured_columns(query.measures);
  LedgerGroups out;
  TRY(connection->query(sql, values, [&](const RowBatch& batch) {
    for (std::size_t row = 0; row < batch.size(); ++row) {
      LedgerGroup& g = out.emplace_back();
      g.step_start = query.window.from + batch.integer(0, row) * query.step;
      g.kind = parse_row_kind(batch.text(1, row)).value_or(RowKind::kUnattributed);
      g.currency = batch.text(2, row);
      for (std::size_t i = 0; i < query.by.size(); ++i) g.keys.emplace_back(batch.text(3 + i, row));
      for (std::size_t i = 0; i < columns.size(); ++i) add_measured(g.sums, columns[i], batch.wide(3 + query.by.size() + i, row));
    }
  }));
  if (out.size() > kGroupsMax) return fail(Code::kTooLarge, "too many groups", "add a filter or remove a dimension");
  std::sort(out.begin(), out.end(), group_order);
  return out;
}

Result<std::vector<HourCharge>> DuckdbLedger::charges(Interval window, std::span<const TimePoint> except_hours) const {
  TRY_ASSIGN(const std::unique_ptr<Connection> connection, database_->connect());
  std::vector<HourCharge> out;
  TRY(connection->query("SELECT l.currency, CAST(sum(l.nanos) AS HUGEINT) FROM charges l WHERE " + window_clause(window, except_hours) + " GROUP BY 1 ORDER BY 1", {},
                        [&](const RowBatch& batch) {
                          for (std::size_t row = 0; row < batch.size(); ++row) out.push_back({std::string(batch.text(0, row)), batch.wide(1, row)});
                        }));
  return out;
}

Result<std::vector<ColdStart>> DuckdbLedger::cold_starts(Interval window, std::span<const TimePoint> except_hours) const {
  TRY_ASSIGN(const std::unique_ptr<Connection> connection, database_->connect());
  std::vector<ColdStart> out;
  TRY(connection->query(cold_start_select() + " l WHERE " + window_clause(window, except_hours), {}, [&](const RowBatch& batch) {
    for (std::size_t row = 0; row < batch.size(); ++row) out.push_back(cold_start_from(batch, row));
  }));
  return out;
}

Result<LedgerMarks> DuckdbLedger::marks(Interval window) const {
  TRY_ASSIGN(const std::unique_ptr<Connection> connection, database_->connect());
  LedgerMarks out;
  TRY(connection->query("SELECT s.split_method, max(f.provisional) FROM (SELECT l.subject, max(l.provisional) AS provisional FROM ledger l WHERE " +
                            window_clause(window, {}) + " GROUP BY 1) f JOIN subjects s ON s.id = f.subject GROUP BY 1 ORDER BY 1",
                        {}, [&](const RowBatch& batch) {
                          for (std::size_t row = 0; row < batch.size(); ++row) {
                            out.split_methods.emplace_back(batch.text(0, row));
                            out.has_provisional = out.has_provisional || batch.integer(1, row) != 0;
                          }
                        }));
  return out;
}

Result<void> DuckdbLedger::export_rows(Interval window, const std::string& path) const {
  TRY_ASSIGN(const std::unique_ptr<Connection> connection, database_->connect());
  return connection->run("COPY (" + export_select() + " WHERE " + window_clause(window, {}) +
                         " ORDER BY l.hour, l.subject, price_from_ms) TO " + sql_quoted(path) + " (FORMAT parquet)");
}

Result<std::vector<TimePoint>> DuckdbLedger::hours() const {
  TRY_ASSIGN(const std::unique_ptr<Connection> connection, database_->connect());
  std::vector<TimePoint> out;
  TRY(connection->query("SELECT DISTINCT hour FROM ledger ORDER BY 1", {}, [&](const RowBatch& batch) {
    for (std::size_t row = 0; row < batch.size(); ++row) out.push_back(hour_start(batch.integer(0, row)));
  }));
  return out;
}

}  // namespace seedance
