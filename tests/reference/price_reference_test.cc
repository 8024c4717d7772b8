// Price lists of the three clouds and the split of every GPU type, compared with the tables beside them.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "base/csv.h"
#include "pricing/node_split.h"
#include "pricing/price_book.h"
#include "pricing/price_csv.h"
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

struct UnitPrice {
  double cpu, memory, gpu;
  double gpu_share_percent;
};

// A row of the table and the entry that the price book makes of it.
struct SplitRow {
  PriceRow row;
  PriceEntry entry;

  std::string name() const { return row.at("provider") + " " + row.at("instance_type") + " " + row.at("region"); }
  double number(const std::string& column) const { return std::stod(row.at(column)); }

  // Prices of one core, GiB and card when the whole node costs what the row says.
  UnitPrice unit_price(SplitMethod method) const {
    SplitQuestion q;
    q.method = method;
    q.provider = entry.provider;
    q.list = entry.rate;
    q.shape = {entry.cpu_millis * 1'000'000, entry.memory_mib << 20, entry.gpu_millis};
    q.plain = {{parse_money(row.at("ref_vcpu_usd_hr"))->nanos()}, {parse_money(row.at("ref_gib_usd_hr"))->nanos()}, ""};
    const NodeSplit split = split_node_price(q);
    const double total = static_cast<double>(split.cpu + split.memory + split.gpu);
    const auto price_of_one = [&](Int128 part, const char* count) { return static_cast<double>(part) / total * number("node_usd_hr") / number(count); };
    return {price_of_one(split.cpu, "vcpu"), price_of_one(split.memory, "mem_gib"), price_of_one(split.gpu, "accel_count"), static_cast<double>(split.gpu) / total * 100};
  }
};

std::vector<SplitRow> split_rows() {
  const std::vector<PriceRow> rows = price_rows("gpu_node_price_split.csv");
  const auto csv = read_price_csv(price_file("gpu_node_price_split.csv"), "gpu_node_price_split.csv");
  EXPECT_TRUE(csv && csv->refused.empty());
  EXPECT_EQ(csv->entries.size(), rows.size());
  std::vector<SplitRow> out;
  for (std::size_t i = 0; i < rows.size(); ++i) out.push_back({rows[i], csv->entries[i].entry});
  return out;
}

TEST_F(PriceReferenceTest, EightTypesBringAPartOfACard) {
  const auto rows = split_rows();
  EXPECT_EQ(rows.size(), 105u);
  EXPECT_EQ(std::count_if(rows.begin(), rows.end(), [](const SplitRow& r) { return r.entry.gpu_millis < 1'000; }), 8);
  for (const SplitRow& r : rows) EXPECT_EQ(r.entry.gpu_millis, parse_money(r.row.at("accel_count"))->nanos() / 1'000'000) << r.name();
}

TEST_F(PriceReferenceTest, ResidualOfEveryType) {
  for (const SplitRow& r : split_rows()) {
    const UnitPrice unit = r.unit_price(SplitMethod::kResidual);
    EXPECT_NEAR(unit.gpu, r.number("residual_gpu_usd_hr"), 5e-6) << r.name();
    EXPECT_NEAR(unit.gpu_share_percent, r.number("residual_gpu_share_pct"), 0.0051) << r.name();
  }
}

TEST_F(PriceReferenceTest, AwsWeightsOfEveryType) {
  for (const SplitRow& r : split_rows()) {
    const UnitPrice unit = r.unit_price(SplitMethod::kAwsWeights);
    EXPECT_NEAR(unit.gpu, r.number("scad_gpu_usd_hr"), 1e-6) << r.name();
    EXPECT_NEAR(unit.cpu, r.number("scad_vcpu_usd_hr"), 1e-6) << r.name();
    EXPECT_NEAR(unit.memory, r.number("scad_gib_usd_hr"), 1e-6) << r.name();
    EXPECT_NEAR(unit.gpu_share_percent, r.number("scad_gpu_share_pct"), 0.0051) << r.name();
  }
}

TEST_F(PriceReferenceTest, OpenCostRatioOfEveryType) {
  for (const SplitRow& r : split_rows()) {
    const UnitPrice unit = r.unit_price(SplitMethod::kOpenCostRatio);
    EXPECT_NEAR(unit.gpu, r.number("opencost_gpu_usd_hr"), 1e-6) << r.name();
    EXPECT_NEAR(unit.cpu, r.number("opencost_vcpu_usd_hr"), 1e-6) << r.name();
    EXPECT_NEAR(unit.memory, r.number("opencost_gib_usd_hr"), 1e-6) << r.name();
    EXPECT_NEAR(unit.gpu_share_percent, r.number("opencost_gpu_share_pct"), 0.0051) << r.name();
  }
}

}  // namespace
}  // namespace seedance
