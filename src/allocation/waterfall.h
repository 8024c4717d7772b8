// Where the money of one held device went: the rules of the GPU dollar waterfall.
//
// For every stretch of time in which no signal changes, a hold is divided by these rules, in this order. Ratios are parts of
// the hold's time; every part has the signals it needs, and without them the time is undetermined, never guessed away.
//
//  part                         needs                       rule
//  held, not started            container state             the pod holds the device, its container does not run
//  undetermined, no data        -                           no activity counter at this time
//  (activity a)                 engine active, else         GPU_UTIL alone says busy or idle, not how well; engine active 0 beside
//                               GPU_UTIL                    GPU_UTIL >= 50 % is a stuck profiling counter and is not used
//  waiting for data             job.data_wait               min(1 - a, data wait)
//  waiting for communication    job.communication_wait      min(1 - a - data, wait), and, where math and DRAM counters exist, of the
//                                                           busy part what neither uses (collectives spin on the SMs)
//  other idle                   job signals, or serving     the rest of 1 - a: when the job's wait signals are there; when no
//                               queue, or a long stretch    request was being served; or when the device did nothing
//                                                           (a < 1 %) for ten minutes and more
//  undetermined, idle           -                           the rest of 1 - a otherwise
//  undetermined, busy           -                           a, without an SM counter
//  busy but inefficient         SM active                   a - SM active (copies, launch gaps), and SM active itself when it is
//                                                           above 50 % while math pipes and DRAM are both below 10 %
//  productive                   SM active                   the rest of a
#pragma once

#include <array>

#include "allocation/holdings.h"
#include "model/ledger.h"

namespace seedance {

struct HoldActivity {
  std::array<Int128, kWaterfallPartCount> weights{};  // unit-nanoseconds x 10^6; sum = units x time x 10^6
  Int128 measured = 0;  // unit-nanoseconds x 10^6 with an activity counter while started
  Int128 active = 0;    // of those, with an active engine
};

// `job` may be nullptr. `span` bounds the answer (one price piece).
HoldActivity hold_activity(const GpuHold& hold, const ContainerHolding& holder, const JobSignals* job, Interval span);

}  // namespace seedance
