// Whether what a sender brings can be relied on: gates over periods of arrival, and what is done when one is passed.
//
//   gate          bad when                                                   then
//   parsing       > 8 % of bodies or series cannot be parsed                 light schema: only the signals that money needs
//   device ids    > 12 % of GPU samples name no device                       the place of the card stands in for its id
//   errors        > 15 % refused in three periods in a row                   the sender is degraded, and every report says so
//   consistency   sent and received differ by > 0.5 % (sender_balance.h)     told
//   clock         newest samples more than the tolerance ahead of our clock  told; its clock moves nobody's windows
//   delay         newest sample of a sender that is sending older than five minutes    told: the present is missing
//
// The limits are those of the requirements, B8. A gate that is passed closes again after three good periods in a row, so that a sender
// at the limit does not flap. Periods without enough to judge by change nothing. One thread at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/units.h"

namespace seedance {

enum class SenderGate : std::uint8_t { kParsing, kDeviceIds, kErrors, kConsistency, kClock, kDelay };
inline constexpr std::size_t kSenderGateCount = 6;
std::string_view sender_gate_name(SenderGate gate);  // "parsing", "device_ids", ...

inline constexpr double kParsingLimit = 0.08;
inline constexpr double kDeviceIdsLimit = 0.12;
inline constexpr double kErrorsLimit = 0.15;
inline constexpr double kConsistencyLimit = 0.005;
inline constexpr Nanos kClockLimit = std::chrono::seconds(5);
inline constexpr Nanos kDelayLimit = std::chrono::minutes(5);

// What came from one sender in one period. Requests that we could not take for want of memory or disk are not its errors and not here.
struct SenderPeriod {
  std::uint64_t requests = 0;
  std::uint64_t requests_unparsed = 0;  // the body is no message of its kind
  std::uint64_t samples = 0;            // of the others
  std::uint64_t samples_unparsed = 0;   // of series that are malformed
  std::uint64_t samples_refused = 0;    // for whatever reason, those included
  std::uint64_t gpu_samples = 0;
  std::uint64_t gpu_samples_without_id = 0;
  std::optional<std::int64_t> ahead_ms;  // the middle of newest sample minus arrival, over its requests; negative: behind
  std::optional<double> imbalance;       // of sender_balance.h
};

struct GateReading {
  bool is_known = false;  // there was something to judge by
  bool is_bad = false;
  double value = 0;       // ratio; seconds for clock and delay
  double limit = 0;
};

class SenderGates {
 public:
  void close_period(const SenderPeriod& period);

  const GateReading& reading(SenderGate gate) const { return readings_[static_cast<std::size_t>(gate)]; }
  bool is_light() const { return reading(SenderGate::kParsing).is_bad; }
  bool is_degraded() const { return reading(SenderGate::kErrors).is_bad; }

 private:
  void judge(SenderGate gate, double value, double limit, int periods_to_trip);

  std::array<GateReading, kSenderGateCount> readings_{};
  std::array<int, kSenderGateCount> beyond_{};  // periods in a row beyond the limit
  std::array<int, kSenderGateCount> within_{};
};

}  // namespace seedance
