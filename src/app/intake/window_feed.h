// Feeds the kept samples of GPUs and jobs into one-second windows, makes feature vectors of what closes, and stores them.
//
// `add` comes from the intake under its lock, a request at a time, `store_closed` from the governor, `latest` from request threads.
// Where a series goes is found once; a sample costs a look into a vector and an append.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>
#include <vector>

#include "app/intake/series_registry.h"
#include "base/counters.h"
#include "model/sample.h"
#include "signal/features.h"
#include "signal/meaning.h"
#include "store/feature_store.h"

namespace seedance {

class WindowFeed {
 public:
  WindowFeed(std::unique_ptr<FeatureStore> store, Nanos lateness, Nanos retention, Counters& counters);

  // The samples of one request; `only_for_money` leaves out what the books do not read. Called under the lock that guards the registry.
  void add(const SeriesRegistry& registry, std::span<const KeptSample> samples, bool only_for_money = false);

  // Closes windows up to the watermark, shows their vectors (with the names of all entities) and stores them; drops what is older than the
  // retention.
  using OnVectors = std::function<void(std::span<const NumberedFeature>, const std::vector<std::string>&)>;
  Result<void> store_closed(TimePoint watermark, const OnVectors& on_vectors = {});

  // The newest vector of every entity, by name.
  std::vector<FeatureVector> latest() const;
  FeatureStore& store() { return *store_; }

 private:
  using Entity = std::tuple<Symbol, Symbol>;          // UUID, MIG instance
  using Pod = std::tuple<Symbol, Symbol, Symbol>;     // cluster, namespace, pod
  // Where the samples of a series go; found when its first one comes.
  struct Route {
    enum class Kind : std::uint8_t { kUnseen, kNobody, kDevice, kPod };
    Kind kind = Kind::kUnseen;
    std::uint32_t group = 0;                    // kDevice: of the windows; kPod: the slot
    const SignalBinding* binding = nullptr;     // owned by the catalogue
    bool is_for_money = true;
  };
  std::uint32_t entity_of(const SeriesMeaning& meaning, const SymbolTable& symbols);
  Route route_of(const SeriesRegistry& registry, std::uint32_t series);
  void add_to_pod(const SeriesMeaning& meaning, const Route& route, std::uint32_t series, const Sample& meant);

  std::unique_ptr<FeatureStore> store_;
  const Nanos retention_;
  Counter& late_;
  Counter& stored_;

  FeatureBuilder builder_;  // of store_closed alone

  mutable std::mutex mutex_;  // guards everything below; taken after the intake's lock
  WindowShard shard_;
  std::vector<Route> routes_;  // by series
  std::map<Entity, std::uint32_t> entities_;
  std::vector<std::string> names_;  // by entity
  std::map<Pod, std::vector<std::uint32_t>> held_by_;  // devices whose series named the pod
  std::vector<FeatureVector> latest_;  // by entity
  TimePoint dropped_before_{};
};

}  // namespace seedance
