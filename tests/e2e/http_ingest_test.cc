// The receiver as a sender sees it: every malformed or odd remote write request gets its stated answer over HTTP, with exact counts
// for 2.0, and a valid one afterwards is still accepted.
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "api/routes.h"
#include "ingest/gzip_stream.h"
#include "ingest/write_encoder.h"
#include "tests/e2e/test_service.h"
#include "tests/reference/shared_data.h"

namespace seedance {
namespace {

std::string malformed(const std::string& file) { return shared_data("ingest/malformed/" + file); }

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream out;
  out << in.rdbuf();
  if (!path.ends_with(".gz")) return out.str();
  std::string plain;
  GunzipStream gunzip(std::size_t{1} << 28);
  EXPECT_TRUE(gunzip.feed(out.str(), [&](std::string_view piece) -> Result<void> {
                      plain += piece;
                      return {};
                    }).has_value());
  return plain;
}

HttpRequest write_request(const nlohmann::json& entry) {
  HttpRequest request;
  request.method = "POST";
  request.path = "/api/v1/write";
  for (const auto& [name, value] : entry["headers"].items()) request.headers.emplace_back(name, value.get<std::string>());
  request.body = bytes_of(malformed(entry["file"]));
  request.request_id = entry["id"];
  return request;
}

// "400|413", "2xx", "2xx|415|400"
bool is_expected(int status, const std::string& expected) {
  std::stringstream choices(expected);
  for (std::string choice; std::getline(choices, choice, '|');) {
    if (choice == "2xx" ? status / 100 == 2 : std::to_string(status) == choice) return true;
  }
  return false;
}

// The count that a 2.0 answer states, or -1.
std::int64_t written(const HttpResponse& answer, const std::string& what) {
  const std::string_view text = answer.header("X-Prometheus-Remote-Write-" + what + "-Written");
  return text.empty() ? -1 : std::stoll(std::string(text));
}

TEST(HttpIngestTest, EveryOddRequestGetsItsStatedAnswer) {
  SKIP_WITHOUT(malformed("manifest.json"));
  const nlohmann::json manifest = nlohmann::json::parse(bytes_of(malformed("manifest.json")));
  const nlohmann::json& entries = manifest.contains("entries") ? manifest["entries"] : manifest["cases"];
  std::size_t cases = 0;
  for (const auto& entry : entries) {
    const std::string id = entry["id"];
    TestService service(time_from_millis(entry["now_ms"].get<std::int64_t>()));
    const HttpResponse answer = service.api.handle(write_request(entry));
    EXPECT_TRUE(is_expected(answer.status, entry["expect_status"])) << id << ": " << answer.status << " instead of " << entry["expect_status"] << "; " << answer.body;
    if (id.starts_with("d") && id != "d01_rw2_body_as_rw1") {
      const std::int64_t expected = answer.status / 100 == 2 ? entry["samples_total"].get<std::int64_t>() : entry["samples_written_if_partial"].get<std::int64_t>();
      EXPECT_EQ(written(answer, "Samples") + written(answer, "Histograms"), expected) << id << ": " << answer.body;
      EXPECT_EQ(written(answer, "Exemplars"), 0) << id;
    }
    const HttpResponse control = service.api.handle(write_request(entries[0]));
    EXPECT_EQ(control.status, 204) << "after " << id << ": " << control.body;
    ++cases;
  }
  EXPECT_EQ(cases, 42u);
}

TEST(HttpIngestTest, GoodSamplesBesideABadOneAreKept) {
  TestService service(time_from_seconds(1'796'061'810));
  const Labels pod{{"__name__", "kube_pod_info"}, {"namespace", "n"}, {"node", "a"}, {"pod", "p"}, {"uid", "u"}};
  const std::vector<SeriesSamples> series{{pod, {{1'796'061'800'000, 1.0}, {-1, 1.0}}}};
  HttpRequest request{"POST", "/api/v1/write", {}, {{"Content-Encoding", "snappy"}}, compress_snappy(encode_write_request(series)), "", "r1"};
  const HttpResponse answer = service.api.handle(request);
  EXPECT_EQ(answer.status, 400);
  EXPECT_NE(answer.body.find("1 samples were refused, 1 kept"), std::string::npos) << answer.body;
  EXPECT_EQ(service.service->intake().kept_samples(), 1u);
}

TEST(HttpIngestTest, AnUnknownMessageIsRefusedBeforeItsBodyIsRead) {
  TestService service(time_from_seconds(1'796'061'810));
  HttpRequest request{"POST", "/api/v1/write", {}, {{"Content-Type", "application/x-protobuf;proto=io.prometheus.write.v3.Request"}}, "garbage", "", "r1"};
  EXPECT_EQ(service.api.handle(request).status, 415);
}

// Sends a capture and returns the sums of the counts that the answers stated.
std::array<std::int64_t, 3> replay_capture(const std::string& folder) {
  const nlohmann::json manifest = nlohmann::json::parse(bytes_of(shared_data("ingest/" + folder + "/manifest.json")));
  TestService service(time_from_millis(manifest["totals"]["max_timestamp_ms"].get<std::int64_t>() + 1'000));
  std::array<std::int64_t, 3> sums{};
  for (const auto& entry : manifest["entries"]) {
    HttpRequest request{"POST", "/api/v1/write", {}, {}, bytes_of(shared_data("ingest/" + folder + "/" + entry["file"].get<std::string>())), "", entry["file"]};
    for (const auto& [name, value] : entry["headers"].items()) request.headers.emplace_back(name, value.get<std::string>());
    const HttpResponse answer = service.api.handle(request);
    EXPECT_EQ(answer.status, 204) << answer.body;
    std::size_t at = 0;
    for (const auto& [header, member] : std::vector<std::pair<std::string, std::string>>{{"Samples", "samples"}, {"Histograms", "histograms"}, {"Exemplars", "exemplars"}}) {
      EXPECT_EQ(written(answer, header), entry[member].get<std::int64_t>()) << entry["file"] << " " << header;
      sums[at++] += written(answer, header);
    }
  }
  return sums;
}

TEST(HttpIngestTest, Version2AnswersStateExactCounts) {
  SKIP_WITHOUT(shared_data("ingest/rw2-prom35/manifest.json"));
  EXPECT_EQ(replay_capture("rw2-prom35"), (std::array<std::int64_t, 3>{35'714, 40, 0}));
  EXPECT_EQ(replay_capture("rw2-openmetrics-exemplars")[2], 79);
}

// What vmagent does: zstd first; snappy after a refusal. Both keep the same.
TEST(HttpIngestTest, VmagentSpeaksZstd) {
  SKIP_WITHOUT(shared_data("ingest/vmagent-zstd/manifest.json"));
  const nlohmann::json manifest = nlohmann::json::parse(bytes_of(shared_data("ingest/vmagent-zstd/manifest.json")));
  TestService service(time_from_millis(manifest["totals"]["max_timestamp_ms"].get<std::int64_t>() + 1'000));
  for (const auto& entry : manifest["entries"]) {
    HttpRequest request{"POST", "/api/v1/write", {}, {}, bytes_of(shared_data("ingest/vmagent-zstd/" + entry["file"].get<std::string>())), "", "r"};
    for (const auto& [name, value] : entry["headers"].items()) request.headers.emplace_back(name, value.get<std::string>());
    EXPECT_EQ(service.api.handle(request).status, 204);
  }
  EXPECT_GT(service.service->intake().kept_samples(), 0u);
}

}  // namespace
}  // namespace seedance
