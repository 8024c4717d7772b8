#include "pricing/node_prices.h"

#include <gtest/gtest.h>

#include "base/time_text.h"
#include "pricing/node_split.h"

namespace seedance {
namespace {

const TimePoint kStart = time_from_seconds(1'796'047'200);  // 2026-11-30T14:00:00Z
const Interval kSpan{kStart, kStart + std::chrono::hours(1)};
TimePoint minute(int m) { return kStart + std::chrono::minutes(m); }

NodeRecord p4d() {
  NodeRecord node;
  node.name = "gpu-1";
  node.provider = "aws";
  node.region = "us-east-1";
  node.zone = "us-east-1a";
  node.instance_type = "p4d.24xlarge";
  node.capacity_kind = "on-demand";
  node.capacity = {{"cpu", {{kSpan.from, kSpan.to, 96'000'000'000}}}, {"memory", {{kSpan.from, kSpan.to, std::int64_t{1152} << 30}}}};
  return node;
}

double dollars(Int128 weight, Int128 total, HourlyRate rate) {
  return static_cast<double>(weight) / static_cast<double>(total) * static_cast<double>(rate.nanos_per_unit_hour) / 1e9;
}

double gpu_dollars(const PricePiece& p) { return dollars(p.gpu_weight, p.cpu_weight + p.memory_weight + p.gpu_weight, p.rate); }

TEST(NodePricesTest, BookPriceCoversTheHourInOnePiece) {
  const NodePrices prices = node_prices(p4d(), kSpan, PriceBook::built_in(), {});
  ASSERT_EQ(prices.pieces.size(), 1u);
  EXPECT_EQ(prices.pieces[0].span, kSpan);
  EXPECT_TRUE(prices.pieces[0].is_priced);
  EXPECT_EQ(prices.pieces[0].rate.nanos_per_unit_hour, 21'957'642'000);
  EXPECT_EQ(prices.gpu_millis, 8'000);
}

TEST(NodePricesTest, ResidualSplitGivesTheGpusTheRestOfTheListPrice) {
  const NodePrices prices = node_prices(p4d(), kSpan, PriceBook::built_in(), {});
  EXPECT_NEAR(gpu_dollars(prices.pieces[0]), 21.957642 - 96 * 0.033 - 1152 * 0.00375, 1e-9);
}

// g6f.large: an eighth of an L4.
TEST(NodePricesTest, PartOfACardIsCountedAsThatPart) {
  NodeRecord node = p4d();
  node.instance_type = "g6f.large";
  node.capacity = {{"cpu", {{kSpan.from, kSpan.to, 2'000'000'000}}}, {"memory", {{kSpan.from, kSpan.to, std::int64_t{8} << 30}}}};
  const NodePrices prices = node_prices(node, kSpan, PriceBook::built_in(), {.method = SplitMethod::kAwsWeights, .gpus_seen = 1});
  EXPECT_EQ(prices.gpu_millis, 125);
  EXPECT_NEAR(gpu_dollars(prices.pieces[0]), 0.202 * 9 * 0.125 / (9 * 0.125 + 0.9 * 2 + 0.1 * 8), 1e-9);
  EXPECT_NEAR(gpu_dollars(node_prices(node, kSpan, PriceBook::built_in(), {}).pieces[0]), 0.202 - 2 * 0.033 - 8 * 0.00375, 1e-9);
}

TEST(NodePricesTest, SpotNodesPayLessForEveryPart) {
  NodeRecord node = p4d();
  node.capacity_kind = "spot";
  PriceBook book = PriceBook::built_in();
  ASSERT_TRUE(book.import_csv("provider,region,instance_type,spot_usd_hr\naws,us-east-1,p4d.24xlarge,7.5205\n", "s.csv"));
  const PricePiece piece = node_prices(node, kSpan, book, {}).pieces[0];
  EXPECT_EQ(piece.rate.nanos_per_unit_hour, 7'520'500'000);
  EXPECT_NEAR(gpu_dollars(piece), (21.957642 - 96 * 0.033 - 1152 * 0.00375) * 7.5205 / 21.957642, 1e-9);
}

TEST(NodePricesTest, StatedPricesCutTheHour) {
  NodeRecord node = p4d();
  node.capacity_kind = "spot";
  node.price = {{minute(-5), minute(20), 8'000'000'000}, {minute(20), minute(70), 9'000'000'000}};
  const NodePrices prices = node_prices(node, kSpan, PriceBook::built_in(), {});
  ASSERT_EQ(prices.pieces.size(), 2u);
  EXPECT_EQ(prices.pieces[0].span, (Interval{minute(0), minute(20)}));
  EXPECT_EQ(prices.pieces[0].rate.nanos_per_unit_hour, 8'000'000'000);
  EXPECT_EQ(prices.pieces[1].span, (Interval{minute(20), minute(60)}));
  EXPECT_EQ(prices.pieces[1].source, "stated by the cluster");
}

TEST(NodePricesTest, StatedPriceHoldsOverItsOwnGapsAndBackwards) {
  NodeRecord node = p4d();
  node.price = {{minute(10), minute(15), 20'000'000'000}, {minute(40), minute(41), 21'000'000'000}};
  const NodePrices prices = node_prices(node, kSpan, PriceBook::built_in(), {});
  ASSERT_EQ(prices.pieces.size(), 2u);
  EXPECT_EQ(prices.pieces[0].span, (Interval{minute(0), minute(40)}));
  EXPECT_EQ(prices.pieces[1].span, (Interval{minute(40), minute(60)}));
}

TEST(NodePricesTest, StatedPriceThatTheBookCannotBelieveIsRefusedAndSaid) {
  NodeRecord node = p4d();
  node.price = {{minute(0), minute(60), 2'195'764'200'000}};
  const PricePiece piece = node_prices(node, kSpan, PriceBook::built_in(), {}).pieces[0];
  EXPECT_EQ(piece.rate.nanos_per_unit_hour, 21'957'642'000);
  EXPECT_NE(piece.source.find("a stated price of 2195.764200000/h was refused"), std::string::npos) << piece.source;
}

TEST(NodePricesTest, UnknownTypeTakesAnyStatedPrice) {
  NodeRecord node = p4d();
  node.instance_type = "homemade";
  node.price = {{minute(0), minute(60), 5'000'000'000}};
  EXPECT_EQ(node_prices(node, kSpan, PriceBook::built_in(), {}).pieces[0].rate.nanos_per_unit_hour, 5'000'000'000);
}

TEST(NodePricesTest, OperatorsPriceOfANodeBeatsTheSeries) {
  NodeRecord node = p4d();
  node.price = {{minute(0), minute(60), 20'000'000'000}};
  PriceBook book = PriceBook::built_in();
  ASSERT_EQ(book.import_csv("node,price_hr\ngpu-1,11.5\n", "own.csv")->accepted, 3u) << "for every capacity kind";
  const NodePrices prices = node_prices(node, kSpan, book, {});
  ASSERT_EQ(prices.pieces.size(), 1u);
  EXPECT_EQ(prices.pieces[0].rate.nanos_per_unit_hour, 11'500'000'000);
}

TEST(NodePricesTest, NewBookPriceInsideTheHourCutsIt) {
  PriceBook book;
  ASSERT_TRUE(book.import_csv("instance_type,price_hr,valid_from\n"
                              "p4d.24xlarge,20,2026-01-01\n"
                              "p4d.24xlarge,21,2026-11-30T14:20:00Z\n"
                              "p4d.24xlarge,22,2026-11-30T15:00:00Z\n"
                              "other,9,2026-11-30T14:40:00Z\n",
                              "p.csv"));
  const NodePrices prices = node_prices(p4d(), kSpan, book, {});
  ASSERT_EQ(prices.pieces.size(), 2u);
  EXPECT_EQ(prices.pieces[0].span, (Interval{minute(0), minute(20)}));
  EXPECT_EQ(prices.pieces[0].rate.nanos_per_unit_hour, 20'000'000'000);
  EXPECT_EQ(prices.pieces[1].span, (Interval{minute(20), minute(60)}));
  EXPECT_EQ(prices.pieces[1].rate.nanos_per_unit_hour, 21'000'000'000);
}

TEST(NodePricesTest, NewPriceOfAFartherPlaceCutsNothing) {
  PriceBook book;
  ASSERT_TRUE(book.import_csv("instance_type,zone,price_hr,valid_from\np4d.24xlarge,us-east-1a,20,2026-01-01\np4d.24xlarge,,30,2026-11-30T14:20:00Z\n", "p.csv"));
  EXPECT_EQ(node_prices(p4d(), kSpan, book, {}).pieces.size(), 1u);
}

TEST(NodePricesTest, UnknownNodeIsUnpricedWithTheReason) {
  NodeRecord node = p4d();
  node.instance_type = "homemade";
  const PricePiece piece = node_prices(node, kSpan, PriceBook::built_in(), {}).pieces[0];
  EXPECT_FALSE(piece.is_priced);
  EXPECT_NE(piece.problem.find("homemade"), std::string::npos);
  EXPECT_EQ(piece.span, kSpan);
}

TEST(NodePricesTest, GpusThatOnlyTheExporterShowsGetAPart) {
  NodeRecord node = p4d();
  node.instance_type = "homemade";
  node.price = {{minute(0), minute(60), 20'000'000'000}};
  EXPECT_GT(node_prices(node, kSpan, PriceBook::built_in(), {.gpus_seen = 2}).pieces[0].gpu_weight, 0);
  EXPECT_EQ(node_prices(node, kSpan, PriceBook::built_in(), {.gpus_seen = 0}).pieces[0].gpu_weight, 0);
}

SplitQuestion question(SplitMethod method, std::int64_t cores, std::int64_t gib, std::int64_t gpus, HourlyRate list = {}) {
  SplitQuestion q;
  q.method = method;
  q.shape = {cores * 1'000'000'000, gib << 30, gpus * 1'000};
  q.list = list;
  q.plain = {{33'000'000}, {3'750'000}, ""};
  return q;
}

// What the three parts of a node cost for one unit each, when the whole costs `rate`.
struct UnitDollars {
  double cpu, memory, gpu;
};
UnitDollars unit_dollars(const SplitQuestion& q, HourlyRate rate) {
  const NodeSplit split = split_node_price(q);
  const Int128 total = split.cpu + split.memory + split.gpu;
  return {dollars(split.cpu, total, rate) / (static_cast<double>(q.shape.cpu_nanocores) / 1e9),
          dollars(split.memory, total, rate) / (static_cast<double>(q.shape.memory_bytes) / 1073741824.0),
          q.shape.gpu_millis == 0 ? 0 : dollars(split.gpu, total, rate) / static_cast<double>(q.shape.gpu_millis) * 1'000};
}

// The next three: opencost/opencost, node price split (specification appendix A).
TEST(NodeSplitTest, CustomUnitPricesSplitByTheirRatio) {
  SplitQuestion q = question(SplitMethod::kResidual, 1, 1, 1);
  q.cpu_rate = HourlyRate{30};
  q.memory_rate = HourlyRate{10};
  q.gpu_rate = HourlyRate{30};
  const UnitDollars unit = unit_dollars(q, {35'000'000'000});
  EXPECT_NEAR(unit.cpu, 15, 1e-9);
  EXPECT_NEAR(unit.memory, 5, 1e-9);
  EXPECT_NEAR(unit.gpu, 15, 1e-9);
}

TEST(NodeSplitTest, OpenCostRatiosOnP4d) {
  const UnitDollars unit = unit_dollars(question(SplitMethod::kOpenCostRatio, 96, 1152, 8), {21'957'642'000});
  EXPECT_NEAR(unit.cpu, 0.044736, 5e-7);
  EXPECT_NEAR(unit.memory, 0.005996, 5e-7);
  EXPECT_NEAR(unit.gpu, 1.344431, 5e-7);
}

TEST(NodeSplitTest, ResidualFindsTheListedGpuPriceOfGcp) {
  SplitQuestion q = question(SplitMethod::kResidual, 12, 85, 1, {3'673'385'000});
  q.plain = {{31'611'000}, {4'237'000}, ""};
  EXPECT_NEAR(unit_dollars(q, q.list).gpu, 2.933908, 5e-7);
}

// AWS split cost allocation, the unit prices of its two documented shapes.
TEST(NodeSplitTest, AwsWeightsDependOnGpus) {
  const UnitDollars gpu = unit_dollars(question(SplitMethod::kAwsWeights, 64, 488, 8), {10'000'000'000});
  EXPECT_NEAR(gpu.cpu, 0.050448, 5e-7);
  EXPECT_NEAR(gpu.memory, 0.005605, 5e-7);
  EXPECT_NEAR(gpu.gpu, 0.504484, 5e-7);
  const UnitDollars plain = unit_dollars(question(SplitMethod::kAwsWeights, 4, 16, 0), {1'000'000'000});
  EXPECT_NEAR(plain.cpu, 0.173077, 5e-7);
  EXPECT_NEAR(plain.memory, 0.019231, 5e-7);
}

TEST(NodeSplitTest, NodesWithoutGpusNeverHaveAGpuPart) {
  for (const SplitMethod method : {SplitMethod::kResidual, SplitMethod::kAwsWeights, SplitMethod::kOpenCostRatio}) {
    SplitQuestion q = question(method, 4, 16, 0, {184'000'000});
    q.gpu_rate = HourlyRate{950'000'000};
    EXPECT_EQ(split_node_price(q).gpu, 0);
    q.cpu_rate = HourlyRate{30'000'000};
    q.memory_rate = HourlyRate{4'000'000};
    EXPECT_EQ(split_node_price(q).gpu, 0) << "with custom prices";
  }
}

TEST(NodeSplitTest, ResidualIsNeverNegative) { EXPECT_EQ(split_node_price(question(SplitMethod::kResidual, 96, 1152, 8, {1'000'000'000})).gpu, 0); }

}  // namespace
}  // namespace seedance
