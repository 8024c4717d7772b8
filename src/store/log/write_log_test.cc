#include "store/log/write_log.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <xxhash.h>
#include <unistd.h>

namespace seedance {
namespace {

namespace fs = std::filesystem;

class WriteLogTest : public testing::Test {
 protected:
  fs::path folder_ = fs::path(testing::TempDir()) / ("seedance_log_" + std::to_string(::getpid()) + "_" + testing::UnitTest::GetInstance()->current_test_info()->name());

  void SetUp() override { fs::remove_all(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  std::unique_ptr<WriteLog> open_log(std::size_t segment_bytes = std::size_t{64} << 20) const {
    auto log = WriteLog::open(folder_.string(), segment_bytes);
    EXPECT_TRUE(log) << log.error().message;
    return log ? std::move(*log) : nullptr;
  }
  static void append_text(WriteLog& log, const std::string& payload, std::int64_t newest_ms = 1'796'040'000'000) {
    const auto done = log.append({LogRecordKind::kPrometheusWrite, newest_ms, newest_ms + 5, payload});
    ASSERT_TRUE(done) << done.error().message;
  }
  // The payloads of a log that is opened anew, or the error as "!...".
  std::vector<std::string> replayed() const {
    std::vector<std::string> out;
    auto log = WriteLog::open(folder_.string());
    if (!log) return {"!" + log.error().message};
    const auto done = (*log)->replay([&](const LogRecord& r) -> Result<void> {
      out.emplace_back(r.payload);
      return {};
    });
    if (!done) return {"!" + done.error().message};
    return out;
  }
  std::vector<fs::path> files() const {
    std::vector<fs::path> out;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      if (entry.path().extension() == ".log") out.push_back(entry.path());
    }
    std::sort(out.begin(), out.end());
    return out;
  }
  static void flip_byte(const fs::path& path, std::size_t at) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(at));
    const int byte = file.get();
    file.seekp(static_cast<std::streamoff>(at));
    file.put(static_cast<char>(byte ^ 0x55));
  }
  using Texts = std::vector<std::string>;
};

TEST_F(WriteLogTest, ReplayGivesRecordsInOrderAfterReopening) {
  {
    const auto log = open_log();
    for (const char* text : {"one", "two", ""}) append_text(*log, text);
  }
  EXPECT_EQ(replayed(), (Texts{"one", "two", ""}));
}

TEST_F(WriteLogTest, RecordsCarryTheirKindAndTimes) {
  {
    const auto log = open_log();
    ASSERT_TRUE(log->append({LogRecordKind::kSeriesBatch, 1'796'040'000'001, 1'796'040'000'002, "x"}));
  }
  const auto log = open_log();
  std::size_t seen = 0;
  ASSERT_TRUE(log->replay([&](const LogRecord& r) -> Result<void> {
    EXPECT_EQ(r.kind, LogRecordKind::kSeriesBatch);
    EXPECT_EQ(r.newest_ms, 1'796'040'000'001);
    EXPECT_EQ(r.received_ms, 1'796'040'000'002);
    ++seen;
    return {};
  }));
  EXPECT_EQ(seen, 1u);
}

TEST_F(WriteLogTest, AppendingGoesOnAfterReopening) {
  append_text(*open_log(), "one");
  {
    const auto log = open_log();
    ASSERT_TRUE(log->replay([](const LogRecord&) -> Result<void> { return {}; }));
    append_text(*log, "two");
  }
  EXPECT_EQ(replayed(), (Texts{"one", "two"}));
}

TEST_F(WriteLogTest, TornTailIsCutOffAtEveryLength) {
  append_text(*open_log(), "acknowledged");
  const auto whole = fs::file_size(files().at(0));
  {
    const auto log = open_log();
    ASSERT_TRUE(log->replay([](const LogRecord&) -> Result<void> { return {}; }));
    append_text(*log, "torn by a crash");
  }
  const fs::path newest = files().at(1);
  const auto size = fs::file_size(newest);
  for (std::uintmax_t length = size - 1; length > 0; --length) {
    fs::resize_file(newest, length);
    ASSERT_EQ(replayed(), (Texts{"acknowledged"})) << length;
    EXPECT_EQ(fs::file_size(newest), 8u) << "what is torn is cut off, the magic of the format stays";
    if (length > 1) {
      std::ofstream refill(newest, std::ios::binary | std::ios::trunc);
      refill << std::string(static_cast<std::size_t>(length - 1), '\x07');
    }
  }
  EXPECT_EQ(fs::file_size(files().at(0)), whole);
}

// A record as the first version wrote it: length, checksum, kind, newest, received, payload.
std::string version_1_record(const std::string& payload) {
  const std::int64_t newest_ms = 1'796'040'000'000;
  const std::int64_t received_ms = newest_ms + 5;
  const std::uint8_t kind = 1;
  const std::uint64_t checksum = XXH3_64bits_withSeed(payload.data(), payload.size(), (static_cast<std::uint64_t>(newest_ms) * 31 + static_cast<std::uint64_t>(received_ms)) * 31 + kind);
  const auto length = static_cast<std::uint32_t>(payload.size());
  std::string out;
  const auto add = [&](const void* bytes, std::size_t size) { out.append(static_cast<const char*>(bytes), size); };
  add(&length, 4);
  add(&checksum, 8);
  add(&kind, 1);
  add(&newest_ms, 8);
  add(&received_ms, 8);
  return out + payload;
}

TEST_F(WriteLogTest, LogOfAnOlderVersionIsRefusedAndNotTouched) {
  fs::create_directories(folder_);
  const fs::path file = folder_ / "000000000001.log";
  const std::string bytes = version_1_record("acknowledged") + version_1_record("too");
  std::ofstream(file, std::ios::binary) << bytes;
  EXPECT_TRUE(replayed().at(0).starts_with("!sample log was written by an older version"));
  EXPECT_EQ(fs::file_size(file), bytes.size());
}

// A record as the second version wrote it: the first, with how far the file was synced, and no tenant.
std::string version_2_record(const std::string& payload, std::uint64_t durable) {
  const std::int64_t newest_ms = 1'796'040'000'000;
  const std::int64_t received_ms = newest_ms + 5;
  const std::uint8_t kind = 1;
  const auto seed = ((static_cast<std::uint64_t>(newest_ms) * 31 + static_cast<std::uint64_t>(received_ms)) * 31 + durable) * 31 + kind;
  const std::uint64_t checksum = XXH3_64bits_withSeed(payload.data(), payload.size(), seed);
  const auto length = static_cast<std::uint32_t>(payload.size());
  std::string out;
  const auto add = [&](const void* bytes, std::size_t size) { out.append(static_cast<const char*>(bytes), size); };
  add(&length, 4);
  add(&checksum, 8);
  add(&kind, 1);
  add(&newest_ms, 8);
  add(&received_ms, 8);
  add(&durable, 8);
  return out + payload;
}

TEST_F(WriteLogTest, FilesOfTheSecondVersionAreReadAndWhatIsTornIsCut) {
  fs::create_directories(folder_);
  const fs::path file = folder_ / "000000000001.log";
  const std::string bytes = "SDLOG02\n" + version_2_record("one", 0) + version_2_record("two", 48);
  std::ofstream(file, std::ios::binary) << bytes << version_2_record("torn", 48).substr(0, 39);
  {
    const auto log = open_log();
    Texts seen;
    ASSERT_TRUE(log->replay([&](const LogRecord& r) -> Result<void> {
      seen.push_back(std::string(r.payload) + "/" + std::string(r.tenant));
      return {};
    }));
    EXPECT_EQ(seen, (Texts{"one/", "two/"}));
    EXPECT_EQ(fs::file_size(file), bytes.size());
    append_text(*log, "three");
  }
  EXPECT_EQ(replayed(), (Texts{"one", "two", "three"})) << "a file of either version";
  flip_byte(file, 10);
  EXPECT_TRUE(replayed().at(0).starts_with("!sample log is damaged at byte ")) << "an older file is whole, whatever its version";
}

TEST_F(WriteLogTest, RecordsNameTheTenantThatSentThem) {
  const std::string longest(kTenantBytesMax, 't');
  {
    const auto log = open_log();
    for (const std::string& tenant : {std::string("team-a"), std::string(), longest}) {
      ASSERT_TRUE(log->append({LogRecordKind::kPrometheusWrite, 1'796'040'000'000, 1'796'040'000'005, "body", tenant}));
    }
    EXPECT_FALSE(log->append({LogRecordKind::kPrometheusWrite, 1'796'040'000'000, 1'796'040'000'005, "body", longest + "t"}));
  }
  const auto log = open_log();
  Texts seen;
  ASSERT_TRUE(log->replay([&](const LogRecord& r) -> Result<void> {
    EXPECT_EQ(r.payload, "body");
    seen.emplace_back(r.tenant);
    return {};
  }));
  EXPECT_EQ(seen, (Texts{"team-a", "", longest}));
}

TEST_F(WriteLogTest, DamagedNameOfATenantIsDamage) {
  {
    const auto log = open_log();
    for (int i = 0; i < 2; ++i) ASSERT_TRUE(log->append({LogRecordKind::kPrometheusWrite, 1'796'040'000'000, 1'796'040'000'005, "body", "team-a"}));
  }
  for (const std::size_t at : {std::size_t{8 + 37}, std::size_t{8 + 38}}) {  // its length, its first letter
    flip_byte(files().at(0), at);
    EXPECT_TRUE(replayed().at(0).starts_with("!sample log is damaged at byte ")) << at;
    flip_byte(files().at(0), at);
  }
}

TEST_F(WriteLogTest, RotationBeginsAFileThatCanBeTheFirstOne) {
  std::uint64_t sequence = 0;
  {
    const auto log = open_log();
    append_text(*log, "before");
    sequence = log->rotate().value();
    append_text(*log, "behind");
    EXPECT_EQ(files().size(), 2u);
  }
  {
    const auto log = open_log();
    ASSERT_TRUE(log->start_at(sequence));
    EXPECT_FALSE(log->start_at(sequence + 1)) << "a file that is missing";
  }
  EXPECT_EQ(replayed(), (Texts{"behind"}));
}

TEST_F(WriteLogTest, RotationWhileThreadsWriteLosesNoRecord) {
  {
    const auto log = open_log();
    std::atomic<int> running{3};
    std::vector<std::jthread> threads;
    for (int t = 0; t < 3; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < 100; ++i) append_text(*log, "t" + std::to_string(t) + "-" + std::to_string(i));
        --running;
      });
    }
    while (running > 0) ASSERT_TRUE(log->rotate());
  }
  EXPECT_EQ(replayed().size(), 300u);
  EXPECT_GE(files().size(), 2u);
}

TEST_F(WriteLogTest, RotationOfAFileWithoutARecordKeepsIt) {
  const auto log = open_log();
  append_text(*log, "one");
  const std::uint64_t sequence = log->rotate().value();
  EXPECT_EQ(log->rotate().value(), sequence);
  EXPECT_EQ(files().size(), 2u);
}

TEST_F(WriteLogTest, TornTailInTheFileOfGoodRecordsKeepsThem) {
  {
    const auto log = open_log();
    append_text(*log, "one");
    append_text(*log, "two");
  }
  const fs::path file = files().at(0);
  fs::resize_file(file, fs::file_size(file) - 1);
  EXPECT_EQ(replayed(), (Texts{"one"}));
  EXPECT_EQ(replayed(), (Texts{"one"})) << "and again";
}

TEST_F(WriteLogTest, DamageBeforeAcknowledgedRecordsIsAnErrorAndDeletesNothing) {
  {
    const auto log = open_log();
    for (const char* text : {"first record", "second record", "third record"}) append_text(*log, text);
  }
  const fs::path file = files().at(0);
  const auto size = fs::file_size(file);
  for (const std::size_t at : {std::size_t{0}, std::size_t{2}, std::size_t{6}, std::size_t{13}, std::size_t{30}}) {  // length, checksum, time, payload
    flip_byte(file, at);
    const Texts answer = replayed();
    ASSERT_EQ(answer.size(), 1u) << at;
    EXPECT_TRUE(answer[0].starts_with("!sample log is damaged at byte ")) << answer[0];
    EXPECT_EQ(fs::file_size(file), size) << at;
    flip_byte(file, at);
  }
  EXPECT_EQ(replayed().size(), 3u);
}

TEST_F(WriteLogTest, DamageInAnOlderFileIsAnErrorAlsoAtItsEnd) {
  {
    const auto log = open_log(1);
    append_text(*log, "one");
    append_text(*log, "two");
  }
  ASSERT_EQ(files().size(), 2u);
  fs::resize_file(files().at(0), fs::file_size(files().at(0)) - 1);
  EXPECT_TRUE(replayed().at(0).starts_with("!sample log is damaged"));
}

TEST_F(WriteLogTest, SecondOpenerIsRefused) {
  const auto log = open_log();
  const auto second = WriteLog::open(folder_.string());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, Code::kConflict);
}

TEST_F(WriteLogTest, OpeningIsPossibleAgainOnceTheFirstIsGone) {
  open_log().reset();
  EXPECT_TRUE(WriteLog::open(folder_.string()));
}

TEST_F(WriteLogTest, TruncationDropsWholeOldFilesAndKeepsOrder) {
  {
    const auto log = open_log(1);  // a file for each record
    append_text(*log, "old", 1'000'000);
    append_text(*log, "new", 9'000'000);
    append_text(*log, "old behind new", 1'000'000);
    append_text(*log, "newest", 9'000'000);
    log->truncate_before(time_from_millis(5'000'000));
  }
  EXPECT_EQ(replayed(), (Texts{"new", "old behind new", "newest"}));
}

TEST_F(WriteLogTest, FileThatIsBeingWrittenIsNeverDropped) {
  {
    const auto log = open_log();
    append_text(*log, "old", 1'000'000);
    log->truncate_before(time_from_millis(5'000'000));
    append_text(*log, "more", 1'000'000);
  }
  EXPECT_EQ(replayed(), (Texts{"old", "more"}));
}

TEST_F(WriteLogTest, ErrorOfTheReaderEndsTheReplay) {
  {
    const auto log = open_log();
    append_text(*log, "one");
    append_text(*log, "two");
  }
  const auto log = open_log();
  const auto done = log->replay([](const LogRecord&) -> Result<void> { return fail(Code::kInvalid, "not mine"); });
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "not mine");
  EXPECT_GT(log->bytes(), 0u);
}

TEST_F(WriteLogTest, ThreadsLoseNoRecord) {
  {
    const auto log = open_log(4'096);
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&log, t] {
        for (int i = 0; i < 100; ++i) append_text(*log, "t" + std::to_string(t) + "-" + std::to_string(i));
      });
    }
    threads.clear();
    EXPECT_LE(log->syncs(), 400u);
  }
  Texts all = replayed();
  EXPECT_EQ(all.size(), 400u);
  std::sort(all.begin(), all.end());
  EXPECT_TRUE(std::adjacent_find(all.begin(), all.end()) == all.end());
}

TEST_F(WriteLogTest, ForeignFilesAreLeftAlone) {
  open_log().reset();
  std::ofstream(folder_ / "notes.txt") << "mine";
  std::ofstream(folder_ / "12x.log") << "mine too";
  append_text(*open_log(), "one");
  EXPECT_EQ(replayed(), (Texts{"one"}));
  EXPECT_TRUE(fs::exists(folder_ / "notes.txt"));
}

}  // namespace
}  // namespace seedance
