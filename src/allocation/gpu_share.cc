#include "allocation/gpu_share.h"

#include <algorithm>
#include <charconv>
#include <numeric>

namespace seedance {
namespace {

constexpr std::string_view kMigPrefix = "nvidia_com_mig_";
constexpr std::string_view kHamiCores = "nvidia_com_gpucores";
constexpr std::string_view kHamiMemory = "nvidia_com_gpumem";
constexpr std::string_view kHamiMemoryPercent = "nvidia_com_gpumem_percentage";
constexpr std::int64_t kUnitsMax = 1'000'000;

std::int64_t label_number(const NodeRecord& node, std::string_view key) {
  const std::string_view text = label_value(node.labels, key);
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::int64_t largest_level(const Steps& steps) {
  std::int64_t level = 0;
  for (const Step& s : steps) level = std::max(level, s.level);
  return level;
}

std::int64_t card_slices(const NodeRecord& node) { return card_compute_slices(label_value(node.labels, "nvidia_com_gpu_product")); }

// How many instances of a profile fit on one card: memory slices bind for 3g, 4g and the double-memory 1g (MIG user guide).
std::int64_t mig_instances_max(std::string_view profile, std::int64_t slices_of_card) {
  const std::int64_t slices = mig_compute_slices(profile);
  if (slices == 3) return 2;
  if (slices == 0) return 1;
  return std::max<std::int64_t>(1, slices_of_card / slices);
}

// "NVIDIA-A100-SXM4-40GB-MIG-1g.5gb" -> "1g.5gb".
std::string_view profile_of_product(std::string_view product) {
  const std::size_t at = product.find("-MIG-");
  return at == std::string_view::npos ? std::string_view{} : product.substr(at + 5);
}

// Kubernetes device plugins advertise MIG slices by profile; the exporter turns "1g.5gb" into "1g_5gb".
std::string_view profile_of_resource(std::string_view resource) {
  return resource.starts_with(kMigPrefix) ? resource.substr(kMigPrefix.size()) : std::string_view{};
}

struct Offer {
  std::int64_t whole = 0;       // devices, after replicas are undone
  std::int64_t mig_slices = 0;  // compute slices over all profiles
};

Offer offer_of(const NodeRecord& node, const NodeGpus& gpus) {
  Offer offer;
  for (const ResourceSteps& r : node.capacity) {
    const std::int64_t count = largest_level(r.amount);
    if (const std::string_view profile = profile_of_resource(r.resource); !profile.empty()) {
      offer.mig_slices += count * mig_compute_slices(profile);
    } else if (r.resource == "nvidia_com_gpu" || r.resource == "nvidia_com_gpu_shared") {
      offer.whole += gpus.mig_single ? 0 : count / gpus.replicas;
      if (gpus.mig_single) offer.mig_slices += count * mig_compute_slices(profile_of_product(label_value(node.labels, "nvidia_com_gpu_product")));
    } else if (is_gpu_resource(r.resource)) {
      offer.whole += count;
    }
  }
  return offer;
}

std::int64_t physical_of(const NodeRecord& node, const NodeGpus& gpus, std::int64_t book_millis, std::int64_t seen) {
  if (book_millis > 0) return (book_millis + 999) / 1'000;
  if (!gpus.mig_single) {
    if (const std::int64_t labelled = label_number(node, "nvidia_com_gpu_count"); labelled > 0) return labelled;
  }
  if (seen > 0) return seen;
  const Offer offer = offer_of(node, gpus);
  if (gpus.mig_single) {
    const std::string_view profile = profile_of_product(label_value(node.labels, "nvidia_com_gpu_product"));
    const std::int64_t slices = std::max<std::int64_t>(1, mig_compute_slices(profile));
    const std::int64_t instances = offer.mig_slices / slices;
    const std::int64_t per_card = mig_instances_max(profile, card_slices(node));
    return (instances + per_card - 1) / per_card;
  }
  return offer.whole + (offer.mig_slices + card_slices(node) - 1) / card_slices(node);
}

// The part of `device` that `share` is.
Rational part_of(Rational share, Rational device) { return {share.num * device.num, share.den * device.den}; }

// The share of one device, as Kubernetes counts devices.
Rational share_of_device(std::string_view resource, const NodeRecord& node, const NodeGpus& gpus) {
  if (const std::string_view profile = profile_of_resource(resource); !profile.empty()) {
    return {mig_compute_slices(profile), card_slices(node)};
  }
  if (!is_gpu_resource(resource)) return {0, 1};
  if (resource == "nvidia_com_gpu" && gpus.mig_single) {
    return {mig_compute_slices(profile_of_product(label_value(node.labels, "nvidia_com_gpu_product"))), card_slices(node)};
  }
  if (resource == "nvidia_com_gpu" || resource == "nvidia_com_gpu_shared") return {1, gpus.replicas};
  return {1, 1};
}

std::int64_t units_for(const NodeRecord& node, const NodeGpus& gpus) {
  // Percentages (HAMi), replicas and card slices all divide this; larger than needed does not hurt, money is split by ratio.
  const std::int64_t units = std::lcm(std::lcm<std::int64_t>(100, card_slices(node)), gpus.replicas);
  return std::min(units, kUnitsMax) * gpus.card.den;
}

}  // namespace

std::int64_t card_compute_slices(std::string_view product) { return product.find("A30") != std::string_view::npos ? 4 : 7; }

std::int64_t mig_compute_slices(std::string_view profile) {
  if (profile.size() < 2 || profile[0] < '1' || profile[0] > '9' || profile[1] != 'g') return 0;
  return profile[0] - '0';
}

bool is_gpu_resource(std::string_view resource) {
  if (resource.starts_with(kMigPrefix)) return true;
  for (const std::string_view name : {"nvidia_com_gpu", "nvidia_com_gpu_shared", "amd_com_gpu", "gpu_intel_com_i915", "gpu_intel_com_xe",
                                      "aws_amazon_com_neuron", "aws_amazon_com_neuroncore", "google_com_tpu", "habana_ai_gaudi"}) {
    if (resource == name) return true;
  }
  return false;
}

NodeGpus node_gpus(const NodeRecord& node, Interval /*hour*/, std::int64_t book_millis, std::int64_t seen) {
  NodeGpus gpus;
  const std::string_view strategy = label_value(node.labels, "nvidia_com_gpu_sharing_strategy");
  const std::int64_t replicas = label_number(node, "nvidia_com_gpu_replicas");
  if (strategy != "none" && replicas > 1) gpus.replicas = replicas;
  gpus.mig_single = label_value(node.labels, "nvidia_com_mig_strategy") == "single" &&
                    !profile_of_product(label_value(node.labels, "nvidia_com_gpu_product")).empty();
  gpus.memory_mib = label_number(node, "nvidia_com_gpu_memory");
  gpus.physical = physical_of(node, gpus, book_millis, seen);
  if (book_millis % 1'000 != 0) gpus.card = reduced({book_millis, gpus.physical * 1'000});
  gpus.units_per_gpu = units_for(node, gpus);
  const Offer offer = offer_of(node, gpus);
  if (gpus.physical > 0 && (offer.whole > 0 || offer.mig_slices > 0)) {
    const std::int64_t offered = offer.whole * gpus.device_units() + offer.mig_slices * gpus.device_units() / card_slices(node);
    gpus.unreachable_units = std::max<std::int64_t>(0, gpus.capacity_units() - offered);
  }
  return gpus;
}

Rational unit_share(std::string_view resource, const NodeRecord& node, const NodeGpus& gpus) {
  return part_of(share_of_device(resource, node, gpus), gpus.card);
}

std::vector<GpuClaim> gpu_claims(const ContainerRecord& container, const NodeRecord& node, const NodeGpus& gpus) {
  std::vector<GpuClaim> claims;
  const std::int64_t cores = largest_level(resource_steps(container.requests, kHamiCores));
  const std::int64_t memory = largest_level(resource_steps(container.requests, kHamiMemory));
  const std::int64_t memory_percent = largest_level(resource_steps(container.requests, kHamiMemoryPercent));
  const bool hami = cores > 0 || memory > 0 || memory_percent > 0;
  for (const ResourceSteps& r : container.requests) {
    Rational share = unit_share(r.resource, node, gpus);
    if (share.num == 0) continue;
    if (hami && r.resource == "nvidia_com_gpu") {
      std::int64_t percent = std::max(cores, memory_percent);
      if (memory > 0 && gpus.memory_mib > 0) percent = std::max(percent, (memory * 100 + gpus.memory_mib - 1) / gpus.memory_mib);
      share = part_of(percent > 0 ? Rational{std::min<std::int64_t>(percent, 100), 100} : Rational{1, 1}, gpus.card);
    }
    claims.push_back({r.resource, reduced(share), r.amount});
  }
  return claims;
}

}  // namespace seedance
