// CPU per million samples of remote write receivers, each on one core, with the same bodies over HTTP/1.1 keep-alive.
//
//   ingest_bench [--series 10000,100000,1000000] [--samples MILLIONS] [--rounds N] [--only NAME,...]
//
// Receivers: see bench/receivers.h. Interleaved: every round runs each of them once; the best round counts. The server is pinned to
// core 0, the sender runs on the others with two connections. Not counted: start and one registration pass, shown on its own as CPU per
// million new series and resident bytes per series (what a garbage collector has not yet given back counts). Checked: every answer is a
// 2xx, and what vmagent aggregated left it.
#include <sched.h>

#include <atomic>
#include <filesystem>
#include <iostream>
#include <map>
#include <sstream>
#include <thread>

#include "base/check.h"
#include "base/clock.h"
#include "bench/made_gpu_bodies.h"
#include "bench/measure.h"
#include "bench/receivers.h"
#include "net/http_client.h"
#include "tests/e2e/child_process.h"

namespace seedance {
namespace {

constexpr int kConnections = 2;

struct Figures {
  double cpu_per_million = 1e9;
  double samples_per_second = 0;
  double cpu_per_million_new = 1e9;
  double bytes_per_series = 0;
  double resident_mib = 0;
  double p99_ms = 1e9;
};

class Sender {
 public:
  Sender(MadeGpuBodies& bodies, std::string url) : bodies_(bodies), url_(std::move(url)) {
    const std::size_t path = url_.find('/', 7);
    server_ = url_.substr(0, path);
    path_ = url_.substr(path);
  }

  bool answers() {
    HttpClientOptions options;
    options.base_url = server_;
    HttpClient client(options);
    return client.request("POST", path_, std::string(1, '\0'), headers()).has_value();
  }

  // One scrape of everything, over the connections; milliseconds per request are added to `took`.
  void pass(std::int64_t at_ms, std::uint64_t number, std::vector<double>& took) {
    std::vector<std::thread> threads;
    std::vector<std::vector<double>> times(kConnections);
    for (int c = 0; c < kConnections; ++c) {
      threads.emplace_back([&, c] {
        HttpClient& client = client_of(c);
        for (std::size_t i = static_cast<std::size_t>(c); i < bodies_.count(); i += kConnections) {
          const std::string body = bodies_.body(i, at_ms, number);
          const Stopwatch watch;
          const Result<HttpResponse> answer = client.request("POST", path_, body, headers());
          times[static_cast<std::size_t>(c)].push_back(watch.seconds() * 1'000);
          SEEDANCE_CHECK(answer.has_value(), answer ? "" : answer.error().message);
          SEEDANCE_CHECK(answer->status / 100 == 2, server_ + " answered " + std::to_string(answer->status) + " " + answer->body);
        }
      });
    }
    for (std::thread& t : threads) t.join();
    for (const auto& of_one : times) took.insert(took.end(), of_one.begin(), of_one.end());
  }

 private:
  static HttpFields headers() {
    return {{"Content-Type", "application/x-protobuf"}, {"Content-Encoding", "snappy"}, {"X-Prometheus-Remote-Write-Version", "0.1.0"}};
  }
  HttpClient& client_of(int connection) {
    std::unique_ptr<HttpClient>& client = clients_[connection];
    if (!client) {
      HttpClientOptions options;
      options.base_url = server_;
      client = std::make_unique<HttpClient>(options);
    }
    return *client;
  }

  MadeGpuBodies& bodies_;
  std::string url_;
  std::string server_;
  std::string path_;
  std::unique_ptr<HttpClient> clients_[kConnections];
};

void pin(pid_t pid, bool to_first) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  for (long c = to_first ? 0 : 1; c < (to_first ? 1 : std::max<long>(2, ::sysconf(_SC_NPROCESSORS_ONLN))); ++c) CPU_SET(static_cast<std::size_t>(c), &cores);
  sched_setaffinity(pid, sizeof cores, &cores);
}

// vmagent sends what it aggregated a second later.
void check_aggregates(const WriteSink& sink, std::size_t bytes_before) {
  for (int i = 0; i < 100 && sink.bytes() == bytes_before; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  SEEDANCE_CHECK(sink.bytes() > bytes_before, "vmagent sends no aggregates");
}

void run_one(const Receiver& receiver, const std::string& folder, const WriteSink& sink, MadeGpuBodies& bodies, std::size_t passes, Figures& best) {
  std::filesystem::remove_all(folder + "/seedanced");
  pin(0, true);  // the child inherits the core before it counts its processors
  ChildProcess server(receiver.command, folder + "/" + receiver.name + ".log");
  pin(0, false);
  SEEDANCE_CHECK(server.ok(), receiver.name + " does not start");
  Sender sender(bodies, receiver.url);
  bool is_up = false;
  for (int i = 0; i < 100 && !is_up; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    is_up = sender.answers();
  }
  if (!is_up) {
    std::printf("  %s does not answer and is left out: %s\n", receiver.name.c_str(), receiver.command[0].c_str());
    return;
  }
  const std::int64_t now_ms = millis_of(SystemClock{}.now());
  std::int64_t at_ms = now_ms - static_cast<std::int64_t>(passes + 1) * 1'000;
  std::vector<double> took;
  const std::size_t sunk_before = sink.bytes();
  const double before_new = process_cpu(server.pid());
  const double resident_before = process_resident_mib(server.pid());
  sender.pass(at_ms, 0, took);
  const double before = process_cpu(server.pid());
  const double resident_new = process_resident_mib(server.pid()) - resident_before;
  took.clear();
  const Stopwatch watch;
  for (std::size_t p = 1; p <= passes; ++p) sender.pass(at_ms += 1'000, p, took);
  const double wall = watch.seconds();
  const double cpu = process_cpu(server.pid()) - before;
  const double millions = static_cast<double>(passes * bodies.series()) / 1e6;
  std::sort(took.begin(), took.end());
  best.cpu_per_million = std::min(best.cpu_per_million, cpu / millions);
  best.samples_per_second = std::max(best.samples_per_second, millions * 1e6 / wall);
  best.cpu_per_million_new = std::min(best.cpu_per_million_new, (before - before_new) / (static_cast<double>(bodies.series()) / 1e6));
  best.bytes_per_series = resident_new * 1048576.0 / static_cast<double>(bodies.series());
  best.resident_mib = process_resident_mib(server.pid());
  best.p99_ms = std::min(best.p99_ms, took[took.size() * 99 / 100]);
  if (receiver.is_aggregator) check_aggregates(sink, sunk_before);
  server.stop(SIGTERM);
  for (const char* left : {"/vm", "/vmagent", "/prometheus", "/seedanced"}) std::filesystem::remove_all(folder + left);
}

struct BenchOptions {
  std::vector<std::size_t> series{10'000, 100'000};
  double millions = 2;
  int rounds = 3;
  std::string only;
};

BenchOptions options_of(int argc, char** argv) {
  BenchOptions out;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    const std::string value = argv[i + 1];
    if (name == "--samples") out.millions = std::stod(value);
    if (name == "--rounds") out.rounds = std::stoi(value);
    if (name == "--only") out.only = "," + value + ",";
    if (name != "--series") continue;
    out.series.clear();
    std::istringstream list(value);
    for (std::string one; std::getline(list, one, ',');) out.series.push_back(std::stoul(one));
  }
  return out;
}

void print_table(const BenchOptions& options, const std::vector<Receiver>& all, std::size_t series, std::size_t passes,
                 const std::map<std::string, Figures>& best) {
  std::printf("%zu series of 13 labels, %.1f million samples, best of %d\n", series, static_cast<double>(passes * series) / 1e6, options.rounds);
  std::printf("  %-26s %12s %12s %14s %10s %10s %9s %8s\n", "receiver", "CPU-s/M", "samples/s", "CPU-s/M new", "B/series", "MiB", "p99 ms", "ratio");
  const double own = best.contains("seedanced") ? best.at("seedanced").cpu_per_million : 0;
  for (const Receiver& r : all) {
    if (!best.contains(r.name) || best.at(r.name).samples_per_second == 0) continue;
    const Figures& f = best.at(r.name);
    std::printf("  %-26s %12.3f %12.0f %14.1f %10.0f %10.0f %9.2f %8.2f\n", (r.name + " " + r.version).c_str(), f.cpu_per_million, f.samples_per_second,
                f.cpu_per_million_new, f.bytes_per_series, f.resident_mib, f.p99_ms, own > 0 ? f.cpu_per_million / own : 0.0);
  }
}

int bench_ingest(const BenchOptions& options, const std::string& ours) {
  const std::string folder = (std::filesystem::temp_directory_path() / ("seedance-ingest-bench-" + std::to_string(::getpid()))).string();
  std::filesystem::create_directories(folder);
  pin(0, false);  // the sink's threads inherit it
  const WriteSink sink;
  std::vector<Receiver> all = receivers(folder, ours);
  std::erase_if(all, [&](const Receiver& r) { return !options.only.empty() && options.only.find("," + r.name + ",") == std::string::npos; });
  for (Receiver& r : all) {
    r.version = version_of(r.command[0], folder);
    std::printf("%s: %s, %s\n", r.name.c_str(), r.version.c_str(), r.command[0].c_str());
  }
  for (const std::size_t series : options.series) {
    MadeGpuBodies bodies(series);
    const auto passes = std::max<std::size_t>(1, static_cast<std::size_t>(options.millions * 1e6 / static_cast<double>(series)));
    std::map<std::string, Figures> best;
    for (int round = 0; round < options.rounds; ++round) {
      for (const Receiver& r : all) run_one(r, folder, sink, bodies, passes, best[r.name]);
    }
    print_table(options, all, series, passes, best);
  }
  std::filesystem::remove_all(folder);
  return 0;
}

}  // namespace
}  // namespace seedance

int main(int argc, char** argv) {
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe");
  return seedance::bench_ingest(seedance::options_of(argc, argv), (self.parent_path().parent_path() / "seedanced").string());
}
