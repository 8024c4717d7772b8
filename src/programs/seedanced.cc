// seedanced: the server. Reads settings, opens the store, listens, and stops on SIGINT or SIGTERM.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "api/otlp_routes.h"
#include "api/routes.h"
#include "app/sample_feed.h"
#include "app/service.h"
#include "base/clock.h"
#include "base/log.h"
#include "config/settings.h"
#include "model/message_texts.h"
#include "net/grpc_server.h"
#include "net/http_server.h"

namespace seedance {
namespace {

constexpr std::string_view kUsage =
    "usage: seedanced [--config FILE] [--sample] [--check-config] [--version]\n"
    "用法：seedanced [--config 文件] [--sample] [--check-config] [--version]\n\n"
    "  --config FILE    settings (docs/configuration.md); defaults without it / 配置文件，缺省时使用默认值\n"
    "  --store DIR      instead of store.directory / 替代 store.directory\n"
    "  --port N         instead of server.port, 0: any free one / 替代 server.port，0 表示任意空闲端口\n"
    "  --sample         feed the bundled sample cluster when nothing else sends / 无其他数据时输入内置示例集群\n"
    "  --check-config   read the settings, say what is wrong, and stop / 仅检查配置\n"
    "  --version        print the version / 显示版本\n";

struct ServerArguments {
  std::string config;
  std::string store;
  std::string port;
  bool sample = false;
  bool check_only = false;
};

constexpr int kWrongUse = 2;
constexpr int kNotRunning = 3;

// As POSIX orders them: the first that is set decides.
Language language_of_environment() {
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value != '\0') return std::string_view(value).starts_with("zh") ? Language::kChinese : Language::kEnglish;
  }
  return Language::kEnglish;
}

int exit_with(int status, const Error& english) {
  const Language language = language_of_environment();
  const bool is_chinese = language == Language::kChinese;
  const Error error = error_in(language, english);
  std::fprintf(stderr, "%s%s\n", is_chinese ? "错误：" : "error: ", error.message.c_str());
  if (!error.hint.empty()) std::fprintf(stderr, "%s%s\n", is_chinese ? "提示：" : "hint: ", error.hint.c_str());
  return status;
}

Result<ServerArguments> read_arguments(int argc, char** argv) {
  ServerArguments out;
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    std::string* const value = name == "--config" ? &out.config : name == "--store" ? &out.store : name == "--port" ? &out.port : nullptr;
    if (value != nullptr) {
      if (i + 1 == argc) return fail(Code::kInvalid, "option lacks its value: " + std::string(name));
      *value = argv[++i];
    } else if (name == "--sample") {
      out.sample = true;
    } else if (name == "--check-config") {
      out.check_only = true;
    } else {
      return fail(Code::kInvalid, "unknown option: " + std::string(name), "seedanced --help");
    }
  }
  return out;
}

Result<Settings> settings_for(const ServerArguments& arguments) {
  Settings settings = default_settings();
  if (!arguments.config.empty()) {
    TRY_ASSIGN(settings, load_settings(arguments.config));
  }
  if (!arguments.store.empty()) settings.store.directory = arguments.store;
  if (!arguments.port.empty()) {
    char* end = nullptr;
    const long port = std::strtol(arguments.port.c_str(), &end, 10);
    if (*end != '\0' || port < 0 || port > 65535) return fail(Code::kInvalid, "port is not a number from 0 to 65535: " + arguments.port);
    settings.server.port = port;
  }
  return settings;
}

HttpServerOptions http_options_of(const ServerSettings& s) {
  HttpServerOptions out;
  out.address = s.address;
  out.port = static_cast<std::uint16_t>(s.port);
  out.threads = static_cast<unsigned>(s.threads);
  out.workers = static_cast<unsigned>(s.workers);
  out.body_limit_bytes = static_cast<std::size_t>(s.body_bytes_max);
  out.connections_max = static_cast<std::size_t>(s.connections_max);
  out.tls_certificate_file = s.tls_certificate;
  out.tls_key_file = s.tls_key;
  // Imports and price lists are files; a file may be larger than a sender's batch.
  const std::size_t body = out.body_limit_bytes;
  out.body_limit_of = [body](std::string_view path) {
    return path.starts_with("/api/v1/import") || path.starts_with("/api/v1/prices") ? std::max(body, std::size_t{64} << 20) : body;
  };
  return out;
}

// Null when it is not asked for. `auth` null: nobody is asked for a token.
Result<std::unique_ptr<GrpcServer>> start_grpc(const ServerSettings& s, Service& service, BearerAuth* auth) {
  if (s.otlp_grpc_listen.empty()) return std::unique_ptr<GrpcServer>{};
  TRY_ASSIGN(const ListenPlace place, listen_place_of(s.otlp_grpc_listen));
  GrpcServerOptions options;
  options.address = place.address;
  options.port = place.port;
  options.message_bytes_max = static_cast<std::size_t>(s.body_bytes_max);
  options.tls_certificate_file = s.tls_certificate;
  options.tls_key_file = s.tls_key;
  TRY_ASSIGN(std::unique_ptr<GrpcServer> server,
             GrpcServer::start(std::move(options), {[auth](const GrpcRequest& request) { return admit_otlp_call(auth, request); },
                                                    [&service, auth](const GrpcRequest& request) { return take_otlp_call(service, request, auth == nullptr ? std::string{} : auth->tenant_of(request.authorization)); }}));
  log_info("listening for OTLP over gRPC", {{"address", place.address}, {"port", std::int64_t{server->port()}}});
  return server;
}

// Settings that are wrong change nothing.
void reload(Service& service, const ServerArguments& arguments) {
  const Result<Settings> settings = settings_for(arguments);
  const Result<void> done = settings ? service.reload(*settings) : Result<void>(tl::unexpected<Error>(settings.error()));
  if (done) {
    log_info("settings read again");
  } else {
    log_error("settings are not taken over; mend the file and send SIGHUP again", {{"reason", done.error().message}});
  }
}

// Waits for SIGINT or SIGTERM; SIGHUP reads the settings again. All were blocked before any thread started.
void wait_for_the_end(const sigset_t& signals, Service& service, const ServerArguments& arguments) {
  for (;;) {
    int received = 0;
    sigwait(&signals, &received);
    if (received != SIGHUP) {
      log_info("stopping", {{"signal", received}});
      return;
    }
    reload(service, arguments);
  }
}

Result<void> serve(const Settings& settings, const ServerArguments& arguments, const sigset_t& signals) {
  const SystemClock clock;
  Counters counters;
  TRY_ASSIGN(const std::unique_ptr<Service> service, Service::open(settings, clock, counters));
  std::unique_ptr<BearerAuth> auth;
  std::unique_ptr<BearerAuth> grpc_auth;
  if (!settings.server.tokens_file.empty()) {
    TRY_ASSIGN(auth, BearerAuth::open(settings.server.tokens_file));
    TRY_ASSIGN(grpc_auth, BearerAuth::open(settings.server.tokens_file));
    if (settings.server.tls_certificate.empty()) log_warn("tokens travel in the clear: set server.tls_certificate and server.tls_key");
  }
  Api api(*service, std::move(auth));
  TRY_ASSIGN(const std::unique_ptr<HttpServer> server,
             HttpServer::start(http_options_of(settings.server), [&](const HttpRequest& request) { return api.handle(request); }));
  log_info("listening", {{"address", settings.server.address}, {"port", std::int64_t{server->port()}}, {"store", settings.store.directory}});
  TRY_ASSIGN(const std::unique_ptr<GrpcServer> grpc, start_grpc(settings.server, *service, grpc_auth.get()));
  std::unique_ptr<SampleFeed> feed;
  if (arguments.sample) feed = std::make_unique<SampleFeed>(*service);
  wait_for_the_end(signals, *service, arguments);
  feed.reset();
  if (grpc) grpc->stop();
  server->stop();
  return {};
}

int run(int argc, char** argv) {
  if (argc > 1 && (std::strcmp(argv[1], "--help") == 0 || std::strcmp(argv[1], "-h") == 0)) {
    std::fwrite(kUsage.data(), 1, kUsage.size(), stdout);
    return 0;
  }
  if (argc > 1 && std::strcmp(argv[1], "--version") == 0) {
    std::puts("seedanced " SEEDANCE_VERSION);
    return 0;
  }
  const Result<ServerArguments> arguments = read_arguments(argc, argv);
  if (!arguments) return exit_with(kWrongUse, arguments.error());
  const Result<Settings> settings = settings_for(*arguments);
  if (!settings) return exit_with(kWrongUse, settings.error());
  if (arguments->check_only) {
    std::puts("settings are valid");
    return 0;
  }
  log_configure(log_level_of(settings->log), log_format_of(settings->log));
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  const Result<void> served = serve(*settings, *arguments, signals);
  return served ? 0 : exit_with(kNotRunning, served.error());
}

}  // namespace
}  // namespace seedance

int main(int argc, char** argv) { return seedance::run(argc, argv); }
