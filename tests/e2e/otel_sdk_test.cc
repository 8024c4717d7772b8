// A real OpenTelemetry SDK sends a GPU node's metrics to a real server: in protobuf, JSON and gRPC, plain and gzip, then over TLS with a
// token. tools/install.sh puts the SDK into the cache folder.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>

#include "net/http_client.h"
#include "tests/e2e/child_process.h"
#include "tests/e2e/test_service.h"

namespace seedance {
namespace {

constexpr auto kSdkDeadline = std::chrono::seconds(60);
constexpr std::size_t kPointsASend = 5;

std::string sdk_modules() {
  const char* home = std::getenv("HOME");
  return std::string(home == nullptr ? "" : home) + "/.cache/seedance/otel-sender-0.57.2/node_modules";
}

std::string sdk_file(const std::string& path) {
  std::ostringstream out;
  out << std::ifstream(path).rdbuf();
  return out.str();
}

bool run_quietly(const std::string& command, const std::string& log) { return std::system((command + " >" + log + " 2>&1").c_str()) == 0; }

#define SKIP_WITHOUT_SDK()                                                                                                     \
  if (!std::filesystem::exists(sdk_modules() + "/@opentelemetry/sdk-metrics") || !run_quietly("node --version", "/dev/null")) \
  GTEST_SKIP() << "the OpenTelemetry SDK is not installed (tools/install.sh test): " << sdk_modules()

// seedanced with both receivers on free ports.
class SdkServer {
 public:
  explicit SdkServer(const std::string& more_settings = "") {
    const std::string config = folder_.path() + "/seedance.yaml";
    std::ofstream(config) << "server:\n  otlp_grpc_listen: 127.0.0.1:0\n" << more_settings;
    program_ = std::make_unique<ChildProcess>(
        std::vector<std::string>{std::string(SEEDANCE_BINARY_DIR) + "/seedanced", "--config", config, "--store", folder_.path() + "/store", "--port", "0"}, log());
    const auto deadline = std::chrono::steady_clock::now() + kSdkDeadline;
    while (std::chrono::steady_clock::now() < deadline && grpc_port_.empty()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      http_port_ = port_behind("listening address");
      grpc_port_ = port_behind("listening for OTLP over gRPC");
    }
    EXPECT_FALSE(grpc_port_.empty()) << sdk_file(log());
  }

  std::string folder() const { return folder_.path(); }
  std::string log() const { return folder_.path() + "/log.txt"; }
  std::string http_port() const { return http_port_; }
  std::string url_for(const std::string& protocol, const std::string& scheme) const {
    const bool is_grpc = protocol.starts_with("grpc");
    return scheme + "://127.0.0.1:" + (is_grpc ? grpc_port_ : http_port_ + "/v1/metrics");
  }
  // Whether the SDK says that it was taken.
  bool send(const std::string& protocol, const std::string& scheme = "http", const std::string& token = "", const std::string& environment = "") const {
    const std::string sender = std::string(SEEDANCE_SOURCE_DIR) + "/tests/e2e/otel_sender/send.js";
    return run_quietly("env NODE_PATH='" + sdk_modules() + "' " + environment + " node '" + sender + "' " + protocol + " " + url_for(protocol, scheme) + " " + token, sender_log());
  }
  std::string sender_log() const { return folder_.path() + "/sender.txt"; }

 private:
  std::string port_behind(const std::string& message) const {
    const std::string text = sdk_file(log());
    const std::size_t line = text.find(message);
    if (line == std::string::npos) return {};
    const std::size_t end = text.find('\n', line);
    const std::size_t at = text.find(" port=", line);
    if (end == std::string::npos || at > end) return {};
    return text.substr(at + 6, text.find_first_of(" \n", at + 6) - at - 6);
  }

  TemporaryFolder folder_;
  std::unique_ptr<ChildProcess> program_;
  std::string http_port_;
  std::string grpc_port_;
};

std::size_t metric_of(HttpClient& client, const std::string& name) {
  const std::string text = client.request("GET", "/metrics").value().body;
  const std::size_t at = text.find(name + " ");
  return at == std::string::npos ? 0 : std::stoul(text.substr(at + name.size() + 1));
}

TEST(OtelSdkTest, EveryProtocolDeliversTheGpusOfANode) {
  SKIP_WITHOUT_SDK();
  SdkServer server("ingest: {signal_lateness: 1s}\n");
  HttpClient client({.base_url = "http://127.0.0.1:" + server.http_port()});
  const std::vector<std::string> protocols{"proto", "proto-gzip", "json", "json-gzip", "grpc", "grpc-gzip"};
  std::size_t sends = 0;
  for (int round = 0; round < 2; ++round) {
    for (const std::string& protocol : protocols) {
      EXPECT_TRUE(server.send(protocol)) << protocol << ": " << sdk_file(server.sender_log());
      ++sends;
    }
  }
  EXPECT_TRUE(server.send("proto", "http", "", "SEEDANCE_DELTA=1")) << sdk_file(server.sender_log());
  EXPECT_TRUE(server.send("grpc", "http", "", "SEEDANCE_DELTA=1")) << sdk_file(server.sender_log());
  EXPECT_EQ(metric_of(client, "seedance_ingest_otlp_points_total{outcome=\"taken\"}"), (sends + 2) * kPointsASend);
  EXPECT_EQ(metric_of(client, "seedance_ingest_otlp_points_total{outcome=\"rejected\"}"), 0u);
  // Two GPU metrics, the pod, the CPU counter and target_info; a delta is three samples.
  EXPECT_EQ(metric_of(client, "seedance_ingest_samples_total{outcome=\"kept\"}"), sends * 5 + 2 * 7);
  // The GPUs are known by name.
  std::string gpus;
  const auto deadline = std::chrono::steady_clock::now() + kSdkDeadline;
  const auto has_all = [&] { return std::ranges::all_of(protocols, [&](const std::string& p) { return gpus.find("\"GPU-" + p + "\"") != std::string::npos; }); };
  while (std::chrono::steady_clock::now() < deadline && !has_all()) {
    // A second closes when a later one has come.
    EXPECT_TRUE(server.send("proto")) << sdk_file(server.sender_log());
    gpus = client.request("GET", "/api/v1/gpus?window=2h").value().body;
  }
  EXPECT_TRUE(has_all()) << gpus;
}

TEST(OtelSdkTest, OverTlsOnlyTheTokenOfAWriterIsTaken) {
  SKIP_WITHOUT_SDK();
  TemporaryFolder files;
  const std::string certificate = files.path() + "/certificate.pem";
  const std::string key = files.path() + "/key.pem";
  if (!run_quietly("openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 -keyout " + key +
                       " -out " + certificate, files.path() + "/openssl.txt")) {
    GTEST_SKIP() << "openssl cannot make a certificate: " << sdk_file(files.path() + "/openssl.txt");
  }
  std::ofstream(files.path() + "/tokens") << "good writer\nother reader\n";
  SdkServer server("  tokens_file: " + files.path() + "/tokens\n  tls_certificate: " + certificate + "\n  tls_key: " + key + "\n");
  const std::string trust = "NODE_EXTRA_CA_CERTS=" + certificate + " OTEL_EXPORTER_OTLP_CERTIFICATE=" + certificate;
  for (const std::string protocol : {"proto", "grpc"}) {
    EXPECT_TRUE(server.send(protocol, "https", "good", trust)) << protocol << ": " << sdk_file(server.sender_log());
    EXPECT_FALSE(server.send(protocol, "https", "other", trust)) << protocol;
    EXPECT_FALSE(server.send(protocol, "https", "", trust)) << protocol;
    EXPECT_FALSE(server.send(protocol, "http", "good")) << protocol << " in plain text";
    EXPECT_FALSE(server.send(protocol, "https", "good")) << protocol << " does not know the certificate";
  }
}

}  // namespace
}  // namespace seedance
