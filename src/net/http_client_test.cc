#include "net/http_client.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "net/http_server.h"
#include "net/listen_socket.h"

namespace seedance {
namespace {

std::unique_ptr<HttpServer> client_test_server(HttpHandler handler) { return std::move(*HttpServer::start({}, std::move(handler))); }

std::string base_of(const HttpServer& server) { return "http://127.0.0.1:" + std::to_string(server.port()) + "/"; }

TEST(HttpClientTest, BearerTokenAndHeadersAreSent) {
  const auto server = client_test_server([](const HttpRequest& request) {
    return HttpResponse{.body = std::string(request.header("Authorization")) + "|" + std::string(request.header("Content-Type"))};
  });
  HttpClient client({.base_url = base_of(*server), .bearer_token = "secret"});
  EXPECT_EQ(client.request("POST", "/x", "{}", {{"Content-Type", "application/json"}})->body, "Bearer secret|application/json");
  EXPECT_EQ(client.request("POST", "/x", "{}")->body, "Bearer secret|");
}

TEST(HttpClientTest, ErrorStatusIsAResponse) {
  const auto server = client_test_server([](const HttpRequest&) { return HttpResponse{.status = 404, .content_type = "text/plain", .body = "no"}; });
  const auto response = HttpClient({.base_url = base_of(*server)}).request("DELETE", "/x");
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 404);
  EXPECT_EQ(response->content_type, "text/plain");
}

TEST(HttpClientTest, NobodyListeningIsUnavailableAndNamesTheUrl) {
  std::uint16_t port = 0;
  {
    const auto server = client_test_server([](const HttpRequest&) { return HttpResponse{}; });
    port = server->port();
  }
  const auto response = HttpClient({.base_url = "http://127.0.0.1:" + std::to_string(port)}).request("GET", "/health");
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, Code::kUnavailable);
  EXPECT_NE(response.error().message.find("/health"), std::string::npos);
  EXPECT_NE(response.error().hint.find("http://127.0.0.1"), std::string::npos);
}

TEST(HttpClientTest, SilentServerIsATimeout) {
  const auto silent = listen_on("127.0.0.1", 0);  // connects, never answers
  ASSERT_TRUE(silent);
  HttpClient client({.base_url = "http://127.0.0.1:" + std::to_string(silent->port), .timeout = std::chrono::milliseconds(50)});
  EXPECT_EQ(client.request("GET", "/").error().code, Code::kTimeout);
  close(silent->descriptor);
}

TEST(HttpClientTest, NotAUrlIsInvalid) {
  EXPECT_EQ(HttpClient({.base_url = "ftp://127.0.0.1"}).request("GET", "/").error().code, Code::kInvalid);
  EXPECT_EQ(HttpClient({.base_url = "http://a b"}).request("GET", "/").error().code, Code::kInvalid);
}

TEST(HttpClientTest, AnswerOverTheLimitIsRefused) {
  const auto server = client_test_server([](const HttpRequest&) { return HttpResponse{.body = std::string(1001, 'x')}; });
  HttpClient client({.base_url = base_of(*server), .response_bytes_max = 1000});
  EXPECT_EQ(client.request("GET", "/").error().code, Code::kTooLarge);
}

TEST(HttpClientTest, LineBreakInAHeaderIsRefused) {
  HttpClient client({.base_url = "http://127.0.0.1:1"});
  EXPECT_EQ(client.request("GET", "/", {}, {{"X-A", "b\r\nX-C: d"}}).error().code, Code::kInvalid);
}

class HttpUploadTest : public testing::Test {
 protected:
  HttpUploadTest() : file_(std::filesystem::temp_directory_path() / ("seedance_upload_test_" + std::to_string(getpid()))) {
    std::ofstream(file_, std::ios::binary) << std::string(2'000'000, 'u');
  }
  ~HttpUploadTest() override { std::filesystem::remove(file_); }
  const std::filesystem::path file_;
};

TEST_F(HttpUploadTest, FileArrivesWholeWithProgress) {
  const auto server = client_test_server([](const HttpRequest& request) {
    return HttpResponse{.body = request.method + " " + std::to_string(request.body.size()) + " " + std::string(request.header("content-type"))};
  });
  std::uint64_t sent = 0;
  const auto response = HttpClient({.base_url = base_of(*server)}).upload_file("/import", file_, "text/plain", [&](std::uint64_t now, std::uint64_t) {
    sent = now;
    return true;
  });
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->body, "POST 2000000 text/plain");
  EXPECT_EQ(sent, 2'000'000U);
}

TEST_F(HttpUploadTest, ProgressMayStopTheUpload) {
  const auto server = client_test_server([](const HttpRequest&) { return HttpResponse{}; });
  const auto response = HttpClient({.base_url = base_of(*server)}).upload_file("/import", file_, "text/plain", [](auto, auto) { return false; });
  ASSERT_FALSE(response);
  EXPECT_NE(response.error().message.find("stopped"), std::string::npos);
}

TEST_F(HttpUploadTest, MissingFileIsNotFound) {
  EXPECT_EQ(HttpClient({.base_url = "http://127.0.0.1:1"}).upload_file("/", "/nowhere/file", "text/plain").error().code, Code::kNotFound);
}

}  // namespace
}  // namespace seedance
