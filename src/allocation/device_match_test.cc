#include "allocation/device_match.h"

#include <gtest/gtest.h>

#include "allocation/made_cluster.h"

namespace seedance {
namespace {

// The devices that a pod's rows name, in order: "GPU-1 GPU-2 ".
std::string devices_of(const MadeCluster& cluster, const std::string& uid) {
  std::string out;
  for (const LedgerRow& r : cluster.close().rows) {
    if (r.pod_uid == uid && !r.gpu.empty()) out += r.gpu + " ";
  }
  return out;
}

MadeCluster two_gpus(const std::string& first_holder, const std::string& second_holder) {
  MadeCluster cluster;
  cluster.node("n1", 8, 8, 2, 2'000'000'000);
  cluster.device("n1", "GPU-1", first_holder, 0);
  cluster.device("n1", "GPU-2", second_holder, 0);
  return cluster;
}

TEST(DeviceMatchTest, LabelsNameTheHolder) {
  MadeCluster cluster = two_gpus("a/q", "a/p");
  cluster.pod(MadePod("a/p").with(MadeContainer("c").gpus(1)));
  cluster.pod(MadePod("a/q").with(MadeContainer("c").gpus(1)));
  EXPECT_EQ(devices_of(cluster, "a/p"), "GPU-2 ");
  EXPECT_EQ(devices_of(cluster, "a/q"), "GPU-1 ");
}

TEST(DeviceMatchTest, LongestNamedDeviceComesFirst) {
  MadeCluster cluster = two_gpus("a/p", "a/p");
  cluster.hour.devices[0].holders[0].seen = made_steps(1, 0, 5);  // the label of the pod before stays for a while
  cluster.pod(MadePod("a/p").with(MadeContainer("c").gpus(1)));
  EXPECT_EQ(devices_of(cluster, "a/p"), "GPU-2 ");
}

TEST(DeviceMatchTest, TiesGoToTheSmallerDevice) {
  MadeCluster cluster = two_gpus("a/p", "a/p");
  cluster.pod(MadePod("a/p").with(MadeContainer("c").gpus(1)));
  EXPECT_EQ(devices_of(cluster, "a/p"), "GPU-1 ");
}

TEST(DeviceMatchTest, PodsWithoutAClaimHoldNothing) {
  MadeCluster cluster = two_gpus("a/exporter", "a/exporter");
  cluster.pod(MadePod("a/exporter").with(MadeContainer("c").cpu(1)));
  EXPECT_EQ(devices_of(cluster, "a/exporter"), "");
}

TEST(DeviceMatchTest, OnlyContainerWithoutADeviceTakesTheOnlyUnnamedOne) {
  MadeCluster cluster = two_gpus("a/p", "");
  cluster.pod(MadePod("a/p").with(MadeContainer("c").gpus(1)));
  cluster.pod(MadePod("a/q").with(MadeContainer("c").gpus(1)));
  EXPECT_EQ(devices_of(cluster, "a/q"), "GPU-2 ");
}

TEST(DeviceMatchTest, TwoContainersWithoutDevicesStayUnknown) {
  MadeCluster cluster = two_gpus("", "");
  cluster.pod(MadePod("a/p").with(MadeContainer("c").gpus(1)));
  cluster.pod(MadePod("a/q").with(MadeContainer("c").gpus(1)));
  EXPECT_EQ(devices_of(cluster, "a/p") + devices_of(cluster, "a/q"), "");
  EXPECT_EQ(made_sum(cluster.close().rows, RowKind::kAllocated).gpu_cost.nanos() > 0, true) << "the money is booked all the same";
}

TEST(DeviceMatchTest, ContainerNameIsHeededWhereItIsGiven) {
  MadeCluster cluster = two_gpus("a/p", "a/p");
  cluster.hour.devices[0].holders[0].container = "second";
  cluster.hour.devices[1].holders[0].container = "first";
  cluster.pod(MadePod("a/p").with(MadeContainer("first").gpus(1)).with(MadeContainer("second").gpus(1)));
  for (const LedgerRow& r : cluster.close().rows) {
    if (!r.gpu.empty()) {
      EXPECT_EQ(r.container, r.gpu == "GPU-1" ? "second" : "first");
    }
  }
}

TEST(DeviceMatchTest, SharedDeviceSaysSo) {
  MadeCluster cluster;
  NodeRecord& node = cluster.node("n1", 8, 8, 1, 4'000'000'000, 0, 0);
  node.labels = {{"nvidia_com_gpu_count", "1"}, {"nvidia_com_gpu_replicas", "4"}};
  DeviceActivity& device = cluster.device("n1", "GPU-1", "a/p", 500'000);
  device.holders.push_back({"a", "q", "", made_steps(1)});
  cluster.pod(MadePod("a/p").with(MadeContainer("c").gpus(1)));
  cluster.pod(MadePod("a/q").with(MadeContainer("c").gpus(1)));
  for (const LedgerRow& r : cluster.close().rows) {
    if (r.gpu.empty() || r.kind != RowKind::kAllocated) continue;
    EXPECT_EQ(r.reason, "device, shared by 2");
    EXPECT_EQ(r.gpu_cost.nanos(), 1'000'000'000) << "a quarter of the GPU";
  }
}

TEST(DeviceMatchTest, MigSlicesAreDevicesOfTheirOwn) {
  MadeCluster cluster;
  NodeRecord& node = cluster.node("n1", 32, 64, 1, 7'000'000'000, 0, 0);
  node.capacity = {{"cpu", made_steps(32 * kMadeCore)}, {"memory", made_steps(64 * kMadeGib)}, {"nvidia_com_mig_1g_5gb", made_steps(7)}};
  DeviceActivity& slice = cluster.device("n1", "GPU-1", "a/p", 0);
  slice.instance = "9";
  slice.profile = "1g.5gb";
  cluster.pod(MadePod("a/p").with(MadeContainer("c").request("nvidia_com_mig_1g_5gb", 1)));
  EXPECT_EQ(devices_of(cluster, "a/p"), "GPU-1/9 ");
  EXPECT_EQ(made_sum_of_pod(cluster.close().rows, "a/p").gpu_cost.nanos(), 1'000'000'000);
}

}  // namespace
}  // namespace seedance
