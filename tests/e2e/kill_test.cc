// A server is killed with -9 at seeded moments under load, with senders that repeat what was not acknowledged: no sample is lost, none
// counts twice, and the ledger equals that of a server that nobody killed. The killed one also writes checkpoints all the time.
//
// SEEDANCE_KILLS sets how often it is killed (12 unless told; `make soak` 100).
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <map>
#include <random>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>

#include "app/intake/sample_intake.h"
#include "app/made_samples.h"
#include "net/http_client.h"
#include "tests/e2e/server_process.h"
#include "tests/e2e/test_service.h"

namespace seedance {
namespace {

constexpr auto kKillDeadline = std::chrono::minutes(5);
constexpr int kSenders = 2;
constexpr const char* kAnyAge = "ingest: {accept_any_age: true}\n";
constexpr const char* kCheckpointsOften = "ingest: {accept_any_age: true, checkpoint_log_bytes: 64KiB}\n";
constexpr const char* kKillQuestion =
    "/api/v1/cost?by=node,namespace,workload,pod,container&window=2026-11-30T13:00:00Z..2026-11-30T17:00:00Z";

// Two hours of six nodes; a body holds one node's series of one scrape.
std::vector<std::string> load_bodies() {
  std::map<std::int64_t, std::vector<std::string>> by_time;
  for (int n = 0; n < 6; ++n) {
    const std::string node = "n" + std::to_string(n);
    MadeSamples samples;
    samples.node(node, "m5.xlarge", 4, 16, 0, 7'200);
    for (int p = 0; p < 3; ++p) {
      const std::string pod = "p" + std::to_string(n) + std::to_string(p);
      samples.pod(pod, "u-" + pod, node, 1, 60 * p, 7'200 - 300 * p);
      samples.count(made_labels("container_cpu_usage_seconds_total", {{"namespace", "ml"}, {"pod", pod}, {"container", "main"}}), 60 * p, 7'200 - 300 * p, 0.3 + p);
    }
    std::int64_t at = 0;
    for (std::string& body : samples.bodies()) by_time[at++].push_back(std::move(body));
  }
  std::vector<std::string> out;
  for (auto& [time, bodies] : by_time) out.insert(out.end(), bodies.begin(), bodies.end());
  return out;
}

// Sends its share in order, each body until it is acknowledged. Returns how many attempts failed.
std::size_t send_share(const ServerProcess& server, const std::vector<std::string>& bodies, std::size_t share) {
  std::size_t failed = 0;
  HttpClient client = server.client();
  const auto deadline = std::chrono::steady_clock::now() + kKillDeadline;
  for (std::size_t i = share; i < bodies.size(); i += kSenders) {
    for (;;) {
      const Result<HttpResponse> answer = client.request("POST", "/api/v1/write", bodies[i], {{"Content-Type", "application/x-protobuf"}, {"Content-Encoding", "snappy"}});
      if (answer && answer->status == 204) break;
      EXPECT_TRUE(!answer || answer->status == 503) << answer->status << answer->body;
      EXPECT_LT(std::chrono::steady_clock::now(), deadline) << "the server does not come back: " << server.log();
      if (std::chrono::steady_clock::now() >= deadline) return failed;
      ++failed;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  return failed;
}

std::string costs_of(const ServerProcess& server) {
  HttpClient client = server.client();
  const Result<HttpResponse> answer = client.request("GET", kKillQuestion);
  return answer && answer->status == 200 ? answer->body : std::string{};
}

// Every sample of every series as the log brings it back.
std::map<std::string, std::vector<std::pair<std::int64_t, double>>> kept_in(const std::string& store) {
  ManualClock clock(time_from_millis(kMadeHourMs));
  Counters counters;
  IntakeOptions options;
  options.accept_any_age = true;
  const Result<std::unique_ptr<SampleIntake>> intake = SampleIntake::open(store + "/log", Catalogue{}, options, clock, counters);
  std::map<std::string, std::vector<std::pair<std::int64_t, double>>> out;
  EXPECT_TRUE(intake) << intake.error().message;
  if (!intake) return out;
  const Interval always{time_from_millis(kMadeHourMs - 86'400'000), time_from_millis(kMadeHourMs + 86'400'000)};
  (*intake)->read_hour(always, [](const SeriesMeaning&) { return true; }, [&](std::uint32_t series, std::span<const Sample> samples) {
    for (const Sample& s : samples) out[print_labels((*intake)->registry().labels(series))].emplace_back(s.timestamp_ms, s.value);
  });
  return out;
}

TEST(KillTest, NothingIsLostOrCountedTwiceAndTheLedgerIsTheSame) {
  const std::vector<std::string> bodies = load_bodies();
  TemporaryFolder folder;
  ServerProcess calm(folder.path() + "/calm", kAnyAge);
  for (std::size_t share = 0; share < kSenders; ++share) send_share(calm, bodies, share);

  const char* asked = std::getenv("SEEDANCE_KILLS");
  const int kills = asked == nullptr ? 12 : std::atoi(asked);
  ServerProcess killed(folder.path() + "/killed", kCheckpointsOften);
  std::mt19937_64 random(20'261'130);
  std::size_t failed = 0;
  int done = 0;
  // The load is sent again and again until the server has been killed often enough: repeats must change nothing either.
  while (done < kills) {
    std::atomic<int> running{kSenders};
    std::atomic<std::size_t> failures{0};
    std::vector<std::jthread> senders;
    for (std::size_t share = 0; share < kSenders; ++share) {
      senders.emplace_back([&, share] {
        failures += send_share(killed, bodies, share);
        --running;
      });
    }
    while (done < kills && running == kSenders) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20 + random() % 400));
      if (running != kSenders) break;
      killed.kill();
      killed.start();
      ++done;
    }
    senders.clear();
    failed += failures;
  }
  EXPECT_GT(failed, 0u) << "some request met a dead server";

  const std::string expected = costs_of(calm);
  ASSERT_NE(expected.find("\"currency\":\"USD\""), std::string::npos) << expected.substr(0, 300);
  std::string costs;
  const auto deadline = std::chrono::steady_clock::now() + kKillDeadline;
  while ((costs = costs_of(killed)) != costs_of(calm) && std::chrono::steady_clock::now() < deadline) std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_EQ(costs, costs_of(calm));
  EXPECT_EQ(killed.stop(), 0) << killed.log();
  EXPECT_EQ(calm.stop(), 0);
  EXPECT_TRUE(std::filesystem::exists(killed.store() + "/log/checkpoint"));
  const auto kept = kept_in(killed.store());
  EXPECT_GT(kept.size(), 50u);
  EXPECT_EQ(kept, kept_in(calm.store()));
}

}  // namespace
}  // namespace seedance
