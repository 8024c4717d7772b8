// The heavy headers of gRPC stay in this file.
#include "net/grpc_server.h"

#include <grpc/support/log.h>
#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/resource_quota.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <grpcpp/support/byte_buffer.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <vector>

#include "base/log.h"
#include "net/pem_file.h"

namespace seedance {
namespace {

constexpr auto kStopWithin = std::chrono::seconds(5);
constexpr int kStreamsAConnection = 100;
// A connection is asked to end after so long, and ended a minute later, with whatever calls still wait for their message. Senders connect
// again by themselves.
constexpr int kConnectionMillisMax = 10 * 60 * 1000;
constexpr int kConnectionGraceMillis = 60 * 1000;

grpc::Status status_of_answer(const GrpcAnswer& answer) {
  return {static_cast<grpc::StatusCode>(answer.status), answer.error};
}

std::string bytes_of_buffer(const grpc::ByteBuffer& buffer) {
  std::vector<grpc::Slice> slices;
  std::string out;
  if (!buffer.Dump(&slices).ok()) return out;
  out.reserve(buffer.Length());
  for (const grpc::Slice& slice : slices) out.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
  return out;
}

// "ipv4:10.0.0.3:41234" -> "10.0.0.3", "ipv6:%5B::1%5D:41234" -> "::1".
std::string address_in(std::string_view peer) {
  peer.remove_prefix(std::min(peer.size(), peer.find(':') + 1));
  peer = peer.substr(0, peer.rfind(':'));
  if (peer.starts_with("%5B")) peer.remove_prefix(3);
  if (peer.ends_with("%5D")) peer.remove_suffix(3);
  return std::string(peer);
}

GrpcAnswer ask(const std::function<GrpcAnswer(const GrpcRequest&)>& whom, const GrpcRequest& request) {
  try {
    return whom(request);
  } catch (const std::exception& error) {
    log_error("grpc handler threw", {{"method", request.method}, {"reason", error.what()}});
    return {GrpcStatus::kInternal, "internal error", {}};
  }
}

// One call, from its first byte to its last; deletes itself.
class GrpcCall final : public grpc::ServerGenericBidiReactor {
 public:
  GrpcCall(const GrpcHandler& handler, std::atomic<std::size_t>& running, std::size_t running_max, const grpc::GenericCallbackServerContext& context)
      : handler_(handler), running_(running) {
    request_.method = context.method();
    request_.remote_address = address_in(context.peer());
    const auto token = context.client_metadata().find("authorization");
    if (token != context.client_metadata().end()) request_.authorization.assign(token->second.data(), token->second.size());
    if (running_.fetch_add(1) >= running_max) {
      Finish({grpc::StatusCode::UNAVAILABLE, "too many calls at once, send again"});
      return;
    }
    const GrpcAnswer admitted = ask(handler_.admit, request_);
    if (admitted.status != GrpcStatus::kOk) {
      Finish(status_of_answer(admitted));
      return;
    }
    StartRead(&incoming_);
  }

  void OnReadDone(bool is_there) override {
    if (!is_there) {
      Finish({grpc::StatusCode::INVALID_ARGUMENT, "call without a message"});
      return;
    }
    request_.message = bytes_of_buffer(incoming_);
    incoming_.Clear();
    GrpcAnswer answer = ask(handler_.answer, request_);
    request_.message = std::string();
    if (answer.status != GrpcStatus::kOk) {
      Finish(status_of_answer(answer));
      return;
    }
    const grpc::Slice slice(answer.message);
    outgoing_ = grpc::ByteBuffer(&slice, 1);
    StartWriteAndFinish(&outgoing_, {}, grpc::Status::OK);
  }

  void OnDone() override {
    running_.fetch_sub(1);
    delete this;
  }

 private:
  const GrpcHandler& handler_;
  std::atomic<std::size_t>& running_;
  GrpcRequest request_;
  grpc::ByteBuffer incoming_;
  grpc::ByteBuffer outgoing_;
};

class GrpcCallService final : public grpc::CallbackGenericService {
 public:
  GrpcCallService(const GrpcHandler& handler, std::size_t calls_max) : handler_(handler), calls_max_(calls_max) {}
  grpc::ServerGenericBidiReactor* CreateReactor(grpc::GenericCallbackServerContext* context) override {
    return new GrpcCall(handler_, running_, calls_max_, *context);
  }

 private:
  const GrpcHandler& handler_;
  std::size_t calls_max_;
  std::atomic<std::size_t> running_{0};
};

void log_grpc_line(gpr_log_func_args* line) { log_debug("grpc server", {{"says", std::string_view(line->message)}}); }

Result<std::shared_ptr<grpc::ServerCredentials>> credentials_of(const GrpcServerOptions& options) {
  if (options.tls_certificate_file.empty() != options.tls_key_file.empty()) {
    return fail(Code::kInvalid, "TLS needs a certificate file and a key file", "set both, or neither for plain text");
  }
  if (options.tls_key_file.empty()) return grpc::InsecureServerCredentials();
  TRY_ASSIGN(std::string certificate, read_pem_file(options.tls_certificate_file, "TLS certificate"));
  TRY_ASSIGN(std::string key, read_pem_file(options.tls_key_file, "TLS key"));
  grpc::SslServerCredentialsOptions ssl;
  ssl.pem_key_cert_pairs.push_back({std::move(key), std::move(certificate)});
  return grpc::SslServerCredentials(ssl);
}

std::string listening_text(const GrpcServerOptions& options) {
  const bool is_version_6 = options.address.find(':') != std::string::npos;
  const std::string address = options.address == "localhost" ? "127.0.0.1" : options.address;
  return (is_version_6 ? "[" + address + "]" : address) + ":" + std::to_string(options.port);
}

}  // namespace

struct GrpcServer::State {
  GrpcHandler handler;
  std::unique_ptr<GrpcCallService> service;
  std::unique_ptr<grpc::Server> server;
  int port = 0;

  State(GrpcHandler h, std::size_t calls_max) : handler(std::move(h)) { service = std::make_unique<GrpcCallService>(handler, calls_max); }
};

Result<std::unique_ptr<GrpcServer>> GrpcServer::start(GrpcServerOptions options, GrpcHandler handler) {
  gpr_set_log_function(&log_grpc_line);
  TRY_ASSIGN(const std::shared_ptr<grpc::ServerCredentials> credentials, credentials_of(options));
  auto state = std::make_unique<State>(std::move(handler), options.calls_max);
  grpc::ResourceQuota quota("seedance");
  quota.Resize(options.memory_bytes_max);
  grpc::ServerBuilder builder;
  builder.SetResourceQuota(quota);
  builder.SetMaxReceiveMessageSize(static_cast<int>(options.message_bytes_max));
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);  // else a second server on the same port would take half of the calls
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, kStreamsAConnection);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_AGE_MS, kConnectionMillisMax);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_AGE_GRACE_MS, kConnectionGraceMillis);
  builder.AddChannelArgument(GRPC_ARG_ENABLE_PER_MESSAGE_DECOMPRESSION, 0);
  builder.SetCompressionAlgorithmSupportStatus(GRPC_COMPRESS_DEFLATE, false);
  builder.AddListeningPort(listening_text(options), credentials, &state->port);
  builder.RegisterCallbackGenericService(state->service.get());
  state->server = builder.BuildAndStart();
  if (state->server && state->port != 0) return std::unique_ptr<GrpcServer>(new GrpcServer(std::move(state)));
  if (!options.tls_key_file.empty() && options.port == 0) {
    return fail(Code::kInvalid, "the grpc server does not start with this TLS certificate and key: " + options.tls_certificate_file,
                "check that both are PEM and belong together");
  }
  return fail(Code::kConflict, "the grpc server does not listen on " + listening_text(options),
              "check that the port is free, that the address is one of this machine, and that the TLS files belong together");
}

GrpcServer::GrpcServer(std::unique_ptr<State> state) : state_(std::move(state)) {}

GrpcServer::~GrpcServer() { stop(); }

std::uint16_t GrpcServer::port() const { return static_cast<std::uint16_t>(state_->port); }

void GrpcServer::stop() {
  if (!state_->server) return;
  state_->server->Shutdown(std::chrono::system_clock::now() + kStopWithin);
  state_->server.reset();
}

}  // namespace seedance
