#include "app/window_feed.h"

#include <algorithm>
#include <cmath>

namespace seedance {
namespace {

constexpr Nanos kDropEvery = std::chrono::minutes(10);

}  // namespace

WindowFeed::WindowFeed(std::shared_ptr<Database> database, Nanos lateness, Nanos retention, Counters& counters)
    : store_(std::move(database)),
      retention_(retention),
      late_(counters.counter("window_late_samples", "Samples for a one-second window that was closed already")),
      stored_(counters.counter("window_feature_vectors", "Feature vectors stored")),
      shard_(lateness) {}

std::uint32_t WindowFeed::entity_of(const SeriesMeaning& m) {
  const Entity key{m.device, m.instance};
  const auto [at, is_new] = entities_.try_emplace(key, static_cast<std::uint32_t>(entity_keys_.size()));
  if (is_new) entity_keys_.push_back(key);
  return at->second;
}

void WindowFeed::add(const SeriesMeaning& m, std::uint32_t series, const Sample& sample) {
  const int slot = feature_slot(m.signal);
  if (slot < 0) return;
  const std::lock_guard lock(mutex_);
  const double value = is_stale_marker(sample.value) ? sample.value : meant_value(*m.binding, sample.value);
  const Sample meant{sample.timestamp_ms, value};
  const Pod pod{m.cluster, m.namespace_name, m.pod};
  if (m.device != 0) {
    const std::uint32_t entity = entity_of(m);
    if (m.pod != 0) {
      std::vector<std::uint32_t>& held = held_by_[pod];
      if (std::find(held.begin(), held.end(), entity) == held.end()) held.push_back(entity);
    }
    if (!shard_.add(series, feature_group(entity, slot), meant)) late_.add();
    return;
  }
  const auto held = held_by_.find(pod);
  if (held == held_by_.end()) return;
  for (const std::uint32_t entity : held->second) {
    if (!shard_.add(series, feature_group(entity, slot), meant)) late_.add();
  }
}

Result<void> WindowFeed::store_closed(TimePoint watermark, std::mutex& lock_symbols) {
  std::vector<FeatureVector> vectors;
  bool is_time_to_drop = false;
  {
    const std::lock_guard symbols_lock(lock_symbols);
    const std::lock_guard lock(mutex_);
    for (FeatureBuilder::Numbered& numbered : builder_.take(shard_.close(watermark))) {
      const auto& [device, instance] = entity_keys_[numbered.entity];
      FeatureVector vector = numbered.vector;
      vector.entity = symbols_->text(device);
      if (instance != 0) vector.entity += "/" + std::string(symbols_->text(instance));
      latest_[vector.entity] = vector;
      vectors.push_back(std::move(vector));
    }
    is_time_to_drop = watermark - dropped_before_ > retention_ + kDropEvery;
    if (is_time_to_drop) dropped_before_ = watermark - retention_;
  }
  TRY(store_.append(vectors));
  stored_.add(static_cast<std::int64_t>(vectors.size()));
  if (is_time_to_drop) return store_.drop_before(watermark - retention_);
  return {};
}

std::vector<FeatureVector> WindowFeed::latest() const {
  const std::lock_guard lock(mutex_);
  std::vector<FeatureVector> out;
  for (const auto& [name, vector] : latest_) out.push_back(vector);
  return out;
}

}  // namespace seedance
