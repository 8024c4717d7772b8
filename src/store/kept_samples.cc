#include "store/kept_samples.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string>

#include "base/check.h"

namespace seedance {
namespace {

// One record is a tag byte and what it announces:
//   kRun     varint n              n samples more, each one step later, same value
//   kStep    zigzag step           the step changes; a sample with the same value
//   kValue   xor of the value      a sample one step later with another value
//   kBoth    zigzag step, xor      both change
// The xor is stored as count of leading zero bytes (high nibble of the tag), count of trailing zero bytes (next byte) and the rest.
enum Tag : std::uint8_t { kRun = 0, kStep = 1, kValue = 2, kBoth = 3 };

// What one append writes, put together on the stack: a tag, a varint, the bytes of a value; before it a run.
class RecordBytes {
 public:
  void byte(std::uint64_t v) { bytes_[size_++] = static_cast<char>(v); }
  void varint(std::uint64_t v) {
    for (; v >= 0x80; v >>= 7) byte(v | 0x80);
    byte(v);
  }
  // The differing bytes of two doubles, without the zero bytes at either end.
  void xored(std::uint64_t x) {
    const int low = x == 0 ? 0 : std::countr_zero(x) / 8;
    const int size = x == 0 ? 0 : 8 - std::countl_zero(x) / 8 - low;
    byte(static_cast<std::uint64_t>(low << 4 | size));
    x >>= 8 * low;
    for (int i = 0; i < size; ++i, x >>= 8) byte(x);
  }
  void append_to(PackedBytes& out) const { out.append({bytes_, size_}); }

 private:
  char bytes_[48];
  std::size_t size_ = 0;
};

std::uint64_t zigzag(std::int64_t v) { return (static_cast<std::uint64_t>(v) << 1) ^ static_cast<std::uint64_t>(v >> 63); }
std::int64_t unzigzag(std::uint64_t v) { return static_cast<std::int64_t>(v >> 1) ^ -static_cast<std::int64_t>(v & 1); }

// Reads the records one by one. Bytes of our own are whole; of others `ok` says whether they were.
class RecordReader {
 public:
  explicit RecordReader(std::string_view bytes) : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  // Of a record: a run of `repeats`, or one sample with what changed.
  struct Record {
    std::uint64_t repeats = 0;
    std::int64_t step = 0;  // unless the tag is kValue
    std::uint64_t xored = 0;
    std::uint8_t tag = kRun;
  };
  bool next(Record& record) {
    if (at_ == end_) return false;
    record.tag = byte();
    if (record.tag > kBoth) ok_ = false;
    if (record.tag == kRun) record.repeats = varint();
    if (record.tag == kStep || record.tag == kBoth) record.step = unzigzag(varint());
    if (record.tag == kValue || record.tag == kBoth) record.xored = xored();
    return ok_;
  }
  bool ok() const { return ok_; }

 private:
  std::uint8_t byte() {
    if (at_ == end_) {
      ok_ = false;
      return 0;
    }
    return static_cast<std::uint8_t>(*at_++);
  }
  std::uint64_t varint() {
    std::uint64_t v = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint8_t b = byte();
      v |= static_cast<std::uint64_t>(b & 0x7f) << shift;
      if (b < 0x80) return v;
    }
    ok_ = false;
    return 0;
  }
  std::uint64_t xored() {
    const std::uint8_t head = byte();
    const int size = head & 15;
    const int low = head >> 4;
    if (size + low > 8) {
      ok_ = false;
      return 0;
    }
    std::uint64_t x = 0;
    for (int i = 0; i < size; ++i) x |= static_cast<std::uint64_t>(byte()) << (8 * (low + i));
    return x;
  }

  const char* at_;
  const char* end_;
  bool ok_ = true;
};

constexpr std::size_t kPageSeries = 256;

}  // namespace

bool SampleChunk::append(std::int32_t since_hour_ms, double value) {
  const bool is_first = encoded_.is_empty();
  const std::int32_t step = since_hour_ms - last_ms_;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const bool same_step = step == step_ms_ && !is_first;
  const bool same_value = bits == last_bits_ && !is_first;
  if (step == 0 && same_value) return false;
  if (same_step && same_value) {
    ++run_;
  } else {
    RecordBytes record;
    if (run_ > 0) {
      record.byte(kRun);
      record.varint(run_);
      run_ = 0;
    }
    record.byte(same_step ? kValue : same_value ? kStep : kBoth);
    if (!same_step) record.varint(zigzag(step));
    if (!same_value) record.xored(bits ^ last_bits_);
    record.append_to(encoded_);
  }
  last_ms_ = since_hour_ms;
  step_ms_ = step;
  last_bits_ = bits;
  return true;
}

void SampleChunk::read(std::int64_t hour_ms, std::vector<Sample>& out) const {
  std::int64_t ms = hour_ms;
  std::int64_t step = 0;
  std::uint64_t bits = 0;
  const auto emit = [&] {
    ms += step;
    out.push_back({ms, std::bit_cast<double>(bits)});
  };
  RecordReader reader(encoded_.view());
  for (RecordReader::Record record; reader.next(record);) {
    if (record.tag == kRun) {
      for (std::uint64_t n = record.repeats; n > 0; --n) emit();
      continue;
    }
    if (record.tag != kValue) step = record.step;
    if (record.tag != kStep) bits ^= record.xored;
    emit();
  }
  for (std::uint32_t n = run_; n > 0; --n) emit();
}

// Runs are checked by their ends, so that the cost is that of the bytes and not of the samples.
std::optional<SampleChunk> SampleChunk::restore(std::string_view encoded, std::uint32_t run, Extent& extent) {
  SampleChunk out;
  std::int64_t ms = 0;
  std::int64_t step = 0;
  extent = {};
  const auto go = [&](std::uint64_t count) {
    if (count == 0 || count > kHourMs || step < -kHourMs || step > kHourMs) return false;
    for (const std::int64_t at : {ms + step, ms + step * static_cast<std::int64_t>(count)}) {
      if (at < 0 || at >= kHourMs) return false;
      extent.first_ms = std::min(extent.first_ms, static_cast<std::int32_t>(at));
      extent.last_ms = std::max(extent.last_ms, static_cast<std::int32_t>(at));
    }
    ms += step * static_cast<std::int64_t>(count);
    extent.samples += count;
    return true;
  };
  // A run repeats a sample before it, and moves on: `append` writes no other.
  const auto go_run = [&](std::uint64_t count) { return extent.samples > 0 && step != 0 && go(count); };
  RecordReader reader(encoded);
  for (RecordReader::Record record; reader.next(record);) {
    if (record.tag == kRun) {
      if (!go_run(record.repeats)) return std::nullopt;
      continue;
    }
    if (record.tag != kValue) step = record.step;
    if (record.tag != kStep) out.last_bits_ ^= record.xored;
    if (!go(1)) return std::nullopt;
  }
  if (!reader.ok() || extent.samples == 0 || (run > 0 && !go_run(run))) return std::nullopt;
  out.last_ms_ = static_cast<std::int32_t>(ms);
  out.step_ms_ = static_cast<std::int32_t>(step);
  out.run_ = run;
  out.encoded_ = PackedBytes(encoded);
  return out;
}

// Series are numbered in the order in which they were first seen, and a scrape brings them in that order again: pages of
// neighbours, so that a body's samples go to memory that lies together.
struct KeptSamples::Hour {
  using Page = std::array<SampleChunk, kPageSeries>;
  std::int64_t from_ms = 0;
  std::int64_t to_ms = 0;
  std::vector<std::unique_ptr<Page>> pages;
  std::size_t bytes = 0;
  std::size_t samples = 0;

  const SampleChunk* chunk(std::uint32_t series) const {
    const std::size_t page = series / kPageSeries;
    return page < pages.size() && pages[page] ? &(*pages[page])[series % kPageSeries] : nullptr;
  }
};

KeptSamples::KeptSamples() = default;
KeptSamples::~KeptSamples() = default;

KeptSamples::Hour& KeptSamples::hour_with(std::int64_t timestamp_ms) {
  if (recent_ != nullptr && timestamp_ms >= recent_->from_ms && timestamp_ms < recent_->to_ms) return *recent_;
  const TimePoint start = hour_of(time_from_millis(timestamp_ms));
  std::unique_ptr<Hour>& hour = hours_[start];
  if (!hour) {
    hour = std::make_unique<Hour>();
    hour->from_ms = millis_of(start);
    hour->to_ms = hour->from_ms + 3'600'000;
  }
  recent_ = hour.get();
  return *hour;
}

SampleChunk& KeptSamples::chunk_of(Hour& hour, std::uint32_t series) {
  const std::size_t number = series / kPageSeries;
  if (hour.pages.size() <= number) hour.pages.resize(number + 1);
  if (!hour.pages[number]) {
    hour.pages[number] = std::make_unique<Hour::Page>();
    hour.bytes += sizeof(Hour::Page);
    bytes_ += sizeof(Hour::Page);
  }
  return (*hour.pages[number])[series % kPageSeries];
}

void KeptSamples::add(std::uint32_t series, Sample sample) {
  Hour& hour = hour_with(sample.timestamp_ms);
  SampleChunk& chunk = chunk_of(hour, series);
  const std::size_t before = chunk.heap_bytes();
  if (!chunk.append(static_cast<std::int32_t>(sample.timestamp_ms - hour.from_ms), sample.value)) return;
  const std::size_t grown = chunk.heap_bytes() - before;
  hour.bytes += grown;
  bytes_ += grown;
  ++hour.samples;
  ++samples_;
}

void KeptSamples::chunks_of(TimePoint hour, std::uint32_t first, std::uint32_t count,
                            const std::function<void(std::uint32_t, const SampleChunk&)>& on_chunk) const {
  const auto at = hours_.find(hour);
  if (at == hours_.end()) return;
  for (std::uint32_t series = first; series < first + count; ++series) {
    const SampleChunk* chunk = at->second->chunk(series);
    if (chunk != nullptr && !chunk->is_empty()) on_chunk(series, *chunk);
  }
}

std::uint32_t KeptSamples::series_end(TimePoint hour) const {
  const auto at = hours_.find(hour);
  return at == hours_.end() ? 0 : static_cast<std::uint32_t>(at->second->pages.size() * kPageSeries);
}

std::size_t KeptSamples::samples_of(TimePoint hour) const {
  const auto at = hours_.find(hour);
  return at == hours_.end() ? 0 : at->second->samples;
}

bool KeptSamples::has_samples(std::uint32_t series) const {
  return std::ranges::any_of(hours_, [&](const auto& hour) {
    const SampleChunk* chunk = hour.second->chunk(series);
    return chunk != nullptr && !chunk->is_empty();
  });
}

void KeptSamples::restore(TimePoint at, std::uint32_t series, SampleChunk chunk, std::uint64_t samples) {
  Hour& hour = hour_with(millis_of(at));
  SampleChunk& place = chunk_of(hour, series);
  SEEDANCE_CHECK(place.is_empty(), "series has samples already: " + std::to_string(series));
  place = std::move(chunk);
  hour.bytes += place.heap_bytes();
  bytes_ += place.heap_bytes();
  hour.samples += samples;
  samples_ += samples;
}

std::vector<TimePoint> KeptSamples::hours() const {
  std::vector<TimePoint> out;
  for (const auto& [hour, chunks] : hours_) out.push_back(hour);
  return out;
}

void KeptSamples::drop_hour(TimePoint hour) {
  const auto at = hours_.find(hour);
  if (at == hours_.end()) return;
  if (recent_ == at->second.get()) recent_ = nullptr;
  bytes_ -= at->second->bytes;
  samples_ -= at->second->samples;
  hours_.erase(at);
}

std::vector<std::uint32_t> KeptSamples::series_in(Interval window) const {
  std::vector<std::uint32_t> out;
  for (auto at = hours_.lower_bound(hour_of(window.from)); at != hours_.end() && at->first <= window.to; ++at) {
    for (std::size_t page = 0; page < at->second->pages.size(); ++page) {
      if (!at->second->pages[page]) continue;
      for (std::size_t i = 0; i < kPageSeries; ++i) {
        if (!(*at->second->pages[page])[i].is_empty()) out.push_back(static_cast<std::uint32_t>(page * kPageSeries + i));
      }
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

void KeptSamples::read(std::uint32_t series, Interval window, std::vector<Sample>& out) const {
  out.clear();
  for (auto at = hours_.lower_bound(hour_of(window.from)); at != hours_.end() && at->first <= window.to; ++at) {
    if (const SampleChunk* chunk = at->second->chunk(series)) chunk->read(at->second->from_ms, out);
  }
  const std::int64_t from_ms = (nanos_of(window.from) + 999'999) / 1'000'000;
  const std::int64_t to_ms = millis_of(window.to);
  std::erase_if(out, [&](const Sample& s) { return s.timestamp_ms < from_ms || s.timestamp_ms > to_ms; });
  sort_samples(out);
}

}  // namespace seedance
