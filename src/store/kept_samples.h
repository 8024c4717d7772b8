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
#include <string>
#include <vector>

#include "base/units.h"
#include "model/sample.h"

namespace seedance {

// The samples of one series in one hour. Append-only; run-length and difference encoded.
class SampleChunk {
 public:
  void append(Sample sample);
  // Appends what was stored, in order of arrival.
  void read(std::vector<Sample>& out) const;
  bool is_empty() const { return run_ == 0 && encoded_.empty(); }
  std::size_t heap_bytes() const { return encoded_.capacity() > kInlineBytes ? encoded_.capacity() : 0; }

 private:
  static constexpr std::size_t kInlineBytes = 15;  // what a std::string holds without the heap

  std::int64_t last_ms_ = 0;
  std::int64_t step_ms_ = 0;
  std::uint64_t last_bits_ = 0;
  std::uint32_t run_ = 0;  // repeats of (step, same value) that are not written yet
  std::string encoded_;
};

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

  std::size_t bytes() const { return bytes_; }
  std::size_t samples() const { return samples_; }

 private:
  struct Hour;
  Hour& hour_with(std::int64_t timestamp_ms);

  std::map<TimePoint, std::unique_ptr<Hour>> hours_;
  Hour* recent_ = nullptr;  // of the last sample
  std::size_t bytes_ = 0;
  std::size_t samples_ = 0;
};

}  // namespace seedance
