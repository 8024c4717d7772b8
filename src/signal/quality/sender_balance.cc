#include "signal/quality/sender_balance.h"

#include <algorithm>
#include <cmath>

namespace seedance {
namespace {

constexpr std::int64_t kWindowMs = 5 * 60'000;
constexpr std::int64_t kWindowLeastMs = 60'000;
constexpr std::int64_t kKeptMs = 2 * kWindowMs;
constexpr std::size_t kReadingsMax = 1'000;
constexpr std::int64_t kSlotMs = 100;         // arrivals closer than this are one
constexpr double kBatchesOnTheirWay = 2;      // at either end of the window

}  // namespace

void SenderBalance::received(std::int64_t arrival_ms, std::uint64_t samples) {
  total_ += samples;
  largest_ = std::max(largest_, samples);
  if (!arrived_.empty() && arrival_ms - arrived_.back().at_ms < kSlotMs) {
    arrived_.back().samples = total_;
  } else {
    arrived_.push_back({arrival_ms, total_});
  }
  while (arrived_.front().at_ms < arrived_.back().at_ms - kKeptMs) arrived_.pop_front();
}

void SenderBalance::said(const SenderCounter& counter) {
  if (!std::isfinite(counter.sample.value)) return;
  const auto [known, is_first] = series_.try_emplace(counter.signal, counter.series);
  if (!is_first && known->second != counter.series) is_ambiguous_ = true;
  Said& said = said_[counter.sample.timestamp_ms];
  switch (counter.signal) {
    case SignalId::kSenderSamplesAttempted: said.attempts = counter.sample.value; break;
    case SignalId::kSenderSamplesRetried: said.retried = counter.sample.value; break;
    default: said.failed = counter.sample.value; break;
  }
  while (said_.size() > kReadingsMax || said_.begin()->first < said_.rbegin()->first - kKeptMs) said_.erase(said_.begin());
}

std::optional<double> SenderBalance::received_by(std::int64_t at_ms) const {
  const auto after = std::upper_bound(arrived_.begin(), arrived_.end(), at_ms, [](std::int64_t ms, const Arrived& a) { return ms < a.at_ms; });
  if (after == arrived_.begin() || after == arrived_.end()) return std::nullopt;
  const Arrived& before = *std::prev(after);
  const double part = static_cast<double>(at_ms - before.at_ms) / static_cast<double>(after->at_ms - before.at_ms);
  return static_cast<double>(before.samples) + part * static_cast<double>(after->samples - before.samples);
}

std::optional<SenderBalance::Answer> SenderBalance::compare() const {
  if (is_ambiguous_) return std::nullopt;
  // The newest reading that is covered by arrivals, and the oldest of the window before it without a new beginning in between.
  const Said* newest = nullptr;
  std::int64_t newest_ms = 0;
  double delivered = 0;
  double arrived = 0;
  std::optional<Answer> out;
  for (auto at = said_.rbegin(); at != said_.rend(); ++at) {
    if (!at->second.is_whole()) continue;
    const std::optional<double> by_then = received_by(at->first);
    if (!by_then) continue;
    if (newest == nullptr) {
      newest = &at->second;
      newest_ms = at->first;
      delivered = newest->delivered();
      arrived = *by_then;
      continue;
    }
    if (newest_ms - at->first > kWindowMs || at->second.delivered() > delivered) break;
    if (newest_ms - at->first < kWindowLeastMs) continue;
    Answer answer{delivered - at->second.delivered(), arrived - *by_then, 0};
    const double off = std::max(0.0, std::abs(answer.sent - answer.received) - kBatchesOnTheirWay * static_cast<double>(largest_));
    answer.apart = answer.sent > 0 ? off / answer.sent : 0;
    out = answer;
  }
  return out;
}

}  // namespace seedance
