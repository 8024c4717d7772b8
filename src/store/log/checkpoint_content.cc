#include "store/log/checkpoint_content.h"

#include <algorithm>

namespace seedance {
namespace {

constexpr std::uint64_t kStateVersion = 1;
constexpr std::uint64_t kPartsMax = 10'000;       // 48 hours, some spare ones of an import, and some of series
constexpr std::size_t kOwnerBytesMax = 64;
constexpr std::size_t kOwnersMax = 65'535;

void put_number(std::string& out, std::uint64_t v) {
  for (; v >= 0x80; v >>= 7) out.push_back(static_cast<char>(v | 0x80));
  out.push_back(static_cast<char>(v));
}

void put_text(std::string& out, std::string_view text) {
  put_number(out, text.size());
  out += text;
}

// Reads what the functions above wrote, from any bytes: after the first fault every answer is zero or empty and `ok` is false.
class CheckpointBytes {
 public:
  explicit CheckpointBytes(std::string_view bytes) : left_(bytes) {}

  std::uint64_t number(std::uint64_t max = UINT64_MAX) {
    std::uint64_t v = 0;
    for (unsigned shift = 0; shift < 64 && !left_.empty(); shift += 7) {
      const auto byte = static_cast<std::uint8_t>(left_.front());
      left_.remove_prefix(1);
      v |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return v <= max ? v : fault();
    }
    return fault();
  }
  std::int64_t signed_number() { return static_cast<std::int64_t>(number(INT64_MAX)); }
  std::string_view text(std::size_t max) {
    const std::size_t size = number(std::min(max, left_.size()));
    if (size > left_.size()) fault();
    const std::string_view out = left_.substr(0, ok_ ? size : 0);
    left_.remove_prefix(out.size());
    return out;
  }
  // A count of things of which each takes at least `bytes_least`: so a short input cannot ask for much memory.
  std::size_t count(std::size_t bytes_least) { return static_cast<std::size_t>(number(left_.size() / bytes_least)); }
  bool ok() const { return ok_; }
  bool is_at_end() const { return left_.empty(); }

 private:
  std::uint64_t fault() {
    ok_ = false;
    left_ = {};
    return 0;
  }

  std::string_view left_;
  bool ok_ = true;
};

bool is_hour(std::int64_t ms) { return ms % SampleChunk::kHourMs == 0; }

void read_series(CheckpointBytes& in, CheckpointState& out) {
  for (std::size_t n = in.count(2); n > 0 && in.ok(); --n) {
    NodeSeen& seen = out.nodes_seen.emplace_back();
    seen.series = static_cast<std::uint32_t>(in.number(UINT32_MAX));
    seen.newest_ms = in.signed_number();
  }
  for (std::size_t n = in.count(1); n > 0 && in.ok(); --n) out.owners.emplace_back(in.text(kOwnerBytesMax));
  for (std::size_t n = in.count(3); n > 0 && in.ok(); --n) {
    SeriesRun& run = out.series_runs.emplace_back();
    run.count = static_cast<std::uint32_t>(in.number(UINT32_MAX));
    run.owner = static_cast<std::uint16_t>(in.number(kOwnersMax));
    run.is_needed = in.number(1) == 1;
  }
}

bool is_sound(const CheckpointState& state) {
  const std::uint64_t series = state.series();
  if (series >= UINT32_MAX || state.owners.empty() || !state.owners.front().empty()) return false;
  return std::ranges::all_of(state.series_runs, [&](const SeriesRun& run) { return run.count > 0 && run.owner < state.owners.size(); }) &&
         std::ranges::all_of(state.nodes_seen, [&](const NodeSeen& seen) { return seen.series < series; }) &&
         std::ranges::all_of(state.parts, [](const CheckpointPart& part) { return is_hour(part.hour_ms); });
}

}  // namespace

std::string CheckpointPart::name() const {
  const std::string subject = hour_ms == 0 ? "series-" : "hour-" + std::to_string(hour_ms) + "-";
  return subject + std::to_string(generation) + std::string(kCheckpointPartEnd);
}

std::uint64_t CheckpointState::series() const {
  std::uint64_t sum = 0;
  for (const SeriesRun& run : series_runs) sum += run.count;
  return sum;
}

std::string encode_checkpoint_state(const CheckpointState& state) {
  std::string out;
  put_number(out, kStateVersion);
  put_number(out, state.generation);
  put_number(out, state.log_sequence);
  put_number(out, static_cast<std::uint64_t>(millis_of(state.final_before)));
  put_number(out, static_cast<std::uint64_t>(millis_of(state.watermark)));
  put_number(out, state.samples);
  put_number(out, state.parts.size());
  for (const CheckpointPart& part : state.parts) {
    put_number(out, static_cast<std::uint64_t>(part.hour_ms));
    put_number(out, part.generation);
    put_number(out, part.bytes);
  }
  put_number(out, state.nodes_seen.size());
  for (const NodeSeen& seen : state.nodes_seen) {
    put_number(out, seen.series);
    put_number(out, static_cast<std::uint64_t>(seen.newest_ms));
  }
  put_number(out, state.owners.size());
  for (const std::string& owner : state.owners) put_text(out, owner);
  put_number(out, state.series_runs.size());
  for (const SeriesRun& run : state.series_runs) {
    put_number(out, run.count);
    put_number(out, run.owner);
    put_number(out, run.is_needed ? 1 : 0);
  }
  return out;
}

std::optional<CheckpointState> decode_checkpoint_state(std::string_view frame) {
  constexpr std::int64_t kYear2262Ms = INT64_MAX / 1'000'000;
  CheckpointBytes in(frame);
  CheckpointState out;
  if (in.number() != kStateVersion) return std::nullopt;
  out.generation = in.number();
  out.log_sequence = in.number();
  out.final_before = time_from_millis(static_cast<std::int64_t>(in.number(kYear2262Ms)));
  out.watermark = time_from_millis(static_cast<std::int64_t>(in.number(kYear2262Ms)));
  out.samples = in.number();
  for (std::uint64_t n = in.number(kPartsMax); n > 0 && in.ok(); --n) {
    CheckpointPart& part = out.parts.emplace_back();
    part.hour_ms = static_cast<std::int64_t>(in.number(kYear2262Ms));
    part.generation = in.number();
    part.bytes = in.number();
  }
  read_series(in, out);
  if (!in.ok() || !in.is_at_end() || !is_sound(out)) return std::nullopt;
  return out;
}

void ChunkFrame::add(std::uint32_t series, const SampleChunk& chunk) {
  put_number(bytes_, series - next_);
  put_number(bytes_, chunk.run());
  put_text(bytes_, chunk.encoded());
  next_ = series + 1;
}

bool read_chunk_frame(std::string_view frame, const std::function<bool(std::uint32_t, SampleChunk, const SampleChunk::Extent&)>& on_chunk) {
  CheckpointBytes in(frame);
  std::uint64_t series = 0;
  while (!in.is_at_end()) {
    series += in.number(UINT32_MAX);
    const auto run = static_cast<std::uint32_t>(in.number(UINT32_MAX));
    const std::string_view encoded = in.text(frame.size());
    if (!in.ok() || series >= UINT32_MAX) return false;
    SampleChunk::Extent extent;
    std::optional<SampleChunk> chunk = SampleChunk::restore(encoded, run, extent);
    if (!chunk || !on_chunk(static_cast<std::uint32_t>(series), std::move(*chunk), extent)) return false;
    ++series;
  }
  return in.ok();
}

void add_spelling(std::string& frame, std::uint32_t series, std::string_view label_block) {
  put_number(frame, series);
  put_text(frame, label_block);
}

bool read_spelling_frame(std::string_view frame, const std::function<bool(std::uint32_t, std::string_view)>& on_spelling) {
  CheckpointBytes in(frame);
  while (!in.is_at_end()) {
    const auto series = static_cast<std::uint32_t>(in.number(UINT32_MAX));
    const std::string_view label_block = in.text(frame.size());
    if (!in.ok() || !on_spelling(series, label_block)) return false;
  }
  return in.ok();
}

}  // namespace seedance
