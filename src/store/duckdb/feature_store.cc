#include "store/duckdb/feature_store.h"

#include <cstring>

namespace seedance {
namespace {

std::string window_sql(Interval window) {
  return "at_ms >= " + std::to_string(millis_of(window.from)) + " AND at_ms < " + std::to_string(millis_of(window.to));
}

}  // namespace

Result<void> FeatureStore::append(std::span<const FeatureVector> vectors) {
  if (vectors.empty()) return {};
  TRY_ASSIGN(const std::unique_ptr<Connection> connection, database_->connect());
  TRY_ASSIGN(const std::unique_ptr<Appender> rows, Appender::open(*connection, "features"));
  for (const FeatureVector& v : vectors) {
    rows->add(v.second * 1'000);
    rows->add(v.entity);
    rows->add(kFeatureVersion);
    rows->add(static_cast<std::int64_t>(v.presence));
    rows->add_bytes({reinterpret_cast<const char*>(v.values.data()), sizeof v.values});
    rows->end_row();
  }
  return rows->close();
}

Result<std::vector<FeatureVector>> FeatureStore::read(Interval window, const std::string& entity, std::size_t limit) const {
  TRY_ASSIGN(const std::unique_ptr<Connection> connection, database_->connect());
  std::string sql = "SELECT at_ms, entity, presence, vector FROM features WHERE version = " + std::to_string(kFeatureVersion) + " AND " + window_sql(window);
  std::vector<SqlValue> values;
  if (!entity.empty()) {
    sql += " AND entity = $1";
    values.push_back(entity);
  }
  std::vector<FeatureVector> out;
  TRY(connection->query(sql + " ORDER BY at_ms, entity LIMIT " + std::to_string(limit), values, [&](const RowBatch& batch) {
    for (std::size_t row = 0; row < batch.size(); ++row) {
      FeatureVector& v = out.emplace_back();
      v.second = batch.integer(0, row) / 1'000;
      v.entity = batch.text(1, row);
      v.presence = static_cast<std::uint32_t>(batch.integer(2, row));
      const std::string_view bytes = batch.bytes(3, row);
      if (bytes.size() == sizeof v.values) std::memcpy(v.values.data(), bytes.data(), bytes.size());
    }
  }));
  return out;
}

Result<void> FeatureStore::export_parquet(Interval window, const std::string& path) const {
  TRY_ASSIGN(std::vector<FeatureVector> vectors, read(window, "", std::size_t{10'000'000}));
  TRY_ASSIGN(const std::unique_ptr<Connection> connection, database_->connect());
  std::string columns;
  for (std::size_t i = 0; i < kFeatureFloats; ++i) columns += ", f" + std::to_string(i) + " FLOAT";
  TRY(connection->run("CREATE TEMP TABLE wide_features (second BIGINT, entity VARCHAR, presence BIGINT" + columns + ")"));
  TRY_ASSIGN(const std::unique_ptr<Appender> rows, Appender::open(*connection, "wide_features"));
  for (const FeatureVector& v : vectors) {
    rows->add(v.second);
    rows->add(v.entity);
    rows->add(static_cast<std::int64_t>(v.presence));
    for (const float f : v.values) rows->add_float(f);
    rows->end_row();
  }
  TRY(rows->close());
  return connection->run("COPY (SELECT * FROM wide_features ORDER BY second, entity) TO " + sql_quoted(path) + " (FORMAT parquet)");
}

Result<void> FeatureStore::drop_before(TimePoint time) {
  TRY_ASSIGN(const std::unique_ptr<Connection> connection, database_->connect());
  return connection->run("DELETE FROM features WHERE at_ms < " + std::to_string(millis_of(time)));
}

}  // namespace seedance
