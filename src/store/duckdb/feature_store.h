// Feature vectors on disk: one row a second and GPU, 512 bytes of floats, kept for a while.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/feature.h"
#include "store/duckdb/connection.h"

namespace seedance {

class FeatureStore {
 public:
  explicit FeatureStore(std::shared_ptr<Database> database) : database_(std::move(database)) {}

  Result<void> append(std::span<const FeatureVector> vectors);
  // In time order, at most `limit`. An empty entity: all.
  Result<std::vector<FeatureVector>> read(Interval window, const std::string& entity, std::size_t limit) const;
  // Wide columns: second, entity, presence, then f0 .. f127 as FLOAT.
  Result<void> export_parquet(Interval window, const std::string& path) const;
  Result<void> drop_before(TimePoint time);

 private:
  std::shared_ptr<Database> database_;
};

}  // namespace seedance
