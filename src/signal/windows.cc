#include "signal/windows.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace seedance {
namespace {

std::int64_t second_of(std::int64_t ms) { return ms >= 0 ? ms / 1000 : (ms - 999) / 1000; }

}  // namespace

bool WindowShard::add(std::uint32_t series, std::uint32_t group, Sample sample) {
  const std::int64_t second = second_of(sample.timestamp_ms);
  if (second < open_from_) {
    ++late_samples_;
    return false;
  }
  if (recent_ == nullptr || recent_second_ != second) {
    recent_ = &seconds_[second];
    recent_second_ = second;
  }
  recent_->push_back({group, series, sample});
  ++pending_samples_;
  return true;
}

void WindowShard::fold(std::int64_t second, std::vector<Pending>& pending, std::vector<Window>& out) {
  // A group's values in time order; of one series and time stamp only the first, so a resend counts once.
  std::sort(pending.begin(), pending.end(), [](const Pending& a, const Pending& b) {
    return std::tie(a.group, a.sample.timestamp_ms, a.series) < std::tie(b.group, b.sample.timestamp_ms, b.series);
  });
  const Pending* last = nullptr;
  for (const Pending& p : pending) {
    const bool repeated = last != nullptr && last->group == p.group && last->series == p.series && last->sample.timestamp_ms == p.sample.timestamp_ms;
    last = &p;
    if (repeated || std::isnan(p.sample.value)) continue;
    const double v = p.sample.value;
    if (out.empty() || out.back().second != second || out.back().group != p.group) {
      out.push_back({second, p.group, 1, v, v, v, v, v});
      continue;
    }
    Window& w = out.back();
    ++w.count;
    w.sum += v;
    w.min = std::min(w.min, v);
    w.max = std::max(w.max, v);
    w.last = v;
  }
}

std::vector<Window> WindowShard::close(TimePoint watermark) {
  std::vector<Window> out;
  const std::int64_t end = second_of(millis_of(watermark - lateness_));
  while (!seconds_.empty() && seconds_.begin()->first < end) {
    auto& [second, pending] = *seconds_.begin();
    pending_samples_ -= pending.size();
    fold(second, pending, out);
    if (recent_ == &pending) recent_ = nullptr;
    seconds_.erase(seconds_.begin());
  }
  open_from_ = std::max(open_from_, end);
  return out;
}

}  // namespace seedance
