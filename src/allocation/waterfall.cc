#include "allocation/waterfall.h"

#include <algorithm>
#include <optional>

namespace seedance {
namespace {

constexpr std::int64_t kQuiet = kMillion / 100;                // below: nothing ran
constexpr Nanos kLongStretch = std::chrono::minutes(10);
constexpr std::int64_t kSmBusy = kMillion / 2;
constexpr std::int64_t kPipesIdle = kMillion / 10;

// The order of the functions in one sweep.
enum Function : std::size_t { kUnits, kEngine, kUtilization, kSm, kMath, kDram, kDataWait, kCommunicationWait, kServing, kRunning, kLongIdle, kFunctions };

using Levels = std::span<const std::int64_t>;

// Activity at one time, or kAbsent.
std::int64_t activity_of(std::int64_t engine, std::int64_t utilization) {
  return engine == kAbsent ? utilization : engine;
}
std::int64_t activity_at(Levels at) { return activity_of(at[kEngine], at[kUtilization]); }

// Stretches of at least ten minutes in which the device did nothing.
Steps long_idle_of(const DeviceActivity& device) {
  const Steps* const counters[] = {&device.engine_active, &device.utilization};
  Interval cover{TimePoint::max(), TimePoint::min()};
  for (const Steps* s : counters) {
    if (s->empty()) continue;
    cover.from = std::min(cover.from, s->front().from);
    cover.to = std::max(cover.to, s->back().to);
  }
  Steps quiet;
  sweep(counters, cover, [&](Interval piece, Levels at) {
    const std::int64_t activity = activity_of(at[0], at[1]);
    if (activity != kAbsent && activity < kQuiet) quiet.push_back({piece.from, piece.to, 1});
  });
  quiet = compact(std::move(quiet));
  std::erase_if(quiet, [](const Step& s) { return s.to - s.from < kLongStretch; });
  return quiet;
}

// Shares of one million for one stretch of time.
class Shares {
 public:
  std::array<std::int64_t, kWaterfallPartCount> parts{};
  std::int64_t& of(WaterfallPart p) { return parts[static_cast<std::size_t>(p)]; }
};

void divide_idle(Levels at, std::int64_t idle, std::int64_t spinning_max, Shares& shares, std::int64_t& spinning) {
  const bool job_speaks = at[kDataWait] != kAbsent || at[kCommunicationWait] != kAbsent;
  std::int64_t rest = idle;
  if (at[kDataWait] != kAbsent) {
    const std::int64_t data = std::min(rest, at[kDataWait]);
    shares.of(WaterfallPart::kWaitingForData) = data;
    rest -= data;
  }
  if (at[kCommunicationWait] != kAbsent) {
    const std::int64_t communication = std::min(rest, at[kCommunicationWait]);
    rest -= communication;
    spinning = std::min(at[kCommunicationWait] - communication, spinning_max);
    shares.of(WaterfallPart::kWaitingForCommunication) = communication + spinning;
  }
  const bool no_demand = at[kServing] == 0;
  const bool nothing_ran = at[kLongIdle] == 1;
  shares.of(job_speaks || no_demand || nothing_ran ? WaterfallPart::kOtherIdle : WaterfallPart::kUndeterminedIdle) = rest;
}

void divide_busy(Levels at, std::int64_t busy, Shares& shares) {
  if (at[kSm] == kAbsent) {
    shares.of(WaterfallPart::kUndeterminedBusy) = busy;
    return;
  }
  const std::int64_t working = std::min(busy, at[kSm]);
  const bool pipes_known = at[kMath] != kAbsent && at[kDram] != kAbsent;
  const bool spins = pipes_known && at[kSm] > kSmBusy && std::max(at[kMath], at[kDram]) < kPipesIdle;
  shares.of(WaterfallPart::kInefficient) = spins ? busy : busy - working;
  shares.of(WaterfallPart::kProductive) = spins ? 0 : working;
}

Shares shares_at(Levels at) {
  Shares shares;
  if (at[kRunning] == 0) {
    shares.of(WaterfallPart::kHeldNotStarted) = kMillion;
    return shares;
  }
  const std::int64_t activity = activity_at(at);
  if (activity == kAbsent) {
    shares.of(WaterfallPart::kUndeterminedNoData) = kMillion;
    return shares;
  }
  const bool pipes_known = at[kMath] != kAbsent && at[kDram] != kAbsent;
  const std::int64_t spinning_max = pipes_known ? std::max<std::int64_t>(0, activity - std::max(at[kMath], at[kDram])) : 0;
  std::int64_t spinning = 0;
  divide_idle(at, kMillion - activity, spinning_max, shares, spinning);
  divide_busy(at, activity - spinning, shares);
  return shares;
}

// 0/1 over the hold: whether the container runs. Without container state series, a pod in phase Running counts as started.
Steps running_over(const ContainerHolding& holder, Interval span) {
  Steps known;
  if (holder.container != nullptr) known = holder.container->running;
  if (known.empty()) {
    for (const Step& s : holder.pod->phase) known.push_back({s.from, s.to, static_cast<PodPhase>(s.level) == PodPhase::kPending ? 0 : 1});
  }
  if (known.empty()) return {{span.from, span.to, 1}};
  // Between two scrapes the state before holds; the first also counts backwards, the last forwards.
  Steps out;
  for (std::size_t i = 0; i < known.size(); ++i) {
    const TimePoint from = i == 0 ? std::min(span.from, known[i].from) : known[i].from;
    const TimePoint to = i + 1 == known.size() ? std::max(span.to, known[i].to) : known[i + 1].from;
    out.push_back({from, to, known[i].level != 0 ? 1 : 0});
  }
  // The start instant is exact where scrapes see it late. After a restart it is later than the first run, and says nothing.
  const auto first_run = std::find_if(known.begin(), known.end(), [](const Step& s) { return s.level != 0; });
  const std::optional<TimePoint> started = holder.container != nullptr ? holder.container->started_at : std::nullopt;
  if (!started || first_run == known.end() || *started > first_run->from || *started <= span.from) return out;
  Steps exact{{span.from, *started, 0}, {*started, first_run->from, 1}};
  for (const Step& s : clip(out, {first_run->from, std::max(span.to, first_run->from)})) exact.push_back(s);
  std::erase_if(exact, [](const Step& s) { return s.to <= s.from; });
  return exact;
}

}  // namespace

HoldActivity hold_activity(const GpuHold& hold, const ContainerHolding& holder, const JobSignals* job, Interval span) {
  static const DeviceActivity kUnknownDevice;
  static const JobSignals kNoSignals;
  const DeviceActivity& device = hold.device != nullptr ? *hold.device : kUnknownDevice;
  const JobSignals& signals = job != nullptr ? *job : kNoSignals;
  const Steps running = running_over(holder, span);
  const Steps long_idle = long_idle_of(device);
  const Steps* functions[kFunctions] = {};
  functions[kUnits] = &hold.units;
  functions[kEngine] = &device.engine_active;
  functions[kUtilization] = &device.utilization;
  functions[kSm] = &device.sm_active;
  functions[kMath] = &device.math_active;
  functions[kDram] = &device.dram_active;
  functions[kDataWait] = &signals.data_wait;
  functions[kCommunicationWait] = &signals.communication_wait;
  functions[kServing] = &signals.requests_running;
  functions[kRunning] = &running;
  functions[kLongIdle] = &long_idle;

  HoldActivity out;
  sweep(functions, span, [&](Interval piece, Levels at) {
    if (at[kUnits] == kAbsent) return;
    const Int128 amount = static_cast<Int128>(at[kUnits]) * piece.nanos();
    const Shares shares = shares_at(at);
    for (std::size_t i = 0; i < kWaterfallPartCount; ++i) out.weights[i] += amount * shares.parts[i];
    const std::int64_t activity = activity_at(at);
    if (activity == kAbsent) return;
    out.measured += amount * kMillion;
    out.active += amount * activity;
  });
  return out;
}

}  // namespace seedance
