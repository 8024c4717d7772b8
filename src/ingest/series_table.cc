#include "ingest/series_table.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include <xxhash.h>

#include "base/check.h"

namespace seedance {
namespace {

std::uint64_t hash_of_block(std::string_view block) { return XXH3_64bits(block.data(), block.size()); }

constexpr std::size_t kCacheLineBytes = 64;

// What is in the table was checked when it came in.
constexpr LabelLimits kNoLabelLimits{SIZE_MAX, SIZE_MAX, SIZE_MAX};

}  // namespace

std::uint64_t hash_of_labels(const Labels& canonical) { return hash_of_block(encode_label_block(canonical)); }

SeriesTable::SeriesTable(std::function<bool(std::string_view)> wanted, SeriesLimits limits)
    : wanted_(std::move(wanted)), limits_(limits) {}

Resolved SeriesTable::resolve(std::string_view label_block, const SeriesRoom& room) {
  const std::uint64_t hash = hash_of_block(label_block);
  const std::uint32_t known = find_block(label_block, hash);
  if (known != HashIndex::kNone) return {Resolved::Kind::kSeries, blocks_[known].series};
  return resolve_new_block(label_block, hash, room);
}

// In groups, three rounds each: fetch the slots, fetch the blocks they point to, fetch the bytes; then compare.
void SeriesTable::find_known(std::span<const DecodedSeries> request, std::vector<std::uint32_t>& series) const {
  constexpr std::size_t kGroup = 16;
  std::array<std::uint64_t, kGroup> hashes{};
  std::array<std::uint32_t, kGroup> likely{};
  series.clear();
  while (!request.empty()) {
    const auto group = request.first(std::min(kGroup, request.size()));
    request = request.subspan(group.size());
    for (std::size_t i = 0; i < group.size(); ++i) {
      hashes[i] = hash_of_block(group[i].label_block);
      block_index_.prefetch(hashes[i]);
    }
    for (std::size_t i = 0; i < group.size(); ++i) {
      likely[i] = block_index_.find(hashes[i], [](std::uint32_t) { return true; });
      if (likely[i] != HashIndex::kNone) __builtin_prefetch(&blocks_[likely[i]]);
    }
    for (std::size_t i = 0; i < group.size(); ++i) {
      if (likely[i] == HashIndex::kNone) continue;
      const std::string_view bytes = blocks_[likely[i]].view();
      for (std::size_t line = 0; line < bytes.size(); line += kCacheLineBytes) __builtin_prefetch(bytes.data() + line);
    }
    for (std::size_t i = 0; i < group.size(); ++i) {
      const std::uint32_t known = likely[i] == HashIndex::kNone ? HashIndex::kNone : find_block(group[i].label_block, hashes[i]);
      series.push_back(known != HashIndex::kNone ? blocks_[known].series : was_not_wanted(hashes[i]) ? kNotWanted : kUnknown);
    }
  }
}

std::uint32_t SeriesTable::find_block(std::string_view label_block, std::uint64_t hash) const {
  return block_index_.find(hash, [&](std::uint32_t index) { return blocks_[index].view() == label_block; });
}

Resolved SeriesTable::resolve_new_block(std::string_view label_block, std::uint64_t hash, const SeriesRoom& room) {
  LabelLimits label_limits = limits_.labels;
  label_limits.labels_max = std::min(label_limits.labels_max, room.labels_max);
  const std::string_view metric = metric_name_of_block(label_block);
  const bool is_ignored = !metric.empty() && !wanted_(metric);
  // Nobody reads it, but a sender must hear that its series is invalid.
  if (is_ignored && is_plainly_sound(label_block, label_limits)) {
    not_wanted_.resize(kNotWantedSlots);
    not_wanted_[hash % kNotWantedSlots] = hash;
    return {Resolved::Kind::kIgnored, 0};
  }
  const Result<Labels> labels = parse_label_block(label_block, label_limits);
  if (!labels) {
    last_error_ = labels.error();
    return {Resolved::Kind::kInvalid, 0};
  }
  if (is_ignored) return {Resolved::Kind::kIgnored, 0};
  const std::string canonical_block = encode_label_block(*labels);
  const std::uint32_t known = find_series(*labels, canonical_block);
  if (known != HashIndex::kNone) {
    if (blocks_.size() < 2 * limits_.series_max && bytes() < limits_.bytes_max) add_block(label_block, hash, known);
    return {Resolved::Kind::kSeries, known};
  }
  if (!has_room(metric, room)) return {Resolved::Kind::kOverLimit, 0};
  return {Resolved::Kind::kSeries, add_series(metric, canonical_block, label_block)};
}

Resolved SeriesTable::resolve(const Labels& canonical) {
  const std::string_view metric = label_value(canonical, kMetricNameLabel);
  if (!wanted_(metric)) return {Resolved::Kind::kIgnored, 0};
  const std::string canonical_block = encode_label_block(canonical);
  const std::uint32_t known = find_series(canonical, canonical_block);
  if (known != HashIndex::kNone) return {Resolved::Kind::kSeries, known};
  if (!has_room(metric, {})) return {Resolved::Kind::kOverLimit, 0};
  return {Resolved::Kind::kSeries, add_series(metric, canonical_block, canonical_block)};
}

std::uint32_t SeriesTable::find(const Labels& canonical) const { return find_series(canonical, encode_label_block(canonical)); }

std::uint32_t SeriesTable::intern(const Labels& canonical) {
  const std::string canonical_block = encode_label_block(canonical);
  const std::uint32_t known = find_series(canonical, canonical_block);
  if (known != HashIndex::kNone) return known;
  return add_series(label_value(canonical, kMetricNameLabel), canonical_block, canonical_block);
}

Result<Labels> SeriesTable::restore(std::uint32_t series, std::string_view label_block) {
  TRY_ASSIGN(Labels labels, parse_label_block(label_block, kNoLabelLimits));
  const std::string canonical_block = encode_label_block(labels);
  const std::uint32_t known = find_series(labels, canonical_block);
  const bool is_new = series == size() && known == HashIndex::kNone;
  const bool is_other = series < size() && known == series && find_block(label_block, hash_of_block(label_block)) == HashIndex::kNone;
  if (!is_new && !is_other) return fail(Code::kInvalid, "spelling of a series out of its place", "");
  if (is_new) {
    add_series(label_value(labels, kMetricNameLabel), canonical_block, label_block);
  } else {
    add_block(label_block, hash_of_block(label_block), series);
  }
  return labels;
}

BusiestLabel busiest_label(std::span<const std::string_view> label_blocks) {
  std::map<std::string, std::set<std::string>, std::less<>> values;
  for (const std::string_view block : label_blocks) {
    const Result<Labels> labels = parse_label_block(block, kNoLabelLimits);
    if (!labels) continue;
    for (const Label& label : *labels) {
      if (label.name != kMetricNameLabel) values[label.name].insert(label.value);
    }
  }
  BusiestLabel out;
  for (const auto& [name, different] : values) {
    if (different.size() > out.values) out = {name, different.size()};
  }
  return out;
}

BusiestLabel SeriesTable::busiest_label_of(std::string_view metric) const {
  constexpr std::size_t kLookedAt = 20'000;
  constexpr std::size_t kOfMetricMax = 1'000;
  std::vector<std::string_view> blocks;
  for (std::size_t i = series_.size(); i > 0 && series_.size() - i < kLookedAt && blocks.size() < kOfMetricMax; --i) {
    const std::string_view block = blocks_[series_[i - 1]].view();
    if (metric_name_of_block(block) == metric) blocks.push_back(block);
  }
  return busiest_label(blocks);
}

const BusiestLabel& SeriesTable::remembered_busiest_label(std::string_view metric) {
  if (series_.size() > busiest_at_size_ + busiest_at_size_ / 10) {
    busiest_labels_.clear();
    busiest_at_size_ = series_.size();
  }
  const auto known = busiest_labels_.find(metric);
  if (known != busiest_labels_.end()) return known->second;
  return busiest_labels_.emplace(std::string(metric), busiest_label_of(metric)).first->second;
}

bool SeriesTable::has_room(std::string_view metric, const SeriesRoom& room) {
  const std::size_t of_metric = series_of_metric(metric);
  std::string limit;
  if (room.series_left == 0) limit = "too many series of tenant " + text_for_message(room.owner);
  if (series_.size() >= limits_.series_max) limit = "too many series";
  if (of_metric >= limits_.series_per_metric_max) limit = "too many series of one metric";
  if (bytes() >= limits_.bytes_max) limit = "series table has reached its memory limit";
  if (limit.empty()) return true;
  MetricSeriesCount most;
  for (const auto& [name, count] : metric_counts_) {
    if (count > most.series) most = {name, count};
  }
  const BusiestLabel label = most.metric.empty() ? BusiestLabel{} : remembered_busiest_label(most.metric);
  last_error_ = Error{Code::kExhausted,
                      limit + ": refused a new series of metric " + text_for_message(metric) + " with " + std::to_string(of_metric) + " series, most series has " +
                          text_for_message(most.metric) + " with " + std::to_string(most.series) + ", told apart by label " + text_for_message(label.name) + " with " +
                          std::to_string(label.values) + " values in the newest thousand",
                      "drop a label that changes all the time at the sender, or raise the limit"};
  return false;
}

std::uint32_t SeriesTable::find_series(const Labels& canonical, std::string_view canonical_block) const {
  const std::uint64_t hash = hash_of_block(canonical_block);
  if (const std::uint32_t block = find_block(canonical_block, hash); block != HashIndex::kNone) return blocks_[block].series;
  return series_index_.find(hash, [&](std::uint32_t index) { return labels(index) == canonical; });
}

std::uint32_t SeriesTable::add_series(std::string_view metric, std::string_view canonical_block, std::string_view first_spelling) {
  const auto index = static_cast<std::uint32_t>(series_.size());
  series_.push_back(static_cast<std::uint32_t>(blocks_.size()));
  if (first_spelling != canonical_block) series_index_.insert(hash_of_block(canonical_block), index);
  add_block(first_spelling, hash_of_block(first_spelling), index);
  const auto counted = metric_counts_.find(metric);
  if (counted == metric_counts_.end()) {
    metric_counts_.emplace(metric, 1U);
  } else {
    ++counted->second;
  }
  return index;
}

void SeriesTable::add_block(std::string_view label_block, std::uint64_t hash, std::uint32_t series) {
  const auto kept = block_text_.copy({label_block.data(), label_block.size()});
  block_index_.insert(hash, static_cast<std::uint32_t>(blocks_.size()));
  blocks_.push_back({kept.data(), static_cast<std::uint32_t>(kept.size()), series});
}

Labels SeriesTable::labels(std::uint32_t series) const {
  SEEDANCE_CHECK(series < series_.size(), "no such series: " + std::to_string(series));
  Result<Labels> parsed = parse_label_block(blocks_[series_[series]].view(), kNoLabelLimits);
  SEEDANCE_CHECK(parsed.has_value(), parsed.error().message);
  return std::move(*parsed);
}

std::string_view SeriesTable::metric_name(std::uint32_t series) const {
  SEEDANCE_CHECK(series < series_.size(), "no such series: " + std::to_string(series));
  return metric_name_of_block(blocks_[series_[series]].view());
}

std::size_t SeriesTable::bytes() const {
  constexpr std::size_t kMapNodeBytes = 128;
  return block_text_.bytes() + blocks_.bytes() + block_index_.bytes() + series_.bytes() + series_index_.bytes() +
         metric_counts_.size() * kMapNodeBytes;
}

std::size_t SeriesTable::series_of_metric(std::string_view metric) const {
  const auto found = metric_counts_.find(metric);
  return found == metric_counts_.end() ? 0 : found->second;
}

std::vector<MetricSeriesCount> SeriesTable::largest_metrics(std::size_t count) const {
  std::vector<MetricSeriesCount> all;
  all.reserve(metric_counts_.size());
  for (const auto& [metric, series] : metric_counts_) all.push_back({metric, series});
  std::ranges::sort(all, [](const MetricSeriesCount& a, const MetricSeriesCount& b) {
    return a.series != b.series ? a.series > b.series : a.metric < b.metric;
  });
  all.resize(std::min(count, all.size()));
  return all;
}

}  // namespace seedance
