#include "allocation/named_holders.h"

#include <gtest/gtest.h>

#include "allocation/made_cluster.h"

namespace seedance {
namespace {

constexpr std::int64_t kCard = 700'000'000;  // what a GPU of these nodes costs an hour

// A node whose money is all GPU and that offers none to Kubernetes: its GPUs are given out through ResourceClaims.
class DynamicNode {
 public:
  MadeCluster cluster;

  explicit DynamicNode(std::int64_t gpus = 2) {
    NodeRecord& node = cluster.node("n1", 64, 256, gpus, gpus * kCard, 0, 0, 1);
    node.capacity.pop_back();
  }
  // A device that the exporter says is held by "namespace/pod".
  DeviceActivity& held(const std::string& uuid, const std::string& holder, std::int64_t from_minute = 0, std::int64_t to_minute = 60) {
    DeviceActivity& device = cluster.device("n1", uuid, holder, 500'000);
    device.holders[0].seen = made_steps(1, from_minute, to_minute);
    device.holders[0].by_exporter = true;
    return device;
  }
  DeviceActivity& instance(const std::string& uuid, const std::string& id, const std::string& profile, const std::string& holder) {
    DeviceActivity& device = held(uuid, holder);
    device.instance = id;
    device.profile = profile;
    return device;
  }
  void pod(const std::string& name) { cluster.pod(MadePod(name).with(MadeContainer("main").cpu(1))); }
  // Rows, after the one law was checked.
  std::vector<LedgerRow> rows() const {
    const HourBooks books = cluster.close();
    MoneySum charged = 0;
    for (const HourCharge& c : books.charges) charged += c.nanos;
    EXPECT_EQ(made_total(books.rows).nanos(), charged);
    return books.rows;
  }
  std::int64_t gpu_cost(const std::string& uid) const { return made_sum_of_pod(rows(), uid).gpu_cost.nanos(); }
  std::int64_t idle_cost() const { return made_sum(rows(), RowKind::kIdle).gpu_cost.nanos(); }
};

TEST(NamedHoldersTest, PodWithoutARequestHoldsTheDeviceThatNamesIt) {
  DynamicNode node;
  node.held("GPU-1", "a/p");
  node.cluster.device("n1", "GPU-2", "", 0);
  node.pod("a/p");
  EXPECT_EQ(node.gpu_cost("a/p"), kCard);
  EXPECT_EQ(node.idle_cost(), kCard);
  for (const LedgerRow& r : node.rows()) {
    if (r.gpu.empty() || r.kind != RowKind::kAllocated) continue;
    EXPECT_EQ(r.gpu, "GPU-1");
    EXPECT_EQ(r.container, "main");
    EXPECT_EQ(r.gpu_allocated, kNanosPerHour);
    EXPECT_EQ(r.gpu_active, kNanosPerHour / 2) << "its activity is known too";
  }
}

TEST(NamedHoldersTest, OnlyForTheTimeItIsNamedAndItsPodIsThere) {
  DynamicNode node(1);
  node.held("GPU-1", "a/p", 0, 45);
  node.cluster.pod(MadePod("a/p").between(30, 60).with(MadeContainer("main").cpu(1)));
  EXPECT_EQ(node.gpu_cost("a/p"), kCard / 4);
}

TEST(NamedHoldersTest, NextPodOfTheSameNameHoldsItsOwnTime) {
  DynamicNode node(1);
  node.held("GPU-1", "a/p");
  node.cluster.pod(MadePod("a/p").uid("u1").between(0, 15).with(MadeContainer("main").cpu(1)));
  node.cluster.pod(MadePod("a/p").uid("u2").between(30, 60).with(MadeContainer("main").cpu(1)));
  EXPECT_EQ(node.gpu_cost("u1"), kCard / 4);
  EXPECT_EQ(node.gpu_cost("u2"), kCard / 2);
}

TEST(NamedHoldersTest, InstanceIsItsSlicesOfTheCard) {
  DynamicNode node(1);
  node.instance("GPU-1", "5", "2g.10gb", "a/p");
  node.instance("GPU-1", "7", "1g.5gb", "a/q");
  node.held("GPU-1", "a/p");  // the row of the whole card is not one more device
  node.pod("a/p");
  node.pod("a/q");
  EXPECT_EQ(node.gpu_cost("a/p"), kCard * 2 / 7);
  EXPECT_EQ(node.gpu_cost("a/q"), kCard / 7);
  EXPECT_EQ(node.idle_cost(), kCard * 4 / 7);
}

TEST(NamedHoldersTest, PodsNamedAtOnceShareEvenly) {
  DynamicNode node(1);
  DeviceActivity& device = node.held("GPU-1", "a/p");
  device.holders.push_back({"a", "q", "main", made_steps(1, 30, 60), true});
  device.holders.push_back({"a", "r", "main", made_steps(1, 30, 60), true});
  for (const char* name : {"a/p", "a/q", "a/r"}) node.pod(name);
  EXPECT_NEAR(static_cast<double>(node.gpu_cost("a/p")), kCard * 2.0 / 3, kCard / 700.0);
  EXPECT_NEAR(static_cast<double>(node.gpu_cost("a/q")), kCard / 6.0, kCard / 700.0);
  EXPECT_EQ(node.gpu_cost("a/p") + node.gpu_cost("a/q") + node.gpu_cost("a/r"), kCard);
  EXPECT_EQ(node.idle_cost(), 0);
}

TEST(NamedHoldersTest, ContainersOfAPodShareWhatThePodHas) {
  DynamicNode node(1);
  DeviceActivity& device = node.held("GPU-1", "a/p");
  device.holders[0].container = "first";
  device.holders.push_back({"a", "p", "second", made_steps(1), true});
  device.holders.push_back({"a", "q", "main", made_steps(1), true});
  node.cluster.pod(MadePod("a/p").with(MadeContainer("first").cpu(1)).with(MadeContainer("second").cpu(1)));
  node.pod("a/q");
  EXPECT_EQ(made_sum_of_pod(node.rows(), "a/p", "first").gpu_cost.nanos(), kCard / 4);
  EXPECT_EQ(node.gpu_cost("a/q"), kCard / 2);
}

TEST(NamedHoldersTest, ClaimsByRequestComeFirst) {
  MadeCluster cluster;
  cluster.node("n1", 64, 256, 1, kCard, 0, 0, 1);
  DeviceActivity& device = cluster.device("n1", "GPU-1", "a/p", 0);
  device.holders.push_back({"a", "q", "main", made_steps(1), true});
  cluster.pod(MadePod("a/p").between(0, 30).with(MadeContainer("main").gpus(1)));
  cluster.pod(MadePod("a/q").with(MadeContainer("main").cpu(1)));
  const auto rows = cluster.close().rows;
  EXPECT_EQ(made_sum_of_pod(rows, "a/p").gpu_cost.nanos(), kCard / 2);
  EXPECT_EQ(made_sum_of_pod(rows, "a/q").gpu_cost.nanos(), kCard / 2) << "only when the device was not taken";
}

TEST(NamedHoldersTest, PodWithARequestHoldsNothingBeyondIt) {
  MadeCluster cluster;
  cluster.node("n1", 64, 256, 2, 2 * kCard, 0, 0, 1);
  for (const char* uuid : {"GPU-1", "GPU-2"}) cluster.device("n1", uuid, "a/p", 0).holders[0].by_exporter = true;
  cluster.pod(MadePod("a/p").with(MadeContainer("main").gpus(1)).with(MadeContainer("sidecar").cpu(1)));
  EXPECT_EQ(made_sum_of_pod(cluster.close().rows, "a/p").gpu_cost.nanos(), kCard);
}

TEST(NamedHoldersTest, PodsOfOtherNodesAndUnknownPodsHoldNothing) {
  DynamicNode node;
  node.held("GPU-1", "a/elsewhere");
  node.held("GPU-2", "a/nobody");
  node.cluster.pod(MadePod("a/elsewhere").on("n2").with(MadeContainer("main").cpu(1)));
  EXPECT_EQ(node.idle_cost(), 2 * kCard);
}

// With target labels every free device carries the exporter's own name, whatever it is called: GPU-1 is in use, the rest is free.
DynamicNode watched_by_a_meter(bool honor_labels) {
  DynamicNode node(3);
  node.held("GPU-1", "a/p").holders[0].by_exporter = !honor_labels;
  for (const char* uuid : {"GPU-2", "GPU-3"}) node.held(uuid, "monitoring/meter").holders[0].by_exporter = false;
  node.pod("a/p");
  node.pod("monitoring/meter");
  return node;
}

TEST(NamedHoldersTest, ExporterIsNeverChargedForTheGpusItWatches) {
  for (const bool honor_labels : {false, true}) EXPECT_EQ(watched_by_a_meter(honor_labels).gpu_cost("monitoring/meter"), 0);
  EXPECT_EQ(watched_by_a_meter(false).gpu_cost("a/p"), kCard) << "exported_pod is the exporter's word";
  EXPECT_EQ(watched_by_a_meter(true).gpu_cost("a/p"), 0) << "a plain name may be the scraper's: nothing proves it is not";
}

TEST(NamedHoldersTest, ExporterOfAnIdleNodeIsNotChargedForAllOfIt) {
  DynamicNode node;
  for (const char* uuid : {"GPU-1", "GPU-2"}) node.held(uuid, "monitoring/meter").holders[0].by_exporter = false;
  node.pod("monitoring/meter");
  EXPECT_EQ(node.idle_cost(), 2 * kCard);
}

TEST(NamedHoldersTest, PlainNamesCountWhereFreeDevicesNameNobody) {
  DynamicNode node;
  node.held("GPU-1", "a/p").holders[0].by_exporter = false;
  node.cluster.device("n1", "GPU-2", "", 0);
  node.pod("a/p");
  EXPECT_EQ(node.gpu_cost("a/p"), kCard);
}

// dcgm-exporter is known by its name and leaves devices free; a second exporter's target labels name its own pod on the same devices.
TEST(NamedHoldersTest, SecondExporterIsNotChargedEither) {
  DynamicNode node;
  for (const char* uuid : {"GPU-1", "GPU-2"}) {
    DeviceActivity& device = node.held(uuid, "monitoring/meter");
    device.holders[0].by_exporter = false;
    device.free = made_steps(1);
  }
  node.pod("monitoring/meter");
  EXPECT_EQ(node.idle_cost(), 2 * kCard);
}

TEST(NamedHoldersTest, NameThatFlapsIsStillTheExportersWord) {
  DynamicNode node(1);
  DeviceActivity& device = node.held("GPU-1", "a/p");
  device.holders[0].by_exporter = false;
  device.free = made_steps(1, 20, 24);
  node.pod("a/p");
  EXPECT_EQ(node.gpu_cost("a/p"), kCard);
}

TEST(NamedHoldersTest, PodsThatWatchEveryNodeHoldNothing) {
  for (const char* kind : {"DaemonSet", "Node"}) {
    DynamicNode node(1);
    node.held("GPU-1", "monitoring/meter");  // an administrator's claim on a device that others use
    MadePod pod("monitoring/meter");
    pod.record().workload_kind = kind;
    node.cluster.pod(pod.with(MadeContainer("main").cpu(1)));
    EXPECT_EQ(node.idle_cost(), kCard) << kind;
  }
}

TEST(NamedHoldersTest, PartOfACardIsHeldAsThatPart) {
  DynamicNode node(1);
  node.cluster.hour.prices[0].gpu_millis = 125;
  node.held("GPU-1", "a/p");
  node.pod("a/p");
  EXPECT_EQ(node.gpu_cost("a/p"), kCard);
  EXPECT_EQ(made_sum_of_pod(node.rows(), "a/p").gpu_allocated, kNanosPerHour / 8);
}

}  // namespace
}  // namespace seedance
