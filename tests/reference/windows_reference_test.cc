// One-second windows of genuine Prometheus traffic, exact whatever the order, the batching and the repetition of arrival.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <tuple>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/csv.h"
#include "ingest/gzip_stream.h"
#include "ingest/prometheus_write.h"
#include "ingest/write_body.h"
#include "signal/meaning.h"
#include "signal/windows.h"
#include "tests/reference/shared_data.h"

namespace seedance {
namespace {

std::string window_capture(const std::string& file) { return shared_data("ingest/" + file); }

std::string window_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream out;
  out << in.rdbuf();
  return out.str();
}

struct WindowSample {
  Labels labels;
  Sample sample;
};

// Every sample of the 109 bodies that were accepted.
std::vector<WindowSample> window_samples() {
  std::vector<WindowSample> out;
  const nlohmann::json manifest = nlohmann::json::parse(window_file(window_capture("rw1-prom242-r0/manifest.json")));
  for (const auto& entry : manifest["entries"]) {
    if (entry["answered_status"] != 204) continue;
    const std::string raw = decompress_snappy(window_file(window_capture("rw1-prom242-r0/" + entry["file"].get<std::string>()))).value();
    DecodedWrite decoded;
    EXPECT_TRUE(decode_write_request(raw, decoded).has_value());
    for (const DecodedSeries& series : decoded.series) {
      const Labels labels = parse_label_block(series.label_block, LabelLimits{}).value();
      for (std::uint32_t i = 0; i < series.sample_count; ++i) out.push_back({labels, decoded.samples[series.sample_begin + i]});
    }
  }
  return out;
}

using WindowName = std::tuple<std::string, std::string, std::string, std::int64_t>;  // metric, namespace, pod, start ms
struct WindowValue {
  std::uint32_t count = 0;
  double sum = 0, min = 0, max = 0;
};

std::map<WindowName, WindowValue> expected_windows() {
  std::string text;
  GunzipStream gunzip(std::size_t{1} << 28);
  EXPECT_TRUE(gunzip.feed(window_file(window_capture("expected-rw1-prom242-r0/windows-1s.csv.gz")), [&](std::string_view plain) -> Result<void> {
                      text += plain;
                      return {};
                    }).has_value());
  std::map<WindowName, WindowValue> out;
  EXPECT_TRUE(read_csv(text, [&](std::size_t line, const std::vector<std::string>& f) -> Result<void> {
                if (line == 1) return {};
                out[{f[0], f[1], f[2], std::stoll(f[3])}] = {static_cast<std::uint32_t>(std::stoul(f[4])), std::stod(f[5]), std::stod(f[6]), std::stod(f[7])};
                return {};
              }).has_value());
  return out;
}

// Aggregates by (metric, namespace, pod) in steps of `batch` samples, closing at the newest time seen after each.
std::map<WindowName, WindowValue> windows_of(const std::vector<WindowSample>& samples, const std::set<std::string>& metrics, Nanos lateness, std::size_t batch) {
  const Catalogue catalogue;
  SymbolTable symbols;
  WindowShard shard(lateness);
  std::map<std::string, std::uint32_t> series_numbers;
  std::map<std::tuple<std::string, std::string, std::string>, std::uint32_t> groups;
  std::vector<std::tuple<std::string, std::string, std::string>> group_names;
  std::map<WindowName, WindowValue> out;
  std::int64_t newest = 0;
  const auto close_until = [&](TimePoint watermark) {
    for (const Window& w : shard.close(watermark)) {
      const auto& [metric, namespace_name, pod] = group_names[w.group];
      EXPECT_TRUE(out.emplace(WindowName{metric, namespace_name, pod, w.second * 1000}, WindowValue{w.count, w.sum, w.min, w.max}).second) << "a second closed twice";
    }
  };
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const std::string metric(label_value(samples[i].labels, "__name__"));
    if (metrics.contains(metric)) {
      const std::optional<SeriesMeaning> meaning = meaning_of(samples[i].labels, catalogue, symbols);
      EXPECT_TRUE(meaning.has_value());
      std::tuple group{metric, std::string(symbols.text(meaning->namespace_name)), std::string(symbols.text(meaning->pod))};
      const auto [at, is_new] = groups.try_emplace(group, static_cast<std::uint32_t>(groups.size()));
      if (is_new) group_names.push_back(group);
      const auto number = series_numbers.try_emplace(print_labels(samples[i].labels), static_cast<std::uint32_t>(series_numbers.size())).first->second;
      Sample s = samples[i].sample;
      if (std::isnan(meant_value(*meaning->binding, s.value)) && !is_stale_marker(s.value)) s.value = std::nan("");
      shard.add(number, at->second, s);
    }
    newest = std::max(newest, samples[i].sample.timestamp_ms);
    if ((i + 1) % batch == 0) close_until(time_from_millis(newest));
  }
  close_until(time_from_millis(newest) + lateness + std::chrono::seconds(2));
  return out;
}

void expect_equal(const std::map<WindowName, WindowValue>& got, const std::map<WindowName, WindowValue>& expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (const auto& [name, want] : expected) {
    const auto at = got.find(name);
    ASSERT_NE(at, got.end()) << std::get<0>(name) << " " << std::get<2>(name) << " " << std::get<3>(name);
    EXPECT_EQ(at->second.count, want.count) << std::get<0>(name) << " " << std::get<3>(name);
    EXPECT_NEAR(at->second.sum, want.sum, 1e-9 * std::max(1.0, std::abs(want.sum)));
    EXPECT_EQ(at->second.min, want.min);
    EXPECT_EQ(at->second.max, want.max);
  }
}

std::set<std::string> metrics_of(const std::map<WindowName, WindowValue>& windows) {
  std::set<std::string> out;
  for (const auto& [name, value] : windows) out.insert(std::get<0>(name));
  return out;
}

TEST(WindowsReferenceTest, GenuineTrafficInOrderOfArrivalGivesEveryWindow) {
  SKIP_WITHOUT(window_capture("rw1-prom242-r0"));
  const auto expected = expected_windows();
  EXPECT_EQ(expected.size(), 2'899u);
  expect_equal(windows_of(window_samples(), metrics_of(expected), std::chrono::seconds(30), 500), expected);
}

TEST(WindowsReferenceTest, ShuffledAndDoubledTrafficGivesTheSameWindows) {
  SKIP_WITHOUT(window_capture("rw1-prom242-r0"));
  const auto expected = expected_windows();
  std::vector<WindowSample> samples = window_samples();
  const std::vector<WindowSample> once = samples;
  samples.insert(samples.end(), once.begin(), once.end());
  std::mt19937_64 random(1);
  std::shuffle(samples.begin(), samples.end(), random);
  expect_equal(windows_of(samples, metrics_of(expected), std::chrono::minutes(5), 5'000), expected);
}

TEST(WindowsReferenceTest, EverySeriesEndsAtItsStaleMarker) {
  SKIP_WITHOUT(window_capture("rw1-prom242-r0"));
  std::map<std::string, std::pair<std::int64_t, std::int64_t>> ends;  // series -> last real, stale
  std::map<std::string, std::int64_t> last_real;
  std::vector<WindowSample> samples = window_samples();
  std::stable_sort(samples.begin(), samples.end(), [](const WindowSample& a, const WindowSample& b) { return a.sample.timestamp_ms < b.sample.timestamp_ms; });
  for (const WindowSample& s : samples) {
    const std::string name = print_labels(s.labels);
    if (is_stale_marker(s.sample.value)) {
      ends.try_emplace(name + std::to_string(s.sample.timestamp_ms), last_real[name], s.sample.timestamp_ms);
    } else {
      last_real[name] = s.sample.timestamp_ms;
    }
  }
  std::size_t rows = 0;
  EXPECT_TRUE(read_csv(window_file(window_capture("expected-rw1-prom242-r0/stale.csv")), [&](std::size_t line, const std::vector<std::string>& f) -> Result<void> {
                if (line == 1) return {};
                ++rows;
                const auto at = ends.find(f[0] + f[2]);
                EXPECT_NE(at, ends.end()) << f[0];
                if (at != ends.end()) {
                  EXPECT_EQ(std::to_string(at->second.first), f[1]);
                  EXPECT_EQ(std::to_string(at->second.second), f[2]);
                }
                return {};
              }).has_value());
  EXPECT_EQ(rows, 393u);
  EXPECT_EQ(ends.size(), 393u);
}

}  // namespace
}  // namespace seedance
