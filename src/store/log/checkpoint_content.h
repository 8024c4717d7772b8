// What stands in the frames of a checkpoint: bytes to structs and back.
//
// A checkpoint is a state (the file `checkpoint`, one frame) and the parts that it names: one a hour with the chunks of its series, and one or
// more with the spellings of the series. A part is written once under a name of its own, so that an hour which did not change since the
// last checkpoint keeps its file. Readers take any bytes: false or nullopt, never a crash, and no more memory than a small multiple
// of the input.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "store/kept_samples.h"

namespace seedance {

inline constexpr std::string_view kCheckpointFile = "checkpoint";
inline constexpr std::string_view kCheckpointPartEnd = ".part";

struct CheckpointPart {
  std::int64_t hour_ms = 0;      // of the chunks; 0 is a part of series
  std::uint64_t generation = 0;  // of the checkpoint that wrote it
  std::uint64_t bytes = 0;       // of the file
  std::string name() const;      // "hour-<ms>-<generation>.part", "series-<generation>.part"
};

struct NodeSeen {
  std::uint32_t series = 0;
  std::int64_t newest_ms = 0;
  friend bool operator==(const NodeSeen&, const NodeSeen&) = default;
};

// How many series in a row have the same owner, an index of `owners`, and are needed: named by a chunk or by `nodes_seen`.
struct SeriesRun {
  std::uint32_t count = 0;
  std::uint16_t owner = 0;
  bool is_needed = false;
  friend bool operator==(const SeriesRun&, const SeriesRun&) = default;
};

struct CheckpointState {
  std::uint64_t generation = 0;
  std::uint64_t log_sequence = 0;  // of the first log file that is not in it
  TimePoint final_before{};
  TimePoint watermark{};
  std::uint64_t samples = 0;
  std::vector<CheckpointPart> parts;   // of series in the order of their numbers, then of hours
  std::vector<NodeSeen> nodes_seen;    // ascending
  std::vector<std::string> owners;     // the first is nobody's, the empty text
  std::vector<SeriesRun> series_runs;  // from series 0 on

  std::uint64_t series() const;
};

std::string encode_checkpoint_state(const CheckpointState& state);
std::optional<CheckpointState> decode_checkpoint_state(std::string_view frame);

// Puts chunks of ascending series into frames.
class ChunkFrame {
 public:
  void add(std::uint32_t series, const SampleChunk& chunk);
  const std::string& bytes() const { return bytes_; }
  void clear() { *this = {}; }

 private:
  std::string bytes_;
  std::uint32_t next_ = 0;  // series are told by their distance to it
};
// False when the bytes are not a frame of chunks or `on_chunk` answers false.
bool read_chunk_frame(std::string_view frame, const std::function<bool(std::uint32_t series, SampleChunk chunk, const SampleChunk::Extent&)>& on_chunk);

// A spelling of a series' labels; the first one of a series makes it.
void add_spelling(std::string& frame, std::uint32_t series, std::string_view label_block);
bool read_spelling_frame(std::string_view frame, const std::function<bool(std::uint32_t series, std::string_view label_block)>& on_spelling);

}  // namespace seedance
