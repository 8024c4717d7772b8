#include "app/intake/window_feed.h"

#include <algorithm>
#include <cmath>

namespace seedance {
namespace {

constexpr Nanos kDropEvery = std::chrono::minutes(10);

}  // namespace

WindowFeed::WindowFeed(std::unique_ptr<FeatureStore> store, Nanos lateness, Nanos retention, Counters& counters)
    : store_(std::move(store)),
      retention_(retention),
      late_(counters.counter("window_late_samples", "Samples for a one-second window that was closed already")),
      stored_(counters.counter("window_feature_vectors", "Feature vectors stored")),
      shard_(lateness) {}

std::uint32_t WindowFeed::entity_of(const SeriesMeaning& m, const SymbolTable& symbols) {
  const auto [at, is_new] = entities_.try_emplace({m.device, m.instance}, static_cast<std::uint32_t>(names_.size()));
  if (is_new) {
    std::string name(symbols.text(m.device));
    if (m.instance != 0) name += "/" + std::string(symbols.text(m.instance));
    names_.push_back(std::move(name));
    latest_.emplace_back();
  }
  return at->second;
}

WindowFeed::Route WindowFeed::route_of(const SeriesRegistry& registry, std::uint32_t series) {
  const SeriesMeaning* meaning = registry.meaning(series);
  const int slot = meaning == nullptr ? -1 : feature_slot(meaning->signal);
  if (slot < 0) return {Route::Kind::kNobody};
  const bool is_for_money = is_needed_for_money(meaning->signal);
  const TwinSeries& twins = registry.twins();
  if (twins.replica(series) != 0 || twins.next(series) != series) {
    shard_.set_replica(series, twins.oldest(series), registry.symbols().text(twins.replica(series)));
  }
  if (meaning->device == 0) return {Route::Kind::kPod, static_cast<std::uint32_t>(slot), meaning->binding, is_for_money};
  const std::uint32_t entity = entity_of(*meaning, registry.symbols());
  if (meaning->pod != 0) {
    std::vector<std::uint32_t>& held = held_by_[{meaning->cluster, meaning->namespace_name, meaning->pod}];
    if (std::find(held.begin(), held.end(), entity) == held.end()) held.push_back(entity);
  }
  return {Route::Kind::kDevice, feature_group(entity, slot), meaning->binding, is_for_money};
}

void WindowFeed::add_to_pod(const SeriesMeaning& m, const Route& route, std::uint32_t series, const Sample& meant) {
  const auto held = held_by_.find({m.cluster, m.namespace_name, m.pod});
  if (held == held_by_.end()) return;
  for (const std::uint32_t entity : held->second) {
    if (!shard_.add(series, feature_group(entity, static_cast<int>(route.group)), meant)) late_.add();
  }
}

void WindowFeed::add(const SeriesRegistry& registry, std::span<const KeptSample> samples, bool only_for_money) {
  const std::lock_guard lock(mutex_);
  for (const KeptSample& kept : samples) {
    if (routes_.size() <= kept.series) routes_.resize(std::max<std::size_t>(kept.series + 1, registry.table().size()));
    Route& route = routes_[kept.series];
    if (route.kind == Route::Kind::kUnseen) route = route_of(registry, kept.series);
    if (route.kind == Route::Kind::kNobody || (only_for_money && !route.is_for_money)) continue;
    const Sample& s = kept.sample;
    const Sample meant{s.timestamp_ms, is_stale_marker(s.value) ? s.value : meant_value(*route.binding, s.value)};
    if (route.kind == Route::Kind::kPod) {
      add_to_pod(*registry.meaning(kept.series), route, kept.series, meant);
    } else if (!shard_.add(kept.series, route.group, meant)) {
      late_.add();
    }
  }
}

Result<void> WindowFeed::store_closed(TimePoint watermark, const OnVectors& on_vectors) {
  // Sorting the samples of a second takes long when there are many, and whoever adds waits under the intake's lock.
  std::vector<WindowShard::ClosedSecond> closed;
  {
    const std::lock_guard lock(mutex_);
    closed = shard_.take_closed(watermark);
  }
  const std::vector<NumberedFeature> vectors = builder_.take(WindowShard::windows_of(std::move(closed)));
  std::vector<std::string> names;
  bool is_time_to_drop = false;
  {
    const std::lock_guard lock(mutex_);
    for (const NumberedFeature& numbered : vectors) latest_[numbered.entity] = numbered.vector;
    if (!vectors.empty()) names = names_;
    is_time_to_drop = watermark - dropped_before_ > retention_ + kDropEvery;
    if (is_time_to_drop) dropped_before_ = watermark - retention_;
  }
  if (on_vectors && !vectors.empty()) on_vectors(vectors, names);
  TRY(store_->append(vectors, names));
  stored_.add(static_cast<std::int64_t>(vectors.size()));
  if (is_time_to_drop) return store_->drop_before(watermark - retention_);
  return {};
}

std::vector<FeatureVector> WindowFeed::latest() const {
  const std::lock_guard lock(mutex_);
  std::vector<FeatureVector> out;
  for (std::size_t i = 0; i < latest_.size(); ++i) {
    if (latest_[i].presence == 0) continue;
    out.push_back(latest_[i]);
    out.back().entity = names_[i];
  }
  std::sort(out.begin(), out.end(), [](const FeatureVector& a, const FeatureVector& b) { return a.entity < b.entity; });
  return out;
}

}  // namespace seedance
