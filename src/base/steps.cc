#include "base/steps.h"

#include <algorithm>

namespace seedance {
namespace {

// Appends a piece, merging it with the last one when they touch at the same level.
void append(Steps& out, Step piece) {
  if (piece.to <= piece.from) return;
  if (!out.empty() && out.back().to == piece.from && out.back().level == piece.level) {
    out.back().to = piece.to;
    return;
  }
  out.push_back(piece);
}

Interval cover(const Steps& a, const Steps& b) {
  TimePoint from = TimePoint::max();
  TimePoint to = TimePoint::min();
  for (const Steps* s : {&a, &b}) {
    if (s->empty()) continue;
    from = std::min(from, s->front().from);
    to = std::max(to, s->back().to);
  }
  return {from, to};
}

}  // namespace

Int128 integral(const Steps& steps) {
  Int128 sum = 0;
  for (const Step& s : steps) sum += static_cast<Int128>(s.level) * s.span().nanos();
  return sum;
}

std::int64_t present_nanos(const Steps& steps) {
  std::int64_t sum = 0;
  for (const Step& s : steps) sum += s.span().nanos();
  return sum;
}

Steps clip(const Steps& steps, Interval window) {
  Steps out;
  for (const Step& s : steps) {
    const Interval part = intersection(s.span(), window);
    if (!part.empty()) out.push_back({part.from, part.to, s.level});
  }
  return out;
}

Steps compact(Steps steps) {
  Steps out;
  out.reserve(steps.size());
  for (const Step& s : steps) append(out, s);
  return out;
}

Steps max_of(const Steps& a, const Steps& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  Steps out;
  const Steps* const both[] = {&a, &b};
  sweep(both, cover(a, b), [&](Interval piece, std::span<const std::int64_t> levels) {
    const std::int64_t level = std::max(levels[0], levels[1]);  // kAbsent is the smallest value
    if (level != kAbsent) append(out, {piece.from, piece.to, level});
  });
  return out;
}

Steps sum_of(std::span<const Steps* const> functions) {
  struct Edge {
    TimePoint at;
    std::int64_t level_change;
    int present_change;
  };
  std::vector<Edge> edges;
  for (const Steps* steps : functions) {
    for (const Step& s : *steps) {
      edges.push_back({s.from, s.level, 1});
      edges.push_back({s.to, -s.level, -1});
    }
  }
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.at < b.at; });
  Steps out;
  std::int64_t level = 0;
  int present = 0;
  for (std::size_t i = 0; i < edges.size();) {
    const TimePoint at = edges[i].at;
    for (; i < edges.size() && edges[i].at == at; ++i) {
      level += edges[i].level_change;
      present += edges[i].present_change;
    }
    if (present > 0 && i < edges.size()) append(out, {at, edges[i].at, level});
  }
  return out;
}

Steps masked(const Steps& steps, const Steps& mask) {
  if (steps.empty() || mask.empty()) return {};
  Steps out;
  const Steps* const both[] = {&steps, &mask};
  sweep(both, cover(steps, mask), [&](Interval piece, std::span<const std::int64_t> levels) {
    if (levels[0] != kAbsent && levels[1] != kAbsent && levels[1] != 0) append(out, {piece.from, piece.to, levels[0]});
  });
  return out;
}

Steps unmasked(const Steps& whole, const Steps& mask) {
  if (whole.empty() || mask.empty()) return whole;
  Steps out;
  const Steps* const both[] = {&whole, &mask};
  sweep(both, cover(whole, mask), [&](Interval piece, std::span<const std::int64_t> levels) {
    if (levels[0] != kAbsent && (levels[1] == kAbsent || levels[1] == 0)) append(out, {piece.from, piece.to, levels[0]});
  });
  return out;
}

std::int64_t level_at(const Steps& steps, TimePoint t, std::int64_t otherwise) {
  const auto after = std::upper_bound(steps.begin(), steps.end(), t, [](TimePoint at, const Step& s) { return at < s.from; });
  if (after == steps.begin()) return otherwise;
  const Step& piece = *(after - 1);
  return t < piece.to ? piece.level : otherwise;
}

void sweep(std::span<const Steps* const> functions, Interval window,
           const std::function<void(Interval, std::span<const std::int64_t>)>& visit) {
  std::vector<std::size_t> at(functions.size(), 0);
  std::vector<std::int64_t> levels(functions.size(), kAbsent);
  for (TimePoint now = window.from; now < window.to;) {
    TimePoint next = window.to;
    for (std::size_t i = 0; i < functions.size(); ++i) {
      const Steps& steps = *functions[i];
      while (at[i] < steps.size() && steps[at[i]].to <= now) ++at[i];
      levels[i] = kAbsent;
      if (at[i] == steps.size()) continue;
      const Step& piece = steps[at[i]];
      if (piece.from <= now) {
        levels[i] = piece.level;
        next = std::min(next, piece.to);
      } else {
        next = std::min(next, piece.from);
      }
    }
    visit({now, next}, levels);
    now = next;
  }
}

}  // namespace seedance
