// Reads the OTLP requests that the OpenTelemetry SDK sent, and the published example, and compares every field; then the series names
// with those that another receiver made of the same requests.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "ingest/gzip_stream.h"
#include "ingest/otlp/otlp_json.h"
#include "ingest/otlp/otlp_metrics.h"
#include "ingest/otlp/otlp_series.h"
#include "tests/reference/shared_data.h"

namespace seedance {
namespace {

using OtlpTree = nlohmann::json;

std::string otlp_bytes(const std::string& path) {
  std::ifstream in(shared_data("ingest/" + path), std::ios::binary);
  std::stringstream out;
  out << in.rdbuf();
  if (!path.ends_with(".gz")) return out.str();
  std::string plain;
  GunzipStream gunzip(std::size_t{1} << 26);
  EXPECT_TRUE(gunzip.feed(out.str(), [&](std::string_view piece) -> Result<void> {
                      plain += piece;
                      return {};
                    }).has_value());
  return plain;
}

OtlpTree attribute_tree(const OtlpAttributes& attributes) {
  OtlpTree out = OtlpTree::object();
  for (const OtlpAttribute& a : attributes) out[a.key] = a.value;
  return out;
}

const char* type_name(OtlpType type) {
  switch (type) {
    case OtlpType::kGauge: return "gauge";
    case OtlpType::kSum: return "sum";
    case OtlpType::kHistogram: return "histogram";
    case OtlpType::kExponentialHistogram: return "exponential_histogram";
    case OtlpType::kSummary: return "summary";
    case OtlpType::kNone: break;
  }
  return "none";
}

OtlpTree point_tree(const OtlpMetric& metric, const OtlpPoint& point) {
  OtlpTree out{{"attributes", attribute_tree(point.attributes)}, {"start", point.start_nanos}, {"time", point.time_nanos}};
  if (point.as_double) out["as_double"] = *point.as_double;
  if (point.as_int) out["as_int"] = *point.as_int;
  if (point.sum) out["sum"] = *point.sum;
  if (point.min) out["min"] = *point.min;
  if (point.max) out["max"] = *point.max;
  if (metric.type == OtlpType::kHistogram) {
    out["count"] = point.count;
    out["bucket_counts"] = point.bucket_counts;
    out["bounds"] = point.bounds;
  }
  if (metric.type == OtlpType::kExponentialHistogram) {
    out["count"] = point.count;
    out["scale"] = point.scale;
    out["zero_count"] = point.zero_count;
    out["positive"] = {{"offset", point.positive.offset}, {"counts", point.positive.counts}};
    out["negative"] = {{"offset", point.negative.offset}, {"counts", point.negative.counts}};
  }
  return out;
}

// The request in the form of decoded.json: collected point by point, grouped again by resource and metric.
class OtlpCollector {
 public:
  Result<void> operator()(const OtlpPointRef& ref) {
    if (ref.resource.index != resource_) {
      resource_ = ref.resource.index;
      OtlpTree scope = OtlpTree::object();
      if (!ref.scope.name.empty()) scope["1"] = ref.scope.name;
      if (!ref.scope.version.empty()) scope["2"] = ref.scope.version;
      tree.push_back({{"resource", attribute_tree(ref.resource.attributes)}, {"scopes", {{{"scope", scope}, {"metrics", OtlpTree::array()}}}}});
    }
    OtlpTree& metrics = tree.back()["scopes"][0]["metrics"];
    if (ref.metric.index != metric_) {
      metric_ = ref.metric.index;
      OtlpTree metric{{"name", ref.metric.name}, {"type", type_name(ref.metric.type)}, {"points", OtlpTree::array()}};
      if (!ref.metric.description.empty()) metric["description"] = ref.metric.description;
      if (!ref.metric.unit.empty()) metric["unit"] = ref.metric.unit;
      if (ref.metric.temporality == OtlpTemporality::kCumulative) metric["temporality"] = "cumulative";
      if (ref.metric.temporality == OtlpTemporality::kDelta) metric["temporality"] = "delta";
      if (ref.metric.is_monotonic) metric["monotonic"] = true;
      metrics.push_back(std::move(metric));
    }
    metrics.back()["points"].push_back(point_tree(ref.metric, ref.point));
    ++points;
    return {};
  }

  OtlpTree tree = OtlpTree::array();
  std::size_t points = 0;

 private:
  std::size_t resource_ = 0;
  std::size_t metric_ = 0;
};

OtlpCollector collected(std::string_view body, bool is_json) {
  OtlpCollector out;
  const Result<void> decoded = is_json ? decode_otlp_json(body, std::ref(out)) : decode_otlp_metrics(body, std::ref(out));
  EXPECT_TRUE(decoded) << (decoded ? "" : decoded.error().message);
  return out;
}

// The message of a gRPC body: one byte "compressed", four bytes of length.
std::string without_grpc_prefix(const std::string& body) {
  EXPECT_EQ(body.size(), 5 + (static_cast<std::size_t>(static_cast<unsigned char>(body[3])) << 8U) + static_cast<unsigned char>(body[4]));
  return body.substr(5);
}

std::size_t check_decoded(const std::string& folder) {
  const OtlpTree expected = OtlpTree::parse(otlp_bytes(folder + "/decoded.json.gz"));
  for (const OtlpTree& entry : expected) {
    const std::string file = entry["file"];
    std::string body = otlp_bytes(folder + "/" + file);
    if (file.ends_with(".grpc")) body = without_grpc_prefix(body);
    const OtlpCollector got = collected(body, false);
    EXPECT_EQ(got.points, 21u) << file;
    EXPECT_EQ(got.tree, entry["resource_metrics"]) << OtlpTree::diff(entry["resource_metrics"], got.tree).dump(1).substr(0, 2000);
  }
  return expected.size();
}

TEST(OtlpReferenceTest, EveryProtobufBodyHasEveryField) {
  SKIP_WITHOUT(shared_data("ingest/otlp-proto-cumulative"));
  EXPECT_EQ(check_decoded("otlp-proto-cumulative"), 7u);
  EXPECT_EQ(check_decoded("otlp-proto-gzip"), 3u);
  EXPECT_EQ(check_decoded("otlp-grpc"), 2u);
}

// The JSON capture has no decoded form beside it; it came from the same program as the protobuf one, so that everything but times and
// measured values is the same.
void blank_measurements(OtlpTree& tree) {
  for (OtlpTree& resource : tree) {
    for (OtlpTree& metric : resource["scopes"][0]["metrics"]) {
      for (OtlpTree& point : metric["points"]) {
        for (auto& [key, value] : point.items()) {
          if (key != "attributes" && key != "bounds") value = nullptr;
        }
      }
    }
  }
}

void sort_metrics(OtlpTree& tree) {
  OtlpTree& metrics = tree[0]["scopes"][0]["metrics"];
  std::sort(metrics.begin(), metrics.end(), [](const OtlpTree& a, const OtlpTree& b) { return a["name"] < b["name"]; });
}

TEST(OtlpReferenceTest, JsonBodiesSayWhatTheirTextSays) {
  SKIP_WITHOUT(shared_data("ingest/otlp-json-cumulative"));
  OtlpTree shape = OtlpTree::parse(otlp_bytes("otlp-proto-cumulative/decoded.json.gz"))[0]["resource_metrics"];
  blank_measurements(shape);
  const OtlpTree manifest = OtlpTree::parse(otlp_bytes("otlp-json-cumulative/manifest.json"));
  for (const OtlpTree& entry : manifest["entries"]) {
    const std::string body = otlp_bytes("otlp-json-cumulative/" + entry["file"].get<std::string>());
    OtlpCollector got = collected(body, true);
    EXPECT_EQ(got.points, entry["data_points"].get<std::size_t>());
    // Every number of the text against what was read, by the reader that the tests trust.
    const OtlpTree text = OtlpTree::parse(body);
    const auto& said = text["resourceMetrics"][0]["scopeMetrics"][0]["metrics"];
    const auto& read = got.tree[0]["scopes"][0]["metrics"];
    ASSERT_EQ(said.size(), read.size());
    for (std::size_t m = 0; m < said.size(); ++m) {
      const char* const kinds[] = {"gauge", "sum", "histogram", "exponentialHistogram"};
      for (const char* kind : kinds) {
        if (!said[m].contains(kind)) continue;
        const auto& points = said[m][kind]["dataPoints"];
        ASSERT_EQ(points.size(), read[m]["points"].size());
        for (std::size_t p = 0; p < points.size(); ++p) {
          const auto& point = read[m]["points"][p];
          EXPECT_EQ(std::stoull(points[p]["timeUnixNano"].get<std::string>()), point["time"].get<std::uint64_t>());
          EXPECT_EQ(std::stoull(points[p]["startTimeUnixNano"].get<std::string>()), point["start"].get<std::uint64_t>());
          const std::pair<const char*, const char*> same[] = {{"asDouble", "as_double"}, {"sum", "sum"},     {"min", "min"},           {"max", "max"},
                                                              {"count", "count"},        {"scale", "scale"}, {"zeroCount", "zero_count"}, {"bucketCounts", "bucket_counts"},
                                                              {"explicitBounds", "bounds"}};
          for (const auto& [theirs, ours] : same) {
            if (!points[p].contains(theirs)) continue;
            EXPECT_EQ(points[p][theirs], point[ours]) << theirs;
          }
          if (!points[p].contains("positive")) continue;
          EXPECT_EQ(points[p]["positive"]["bucketCounts"], point["positive"]["counts"]);
          EXPECT_EQ(points[p]["positive"]["offset"], point["positive"]["offset"]);
        }
      }
    }
    blank_measurements(got.tree);
    sort_metrics(got.tree);
    OtlpTree sorted = shape;
    sort_metrics(sorted);
    EXPECT_EQ(got.tree, sorted) << OtlpTree::diff(sorted, got.tree).dump(1).substr(0, 2000);
  }
}

TEST(OtlpReferenceTest, ThePublishedExampleIsReadWhole) {
  SKIP_WITHOUT(shared_data("ingest/otlp-examples-metrics.json"));
  const OtlpCollector got = collected(otlp_bytes("otlp-examples-metrics.json"), true);
  EXPECT_EQ(got.points, 4u);
  const auto& metrics = got.tree[0]["scopes"][0]["metrics"];
  EXPECT_EQ(got.tree[0]["resource"], (OtlpTree{{"service.name", "my.service"}}));
  constexpr std::uint64_t kAt = 1544712660300000000;
  const OtlpTree counter{{"attributes", {{"my.counter.attr", "some value"}}}, {"start", kAt}, {"time", kAt}, {"as_double", 5.0}};
  EXPECT_EQ(metrics[0], (OtlpTree{{"name", "my.counter"}, {"unit", "1"}, {"description", "I am a Counter"}, {"type", "sum"}, {"temporality", "delta"}, {"monotonic", true}, {"points", {counter}}}));
  EXPECT_EQ(metrics[1]["points"][0]["as_double"], 10.0);
  EXPECT_EQ(metrics[2]["points"][0], (OtlpTree{{"attributes", {{"my.histogram.attr", "some value"}}}, {"start", kAt}, {"time", kAt}, {"count", 2}, {"sum", 2.0}, {"min", 0.0}, {"max", 2.0},
                                               {"bucket_counts", {1, 1}}, {"bounds", {1.0}}}));
  EXPECT_EQ(metrics[3]["points"][0], (OtlpTree{{"attributes", {{"my.exponential.histogram.attr", "some value"}}}, {"start", kAt}, {"time", kAt}, {"count", 3}, {"sum", 10.0}, {"min", 0.0}, {"max", 5.0},
                                               {"scale", 0}, {"zero_count", 1}, {"positive", {{"offset", 1}, {"counts", {0, 2}}}}, {"negative", {{"offset", 0}, {"counts", OtlpTree::array()}}}}));
}

// The other receiver turns exponential histograms into buckets of its own; we make none. It has no target_info when it keeps the whole
// resource on every series; we have.
TEST(OtlpReferenceTest, SeriesNamesAreThoseOfTheSpecification) {
  SKIP_WITHOUT(shared_data("ingest/otlp-proto-cumulative"));
  std::set<std::string> theirs;
  std::stringstream lines(otlp_bytes("otlp-proto-cumulative/victoriametrics-1.145-prometheus-naming.jsonl.gz"));
  for (std::string line; std::getline(lines, line);) {
    const OtlpTree series = OtlpTree::parse(line);
    const std::string name = series["metric"]["__name__"];
    if (name != "train_kernel_duration_microseconds_bucket") theirs.insert(name);
  }
  std::set<std::string> ours;
  OtlpTranslator translator({}, [&](OtlpTranslator::Series series) {
    ours.insert(std::string(label_value(series.labels(), "__name__")));
    EXPECT_EQ(label_value(series.labels(), "job"), "team-llm/gpu-trainer");
    EXPECT_EQ(label_value(series.labels(), "instance"), "pretrain-a-worker-0");
    EXPECT_EQ(label_value(series.labels(), "k8s_pod_name"), "pretrain-a-worker-0");
  });
  ASSERT_TRUE(decode_otlp_metrics(otlp_bytes("otlp-proto-cumulative/0000.pb"), [&](const OtlpPointRef& ref) -> Result<void> {
    translator.add(ref);
    return {};
  }));
  translator.finish();
  EXPECT_EQ(ours.erase("target_info"), 1u);
  EXPECT_EQ(ours, theirs);
  EXPECT_EQ(translator.counts().points, 21u);
  EXPECT_EQ(translator.counts().points_rejected, 0u);
}

}  // namespace
}  // namespace seedance
