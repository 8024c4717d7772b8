#include "inventory/node_labels.h"

#include <initializer_list>

namespace seedance {
namespace {

std::string first_label(const Labels& labels, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    if (const std::string_view value = label_value(labels, key); !value.empty()) return std::string(value);
  }
  return {};
}

std::string provider_of(const NodeRecord& record) {
  const std::string_view id = record.uid;
  if (id.starts_with("aws:")) return "aws";
  if (id.starts_with("gce:")) return "gcp";
  if (id.starts_with("azure:")) return "azure";
  const std::string_view type = record.instance_type;
  if (type.starts_with("Standard_")) return "azure";
  if (type.find('.') != std::string_view::npos) return "aws";  // p4d.24xlarge
  return {};
}

// Each cloud and autoscaler has its own label for spot capacity.
std::string capacity_kind_of(const Labels& labels) {
  const std::string kind = first_label(labels, {"karpenter_sh_capacity_type", "eks_amazonaws_com_capacityType",
                                                "kubernetes_azure_com_scalesetpriority", "node_kubernetes_io_lifecycle"});
  if (kind == "spot" || kind == "SPOT") return "spot";
  if (kind == "reserved") return "reserved";
  if (label_value(labels, "cloud_google_com_gke_spot") == "true" || label_value(labels, "cloud_google_com_gke_preemptible") == "true") {
    return "spot";
  }
  return "on-demand";
}

}  // namespace

void read_node_labels(NodeRecord& record) {
  const Labels& labels = record.labels;
  record.instance_type = first_label(labels, {"node_kubernetes_io_instance_type", "beta_kubernetes_io_instance_type"});
  record.region = first_label(labels, {"topology_kubernetes_io_region", "failure_domain_beta_kubernetes_io_region"});
  record.zone = first_label(labels, {"topology_kubernetes_io_zone", "failure_domain_beta_kubernetes_io_zone"});
  record.capacity_kind = capacity_kind_of(labels);
  record.provider = provider_of(record);
  if (record.provider.empty() && record.zone.find('-') != std::string::npos && record.instance_type.find('-') != std::string::npos) {
    record.provider = "gcp";  // a2-highgpu-1g in us-central1-a, without a provider id
  }
}

}  // namespace seedance
