#include "store/log/checkpoint_content.h"

#include <gtest/gtest.h>

#include "store/log/frame_file.h"
#include "store/log/made_files.h"

namespace seedance {
namespace {

constexpr std::int64_t kCheckpointHourMs = 1'796'040'000'000;

CheckpointState some_state() {
  CheckpointState out;
  out.generation = 7;
  out.log_sequence = 12;
  out.final_before = time_from_millis(kCheckpointHourMs);
  out.watermark = time_from_millis(kCheckpointHourMs + 5'000);
  out.samples = 1'000'000'000'000;
  out.parts = {{0, 3, 100}, {0, 7, 40}, {kCheckpointHourMs, 7, 1'000}};
  out.nodes_seen = {{1, kCheckpointHourMs + 1'000}, {5, kCheckpointHourMs + 2'000}};
  out.owners = {"", "team-a", "team-b"};
  out.series_runs = {{4, 0, true}, {1, 2, false}, {70'000, 1, true}};
  return out;
}

TEST(CheckpointContentTest, StateComesBackAsItWas) {
  const CheckpointState state = some_state();
  const std::optional<CheckpointState> back = decode_checkpoint_state(encode_checkpoint_state(state));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->generation, state.generation);
  EXPECT_EQ(back->log_sequence, state.log_sequence);
  EXPECT_EQ(back->final_before, state.final_before);
  EXPECT_EQ(back->watermark, state.watermark);
  EXPECT_EQ(back->samples, state.samples);
  ASSERT_EQ(back->parts.size(), 3u);
  EXPECT_EQ(back->parts[1].name(), "series-7.part");
  EXPECT_EQ(back->parts[2].name(), "hour-1796040000000-7.part");
  EXPECT_EQ(back->parts[2].bytes, 1'000u);
  EXPECT_EQ(back->nodes_seen, state.nodes_seen);
  EXPECT_EQ(back->owners, state.owners);
  EXPECT_EQ(back->series_runs, state.series_runs);
  EXPECT_EQ(back->series(), 70'005u);
}

TEST(CheckpointContentTest, StateThatMakesNoSenseIsRefused) {
  const auto refused = [](const std::function<void(CheckpointState&)>& change) {
    CheckpointState state = some_state();
    change(state);
    return !decode_checkpoint_state(encode_checkpoint_state(state));
  };
  EXPECT_FALSE(refused([](CheckpointState&) {}));
  EXPECT_TRUE(refused([](CheckpointState& s) { s.series_runs[1].owner = 3; })) << "an owner without a name";
  EXPECT_TRUE(refused([](CheckpointState& s) { s.series_runs[1].count = 0; }));
  EXPECT_TRUE(refused([](CheckpointState& s) { s.series_runs[1].count = UINT32_MAX; })) << "more series than numbers";
  EXPECT_TRUE(refused([](CheckpointState& s) { s.nodes_seen[0].series = 70'005; })) << "a series that there is not";
  EXPECT_TRUE(refused([](CheckpointState& s) { s.parts[2].hour_ms += 1; })) << "an hour that begins between";
  EXPECT_TRUE(refused([](CheckpointState& s) { s.owners[0] = "somebody"; }));
  EXPECT_TRUE(refused([](CheckpointState& s) { s.owners[1] = std::string(65, 'x'); }));
  EXPECT_FALSE(decode_checkpoint_state(encode_checkpoint_state(some_state()) + "x"));
  EXPECT_FALSE(decode_checkpoint_state(""));
}

TEST(CheckpointContentTest, EveryShorterStateIsRefused) {
  const std::string whole = encode_checkpoint_state(some_state());
  for (std::size_t size = 0; size < whole.size(); ++size) EXPECT_FALSE(decode_checkpoint_state(whole.substr(0, size))) << size;
}

TEST(CheckpointContentTest, ChunksKeepTheirSeries) {
  SampleChunk chunk;
  for (std::int32_t i = 0; i < 10; ++i) chunk.append(i * 1'000, i < 5 ? 1 : i);
  ChunkFrame frame;
  for (const std::uint32_t series : {0U, 1U, 1'000'000U}) frame.add(series, chunk);
  std::vector<std::uint32_t> seen;
  const auto on_chunk = [&](std::uint32_t series, SampleChunk back, const SampleChunk::Extent& extent) {
    EXPECT_EQ(back.encoded(), chunk.encoded());
    EXPECT_EQ(extent.samples, 10u);
    seen.push_back(series);
    return true;
  };
  EXPECT_TRUE(read_chunk_frame(frame.bytes(), on_chunk));
  EXPECT_EQ(seen, (std::vector<std::uint32_t>{0, 1, 1'000'000}));
  EXPECT_FALSE(read_chunk_frame(frame.bytes().substr(0, frame.bytes().size() - 1), on_chunk));
}

TEST(CheckpointContentTest, SpellingsKeepTheirSeries) {
  std::string frame;
  add_spelling(frame, 3, "block of three");
  add_spelling(frame, 300'000, "");
  std::vector<std::pair<std::uint32_t, std::string>> seen;
  EXPECT_TRUE(read_spelling_frame(frame, [&](std::uint32_t series, std::string_view block) {
    seen.emplace_back(series, block);
    return true;
  }));
  EXPECT_EQ(seen, (std::vector<std::pair<std::uint32_t, std::string>>{{3, "block of three"}, {300'000, ""}}));
  EXPECT_FALSE(read_spelling_frame(frame.substr(0, 5), [](std::uint32_t, std::string_view) { return true; }));
}

TEST(FrameFileTest, FramesComeBackInOrderAndAnEmptyOneIsTheEnd) {
  ForgetfulFiles files;
  {
    FrameWriter writer = FrameWriter::create(files, "/f/a").value();
    for (const char* frame : {"one", "two"}) ASSERT_TRUE(writer.add(frame));
    ASSERT_TRUE(writer.finish());
    EXPECT_EQ(writer.bytes(), files.read("/f/a")->size());
  }
  FrameReader reader(files, "/f/a");
  EXPECT_EQ(*reader.next(), "one");
  EXPECT_EQ(*reader.next(), "two");
  EXPECT_EQ(*reader.next(), "");
}

TEST(FrameFileTest, FileThatWasNotFinishedIsDamaged) {
  ForgetfulFiles files;
  {
    FrameWriter writer = FrameWriter::create(files, "/f/a").value();
    ASSERT_TRUE(writer.add("one"));
  }
  FrameReader reader(files, "/f/a");
  EXPECT_EQ(*reader.next(), "one");
  const Result<std::string_view> end = reader.next();
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().code, Code::kInvalid);
  EXPECT_EQ(FrameReader(files, "/f/none").next().error().code, Code::kNotFound);
}

}  // namespace
}  // namespace seedance
