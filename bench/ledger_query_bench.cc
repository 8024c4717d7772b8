// How long the cost question takes on a month of a large cluster: 25,000 pods x 720 hours = 18 million wide hourly rows.
//
//   ledger_query_bench [HOURS] [PODS]     default 720 and 25000; the store is made in a temporary folder first (minutes)
//
// Checks before it reports: the sums of every answer equal what was written.
#include <cstdlib>
#include <filesystem>

#include "app/report_service.h"
#include "base/check.h"
#include "bench/measure.h"
#include "store/duckdb/duckdb_ledger.h"

namespace seedance {
namespace {

constexpr int kNodes = 100;
constexpr int kRepeats = 7;

LedgerRow row_of(int pod, TimePoint hour) {
  LedgerRow r;
  r.hour = hour;
  r.price_from = hour;
  r.price_to = hour + std::chrono::hours(1);
  r.cluster = "bench";
  r.node = "node-" + std::to_string(pod % kNodes);
  r.node_uid = "aws:///us-east-1a/i-" + std::to_string(pod % kNodes);
  r.instance_type = "p5.48xlarge";
  r.capacity_kind = "on-demand";
  r.namespace_name = "ns-" + std::to_string(pod % 200);
  r.workload_kind = "Deployment";
  r.workload = "workload-" + std::to_string(pod / 5);
  r.pod = "pod-" + std::to_string(pod);
  r.pod_uid = "00000000-0000-4000-8000-" + std::to_string(100'000'000'000 + pod);
  r.container = "main";
  r.dimensions = {"tenant-" + std::to_string(pod % 40), "team-" + std::to_string(pod % 120), pod % 3 == 0 ? "training" : "inference", "lake-" + std::to_string(pod % 12),
                  pod % 4 == 0 ? "gold" : "silver", pod % 2 == 0 ? "prod" : "dev", "domain-" + std::to_string(pod % 9), "bu-" + std::to_string(pod % 6)};
  r.dimension_origin = "team=pod label team";
  r.currency = "USD";
  r.price_source = "AWS list of 2026-07-20";
  const std::int64_t noise = (nanos_of(hour) / kNanosPerHour * 7'919 + pod * 104'729) % 1'000'003;
  r.cpu_requested = r.cpu_allocated = 3'600'000'000'000 + noise;
  r.cpu_used = noise * 1'000'000;
  r.memory_requested = r.memory_allocated = 3'600 * (std::int64_t{4} << 30);
  r.memory_used = noise * 1'000;
  r.gpu_allocated = pod % 32 == 0 ? 3'600'000'000'000 : 0;
  r.gpu_measured = r.gpu_allocated;
  r.gpu_active = r.gpu_allocated / 2;
  r.held_nanos = 3'600'000'000'000;
  r.cpu_cost = Money::nanos(33'000'000 + noise);
  r.memory_cost = Money::nanos(15'000'000);
  r.gpu_cost = Money::nanos(pod % 32 == 0 ? 5'130'000'000 : 0);
  r.part(WaterfallPart::kProductive) = Money::nanos(r.gpu_cost.nanos() / 2);
  r.part(WaterfallPart::kOtherIdle) = r.gpu_cost - r.part(WaterfallPart::kProductive);
  return r;
}

double median_seconds(const ReportService& reports, const CostQuestion& question, MoneySum expected) {
  std::vector<double> seconds;
  for (int i = 0; i < kRepeats; ++i) {
    const Stopwatch watch;
    const CostReport report = reports.cost(question).value();
    seconds.push_back(watch.seconds());
    SEEDANCE_CHECK(report.totals.size() == 1 && report.totals[0].sums.total_cost() == expected && report.totals[0].left() == 0, "wrong sum");
  }
  return median(seconds);
}

int bench_queries(int hours, int pods) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / ("seedance-query-bench-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const TimePoint start = time_from_seconds(1'790'000'000 / 3600 * 3600);
  std::vector<MoneySum> totals;
  {
    std::unique_ptr<DuckdbLedger> ledger = DuckdbLedger::open(folder / "ledger.duckdb", {}).value();
    const Stopwatch watch;
    for (int h = 0; h < hours; ++h) {
      HourBooks books;
      MoneySum sum = 0;
      for (int pod = 0; pod < pods; ++pod) {
        books.rows.push_back(row_of(pod, start + std::chrono::hours(h)));
        books.charge("USD", books.rows.back().total_cost());
        sum += books.rows.back().total_cost().nanos();
      }
      totals.push_back(sum);
      SEEDANCE_CHECK(ledger->replace_hour(start + std::chrono::hours(h), books).has_value(), "hour not written");
    }
    std::printf("written: %d hours x %d rows in %.1f s, %.3f s an hour\n", hours, pods, watch.seconds(), watch.seconds() / hours);
  }
  std::printf("store: %.0f MiB on disk\n", static_cast<double>(std::filesystem::file_size(folder / "ledger.duckdb")) / 1048576.0);
  const Stopwatch opening;
  std::unique_ptr<DuckdbLedger> ledger = DuckdbLedger::open(folder / "ledger.duckdb", {}).value();
  std::printf("opened in %.3f s\n", opening.seconds());
  const ReportService reports(*ledger);
  const TimePoint end = start + std::chrono::hours(hours);
  for (const int days : {1, 7, 30}) {
    const int window = std::min(hours, days * 24);
    MoneySum expected = 0;
    for (int h = hours - window; h < hours; ++h) expected += totals[static_cast<std::size_t>(h)];
    CostQuestion question;
    question.window = {end - std::chrono::hours(window), end};
    question.by = {GroupKey::kTenant, GroupKey::kTeam, GroupKey::kTaskType, GroupKey::kSla};
    question.compare_previous = false;
    std::printf("cost of %d days by four dimensions: median of %d: %.3f s\n", days, kRepeats, median_seconds(reports, question, expected));
  }
  std::printf("memory: peak %.0f MiB\n", resident_peak_mib());
  ledger.reset();
  std::filesystem::remove_all(folder);
  return 0;
}

}  // namespace
}  // namespace seedance

int main(int argc, char** argv) {
  return seedance::bench_queries(argc > 1 ? std::atoi(argv[1]) : 720, argc > 2 ? std::atoi(argv[2]) : 25'000);
}
