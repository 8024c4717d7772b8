// A gRPC server for unary calls whose messages are bytes: whoever answers knows what is in them.
//
// Every call is asked about twice. `admit` sees its method and its token before the message is read, so that a stranger's message takes no
// memory; `answer` sees the message. Both run on the library's threads, several at once, and may block.
//
// Messages are handed over as they came on the wire, so that nothing is unpacked without a limit: a sender that compresses with gzip
// sends bytes that begin like gzip, which no protobuf message does.
//
// A call that never sends its message holds one of `calls_max` places for eleven minutes at most: no connection lives longer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/result.h"

namespace seedance {

// The numbers are gRPC's.
enum class GrpcStatus : std::uint8_t {
  kOk = 0,
  kInvalidArgument = 3,
  kPermissionDenied = 7,
  kResourceExhausted = 8,
  kUnimplemented = 12,
  kInternal = 13,
  kUnavailable = 14,  // with kResourceExhausted what senders repeat, the latter only when told when
  kUnauthenticated = 16,
};

struct GrpcRequest {
  std::string method;         // "/package.Service/Method"
  std::string authorization;  // the metadata of that name, "Bearer <token>"
  std::string message;        // empty while `admit` is asked
  std::string remote_address = {};
};

struct GrpcAnswer {
  GrpcStatus status = GrpcStatus::kOk;
  std::string error;    // for people, when status is not kOk
  std::string message;  // the answer, when it is
};

struct GrpcHandler {
  std::function<GrpcAnswer(const GrpcRequest&)> admit;  // kOk: go on
  std::function<GrpcAnswer(const GrpcRequest&)> answer;
};

struct GrpcServerOptions {
  std::string address = "127.0.0.1";  // numeric, IPv4 or IPv6, or "localhost"
  std::uint16_t port = 0;             // 0 takes a free one, see GrpcServer::port
  std::size_t message_bytes_max = std::size_t{32} * 1024 * 1024;  // on the wire; longer ones: RESOURCE_EXHAUSTED
  std::size_t memory_bytes_max = std::size_t{256} * 1024 * 1024;  // of all messages in flight
  std::size_t calls_max = 64;                                     // at once; one more: UNAVAILABLE
  std::string tls_certificate_file = {};                          // PEM; both or neither
  std::string tls_key_file = {};
};

class GrpcServer {
 public:
  // Listens when it returns. Errors: the port is taken, TLS files that cannot be used; never falls back to plain text.
  static Result<std::unique_ptr<GrpcServer>> start(GrpcServerOptions options, GrpcHandler handler);
  ~GrpcServer();

  std::uint16_t port() const;
  // Lets running calls end for a few seconds, then cancels them. May be called twice; no handler runs afterwards.
  void stop();

 private:
  struct State;
  explicit GrpcServer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace seedance
