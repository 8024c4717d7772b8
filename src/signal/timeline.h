// Samples of one series become step functions of time.
//
// Input samples are sorted by time, one per time stamp (see `sort_samples` in model/sample.h). Rules (design, section 5):
//  - state (pod phase, requests, capacity, price): a level holds from one sample to the next over at most `gap_max`; a
//    stale marker ends it at the marker; the last sample holds for nothing, so a run is last minus first sample;
//  - gauge of activity: holds until the next sample, at most two scrape intervals, or the stale marker;
//  - counter: the change between two samples is spread over the time between them; longer gaps than `gap_max` are missing.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "base/steps.h"
#include "model/sample.h"

namespace seedance {

struct TimelineOptions {
  Nanos gap_max = std::chrono::minutes(5);
  Nanos resolution = std::chrono::seconds(60);  // how long a single sample of a state counts, half on each side
};

using LevelOf = std::function<std::int64_t(double)>;  // from a finite value

// NaN values are missing. A series with one single sample counts `resolution`.
Steps state_steps(std::span<const Sample> samples, const TimelineOptions& options, const LevelOf& level);

Steps gauge_steps(std::span<const Sample> samples, const LevelOf& level);

// Levels are units per second x `units_per_one` (10^9: nanocores for a counter of core-seconds).
//
// A drop is a reset. The counter cannot tell what it missed around a reset; billing bridges that one interval with the rate of the
// interval before it (or after it, at the start), never below what the counter shows. A fall to exactly zero within a millisecond is a
// counter that says where it begins anew: nothing is bridged there.
Steps counter_steps(std::span<const Sample> samples, const TimelineOptions& options, double units_per_one);

// Increase with the reset rule of Prometheus: after a drop the new value counts from zero. No extrapolation.
struct CounterIncrease {
  double increase = 0;
  int resets = 0;
};
CounterIncrease counter_increase(std::span<const Sample> samples);

// The middle of the distances between neighbouring samples; 0 with fewer than two.
Nanos sample_spacing(std::span<const Sample> samples);

}  // namespace seedance
