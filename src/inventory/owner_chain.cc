#include "inventory/owner_chain.h"

namespace seedance {
namespace {

constexpr int kLinksMax = 8;

}  // namespace

OwnerRef owner_ref(std::string kind, std::string name) {
  if (kind.empty() || kind == "<none>" || name.empty() || name == "<none>") return {};
  return {std::move(kind), std::move(name)};
}

void OwnerChain::add(OwnedObject object, OwnerRef owner) {
  if (owner.kind.empty()) return;
  OwnerRef& slot = owners_[std::move(object)];
  if (slot.kind.empty() || std::tie(owner.kind, owner.name) < std::tie(slot.kind, slot.name)) slot = std::move(owner);
}

OwnerRef OwnerChain::top(const std::string& cluster, const std::string& namespace_name, OwnerRef owner) const {
  for (int link = 0; link < kLinksMax && !owner.kind.empty(); ++link) {
    const auto next = owners_.find({cluster, namespace_name, owner.kind, owner.name});
    if (next == owners_.end()) break;
    owner = next->second;
  }
  if (owner.kind == "ReplicaSet") {
    const std::size_t dash = owner.name.rfind('-');
    if (dash != std::string::npos && dash > 0) return {"Deployment", owner.name.substr(0, dash)};
  }
  return owner;
}

}  // namespace seedance
