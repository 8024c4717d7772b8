// What one series is about: which signal of which entity, read from its labels once, when the series is first seen.
//
// Label spellings differ between exporters and versions (data: dcgm-exporter's templates and issues; kube-state-metrics'
// sanitised names); here they become one. `exported_*` wins: it is there when the scraper put its own target labels on top.
#pragma once

#include <optional>

#include "base/symbols.h"
#include "model/sample.h"
#include "model/signal.h"
#include "signal/catalogue.h"

namespace seedance {

struct SeriesMeaning {
  const SignalBinding* binding = nullptr;  // owned by the Catalogue, outlives every meaning
  SignalId signal = SignalId::kCount;
  // GPUs: the pod's name is the exporter's own word. A plain `pod` label may be the scraper's, and then names the exporter's pod:
  // on every series without a pod of its own, whether labels are honoured or not. `exported_pod` and DRA labels are never the scraper's.
  bool is_pod_by_exporter = false;
  bool is_device_by_place = false;  // GPUs: no UUID, `device` is "host#number"
  Symbol cluster = 0;
  Symbol node = 0;
  Symbol namespace_name = 0;
  Symbol pod = 0;
  Symbol pod_uid = 0;
  Symbol container = 0;
  Symbol device = 0;     // GPU UUID
  Symbol instance = 0;   // MIG instance id
  Symbol profile = 0;    // MIG profile, "1g.5gb"
  Symbol model = 0;      // "NVIDIA A100-SXM4-40GB"
  Symbol index = 0;      // number of the card on its node
  Symbol detail = 0;     // resource, phase, waiting reason, owner kind, claim
  Symbol detail2 = 0;    // owner name
};

// nullopt: the metric is in the catalogue, but this series says nothing we can use (a cgroup total without a container, the
// pause container, one CPU of many, the loopback device).
std::optional<SeriesMeaning> meaning_of(const Labels& labels, const Catalogue& catalogue, SymbolTable& symbols);

// The pod UID inside a cgroup path such as ".../kubepods-burstable-pod0a1b2c3d_....slice/cri-containerd-....scope", or empty.
std::string pod_uid_of_cgroup(std::string_view id);

}  // namespace seedance
