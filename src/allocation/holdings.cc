#include "allocation/holdings.h"

#include <algorithm>

#include "allocation/device_match.h"
#include "allocation/named_holders.h"

namespace seedance {
namespace {

constexpr std::string_view kCpu = "cpu";
constexpr std::string_view kMemory = "memory";

// A request is known at scrapes and is constant between changes: each level holds until the next, the first also before.
Steps extended(const Steps& request, const Steps& held) {
  if (request.empty() || held.empty()) return {};
  Steps whole;
  for (std::size_t i = 0; i < request.size(); ++i) {
    const TimePoint from = i == 0 ? std::min(request[i].from, held.front().from) : request[i].from;
    const TimePoint to = i + 1 == request.size() ? std::max(request[i].to, held.back().to) : request[i + 1].from;
    if (from < to) whole.push_back({from, to, request[i].level});
  }
  return masked(whole, held);
}

// The scheduler reserves max(init, sum of the others): what an ordinary init container asks for on top.
Steps above_others(const Steps& init_request, const std::vector<Steps>& others) {
  if (init_request.empty()) return {};
  std::vector<const Steps*> functions;
  for (const Steps& s : others) functions.push_back(&s);
  const Steps sum = sum_of(functions);
  Steps out;
  const Steps* const both[] = {&init_request, &sum};
  sweep(both, {init_request.front().from, init_request.back().to}, [&](Interval piece, std::span<const std::int64_t> levels) {
    if (levels[0] == kAbsent) return;
    const std::int64_t above = levels[0] - (levels[1] == kAbsent ? 0 : levels[1]);
    if (above > 0) out.push_back({piece.from, piece.to, above});
  });
  return compact(out);
}

bool is_plain_init(const ContainerRecord& c) { return c.init && !c.sidecar; }

Steps request_of(const PodRecord& pod, const ContainerRecord& container, std::string_view resource, const Steps& held) {
  const Steps asked = extended(resource_steps(container.requests, resource), held);
  if (!is_plain_init(container)) return asked;
  std::vector<Steps> others;
  for (const ContainerRecord& c : pod.containers) {
    if (!c.init) others.push_back(extended(resource_steps(c.requests, resource), held));
  }
  return above_others(asked, others);
}

const ContainerUsage* usage_of(const std::vector<ContainerUsage>* usage, std::string_view container) {
  if (usage == nullptr) return nullptr;
  const auto at = std::find_if(usage->begin(), usage->end(), [&](const ContainerUsage& u) { return u.container == container; });
  return at == usage->end() ? nullptr : &*at;
}

struct PodContext {
  const NodeRecord& node;
  const NodeGpus& gpus;
  const PodRecord& pod;
  const std::vector<ContainerUsage>* usage;
  Steps held;

  ContainerHolding holding(const ContainerRecord* container, const std::string& name) const {
    ContainerHolding h;
    h.pod = &pod;
    h.container = container;
    h.container_name = name;
    h.held = held;
    if (container != nullptr) {
      h.cpu_requested = request_of(pod, *container, kCpu, held);
      h.memory_requested = request_of(pod, *container, kMemory, held);
    }
    if (const ContainerUsage* used = usage_of(usage, name)) {
      h.cpu_used = masked(used->cpu, held);
      h.memory_used = masked(used->memory, held);
    }
    h.cpu = max_of(h.cpu_requested, h.cpu_used);
    h.memory = max_of(h.memory_requested, h.memory_used);
    return h;
  }

  // One hold per device claimed; the devices are matched afterwards, over the whole node.
  void add_gpus(const ContainerRecord& container, ContainerHolding& h) const {
    if (is_plain_init(container)) return;
    for (const GpuClaim& claim : gpu_claims(container, node, gpus)) {
      const Steps count = extended(claim.count, held);
      std::int64_t most = 0;
      for (const Step& s : count) most = std::max(most, s.level);
      const std::int64_t units = claim.per_device.num * gpus.units_per_gpu / claim.per_device.den;
      for (std::int64_t i = 0; i < most; ++i) {
        GpuHold hold;
        for (const Step& s : count) {
          if (s.level > i) hold.units.push_back({s.from, s.to, units});
        }
        h.gpus.push_back(std::move(hold));
      }
    }
  }
};

void add_pod(const PodContext& context, std::vector<ContainerHolding>& out) {
  for (const ContainerRecord& container : context.pod.containers) {
    ContainerHolding h = context.holding(&container, container.name);
    context.add_gpus(container, h);
    out.push_back(std::move(h));
  }
  if (context.usage == nullptr) return;
  for (const ContainerUsage& used : *context.usage) {
    if (context.pod.container(used.container) == nullptr) out.push_back(context.holding(nullptr, used.container));
  }
}

}  // namespace

std::vector<ContainerHolding> holdings_of(const NodeRecord& node, const NodeGpus& gpus, const Steps& live,
                                          const std::vector<const PodRecord*>& pods, const std::vector<const DeviceActivity*>& devices,
                                          const ClusterHour& hour) {
  std::vector<ContainerHolding> out;
  for (const PodRecord* pod : pods) {
    Steps held = masked(clip(held_steps(*pod), hour.hour), live);
    for (Step& s : held) s.level = 1;
    held = compact(std::move(held));
    if (held.empty()) continue;
    const auto used = hour.usage.find(pod->uid);
    add_pod({node, gpus, *pod, used == hour.usage.end() ? nullptr : &used->second, std::move(held)}, out);
  }
  match_devices(devices, gpus, out);
  hold_named_devices(node, gpus, devices, out);
  return out;
}

}  // namespace seedance
