// Follows owners up: ReplicaSet to Deployment, Job to CronJob; unknown kinds (PyTorchJob, RayJob) are tops of their own.
#pragma once

#include <map>
#include <string>
#include <tuple>

namespace seedance {

struct OwnerRef {
  std::string kind;
  std::string name;
};

// kube-state-metrics writes "<none>" for "no owner".
OwnerRef owner_ref(std::string kind, std::string name);

struct OwnedObject {
  std::string cluster;
  std::string namespace_name;
  std::string kind;
  std::string name;
  friend auto operator<=>(const OwnedObject&, const OwnedObject&) = default;
};

class OwnerChain {
 public:
  void add(OwnedObject object, OwnerRef owner);

  // The top of the chain that starts at `owner`. A ReplicaSet whose owner is not known is cut at its last "-": the
  // Deployment controller names it <deployment>-<hash>. Other objects stay as they are. Follows at most eight links.
  OwnerRef top(const std::string& cluster, const std::string& namespace_name, OwnerRef owner) const;

 private:
  std::map<OwnedObject, OwnerRef> owners_;
};

}  // namespace seedance
