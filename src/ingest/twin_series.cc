#include "ingest/twin_series.h"

#include <algorithm>

namespace seedance {

TwinSeries::TwinSeries(const SeriesTable& table, std::vector<std::string> replica_labels) : table_(table), replica_labels_(std::move(replica_labels)) {}

std::string_view TwinSeries::replica_in(const Labels& labels) const {
  for (const std::string& name : replica_labels_) {
    if (const std::string_view value = label_value(labels, name); !value.empty()) return value;
  }
  return {};
}

Labels TwinSeries::without_replica(const Labels& labels) const {
  Labels out;
  out.reserve(labels.size());
  for (const Label& label : labels) {
    if (std::find(replica_labels_.begin(), replica_labels_.end(), label.name) == replica_labels_.end()) out.push_back(label);
  }
  return out;
}

std::uint32_t TwinSeries::find_twin(const Labels& rest, std::uint64_t hash) const {
  return by_rest_.find(hash, [&](std::uint32_t series) { return without_replica(table_.labels(series)) == rest; });
}

void TwinSeries::grow_to(std::uint32_t series) {
  for (auto i = static_cast<std::uint32_t>(next_.size()); i <= series; ++i) next_.push_back(i);
  replica_.resize(next_.size());
}

void TwinSeries::add(std::uint32_t series, const Labels& labels, SymbolTable& symbols) {
  const std::string_view replica = replica_in(labels);
  if (replica.empty() && by_rest_.size() == 0) return;
  grow_to(series);
  replica_[series] = symbols.intern(replica);
  const Labels rest = replica.empty() ? labels : without_replica(labels);
  const std::uint64_t hash = hash_of_labels(rest);
  std::uint32_t twin = find_twin(rest, hash);
  if (twin == HashIndex::kNone && !replica.empty()) {
    by_rest_.insert(hash, series);
    twin = table_.find(rest);
  }
  if (twin == HashIndex::kNone || twin == series) return;
  std::swap(next_[series], next_[twin]);
}

std::uint32_t TwinSeries::oldest(std::uint32_t series) const {
  std::uint32_t out = series;
  for (std::uint32_t twin = next(series); twin != series; twin = next(twin)) out = std::min(out, twin);
  return out;
}

}  // namespace seedance
