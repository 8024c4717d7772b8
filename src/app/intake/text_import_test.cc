#include "app/intake/text_import.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

namespace seedance {
namespace {

namespace fs = std::filesystem;

std::string text_of(int lines) {
  std::string out = "# TYPE kube_node_info gauge\n";
  for (int i = 0; i < lines; ++i) out += "kube_node_info{node=\"n" + std::to_string(i % 7) + "\"} 1 " + std::to_string(1'796'047'200 + i) + "\n";
  return out + "# EOF\n";
}

std::string gzipped(const std::string& plain) {
  z_stream z{};
  deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(plain.size() + 1'024, '\0');
  std::string in = plain;
  z.next_in = reinterpret_cast<Bytef*>(in.data());
  z.avail_in = static_cast<uInt>(in.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  deflate(&z, Z_FINISH);
  out.resize(z.total_out);
  deflateEnd(&z);
  return out;
}

class TextImportTest : public testing::Test {
 protected:
  fs::path file_ = fs::path(testing::TempDir()) / ("seedance_import_" + std::to_string(::getpid()) + ".txt");
  ManualClock clock_{time_from_seconds(1'796'050'860)};
  Counters counters_;
  std::unique_ptr<SampleIntake> intake_ = *SampleIntake::open("", Catalogue{}, {}, clock_, counters_);

  void TearDown() override { fs::remove(file_); }
  Result<TextImportReport> import(const std::string& bytes) {
    std::ofstream(file_, std::ios::binary) << bytes;
    return import_text_file(*intake_, file_.string(), nullptr);
  }
  // All kept samples, each time stamp of a series once.
  std::size_t distinct_samples() const {
    std::size_t out = 0;
    intake_->read_hour({time_from_seconds(0), time_from_seconds(4'000'000'000)}, [](const SeriesMeaning&) { return true; },
                       [&](std::uint32_t, std::span<const Sample> samples) { out += samples.size(); });
    return out;
  }
};

TEST_F(TextImportTest, PlainAndGzipAreTheSame) {
  for (const std::string& bytes : {text_of(500), gzipped(text_of(500))}) {
    const auto report = import(bytes);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->samples, 500u);
    EXPECT_EQ(report->lines, 502u);
    EXPECT_EQ(report->answer.samples_kept, 500u);
  }
  EXPECT_EQ(distinct_samples(), 500u) << "the second import counted nothing twice";
}

TEST_F(TextImportTest, PiecesOfAnySizeGiveTheSame) {
  TextImport text(*intake_);
  const std::string packed = gzipped(text_of(300));
  for (const char byte : packed) ASSERT_TRUE(text.feed(std::string_view(&byte, 1)));
  const auto report = text.finish();
  ASSERT_TRUE(report);
  EXPECT_EQ(report->samples, 300u);
}

TEST_F(TextImportTest, ErrorNamesFileAndLine) {
  const auto report = import("# EOF is missing here\nkube_node_info{node=\"a\"} 1 1796047200\nkube_node_info{node=\"a} 1 1796047230\n");
  ASSERT_FALSE(report);
  EXPECT_NE(report.error().message.find(file_.string()), std::string::npos) << report.error().message;
  EXPECT_NE(report.error().message.find("line 3"), std::string::npos) << report.error().message;
}

TEST_F(TextImportTest, WhatCameBeforeTheErrorIsKeptAndTheMendedFileCountsNothingTwice) {
  std::string text = text_of(1'000);
  const std::size_t middle = text.find('\n', text.size() / 2) + 1;
  ASSERT_FALSE(import(text.substr(0, middle) + "broken line\n" + text.substr(middle)));
  const std::size_t before = distinct_samples();
  EXPECT_GT(before, 400u);
  EXPECT_LT(before, 600u);
  const auto report = import(text);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->answer.samples_kept, 1'000u);
  EXPECT_EQ(distinct_samples(), 1'000u);
}

TEST_F(TextImportTest, FirstErrorEndsTheImport) {
  TextImport text(*intake_);
  ASSERT_FALSE(text.feed("broken line\n"));
  EXPECT_FALSE(text.feed("kube_node_info{node=\"a\"} 1 1796047200\n"));
  EXPECT_FALSE(text.finish());
  EXPECT_EQ(intake_->kept_samples(), 0u);
}

TEST_F(TextImportTest, TruncatedGzipIsAnError) {
  const std::string packed = gzipped(text_of(500));
  EXPECT_FALSE(import(packed.substr(0, packed.size() / 2)));
}

TEST_F(TextImportTest, RefusedSamplesAreCountedAndExplained) {
  const auto report = import("kube_node_info{node=\"a\"} 1 1796047200\nkube_node_info{node=\"a\"} 1 1592265600\nup 1 1796047200\n# EOF\n");
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->answer.samples_kept, 1u);
  EXPECT_EQ(report->answer.samples_refused, 1u);
  EXPECT_EQ(report->answer.samples_ignored, 1u);
  EXPECT_NE(report->answer.first_reason.find("correction horizon"), std::string::npos);
}

TEST_F(TextImportTest, ProgressEndsAtTheSizeOfTheFile) {
  std::ofstream(file_, std::ios::binary) << text_of(100);
  std::uint64_t last = 0;
  std::uint64_t whole = 0;
  ASSERT_TRUE(import_text_file(*intake_, file_.string(), [&](std::uint64_t done, std::uint64_t size) {
    last = done;
    whole = size;
  }));
  EXPECT_EQ(last, fs::file_size(file_));
  EXPECT_EQ(whole, last);
}

TEST_F(TextImportTest, MissingAndEmptyFilesAreNotTheSame) {
  EXPECT_EQ(import_text_file(*intake_, "no/such/file", nullptr).error().code, Code::kNotFound);
  const auto empty = import("");
  ASSERT_TRUE(empty) << empty.error().message;
  EXPECT_EQ(empty->samples, 0u);
}

}  // namespace
}  // namespace seedance
