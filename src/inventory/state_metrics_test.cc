#include "inventory/state_metrics.h"

#include <algorithm>
#include <initializer_list>

#include <gtest/gtest.h>

#include "inventory/node_labels.h"
#include "inventory/owner_chain.h"

namespace seedance {
namespace {

constexpr std::int64_t kBaseSeconds = 1'796'047'200;
TimePoint seen_at(std::int64_t seconds) { return time_from_seconds(kBaseSeconds + seconds); }
Step seen(std::int64_t from, std::int64_t to, std::int64_t level) { return {seen_at(from), seen_at(to), level}; }

// Series of kube-state-metrics, scraped every 30 seconds.
class StateSeries {
 public:
  StateSeries& hold(const std::string& metric, std::initializer_list<Label> labels, std::int64_t from_s, std::int64_t to_s, double value = 1) {
    Labels all(labels);
    all.push_back({"__name__", metric});
    std::sort(all.begin(), all.end());
    std::vector<Sample> samples;
    for (std::int64_t t = from_s; t <= to_s; t += 30) samples.push_back({(kBaseSeconds + t) * 1'000, value});
    series_.push_back({std::move(all), std::move(samples)});
    return *this;
  }
  StateSeries& steps(const std::string& metric, std::initializer_list<Label> labels, std::initializer_list<double> values) {
    Labels all(labels);
    all.push_back({"__name__", metric});
    std::sort(all.begin(), all.end());
    std::vector<Sample> samples;
    std::int64_t t = 0;
    for (const double v : values) samples.push_back({(kBaseSeconds + t++ * 30) * 1'000, v});
    series_.push_back({std::move(all), std::move(samples)});
    return *this;
  }
  StateSeries& pod(const std::string& name, const std::string& uid, std::int64_t from_s = 0, std::int64_t to_s = 300) {
    return hold("kube_pod_info", {{"namespace", "ml"}, {"pod", name}, {"uid", uid}, {"node", "n1"}}, from_s, to_s);
  }
  // The inventory, whatever the order of the series.
  Inventory inventory() const {
    const Inventory forward = built(series_);
    std::vector<SeriesSamples> backward(series_.rbegin(), series_.rend());
    EXPECT_EQ(built(backward).pods.size(), forward.pods.size());
    return forward;
  }
  Inventory reversed() const { return built({series_.rbegin(), series_.rend()}); }

 private:
  static Inventory built(const std::vector<SeriesSamples>& series) {
    static const Catalogue catalogue;
    SymbolTable symbols;
    InventoryBuilder builder(symbols, {});
    for (const SeriesSamples& s : series) {
      const auto meaning = meaning_of(s.labels, catalogue, symbols);
      if (meaning) builder.add(*meaning, s.labels, s.samples);
    }
    return builder.finish();
  }
  std::vector<SeriesSamples> series_;
};

TEST(InventoryTest, SecondExporterCountsOnce) {
  StateSeries series;
  for (const char* instance : {"ksm-a", "opencost"}) {
    series.hold("kube_node_info", {{"node", "n1"}, {"instance", instance}}, 0, 300);
    series.hold("kube_node_status_capacity", {{"node", "n1"}, {"resource", "cpu"}, {"instance", instance}}, 0, 300, 8);
    series.hold("kube_pod_info", {{"namespace", "ml"}, {"pod", "p"}, {"uid", "u"}, {"node", "n1"}, {"instance", instance}}, 0, 300);
    series.hold("kube_pod_container_resource_requests", {{"namespace", "ml"}, {"pod", "p"}, {"uid", "u"}, {"container", "c"}, {"resource", "cpu"}, {"instance", instance}}, 0, 300, 2);
  }
  const Inventory inventory = series.inventory();
  ASSERT_EQ(inventory.nodes.size(), 1u);
  EXPECT_EQ(inventory.nodes[0].capacity[0].amount, (Steps{seen(0, 300, 8'000'000'000)})) << "8 cores, not 16";
  ASSERT_EQ(inventory.pods.size(), 1u);
  EXPECT_EQ(resource_steps(inventory.pods[0].containers.at(0).requests, "cpu"), (Steps{seen(0, 300, 2'000'000'000)}));
}

TEST(InventoryTest, RecreatedNameIsTwoPods) {
  const Inventory inventory = StateSeries().pod("p", "u1", 0, 120).pod("p", "u2", 180, 300).inventory();
  ASSERT_EQ(inventory.pods.size(), 2u);
  EXPECT_EQ(inventory.find_pod("u1")->bound, (Steps{seen(0, 120, 1)}));
  EXPECT_EQ(inventory.find_pod("u2")->bound, (Steps{seen(180, 300, 1)}));
}

TEST(InventoryTest, PodWithoutUidIsItsName) {
  const Inventory inventory = StateSeries().hold("kube_pod_info", {{"namespace", "ml"}, {"pod", "p"}, {"node", "n1"}}, 0, 60).inventory();
  EXPECT_EQ(inventory.pods.at(0).uid, "ml/p");
}

TEST(InventoryTest, PodThatNoNodeHasYetIsNotBound) {
  const Inventory inventory = StateSeries().hold("kube_pod_info", {{"namespace", "ml"}, {"pod", "p"}, {"uid", "u"}}, 0, 60).inventory();
  EXPECT_TRUE(held_steps(inventory.pods.at(0)).empty());
}

std::string workload_of(const StateSeries& series) {
  const PodRecord pod = series.inventory().pods.at(0);
  return pod.workload_kind + "/" + pod.workload;
}

TEST(InventoryTest, OwnersAreFollowedToTheTop) {
  const auto owned = [](const char* kind, const char* name) {
    return StateSeries().pod("p-x1", "u").hold("kube_pod_owner", {{"namespace", "ml"}, {"pod", "p-x1"}, {"uid", "u"}, {"owner_kind", kind}, {"owner_name", name},
                                                                   {"owner_is_controller", "true"}}, 0, 60);
  };
  EXPECT_EQ(workload_of(StateSeries().pod("p-x1", "u")), "Pod/p-x1");
  EXPECT_EQ(workload_of(owned("<none>", "<none>")), "Pod/p-x1");
  EXPECT_EQ(workload_of(owned("StatefulSet", "db")), "StatefulSet/db");
  EXPECT_EQ(workload_of(owned("PyTorchJob", "train")), "PyTorchJob/train");
  EXPECT_EQ(workload_of(owned("ReplicaSet", "web-7d9f").hold("kube_replicaset_owner", {{"namespace", "ml"}, {"replicaset", "web-7d9f"}, {"owner_kind", "Deployment"}, {"owner_name", "web"}}, 0, 60)),
            "Deployment/web");
  EXPECT_EQ(workload_of(owned("ReplicaSet", "web-7d9f")), "Deployment/web") << "cut at the last dash when nobody says";
  EXPECT_EQ(workload_of(owned("Job", "nightly-123").hold("kube_job_owner", {{"namespace", "ml"}, {"job_name", "nightly-123"}, {"owner_kind", "CronJob"}, {"owner_name", "nightly"}}, 0, 60)),
            "CronJob/nightly");
}

TEST(OwnerChainTest, CirclesEnd) {
  OwnerChain chain;
  chain.add({"", "ml", "A", "a"}, {"B", "b"});
  chain.add({"", "ml", "B", "b"}, {"A", "a"});
  EXPECT_FALSE(chain.top("", "ml", {"A", "a"}).kind.empty());
}

TEST(OwnerChainTest, OtherNamespacesAndClustersAreNotFollowed) {
  OwnerChain chain;
  chain.add({"east", "ml", "Job", "j"}, {"CronJob", "c"});
  EXPECT_EQ(chain.top("west", "ml", {"Job", "j"}).kind, "Job");
  EXPECT_EQ(chain.top("east", "web", {"Job", "j"}).kind, "Job");
  EXPECT_EQ(chain.top("east", "ml", {"Job", "j"}).kind, "CronJob");
}

StateSeries with_init_container(double main_runs) {
  StateSeries series;
  series.pod("p", "u");
  series.hold("kube_pod_container_status_running", {{"namespace", "ml"}, {"pod", "p"}, {"uid", "u"}, {"container", "main"}}, 0, 300, main_runs);
  series.hold("kube_pod_init_container_status_running", {{"namespace", "ml"}, {"pod", "p"}, {"uid", "u"}, {"container", "proxy"}}, 0, 300);
  series.hold("kube_pod_init_container_resource_requests", {{"namespace", "ml"}, {"pod", "p"}, {"uid", "u"}, {"container", "proxy"}, {"resource", "cpu"}}, 0, 300, 0.1);
  return series;
}

TEST(InventoryTest, SidecarIsToldByItsRestartPolicy) {
  StateSeries series = with_init_container(0);
  EXPECT_FALSE(series.inventory().pods.at(0).container("proxy")->sidecar);
  series.hold("kube_pod_init_container_info", {{"namespace", "ml"}, {"pod", "p"}, {"uid", "u"}, {"container", "proxy"}, {"restart_policy", "Always"}}, 0, 300);
  EXPECT_TRUE(series.inventory().pods.at(0).container("proxy")->sidecar);
  EXPECT_TRUE(series.inventory().pods.at(0).container("proxy")->init);
}

TEST(InventoryTest, SidecarIsToldByRunningBesideTheOthers) {
  EXPECT_TRUE(with_init_container(1).inventory().pods.at(0).container("proxy")->sidecar);
  EXPECT_FALSE(with_init_container(1).inventory().pods.at(0).container("main")->sidecar);
}

TEST(InventoryTest, RequestsChangeInPlace) {
  const Inventory inventory = StateSeries().pod("p", "u").steps("kube_pod_container_resource_requests",
      {{"namespace", "ml"}, {"pod", "p"}, {"uid", "u"}, {"container", "c"}, {"resource", "cpu"}}, {1, 1, 2.5, 2.5, 2.5}).inventory();
  EXPECT_EQ(resource_steps(inventory.pods.at(0).containers.at(0).requests, "cpu"), (Steps{seen(0, 60, 1'000'000'000), seen(60, 120, 2'500'000'000)}));
}

TEST(InventoryTest, PhasesFollowOneAnother) {
  StateSeries series;
  series.pod("p", "u");
  series.steps("kube_pod_status_phase", {{"namespace", "ml"}, {"pod", "p"}, {"uid", "u"}, {"phase", "Pending"}}, {1, 0, 0, 0, 0});
  series.steps("kube_pod_status_phase", {{"namespace", "ml"}, {"pod", "p"}, {"uid", "u"}, {"phase", "Running"}}, {0, 1, 1, 0, 0});
  series.steps("kube_pod_status_phase", {{"namespace", "ml"}, {"pod", "p"}, {"uid", "u"}, {"phase", "Succeeded"}}, {0, 0, 0, 1, 1});
  EXPECT_EQ(series.inventory().pods.at(0).phase, (Steps{seen(0, 30, 0), seen(30, 90, 1), seen(90, 120, 2)}));
  EXPECT_EQ(held_steps(series.inventory().pods.at(0)), (Steps{seen(0, 90, 1)}));
}

TEST(InventoryTest, WaitingReasonIsTheLastOne) {
  const auto waiting = [](StateSeries& s, const char* reason, std::int64_t from, std::int64_t to) {
    s.hold("kube_pod_container_status_waiting_reason", {{"namespace", "ml"}, {"pod", "p"}, {"uid", "u"}, {"container", "c"}, {"reason", reason}}, from, to);
  };
  StateSeries series;
  series.pod("p", "u");
  waiting(series, "ContainerCreating", 0, 60);
  waiting(series, "ImagePullBackOff", 90, 300);
  for (const Inventory& inventory : {series.inventory(), series.reversed()}) {
    EXPECT_EQ(inventory.pods.at(0).containers.at(0).waiting_reason, "ImagePullBackOff");
    EXPECT_EQ(inventory.pods.at(0).containers.at(0).waiting, (Steps{seen(0, 60, 1), seen(90, 300, 1)}));
  }
}

TEST(InventoryTest, LabelsOfPodsNodesAndNamespacesLoseThePrefix) {
  StateSeries series;
  series.pod("p", "u");
  series.hold("kube_pod_labels", {{"namespace", "ml"}, {"pod", "p"}, {"uid", "u"}, {"label_team", "vision"}}, 0, 60);
  series.hold("kube_pod_annotations", {{"namespace", "ml"}, {"pod", "p"}, {"uid", "u"}, {"annotation_sla", "gold"}, {"annotation_resource_opentelemetry_io_domain", "ads"}}, 0, 60);
  series.hold("kube_namespace_labels", {{"namespace", "ml"}, {"label_env", "prod"}}, 0, 60);
  series.hold("target_info", {{"k8s_pod_uid", "u"}, {"tenant", "acme"}}, 0, 60);
  const Inventory inventory = series.inventory();
  const PodRecord& pod = inventory.pods.at(0);
  EXPECT_EQ(label_value(pod.labels, "team"), "vision");
  EXPECT_EQ(label_value(pod.annotations, "sla"), "gold");
  EXPECT_EQ(label_value(pod.resource_attributes, "domain"), "ads");
  EXPECT_EQ(label_value(pod.resource_attributes, "tenant"), "acme");
  EXPECT_EQ(label_value(inventory.find_namespace("", "ml")->labels, "env"), "prod");
  EXPECT_EQ(inventory.find_namespace("", "nope"), nullptr);
}

TEST(InventoryTest, ResourceAttributesReachAPodByItsNameAlone) {
  StateSeries series;
  series.pod("p", "u").pod("q", "v");
  series.hold("target_info", {{"k8s_pod_name", "p"}, {"k8s_namespace_name", "ml"}, {"tenant", "acme"}}, 0, 60);
  const Inventory inventory = series.inventory();
  EXPECT_EQ(label_value(inventory.find_pod("u")->resource_attributes, "tenant"), "acme");
  EXPECT_EQ(label_value(inventory.find_pod("v")->resource_attributes, "tenant"), "");
  EXPECT_EQ(inventory.pods.size(), 2u);
}

TEST(InventoryTest, LabelsSeenLastWinInAnyOrder) {
  StateSeries series;
  series.pod("p", "u");
  for (const auto& [team, from] : {std::pair("old", 0), std::pair("new", 120)}) {
    series.hold("kube_pod_labels", {{"namespace", "ml"}, {"pod", "p"}, {"uid", "u"}, {"label_team", team}}, from, from + 60);
  }
  EXPECT_EQ(label_value(series.inventory().pods.at(0).labels, "team"), "new");
  EXPECT_EQ(label_value(series.reversed().pods.at(0).labels, "team"), "new");
}

TEST(InventoryTest, ClaimsKnowTheirSizeAndMounts) {
  StateSeries series;
  series.hold("kube_persistentvolumeclaim_resource_requests_storage_bytes", {{"namespace", "ml"}, {"persistentvolumeclaim", "data"}}, 0, 300, 100);
  for (const char* uid : {"u2", "u1"}) {
    series.hold("kube_pod_spec_volumes_persistentvolumeclaims_info", {{"namespace", "ml"}, {"pod", "p"}, {"uid", uid}, {"persistentvolumeclaim", "data"}}, 0, 120);
  }
  const ClaimRecord claim = series.inventory().claims.at(0);
  EXPECT_EQ(claim.bytes, (Steps{seen(0, 300, 100)}));
  ASSERT_EQ(claim.mounts.size(), 2u);
  EXPECT_EQ(claim.mounts[0].pod_uid, "u1");
  EXPECT_EQ(claim.mounts[0].mounted, (Steps{seen(0, 120, 1)}));
}

NodeRecord labelled(std::string uid, Labels labels) {
  NodeRecord node;
  node.uid = std::move(uid);
  node.labels = std::move(labels);
  std::sort(node.labels.begin(), node.labels.end());
  read_node_labels(node);
  return node;
}

TEST(NodeLabelsTest, AwsNode) {
  const NodeRecord node = labelled("aws:///us-east-1a/i-1", {{"node_kubernetes_io_instance_type", "p4d.24xlarge"}, {"topology_kubernetes_io_region", "us-east-1"},
                                                             {"topology_kubernetes_io_zone", "us-east-1a"}, {"karpenter_sh_capacity_type", "spot"}});
  EXPECT_EQ(node.provider + " " + node.region + " " + node.zone + " " + node.instance_type + " " + node.capacity_kind, "aws us-east-1 us-east-1a p4d.24xlarge spot");
  EXPECT_EQ(labelled("aws:///x", {{"eks_amazonaws_com_capacityType", "SPOT"}}).capacity_kind, "spot");
  EXPECT_EQ(labelled("aws:///x", {{"eks_amazonaws_com_capacityType", "ON_DEMAND"}}).capacity_kind, "on-demand");
  EXPECT_EQ(labelled("aws:///x", {{"karpenter_sh_capacity_type", "reserved"}}).capacity_kind, "reserved");
}

TEST(NodeLabelsTest, GcpNode) {
  const NodeRecord node = labelled("gce://project/us-central1-a/node", {{"beta_kubernetes_io_instance_type", "a2-highgpu-1g"}, {"failure_domain_beta_kubernetes_io_region", "us-central1"},
                                                                      {"failure_domain_beta_kubernetes_io_zone", "us-central1-a"}, {"cloud_google_com_gke_spot", "true"}});
  EXPECT_EQ(node.provider + " " + node.region + " " + node.zone + " " + node.instance_type + " " + node.capacity_kind, "gcp us-central1 us-central1-a a2-highgpu-1g spot");
  EXPECT_EQ(labelled("uuid", {{"node_kubernetes_io_instance_type", "a2-highgpu-1g"}, {"topology_kubernetes_io_zone", "us-central1-a"}}).provider, "gcp");
}

TEST(NodeLabelsTest, AzureNode) {
  const NodeRecord node = labelled("azure:///subscriptions/x", {{"node_kubernetes_io_instance_type", "Standard_ND96isr_H100_v5"}, {"topology_kubernetes_io_region", "eastus"},
                                                                {"kubernetes_azure_com_scalesetpriority", "spot"}});
  EXPECT_EQ(node.provider + " " + node.region + " " + node.instance_type + " " + node.capacity_kind, "azure eastus Standard_ND96isr_H100_v5 spot");
  EXPECT_EQ(labelled("uuid", {{"node_kubernetes_io_instance_type", "Standard_D4s_v5"}}).provider, "azure");
}

TEST(NodeLabelsTest, NodeWithoutLabelsIsOnDemandOfNobody) {
  const NodeRecord node = labelled("n1", {});
  EXPECT_EQ(node.provider + node.region + node.instance_type, "");
  EXPECT_EQ(node.capacity_kind, "on-demand");
}

}  // namespace
}  // namespace seedance
