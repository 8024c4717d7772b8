// Gives devices to pods that hold them without a resource request: through dynamic resource allocation (ResourceClaims), where only
// the exporter's labels say who has which GPU.
//
// A container holds a device, whole or a MIG instance, for the time in which it is named on it and its pod holds its place on the node,
// less the time in which claims of other pods were matched to the device. Several pods named at once share it evenly, containers of
// one pod share what the pod has; amounts are whole units, the remainder goes to the first.
//
// An exporter must never be charged for the GPUs that it watches. Where the scraper puts its target labels on series, every free
// device carries the name of the exporter's own pod. So a name counts only
//  - for a pod without any GPU claim that does not belong to a DaemonSet or to a node (static pods): those watch devices; and
//  - when the exporter itself said it (`exported_pod`, DRA labels), or when some device of the node was seen without a name: then the
//    scraper adds none. A second exporter may be scraped in another way: a device that is free for the one and named by the other for
//    half of the time or more is named by the scraper.
// Where neither is so the device stays idle, as a node on which nobody claims anything.
#pragma once

#include <vector>

#include "allocation/holdings.h"

namespace seedance {

// After match_devices, over all containers of the node.
void hold_named_devices(const NodeRecord& node, const NodeGpus& gpus, const std::vector<const DeviceActivity*>& devices,
                        std::vector<ContainerHolding>& holdings);

}  // namespace seedance
