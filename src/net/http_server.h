// The HTTP server: keep-alive, chunked uploads, Expect: 100-continue, HEAD and TLS, with every size bounded.
//
// A few polling threads own the connections and read whole requests; workers call the handler, so that one that waits (for the disk,
// for a lock) stops no other connection, and requests that wait for the disk at the same time share its syncs, however few
// polling threads there are. Thousands of idle senders cost a file descriptor and a few kilobytes each.
//
// What happens to a body over its limit: it is read and dropped without being kept, and the answer 413 comes on the living
// connection; when the sender asked first (Expect) or would send more than 64 MiB in vain, 413 comes at once and the
// connection is closed. All bodies in memory together are limited as well; above that the answer is 503 with Retry-After.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/units.h"
#include "net/http_message.h"

namespace seedance {

// Called from several threads at once. What it throws becomes a 500.
using HttpHandler = std::function<HttpResponse(const HttpRequest&)>;

struct HttpServerOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;  // 0 takes a free one, see HttpServer::port
  unsigned threads = 2;   // that poll
  unsigned workers = 16;  // the most handlers at the same time; requests beyond wait, in order
  std::size_t body_limit_bytes = std::size_t{32} * 1024 * 1024;
  std::function<std::size_t(std::string_view path)> body_limit_of = {};  // when set, instead of body_limit_bytes
  std::size_t bodies_bytes_max = std::size_t{256} * 1024 * 1024;         // of all requests in flight together
  std::size_t connections_max = 4096;
  std::string tls_certificate_file = {};  // PEM; both or neither
  std::string tls_key_file = {};
  Nanos idle_timeout = std::chrono::seconds(60);  // a connection that sends nothing for so long is closed
};

class HttpServer {
 public:
  // Listens when it returns. Errors: the port is taken, TLS files that cannot be used, or TLS asked of a build without it;
  // never falls back to plain HTTP.
  static Result<std::unique_ptr<HttpServer>> start(HttpServerOptions options, HttpHandler handler);
  ~HttpServer();

  std::uint16_t port() const;
  // Waits for the requests that were read to their end, then closes every connection. May be called twice, from one thread; no handler
  // runs afterwards.
  void stop();

 private:
  struct State;
  explicit HttpServer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace seedance
