// Any bytes as a file of frames and as the content of each kind of frame: no crash, no leak, no memory beyond the input; a chunk that is
// accepted has its samples inside the hour and is the same when it is written again, and series have labels that lead back to them.
#include <algorithm>

#include "base/check.h"
#include "ingest/series_table.h"
#include "store/log/checkpoint_content.h"
#include "store/log/frame_file.h"
#include "store/log/made_files.h"

namespace seedance {
namespace {

void read_frames(std::string_view input) {
  ForgetfulFiles files;
  SEEDANCE_CHECK((*files.open_append("/log/any"))->append(input, {}).has_value(), "memory file");
  FrameReader reader(files, "/log/any");
  for (Result<std::string_view> frame = reader.next(); frame && !frame->empty(); frame = reader.next()) {
  }
}

void read_chunks(std::string_view input) {
  constexpr std::uint64_t kSamplesRead = 100'000;  // a few bytes may stand for millions
  const TimePoint hour = time_from_millis(1'796'040'000'000);
  KeptSamples kept;
  std::uint64_t next = 0;
  ChunkFrame again;
  (void)read_chunk_frame(input, [&](std::uint32_t series, SampleChunk chunk, const SampleChunk::Extent& extent) {
    SEEDANCE_CHECK(series >= next, "series descend");
    next = std::uint64_t{series} + 1;
    again.add(series, chunk);
    if (extent.samples > kSamplesRead) return true;
    std::vector<Sample> samples;
    chunk.read(millis_of(hour), samples);
    SEEDANCE_CHECK(samples.size() == extent.samples, "count of samples");
    for (const Sample& s : samples) SEEDANCE_CHECK(hour_of(time_from_millis(s.timestamp_ms)) == hour, "sample outside the hour");
    // A page is made for every 256 numbers: a large one alone would take the memory of all before it.
    if (series < 10'000) kept.restore(hour, series, std::move(chunk), extent.samples);
    return true;
  });
  SEEDANCE_CHECK(read_chunk_frame(again.bytes(), [](std::uint32_t, SampleChunk, const SampleChunk::Extent&) { return true; }), "written again");
  for (const std::uint32_t series : kept.series_in({hour, hour})) kept.add(series, {millis_of(hour) + 3'599'999, 1});
}

void read_spellings(std::string_view input) {
  SeriesTable table([](std::string_view) { return true; });
  (void)read_spelling_frame(input, [&](std::uint32_t series, std::string_view label_block) {
    if (!table.restore(series, label_block)) return false;
    SEEDANCE_CHECK(table.intern(table.labels(series)) == series, print_labels(table.labels(series)));
    SEEDANCE_CHECK(table.resolve(label_block).series == series, "spelling of another series");
    return true;
  });
}

}  // namespace
}  // namespace seedance

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace seedance;  // NOLINT
  const std::string_view input(reinterpret_cast<const char*>(bytes), size);
  read_frames(input);
  read_chunks(input);
  read_spellings(input);
  if (const auto state = decode_checkpoint_state(input)) {
    SEEDANCE_CHECK(decode_checkpoint_state(encode_checkpoint_state(*state)).has_value(), "written again");
    for (const CheckpointPart& part : state->parts) SEEDANCE_CHECK(part.name().find('/') == std::string::npos, part.name());
  }
  return 0;
}
