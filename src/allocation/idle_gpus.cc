#include "allocation/idle_gpus.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>

namespace seedance {
namespace {

// Why a free GPU cannot be had, as a level.
enum Lack : std::int64_t { kNoLack = 0, kLacksCpu = 1, kLacksMemory = 2, kLacksBoth = 3 };
constexpr std::array<std::string_view, 4> kLackReasons{"", "no cpu beside the gpu", "no memory beside the gpu", "no cpu and no memory beside the gpu"};

std::int64_t level_or_zero(std::int64_t level) { return level == kAbsent ? 0 : level; }

// What was lacking beside the GPUs, over the piece.
Steps lack_of(const IdleQuestion& q) {
  Steps out;
  const Steps* const functions[] = {q.cpu_capacity, q.cpu_held, q.memory_capacity, q.memory_held};
  sweep(functions, q.span, [&](Interval piece, std::span<const std::int64_t> at) {
    const bool no_cpu = at[0] != kAbsent && at[0] - level_or_zero(at[1]) < q.stranded_cpu;
    const bool no_memory = at[2] != kAbsent && at[2] - level_or_zero(at[3]) < q.stranded_memory;
    out.push_back({piece.from, piece.to, (no_cpu ? kLacksCpu : kNoLack) + (no_memory ? kLacksMemory : kNoLack)});
  });
  return compact(std::move(out));
}

// All of the node's GPU time that nobody could have had, slices without a layout included.
Int128 stranded_in_all(const IdleQuestion& q, const Steps& lack) {
  Int128 stranded = 0;
  const Steps* const functions[] = {q.gpu_capacity, q.gpu_held, &lack};
  sweep(functions, q.span, [&](Interval piece, std::span<const std::int64_t> at) {
    if (at[0] == kAbsent) return;
    const std::int64_t idle = std::max<std::int64_t>(0, at[0] - level_or_zero(at[1]));
    const bool is_stuck = level_or_zero(at[2]) != kNoLack;
    stranded += static_cast<Int128>(is_stuck ? idle : std::min(idle, q.unreachable_units)) * piece.nanos();
  });
  return std::min(stranded, q.idle);
}

IdlePart part_of(const FreeDevice& free, const Steps& lack, std::int64_t which, const IdleQuestion& q) {
  IdlePart part;
  part.kind = which == kNoLack ? RowKind::kIdle : RowKind::kStranded;
  part.device = free.device;
  part.reason = kLackReasons[static_cast<std::size_t>(which)];
  Steps mask;
  for (const Step& s : lack) {
    if (s.level == which) mask.push_back({s.from, s.to, 1});
  }
  part.units = clip(masked(free.units, mask), q.span);
  part.amount = integral(part.units);
  if (part.units.empty()) return part;
  TimePoint since = part.units.back().from;
  for (std::size_t i = part.units.size(); i-- > 1 && part.units[i - 1].to == since;) since = part.units[i - 1].from;
  if (since > q.hour) part.since = since;
  return part;
}

std::string rest_reason(const IdleQuestion& q) {
  return q.unreachable_units > 0 ? "slices without a layout, or no cpu or memory beside the gpu" : "no cpu or memory beside the gpu";
}

std::int64_t units_of_device(const DeviceActivity& device, const NodeRecord& node, const NodeGpus& gpus) {
  if (device.instance.empty()) return gpus.device_units();
  const Rational share = unit_share("nvidia_com_mig_" + device.profile, node, gpus);
  return share.den == 0 ? 0 : share.num * gpus.units_per_gpu / share.den;
}

// `whole` while the node lives, less what is held; absent where nothing is left, or where it cannot be known.
Steps rest_of(std::int64_t whole, const Steps& live, const std::vector<const Steps*>& held, const Steps& unknown) {
  if (live.empty()) return {};
  Steps out;
  const Steps sum = sum_of(held);
  const Steps* const functions[] = {&live, &sum, &unknown};
  sweep(functions, {live.front().from, live.back().to}, [&](Interval piece, std::span<const std::int64_t> at) {
    if (at[0] == kAbsent || (at[2] != kAbsent && at[2] > 0)) return;
    const std::int64_t rest = whole - (at[1] == kAbsent ? 0 : at[1]);
    if (rest > 0) out.push_back({piece.from, piece.to, rest});
  });
  return compact(std::move(out));
}

}  // namespace

std::vector<FreeDevice> free_devices(const std::vector<const DeviceActivity*>& devices, const std::vector<ContainerHolding>& holdings,
                                     const NodeRecord& node, const NodeGpus& gpus, const Steps& live) {
  std::set<std::string_view> cut_into_slices;
  for (const DeviceActivity* device : devices) {
    if (!device->instance.empty()) cut_into_slices.insert(device->uuid);
  }
  std::map<const DeviceActivity*, std::vector<const Steps*>> held;
  std::vector<const Steps*> nowhere;
  for (const ContainerHolding& h : holdings) {
    for (const GpuHold& hold : h.gpus) (hold.device == nullptr ? nowhere : held[hold.device]).push_back(&hold.units);
  }
  const Steps unknown = sum_of(nowhere);
  std::vector<FreeDevice> out;
  for (const DeviceActivity* device : devices) {
    if (device->instance.empty() && cut_into_slices.contains(device->uuid)) continue;
    Steps rest = rest_of(units_of_device(*device, node, gpus), live, held[device], unknown);
    if (!rest.empty()) out.push_back({device, std::move(rest)});
  }
  return out;
}

std::vector<IdlePart> idle_parts(const IdleQuestion& question, const std::vector<FreeDevice>& devices) {
  const Steps lack = lack_of(question);
  Int128 stranded_rest = stranded_in_all(question, lack);
  Int128 idle_rest = question.idle - stranded_rest;
  std::vector<IdlePart> out(2);
  for (const FreeDevice& free : devices) {
    for (const std::int64_t which : {kNoLack, kLacksCpu, kLacksMemory, kLacksBoth}) {
      IdlePart part = part_of(free, lack, which, question);
      // The pool is the truth: more devices than the node pays for share what there is.
      Int128& rest = part.kind == RowKind::kIdle ? idle_rest : stranded_rest;
      part.amount = std::min(part.amount, rest);
      rest -= part.amount;
      if (part.amount > 0) out.push_back(std::move(part));
    }
  }
  out[0].amount = idle_rest;
  out[1].kind = RowKind::kStranded;
  out[1].amount = stranded_rest;
  out[1].reason = rest_reason(question);
  return out;
}

}  // namespace seedance
