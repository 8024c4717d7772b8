// Price lists of the three clouds and the split of every GPU type, compared with the tables beside them.
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "base/csv.h"
#include "pricing/node_split.h"
#include "pricing/price_book.h"
#include "tests/reference/shared_data.h"

namespace seedance {
namespace {

std::string price_file(const std::string& name) {
  std::ifstream in(shared_data("finops/" + name), std::ios::binary);
  std::stringstream out;
  out << in.rdbuf();
  return out.str();
}

using PriceRow = std::map<std::string, std::string>;
std::vector<PriceRow> price_rows(const std::string& name) {
  std::vector<PriceRow> out;
  std::vector<std::string> header;
  EXPECT_TRUE(read_csv(price_file(name), [&](std::size_t, const std::vector<std::string>& fields) -> Result<void> {
    if (header.empty()) {
      header = fields;
      return {};
    }
    PriceRow row;
    for (std::size_t i = 0; i < header.size(); ++i) row[header[i]] = fields[i];
    out.push_back(row);
    return {};
  }));
  return out;
}

std::size_t prices_stated(const std::vector<PriceRow>& rows) {
  std::size_t out = 0;
  for (const PriceRow& row : rows) {
    for (const char* column : {"on_demand_usd_hr", "spot_usd_hr"}) out += row.at(column).empty() ? 0U : 1U;
  }
  return out;
}

class PriceReferenceTest : public testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT(shared_data("finops/gpu_price_book.csv")); }
};

TEST_F(PriceReferenceTest, EveryPriceOfTheBookIsImported) {
  const auto rows = price_rows("gpu_price_book.csv");
  EXPECT_EQ(rows.size(), 364u);
  PriceBook book;
  const auto imported = book.import_csv(price_file("gpu_price_book.csv"), "gpu_price_book.csv");
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_TRUE(imported->refused.empty()) << imported->refused.front();
  EXPECT_EQ(imported->accepted, prices_stated(rows));
}

TEST_F(PriceReferenceTest, BuiltInBookBelievesTheSamePrices) {
  PriceBook book = PriceBook::built_in();
  const auto imported = book.import_csv(price_file("gpu_price_book.csv"), "gpu_price_book.csv");
  ASSERT_TRUE(imported);
  EXPECT_TRUE(imported->refused.empty()) << imported->refused.front();
}

TEST_F(PriceReferenceTest, EverySpotPriceByZoneIsImportedAndFoundByItsZoneId) {
  const auto rows = price_rows("aws_gpu_spot_by_zone.csv");
  EXPECT_EQ(rows.size(), 180u);
  PriceBook book = PriceBook::built_in();
  const auto imported = book.import_csv(price_file("aws_gpu_spot_by_zone.csv"), "aws_gpu_spot_by_zone.csv");
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_TRUE(imported->refused.empty()) << imported->refused.front();
  EXPECT_EQ(imported->accepted, prices_stated(rows));
  for (const PriceRow& row : rows) {
    if (row.at("spot_usd_hr").empty()) continue;
    const auto answer = book.price_of({"aws", row.at("region"), "some-name", row.at("zone_id"), row.at("instance_type"), "n", "spot"}, time_from_seconds(1'796'047'200));
    ASSERT_TRUE(answer) << row.at("instance_type") << " " << row.at("zone_id");
    EXPECT_EQ(answer->entry.rate.nanos_per_unit_hour, parse_money(row.at("spot_usd_hr"))->nanos()) << row.at("instance_type") << " " << row.at("zone_id");
  }
}

// Some types bring an eighth or a half of a card. Nodes count whole devices, so a node of such a type has one.
bool is_part_of_a_card(const PriceRow& row) { return std::stod(row.at("accel_count")) < 1; }

struct Unit {
  double cpu, memory, gpu;
};

// Prices of one core, GiB and GPU when the whole node costs what the row says.
Unit unit_prices(const PriceRow& row, SplitMethod method) {
  SplitQuestion q;
  q.method = method;
  q.provider = row.at("provider");
  q.list = {parse_money(row.at("node_usd_hr"))->nanos()};
  q.shape = {parse_money(row.at("vcpu"))->nanos(), static_cast<std::int64_t>(std::stod(row.at("mem_gib")) * 1073741824.0), is_part_of_a_card(row) ? 1 : std::stol(row.at("accel_count"))};
  q.plain = {{parse_money(row.at("ref_vcpu_usd_hr"))->nanos()}, {parse_money(row.at("ref_gib_usd_hr"))->nanos()}, ""};
  const NodeSplit split = split_node_price(q);
  const double total = static_cast<double>(split.cpu + split.memory + split.gpu);
  const double node = std::stod(row.at("node_usd_hr"));
  return {static_cast<double>(split.cpu) / total * node / std::stod(row.at("vcpu")), static_cast<double>(split.memory) / total * node / std::stod(row.at("mem_gib")),
          static_cast<double>(split.gpu) / total * node / std::stod(row.at("accel_count"))};
}

TEST_F(PriceReferenceTest, ResidualGpuPriceOfEveryType) {
  const auto rows = price_rows("gpu_node_price_split.csv");
  EXPECT_EQ(rows.size(), 105u);
  for (const PriceRow& row : rows) {
    EXPECT_NEAR(unit_prices(row, SplitMethod::kResidual).gpu, std::stod(row.at("residual_gpu_usd_hr")), 5e-6) << row.at("instance_type") << " " << row.at("region");
  }
}

TEST_F(PriceReferenceTest, AwsWeightsOfEveryTypeWithWholeCards) {
  for (const PriceRow& row : price_rows("gpu_node_price_split.csv")) {
    if (is_part_of_a_card(row)) continue;
    const Unit unit = unit_prices(row, SplitMethod::kAwsWeights);
    const std::string name = row.at("instance_type") + " " + row.at("region");
    EXPECT_NEAR(unit.gpu, std::stod(row.at("scad_gpu_usd_hr")), 1e-6) << name;
    EXPECT_NEAR(unit.cpu, std::stod(row.at("scad_vcpu_usd_hr")), 1e-6) << name;
    EXPECT_NEAR(unit.memory, std::stod(row.at("scad_gib_usd_hr")), 1e-6) << name;
  }
}

TEST_F(PriceReferenceTest, OpenCostRatioOfEveryTypeWithWholeCards) {
  for (const PriceRow& row : price_rows("gpu_node_price_split.csv")) {
    if (is_part_of_a_card(row)) continue;
    const Unit unit = unit_prices(row, SplitMethod::kOpenCostRatio);
    const std::string name = row.at("provider") + " " + row.at("instance_type") + " " + row.at("region");
    EXPECT_NEAR(unit.gpu, std::stod(row.at("opencost_gpu_usd_hr")), 1e-6) << name;
    EXPECT_NEAR(unit.cpu, std::stod(row.at("opencost_vcpu_usd_hr")), 1e-6) << name;
    EXPECT_NEAR(unit.memory, std::stod(row.at("opencost_gib_usd_hr")), 1e-6) << name;
  }
}

}  // namespace
}  // namespace seedance
