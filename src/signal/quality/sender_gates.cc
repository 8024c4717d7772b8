#include "signal/quality/sender_gates.h"

#include <algorithm>

namespace seedance {
namespace {

constexpr std::array<std::string_view, kSenderGateCount> kGateNames{"parsing", "device_ids", "errors", "consistency", "clock", "delay"};
constexpr int kPeriodsToDegrade = 3;
constexpr int kPeriodsToMend = 3;
constexpr std::uint64_t kFewest = 5;  // of anything, to be judged by

double share(std::uint64_t part, std::uint64_t whole) { return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole); }
double seconds_in(Nanos time) { return static_cast<double>(time.count()) / 1e9; }

}  // namespace

std::string_view sender_gate_name(SenderGate gate) { return kGateNames[static_cast<std::size_t>(gate)]; }

void SenderGates::judge(SenderGate gate, double value, double limit, int periods_to_trip) {
  const auto i = static_cast<std::size_t>(gate);
  const bool is_beyond = value > limit;
  beyond_[i] = is_beyond ? beyond_[i] + 1 : 0;
  within_[i] = is_beyond ? 0 : within_[i] + 1;
  GateReading& reading = readings_[i];
  if (beyond_[i] >= periods_to_trip) reading.is_bad = true;
  if (within_[i] >= kPeriodsToMend) reading.is_bad = false;
  reading.is_known = true;
  reading.value = value;
  reading.limit = limit;
}

void SenderGates::close_period(const SenderPeriod& p) {
  if (std::max(p.requests, p.samples) >= kFewest) {
    judge(SenderGate::kParsing, std::max(share(p.requests_unparsed, p.requests), share(p.samples_unparsed, p.samples)), kParsingLimit, 1);
    judge(SenderGate::kErrors, std::max(share(p.requests_unparsed, p.requests), share(p.samples_refused, p.samples)), kErrorsLimit, kPeriodsToDegrade);
  }
  if (p.gpu_samples >= kFewest) judge(SenderGate::kDeviceIds, share(p.gpu_samples_without_id, p.gpu_samples), kDeviceIdsLimit, 1);
  if (p.imbalance) judge(SenderGate::kConsistency, *p.imbalance, kConsistencyLimit, 1);
  if (p.ahead_ms) {
    const double ahead = static_cast<double>(*p.ahead_ms) / 1'000;
    judge(SenderGate::kClock, std::max(0.0, ahead), seconds_in(kClockLimit), 1);
    judge(SenderGate::kDelay, std::max(0.0, -ahead), seconds_in(kDelayLimit), 1);
  }
}

}  // namespace seedance
