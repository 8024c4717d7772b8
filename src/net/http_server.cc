#include "net/http_server.h"

#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cstdarg>
#include <exception>
#include <optional>
#include <vector>

#include "base/log.h"
#include "net/listen_socket.h"
#include "net/pem_file.h"
#include "net/problem.h"
#include "net/worker_pool.h"

namespace seedance {
namespace {

constexpr std::size_t kDrainBytesMax = std::size_t{64} * 1024 * 1024;
constexpr std::size_t kConnectionMemoryBytes = std::size_t{32} * 1024;  // request line and headers of one connection
constexpr std::size_t kGrowFreelyBytes = std::size_t{64} * 1024;
constexpr char kTlsPriorities[] = "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2";

enum class Refusal : std::uint8_t { kNone, kTooLarge, kOverloaded };

// One request from its first header to the end of its answer.
struct Exchange {
  HttpRequest request;
  std::size_t body_limit = 0;
  std::optional<std::size_t> declared_bytes;  // Content-Length
  std::size_t charged_bytes = 0;              // of the bytes that all bodies share
  std::size_t dropped_bytes = 0;
  Refusal refusal = Refusal::kNone;
  std::optional<HttpResponse> response;  // of the worker; the connection is suspended until it is there
};

bool is_harmless_id(std::string_view id) {
  return !id.empty() && id.size() <= 64 && std::ranges::all_of(id, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
  });
}

std::string address_text(MHD_Connection* connection) {
  const MHD_ConnectionInfo* info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  if (info == nullptr || info->client_addr == nullptr) return "unknown";
  std::array<char, INET6_ADDRSTRLEN> out{};
  const sockaddr* address = info->client_addr;
  const void* bytes = address->sa_family == AF_INET6
                          ? static_cast<const void*>(&reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr)
                          : static_cast<const void*>(&reinterpret_cast<const sockaddr_in*>(address)->sin_addr);
  return inet_ntop(address->sa_family, bytes, out.data(), out.size()) == nullptr ? "unknown" : out.data();
}

MHD_Result append_field(void* out, MHD_ValueKind, const char* key, std::size_t key_size, const char* value, std::size_t value_size) {
  const std::string_view found = value == nullptr ? std::string_view{} : std::string_view(value, value_size);
  static_cast<HttpFields*>(out)->emplace_back(std::string(key, key_size), std::string(found));
  return MHD_YES;
}

std::optional<std::size_t> parse_size(std::string_view text) {
  std::size_t size = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return size;
}

void delete_body(void* body) { delete static_cast<std::string*>(body); }

MHD_Response* make_response(HttpResponse&& answer, std::string_view request_id) {
  if (answer.status == MHD_HTTP_NO_CONTENT || answer.status == MHD_HTTP_NOT_MODIFIED) answer.body.clear();
  auto* const body = new std::string(std::move(answer.body));  // the response deletes it
  MHD_Response* response = MHD_create_response_from_buffer_with_free_callback_cls(body->size(), body->data(), &delete_body, body);
  if (response == nullptr) {
    delete body;
    return nullptr;
  }
  if (!answer.content_type.empty()) MHD_add_response_header(response, "Content-Type", answer.content_type.c_str());
  for (const auto& [name, value] : answer.headers) MHD_add_response_header(response, name.c_str(), value.c_str());
  MHD_add_response_header(response, "X-Request-Id", std::string(request_id).c_str());
  return response;
}

MHD_Result send_answer(MHD_Connection* connection, HttpResponse&& answer, std::string_view request_id) {
  const auto status = static_cast<unsigned>(answer.status);
  MHD_Response* response = make_response(std::move(answer), request_id);
  if (response == nullptr) return MHD_NO;
  const MHD_Result queued = MHD_queue_response(connection, status, response);
  MHD_destroy_response(response);
  return queued;
}

HttpResponse refusal_answer(const Exchange& exchange) {
  if (exchange.refusal == Refusal::kOverloaded) return problem({Code::kExhausted, "too many request bodies in memory, send again", ""}, exchange.request);
  return problem({Code::kTooLarge, "body over the limit of bytes: " + std::to_string(exchange.body_limit), ""}, exchange.request);
}

void log_library_line(void*, const char* format, va_list arguments) {
  std::array<char, 512> text{};
  const int length = std::vsnprintf(text.data(), text.size(), format, arguments);
  if (length > 0) log_debug("http server", {{"says", std::string_view(text.data())}});
}

}  // namespace

struct HttpServer::State {
  HttpServerOptions options;
  HttpHandler handler;
  ListenSocket socket;
  MHD_Daemon* daemon = nullptr;
  std::optional<WorkerPool> workers;
  std::string certificate;
  std::string key;
  std::atomic<std::size_t> bodies_bytes{0};
  std::atomic<std::uint64_t> requests{0};

  Result<void> read_tls_files();
  Result<void> start_daemon();

  static MHD_Result on_access(void* self, MHD_Connection* connection, const char* url, const char* method, const char*,
                              const char* upload, std::size_t* upload_size, void** exchange);
  static void on_completed(void* self, MHD_Connection*, void** exchange, MHD_RequestTerminationCode);

  MHD_Result begin(MHD_Connection* connection, std::string_view url, std::string_view method, Exchange& exchange);
  bool take_body(std::string_view piece, Exchange& exchange);
  void refuse(Refusal refusal, Exchange& exchange);
  MHD_Result answer(MHD_Connection* connection, Exchange& exchange);
  HttpResponse handled(Exchange& exchange) noexcept;
  std::string next_request_id() { return "r" + std::to_string(getpid()) + "-" + std::to_string(requests.fetch_add(1) + 1); }
};

// The library calls this once when the headers are there, then for every piece of the body, then once at its end, and once more when a
// worker has resumed the connection.
MHD_Result HttpServer::State::on_access(void* self, MHD_Connection* connection, const char* url, const char* method, const char*,
                                        const char* upload, std::size_t* upload_size, void** exchange) {
  State& state = *static_cast<State*>(self);
  try {
    if (*exchange == nullptr) {
      auto created = std::make_unique<Exchange>();
      Exchange& begun = *created;
      *exchange = created.release();  // on_completed deletes it
      return state.begin(connection, url, method, begun);
    }
    Exchange& current = *static_cast<Exchange*>(*exchange);
    if (*upload_size == 0) return state.answer(connection, current);
    const bool is_taken = state.take_body({upload, *upload_size}, current);
    *upload_size = 0;
    return is_taken ? MHD_YES : MHD_NO;
  } catch (const std::exception& error) {  // out of memory
    log_error("http request dropped", {{"reason", error.what()}});
    return MHD_NO;
  }
}

void HttpServer::State::on_completed(void* self, MHD_Connection*, void** exchange, MHD_RequestTerminationCode) {
  const std::unique_ptr<Exchange> ended(static_cast<Exchange*>(*exchange));
  *exchange = nullptr;
  if (ended) static_cast<State*>(self)->bodies_bytes.fetch_sub(ended->charged_bytes);
}

MHD_Result HttpServer::State::begin(MHD_Connection* connection, std::string_view url, std::string_view method, Exchange& exchange) {
  HttpRequest& request = exchange.request;
  request.method = method == "HEAD" ? "GET" : method;
  request.path = url;
  MHD_get_connection_values_n(connection, MHD_GET_ARGUMENT_KIND, &append_field, &request.query);
  MHD_get_connection_values_n(connection, MHD_HEADER_KIND, &append_field, &request.headers);
  request.remote_address = address_text(connection);
  const std::string_view sent_id = request.header("X-Request-Id");
  request.request_id = is_harmless_id(sent_id) ? std::string(sent_id) : next_request_id();
  exchange.body_limit = options.body_limit_of ? options.body_limit_of(request.path) : options.body_limit_bytes;
  exchange.declared_bytes = parse_size(request.header("Content-Length"));
  if (exchange.declared_bytes.value_or(0) > exchange.body_limit) {
    refuse(Refusal::kTooLarge, exchange);
    const bool asked_first = !request.header("Expect").empty();
    if (asked_first || *exchange.declared_bytes > kDrainBytesMax) return answer(connection, exchange);
  }
  return MHD_YES;
}

// False when the connection is to be closed without an answer: it sends in vain and does not stop.
bool HttpServer::State::take_body(std::string_view piece, Exchange& exchange) {
  std::string& body = exchange.request.body;
  if (exchange.refusal == Refusal::kNone && body.size() + piece.size() > exchange.body_limit) refuse(Refusal::kTooLarge, exchange);
  if (exchange.refusal == Refusal::kNone) {
    exchange.charged_bytes += piece.size();
    if (bodies_bytes.fetch_add(piece.size()) + piece.size() > options.bodies_bytes_max) refuse(Refusal::kOverloaded, exchange);
  }
  if (exchange.refusal != Refusal::kNone) {
    exchange.dropped_bytes += piece.size();
    return exchange.dropped_bytes <= kDrainBytesMax;
  }
  // Reserved once and exactly; pages that no byte has reached yet take no memory.
  const std::size_t needed = body.size() + piece.size();
  if (needed > body.capacity() && needed > kGrowFreelyBytes) body.reserve(exchange.declared_bytes.value_or(exchange.body_limit));
  body.append(piece);
  return true;
}

void HttpServer::State::refuse(Refusal refusal, Exchange& exchange) {
  exchange.refusal = refusal;
  exchange.request.body = std::string();
  bodies_bytes.fetch_sub(std::exchange(exchange.charged_bytes, 0));
}

MHD_Result HttpServer::State::answer(MHD_Connection* connection, Exchange& exchange) {
  const std::string& id = exchange.request.request_id;
  if (exchange.refusal != Refusal::kNone) return send_answer(connection, refusal_answer(exchange), id);
  if (exchange.response) return send_answer(connection, std::move(*exchange.response), id);
  WorkerPool::Job job = [this, connection, &exchange] {
    exchange.response = handled(exchange);
    MHD_resume_connection(connection);  // from here on the exchange belongs to a polling thread
  };
  // Before the worker knows of it: it must not be resumed earlier.
  MHD_suspend_connection(connection);
  if (workers->run(std::move(job))) return MHD_YES;
  exchange.response = problem({Code::kUnavailable, "the server stops, send again", ""}, exchange.request);
  MHD_resume_connection(connection);
  return MHD_YES;
}

// On a worker.
HttpResponse HttpServer::State::handled(Exchange& exchange) noexcept {
  const std::string& id = exchange.request.request_id;
  HttpResponse response;
  try {
    response = handler(exchange.request);
  } catch (const std::exception& error) {
    log_error("http handler threw", {{"path", exchange.request.path}, {"request_id", id}, {"reason", error.what()}});
    response = problem(500, {Code::kUnavailable, "internal error; the log of the server says more", ""}, exchange.request);
  }
  exchange.request.body = std::string();
  bodies_bytes.fetch_sub(std::exchange(exchange.charged_bytes, 0));
  return response;
}

Result<void> HttpServer::State::read_tls_files() {
  if (options.tls_certificate_file.empty() && options.tls_key_file.empty()) return {};
  if (options.tls_certificate_file.empty() || options.tls_key_file.empty()) {
    return fail(Code::kInvalid, "TLS needs a certificate file and a key file", "set both, or neither for plain HTTP");
  }
  if (MHD_is_feature_supported(MHD_FEATURE_TLS) != MHD_YES) {
    return fail(Code::kUnsupported, "TLS was asked for, but libmicrohttpd was built without it",
                "install a libmicrohttpd with GnuTLS, or terminate TLS before this server");
  }
  TRY_ASSIGN(certificate, read_pem_file(options.tls_certificate_file, "TLS certificate"));
  TRY_ASSIGN(key, read_pem_file(options.tls_key_file, "TLS key"));
  return {};
}

Result<void> HttpServer::State::start_daemon() {
  TRY_ASSIGN(socket, listen_on(options.address, options.port));
  const bool has_tls = !key.empty();
  const auto idle_seconds = std::max<std::int64_t>(1, std::chrono::ceil<std::chrono::seconds>(options.idle_timeout).count());
  std::vector<MHD_OptionItem> items{
      {MHD_OPTION_LISTEN_SOCKET, socket.descriptor, nullptr},
      {MHD_OPTION_CONNECTION_LIMIT, static_cast<std::intptr_t>(options.connections_max), nullptr},
      {MHD_OPTION_CONNECTION_TIMEOUT, static_cast<std::intptr_t>(idle_seconds), nullptr},
      {MHD_OPTION_CONNECTION_MEMORY_LIMIT, static_cast<std::intptr_t>(kConnectionMemoryBytes), nullptr},
      {MHD_OPTION_NOTIFY_COMPLETED, reinterpret_cast<std::intptr_t>(&on_completed), this},
  };
  if (options.threads > 1) items.push_back({MHD_OPTION_THREAD_POOL_SIZE, static_cast<std::intptr_t>(options.threads), nullptr});
  if (has_tls) {
    items.push_back({MHD_OPTION_HTTPS_MEM_CERT, 0, certificate.data()});
    items.push_back({MHD_OPTION_HTTPS_MEM_KEY, 0, key.data()});
    items.push_back({MHD_OPTION_HTTPS_PRIORITIES, 0, const_cast<char*>(kTlsPriorities)});
  }
  items.push_back({MHD_OPTION_END, 0, nullptr});
  const unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG | (has_tls ? unsigned{MHD_USE_TLS} : 0U);
  daemon = MHD_start_daemon(flags, 0, nullptr, nullptr, &on_access, this,                   //
                            MHD_OPTION_EXTERNAL_LOGGER, &log_library_line, nullptr,         //
                            MHD_OPTION_ARRAY, items.data(), MHD_OPTION_END);
  if (daemon != nullptr) return {};
  if (has_tls) {
    return fail(Code::kInvalid, "the http server does not start with this TLS certificate and key: " + options.tls_certificate_file,
                "check that both are PEM and belong together");
  }
  return fail(Code::kUnavailable, "the http server does not start on port " + std::to_string(socket.port),
              "check the limit of open files and threads");
}

Result<std::unique_ptr<HttpServer>> HttpServer::start(HttpServerOptions options, HttpHandler handler) {
  auto state = std::make_unique<State>();
  state->options = std::move(options);
  state->handler = std::move(handler);
  TRY(state->read_tls_files());
  state->workers.emplace(std::max(1U, state->options.workers));
  TRY(state->start_daemon());
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(state)));
}

HttpServer::HttpServer(std::unique_ptr<State> state) : state_(std::move(state)) {}

HttpServer::~HttpServer() { stop(); }

std::uint16_t HttpServer::port() const { return state_->socket.port; }

void HttpServer::stop() {
  if (state_->daemon == nullptr) return;
  // First: the library must not stop while connections are suspended. A request that comes in between is answered 503.
  state_->workers->stop();
  MHD_stop_daemon(std::exchange(state_->daemon, nullptr));
}

}  // namespace seedance
