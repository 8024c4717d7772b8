#include "signal/replica_election.h"

#include <algorithm>
#include <cmath>

namespace seedance {
namespace {

constexpr std::int64_t kMinuteMs = 60'000;

std::int64_t minute_of(std::int64_t ms) { return ms >= 0 ? ms / kMinuteMs : (ms - kMinuteMs + 1) / kMinuteMs; }

// One replica's samples on the way through time.
struct Reader {
  const ReplicaSamples* of = nullptr;
  std::size_t at = 0;
  std::span<const Sample> of_minute;
  std::size_t values = 0;

  std::int64_t minute() const { return at < of->samples.size() ? minute_of(of->samples[at].timestamp_ms) : INT64_MAX; }
  void take_minute(std::int64_t minute_number) {
    const std::size_t begin = at;
    values = 0;
    for (; minute() == minute_number; ++at) values += is_stale_marker(of->samples[at].value) ? 0 : 1;
    of_minute = std::span(of->samples).subspan(begin, at - begin);
  }
  // Its last value before this minute; NaN: none.
  double before() const {
    const std::size_t begin = at - of_minute.size();
    return begin == 0 ? std::nan("") : of->samples[begin - 1].value;
  }
};

bool wins(const Reader& a, const Reader& b) {
  if (a.of_minute.empty() != b.of_minute.empty()) return !a.of_minute.empty();
  return a.values != b.values ? a.values > b.values : a.of->replica < b.of->replica;
}

// A counter that really began anew falls to almost nothing, and falls for its own replica too.
bool is_behind_by_clock(double value, double last, double before_of_its_own) {
  if (!(value < last)) return false;
  return std::isfinite(before_of_its_own) ? before_of_its_own <= value : value > last / 2;
}

}  // namespace

void elect_replicas(std::span<const ReplicaSamples> replicas, bool is_counter, std::vector<Sample>& out) {
  out.clear();
  std::vector<Reader> readers;
  for (const ReplicaSamples& r : replicas) readers.push_back({&r, 0, {}, 0});
  const Reader* last_winner = nullptr;
  while (true) {
    std::int64_t minute = INT64_MAX;
    for (const Reader& r : readers) minute = std::min(minute, r.minute());
    if (minute == INT64_MAX) return;
    for (Reader& r : readers) r.take_minute(minute);
    const Reader& winner = *std::min_element(readers.begin(), readers.end(), wins);
    std::span<const Sample> taken = winner.of_minute;
    if (is_counter && last_winner != nullptr && last_winner != &winner && !out.empty()) {
      double own_before = winner.before();
      while (!taken.empty() && is_behind_by_clock(taken.front().value, out.back().value, own_before)) {
        own_before = taken.front().value;
        taken = taken.subspan(1);
      }
    }
    out.insert(out.end(), taken.begin(), taken.end());
    last_winner = &winner;
  }
}

}  // namespace seedance
