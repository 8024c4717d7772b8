#include "store/duckdb/connection.h"

#include <duckdb.h>

namespace seedance {
namespace {

class ChunkBatch final : public RowBatch {
 public:
  explicit ChunkBatch(duckdb_data_chunk chunk) : chunk_(chunk) {}
  std::size_t size() const override { return duckdb_data_chunk_get_size(chunk_); }
  std::string_view text(std::size_t column, std::size_t row) const override {
    if (is_null(column, row)) return {};
    duckdb_string_t& s = data<duckdb_string_t>(column)[row];
    return {duckdb_string_t_data(&s), duckdb_string_t_length(s)};
  }
  std::int64_t integer(std::size_t column, std::size_t row) const override { return is_null(column, row) ? 0 : data<std::int64_t>(column)[row]; }
  Int128 wide(std::size_t column, std::size_t row) const override {
    if (is_null(column, row)) return 0;
    const duckdb_hugeint& h = data<duckdb_hugeint>(column)[row];
    return static_cast<Int128>(h.upper) * (static_cast<Int128>(1) << 64) + static_cast<Int128>(h.lower);
  }
  std::string_view bytes(std::size_t column, std::size_t row) const override { return text(column, row); }

 private:
  bool is_null(std::size_t column, std::size_t row) const {
    std::uint64_t* validity = duckdb_vector_get_validity(duckdb_data_chunk_get_vector(chunk_, column));
    return validity != nullptr && !duckdb_validity_row_is_valid(validity, row);
  }
  template <typename T>
  T* data(std::size_t column) const {
    return static_cast<T*>(duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk_, column)));
  }
  duckdb_data_chunk chunk_;
};

Code code_of(std::string_view message) {
  if (message.find("lock") != std::string_view::npos) return Code::kConflict;
  if (message.find("No space left") != std::string_view::npos || message.find("Out of Memory") != std::string_view::npos) return Code::kExhausted;
  return Code::kUnavailable;
}

tl::unexpected<Error> store_error(const char* message) {
  std::string text = message != nullptr ? message : "no reason given";
  const Code code = code_of(text);
  const std::string hint = code == Code::kConflict ? "a running server holds the store: ask it with --server" : "";
  return fail(code, "store: " + text.substr(0, text.find('\n')), hint);
}

class Prepared {
 public:
  ~Prepared() { duckdb_destroy_prepare(&statement); }
  duckdb_prepared_statement statement = nullptr;
};

class Answer {
 public:
  ~Answer() { duckdb_destroy_result(&result); }
  duckdb_result result{};
};

}  // namespace

struct Connection::State {
  duckdb_connection handle = nullptr;
  ~State() { duckdb_disconnect(&handle); }
};

Connection::Connection(std::unique_ptr<State> state) : state_(std::move(state)) {}
Connection::~Connection() = default;

Result<void> Connection::run(const std::string& sql) {
  Answer answer;
  if (duckdb_query(state_->handle, sql.c_str(), &answer.result) == DuckDBError) return store_error(duckdb_result_error(&answer.result));
  return {};
}

Result<void> Connection::query(const std::string& sql, const std::vector<SqlValue>& values,
                               const std::function<void(const RowBatch&)>& on_batch) {
  Prepared prepared;
  if (duckdb_prepare(state_->handle, sql.c_str(), &prepared.statement) == DuckDBError) return store_error(duckdb_prepare_error(prepared.statement));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const idx_t at = i + 1;
    if (const auto* number = std::get_if<std::int64_t>(&values[i])) {
      duckdb_bind_int64(prepared.statement, at, *number);
    } else {
      const std::string& text = std::get<std::string>(values[i]);
      duckdb_bind_varchar_length(prepared.statement, at, text.data(), text.size());
    }
  }
  Answer answer;
  if (duckdb_execute_prepared(prepared.statement, &answer.result) == DuckDBError) return store_error(duckdb_result_error(&answer.result));
  for (;;) {
    duckdb_data_chunk chunk = duckdb_fetch_chunk(answer.result);
    if (chunk == nullptr) break;
    on_batch(ChunkBatch(chunk));
    duckdb_destroy_data_chunk(&chunk);
  }
  return {};
}

struct Appender::State {
  duckdb_appender handle = nullptr;
  ~State() { duckdb_appender_destroy(&handle); }
};

Appender::Appender(std::unique_ptr<State> state) : state_(std::move(state)) {}
Appender::~Appender() = default;

Result<std::unique_ptr<Appender>> Appender::open(Connection& connection, const std::string& table) {
  auto state = std::make_unique<State>();
  if (duckdb_appender_create(connection.state_->handle, nullptr, table.c_str(), &state->handle) == DuckDBError) {
    return store_error(duckdb_appender_error(state->handle));
  }
  return std::unique_ptr<Appender>(new Appender(std::move(state)));
}

void Appender::add(std::int64_t value) { duckdb_append_int64(state_->handle, value); }
void Appender::add(std::string_view text) { duckdb_append_varchar_length(state_->handle, text.data(), text.size()); }
void Appender::add_float(float value) { duckdb_append_float(state_->handle, value); }
void Appender::add_bytes(std::string_view bytes) { duckdb_append_blob(state_->handle, bytes.data(), bytes.size()); }
void Appender::end_row() { duckdb_appender_end_row(state_->handle); }

Result<void> Appender::close() {
  if (duckdb_appender_close(state_->handle) == DuckDBError) return store_error(duckdb_appender_error(state_->handle));
  return {};
}

struct Database::State {
  duckdb_database handle = nullptr;
  ~State() { duckdb_close(&handle); }
};

Database::Database(std::unique_ptr<State> state) : state_(std::move(state)) {}
Database::~Database() = default;

Result<std::shared_ptr<Database>> Database::open(const std::string& path, Options options) {
  duckdb_config config = nullptr;
  duckdb_create_config(&config);
  duckdb_set_config(config, "memory_limit", (std::to_string(options.memory_bytes_max >> 20) + "MiB").c_str());
  duckdb_set_config(config, "threads", std::to_string(options.threads).c_str());
  duckdb_set_config(config, "access_mode", options.read_only ? "READ_ONLY" : "AUTOMATIC");
  // Nothing is fetched from anywhere, ever.
  duckdb_set_config(config, "autoinstall_known_extensions", "false");
  duckdb_set_config(config, "preserve_insertion_order", "false");
  auto state = std::make_unique<State>();
  char* message = nullptr;
  const duckdb_state opened = duckdb_open_ext(path.empty() ? nullptr : path.c_str(), &state->handle, config, &message);
  duckdb_destroy_config(&config);
  if (opened == DuckDBError) {
    const auto error = store_error(message);
    duckdb_free(message);
    return error;
  }
  return std::shared_ptr<Database>(new Database(std::move(state)));
}

Result<std::unique_ptr<Connection>> Database::connect() {
  auto state = std::make_unique<Connection::State>();
  if (duckdb_connect(state_->handle, &state->handle) == DuckDBError) return fail(Code::kUnavailable, "store: no connection");
  return std::unique_ptr<Connection>(new Connection(std::move(state)));
}

std::string sql_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') out.push_back('\'');
    out.push_back(c);
  }
  return out + "'";
}

}  // namespace seedance
