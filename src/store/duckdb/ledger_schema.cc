#include "store/duckdb/ledger_schema.h"

#include <array>
#include <charconv>
#include <set>

namespace seedance {
namespace {

// Rows are appended by position, so a column that comes later stands last: an older store gets it by ALTER TABLE.
constexpr std::array<std::string_view, 29> kSubjectColumns{
    "kind",      "cluster",   "node",        "node_uid",  "instance_type", "capacity_kind", "namespace",     "workload_kind", "workload",
    "pod",       "pod_uid",   "container",   "gpu",       "gpu_model",     "reason",        "tenant",        "team",          "task_type",
    "data_source", "sla",     "environment", "domain",    "business_unit", "dimension_origin", "currency",   "split_method",  "price_source",
    "gpu_index", "since"};

constexpr std::array<std::string_view, 36> kNumberColumns{
    "price_from_ms", "price_to_ms", "provisional", "cpu_requested", "cpu_used", "cpu_allocated", "memory_requested", "memory_used",
    "memory_allocated", "gpu_allocated", "gpu_measured", "gpu_active", "held_nanos", "cpu_cost", "memory_cost", "gpu_cost",
    "storage_cost", "network_cost", "shared_cost", "wasted",
    "held_not_started", "waiting_for_data", "waiting_for_communication", "other_idle", "inefficient", "productive",
    "undetermined_idle", "undetermined_busy", "undetermined_no_data",
    "sm_measured", "sm_active", "tensor_measured", "tensor_active", "gpu_memory_nanos", "gpu_memory_used", "gpu_memory_size"};

constexpr std::size_t kCostBegin = 13;
constexpr std::size_t kWastedAt = 19;
constexpr std::size_t kWaterfallBegin = 20;
constexpr std::size_t kDeviceBegin = kWaterfallBegin + kWaterfallPartCount;

constexpr std::array<std::string_view, 9> kUsageColumns{"cpu_requested", "cpu_used", "cpu_allocated", "memory_requested", "memory_used",
                                                        "memory_allocated", "gpu_allocated", "gpu_measured", "gpu_active"};

std::string decimal(std::string_view column) {
  return "CAST(" + std::string(column) + " * CAST('0.000000001' AS DECIMAL(10,9)) AS DECIMAL(28,9)) AS " + std::string(column);
}

std::string listed(std::span<const std::string_view> names, std::string_view type) {
  std::string out;
  for (const std::string_view name : names) out += ", \"" + std::string(name) + "\" " + std::string(type);
  return out;
}

}  // namespace

std::string ledger_ddl() {
  return "CREATE TABLE IF NOT EXISTS subjects (id BIGINT" + listed(kSubjectColumns, "VARCHAR") + ");"
         "CREATE TABLE IF NOT EXISTS ledger (hour BIGINT, subject BIGINT" + listed(kNumberColumns, "BIGINT") + ");"
         "CREATE TABLE IF NOT EXISTS charges (hour BIGINT, currency VARCHAR, nanos BIGINT);";
}

// Feature vectors lie in files of their own (store/feature_store.h).
std::string retired_ddl() { return "DROP TABLE IF EXISTS features;"; }

std::span<const std::string_view> subject_columns() { return kSubjectColumns; }

std::vector<std::string_view> subject_values(const LedgerRow& row) {
  std::vector<std::string_view> out{row_kind_name(row.kind), row.cluster, row.node, row.node_uid, row.instance_type, row.capacity_kind,
                                    row.namespace_name, row.workload_kind, row.workload, row.pod, row.pod_uid, row.container, row.gpu,
                                    row.gpu_model, row.reason};
  for (const std::string& value : row.dimensions) out.push_back(value);
  for (const std::string_view value : {std::string_view(row.dimension_origin), std::string_view(row.currency), split_method_name(row.split_method),
                                       std::string_view(row.price_source), std::string_view(row.gpu_index), std::string_view(row.since)}) {
    out.push_back(value);
  }
  return out;
}

void set_subject_values(LedgerRow& row, std::span<const std::string_view> values) {
  row.kind = parse_row_kind(values[0]).value_or(RowKind::kUnattributed);
  std::string* const fields[] = {&row.cluster, &row.node, &row.node_uid, &row.instance_type, &row.capacity_kind, &row.namespace_name, &row.workload_kind,
                                 &row.workload, &row.pod, &row.pod_uid, &row.container, &row.gpu, &row.gpu_model, &row.reason};
  std::size_t at = 1;
  for (std::string* field : fields) *field = values[at++];
  for (std::string& value : row.dimensions) value = values[at++];
  row.dimension_origin = values[at++];
  row.currency = values[at++];
  row.split_method = parse_split_method(values[at++]).value_or(SplitMethod::kResidual);
  row.price_source = values[at++];
  row.gpu_index = values[at++];
  row.since = values[at];
}

std::span<const std::string_view> number_columns() { return kNumberColumns; }

std::vector<std::int64_t> number_values(const LedgerRow& row) {
  std::vector<std::int64_t> out{millis_of(row.price_from), millis_of(row.price_to), row.provisional ? 1 : 0, row.cpu_requested, row.cpu_used,
                                row.cpu_allocated, row.memory_requested, row.memory_used, row.memory_allocated, row.gpu_allocated,
                                row.gpu_measured, row.gpu_active, row.held_nanos, row.cpu_cost.nanos(), row.memory_cost.nanos(),
                                row.gpu_cost.nanos(), row.storage_cost.nanos(), row.network_cost.nanos(), row.shared_cost.nanos(),
                                wasted_cost(row).nanos()};
  for (const Money part : row.waterfall) out.push_back(part.nanos());
  for (const std::int64_t reading : {row.sm_measured, row.sm_active, row.tensor_measured, row.tensor_active, row.gpu_memory_nanos, row.gpu_memory_used, row.gpu_memory_size}) {
    out.push_back(reading);
  }
  return out;
}

void set_number_values(LedgerRow& row, std::span<const std::int64_t> v) {
  row.price_from = time_from_millis(v[0]);
  row.price_to = time_from_millis(v[1]);
  row.provisional = v[2] != 0;
  std::int64_t* const usage[] = {&row.cpu_requested, &row.cpu_used, &row.cpu_allocated, &row.memory_requested, &row.memory_used, &row.memory_allocated,
                                 &row.gpu_allocated, &row.gpu_measured, &row.gpu_active, &row.held_nanos};
  std::size_t at = 3;
  for (std::int64_t* field : usage) *field = v[at++];
  Money* const costs[] = {&row.cpu_cost, &row.memory_cost, &row.gpu_cost, &row.storage_cost, &row.network_cost, &row.shared_cost};
  at = kCostBegin;
  for (Money* field : costs) *field = Money::nanos(v[at++]);
  at = kWaterfallBegin;
  for (Money& part : row.waterfall) part = Money::nanos(v[at++]);
  for (std::int64_t* reading : {&row.sm_measured, &row.sm_active, &row.tensor_measured, &row.tensor_active, &row.gpu_memory_nanos, &row.gpu_memory_used, &row.gpu_memory_size}) {
    *reading = v[at++];
  }
}

Result<void> bring_up_to_date(Connection& connection, bool read_only) {
  struct TableColumns {
    std::string_view table;
    std::vector<std::string_view> columns;
    std::string_view type;  // and what an old row has there
  };
  const TableColumns tables[] = {{"subjects", {kSubjectColumns.begin(), kSubjectColumns.end()}, "VARCHAR DEFAULT ''"},
                                 {"ledger", {kNumberColumns.begin(), kNumberColumns.end()}, "BIGINT DEFAULT 0"},
                                 {"ledger_daily", measured_columns(Measures::kAll), "BIGINT DEFAULT 0"}};
  std::string missing;
  for (const TableColumns& table : tables) {
    std::set<std::string, std::less<>> present;
    TRY(connection.query("SELECT column_name FROM duckdb_columns() WHERE table_name = $1", {std::string(table.table)}, [&](const RowBatch& batch) {
      for (std::size_t row = 0; row < batch.size(); ++row) present.emplace(batch.text(0, row));
    }));
    for (const std::string_view column : table.columns) {
      if (present.contains(column)) continue;
      missing += "ALTER TABLE " + std::string(table.table) + " ADD COLUMN \"" + std::string(column) + "\" " + std::string(table.type) + ";";
    }
  }
  if (missing.empty()) return {};
  if (read_only) return fail(Code::kConflict, "the store was written by an older version", "start seedanced on it once, or import into it: that brings it up to date");
  return connection.run(missing);
}

std::string group_expression(GroupKey key) {
  if (key == GroupKey::kWorkload) return "CASE WHEN s.workload = '' THEN '' ELSE s.workload_kind || '/' || s.workload END";
  return "s.\"" + std::string(group_key_name(key)) + "\"";
}

std::vector<std::string_view> measured_columns(Measures measures) {
  std::vector<std::string_view> out(kNumberColumns.begin() + kCostBegin, kNumberColumns.begin() + kWastedAt + 1);
  out.push_back("gpu_allocated");
  if (measures == Measures::kCosts) return out;
  out.insert(out.end(), kNumberColumns.begin() + kWaterfallBegin, kNumberColumns.begin() + kDeviceBegin);
  if (measures == Measures::kWaterfall) return out;
  for (const std::string_view column : kUsageColumns) {
    if (column != "gpu_allocated") out.push_back(column);
  }
  if (measures == Measures::kAll) out.insert(out.end(), kNumberColumns.begin() + kDeviceBegin, kNumberColumns.end());
  return out;
}

void add_measured(LedgerSums& sums, std::string_view column, Int128 value) {
  struct Slot {
    std::string_view column;
    Int128 LedgerSums::*field;
  };
  static constexpr Slot kSlots[] = {{"cpu_cost", &LedgerSums::cpu_cost}, {"memory_cost", &LedgerSums::memory_cost}, {"gpu_cost", &LedgerSums::gpu_cost},
                                    {"storage_cost", &LedgerSums::storage_cost}, {"network_cost", &LedgerSums::network_cost},
                                    {"shared_cost", &LedgerSums::shared_cost}, {"wasted", &LedgerSums::wasted},
                                    {"cpu_requested", &LedgerSums::cpu_requested}, {"cpu_used", &LedgerSums::cpu_used},
                                    {"cpu_allocated", &LedgerSums::cpu_allocated}, {"memory_requested", &LedgerSums::memory_requested},
                                    {"memory_used", &LedgerSums::memory_used}, {"memory_allocated", &LedgerSums::memory_allocated},
                                    {"gpu_allocated", &LedgerSums::gpu_allocated}, {"gpu_measured", &LedgerSums::gpu_measured},
                                    {"gpu_active", &LedgerSums::gpu_active}, {"sm_measured", &LedgerSums::sm_measured},
                                    {"sm_active", &LedgerSums::sm_active}, {"tensor_measured", &LedgerSums::tensor_measured},
                                    {"tensor_active", &LedgerSums::tensor_active}, {"gpu_memory_nanos", &LedgerSums::gpu_memory_nanos},
                                    {"gpu_memory_used", &LedgerSums::gpu_memory_used}, {"gpu_memory_size", &LedgerSums::gpu_memory_size}};
  for (const Slot& slot : kSlots) {
    if (slot.column == column) {
      sums.*slot.field += value;
      return;
    }
  }
  for (std::size_t i = 0; i < kWaterfallPartCount; ++i) {
    if (kNumberColumns[kWaterfallBegin + i] == column) sums.waterfall[i] += value;
  }
}

std::string export_select() {
  std::string out = "SELECT make_timestamp(l.hour * 3600000000) AS hour, make_timestamp(price_from_ms * 1000) AS price_from, "
                    "make_timestamp(price_to_ms * 1000) AS price_to, provisional <> 0 AS provisional";
  for (const std::string_view column : kSubjectColumns) out += ", s.\"" + std::string(column) + "\"";
  for (std::size_t i = 3; i < kCostBegin; ++i) out += ", " + std::string(kNumberColumns[i]);
  for (std::size_t i = kCostBegin; i < kDeviceBegin; ++i) out += ", " + decimal(kNumberColumns[i]);
  for (std::size_t i = kDeviceBegin; i < kNumberColumns.size(); ++i) out += ", " + std::string(kNumberColumns[i]);
  return out + " FROM ledger l JOIN subjects s ON s.id = l.subject";
}

}  // namespace seedance
