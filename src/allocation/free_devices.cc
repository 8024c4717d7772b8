#include "allocation/free_devices.h"

#include <map>
#include <set>
#include <string_view>

namespace seedance {
namespace {

std::int64_t units_of_device(const DeviceActivity& device, const NodeRecord& node, const NodeGpus& gpus) {
  if (device.instance.empty()) return gpus.units_per_gpu;
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

}  // namespace seedance
