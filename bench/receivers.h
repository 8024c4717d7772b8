// The remote write receivers that ingest_bench compares, and where vmagent sends what it aggregates.
//
// Our seedanced (log, windows, meters on), and what is on the PATH or named by an environment variable: victoria-metrics
// (SEEDANCE_BENCH_VICTORIA), vmagent with one-second stream aggregation (SEEDANCE_BENCH_VMAGENT), prometheus (SEEDANCE_BENCH_PROMETHEUS).
// tools/build_peers.sh builds newer ones than Debian 12 has; its vmagent cannot aggregate and is left out.
#pragma once

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "base/check.h"
#include "net/http_server.h"
#include "tests/e2e/child_process.h"

namespace seedance {

inline constexpr std::uint16_t kSinkPort = 19430;

struct Receiver {
  std::string name;
  std::string url;  // of remote write
  std::vector<std::string> command;
  bool is_aggregator = false;  // sends on to the sink
  std::string version = {};
};

// Takes every body and keeps none, so that vmagent's queue stays empty.
class WriteSink {
 public:
  WriteSink() {
    HttpServerOptions options;
    options.port = kSinkPort;
    Result<std::unique_ptr<HttpServer>> started = HttpServer::start(options, [this](const HttpRequest& request) {
      bytes_ += request.body.size();
      return HttpResponse{.status = 204};
    });
    SEEDANCE_CHECK(started.has_value(), started ? "" : started.error().message);
    server_ = std::move(*started);
  }
  std::size_t bytes() const { return bytes_; }

 private:
  std::atomic<std::size_t> bytes_{0};
  std::unique_ptr<HttpServer> server_;  // last: its threads count
};

inline std::string found_program(const char* variable, const std::string& name) {
  const char* named = std::getenv(variable);
  if (named != nullptr) return named;
  std::istringstream path(std::getenv("PATH") == nullptr ? "" : std::getenv("PATH"));
  for (std::string folder; std::getline(path, folder, ':');) {
    if (std::filesystem::exists(folder + "/" + name)) return folder + "/" + name;
  }
  return {};
}

// "1.151.0" of what the program says of itself; "?" for Debian's VictoriaMetrics, which says nothing.
inline std::string version_of(const std::string& program, const std::string& folder) {
  const std::string file = folder + "/version";
  {
    ChildProcess asked({program, "--version"}, file);
    if (asked.ok()) asked.wait();
  }
  std::ifstream in(file);
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  for (std::size_t at = 0; at + 1 < text.size(); ++at) {
    if (!is_digit(text[at])) continue;
    std::size_t end = at;
    while (end < text.size() && (is_digit(text[end]) || text[end] == '.')) ++end;
    const std::string number = text.substr(at, end - at);
    if (number.find('.') != std::string::npos) return number;
    at = end;
  }
  return "?";
}

inline std::vector<Receiver> receivers(const std::string& folder, const std::string& ours) {
  std::vector<Receiver> out;
  out.push_back({"seedanced", "http://127.0.0.1:19117/api/v1/write", {ours, "--store", folder + "/seedanced", "--port", "19117"}});
  if (const std::string p = found_program("SEEDANCE_BENCH_VICTORIA", "victoria-metrics"); !p.empty()) {
    out.push_back({"victoria-metrics", "http://127.0.0.1:19428/api/v1/write",
                   {p, "-storageDataPath=" + folder + "/vm", "-httpListenAddr=127.0.0.1:19428"}});
  }
  if (const std::string p = found_program("SEEDANCE_BENCH_VMAGENT", "vmagent"); !p.empty()) {
    std::ofstream(folder + "/aggregate.yml") << "- interval: 1s\n  by: [__name__, namespace, pod]\n"
                                                "  outputs: [sum_samples, count_samples, min, max, avg, last]\n";
    out.push_back({"vmagent 1 s", "http://127.0.0.1:19429/api/v1/write",
                   {p, "-httpListenAddr=127.0.0.1:19429", "-remoteWrite.url=http://127.0.0.1:" + std::to_string(kSinkPort) + "/api/v1/write",
                    "-remoteWrite.tmpDataPath=" + folder + "/vmagent", "-streamAggr.config=" + folder + "/aggregate.yml"},
                   true});
  }
  if (const std::string p = found_program("SEEDANCE_BENCH_PROMETHEUS", "prometheus"); !p.empty()) {
    std::ofstream(folder + "/prometheus.yml") << "global: {scrape_interval: 1h}\n";
    out.push_back({"prometheus", "http://127.0.0.1:19490/api/v1/write",
                   {p, "--config.file=" + folder + "/prometheus.yml", "--storage.tsdb.path=" + folder + "/prometheus",
                    "--web.listen-address=127.0.0.1:19490", "--web.enable-remote-write-receiver"}});
  }
  return out;
}

}  // namespace seedance
