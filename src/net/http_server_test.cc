#include "net/http_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <latch>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include "net/http_client.h"

namespace seedance {
namespace {

// Answers with what it was asked, so that a test sees what arrived.
HttpResponse echo(const HttpRequest& request) {
  std::string text = request.method + " " + request.path;
  for (const auto& [name, value] : request.query) text += " " + name + "=" + value;
  return {.status = 200,
          .content_type = "text/plain",
          .body = text + "\n" + request.body,
          .headers = {{"X-Seen", std::string(request.header("x-probe"))}}};
}

std::unique_ptr<HttpServer> started(HttpHandler handler, HttpServerOptions options = {}) {
  auto server = HttpServer::start(std::move(options), std::move(handler));
  EXPECT_TRUE(server) << server.error().message;
  return std::move(*server);
}

std::string url_of(const HttpServer& server) { return "http://127.0.0.1:" + std::to_string(server.port()); }

HttpClient client_of(const HttpServer& server) { return HttpClient({.base_url = url_of(server)}); }

// A connection that says exactly what the test wants.
class RawConnection {
 public:
  explicit RawConnection(const HttpServer& server) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(server.port());
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    const timeval patience{10, 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
  }
  RawConnection(const RawConnection&) = delete;
  RawConnection& operator=(const RawConnection&) = delete;
  ~RawConnection() { close(socket_); }

  void say(std::string_view text) {
    while (!text.empty()) {
      const ssize_t sent = send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;
      text.remove_prefix(static_cast<std::size_t>(sent));
    }
  }

  // Reads until `end` has come, or the connection is closed.
  std::string hear_until(std::string_view end) {
    std::string heard;
    char byte = 0;
    while (!heard.ends_with(end) && recv(socket_, &byte, 1, 0) == 1) heard.push_back(byte);
    return heard;
  }

 private:
  int socket_;
};

TEST(HttpServerTest, PathAndQueryArriveDecoded) {
  const auto server = started(echo);
  const auto response = client_of(*server).request("GET", "/api/v1/costs?namespace=team%20a&by=pod&flag");
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->status, 200);
  EXPECT_EQ(response->body, "GET /api/v1/costs namespace=team a by=pod flag=\n");
}

TEST(HttpServerTest, HeadersAreFoundInAnyCase) {
  const auto server = started(echo);
  const auto response = client_of(*server).request("GET", "/", {}, {{"X-PROBE", "yes"}});
  ASSERT_TRUE(response);
  EXPECT_EQ(response->header("x-seen"), "yes");
}

TEST(HttpServerTest, LargeBodyArrivesWhole) {
  const auto server = started(echo);
  const std::string body(3'000'000, 'b');
  const auto response = client_of(*server).request("POST", "/write", body);
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->body, "POST /write\n" + body);
}

TEST(HttpServerTest, KeepAliveServesManyRequestsOnOneConnection) {
  const auto server = started(echo);
  RawConnection connection(*server);
  for (int i = 0; i < 3; ++i) {
    connection.say("POST /again HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody");
    EXPECT_TRUE(connection.hear_until("\nbody").starts_with("HTTP/1.1 200"));
  }
}

TEST(HttpServerTest, ChunkedUploadArrivesWhole) {
  const auto server = started(echo);
  RawConnection connection(*server);
  connection.say("POST /c HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n");
  EXPECT_NE(connection.hear_until("world").find("POST /c\nhello world"), std::string::npos);
}

TEST(HttpServerTest, ExpectIsAnsweredBeforeTheBody) {
  const auto server = started(echo);
  RawConnection connection(*server);
  connection.say("POST /e HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_TRUE(connection.hear_until("\r\n\r\n").starts_with("HTTP/1.1 100"));
  connection.say("body");
  EXPECT_TRUE(connection.hear_until("\nbody").starts_with("HTTP/1.1 200"));
}

TEST(HttpServerTest, ExpectWithTooLargeBodyIsRefusedAtOnce) {
  const auto server = started(echo, {.body_limit_bytes = 10});
  RawConnection connection(*server);
  connection.say("POST /e HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_TRUE(connection.hear_until("\r\n\r\n").starts_with("HTTP/1.1 413"));
}

TEST(HttpServerTest, HeadHasTheHeadersAndNoBody) {
  const auto server = started(echo);
  RawConnection connection(*server);
  connection.say("HEAD /h HTTP/1.1\r\nHost: x\r\n\r\nGET /next HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  const std::string heard = connection.hear_until("never comes");
  EXPECT_NE(heard.find("Content-Length: 7"), std::string::npos) << heard;  // of "GET /h\n"
  EXPECT_EQ(heard.find("GET /h"), std::string::npos) << heard;
  EXPECT_NE(heard.find("GET /next"), std::string::npos) << heard;
}

TEST(HttpServerTest, BodyOverTheLimitIsRefusedAndTheConnectionLives) {
  const auto server = started(echo, {.body_limit_bytes = 1000});
  RawConnection connection(*server);
  connection.say("POST /l HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n" + std::string(200'000, 'x'));
  EXPECT_TRUE(connection.hear_until("bytes: 1000\n").starts_with("HTTP/1.1 413"));
  connection.say("POST /small HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody");
  EXPECT_TRUE(connection.hear_until("\nbody").starts_with("HTTP/1.1 200"));
}

TEST(HttpServerTest, ChunkedBodyOverTheLimitIsRefused) {
  const auto server = started(echo, {.body_limit_bytes = 1000});
  RawConnection connection(*server);
  connection.say("POST /l HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
  for (int i = 0; i < 100; ++i) connection.say("64\r\n" + std::string(100, 'x') + "\r\n");
  connection.say("0\r\n\r\n");
  EXPECT_TRUE(connection.hear_until("bytes: 1000\n").starts_with("HTTP/1.1 413"));
}

TEST(HttpServerTest, EachPathMayHaveItsOwnLimit) {
  const auto server = started(echo, {.body_limit_of = [](std::string_view path) { return path == "/write" ? 100U : 10U; }});
  HttpClient client = client_of(*server);
  EXPECT_EQ(client.request("POST", "/write", std::string(100, 'x'))->status, 200);
  EXPECT_EQ(client.request("POST", "/other", std::string(100, 'x'))->status, 413);
}

TEST(HttpServerTest, AllBodiesTogetherAreLimited) {
  const auto server = started(echo, {.bodies_bytes_max = 1000});
  HttpClient client = client_of(*server);
  const auto refused = client.request("POST", "/", std::string(1001, 'x'));
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->status, 503);
  EXPECT_EQ(refused->header("Retry-After"), "5");
  for (int i = 0; i < 5; ++i) EXPECT_EQ(client.request("POST", "/", std::string(1000, 'x'))->status, 200);
}

TEST(HttpServerTest, HandlerThatThrowsIsA500) {
  const auto server = started([](const HttpRequest&) -> HttpResponse { throw std::runtime_error("boom"); });
  const auto response = client_of(*server).request("GET", "/");
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 500);
  EXPECT_EQ(response->body.find("boom"), std::string::npos);
}

TEST(HttpServerTest, NoContentHasNoBody) {
  const auto server = started([](const HttpRequest&) { return HttpResponse{.status = 204, .body = "ignored"}; });
  const auto response = client_of(*server).request("POST", "/", "x");
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 204);
  EXPECT_TRUE(response->body.empty());
}

TEST(HttpServerTest, RequestIdIsKeptWhenHarmless) {
  const auto server = started(echo);
  HttpClient client = client_of(*server);
  EXPECT_EQ(client.request("GET", "/", {}, {{"X-Request-Id", "abc-1"}})->header("X-Request-Id"), "abc-1");
  const auto replaced = client.request("GET", "/", {}, {{"X-Request-Id", "<script>"}});
  EXPECT_EQ(replaced->header("X-Request-Id").front(), 'r');
}

TEST(HttpServerTest, TakenPortIsAConflictWithAHint) {
  const auto server = started(echo);
  const auto second = HttpServer::start({.port = server->port()}, echo);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, Code::kConflict);
  EXPECT_NE(second.error().message.find(std::to_string(server->port())), std::string::npos);
  EXPECT_FALSE(second.error().hint.empty());
}

TEST(HttpServerTest, AddressMustBeOurs) {
  EXPECT_EQ(HttpServer::start({.address = "not an address"}, echo).error().code, Code::kInvalid);
  EXPECT_EQ(HttpServer::start({.address = "192.0.2.1"}, echo).error().code, Code::kInvalid);
}

TEST(HttpServerTest, ManyConnectionsAtOnce) {
  std::atomic<int> served{0};
  const auto server = started([&](const HttpRequest& request) {
    ++served;
    return echo(request);
  });
  {
    std::vector<std::jthread> senders;
    for (int i = 0; i < 16; ++i) {
      senders.emplace_back([&] {
        HttpClient client = client_of(*server);
        for (int n = 0; n < 50; ++n) EXPECT_EQ(client.request("POST", "/", "body")->status, 200);
      });
    }
  }
  EXPECT_EQ(served, 800);
}

TEST(HttpServerTest, HandlersThatWaitStopNoOtherConnection) {
  constexpr int kRequests = 8;
  std::latch all_there(kRequests);
  HttpServerOptions options;
  options.threads = 1;
  options.workers = kRequests;
  const auto server = started(
      [&](const HttpRequest&) {
        all_there.arrive_and_wait();  // hangs unless all of them are worked on at the same time
        return HttpResponse{.status = 204};
      },
      options);
  std::atomic<int> answered{0};
  {
    std::vector<std::jthread> senders;
    for (int i = 0; i < kRequests; ++i) {
      senders.emplace_back([&] {
        const auto answer = client_of(*server).request("POST", "/x", "body");
        if (answer && answer->status == 204) ++answered;
      });
    }
  }
  EXPECT_EQ(answered, kRequests);
}

TEST(HttpServerTest, RequestsBeyondTheWorkersWaitForTheirTurn) {
  HttpServerOptions options;
  options.workers = 1;
  std::atomic<int> running{0};
  std::atomic<int> most{0};
  const auto server = started(
      [&](const HttpRequest&) {
        most = std::max(most.load(), ++running);
        --running;
        return HttpResponse{.status = 204};
      },
      options);
  std::atomic<int> answered{0};
  {
    std::vector<std::jthread> senders;
    for (int i = 0; i < 8; ++i) {
      senders.emplace_back([&] {
        HttpClient client = client_of(*server);
        for (int k = 0; k < 20; ++k) {
          const auto answer = client.request("POST", "/x", "body");
          if (answer && answer->status == 204) ++answered;
        }
      });
    }
  }
  EXPECT_EQ(answered, 160);
  EXPECT_EQ(most, 1);
}

TEST(HttpServerTest, StopWaitsForAHandlerThatRuns) {
  std::latch entered(1);
  std::latch may_end(1);
  std::atomic<bool> ended{false};
  const auto server = started([&](const HttpRequest&) {
    entered.count_down();
    may_end.wait();
    ended = true;
    return HttpResponse{.status = 204};
  });
  const std::jthread sender([&] { std::ignore = client_of(*server).request("POST", "/x", "body"); });
  entered.wait();
  const std::jthread release([&] { may_end.count_down(); });
  server->stop();
  EXPECT_TRUE(ended);
}

TEST(HttpServerTest, StopsTwiceAndNothingListensAfterwards) {
  const auto server = started(echo);
  HttpClient client = client_of(*server);
  ASSERT_TRUE(client.request("GET", "/"));
  server->stop();
  server->stop();
  EXPECT_EQ(client.request("GET", "/").error().code, Code::kUnavailable);
}

}  // namespace
}  // namespace seedance
