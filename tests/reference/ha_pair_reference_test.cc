// Genuine Prometheus traffic beside a second replica of it: every series reads as it does alone.
#include <fstream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "app/intake/sample_intake.h"
#include "ingest/write_body.h"
#include "ingest/write_encoder.h"
#include "tests/reference/shared_data.h"

namespace seedance {
namespace {

std::vector<std::string> accepted_bodies() {
  const std::string folder = shared_data("ingest/rw1-prom242-r0/");
  std::vector<std::string> out;
  const nlohmann::json manifest = nlohmann::json::parse(std::ifstream(folder + "manifest.json"));
  for (const auto& entry : manifest["entries"]) {
    if (entry["answered_status"] != 204) continue;
    std::ostringstream body;
    body << std::ifstream(folder + entry["file"].get<std::string>(), std::ios::binary).rdbuf();
    out.push_back(body.str());
  }
  return out;
}

// As the twin with the name `replica` would have sent it, `later_ms` after this one.
std::string body_of_twin(const std::string& body, const std::string& replica, std::int64_t later_ms) {
  const std::string raw = decompress_snappy(body).value();
  DecodedWrite decoded;
  EXPECT_TRUE(decode_write_request(raw, decoded));
  std::vector<SeriesSamples> out;
  for (const DecodedSeries& series : decoded.series) {
    Labels labels = parse_label_block(series.label_block, LabelLimits{}).value();
    for (Label& label : labels) {
      if (label.name == "prometheus_replica") label.value = replica;
    }
    std::vector<Sample> samples(decoded.samples.begin() + series.sample_begin, decoded.samples.begin() + series.sample_begin + series.sample_count);
    for (Sample& s : samples) s.timestamp_ms += later_ms;
    out.push_back({std::move(labels), std::move(samples)});
  }
  return compress_snappy(encode_write_request(out));
}

using HaContent = std::map<std::string, std::vector<std::pair<std::int64_t, std::uint64_t>>>;

HaContent read_after(const std::vector<std::string>& bodies) {
  Counters counters;
  const ManualClock clock{time_from_seconds(1'796'062'400)};
  IntakeOptions options;
  options.accept_any_age = true;
  options.replica_labels = {"prometheus_replica"};
  const auto intake = SampleIntake::open("", Catalogue{}, options, clock, counters).value();
  for (const std::string& body : bodies) EXPECT_TRUE(intake->take(body));
  HaContent out;
  intake->read_hour({time_from_seconds(1'796'000'000), time_from_seconds(1'796'100'000)}, [](const SeriesMeaning&) { return true; },
                    [&](std::uint32_t series, std::span<const Sample> samples) {
                      Labels labels = intake->registry().labels(series);
                      std::erase_if(labels, [](const Label& label) { return label.name == "prometheus_replica"; });
                      auto& of_series = out[print_labels(labels)];
                      EXPECT_TRUE(of_series.empty()) << "read twice";
                      for (const Sample& s : samples) of_series.emplace_back(s.timestamp_ms, std::bit_cast<std::uint64_t>(s.value));
                    });
  return out;
}

TEST(HaPairReferenceTest, ATwinChangesNothingInAnyOrder) {
  SKIP_WITHOUT(shared_data("ingest/rw1-prom242-r0"));
  const std::vector<std::string> bodies = accepted_bodies();
  const HaContent alone = read_after(bodies);
  EXPECT_GT(alone.size(), 300U);
  std::vector<std::string> twin_last = bodies;
  std::vector<std::string> twin_first;
  for (const std::string& body : bodies) {
    // A twin at the same moments with a larger name loses every tie.
    twin_last.push_back(body_of_twin(body, "r1", 0));
    twin_first.push_back(twin_last.back());
  }
  twin_first.insert(twin_first.end(), bodies.begin(), bodies.end());
  EXPECT_TRUE(read_after(twin_last) == alone);
  EXPECT_TRUE(read_after(twin_first) == alone);
}

TEST(HaPairReferenceTest, WhenOneIsGoneTheOtherIsReadFromThatMinute) {
  SKIP_WITHOUT(shared_data("ingest/rw1-prom242-r0"));
  const std::vector<std::string> bodies = accepted_bodies();
  // r0 dies in the middle; r1 saw everything a tenth of a second later.
  std::vector<std::string> both(bodies.begin(), bodies.begin() + static_cast<std::ptrdiff_t>(bodies.size() / 2));
  std::vector<std::string> twin;
  for (const std::string& body : bodies) twin.push_back(body_of_twin(body, "r1", 100));
  both.insert(both.end(), twin.begin(), twin.end());
  const HaContent of_both = read_after(both);
  const HaContent of_twin = read_after(twin);
  ASSERT_EQ(of_both.size(), of_twin.size());
  for (const auto& [series, samples] : of_twin) {
    const auto& got = of_both.at(series);
    EXPECT_LE(got.size(), samples.size() + 1) << series << ": no scrape counts twice";
    EXPECT_GE(got.size() + 1, samples.size()) << series << ": at most one scrape is missing";
  }
}

}  // namespace
}  // namespace seedance
