#include "simulate/cluster_plan.h"

#include <optional>

namespace seedance {
namespace {

Nanos shifted(Nanos offset, Nanos by) { return offset == kNever ? kNever : offset + by; }

std::optional<PodLife> life_at(const ClusterPlan& plan, const PlannedPod& pod, Nanos t) {
  if (t < pod.created) return std::nullopt;
  const std::int64_t turn = pod.repeat.count() == 0 ? 0 : (t - pod.created).count() / pod.repeat.count();
  const Nanos shift{turn * pod.repeat.count()};
  if (t >= shifted(pod.removed, shift)) return std::nullopt;
  PodLife life;
  life.plan = &pod;
  life.name = pod.name;
  life.owner_name = pod.owner_name;
  std::string key = pod.uid_key;
  if (pod.repeat.count() != 0) {
    key += "/" + std::to_string(turn);
    life.owner_name += "-" + std::to_string(29'000'000 + turn);
    life.name = life.owner_name + "-" + planned_uuid(plan.seed, "suffix of " + key).substr(0, 5);
  }
  life.uid = planned_uuid(plan.seed, key);
  life.created = pod.created + shift;
  life.scheduled = shifted(pod.scheduled, shift);
  life.started = shifted(pod.started, shift);
  life.finished = shifted(pod.finished, shift);
  life.is_scheduled = t >= life.scheduled;
  life.is_started = t >= life.started;
  life.is_finished = t >= life.finished;
  return life;
}

}  // namespace

std::string planned_uuid(std::uint64_t seed, std::string_view key) {
  constexpr std::string_view kHex = "0123456789abcdef";
  const std::uint64_t halves[2] = {mixed(seed, key, 1), mixed(seed, key, 2)};
  std::string out;
  for (std::size_t digit = 0; digit < 32; ++digit) {
    if (digit == 8 || digit == 12 || digit == 16 || digit == 20) out.push_back('-');
    const std::uint64_t nibble = (halves[digit / 16] >> (4 * (digit % 16))) & 15;
    if (digit == 12) {
      out.push_back('4');
    } else if (digit == 16) {
      out.push_back(kHex[8 + (nibble & 3)]);
    } else {
      out.push_back(kHex[nibble]);
    }
  }
  return out;
}

std::vector<PodLife> pods_at(const ClusterPlan& plan, TimePoint at, std::size_t node_first, std::size_t node_end) {
  std::vector<PodLife> lives;
  for (const PlannedPod& pod : plan.pods) {
    if (pod.node < node_first || pod.node >= node_end) continue;
    if (std::optional<PodLife> life = life_at(plan, pod, at - plan.start)) lives.push_back(std::move(*life));
  }
  return lives;
}

}  // namespace seedance
