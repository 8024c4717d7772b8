// From labels to a small integer: which series does a sample belong to?
//
// A series is a label *set*, but senders repeat a *spelling* of it thousands of times. So there are two indices over one
// store of spellings. The first finds a raw label block by its XXH3 hash and compares it byte by byte: the warm path, one
// hash and one comparison. The second finds a series by the hash of its canonical labels, so that several spellings (other
// order, empty labels) are one series; it is asked once a spelling, and holds only series whose first spelling was not the canonical
// one, which the first index finds. Labels are kept only as the first spelling that brought them and parsed again when somebody asks.
//
// Series of metrics that nobody wants are ignored by their metric name and not remembered, so their number costs nothing;
// their labels are checked, not kept. Every table has a limit. At most twice `series_max` spellings are remembered: a
// sender that shuffles its labels in every request becomes slow, not large.
//
// A series is never removed and its index never changes. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/paged_vector.h"
#include "base/result.h"
#include "ingest/arena.h"
#include "ingest/hash_index.h"
#include "ingest/label_rules.h"
#include "ingest/prometheus_write.h"
#include "model/sample.h"

namespace seedance {

struct SeriesLimits {
  std::size_t series_max = 2'000'000;
  std::size_t series_per_metric_max = 1'000'000;
  std::size_t bytes_max = std::size_t{2} * 1024 * 1024 * 1024;
  LabelLimits labels = {};
};

// What one caller may add to the table.
struct SeriesRoom {
  std::string_view owner = {};         // for the message
  std::size_t series_left = SIZE_MAX;
  std::size_t labels_max = SIZE_MAX;
};

// The label of a set of series that tells most of them apart: what explodes when there are too many.
struct BusiestLabel {
  std::string name;        // empty: no labels
  std::size_t values = 0;  // different ones
};
BusiestLabel busiest_label(std::span<const std::string_view> label_blocks);

struct Resolved {
  enum class Kind : std::uint8_t { kSeries, kIgnored, kInvalid, kOverLimit };
  Kind kind = Kind::kIgnored;
  std::uint32_t series = 0;  // only for kSeries
};

// Of canonical labels; the same in every process.
std::uint64_t hash_of_labels(const Labels& canonical);

struct MetricSeriesCount {
  std::string metric;
  std::size_t series = 0;
};

class SeriesTable {
 public:
  // `wanted` answers whether anything reads the metric of this name.
  explicit SeriesTable(std::function<bool(std::string_view)> wanted, SeriesLimits limits = {});

  // `label_block` as `decode_write_request` gives it. After kInvalid and kOverLimit `last_error()` says why, and names
  // the metric.
  Resolved resolve(std::string_view label_block, const SeriesRoom& room = {});
  // The warm path for a whole request: `series[i]` becomes the series of `request[i]`, or kUnknown where `resolve` has to be
  // asked. The look-ups of a large table overlap here, so this is up to twice as fast as asking one by one.
  // kNotWanted: the spelling was found sound, and its metric unwanted, not long ago.
  static constexpr std::uint32_t kUnknown = HashIndex::kNone;
  static constexpr std::uint32_t kNotWanted = kUnknown - 1;
  void find_known(std::span<const DecodedSeries> request, std::vector<std::uint32_t>& series) const;
  // The same as the first for labels that are canonical already (see canonicalise_labels), from the formats that have no raw block.
  Resolved resolve(const Labels& canonical);
  const Error& last_error() const { return last_error_; }

  // The series with these canonical labels, or kUnknown.
  std::uint32_t find(const Labels& canonical) const;

  // Of the newest series of a metric, at most a thousand.
  BusiestLabel busiest_label_of(std::string_view metric) const;

  // The index of canonical labels, made when new: no filter and no limit. For the replay of what was accepted before.
  std::uint32_t intern(const Labels& canonical);

  Labels labels(std::uint32_t series) const;
  std::string_view metric_name(std::uint32_t series) const;
  std::size_t size() const { return series_.size(); }

  // All spellings in the order in which they came, for a checkpoint; a series' first one comes before its others, and series begin in the
  // order of their numbers.
  struct Spelling {
    std::string_view label_block;
    std::uint32_t series = 0;
  };
  std::size_t spellings() const { return blocks_.size(); }
  Spelling spelling(std::size_t index) const { return {blocks_[index].view(), blocks_[index].series}; }
  // Puts a spelling back, without filter and limits: of the next series, or one more of an earlier one; returns its labels. kInvalid when it
  // cannot be that.
  Result<Labels> restore(std::uint32_t series, std::string_view label_block);
  std::size_t bytes() const;  // an estimate of all memory held, within a few per cent

  std::size_t series_of_metric(std::string_view metric) const;
  std::vector<MetricSeriesCount> largest_metrics(std::size_t count) const;  // most series first, ties by name

 private:
  struct Block {
    const char* bytes = nullptr;
    std::uint32_t size = 0;
    std::uint32_t series = 0;
    std::string_view view() const { return {bytes, size}; }
  };

  std::uint32_t find_block(std::string_view label_block, std::uint64_t hash) const;
  Resolved resolve_new_block(std::string_view label_block, std::uint64_t hash, const SeriesRoom& room);
  bool was_not_wanted(std::uint64_t hash) const { return !not_wanted_.empty() && not_wanted_[hash % kNotWantedSlots] == hash; }
  bool has_room(std::string_view metric, const SeriesRoom& room);
  const BusiestLabel& remembered_busiest_label(std::string_view metric);
  std::uint32_t find_series(const Labels& canonical, std::string_view canonical_block) const;
  std::uint32_t add_series(std::string_view metric, std::string_view canonical_block, std::string_view first_spelling);
  void add_block(std::string_view label_block, std::uint64_t hash, std::uint32_t series);

  std::function<bool(std::string_view)> wanted_;
  SeriesLimits limits_;
  Error last_error_;
  // Looked for again when the table has grown by a tenth: a table that is full is asked the same thing with every request.
  std::map<std::string, BusiestLabel, std::less<>> busiest_labels_;
  std::size_t busiest_at_size_ = 0;

  Arena<char> block_text_;
  PagedVector<Block> blocks_;
  HashIndex block_index_;              // by the bytes of a spelling
  // Hashes of sound spellings that nobody wants, the newest of each slot: half a mebibyte, whatever comes. A collision costs the
  // check of an unwanted series.
  static constexpr std::size_t kNotWantedSlots = std::size_t{1} << 16;
  std::vector<std::uint64_t> not_wanted_;
  PagedVector<std::uint32_t> series_;  // the block of the first spelling
  HashIndex series_index_;             // by the bytes of the canonical spelling, where the first one was another
  std::map<std::string, std::uint32_t, std::less<>> metric_counts_;
};

}  // namespace seedance
