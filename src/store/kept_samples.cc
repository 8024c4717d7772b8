#include "store/kept_samples.h"

#include <algorithm>
#include <array>
#include <bit>

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
  void append_to(std::string& out) const { out.append(bytes_, size_); }

 private:
  char bytes_[48];
  std::size_t size_ = 0;
};

std::uint64_t get_varint(const char*& at) {
  std::uint64_t v = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto byte = static_cast<std::uint8_t>(*at++);
    v |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return v;
  }
}

std::uint64_t zigzag(std::int64_t v) { return (static_cast<std::uint64_t>(v) << 1) ^ static_cast<std::uint64_t>(v >> 63); }
std::int64_t unzigzag(std::uint64_t v) { return static_cast<std::int64_t>(v >> 1) ^ -static_cast<std::int64_t>(v & 1); }

std::uint64_t get_xor(const char*& at) {
  const auto head = static_cast<std::uint8_t>(*at++);
  std::uint64_t x = 0;
  for (int i = 0; i < (head & 15); ++i) x |= static_cast<std::uint64_t>(static_cast<std::uint8_t>(*at++)) << (8 * i);
  return (head >> 4) == 0 ? x : x << (8 * (head >> 4));
}

constexpr std::size_t kPageSeries = 256;

}  // namespace

void SampleChunk::append(Sample sample) {
  const std::int64_t step = sample.timestamp_ms - last_ms_;
  const auto bits = std::bit_cast<std::uint64_t>(sample.value);
  const bool same_step = step == step_ms_ && last_ms_ != 0;
  const bool same_value = bits == last_bits_ && last_ms_ != 0;
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
  last_ms_ = sample.timestamp_ms;
  step_ms_ = step;
  last_bits_ = bits;
}

void SampleChunk::read(std::vector<Sample>& out) const {
  std::int64_t ms = 0;
  std::int64_t step = 0;
  std::uint64_t bits = 0;
  const auto emit = [&] {
    ms += step;
    out.push_back({ms, std::bit_cast<double>(bits)});
  };
  for (const char* at = encoded_.data(); at < encoded_.data() + encoded_.size();) {
    const auto tag = static_cast<std::uint8_t>(*at++);
    if (tag == kRun) {
      for (std::uint64_t n = get_varint(at); n > 0; --n) emit();
      continue;
    }
    if (tag != kValue) step = unzigzag(get_varint(at));
    if (tag != kStep) bits ^= get_xor(at);
    emit();
  }
  for (std::uint32_t n = run_; n > 0; --n) emit();
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

void KeptSamples::add(std::uint32_t series, Sample sample) {
  Hour& hour = hour_with(sample.timestamp_ms);
  const std::size_t number = series / kPageSeries;
  if (hour.pages.size() <= number) hour.pages.resize(number + 1);
  std::size_t grown = 0;
  if (!hour.pages[number]) {
    hour.pages[number] = std::make_unique<Hour::Page>();
    grown = sizeof(Hour::Page);
  }
  SampleChunk& chunk = (*hour.pages[number])[series % kPageSeries];
  grown -= chunk.heap_bytes();
  chunk.append(sample);
  grown += chunk.heap_bytes();
  hour.bytes += grown;
  bytes_ += grown;
  ++hour.samples;
  ++samples_;
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
    if (const SampleChunk* chunk = at->second->chunk(series)) chunk->read(out);
  }
  const std::int64_t from_ms = (nanos_of(window.from) + 999'999) / 1'000'000;
  const std::int64_t to_ms = millis_of(window.to);
  std::erase_if(out, [&](const Sample& s) { return s.timestamp_ms < from_ms || s.timestamp_ms > to_ms; });
  sort_samples(out);
}

}  // namespace seedance
