// One-second event-time windows: what happened in [k, k+1) s, by group, whatever the order, batching and repetition of arrival.
//
// Samples wait until their second closes at the watermark minus the allowed lateness; then they are sorted, a (series, time
// stamp) counts once, and each group gets count, sum, min, max, first and last. Stale markers and NaN are no values. A sample
// for a closed second is refused and counted: it still reaches the ledger, which recomputes whole hours.
// Of twin series (an HA pair) a second takes one: of those that have a value in it, the replica with the smallest name.
// Cost O(n log n) a second. One thread at a time.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "model/sample.h"

namespace seedance {

struct Window {
  std::int64_t second = 0;  // Unix seconds, start
  std::uint32_t group = 0;
  std::uint32_t count = 0;
  double sum = 0;
  double min = 0;
  double max = 0;
  double first = 0;
  double last = 0;
};

class WindowShard {
 public:
  struct Pending {
    std::uint32_t group;
    std::uint32_t series;
    Sample sample;
  };
  // A second that nothing can be added to any more; its samples as they came.
  struct ClosedSecond {
    std::int64_t second = 0;
    std::vector<Pending> pending;
  };

  explicit WindowShard(Nanos lateness) : lateness_(lateness) {}

  // False when the second is closed already. `group` is the caller's number for what is aggregated together.
  bool add(std::uint32_t series, std::uint32_t group, Sample sample);

  // `series` is one of several that bring the same thing: `twins` is the same number for all of them, `replica` tells them apart.
  void set_replica(std::uint32_t series, std::uint32_t twins, std::string_view replica);

  // The windows of all seconds that end at or before `watermark` - lateness, by (second, group). Closed once and for all.
  std::vector<Window> close(TimePoint watermark) { return windows_of(take_closed(watermark)); }
  // The same in two steps: the first is quick, and the second, which sorts, needs nothing of the shard and so no lock either.
  std::vector<ClosedSecond> take_closed(TimePoint watermark);
  static std::vector<Window> windows_of(std::vector<ClosedSecond> closed);

  std::size_t pending_samples() const { return pending_samples_; }
  std::uint64_t late_samples() const { return late_samples_; }

 private:
  struct Source {
    std::uint32_t twins = 0;
    std::uint32_t replica = 0;  // number of the name; 0: not one of several
  };
  const Source* source_of(std::uint32_t series) const { return series < sources_.size() && sources_[series].replica != 0 ? &sources_[series] : nullptr; }
  void leave_one_replica(std::vector<Pending>& pending) const;
  static void fold(std::int64_t second, std::vector<Pending>& pending, std::vector<Window>& out);

  Nanos lateness_;
  std::vector<Source> sources_;  // by series; empty without HA pairs
  std::vector<std::string> replica_names_;  // by number - 1
  std::map<std::int64_t, std::vector<Pending>> seconds_;
  std::vector<Pending>* recent_ = nullptr;  // of the last sample's second
  std::int64_t recent_second_ = 0;
  std::int64_t open_from_ = INT64_MIN;  // the first second that may still be added to
  std::size_t pending_samples_ = 0;
  std::uint64_t late_samples_ = 0;
};

}  // namespace seedance
