#include "store/duckdb/cold_start_rows.h"

namespace seedance {
namespace {

constexpr std::string_view kTexts = "cluster, namespace, workload, pod, pod_uid, node, currency";
constexpr std::string_view kNumbers = "scheduled_ms, image_pulled_ms, started_ms, ready_ms, first_work_ms, cpu_nanocores, memory_bytes, gpu_num, gpu_den, cost";
constexpr std::size_t kTextCount = 7;

std::int64_t millis_or_zero(const std::optional<TimePoint>& t) { return t ? millis_of(*t) : 0; }
std::optional<TimePoint> time_or_none(std::int64_t ms) { return ms == 0 ? std::nullopt : std::optional<TimePoint>(time_from_millis(ms)); }

}  // namespace

std::string cold_start_ddl() {
  return "CREATE TABLE IF NOT EXISTS cold_starts (hour BIGINT, cluster VARCHAR, namespace VARCHAR, workload VARCHAR, pod VARCHAR, pod_uid VARCHAR, "
         "node VARCHAR, currency VARCHAR, scheduled_ms BIGINT, image_pulled_ms BIGINT, started_ms BIGINT, ready_ms BIGINT, first_work_ms BIGINT, "
         "cpu_nanocores BIGINT, memory_bytes BIGINT, gpu_num BIGINT, gpu_den BIGINT, cost BIGINT);";
}

Result<void> append_cold_starts(Connection& connection, std::int64_t hour, std::span<const ColdStart> starts) {
  TRY_ASSIGN(const std::unique_ptr<Appender> rows, Appender::open(connection, "cold_starts"));
  for (const ColdStart& s : starts) {
    rows->add(hour);
    for (const std::string* text : {&s.cluster, &s.namespace_name, &s.workload, &s.pod, &s.pod_uid, &s.node, &s.currency}) rows->add(*text);
    for (const std::int64_t number : {millis_of(s.scheduled), millis_or_zero(s.image_pulled), millis_or_zero(s.started), millis_or_zero(s.ready),
                                      millis_or_zero(s.first_work), s.cpu_nanocores, s.memory_bytes, s.gpus.num, s.gpus.den, s.cost.nanos()}) {
      rows->add(number);
    }
    rows->end_row();
  }
  return rows->close();
}

std::string cold_start_select() { return "SELECT " + std::string(kTexts) + ", " + std::string(kNumbers) + " FROM cold_starts"; }

ColdStart cold_start_from(const RowBatch& batch, std::size_t row) {
  ColdStart s;
  std::string* const texts[] = {&s.cluster, &s.namespace_name, &s.workload, &s.pod, &s.pod_uid, &s.node, &s.currency};
  for (std::size_t i = 0; i < kTextCount; ++i) *texts[i] = batch.text(i, row);
  const auto number = [&](std::size_t i) { return batch.integer(kTextCount + i, row); };
  s.scheduled = time_from_millis(number(0));
  s.image_pulled = time_or_none(number(1));
  s.started = time_or_none(number(2));
  s.ready = time_or_none(number(3));
  s.first_work = time_or_none(number(4));
  s.cpu_nanocores = number(5);
  s.memory_bytes = number(6);
  s.gpus = {number(7), number(8)};
  s.cost = Money::nanos(number(9));
  return s;
}

}  // namespace seedance
