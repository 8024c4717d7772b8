#include "signal/windows.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <absl/container/flat_hash_map.h>

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

void WindowShard::set_replica(std::uint32_t series, std::uint32_t twins, std::string_view replica) {
  if (sources_.size() <= series) sources_.resize(series + 1);
  const auto at = std::find(replica_names_.begin(), replica_names_.end(), replica);
  const auto number = static_cast<std::uint32_t>(at - replica_names_.begin()) + 1;
  if (at == replica_names_.end()) replica_names_.emplace_back(replica);
  sources_[series] = {twins, number};
}

void WindowShard::leave_one_replica(std::vector<Pending>& pending) const {
  absl::flat_hash_map<std::uint32_t, std::uint32_t> chosen;  // replica by twins
  for (const Pending& p : pending) {
    const Source* source = source_of(p.series);
    if (source == nullptr || std::isnan(p.sample.value)) continue;
    const auto [at, is_first] = chosen.try_emplace(source->twins, source->replica);
    if (!is_first && replica_names_[source->replica - 1] < replica_names_[at->second - 1]) at->second = source->replica;
  }
  std::erase_if(pending, [&](const Pending& p) {
    const Source* source = source_of(p.series);
    if (source == nullptr) return false;
    const auto at = chosen.find(source->twins);
    return at != chosen.end() && at->second != source->replica;
  });
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

std::vector<WindowShard::ClosedSecond> WindowShard::take_closed(TimePoint watermark) {
  std::vector<ClosedSecond> out;
  const std::int64_t end = second_of(millis_of(watermark - lateness_));
  while (!seconds_.empty() && seconds_.begin()->first < end) {
    auto& [second, pending] = *seconds_.begin();
    pending_samples_ -= pending.size();
    if (replica_names_.size() > 1) leave_one_replica(pending);
    if (recent_ == &pending) recent_ = nullptr;
    out.push_back({second, std::move(pending)});
    seconds_.erase(seconds_.begin());
  }
  open_from_ = std::max(open_from_, end);
  return out;
}

std::vector<Window> WindowShard::windows_of(std::vector<ClosedSecond> closed) {
  std::vector<Window> out;
  for (ClosedSecond& one : closed) fold(one.second, one.pending, out);
  return out;
}

}  // namespace seedance
