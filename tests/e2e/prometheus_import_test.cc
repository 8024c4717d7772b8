// Hours of history in a real Prometheus (blocks made by promtool) and in a real VictoriaMetrics: what `import prometheus` makes of them
// is, byte for byte, what `import openmetrics` makes of the file they came from. Killed in the middle and run again it is the same too, and
// a server to which it is written says the same costs.
#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>

#include "base/time_text.h"
#include "net/http_client.h"
#include "simulate/sample_cluster.h"
#include "tests/e2e/server_process.h"
#include "tests/e2e/test_service.h"

namespace seedance {
namespace {

constexpr const char* kPrometheusServer = "/usr/bin/prometheus";
constexpr const char* kPromtool = "/usr/bin/promtool";
constexpr const char* kVictoria = "/usr/bin/victoria-metrics";
const std::string kImportControl = std::string(SEEDANCE_BINARY_DIR) + "/seedancectl";
constexpr Nanos kHistoryHours = std::chrono::hours(5);  // inside a server's correction horizon

struct Ran {
  int status = -1;
  std::string out;
};

Ran run_command(const std::string& command) {
  Ran ran;
  FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return ran;
  std::array<char, 65536> buffer{};
  for (std::size_t got = 0; (got = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) ran.out.append(buffer.data(), got);
  const int status = ::pclose(pipe);
  ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return ran;
}

// The sample cluster's first hours, ended at the last whole hour; made once.
struct HistoryFile {
  TemporaryFolder folder;
  std::string path = folder.path() + "/history.om";
  TimePoint from = hour_of(SystemClock{}.now()) - kHistoryHours;
  TimePoint to = from + kHistoryHours;

  HistoryFile() {
    SampleClusterOptions options;
    options.seed = 11;
    options.start = from;
    options.scrape_interval = std::chrono::minutes(1);
    std::ofstream out(path, std::ios::binary);
    SampleCluster(options).write_open_metrics(from, to, [&](std::string_view text) { out << text; });
  }
  std::string window() const { return print_time(from) + ".." + print_time(to); }
};

// What every report says of a store.
std::string reports_of(const std::string& store, const HistoryFile& history) {
  std::string out;
  const std::string window = " --window " + history.window() + " --store " + store + " -o json";
  for (const char* question : {"cost --by node,namespace,workload,pod,container,gpu --step 1h", "waterfall", "cold-starts", "top gpus --limit 100"}) {
    const Ran ran = run_command(kImportControl + " " + question + window + " 2>&1");
    EXPECT_EQ(ran.status, 0) << ran.out;
    out += ran.out;
  }
  return out;
}

std::string reports_of_the_file(const HistoryFile& history, const std::string& store) {
  const Ran imported = run_command(kImportControl + " import openmetrics " + history.path + " --store " + store + " 2>&1");
  EXPECT_EQ(imported.status, 0) << imported.out;
  return reports_of(store, history);
}

bool has_file(const std::string& folder) {
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    if (entry.path().extension() == ".json") return true;
  }
  return false;
}

std::string text_of_file(const std::string& path) {
  std::ostringstream out;
  out << std::ifstream(path).rdbuf();
  return out.str();
}

// The history as a file, as a Prometheus, and what the reports say of it; made once for all tests.
class PrometheusImportTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (!std::filesystem::exists(kPrometheusServer) || !std::filesystem::exists(kPromtool)) return;
    history_ = new HistoryFile;
    expected_ = new std::string(reports_of_the_file(*history_, folder() + "/file"));
    const Ran blocks = run_command(std::string(kPromtool) + " tsdb create-blocks-from openmetrics " + history_->path + " " + folder() + "/data 2>&1");
    EXPECT_EQ(blocks.status, 0) << blocks.out;
    std::ofstream(folder() + "/prometheus.yml") << "global: {external_labels: {monitor: e2e}}\n";
    port_ = free_port();
    // A limit of samples below what an hour of the larger metrics has.
    prometheus_ = new ChildProcess({kPrometheusServer, "--config.file=" + folder() + "/prometheus.yml", "--storage.tsdb.path=" + folder() + "/data",
                                    "--storage.tsdb.retention.time=10y", "--query.max-samples=4000", "--web.listen-address=127.0.0.1:" + std::to_string(port_)},
                                   folder() + "/prometheus.log");
    EXPECT_TRUE(answers(url(), "/-/ready")) << text_of_file(folder() + "/prometheus.log");
  }
  static void TearDownTestSuite() {
    delete prometheus_;
    delete expected_;
    delete history_;
    prometheus_ = nullptr;
    expected_ = nullptr;
    history_ = nullptr;
  }
  void SetUp() override {
    if (history_ == nullptr) GTEST_SKIP() << "prometheus is not installed";
    ASSERT_NE(expected_->find("\"currency\": \"USD\""), std::string::npos) << expected_->substr(0, 500);
  }

  static std::string folder() { return history_->folder.path(); }
  static std::string url() { return "http://127.0.0.1:" + std::to_string(port_); }
  static std::string import_command(const std::string& from, const std::string& to) {
    return kImportControl + " import prometheus " + from + " --window " + history_->window() + " " + to + " 2>&1";
  }

  static HistoryFile* history_;
  static std::string* expected_;
  static ChildProcess* prometheus_;
  static std::uint16_t port_;
};
HistoryFile* PrometheusImportTest::history_ = nullptr;
std::string* PrometheusImportTest::expected_ = nullptr;
ChildProcess* PrometheusImportTest::prometheus_ = nullptr;
std::uint16_t PrometheusImportTest::port_ = 0;

TEST_F(PrometheusImportTest, HistoryGivesTheLedgerOfItsFile) {
  const Ran whole = run_command(import_command(url(), "--store " + folder() + "/whole"));
  EXPECT_EQ(whole.status, 0) << whole.out;
  EXPECT_NE(whole.out.find("labels added to series without them: monitor=e2e"), std::string::npos) << whole.out;
  EXPECT_EQ(reports_of(folder() + "/whole", *history_), *expected_);
  HttpClient client({.base_url = url()});
  EXPECT_NE(client.request("GET", "/metrics")->body.find("prometheus_http_requests_total{code=\"422\",handler=\"/api/v1/query\"}"), std::string::npos)
      << "its limit of samples was met";
}

TEST_F(PrometheusImportTest, KilledAndRunAgainItIsTheSame) {
  const std::string store = folder() + "/killed";
  {
    ChildProcess killed({kImportControl, "import", "prometheus", url(), "--window", history_->window(), "--store", store}, folder() + "/killed.log");
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!has_file(store + "/backfill") && std::chrono::steady_clock::now() < deadline) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(killed.stop(SIGKILL), SIGKILL) << "it was done before it was killed";
  }
  const Ran resumed = run_command(import_command(url(), "--store " + store));
  EXPECT_EQ(resumed.status, 0) << resumed.out;
  EXPECT_NE(resumed.out.find("going on at "), std::string::npos) << resumed.out;
  EXPECT_EQ(reports_of(store, *history_), *expected_);
}

TEST_F(PrometheusImportTest, VictoriaMetricsGivesRawSamplesToo) {
  if (!std::filesystem::exists(kVictoria)) GTEST_SKIP() << "victoria-metrics is not installed";
  const std::uint16_t port = free_port();
  const std::string address = "http://127.0.0.1:" + std::to_string(port);
  ChildProcess victoria({kVictoria, "-storageDataPath=" + folder() + "/victoria", "-httpListenAddr=127.0.0.1:" + std::to_string(port), "-retentionPeriod=100y"},
                        folder() + "/victoria.log");
  ASSERT_TRUE(answers(address, "/health")) << text_of_file(folder() + "/victoria.log");
  HttpClient client({.base_url = address, .timeout = std::chrono::seconds(60)});
  ASSERT_TRUE(client.upload_file("/api/v1/import/prometheus", history_->path, "text/plain"));
  ASSERT_TRUE(client.request("GET", "/internal/force_flush"));
  const Ran imported = run_command(import_command(address + "/prometheus/", "--store " + folder() + "/from-victoria"));
  EXPECT_EQ(imported.status, 0) << imported.out;
  EXPECT_EQ(reports_of(folder() + "/from-victoria", *history_), *expected_);
}

TEST_F(PrometheusImportTest, AServerThatIsWrittenToSaysTheSameCosts) {
  const ServerProcess server(folder() + "/server", "ingest: {}\n");
  ASSERT_TRUE(answers(server.url(), "/healthz")) << server.log();
  ::setenv("XDG_STATE_HOME", (folder() + "/state").c_str(), 1);
  const Ran imported = run_command(import_command(url(), "--server " + server.url()));
  EXPECT_EQ(imported.status, 0) << imported.out;
  EXPECT_NE(imported.out.find(" 0 refused"), std::string::npos) << imported.out;
  EXPECT_TRUE(has_file(folder() + "/state/seedance"));
  const std::string question = " cost --by node,namespace,workload,pod,container,gpu --window " + history_->window() + " -o csv ";
  const std::string expected = run_command(kImportControl + question + "--store " + folder() + "/file 2>&1").out;
  std::string costs;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while ((costs = run_command(kImportControl + question + "--server " + server.url() + " 2>&1").out) != expected && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  EXPECT_EQ(costs, expected);
  const Ran again = run_command(import_command(url(), "--server " + server.url()));
  EXPECT_NE(again.out.find("going on at "), std::string::npos) << again.out;
}

// Its correction horizon lies in the middle of what was imported: the hours there must not be made anew from half of their samples.
TEST_F(PrometheusImportTest, AServerStartedOnTheStoreChangesNothing) {
  const std::string settings = "ingest: {correction_horizon: 1h}\n";
  std::filesystem::create_directories(folder() + "/served");
  std::ofstream(folder() + "/served.yaml") << settings;
  const Ran imported = run_command(import_command(url(), "--store " + folder() + "/served/store --config " + folder() + "/served.yaml"));
  EXPECT_EQ(imported.status, 0) << imported.out;
  {
    ServerProcess server(folder() + "/served", settings);
    // The state is published behind the first settling.
    ASSERT_TRUE(answers(server.url(), "/healthz")) << server.log();
    HttpClient client = server.client();
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (client.request("GET", "/metrics")->body.find("seedance_ingest_watermark_seconds 1") == std::string::npos && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    EXPECT_EQ(server.stop(), 0) << server.log();
  }
  EXPECT_EQ(reports_of(folder() + "/served/store", *history_), *expected_);
}

TEST_F(PrometheusImportTest, AServerThatRefusesOldSamplesIsToldOfOnce) {
  const ServerProcess server(folder() + "/strict", "ingest: {correction_horizon: 1h}\n");
  ASSERT_TRUE(answers(server.url(), "/healthz")) << server.log();
  ::setenv("XDG_STATE_HOME", (folder() + "/state").c_str(), 1);
  const Ran imported = run_command(import_command(url(), "--server " + server.url()));
  EXPECT_EQ(imported.status, 1) << imported.out;
  const std::string hint = "import them with --store DIR";
  const std::size_t at = imported.out.find(hint);
  ASSERT_NE(at, std::string::npos) << imported.out;
  EXPECT_EQ(imported.out.find(hint, at + 1), std::string::npos) << imported.out;
  EXPECT_EQ(imported.out.find(" 0 refused"), std::string::npos) << imported.out;
  EXPECT_EQ(imported.out.find(": 0 samples kept"), std::string::npos) << "what is young enough was kept: " << imported.out;
}

}  // namespace
}  // namespace seedance
