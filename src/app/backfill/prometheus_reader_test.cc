#include "app/backfill/prometheus_reader.h"

#include <map>

#include <gtest/gtest.h>

#include "app/backfill/made_prometheus.h"
#include "app/made_samples.h"

namespace seedance {
namespace {

const TimePoint kReadFrom = time_from_millis(kMadeHourMs);
const Interval kReadHours{kReadFrom, kReadFrom + std::chrono::hours(2)};

// A reader of a made server that notes how long it was told to wait.
struct ReaderBench {
  explicit ReaderBench(std::vector<SeriesSamples> series) : server(std::move(series)) {}

  MadePrometheus server;
  std::vector<Nanos> rests;
  PrometheusReader reader{"http://prometheus:9090", [this](const std::string& target) { return server.get(target); }, [this](Nanos time) { rests.push_back(time); }};

  // All samples of a metric, with how often each came.
  Result<std::map<std::int64_t, int>> read(const std::string& metric, Interval span = kReadHours) {
    std::map<std::int64_t, int> out;
    TRY(reader.read(metric, span, [&](const std::vector<SeriesSamples>& series) -> Result<void> {
      for (const SeriesSamples& one : series) {
        for (const Sample& s : one.samples) ++out[s.timestamp_ms];
      }
      return {};
    }));
    return out;
  }
};

std::vector<SeriesSamples> steady_node() {
  MadeSamples samples;
  samples.hold(made_labels("kube_node_info", {{"node", "n1"}}), -60, 3 * 3'600, 1);
  return samples.series();
}

void expect_two_hours(const std::map<std::int64_t, int>& times) {
  EXPECT_EQ(times.size(), 240u);
  ASSERT_FALSE(times.empty());
  EXPECT_EQ(times.begin()->first, kMadeHourMs);
  EXPECT_EQ(times.rbegin()->first, kMadeHourMs + 7'200'000 - 30'000);
  for (const auto& [at, count] : times) EXPECT_EQ(count, 1) << at;
}

TEST(PrometheusReaderTest, BothGenerationsGiveEverySampleOnce) {
  for (const bool takes_lower_end : {false, true}) {
    ReaderBench bench(steady_node());
    bench.server.takes_lower_end = takes_lower_end;
    const auto times = bench.read("kube_node_info");
    ASSERT_TRUE(times) << times.error().message;
    expect_two_hours(*times);
  }
}

TEST(PrometheusReaderTest, TooManySamplesAreAskedInPiecesThatAreRemembered) {
  ReaderBench bench(steady_node());
  bench.server.samples_max = 40;
  const auto times = bench.read("kube_node_info");
  ASSERT_TRUE(times) << times.error().message;
  expect_two_hours(*times);
  const std::size_t first = bench.server.queries;
  expect_two_hours(*bench.read("kube_node_info"));
  EXPECT_EQ(bench.server.queries - first, 8u) << "pieces of a quarter of an hour, none asked in vain";
  EXPECT_TRUE(bench.rests.empty());
}

TEST(PrometheusReaderTest, ASecondThatIsTooMuchIsAnErrorThatNamesTheMetric) {
  ReaderBench bench(steady_node());
  bench.server.samples_max = 0;
  const auto times = bench.read("kube_node_info");
  ASSERT_FALSE(times);
  EXPECT_NE(times.error().message.find("kube_node_info"), std::string::npos) << times.error().message;
  EXPECT_NE(times.error().message.find("http://prometheus:9090"), std::string::npos) << times.error().message;
  EXPECT_NE(times.error().message.find("too many samples"), std::string::npos) << times.error().message;
}

TEST(PrometheusReaderTest, ABusyServerIsAskedAgainWhenItSays) {
  ReaderBench bench(steady_node());
  bench.server.instead = {{503, "", "", {}}, {429, "", "", {{"Retry-After", "7"}}}, {503, "", "", {{"Retry-After", "100000"}}}, {502, "", "", {}}};
  expect_two_hours(*bench.read("kube_node_info"));
  const std::vector<Nanos> expected{std::chrono::seconds(1), std::chrono::seconds(7), std::chrono::seconds(60), std::chrono::seconds(8)};
  EXPECT_EQ(bench.rests, expected);
}

TEST(PrometheusReaderTest, AServerThatStaysBusyIsGivenUp) {
  ReaderBench bench(steady_node());
  bench.server.instead.assign(100, {503, "text/plain", "overloaded", {}});
  const auto times = bench.read("kube_node_info");
  ASSERT_FALSE(times);
  EXPECT_EQ(times.error().code, Code::kUnavailable);
  EXPECT_EQ(bench.server.queries, 10u);
  EXPECT_NE(times.error().message.find("overloaded"), std::string::npos) << times.error().message;
}

TEST(PrometheusReaderTest, AQueryThatRanIntoTheServersTimeoutIsHalved) {
  ReaderBench bench(steady_node());
  bench.server.instead = {{503, "application/json", R"({"status":"error","errorType":"timeout","error":"query timed out in expression evaluation"})", {}}};
  expect_two_hours(*bench.read("kube_node_info"));
  EXPECT_TRUE(bench.rests.empty());
  EXPECT_EQ(bench.server.queries, 3u);
}

TEST(PrometheusReaderTest, OtherAnswersAreErrorsThatSayWhatToDo) {
  const std::pair<HttpResponse, std::string> cases[] = {
      {{401, "", "", {}}, "prometheus refuses access"},
      {{404, "", "", {}}, "no prometheus api at this address"},
      {{400, "", R"({"status":"error","errorType":"bad_data","error":"parse error"})", {}}, "bad_data: parse error"},
      {{200, "text/html", "<html>", {}}, "answer of prometheus cannot be read"},
      {{200, "", R"({"status":"success","data":{"resultType":"vector","result":[]}})", {}}, "other than a matrix"},
  };
  for (const auto& [response, message] : cases) {
    ReaderBench bench(steady_node());
    bench.server.instead = {response};
    const auto times = bench.read("kube_node_info");
    ASSERT_FALSE(times) << message;
    EXPECT_NE(times.error().message.find(message), std::string::npos) << times.error().message;
    EXPECT_NE(times.error().message.find("http://prometheus:9090"), std::string::npos) << times.error().message;
  }
}

TEST(PrometheusReaderTest, OnlyMetricsThatAreReadAreNamed) {
  MadeSamples samples;
  for (const char* metric : {"up", "kube_node_info", "go_goroutines", "DCGM_FI_DEV_GPU_UTIL"}) samples.hold(made_labels(metric, {}), 0, 60, 1);
  ReaderBench bench(samples.series());
  EXPECT_EQ(*bench.reader.metric_names(kReadHours, Catalogue{}), (std::vector<std::string>{"DCGM_FI_DEV_GPU_UTIL", "kube_node_info"}));
}

TEST(PrometheusReaderTest, ExternalLabelsComeOutOfAnyConfiguration) {
  const std::string yaml =
      "global:\n  scrape_interval: 15s\n  external_labels:\n    prometheus_replica: r0\n    cluster: \"a b\"\n    region: \"\"\n"
      "rule_files:\n- /etc/rules/*.yml\nscrape_configs:\n- job_name: x\n  static_configs: &anchor\n  - targets: [a]\n";
  const auto labels = external_labels_of(yaml);
  ASSERT_TRUE(labels) << labels.error().message;
  EXPECT_EQ(print_labels(*labels), R"({cluster="a b",prometheus_replica="r0"})");
  EXPECT_TRUE(external_labels_of("")->empty());
  EXPECT_TRUE(external_labels_of("global:\n  scrape_interval: 1m\n")->empty());
  EXPECT_FALSE(external_labels_of("global: [\n"));

  ReaderBench bench(steady_node());
  EXPECT_EQ(bench.reader.external_labels().error().code, Code::kNotFound);
  bench.server.configuration = {200, "application/json", Json::object().set("status", "success").set("data", Json::object().set("yaml", yaml)).print(), {}};
  EXPECT_EQ(bench.reader.external_labels()->size(), 2u);
}

}  // namespace
}  // namespace seedance
