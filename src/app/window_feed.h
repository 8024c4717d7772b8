// Feeds the kept samples of GPUs and jobs into one-second windows, makes feature vectors of what closes, and stores them.
//
// `add` comes from the intake under its lock, `store_closed` from the governor, `latest` from request threads.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>
#include <vector>

#include "base/counters.h"
#include "signal/features.h"
#include "signal/meaning.h"
#include "store/duckdb/feature_store.h"

namespace seedance {

class WindowFeed {
 public:
  WindowFeed(std::shared_ptr<Database> database, Nanos lateness, Nanos retention, Counters& counters);

  // Symbols belong to the intake's registry.
  void add(const SeriesMeaning& meaning, std::uint32_t series, const Sample& sample);
  void use_symbols(const SymbolTable& symbols) { symbols_ = &symbols; }

  // Closes windows up to the watermark and stores their vectors; drops what is older than the retention. `lock_symbols` is
  // held while names are read.
  Result<void> store_closed(TimePoint watermark, std::mutex& lock_symbols);

  // The newest vector of every entity, by name.
  std::vector<FeatureVector> latest() const;
  FeatureStore& store() { return store_; }

 private:
  using Entity = std::tuple<Symbol, Symbol>;          // UUID, MIG instance
  using Pod = std::tuple<Symbol, Symbol, Symbol>;     // cluster, namespace, pod
  std::uint32_t entity_of(const SeriesMeaning& meaning);

  FeatureStore store_;
  const Nanos retention_;
  const SymbolTable* symbols_ = nullptr;
  Counter& late_;
  Counter& stored_;

  mutable std::mutex mutex_;  // guards everything below; taken after the intake's lock
  WindowShard shard_;
  FeatureBuilder builder_;
  std::map<Entity, std::uint32_t> entities_;
  std::vector<Entity> entity_keys_;
  std::map<Pod, std::vector<std::uint32_t>> held_by_;  // devices whose series named the pod
  std::map<std::string, FeatureVector> latest_;
  TimePoint dropped_before_{};
};

}  // namespace seedance
