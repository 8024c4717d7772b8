// The accepted samples of the hours that can still change, compressed, by hour and series.
//
// Recomputing an hour from these is the truth of the ledger. Samples may come in any order and more than once; reading sorts
// them and counts a time stamp once. A series that repeats its value at a steady interval costs a few bytes an hour however
// often it is scraped; a counter about six bytes a sample. Not thread-safe: the owner locks.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "model/sample.h"
#include "store/packed_bytes.h"

namespace seedance {

// The samples of one series in one hour. Append-only; run-length and difference encoded. Times are milliseconds since the hour began.
class SampleChunk {
 public:
  static constexpr std::int32_t kHourMs = 3'600'000;

  // False when it is the sample before once more; then nothing changes. `since_hour_ms` in [0, kHourMs).
  bool append(std::int32_t since_hour_ms, double value);
  // Appends what was stored, in order of arrival.
  void read(std::int64_t hour_ms, std::vector<Sample>& out) const;
  bool is_empty() const { return encoded_.is_empty(); }
  std::size_t heap_bytes() const { return encoded_.heap_bytes(); }

  // What a checkpoint keeps of a chunk, and the chunk that it was.
  std::string_view encoded() const { return encoded_.view(); }
  std::uint32_t run() const { return run_; }
  struct Extent {
    std::int32_t first_ms = kHourMs;  // the earliest and the latest sample
    std::int32_t last_ms = 0;
    std::uint64_t samples = 0;
  };
  // From bytes that anybody may have written: nullopt unless every record is whole and every sample inside the hour.
  static std::optional<SampleChunk> restore(std::string_view encoded, std::uint32_t run, Extent& extent);

 private:
  std::uint64_t last_bits_ = 0;
  std::int32_t last_ms_ = 0;
  std::int32_t step_ms_ = 0;
  std::uint32_t run_ = 0;  // repeats of (step, same value) that are not written yet
  PackedBytes encoded_;
};
static_assert(sizeof(SampleChunk) == 48);

class KeptSamples {
 public:
  KeptSamples();
  ~KeptSamples();

  void add(std::uint32_t series, Sample sample);

  // The hours that hold samples, oldest first.
  std::vector<TimePoint> hours() const;
  void drop_hour(TimePoint hour);

  // Series with samples in the hours that touch `window`, ascending.
  std::vector<std::uint32_t> series_in(Interval window) const;
  // The samples of a series inside `window` (from inclusive, to inclusive), sorted, one per time stamp. Replaces `out`.
  void read(std::uint32_t series, Interval window, std::vector<Sample>& out) const;

  // For a checkpoint: the chunks of `hour` of the series from `first` on, `count` of them at most, ascending; the samples that `hour` was
  // given so far; and a chunk put back. Series without samples in the hour are left out.
  void chunks_of(TimePoint hour, std::uint32_t first, std::uint32_t count, const std::function<void(std::uint32_t, const SampleChunk&)>& on_chunk) const;
  std::uint32_t series_end(TimePoint hour) const;  // all of the hour's series are below
  std::size_t samples_of(TimePoint hour) const;
  bool has_samples(std::uint32_t series) const;
  // The series has no samples in the hour yet.
  void restore(TimePoint hour, std::uint32_t series, SampleChunk chunk, std::uint64_t samples);

  std::size_t bytes() const { return bytes_; }
  std::size_t samples() const { return samples_; }

 private:
  struct Hour;
  SampleChunk& chunk_of(Hour& hour, std::uint32_t series);
  Hour& hour_with(std::int64_t timestamp_ms);

  std::map<TimePoint, std::unique_ptr<Hour>> hours_;
  Hour* recent_ = nullptr;  // of the last sample
  std::size_t bytes_ = 0;
  std::size_t samples_ = 0;
};

}  // namespace seedance
