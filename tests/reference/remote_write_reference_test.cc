// Reads the remote write bodies that real senders sent, and the bodies that no sender should send, and compares with the
// manifests beside them.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <openssl/evp.h>

#include "ingest/gzip_stream.h"
#include "ingest/prometheus_write.h"
#include "ingest/remote_write_2.h"
#include "ingest/series_table.h"
#include "ingest/write_body.h"

namespace seedance {
namespace {

using ManifestJson = nlohmann::json;

std::filesystem::path ingest_data() { return std::filesystem::path(SEEDANCE_SHARED_DATA) / "ingest"; }

std::string bytes_of_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

ManifestJson manifest_of(std::string_view folder) { return ManifestJson::parse(bytes_of_file(ingest_data() / folder / "manifest.json")); }

std::string sha256_hex(std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  EVP_Digest(text.data(), text.size(), digest.data(), &length, EVP_sha256(), nullptr);
  std::string out;
  for (unsigned i = 0; i < length; ++i) {
    std::array<char, 3> hex{};
    std::snprintf(hex.data(), hex.size(), "%02x", digest[i]);
    out += hex.data();
  }
  return out;
}

// What the manifest says about a body, computed from what we decoded.
struct BodySummary {
  std::size_t samples = 0;
  std::size_t stale_markers = 0;
  std::int64_t timestamp_min = INT64_MAX;
  std::int64_t timestamp_max = INT64_MIN;
  std::set<std::string> series;
  std::string content_sha256;
};

BodySummary summary_of(const DecodedWrite& write) {
  BodySummary out;
  std::vector<std::string> lines;
  for (const DecodedSeries& series : write.series) {
    const auto labels = parse_label_block(series.label_block, {});
    EXPECT_TRUE(labels) << labels.error().message;
    if (!labels) continue;
    const std::string text = print_labels(*labels);
    out.series.insert(text);
    for (std::uint32_t i = 0; i < series.sample_count; ++i) {
      const Sample sample = write.samples[series.sample_begin + i];
      std::array<char, 64> tail{};
      std::snprintf(tail.data(), tail.size(), " %lld %016llx", static_cast<long long>(sample.timestamp_ms),
                    static_cast<unsigned long long>(std::bit_cast<std::uint64_t>(sample.value)));
      lines.push_back(text + tail.data());
      ++out.samples;
      out.stale_markers += is_stale_marker(sample.value) ? 1U : 0U;
      out.timestamp_min = std::min(out.timestamp_min, sample.timestamp_ms);
      out.timestamp_max = std::max(out.timestamp_max, sample.timestamp_ms);
    }
  }
  std::ranges::sort(lines);
  std::string content;
  for (const std::string& line : lines) content += (content.empty() ? "" : "\n") + line;
  out.content_sha256 = sha256_hex(content);
  return out;
}

void expect_as_in_manifest(const DecodedWrite& write, const ManifestJson& entry) {
  const BodySummary body = summary_of(write);
  EXPECT_EQ(write.series.size() + write.empty_series_count, entry["timeseries_messages"].get<std::size_t>());
  EXPECT_EQ(body.samples, entry["samples"].get<std::size_t>());
  EXPECT_EQ(body.stale_markers, entry["stale_markers"].get<std::size_t>());
  EXPECT_EQ(write.metadata_count, entry["metadata_entries"].get<std::uint32_t>());
  EXPECT_EQ(write.histogram_count, entry["histograms"].get<std::uint32_t>());
  EXPECT_EQ(write.exemplar_count, entry["exemplars"].get<std::uint32_t>());
  if (body.samples > 0) {
    EXPECT_EQ(body.timestamp_min, entry["min_timestamp_ms"].get<std::int64_t>());
    EXPECT_EQ(body.timestamp_max, entry["max_timestamp_ms"].get<std::int64_t>());
  }
  EXPECT_EQ(body.content_sha256, entry["sha256_content"].get<std::string>());
}

// Decodes every body of a capture as its headers say; returns how many there were.
std::size_t check_capture(std::string_view folder) {
  std::size_t bodies = 0;
  DecodedWrite write;
  const ManifestJson manifest = manifest_of(folder);
  for (const ManifestJson& entry : manifest["entries"]) {
    const auto file = entry["file"].get<std::string>();
    const bool is_zstd = file.ends_with(".zstd");
    if (!is_zstd && !file.ends_with(".snappy")) continue;
    SCOPED_TRACE(std::string(folder) + "/" + file);
    const std::string wire = bytes_of_file(ingest_data() / folder / file);
    const auto raw = is_zstd ? decompress_zstd(wire) : decompress_snappy(wire);
    EXPECT_TRUE(raw);
    if (!raw) continue;
    EXPECT_EQ(sha256_hex(*raw), entry["sha256_raw"].get<std::string>());
    const bool is_version_2 = entry["headers"].value("Content-Type", "").find("io.prometheus.write.v2") != std::string::npos;
    const auto decoded = is_version_2 ? decode_write_request_2(*raw, write) : decode_write_request(*raw, write);
    EXPECT_TRUE(decoded) << decoded.error().message;
    expect_as_in_manifest(write, entry);
    ++bodies;
  }
  return bodies;
}

class RemoteWriteReferenceTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(ingest_data())) GTEST_SKIP() << "reference data is not here: " << ingest_data();
  }
};

TEST_F(RemoteWriteReferenceTest, EveryPrometheusBodyIsReadExactly) { EXPECT_EQ(check_capture("rw1-prom242-r0"), 114U); }

TEST_F(RemoteWriteReferenceTest, EveryUnsortedVmagentBodyIsReadExactly) { EXPECT_EQ(check_capture("vmagent-fallback-snappy"), 12U); }

TEST_F(RemoteWriteReferenceTest, NativeHistogramsAreCountedNotRead) { EXPECT_EQ(check_capture("rw1-native-histograms"), 3U); }

TEST_F(RemoteWriteReferenceTest, ExemplarsAreCountedNotRead) { EXPECT_GT(check_capture("rw1-openmetrics-exemplars"), 0U); }

TEST_F(RemoteWriteReferenceTest, EveryVersion2BodyIsReadExactly) { EXPECT_EQ(check_capture("rw2-prom35"), 72U); }

TEST_F(RemoteWriteReferenceTest, Version2ExemplarsAreCountedNotRead) { EXPECT_EQ(check_capture("rw2-openmetrics-exemplars"), 5U); }

TEST_F(RemoteWriteReferenceTest, EveryZstdBodyOfVmagentIsReadExactly) { EXPECT_EQ(check_capture("vmagent-zstd"), 16U); }

TEST_F(RemoteWriteReferenceTest, AcceptedBodiesHoldTheSeriesAndSamplesOfTheCapture) {
  const ManifestJson manifest = manifest_of("rw1-prom242-r0");
  SeriesTable table([](std::string_view) { return true; });
  DecodedWrite write;
  std::size_t samples = 0;
  for (const ManifestJson& entry : manifest["entries"]) {
    if (entry["answered_status"].get<int>() / 100 != 2) continue;
    const auto raw = decompress_snappy(bytes_of_file(ingest_data() / "rw1-prom242-r0" / entry["file"].get<std::string>()));
    ASSERT_TRUE(raw);
    ASSERT_TRUE(decode_write_request(*raw, write));
    for (const DecodedSeries& series : write.series) ASSERT_EQ(table.resolve(series.label_block).kind, Resolved::Kind::kSeries);
    samples += write.samples.size();
  }
  EXPECT_EQ(samples, manifest["totals"]["samples_in_2xx_bodies"].get<std::size_t>());
  EXPECT_EQ(table.size(), manifest["totals"]["distinct_series"].get<std::size_t>());
}

std::string gunzipped(std::string_view packed) {
  std::string plain;
  GunzipStream stream(std::size_t{64} << 20);
  const auto append = [&](std::string_view bytes) -> Result<void> {
    plain += bytes;
    return {};
  };
  EXPECT_TRUE(stream.feed(packed, append));
  return plain;
}

// The answer of decompressing, decoding and naming the series of one body, and how many samples survive it.
struct Answer {
  bool is_refused = false;        // nothing of the body can be read
  std::size_t invalid_series = 0;
  std::size_t samples_kept = 0;
  std::size_t series = 0;
};

Answer answer_of(std::string_view wire) {
  const auto raw = decompress_snappy(wire);
  DecodedWrite write;
  if (!raw || !decode_write_request(*raw, write)) return {.is_refused = true};
  Answer answer;
  SeriesTable table([](std::string_view) { return true; });
  for (const DecodedSeries& series : write.series) {
    const bool valid = table.resolve(series.label_block).kind == Resolved::Kind::kSeries;
    if (valid) answer.samples_kept += series.sample_count;
    if (!valid) ++answer.invalid_series;
  }
  answer.series = table.size();
  return answer;
}

// Whether a case is decided by what we read (true), or by headers and clocks, which the receiver checks (false).
bool is_decided_by_decoding(std::string_view id) {
  constexpr std::array<std::string_view, 5> kElsewhere{"c33_", "c35_", "c37_", "c43_", "c45_"};
  return id.front() == 'c' && std::ranges::none_of(kElsewhere, [&](std::string_view e) { return id.starts_with(e); });
}

TEST_F(RemoteWriteReferenceTest, EveryMalformedBodyGetsItsKindOfAnswer) {
  std::size_t cases = 0;
  const ManifestJson manifest = manifest_of("malformed");
  for (const ManifestJson& entry : manifest["cases"]) {
    const auto id = entry["id"].get<std::string>();
    if (!is_decided_by_decoding(id)) continue;
    SCOPED_TRACE(id);
    const auto file = entry["file"].get<std::string>();
    std::string wire = bytes_of_file(ingest_data() / "malformed" / file);
    EXPECT_EQ(sha256_hex(wire), entry["sha256_file"].get<std::string>());
    if (file.ends_with(".gz")) wire = gunzipped(wire);
    const Answer answer = answer_of(wire);
    const bool is_success = !answer.is_refused && answer.invalid_series == 0;
    const auto expected = entry["expect_status"].get<std::string>();
    const bool may_succeed = expected.find("2xx") != std::string::npos;
    const bool must_succeed = expected == "2xx";
    EXPECT_TRUE(may_succeed || !is_success);
    EXPECT_TRUE(!must_succeed || is_success);
    const ManifestJson& partial = entry["samples_written_if_partial"];
    const std::size_t survivors = partial.is_null() ? 0 : partial.get<std::size_t>();
    EXPECT_EQ(answer.samples_kept, survivors);
    ++cases;
  }
  EXPECT_GT(cases, 20U);
}

TEST_F(RemoteWriteReferenceTest, ReorderedLabelsLandInOneSeries) {
  EXPECT_EQ(answer_of(bytes_of_file(ingest_data() / "malformed" / "c22_unsorted_labels.bin")).series, 1U);
}

TEST_F(RemoteWriteReferenceTest, Version2BodyIsRefusedByName) {
  const auto raw = decompress_snappy(bytes_of_file(ingest_data() / "malformed" / "d01_rw2_body_as_rw1.bin"));
  ASSERT_TRUE(raw);
  DecodedWrite write;
  const auto decoded = decode_write_request(*raw, write);
  ASSERT_FALSE(decoded);
  EXPECT_NE(decoded.error().message.find("2.0"), std::string::npos);
}

}  // namespace
}  // namespace seedance
