// Hours of history in a real Prometheus (blocks made by promtool) and in a real VictoriaMetrics: what `import prometheus` makes of them
// is, byte for byte, what `import openmetrics` makes of the file they came from. Killed in the middle and run again it is the same too.
#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>

#include "api/routes.h"
#include "base/time_text.h"
#include "ingest/prometheus_query.h"
#include "net/http_client.h"
#include "net/http_server.h"
#include "simulate/sample_cluster.h"
#include "tests/e2e/child_process.h"
#include "tests/e2e/test_service.h"

namespace seedance {
namespace {

constexpr const char* kPrometheusServer = "/usr/bin/prometheus";
constexpr const char* kPromtool = "/usr/bin/promtool";
constexpr const char* kVictoria = "/usr/bin/victoria-metrics";
const std::string kImportControl = std::string(SEEDANCE_BINARY_DIR) + "/seedancectl";
constexpr Nanos kHistoryHours = std::chrono::hours(6);

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
    options.scrape_interval = std::chrono::seconds(30);
    std::ofstream out(path, std::ios::binary);
    SampleCluster(options).write_open_metrics(from, to, [&](std::string_view text) { out << text; });
  }
  std::string window() const { return print_time(from) + ".." + print_time(to); }
};

bool answers(std::uint16_t port, const std::string& path) {
  HttpClient client({.base_url = "http://127.0.0.1:" + std::to_string(port)});
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (std::chrono::steady_clock::now() < deadline) {
    const Result<HttpResponse> response = client.request("GET", path);
    if (response && response->status == 200) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return false;
}

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

TEST(PrometheusImportTest, HistoryOfARealPrometheusGivesTheLedgerOfItsFile) {
  if (!std::filesystem::exists(kPrometheusServer) || !std::filesystem::exists(kPromtool)) GTEST_SKIP() << "prometheus is not installed";
  const HistoryFile history;
  const std::string folder = history.folder.path();
  const std::string expected = reports_of_the_file(history, folder + "/file");
  ASSERT_NE(expected.find("\"currency\": \"USD\""), std::string::npos) << expected.substr(0, 500);

  const Ran blocks = run_command(std::string(kPromtool) + " tsdb create-blocks-from openmetrics " + history.path + " " + folder + "/data 2>&1");
  ASSERT_EQ(blocks.status, 0) << blocks.out;
  std::ofstream(folder + "/prometheus.yml") << "global: {external_labels: {monitor: e2e}}\n";
  const std::uint16_t port = free_port();
  // A limit of samples below what an hour of the larger metrics has.
  ChildProcess prometheus({kPrometheusServer, "--config.file=" + folder + "/prometheus.yml", "--storage.tsdb.path=" + folder + "/data", "--storage.tsdb.retention.time=10y",
                           "--query.max-samples=8000", "--web.listen-address=127.0.0.1:" + std::to_string(port)},
                          folder + "/prometheus.log");
  ASSERT_TRUE(answers(port, "/-/ready"));
  const std::string import = " import prometheus http://127.0.0.1:" + std::to_string(port) + " --window " + history.window() + " --store ";

  const Ran whole = run_command(kImportControl + import + folder + "/whole 2>&1");
  EXPECT_EQ(whole.status, 0) << whole.out;
  EXPECT_NE(whole.out.find("labels added to series without them: monitor=e2e"), std::string::npos) << whole.out;
  EXPECT_EQ(reports_of(folder + "/whole", history), expected);

  // Killed as soon as it has something to go on behind.
  {
    ChildProcess killed({kImportControl, "import", "prometheus", "http://127.0.0.1:" + std::to_string(port), "--window", history.window(), "--store", folder + "/killed"},
                        folder + "/killed.log");
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!has_file(folder + "/killed/backfill") && std::chrono::steady_clock::now() < deadline) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    killed.stop(SIGKILL);
  }
  const Ran resumed = run_command(kImportControl + import + folder + "/killed 2>&1");
  EXPECT_EQ(resumed.status, 0) << resumed.out;
  EXPECT_NE(resumed.out.find("going on at "), std::string::npos) << resumed.out;
  EXPECT_EQ(reports_of(folder + "/killed", history), expected);
}

}  // namespace
}  // namespace seedance
