#include "signal/timeline.h"

#include <algorithm>
#include <cmath>

namespace seedance {
namespace {

void append_step(Steps& out, TimePoint from, TimePoint to, std::int64_t level) {
  if (to <= from) return;
  if (!out.empty() && out.back().to == from && out.back().level == level) {
    out.back().to = to;
    return;
  }
  out.push_back({from, to, level});
}

// A fall to exactly zero so shortly after a sample is how deltas are written (src/ingest/otlp/otlp_series.h): the counter says itself that
// it begins anew, nothing was missed, and there is nothing to bridge. Two scrapes are never that close.
constexpr Nanos kRestartMark = std::chrono::milliseconds(1);

struct Slope {
  TimePoint from;
  TimePoint to;
  double change;
  bool reset;
};

// The changes between neighbouring samples that are close enough to be believed.
std::vector<Slope> slopes_of(std::span<const Sample> samples, Nanos gap_max) {
  std::vector<Slope> slopes;
  const Sample* last = nullptr;
  for (const Sample& s : samples) {
    if (is_stale_marker(s.value)) {
      last = nullptr;
      continue;
    }
    if (!std::isfinite(s.value)) continue;
    if (last != nullptr) {
      const TimePoint from = time_from_millis(last->timestamp_ms);
      const TimePoint to = time_from_millis(s.timestamp_ms);
      const bool reset = s.value < last->value;
      const bool is_marked = reset && s.value == 0 && to - from <= kRestartMark;
      if (to - from <= gap_max) slopes.push_back({from, to, reset ? s.value : s.value - last->value, reset && !is_marked});
    }
    last = &s;
  }
  return slopes;
}

double seconds_of(const Slope& slope) { return static_cast<double>((slope.to - slope.from).count()) / 1e9; }

}  // namespace

Steps state_steps(std::span<const Sample> samples, const TimelineOptions& options, const LevelOf& level) {
  Steps out;
  if (samples.size() == 1 && std::isfinite(samples[0].value)) {
    const TimePoint at = time_from_millis(samples[0].timestamp_ms);
    append_step(out, at - options.resolution / 2, at + options.resolution / 2, level(samples[0].value));
    return out;
  }
  for (std::size_t i = 0; i + 1 < samples.size(); ++i) {
    if (!std::isfinite(samples[i].value)) continue;
    const TimePoint from = time_from_millis(samples[i].timestamp_ms);
    TimePoint to = time_from_millis(samples[i + 1].timestamp_ms);
    if (to - from > options.gap_max) {
      if (!is_stale_marker(samples[i + 1].value)) continue;
      to = from;
    }
    append_step(out, from, to, level(samples[i].value));
  }
  return out;
}

Steps gauge_steps(std::span<const Sample> samples, const LevelOf& level) {
  Steps out;
  const Nanos hold_max = 2 * sample_spacing(samples);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (!std::isfinite(samples[i].value)) continue;
    const TimePoint from = time_from_millis(samples[i].timestamp_ms);
    if (i + 1 == samples.size()) break;  // nothing is known after the last sample yet
    append_step(out, from, std::min(time_from_millis(samples[i + 1].timestamp_ms), from + hold_max), level(samples[i].value));
  }
  return out;
}

Steps counter_steps(std::span<const Sample> samples, const TimelineOptions& options, double units_per_one) {
  const std::vector<Slope> slopes = slopes_of(samples, options.gap_max);
  Steps out;
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    double rate = slopes[i].change / seconds_of(slopes[i]);
    if (slopes[i].reset) {
      if (i > 0 && !slopes[i - 1].reset) {
        rate = std::max(rate, slopes[i - 1].change / seconds_of(slopes[i - 1]));
      } else if (i + 1 < slopes.size() && !slopes[i + 1].reset) {
        rate = std::max(rate, slopes[i + 1].change / seconds_of(slopes[i + 1]));
      }
    }
    append_step(out, slopes[i].from, slopes[i].to, std::llround(std::min(rate * units_per_one, 9e18)));
  }
  return out;
}

CounterIncrease counter_increase(std::span<const Sample> samples) {
  CounterIncrease out;
  const Sample* last = nullptr;
  for (const Sample& s : samples) {
    if (!std::isfinite(s.value)) continue;
    if (last != nullptr) {
      const bool reset = s.value < last->value;
      out.increase += reset ? s.value : s.value - last->value;
      out.resets += reset ? 1 : 0;
    }
    last = &s;
  }
  return out;
}

Nanos sample_spacing(std::span<const Sample> samples) {
  std::vector<std::int64_t> distances;
  for (std::size_t i = 1; i < samples.size(); ++i) distances.push_back(samples[i].timestamp_ms - samples[i - 1].timestamp_ms);
  if (distances.empty()) return Nanos{0};
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  return Nanos{*middle * 1'000'000};
}

}  // namespace seedance
