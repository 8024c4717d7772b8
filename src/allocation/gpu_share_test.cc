#include "allocation/gpu_share.h"

#include <gtest/gtest.h>

#include "allocation/made_cluster.h"

namespace seedance {
namespace {

class GpuNode {
 public:
  GpuNode& label(std::string key, std::string value) {
    record_.labels.push_back({std::move(key), std::move(value)});
    std::sort(record_.labels.begin(), record_.labels.end());
    return *this;
  }
  GpuNode& offers(std::string resource, std::int64_t count) {
    record_.capacity.push_back({std::move(resource), made_steps(count)});
    return *this;
  }
  // What one device is of a card, by the price book.
  GpuNode& of_a_card(std::int64_t thousandths) {
    by_book_ = thousandths;
    return *this;
  }
  NodeGpus gpus(std::int64_t seen = 0) const { return node_gpus(record_, kMadeHour, by_book_, seen); }
  // The part of a GPU that one unit is, as text.
  std::string share(const std::string& resource) const {
    const Rational r = reduced(unit_share(resource, record_, gpus()));
    return std::to_string(r.num) + "/" + std::to_string(r.den);
  }
  std::vector<GpuClaim> claims(const MadeContainer& container) const { return gpu_claims(container.record(), record_, gpus()); }

 private:
  NodeRecord record_;
  std::int64_t by_book_ = 0;
};

// opencost/opencost pkg/costmodel/costmodel_test.go TestGetGPUCount.
TEST(GpuShareTest, PlainGpusAreWhole) {
  const GpuNode node = GpuNode().offers("nvidia_com_gpu", 2);
  EXPECT_EQ(node.gpus().physical, 2);
  EXPECT_EQ(node.gpus().replicas, 1);
  EXPECT_EQ(node.share("nvidia_com_gpu"), "1/1");
}

TEST(GpuShareTest, TimeSlicesCountAlikeWhetherRenamedOrNot) {
  for (const char* resource : {"nvidia_com_gpu_shared", "nvidia_com_gpu"}) {
    const GpuNode node = GpuNode().label("nvidia_com_gpu_replicas", "4").label("nvidia_com_gpu_count", "1").offers(resource, 4);
    EXPECT_EQ(node.gpus().physical, 1) << resource;
    EXPECT_EQ(node.gpus().replicas, 4) << resource;
    EXPECT_EQ(node.gpus().unreachable_units, 0) << resource;
    EXPECT_EQ(node.share(resource), "1/4") << resource;
  }
}

TEST(GpuShareTest, NodeWithoutGpusHasNone) {
  EXPECT_EQ(GpuNode().gpus().physical, 0);
  EXPECT_EQ(GpuNode().share("cpu"), "0/1");
  EXPECT_EQ(GpuNode().share("ephemeral_storage"), "0/1");
}

TEST(GpuShareTest, TimeSlicesWithoutACountAreDividedByTheReplicas) {
  EXPECT_EQ(GpuNode().label("nvidia_com_gpu_replicas", "4").offers("nvidia_com_gpu", 8).gpus().physical, 2);
}

TEST(GpuShareTest, StrategyNoneMeansThatReplicasDoNotCount) {
  EXPECT_EQ(GpuNode().label("nvidia_com_gpu_replicas", "4").label("nvidia_com_gpu_sharing_strategy", "none").offers("nvidia_com_gpu", 2).share("nvidia_com_gpu"), "1/1");
}

TEST(GpuShareTest, MpsSharesLikeTimeSlicing) {
  EXPECT_EQ(GpuNode().label("nvidia_com_gpu_replicas", "10").label("nvidia_com_gpu_sharing_strategy", "mps").offers("nvidia_com_gpu_shared", 10).share("nvidia_com_gpu_shared"), "1/10");
}

TEST(GpuShareTest, MigMixedCountsComputeSlices) {
  const GpuNode node = GpuNode().offers("nvidia_com_mig_1g_5gb", 2).offers("nvidia_com_mig_2g_10gb", 1).offers("nvidia_com_mig_3g_20gb", 1);
  EXPECT_EQ(node.gpus().physical, 1);
  EXPECT_EQ(node.share("nvidia_com_mig_1g_5gb"), "1/7");
  EXPECT_EQ(node.share("nvidia_com_mig_2g_10gb"), "2/7");
  EXPECT_EQ(node.share("nvidia_com_mig_3g_20gb"), "3/7");
  EXPECT_EQ(node.share("nvidia_com_mig_7g_40gb"), "1/1");
}

TEST(GpuShareTest, MigOfAnA30CountsInFourths) {
  const GpuNode node = GpuNode().label("nvidia_com_gpu_product", "NVIDIA-A30").offers("nvidia_com_mig_1g_6gb", 4);
  EXPECT_EQ(node.gpus().physical, 1);
  EXPECT_EQ(node.share("nvidia_com_mig_1g_6gb"), "1/4");
  EXPECT_EQ(node.share("nvidia_com_mig_2g_12gb"), "1/2");
}

TEST(GpuShareTest, MigSingleReadsTheProfileFromTheProduct) {
  const GpuNode node =
      GpuNode().label("nvidia_com_mig_strategy", "single").label("nvidia_com_gpu_product", "NVIDIA-A100-SXM4-40GB-MIG-1g.5gb").offers("nvidia_com_gpu", 14);
  EXPECT_EQ(node.share("nvidia_com_gpu"), "1/7");
  EXPECT_EQ(node.gpus().physical, 2);
  EXPECT_TRUE(node.gpus().mig_single);
}

TEST(GpuShareTest, MigSingleOfThreeSlicesNeedsTheWholeCardForTwo) {
  const GpuNode node =
      GpuNode().label("nvidia_com_mig_strategy", "single").label("nvidia_com_gpu_product", "NVIDIA-A100-SXM4-40GB-MIG-3g.20gb").offers("nvidia_com_gpu", 2);
  EXPECT_EQ(node.gpus().physical, 1);
  EXPECT_EQ(node.gpus().unreachable_units * 7, node.gpus().units_per_gpu) << "one slice of seven has no layout";
}

TEST(GpuShareTest, MigSingleOnAnA30) {
  const GpuNode node = GpuNode().label("nvidia_com_mig_strategy", "single").label("nvidia_com_gpu_product", "NVIDIA-A30-MIG-2g.12gb").offers("nvidia_com_gpu", 2);
  EXPECT_EQ(node.share("nvidia_com_gpu"), "1/2");
  EXPECT_EQ(node.gpus().physical, 1);
}

TEST(GpuShareTest, PriceBookKnowsThePhysicalCountBest) {
  GpuNode node = GpuNode().label("nvidia_com_gpu_count", "4").offers("nvidia_com_gpu", 4);
  EXPECT_EQ(node.gpus(2).physical, 4);
  EXPECT_EQ(node.of_a_card(8'000).gpus(2).physical, 8);
  EXPECT_EQ(GpuNode().offers("nvidia_com_gpu", 4).gpus(2).physical, 2) << "then what the exporter shows";
}

TEST(GpuShareTest, OtherVendorsCountWhole) {
  for (const char* resource : {"amd_com_gpu", "gpu_intel_com_i915", "aws_amazon_com_neuron", "google_com_tpu", "habana_ai_gaudi"}) {
    EXPECT_TRUE(is_gpu_resource(resource)) << resource;
    EXPECT_EQ(GpuNode().offers(resource, 4).gpus().physical, 4) << resource;
    EXPECT_EQ(GpuNode().offers(resource, 4).share(resource), "1/1") << resource;
  }
}

TEST(GpuShareTest, UnitsAreDivisibleByEverySharing) {
  EXPECT_EQ(GpuNode().offers("nvidia_com_gpu", 1).gpus().units_per_gpu % 700, 0);
  EXPECT_EQ(GpuNode().label("nvidia_com_gpu_replicas", "48").offers("nvidia_com_gpu_shared", 48).gpus().units_per_gpu % 48, 0);
}

TEST(GpuShareTest, MixOfMigAndWholeCardsAddsUp) {
  GpuNode node = GpuNode().offers("nvidia_com_gpu", 7).offers("nvidia_com_mig_3g_20gb", 2);
  EXPECT_EQ(node.gpus().physical, 8);
  EXPECT_EQ(node.of_a_card(8'000).gpus().unreachable_units * 7, node.gpus().units_per_gpu);
}

// AWS g6f.large: an eighth of an L4, one device to Kubernetes.
TEST(GpuShareTest, PartOfACardIsOneDevice) {
  const GpuNode node = GpuNode().offers("nvidia_com_gpu", 1).of_a_card(125);
  EXPECT_EQ(node.gpus().physical, 1);
  EXPECT_EQ(node.share("nvidia_com_gpu"), "1/8");
  EXPECT_EQ(node.gpus().capacity_units() * 8, node.gpus().units_per_gpu);
  EXPECT_EQ(node.gpus().unreachable_units, 0);
}

TEST(GpuShareTest, PartOfACardIsSharedLikeAWholeOne) {
  const GpuNode slices = GpuNode().label("nvidia_com_gpu_replicas", "4").offers("nvidia_com_gpu", 4).of_a_card(250);
  EXPECT_EQ(slices.share("nvidia_com_gpu"), "1/16");
  EXPECT_EQ(slices.gpus().units_per_gpu % 16, 0);
  EXPECT_EQ(slices.gpus().unreachable_units, 0);
}

TEST(GpuShareTest, OddCountsAreEvenDevices) {
  const GpuNode node = GpuNode().offers("nvidia_com_gpu", 2).of_a_card(1'500);
  EXPECT_EQ(node.gpus().physical, 2);
  EXPECT_EQ(node.share("nvidia_com_gpu"), "3/4");
  EXPECT_EQ(node.gpus().unreachable_units, 0);
}

std::string claim_text(const std::vector<GpuClaim>& claims) {
  std::string out;
  for (const GpuClaim& c : claims) {
    const std::int64_t count = c.count.empty() ? 0 : c.count.front().level;
    out += std::to_string(count) + "x" + std::to_string(c.per_device.num) + "/" + std::to_string(c.per_device.den) + " ";
  }
  return out;
}

GpuNode hami_node() { return GpuNode().label("nvidia_com_gpu_memory", "40000").label("nvidia_com_gpu_count", "1").offers("nvidia_com_gpu", 10).label("nvidia_com_gpu_replicas", "10"); }

TEST(GpuClaimTest, HamiClaimsTheLargerOfCoresAndMemory) {
  EXPECT_EQ(claim_text(hami_node().claims(MadeContainer("c").gpus(1).request("nvidia_com_gpucores", 30).request("nvidia_com_gpumem", 4'000))), "1x3/10 ");
  EXPECT_EQ(claim_text(hami_node().claims(MadeContainer("c").gpus(1).request("nvidia_com_gpucores", 10).request("nvidia_com_gpumem", 20'000))), "1x1/2 ");
  EXPECT_EQ(claim_text(hami_node().claims(MadeContainer("c").gpus(2).request("nvidia_com_gpumem_percentage", 25))), "2x1/4 ");
}

TEST(GpuClaimTest, HamiOnAPartOfACardClaimsAPartOfThat) {
  EXPECT_EQ(claim_text(hami_node().of_a_card(500).claims(MadeContainer("c").gpus(1).request("nvidia_com_gpucores", 30))), "1x3/20 ");
}

TEST(GpuClaimTest, HamiNeverClaimsMoreThanTheCard) {
  EXPECT_EQ(claim_text(hami_node().claims(MadeContainer("c").gpus(1).request("nvidia_com_gpumem", 90'000))), "1x1/1 ");
}

TEST(GpuClaimTest, ModifiersAloneClaimNothing) { EXPECT_EQ(claim_text(hami_node().claims(MadeContainer("c").request("nvidia_com_gpucores", 30))), ""); }

TEST(GpuClaimTest, ContainersWithoutGpusClaimNothing) { EXPECT_EQ(claim_text(GpuNode().offers("nvidia_com_gpu", 1).claims(MadeContainer("c").cpu(1).memory(1))), ""); }

TEST(MigProfileTest, SlicesAreTheLeadingDigit) {
  EXPECT_EQ(mig_compute_slices("1g.5gb"), 1);
  EXPECT_EQ(mig_compute_slices("1g.5gb+me"), 1);
  EXPECT_EQ(mig_compute_slices("3g_20gb"), 3);
  EXPECT_EQ(mig_compute_slices("7g.80gb"), 7);
  for (const char* text : {"", "g", "0g.5gb", "x", "7", "1h"}) EXPECT_EQ(mig_compute_slices(text), 0) << text;
}

}  // namespace
}  // namespace seedance
