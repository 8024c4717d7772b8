// Of the replicas of an HA pair, one a minute.
//
// Two Prometheus servers scrape the same target at their own moments: both together would be a series with twice the samples,
// and a counter read by two clocks seems to fall. So per series and event minute the replica with the most values wins, ties go to
// the smallest name (design, contract 2): a function of the set of samples, whatever the order of arrival, and a fail-over costs
// at most the scrapes that nobody made. Others elect per request and by arrival (Cortex and Mimir HA tracker).
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "model/sample.h"

namespace seedance {

struct ReplicaSamples {
  std::string_view replica;
  std::vector<Sample> samples;  // sorted, one per time stamp; whole minutes
};

// Replaces `out` with the samples of the winners, sorted. Stale markers are no values: one of a replica that lost its target does not
// end what the other still sees. A counter that is a little lower at a change of replica was read by another clock and did not begin
// anew: the samples that are behind are left out.
void elect_replicas(std::span<const ReplicaSamples> replicas, bool is_counter, std::vector<Sample>& out);

}  // namespace seedance
