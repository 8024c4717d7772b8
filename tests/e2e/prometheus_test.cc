// A real Prometheus scrapes real exporters (node exporter, itself) and our simulator's pages, and remote-writes into a server. The
// books of what arrived close.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "api/routes.h"
#include "net/http_client.h"
#include "net/http_server.h"
#include "tests/e2e/child_process.h"
#include "tests/e2e/exporter_pages.h"
#include "tests/e2e/test_service.h"

namespace seedance {
namespace {

constexpr const char* kPrometheus = "/usr/bin/prometheus";
constexpr const char* kNodeExporter = "/usr/bin/prometheus-node-exporter";
constexpr auto kDeadline = std::chrono::seconds(120);

void write_configuration(const std::string& path, const ExporterPages& pages, std::uint16_t node_port, std::uint16_t own_port, std::uint16_t write_port) {
  std::ofstream out(path);
  out << "global: {scrape_interval: 1s, external_labels: {cluster: e2e}}\n"
      << "remote_write:\n  - url: http://127.0.0.1:" << write_port << "/api/v1/write\n    queue_config: {batch_send_deadline: 1s}\n"
      << "scrape_configs:\n";
  for (const char* page : {"state", "cadvisor", "dcgm", "duplicate", "price", "agent"}) {
    out << "  - {job_name: " << page << ", honor_labels: true, metrics_path: /" << page << ", static_configs: [{targets: ['" << pages.target() << "']}]}\n";
  }
  // The same state exporter a second time: must count once.
  out << "  - {job_name: state-again, honor_labels: true, metrics_path: /state, static_configs: [{targets: ['" << pages.target() << "']}]}\n"
      << "  - {job_name: node, static_configs: [{targets: ['127.0.0.1:" << node_port << "']}]}\n"
      << "  - {job_name: prometheus, static_configs: [{targets: ['127.0.0.1:" << own_port << "']}]}\n";
}

// A Service on the real clock behind a real port.
struct LiveServer {
  TemporaryFolder folder;
  SystemClock clock;
  Counters counters;
  std::unique_ptr<Service> service;
  std::unique_ptr<Api> api;
  std::unique_ptr<HttpServer> http;

  LiveServer() {
    Settings settings = default_settings();
    settings.store.directory = folder.path();
    service = Service::open(settings, clock, counters).value();
    api = std::make_unique<Api>(*service, nullptr);
    http = HttpServer::start({}, [this](const HttpRequest& request) { return api->handle(request); }).value();
  }
  ~LiveServer() {
    http->stop();
    service.reset();
  }
};

TEST(PrometheusTest, RealPrometheusRemoteWritesAndTheBooksClose) {
  if (!std::filesystem::exists(kPrometheus) || !std::filesystem::exists(kNodeExporter)) GTEST_SKIP() << "prometheus is not installed";
  LiveServer live;
  const ExporterPages pages;
  TemporaryFolder folder;
  const std::uint16_t node_port = free_port();
  const std::uint16_t own_port = free_port();
  write_configuration(folder.path() + "/prometheus.yml", pages, node_port, own_port, live.http->port());
  ChildProcess exporter({kNodeExporter, "--web.listen-address=127.0.0.1:" + std::to_string(node_port)}, folder.path() + "/exporter.log");
  ChildProcess prometheus({kPrometheus, "--config.file=" + folder.path() + "/prometheus.yml", "--storage.tsdb.path=" + folder.path() + "/data",
                           "--web.listen-address=127.0.0.1:" + std::to_string(own_port)}, folder.path() + "/prometheus.log");
  ASSERT_TRUE(exporter.ok() && prometheus.ok());

  CostQuestion question;
  question.by = {GroupKey::kNode};
  CostReport report;
  std::set<std::string> nodes;
  const auto deadline = std::chrono::steady_clock::now() + kDeadline;
  while (std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    question.window = {hour_of(live.clock.now()) - std::chrono::hours(1), live.clock.now()};
    report = live.service->reports().cost(question).value();
    nodes.clear();
    for (const CostLine& line : report.lines) {
      if (line.kind == LineKind::kGroup && line.sums.total_cost() > 0) nodes.insert(line.keys[0]);
    }
    if (nodes.size() >= 6 && live.service->intake().kept_samples() > 20'000) break;
  }
  EXPECT_GE(nodes.size(), 6u) << "nodes with cost";
  ASSERT_FALSE(report.totals.empty());
  for (const CurrencyTotal& total : report.totals) {
    ASSERT_TRUE(total.charged.has_value());
    EXPECT_GT(*total.charged, 0);
    EXPECT_EQ(total.left(), 0) << "books of " << total.currency;
  }
  EXPECT_EQ(live.counters.counter("ingest_samples", "", "outcome=\"refused\"").value(), 0);
  EXPECT_GT(live.counters.counter("ingest_samples", "", "outcome=\"ignored\"").value(), 1'000) << "prometheus' own metrics are not needed";
}

}  // namespace
}  // namespace seedance
