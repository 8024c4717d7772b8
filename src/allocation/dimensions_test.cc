#include "allocation/dimensions.h"

#include <gtest/gtest.h>

#include "allocation/made_cluster.h"

namespace seedance {
namespace {

// A pod and its namespace; every source says another team.
struct Sources {
  PodRecord pod = MadePod("ml/train-0").record();
  NamespaceRecord name_space{"", "ml", {}};
  DimensionRules rules = default_dimension_rules();

  Sources() { pod.workload = "train"; }
  std::string team() const {
    const DimensionValue v = dimension_of(Dimension::kTeam, rules, pod, &name_space);
    return v.value + " by " + v.origin;
  }
};

TEST(DimensionsTest, NearestSourceWinsInOrder) {
  Sources s;
  s.rules.of(Dimension::kTeam).default_value = "nobody";
  EXPECT_EQ(s.team(), "nobody by default");
  s.name_space.labels = {{"team", "of-namespace"}};
  EXPECT_EQ(s.team(), "of-namespace by namespace label team");
  s.pod.resource_attributes = {{"team", "of-attribute"}};
  EXPECT_EQ(s.team(), "of-attribute by resource attribute team");
  s.pod.annotations = {{"team", "of-annotation"}};
  EXPECT_EQ(s.team(), "of-annotation by pod annotation team");
  s.pod.labels = {{"team", "of-label"}};
  EXPECT_EQ(s.team(), "of-label by pod label team");
  s.rules.of(Dimension::kTeam).rules = {{"ml", "", {}, "of-rule"}};
  EXPECT_EQ(s.team(), "of-rule by rule 1");
}

TEST(DimensionsTest, FirstRuleThatMatchesWins) {
  Sources s;
  s.rules.of(Dimension::kTeam).rules = {{"other", "", {}, "x"}, {"", "tr*", {}, "y"}, {"ml", "", {}, "z"}};
  EXPECT_EQ(s.team(), "y by rule 2");
}

TEST(DimensionsTest, EveryConditionOfARuleMustHold) {
  Sources s;
  s.pod.labels = {{"app_kubernetes_io_part_of", "search"}};
  s.rules.of(Dimension::kTeam).rules = {{"ml", "serve*", {}, "x"}, {"ml", "train", {{"app.kubernetes.io/part-of", "ads"}}, "y"},
                                        {"ml", "train", {{"app.kubernetes.io/part-of", "search"}}, "z"}};
  EXPECT_EQ(s.team(), "z by rule 3");
}

TEST(DimensionsTest, LabelKeysAreComparedAfterTheExportersCleanUp) {
  Sources s;
  s.pod.labels = {{"app_kubernetes_io_team", "search"}};
  EXPECT_EQ(s.team(), "search by pod label app.kubernetes.io/team");
}

TEST(DimensionsTest, FirstKeyWinsOnOneObjectButTheNearestObjectWinsOverKeys) {
  Sources s;
  s.pod.labels = {{"app_kubernetes_io_team", "second"}, {"team", "first"}};
  EXPECT_EQ(s.team(), "first by pod label team");
  s.pod.labels = {{"app_kubernetes_io_team", "pod"}};
  s.name_space.labels = {{"team", "namespace"}};
  EXPECT_EQ(s.team(), "pod by pod label app.kubernetes.io/team");
}

TEST(DimensionsTest, NothingSetStaysEmpty) { EXPECT_EQ(Sources().team(), " by "); }

TEST(DimensionsTest, RowsCarryValuesAndTheirOrigins) {
  MadeCluster cluster;
  cluster.rules = default_dimension_rules();
  cluster.rules.of(Dimension::kSla).default_value = "bronze";
  cluster.hour.inventory.namespaces = {{"", "ml", {{"environment", "prod"}}}};
  cluster.node("n1", 2, 2, 0, 1'000'000'000);
  cluster.pod(MadePod("ml/p").label("team", "vision").with(MadeContainer("c").cpu(1)));
  for (const LedgerRow& r : cluster.close().rows) {
    const bool pod = r.kind == RowKind::kAllocated;
    EXPECT_EQ(r.dimensions[static_cast<std::size_t>(Dimension::kTeam)], pod ? "vision" : "");
    EXPECT_EQ(r.dimension_origin, pod ? "team=pod label team;sla=default;environment=namespace label environment" : "");
  }
}

TEST(DimensionsTest, UnmountedClaimTakesTheLabelsOfItsNamespace) {
  MadeCluster cluster;
  cluster.rules = default_dimension_rules();
  cluster.options.service_prices.storage_gib = {1'000'000'000};
  cluster.hour.inventory.namespaces = {{cluster.options.cluster_name, "ml", {{"team", "vision"}}}};
  ClaimRecord claim;
  claim.cluster = cluster.options.cluster_name;
  claim.namespace_name = "ml";
  claim.name = "data";
  claim.bytes = made_steps(kMadeGib);
  cluster.hour.inventory.claims = {claim};
  EXPECT_EQ(cluster.close().rows.at(0).dimension_origin, "team=namespace label team");
}

TEST(DimensionsTest, UnmountedClaimOfANamelessClusterTakesThemToo) {
  MadeCluster cluster;
  cluster.rules = default_dimension_rules();
  cluster.options.service_prices.storage_gib = {1'000'000'000};
  cluster.hour.inventory.namespaces = {{"", "ml", {{"team", "vision"}}}};
  ClaimRecord claim;
  claim.namespace_name = "ml";
  claim.name = "data";
  claim.bytes = made_steps(kMadeGib);
  cluster.hour.inventory.claims = {claim};
  EXPECT_EQ(cluster.close().rows.at(0).dimension_origin, "team=namespace label team");
}

}  // namespace
}  // namespace seedance
