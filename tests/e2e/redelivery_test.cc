// A real Prometheus remote-writes into a server that is killed with -9 and started again on its port and store, and Prometheus itself is
// restarted on its data in between: every sample that Prometheus has in its own database is kept here, once and with its value, and the
// books close.
#include <bit>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "app/backfill/prometheus_backfill.h"
#include "tests/e2e/exporter_pages.h"
#include "tests/e2e/server_process.h"
#include "tests/e2e/test_service.h"

namespace seedance {
namespace {

constexpr const char* kWritingPrometheus = "/usr/bin/prometheus";
constexpr const char* kComparedMetrics[] = {"DCGM_FI_DEV_GPU_UTIL", "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", "kube_node_info"};
constexpr auto kDeadTime = std::chrono::milliseconds(2'500);  // some scrapes

// Samples by series and time; values as bits, so that equal means equal.
using SamplesOfSeries = std::map<std::string, std::map<std::int64_t, std::uint64_t>>;

class WritingPrometheus {
 public:
  WritingPrometheus(std::string folder, const ExporterPages& pages, const std::string& write_to) : folder_(std::move(folder)), port_(free_port()) {
    std::ofstream out(folder_ + "/prometheus.yml");
    out << "global: {scrape_interval: 1s, external_labels: {cluster: e2e, prometheus_replica: r0}}\n"
        << "remote_write:\n  - url: " << write_to << "/api/v1/write\n    queue_config: {batch_send_deadline: 200ms, max_backoff: 500ms}\nscrape_configs:\n";
    for (const char* page : {"state", "cadvisor", "dcgm", "price"}) {
      out << "  - {job_name: " << page << ", honor_labels: true, metrics_path: /" << page << ", static_configs: [{targets: ['" << pages.target() << "']}]}\n";
    }
    out.close();
    start();
  }
  void start() {
    process_ = std::make_unique<ChildProcess>(std::vector<std::string>{kWritingPrometheus, "--config.file=" + folder_ + "/prometheus.yml", "--storage.tsdb.path=" + folder_ + "/data",
                                                                       "--web.listen-address=127.0.0.1:" + std::to_string(port_)},
                                              folder_ + "/prometheus.log");
  }
  int stop() { return process_->stop(SIGTERM); }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }

  // What it has in its own database up to `to`, with the labels that it sends.
  SamplesOfSeries stored(Interval span) const {
    HttpClient client({.base_url = url()});
    PrometheusReader reader(url(), [&](const std::string& path) { return client.request("GET", path); }, [](Nanos) {});
    const Result<Labels> external = reader.external_labels();
    SamplesOfSeries out;
    for (const char* metric : kComparedMetrics) {
      const Result<void> read = reader.read(metric, span, [&](std::vector<SeriesSamples> series) -> Result<void> {
        for (SeriesSamples& one : series) {
          add_external_labels(one.labels, external.value());
          for (const Sample& s : one.samples) out[print_labels(one.labels)][s.timestamp_ms] = std::bit_cast<std::uint64_t>(s.value);
        }
        return {};
      });
      EXPECT_TRUE(read) << read.error().message;
    }
    return out;
  }

 private:
  std::string folder_;
  std::uint16_t port_;
  std::unique_ptr<ChildProcess> process_;
};

// The newest event time that the server has, Unix seconds; 0 while it does not answer.
std::int64_t watermark_of(const ServerProcess& server) {
  HttpClient client = server.client();
  const Result<HttpResponse> metrics = client.request("GET", "/metrics");
  if (!metrics) return 0;
  const std::size_t at = metrics->body.find("\nseedance_ingest_watermark_seconds ");
  return at == std::string::npos ? 0 : std::atoll(metrics->body.c_str() + metrics->body.find(' ', at));
}

bool reaches(const ServerProcess& server, TimePoint wanted) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (std::chrono::steady_clock::now() < deadline) {
    if (watermark_of(server) * 1'000 >= millis_of(wanted)) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return false;
}

SamplesOfSeries kept_of(const std::string& store, Interval span) {
  const SystemClock clock;
  Counters counters;
  IntakeOptions options;
  options.accept_any_age = true;
  const Result<std::unique_ptr<SampleIntake>> intake = SampleIntake::open(store + "/log", Catalogue{}, options, clock, counters);
  SamplesOfSeries out;
  EXPECT_TRUE(intake) << intake.error().message;
  if (!intake) return out;
  (*intake)->read_hour(span, [](const SeriesMeaning&) { return true; }, [&](std::uint32_t series, std::span<const Sample> samples) {
    const std::string labels = print_labels((*intake)->registry().labels(series));
    if (std::none_of(std::begin(kComparedMetrics), std::end(kComparedMetrics), [&](const char* m) { return labels.find("\"" + std::string(m) + "\"") != std::string::npos; })) return;
    for (const Sample& s : samples) {
      if (is_stale_marker(s.value)) continue;  // the query API does not show them
      EXPECT_TRUE(out[labels].emplace(s.timestamp_ms, std::bit_cast<std::uint64_t>(s.value)).second) << labels << " twice at " << s.timestamp_ms;
    }
  });
  return out;
}

TEST(RedeliveryTest, KillsAndRestartsOnBothSidesLoseNothing) {
  if (!std::filesystem::exists(kWritingPrometheus)) GTEST_SKIP() << "prometheus is not installed";
  const SystemClock clock;
  const TimePoint begun = clock.now();
  TemporaryFolder folder;
  const ExporterPages pages;
  ServerProcess server(folder.path() + "/server", "ingest: {}\n");
  ASSERT_TRUE(answers(server.url(), "/healthz")) << server.log();
  WritingPrometheus prometheus(folder.path(), pages, server.url());
  ASSERT_TRUE(reaches(server, begun + std::chrono::seconds(2)));
  std::vector<Interval> dead;
  const auto kill_and_start_again = [&] {
    server.kill();
    const TimePoint killed = clock.now();
    std::this_thread::sleep_for(kDeadTime);
    dead.push_back({killed, clock.now()});
    server.start();
    ASSERT_TRUE(reaches(server, clock.now())) << server.log();
  };
  kill_and_start_again();
  // On its way out Prometheus sends what it still has; what it could not send it would forget, so our server is up.
  EXPECT_EQ(prometheus.stop(), 0);
  prometheus.start();
  ASSERT_TRUE(reaches(server, clock.now() + std::chrono::seconds(1)));
  kill_and_start_again();

  const Interval run{time_from_millis(millis_of(begun)), time_from_millis(millis_of(clock.now()))};
  ASSERT_TRUE(reaches(server, run.to + std::chrono::seconds(2))) << "what Prometheus has of the run is in its database by now";
  const SamplesOfSeries stored = prometheus.stored(run);
  EXPECT_EQ(prometheus.stop(), 0);
  HttpClient client = server.client();
  const Result<HttpResponse> cost = client.request("GET", "/api/v1/cost?by=node&window=1h");
  ASSERT_TRUE(cost && cost->status == 200) << (cost ? cost->body : cost.error().message);
  EXPECT_NE(cost->body.find("\"left\":\"0.000000000\""), std::string::npos) << cost->body.substr(0, 2'000);
  EXPECT_EQ(server.stop(), 0) << server.log();

  EXPECT_GT(stored.size(), 20u);
  for (const Interval& gap : dead) {
    std::size_t scraped = 0;
    for (const auto& [labels, times] : stored) {
      for (const auto& [at, value] : times) scraped += gap.contains(time_from_millis(at)) ? 1 : 0;
    }
    EXPECT_GE(scraped, stored.size()) << "prometheus went on while the server was dead";
  }
  EXPECT_EQ(kept_of(server.store(), {run.from, run.to - std::chrono::milliseconds(1)}), stored);
}

}  // namespace
}  // namespace seedance
