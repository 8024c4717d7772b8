// DuckDB behind a small face: statements with bound values, rows read by column, bulk appends. Only this folder sees duckdb.h.
//
// A Connection belongs to one thread at a time. Texts that come from outside are always bound, never pasted into SQL.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "base/units.h"

namespace seedance {

using SqlValue = std::variant<std::int64_t, std::string>;

// One batch of result rows; columns are read by the type that the statement gave them.
class RowBatch {
 public:
  virtual ~RowBatch() = default;
  virtual std::size_t size() const = 0;
  virtual std::string_view text(std::size_t column, std::size_t row) const = 0;    // VARCHAR
  virtual std::int64_t integer(std::size_t column, std::size_t row) const = 0;     // BIGINT
  virtual Int128 wide(std::size_t column, std::size_t row) const = 0;              // HUGEINT
  virtual std::string_view bytes(std::size_t column, std::size_t row) const = 0;   // BLOB
};

class Connection {
 public:
  ~Connection();
  Result<void> run(const std::string& sql);
  Result<void> query(const std::string& sql, const std::vector<SqlValue>& values, const std::function<void(const RowBatch&)>& on_batch);

 private:
  friend class Database;
  friend class Appender;
  struct State;
  explicit Connection(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Appends rows to a table, column by column. Rows are in the table after `close`.
class Appender {
 public:
  static Result<std::unique_ptr<Appender>> open(Connection& connection, const std::string& table);
  ~Appender();
  void add(std::int64_t value);
  void add(std::string_view text);
  void add_float(float value);
  void add_bytes(std::string_view bytes);
  void end_row();
  Result<void> close();

 private:
  struct State;
  explicit Appender(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

class Database {
 public:
  struct Options {
    std::int64_t memory_bytes_max = std::int64_t{512} << 20;
    unsigned threads = 2;
    bool read_only = false;
  };
  // An empty path is a database in memory. kConflict when another process holds the file.
  static Result<std::shared_ptr<Database>> open(const std::string& path, Options options);
  ~Database();
  Result<std::unique_ptr<Connection>> connect();

 private:
  struct State;
  explicit Database(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// 'text' as an SQL literal, for file names in COPY, which cannot be bound.
std::string sql_quoted(std::string_view text);

}  // namespace seedance
