// Counters of a real capture, across resets and label changes, compared with what an independent program computed.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/csv.h"
#include "ingest/gzip_stream.h"
#include "ingest/prometheus_write.h"
#include "ingest/write_body.h"
#include "signal/meaning.h"
#include "signal/timeline.h"
#include "tests/reference/shared_data.h"

namespace seedance {
namespace {

std::string whole_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream out;
  out << in.rdbuf();
  return out.str();
}

std::string unpacked_file(const std::string& path) {
  std::string out;
  GunzipStream gunzip(std::size_t{256} << 20);
  EXPECT_TRUE(gunzip.feed(whole_file(path), [&](std::string_view text) -> Result<void> {
    out += text;
    return {};
  }));
  return out;
}

using ReferenceRow = std::map<std::string, std::string>;
std::vector<ReferenceRow> reference_rows(const std::string& text) {
  std::vector<ReferenceRow> out;
  std::vector<std::string> header;
  EXPECT_TRUE(read_csv(text, [&](std::size_t, const std::vector<std::string>& fields) -> Result<void> {
    if (header.empty()) {
      header = fields;
      return {};
    }
    ReferenceRow row;
    for (std::size_t i = 0; i < header.size(); ++i) row[header[i]] = fields[i];
    out.push_back(row);
    return {};
  }));
  return out;
}

std::string capture(const std::string& file) { return shared_data("ingest/" + file); }

// All samples of the accepted bodies, by series.
std::map<Labels, std::vector<Sample>> captured_series() {
  std::map<Labels, std::vector<Sample>> out;
  const auto manifest = nlohmann::json::parse(whole_file(capture("rw1-prom242-r0/manifest.json")));
  DecodedWrite write;
  std::size_t bodies = 0;
  for (const auto& entry : manifest["entries"]) {
    if (entry["answered_status"].get<int>() / 100 != 2) continue;
    const auto raw = decompress_snappy(whole_file(capture("rw1-prom242-r0/" + entry["file"].get<std::string>())));
    EXPECT_TRUE(raw && decode_write_request(*raw, write));
    for (const DecodedSeries& s : write.series) {
      const auto labels = parse_label_block(s.label_block, {});
      std::vector<Sample>& samples = out[*labels];
      for (std::uint32_t i = 0; i < s.sample_count; ++i) samples.push_back(write.samples[s.sample_begin + i]);
    }
    ++bodies;
  }
  EXPECT_EQ(bodies, 109u);
  for (auto& [labels, samples] : out) sort_samples(samples);
  return out;
}

class CounterReferenceTest : public testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT(capture("expected-rw1-prom242-r0")); }
};

TEST_F(CounterReferenceTest, EverySeriesIncreasesAsTheReferenceSays) {
  const auto series = captured_series();
  std::map<std::string, const std::vector<Sample>*> by_text;
  for (const auto& [labels, samples] : series) by_text[print_labels(labels)] = &samples;
  std::size_t compared = 0;
  for (const ReferenceRow& row : reference_rows(unpacked_file(capture("expected-rw1-prom242-r0/series.csv.gz")))) {
    const auto at = by_text.find(row.at("series"));
    ASSERT_NE(at, by_text.end()) << row.at("series");
    const auto stale = static_cast<std::size_t>(std::ranges::count_if(*at->second, [](const Sample& s) { return is_stale_marker(s.value); }));
    EXPECT_EQ(at->second->size() - stale, std::stoul(row.at("samples"))) << row.at("series");
    EXPECT_EQ(stale, std::stoul(row.at("stale_markers"))) << row.at("series");
    if (row.at("increase_with_resets").empty()) continue;
    const CounterIncrease increase = counter_increase(*at->second);
    const double expected = std::stod(row.at("increase_with_resets"));
    EXPECT_NEAR(increase.increase, expected, 1e-9 * std::max(1.0, std::abs(expected))) << row.at("series");
    EXPECT_EQ(increase.resets, std::stoi(row.at("resets"))) << row.at("series");
    ++compared;
  }
  EXPECT_GT(compared, 100u);
}


// Samples of one metric joined by what `key` makes of each series' meaning.
template <typename Key>
std::map<std::string, std::vector<Sample>> joined_samples(const std::string& metric, const Key& key) {
  static const std::map<Labels, std::vector<Sample>> kSeries = captured_series();
  const Catalogue catalogue;
  SymbolTable symbols;
  std::map<std::string, std::vector<Sample>> out;
  for (const auto& [labels, samples] : kSeries) {
    if (label_value(labels, "__name__") != metric) continue;
    const auto meaning = meaning_of(labels, catalogue, symbols);
    EXPECT_TRUE(meaning) << print_labels(labels);
    if (!meaning) continue;
    std::vector<Sample>& slot = out[key(*meaning, symbols)];
    slot.insert(slot.end(), samples.begin(), samples.end());
  }
  for (auto& [name, samples] : out) sort_samples(samples);
  return out;
}

TEST_F(CounterReferenceTest, CountersOfGpusAndTheirHoldersIncreaseAsTheReferenceSays) {
  const auto rows = reference_rows(whole_file(capture("expected-rw1-prom242-r0/counters.csv")));
  std::set<std::string> metrics;
  for (const ReferenceRow& row : rows) metrics.insert(row.at("metric"));
  const Catalogue catalogue;
  std::size_t compared = 0;
  for (const std::string& metric : metrics) {
    if (catalogue.find(metric) == nullptr) continue;  // not one of ours
    const auto joined = joined_samples(metric, [](const SeriesMeaning& m, const SymbolTable& s) {
      return std::string(s.text(m.device)) + "|" + std::string(s.text(m.instance)) + "|" + std::string(s.text(m.namespace_name)) + "|" + std::string(s.text(m.pod));
    });
    for (const ReferenceRow& row : rows) {
      if (row.at("metric") != metric) continue;
      const std::string key = row.at("gpu_uuid") + "|" + row.at("mig_instance") + "|" + row.at("namespace") + "|" + row.at("pod");
      const auto at = joined.find(key);
      ASSERT_NE(at, joined.end()) << metric << " " << key;
      const CounterIncrease increase = counter_increase(at->second);
      const double expected = std::stod(row.at("increase"));
      EXPECT_NEAR(increase.increase, expected, 1e-9 * std::max(1.0, expected)) << metric << " " << key;
      EXPECT_EQ(increase.resets, std::stoi(row.at("resets"))) << metric << " " << key;
      ++compared;
    }
  }
  EXPECT_GT(compared, 20u);
}

TEST_F(CounterReferenceTest, EnergyOfAPhysicalGpuPassesOverLabelChangesAndIsNotSummedOverMigRows) {
  const auto joined = joined_samples("DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", [](const SeriesMeaning& m, const SymbolTable& s) { return std::string(s.text(m.device)); });
  const auto rows = reference_rows(whole_file(capture("expected-rw1-prom242-r0/energy-per-gpu.csv")));
  EXPECT_EQ(joined.size(), rows.size());
  for (const ReferenceRow& row : rows) {
    const auto at = joined.find(row.at("gpu_uuid"));
    ASSERT_NE(at, joined.end()) << row.at("gpu_uuid");
    const double expected = std::stod(row.at("energy_increase_mJ"));
    EXPECT_NEAR(counter_increase(at->second).increase, expected, 1e-9 * expected) << row.at("gpu_uuid");
  }
}

}  // namespace
}  // namespace seedance
