// Which series are one and the same but for the replica of the sender that brought them: HA pairs of Prometheus.
//
// Two replicas scrape the same targets and differ in one external label (`prometheus_replica`, `__replica__`). Their series
// are twins: a ring, so that whoever has one finds the others. A series without such a label is the twin of those with one
// whose other labels are equal: a sender that was given the label later goes on where it was.
// Costs nothing until the first replica label is seen, then about twenty bytes a series. One thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/symbols.h"
#include "ingest/hash_index.h"
#include "ingest/series_table.h"

namespace seedance {

class TwinSeries {
 public:
  // `table` outlives this. Without `replica_labels` no series has a twin.
  TwinSeries(const SeriesTable& table, std::vector<std::string> replica_labels);

  // Every new series of the table, in the order of their numbers.
  void add(std::uint32_t series, const Labels& labels, SymbolTable& symbols);

  // The next one of the ring; itself when it is alone.
  std::uint32_t next(std::uint32_t series) const { return series < next_.size() ? next_[series] : series; }
  // The oldest twin: the same for all of a ring, and for ever.
  std::uint32_t oldest(std::uint32_t series) const;
  // What the replica label says; 0 without one.
  Symbol replica(std::uint32_t series) const { return series < replica_.size() ? replica_[series] : 0; }

 private:
  std::string_view replica_in(const Labels& labels) const;
  Labels without_replica(const Labels& labels) const;
  std::uint32_t find_twin(const Labels& rest, std::uint64_t hash) const;
  void grow_to(std::uint32_t series);

  const SeriesTable& table_;
  std::vector<std::string> replica_labels_;
  HashIndex by_rest_;                 // the first series with a replica of each set of other labels
  std::vector<std::uint32_t> next_;   // by series; empty until a replica is seen
  std::vector<Symbol> replica_;       // by series
};

}  // namespace seedance
