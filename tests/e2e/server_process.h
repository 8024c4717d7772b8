// seedanced as a process of its own, on a store and a port that outlive it.
#pragma once

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <utility>

#include "net/http_client.h"
#include "tests/e2e/child_process.h"

namespace seedance {

class ServerProcess {
 public:
  // `settings` is YAML. Everything lies in `folder`, which is made.
  ServerProcess(std::string folder, const std::string& settings) : folder_(std::move(folder)), port_(free_port()) {
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ + "/seedance.yaml") << settings;
    start();
  }
  void start() {
    process_ = std::make_unique<ChildProcess>(std::vector<std::string>{std::string(SEEDANCE_BINARY_DIR) + "/seedanced", "--config", folder_ + "/seedance.yaml", "--store",
                                                                       folder_ + "/store", "--port", std::to_string(port_)},
                                              folder_ + "/log.txt");
  }
  void kill() { process_->stop(SIGKILL); }
  int stop() { return process_->stop(SIGTERM); }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  HttpClient client() const {
    HttpClientOptions options;
    options.base_url = url();
    options.timeout = std::chrono::seconds(10);
    return HttpClient(options);
  }
  std::string store() const { return folder_ + "/store"; }
  std::string log() const {
    std::ostringstream out;
    out << std::ifstream(folder_ + "/log.txt").rdbuf();
    return out.str();
  }

 private:
  std::string folder_;
  std::uint16_t port_;
  std::unique_ptr<ChildProcess> process_;
};

// Whether a server says 200 to a path within a minute.
inline bool answers(const std::string& url, const std::string& path) {
  HttpClientOptions options;
  options.base_url = url;
  HttpClient client(options);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (std::chrono::steady_clock::now() < deadline) {
    const Result<HttpResponse> response = client.request("GET", path);
    if (response && response->status == 200) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return false;
}

}  // namespace seedance
