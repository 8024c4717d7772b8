// Two channels of one truth: what a sender counts as sent, and what we count as received from it.
//
// A Prometheus that scrapes itself sends its own counters prometheus_remote_storage_samples_{total,retried_total,failed_total}: attempts,
// those that will be tried again, those that were given up. Attempts minus the other two is what it believes to have delivered. We count what we
// answered with 2xx. Over a sliding window both must grow by the same, give or take 0.5 % (requirements, B8) and the batches that were
// on their way when the counters were read.
//
// The counters are on the sender's clock, ours on our own: a reading at time t is compared with what we had received by then, between two
// arrivals by the straight line. Not compared, because nobody could tell: several remote writes of one sender, a window of less
// than a minute, a counter that began anew. One thread at a time.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>

#include "base/units.h"
#include "model/sample.h"
#include "model/signal.h"

namespace seedance {

// A sample of one of the sender's own counters.
struct SenderCounter {
  std::uint32_t series = 0;
  SignalId signal = SignalId::kCount;
  Sample sample;
};

class SenderBalance {
 public:
  // A request that was answered with 2xx.
  void received(std::int64_t arrival_ms, std::uint64_t samples);
  void said(const SenderCounter& counter);

  struct Answer {
    double sent = 0;
    double received = 0;
    double apart = 0;  // ratio to what was sent, without what may have been on its way
  };
  // Over the last five minutes, as far as known.
  std::optional<Answer> compare() const;

 private:
  struct Said {
    std::optional<double> attempts;
    std::optional<double> retried;
    std::optional<double> failed;
    bool is_whole() const { return attempts && retried && failed; }
    double delivered() const { return *attempts - *retried - *failed; }
  };
  struct Arrived {
    std::int64_t at_ms = 0;
    std::uint64_t samples = 0;  // in all until then
  };
  std::optional<double> received_by(std::int64_t at_ms) const;

  std::map<std::int64_t, Said> said_;  // by the time of the scrape
  std::deque<Arrived> arrived_;
  std::uint64_t total_ = 0;
  std::uint64_t largest_ = 0;  // request
  std::map<SignalId, std::uint32_t> series_;
  bool is_ambiguous_ = false;
};

}  // namespace seedance
