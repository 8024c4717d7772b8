// Feature vectors on disk, kept for a while: a file an hour, appended in blocks.
//
// A block is a header (magic, sizes, count, first and last second, XXH3 of the payload) and a zstd payload: the names of its entities,
// then a column each of name numbers, presence masks and seconds, then the four floats of every present signal. A thousand
// GPUs make 16 MB of vectors in half a minute; packed like this an idle one costs a few bytes a second and the writer a few
// microseconds. Vectors are a cache of what the samples say: nothing is synced, a block that a crash cut off is skipped.
//
// One thread appends and drops; any thread reads.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/feature.h"
#include "store/duckdb/connection.h"

namespace seedance {

class FeatureStore {
 public:
  // `database` writes Parquet. An empty directory keeps nothing.
  FeatureStore(std::string directory, std::shared_ptr<Database> database);

  // `names[vector.entity]` is the entity's name.
  Result<void> append(std::span<const NumberedFeature> vectors, std::span<const std::string> names);
  // In time order, then by name, at most `limit`. An empty entity: all.
  Result<std::vector<FeatureVector>> read(Interval window, const std::string& entity, std::size_t limit) const;
  // Wide columns: second, entity, presence, then f0 .. f127 as FLOAT.
  Result<void> export_parquet(Interval window, const std::string& path) const;
  // Removes the files of hours that end at or before `time`.
  Result<void> drop_before(TimePoint time);

  std::uint64_t damaged_blocks() const { return damaged_; }

 private:
  std::string file_of(std::int64_t hour) const;
  // The hours that have a file, ascending.
  std::vector<std::int64_t> hours() const;
  Result<void> append_block(std::int64_t hour, std::span<const NumberedFeature> vectors, std::span<const std::string> names);
  void read_file(const std::string& path, Interval window, const std::string& entity, std::vector<FeatureVector>& out) const;

  std::string directory_;
  std::shared_ptr<Database> database_;
  mutable std::atomic<std::uint64_t> damaged_{0};
};

}  // namespace seedance
