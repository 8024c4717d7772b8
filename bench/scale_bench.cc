// A whole server under 25,000 pods on 100 nodes: memory, and how long from the last sample of a scrape to the cost.
//
//   scale_bench [SCRAPES] [PODS]     default 75 scrapes of 60 s and 25000 pods
//
// Scrapes go through text import into the same intake as remote write (log and fsync included). Checks before it reports: every node has
// a cost, and the books close.
#include <cstdlib>
#include <filesystem>

#include "api/routes.h"
#include "app/intake/text_import.h"
#include "base/check.h"
#include "bench/measure.h"
#include "ingest/open_metrics.h"
#include "ingest/write_encoder.h"
#include "simulate/sample_cluster.h"

namespace seedance {
namespace {

constexpr std::size_t kNodes = 100;
constexpr std::size_t kNodesAtOnce = 10;
constexpr std::int64_t kScrapeSeconds = 60;

// One page of some nodes as a remote write body, time-stamped.
std::string body_of(const std::string& text, TimePoint at) {
  OpenMetricsOptions options;
  options.default_timestamp_ms = millis_of(at);
  OpenMetricsReader reader(options);
  std::vector<SeriesSamples> series;
  const auto take = [&](const Labels& labels, Sample sample) { series.push_back({labels, {sample}}); };
  SEEDANCE_CHECK(reader.feed(text, take).has_value() && reader.finish(take).has_value(), "page not read");
  return compress_snappy(encode_write_request(series));
}

int bench_scale(int scrapes, std::size_t pods) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / ("seedance-scale-bench-" + std::to_string(::getpid()));
  Settings settings = default_settings();
  settings.store.directory = folder.string();
  const TimePoint start = hour_of(SystemClock{}.now()) - std::chrono::hours(2);
  ManualClock clock(start);
  Counters counters;
  std::unique_ptr<Service> service = Service::open(settings, clock, counters).value();
  ScaleClusterOptions options;
  options.start = start;
  options.nodes = kNodes;
  options.pods = pods;
  const ScaleCluster cluster(options);
  std::size_t samples = 0;
  double intake_cpu = 0;
  std::vector<double> to_cost;
  for (int scrape = 0; scrape < scrapes; ++scrape) {
    const TimePoint at = start + std::chrono::seconds(scrape * kScrapeSeconds);
    clock.set(at);
    for (const Page page : {Page::kKubeStateMetrics, Page::kCadvisor, Page::kDcgm, Page::kNodePrice}) {
      for (std::size_t node = 0; node < kNodes; node += kNodesAtOnce) {
        std::string text;
        cluster.write_scale_page(page, at, node, kNodesAtOnce, text);
        const std::string body = body_of(text, at);
        const double before = cpu_seconds();
        const IntakeAnswer answer = service->intake().take(body).value();
        intake_cpu += cpu_seconds() - before;
        samples += answer.samples_kept;
      }
    }
    if (scrape % 15 != 14) continue;
    const Stopwatch watch;
    SEEDANCE_CHECK(service->settle_now().has_value(), "not settled");
    to_cost.push_back(watch.seconds());
    std::printf("scrape %d: settled in %.2f s, resident %.0f MiB, kept %.0f MiB in %zu series\n", scrape + 1, to_cost.back(), resident_mib(),
                static_cast<double>(service->intake().kept_bytes()) / 1048576.0, service->intake().series());
  }
  SEEDANCE_CHECK(service->settle_now().has_value(), "not settled");
  CostQuestion question;
  question.window = {start, start + std::chrono::hours(3)};
  question.by = {GroupKey::kNode};
  const CostReport report = service->reports().cost(question).value();
  std::size_t nodes = 0;
  for (const CostLine& line : report.lines) nodes += line.kind == LineKind::kGroup && line.sums.total_cost() > 0 ? 1 : 0;
  SEEDANCE_CHECK(nodes == kNodes && report.totals[0].left() == 0, "books do not close");
  std::printf("samples kept %zu, intake %.2f CPU-s a million\n", samples, intake_cpu / static_cast<double>(samples) * 1e6);
  std::printf("from the last sample to the cost: median %.2f s, worst %.2f s\n", median(to_cost), *std::max_element(to_cost.begin(), to_cost.end()));
  std::printf("memory: resident %.0f MiB, peak %.0f MiB\n", resident_mib(), resident_peak_mib());
  service.reset();
  std::filesystem::remove_all(folder);
  return 0;
}

}  // namespace
}  // namespace seedance

int main(int argc, char** argv) {
  return seedance::bench_scale(argc > 1 ? std::atoi(argv[1]) : 75, argc > 2 ? static_cast<std::size_t>(std::atol(argv[2])) : 25'000);
}
