// How long many senders wait: each with a connection of its own, all at one server of two polling threads, with the synced log.
//
//   senders_bench [--senders 400] [--samples 500] [--seconds 20] [--threads 2] [--workers 16]
//
// Every sender sends a remote write body a second (13 labels a sample), at its own moment of the second, whether the server is quick or
// not (open loop): a latency counts from the moment a request is due, so that a server that stands still is charged for all who wait.
// Bodies are made before, series are registered by one pass that does not count. What the disk alone takes for a sync is printed beside
// it: no answer can be quicker. Checked: every answer is 204, and every sender got all of its answers.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>

#include "base/check.h"
#include "base/clock.h"
#include "bench/made_gpu_bodies.h"
#include "bench/measure.h"
#include "tests/e2e/child_process.h"

namespace seedance {
namespace {

using Instant = std::chrono::steady_clock::time_point;

struct SendersOptions {
  std::size_t senders = 400;
  std::size_t samples = 500;  // a request
  std::size_t seconds = 20;
  std::size_t threads = 2;
  std::size_t workers = 16;
};

SendersOptions senders_options(int argc, char** argv) {
  SendersOptions out;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    const auto value = static_cast<std::size_t>(std::max(1L, std::atol(argv[i + 1])));
    if (name == "--senders") out.senders = value;
    if (name == "--samples") out.samples = value;
    if (name == "--seconds") out.seconds = value;
    if (name == "--threads") out.threads = value;
    if (name == "--workers") out.workers = value;
  }
  return out;
}

// Milliseconds that appending a body and syncing it takes with nobody else around; sorted.
std::vector<double> disk_syncs(const std::string& folder, const std::string& body) {
  const int fd = ::open((folder + "/probe").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  SEEDANCE_CHECK(fd >= 0, "no file in " + folder);
  std::vector<double> out;
  for (int i = 0; i < 200; ++i) {
    const Stopwatch watch;
    SEEDANCE_CHECK(::write(fd, body.data(), body.size()) == static_cast<ssize_t>(body.size()) && ::fdatasync(fd) == 0, "disk cannot be written");
    out.push_back(watch.seconds() * 1'000);
  }
  ::close(fd);
  std::sort(out.begin(), out.end());
  return out;
}

// One keep-alive connection with at most one request on its way.
class SenderConnection {
 public:
  SenderConnection(std::uint16_t port, int epoll, std::uint32_t index) : fd_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    SEEDANCE_CHECK(fd_ >= 0 && ::connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0, "no connection to the server");
    const int on = 1;
    ::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    SEEDANCE_CHECK(::fcntl(fd_, F_SETFL, O_NONBLOCK) == 0, "socket blocks");
    epoll_event event{.events = EPOLLIN | EPOLLOUT | EPOLLET, .data = {.u32 = index}};
    SEEDANCE_CHECK(::epoll_ctl(epoll, EPOLL_CTL_ADD, fd_, &event) == 0, "no epoll");
  }
  ~SenderConnection() { ::close(fd_); }
  SenderConnection(const SenderConnection&) = delete;
  SenderConnection& operator=(const SenderConnection&) = delete;

  bool is_waiting() const { return request_ != nullptr; }
  void send(const std::string& request) {
    request_ = &request;
    sent_ = 0;
    push();
  }
  // True when the answer is there.
  bool advance() {
    if (request_ == nullptr) return false;
    push();
    char piece[4096];
    for (ssize_t got = 0; (got = ::recv(fd_, piece, sizeof piece, 0)) != 0;) {
      if (got < 0) {
        SEEDANCE_CHECK(errno == EAGAIN || errno == EINTR, std::string("connection broken: ") + std::strerror(errno));
        return false;
      }
      answer_.append(piece, static_cast<std::size_t>(got));
      if (!answer_.ends_with("\r\n\r\n")) continue;  // a 204 has no body
      SEEDANCE_CHECK(answer_.starts_with("HTTP/1.1 204 "), "not 204: " + answer_);
      answer_.clear();
      request_ = nullptr;
      return true;
    }
    SEEDANCE_CHECK(false, "the server closed a connection: " + answer_);
    return false;
  }

 private:
  void push() {
    while (sent_ < request_->size()) {
      const ssize_t done = ::send(fd_, request_->data() + sent_, request_->size() - sent_, MSG_NOSIGNAL);
      if (done < 0) {
        SEEDANCE_CHECK(errno == EAGAIN || errno == EINTR, std::string("request not sent: ") + std::strerror(errno));
        return;
      }
      sent_ += static_cast<std::size_t>(done);
    }
  }

  int fd_;
  const std::string* request_ = nullptr;
  std::size_t sent_ = 0;
  std::string answer_;
};

// All senders in one thread.
class SenderCrowd {
 public:
  SenderCrowd(std::uint16_t port, std::size_t senders) : epoll_(::epoll_create1(0)) {
    for (std::size_t i = 0; i < senders; ++i) connections_.push_back(std::make_unique<SenderConnection>(port, epoll_, static_cast<std::uint32_t>(i)));
  }
  ~SenderCrowd() { ::close(epoll_); }
  SenderCrowd(const SenderCrowd&) = delete;
  SenderCrowd& operator=(const SenderCrowd&) = delete;

  // `requests[i]` is due at `start` + i * `gap`, by sender i modulo their number. Returns the milliseconds of each; `late_ms` is the
  // most that this thread itself was behind.
  std::vector<double> run(const std::vector<std::string>& requests, std::chrono::nanoseconds gap, double& late_ms) {
    std::vector<double> took(requests.size(), -1.0);
    std::vector<std::vector<std::size_t>> queues(connections_.size());  // due, oldest last; the last one may be on its way
    const Instant start = std::chrono::steady_clock::now() + std::chrono::milliseconds(10);
    const auto due = [&](std::size_t i) { return start + gap * static_cast<std::int64_t>(i); };
    const auto ms = [](auto time) { return std::chrono::duration<double, std::milli>(time).count(); };
    std::size_t next = 0;
    for (std::size_t answered = 0; answered < requests.size();) {
      const Instant now = std::chrono::steady_clock::now();
      for (; next < requests.size() && due(next) <= now; ++next) {
        late_ms = std::max(late_ms, ms(now - due(next)));
        std::vector<std::size_t>& queue = queues[next % queues.size()];
        queue.insert(queue.begin(), next);
        if (queue.size() == 1) connections_[next % queues.size()]->send(requests[next]);
      }
      SEEDANCE_CHECK(now < due(requests.size()) + std::chrono::seconds(30), "requests without an answer: " + std::to_string(requests.size() - answered));
      wait(next < requests.size() ? due(next) - now : std::chrono::nanoseconds(100'000'000), [&](std::size_t sender) {
        std::vector<std::size_t>& queue = queues[sender];
        if (queue.empty() || !connections_[sender]->advance()) return;
        took[queue.back()] = ms(std::chrono::steady_clock::now() - due(queue.back()));
        ++answered;
        queue.pop_back();
        if (!queue.empty()) connections_[sender]->send(requests[queue.back()]);
      });
    }
    return took;
  }

 private:
  template <typename OnReady>
  void wait(std::chrono::nanoseconds longest, OnReady&& on_ready) {
    const std::int64_t nanos = std::max<std::int64_t>(0, longest.count());
    const timespec limit{.tv_sec = nanos / 1'000'000'000, .tv_nsec = nanos % 1'000'000'000};
    epoll_event events[64];
    const int count = ::epoll_pwait2(epoll_, events, 64, &limit, nullptr);
    for (int i = 0; i < count; ++i) on_ready(events[i].data.u32);
  }

  int epoll_;
  std::vector<std::unique_ptr<SenderConnection>> connections_;
};

std::string http_request(const std::string& body) {
  return "POST /api/v1/write HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-protobuf\r\nContent-Encoding: snappy\r\n"
         "X-Prometheus-Remote-Write-Version: 0.1.0\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

double part_of(const std::vector<double>& sorted, std::size_t percent) { return sorted[std::min(sorted.size() - 1, sorted.size() * percent / 100)]; }

void report_senders(const SendersOptions& options, const std::vector<double>& took) {
  double worst_p99 = 0;
  std::size_t fewest = options.seconds;
  for (std::size_t s = 0; s < options.senders; ++s) {
    std::vector<double> of_one;
    for (std::size_t i = s; i < took.size(); i += options.senders) {
      if (took[i] >= 0) of_one.push_back(took[i]);
    }
    std::sort(of_one.begin(), of_one.end());
    fewest = std::min(fewest, of_one.size());
    worst_p99 = std::max(worst_p99, of_one.empty() ? 0 : part_of(of_one, 99));
  }
  SEEDANCE_CHECK(fewest == options.seconds, "a sender starved");
  std::vector<double> sorted = took;
  std::sort(sorted.begin(), sorted.end());
  std::printf("  latency ms: p50 %.2f, p90 %.2f, p99 %.2f, max %.2f; the worst sender's p99 %.2f; fewest answers of a sender %zu of %zu\n",
              part_of(sorted, 50), part_of(sorted, 90), part_of(sorted, 99), sorted.back(), worst_p99, fewest, options.seconds);
}

int bench_senders(const SendersOptions& options, const std::string& ours) {
  const std::string folder = (std::filesystem::temp_directory_path() / ("seedance-senders-bench-" + std::to_string(::getpid()))).string();
  std::filesystem::create_directories(folder);
  MadeGpuBodies bodies(options.senders * options.samples, options.samples);
  const std::vector<double> disk = disk_syncs(folder, bodies.body(0, millis_of(SystemClock{}.now()), 0));

  const std::uint16_t port = free_port();
  std::ofstream(folder + "/settings.yaml") << "server:\n  port: " << port << "\n  threads: " << options.threads << "\n  workers: " << options.workers << "\n"
                                           << "store:\n  directory: " << folder << "/store\n";
  ChildProcess server({ours, "--config", folder + "/settings.yaml"}, folder + "/server.log");
  SEEDANCE_CHECK(server.ok(), "seedanced does not start");
  for (int i = 0; i < 100; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    std::ifstream log(folder + "/server.log");
    if (std::string((std::istreambuf_iterator<char>(log)), {}).find("listening") != std::string::npos) break;
  }

  // One request a second of each sender; the first second registers.
  const std::int64_t now_ms = millis_of(SystemClock{}.now());
  const auto requests_of = [&](std::size_t from, std::size_t to) {
    std::vector<std::string> out;
    for (std::size_t second = from; second < to; ++second) {
      for (std::size_t s = 0; s < options.senders; ++s) out.push_back(http_request(bodies.body(s, now_ms + static_cast<std::int64_t>(second) * 1'000, second)));
    }
    return out;
  };
  const std::vector<std::string> requests = requests_of(1, options.seconds + 1);
  SenderCrowd crowd(port, options.senders);
  const std::chrono::nanoseconds gap = std::chrono::nanoseconds(1'000'000'000) / options.senders;
  double late_ms = 0;
  crowd.run(requests_of(0, 1), 2 * gap, late_ms);
  late_ms = 0;
  const double cpu_before = process_cpu(server.pid());
  const std::vector<double> took = crowd.run(requests, gap, late_ms);
  const double cpu = process_cpu(server.pid()) - cpu_before;
  std::printf("%zu senders, a request of %zu samples a second each, %zu s, %zu server threads, %zu workers\n", options.senders, options.samples,
              options.seconds, options.threads, options.workers);
  report_senders(options, took);
  std::printf("  the disk alone, ms a sync: p50 %.2f, p99 %.2f, max %.2f; the senders' own delay at most %.2f\n", part_of(disk, 50), part_of(disk, 99),
              disk.back(), late_ms);
  std::printf("  server: CPU %.2f s a second, resident %.0f MiB\n", cpu / static_cast<double>(options.seconds), process_resident_mib(server.pid()));
  server.stop(SIGTERM);
  std::filesystem::remove_all(folder);
  return 0;
}

}  // namespace
}  // namespace seedance

int main(int argc, char** argv) {
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe");
  return seedance::bench_senders(seedance::senders_options(argc, argv), (self.parent_path().parent_path() / "seedanced").string());
}
