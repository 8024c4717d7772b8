#include "net/grpc_server.h"

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/byte_buffer.h>
#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace seedance {
namespace {

struct CallResult {
  int status = -1;
  std::string error;
  std::string message;
};

// One call from outside, waited for.
CallResult call(std::uint16_t port, const std::string& message, const std::string& token = "", grpc_compression_algorithm packing = GRPC_COMPRESS_NONE) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxSendMessageSize(-1);
  grpc::GenericStub stub(grpc::CreateCustomChannel("127.0.0.1:" + std::to_string(port), grpc::InsecureChannelCredentials(), arguments));
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(20));
  context.set_compression_algorithm(packing);
  if (!token.empty()) context.AddMetadata("authorization", token);
  const grpc::Slice slice(message);
  const grpc::ByteBuffer request(&slice, 1);
  grpc::ByteBuffer response;
  std::mutex mutex;
  std::condition_variable done;
  bool is_done = false;
  CallResult out;
  stub.UnaryCall(&context, "/test.Service/Call", {}, &request, &response, [&](const grpc::Status& status) {
    const std::lock_guard lock(mutex);
    out.status = static_cast<int>(status.error_code());
    out.error = status.error_message();
    is_done = true;
    done.notify_one();
  });
  std::unique_lock lock(mutex);
  done.wait(lock, [&] { return is_done; });
  std::vector<grpc::Slice> slices;
  if (out.status == 0 && response.Dump(&slices).ok()) {
    for (const grpc::Slice& s : slices) out.message.append(reinterpret_cast<const char*>(s.begin()), s.size());
  }
  return out;
}

GrpcHandler grpc_echo() {
  return {[](const GrpcRequest&) { return GrpcAnswer{}; }, [](const GrpcRequest& request) { return GrpcAnswer{GrpcStatus::kOk, "", request.method + " " + request.message}; }};
}

TEST(GrpcServerTest, AMessageIsAnswered) {
  const auto server = GrpcServer::start({}, grpc_echo()).value();
  EXPECT_EQ(call(server->port(), "hello").message, "/test.Service/Call hello");
  EXPECT_EQ(call(server->port(), "").message, "/test.Service/Call ") << "an empty message is a message";
}

TEST(GrpcServerTest, AnErrorOfTheHandlerIsTheStatus) {
  GrpcHandler handler = grpc_echo();
  handler.answer = [](const GrpcRequest&) { return GrpcAnswer{GrpcStatus::kInvalidArgument, "not a message", ""}; };
  const auto server = GrpcServer::start({}, handler).value();
  const CallResult result = call(server->port(), "x");
  EXPECT_EQ(result.status, 3);
  EXPECT_EQ(result.error, "not a message");
  handler.answer = [](const GrpcRequest&) -> GrpcAnswer { throw std::runtime_error("secret"); };
  const auto broken = GrpcServer::start({}, handler).value();
  EXPECT_EQ(call(broken->port(), "x").status, 13);
  EXPECT_EQ(call(broken->port(), "x").error, "internal error");
}

TEST(GrpcServerTest, WhoIsNotAdmittedIsNotRead) {
  std::atomic<int> answered{0};
  const auto server = GrpcServer::start({}, {[](const GrpcRequest& request) {
                                               EXPECT_TRUE(request.message.empty());
                                               return request.authorization == "Bearer good" ? GrpcAnswer{} : GrpcAnswer{GrpcStatus::kUnauthenticated, "who", ""};
                                             },
                                             [&](const GrpcRequest&) {
                                               ++answered;
                                               return GrpcAnswer{};
                                             }}).value();
  EXPECT_EQ(call(server->port(), "x").status, 16);
  EXPECT_EQ(call(server->port(), "x", "Bearer bad").status, 16);
  EXPECT_EQ(answered, 0);
  EXPECT_EQ(call(server->port(), "x", "Bearer good").status, 0);
  EXPECT_EQ(answered, 1);
}

TEST(GrpcServerTest, LongMessagesAreRefused) {
  const auto server = GrpcServer::start({.message_bytes_max = 1'000}, grpc_echo()).value();
  EXPECT_EQ(call(server->port(), std::string(1'001, 'x')).status, 8);
  EXPECT_EQ(call(server->port(), std::string(1'000, 'x')).status, 0);
}

// Nothing is unpacked here: a small message may hold a large one.
TEST(GrpcServerTest, PackedMessagesArriveAsTheyWereSent) {
  const auto server = GrpcServer::start({.message_bytes_max = 100'000}, grpc_echo()).value();
  const CallResult result = call(server->port(), std::string(10'000'000, 'x'), "", GRPC_COMPRESS_GZIP);
  ASSERT_EQ(result.status, 0) << result.error;
  EXPECT_EQ(result.message.substr(0, 21), "/test.Service/Call \x1f\x8b");
  EXPECT_LT(result.message.size(), 100'000u);
}

TEST(GrpcServerTest, OneCallTooManyIsToBeSentAgain) {
  const auto server = GrpcServer::start({.calls_max = 0}, grpc_echo()).value();
  EXPECT_EQ(call(server->port(), "x").status, 14);
}

TEST(GrpcServerTest, ATakenPortIsAnError) {
  const auto server = GrpcServer::start({}, grpc_echo()).value();
  const auto second = GrpcServer::start({.port = server->port()}, grpc_echo());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, Code::kConflict);
}

TEST(GrpcServerTest, TlsFilesThatCannotBeUsedNeverMeanPlainText) {
  EXPECT_FALSE(GrpcServer::start({.tls_certificate_file = "/nonexistent/a.pem"}, grpc_echo()));
  EXPECT_FALSE(GrpcServer::start({.tls_certificate_file = "/nonexistent/a.pem", .tls_key_file = "/nonexistent/a.key"}, grpc_echo()));
}

TEST(GrpcServerTest, NothingIsAnsweredAfterwards) {
  auto server = GrpcServer::start({}, grpc_echo()).value();
  const std::uint16_t port = server->port();
  server->stop();
  server->stop();
  EXPECT_EQ(call(port, "x").status, 14);
}

}  // namespace
}  // namespace seedance
