// The whole path on a small cluster whose right answer is known to six digits: text and remote write in, ledger rows out.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <sstream>

#include <gtest/gtest.h>

#include "app/books.h"
#include "app/intake/text_import.h"
#include "base/csv.h"
#include "base/time_text.h"
#include "ingest/gzip_stream.h"
#include "ingest/open_metrics.h"
#include "ingest/write_encoder.h"
#include "tests/reference/shared_data.h"

namespace seedance {
namespace {

constexpr double kTolerance = 5e-6;

std::string minicluster(const std::string& file) { return shared_data("finops/minicluster_a/" + file); }

// One server without a network: intake, books, ledger in memory.
struct Bench {
  ManualClock clock{time_from_seconds(1'772'418'000)};
  Counters counters;
  std::unique_ptr<SampleIntake> intake;
  Ledger ledger{std::make_unique<MemoryLedger>()};
  PriceBook book = PriceBook::built_in();
  std::unique_ptr<Books> books;

  Bench() {
    IntakeOptions options;
    options.accept_any_age = true;
    intake = SampleIntake::open("", Catalogue{}, options, clock, counters).value();
    BooksOptions books_options;
    books_options.dimensions = default_dimension_rules();
    books_options.allocation.cluster_name = "mini-a";
    books = std::make_unique<Books>(*intake, ledger, books_options);
  }
  std::vector<LedgerRow> rows() {
    EXPECT_TRUE(books->settle(book, true).has_value());
    return ledger.read_rows({TimePoint::min(), TimePoint::max()}).value();
  }
};

std::vector<LedgerRow> rows_by_text() {
  Bench bench;
  const auto report = import_text_file(*bench.intake, minicluster("metrics.om.gz"), nullptr);
  EXPECT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(report->samples, 31'474u);
  EXPECT_EQ(report->answer.samples_refused, 0u) << report->answer.first_reason;
  return bench.rows();
}

// Every sample of the file, one by one.
std::vector<std::pair<Labels, Sample>> all_samples() {
  std::ifstream in(minicluster("metrics.om.gz"), std::ios::binary);
  std::stringstream packed;
  packed << in.rdbuf();
  std::vector<std::pair<Labels, Sample>> out;
  OpenMetricsReader reader(OpenMetricsOptions{});
  const auto take = [&](const Labels& labels, Sample s) { out.emplace_back(labels, s); };
  GunzipStream gunzip(std::size_t{1} << 30);
  EXPECT_TRUE(gunzip.feed(packed.str(), [&](std::string_view text) { return reader.feed(text, take); }).has_value());
  EXPECT_TRUE(reader.finish(take).has_value());
  return out;
}

std::vector<LedgerRow> rows_by_remote_write(const std::vector<std::pair<Labels, Sample>>& samples) {
  Bench bench;
  for (std::size_t begin = 0; begin < samples.size(); begin += 500) {
    std::vector<SeriesSamples> batch;
    for (std::size_t i = begin; i < std::min(samples.size(), begin + 500); ++i) batch.push_back({samples[i].first, {samples[i].second}});
    const auto answer = bench.intake->take(compress_snappy(encode_write_request(batch)));
    EXPECT_TRUE(answer.has_value());
    EXPECT_EQ(answer->samples_refused, 0u) << answer->first_reason;
  }
  return bench.rows();
}

std::string as_text(const std::vector<LedgerRow>& rows) {
  std::string out;
  for (const LedgerRow& row : rows) out += ledger_line(row) + "\n";
  return out;
}

double units(std::int64_t nanos) { return static_cast<double>(nanos) / 1e9; }

struct Totals {
  double minutes = 0, cpu = 0, memory = 0, gpu = 0, cpu_cost = 0, memory_cost = 0, gpu_cost = 0, active = 0, measured = 0;
};

using CsvTable = std::vector<std::map<std::string, std::string>>;
CsvTable read_table(const std::string& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  CsvTable out;
  std::vector<std::string> header;
  EXPECT_TRUE(read_csv(text.str(), [&](std::size_t, const std::vector<std::string>& fields) -> Result<void> {
                if (header.empty()) {
                  header = fields;
                  return {};
                }
                std::map<std::string, std::string> row;
                for (std::size_t i = 0; i < header.size(); ++i) row[header[i]] = fields[i];
                out.push_back(row);
                return {};
              }).has_value());
  return out;
}

std::map<std::pair<std::string, std::string>, Totals> totals_by_container(const std::vector<LedgerRow>& rows) {
  std::map<std::pair<std::string, std::string>, Totals> out;
  for (const LedgerRow& row : rows) {
    if (row.kind != RowKind::kAllocated) continue;
    Totals& t = out[{row.pod_uid, row.container}];
    if (row.gpu.empty()) t.minutes += units(row.held_nanos) / 60;
    t.cpu += units(row.cpu_allocated) / 3600;
    t.memory += static_cast<double>(row.memory_allocated) / 3600 / 1073741824.0;
    t.gpu += units(row.gpu_allocated) / 3600;
    t.cpu_cost += units(row.cpu_cost.nanos());
    t.memory_cost += units(row.memory_cost.nanos());
    t.gpu_cost += units(row.gpu_cost.nanos());
    t.active += units(row.gpu_active);
    t.measured += units(row.gpu_measured);
  }
  return out;
}

void expect_allocation(const std::vector<LedgerRow>& rows) {
  const auto totals = totals_by_container(rows);
  const CsvTable expected = read_table(minicluster("expected_allocation.csv"));
  EXPECT_EQ(totals.size(), expected.size());
  for (const auto& row : expected) {
    const std::string name = row.at("pod") + "/" + row.at("container");
    const auto at = totals.find({row.at("uid"), row.at("container")});
    ASSERT_NE(at, totals.end()) << name;
    const Totals& t = at->second;
    const auto cell = [&](const char* column) { return std::stod(row.at(column)); };
    EXPECT_NEAR(t.minutes, cell("minutes"), kTolerance) << name;
    EXPECT_NEAR(t.cpu, cell("cpu_core_hours"), kTolerance) << name;
    EXPECT_NEAR(t.memory, cell("ram_gib_hours"), kTolerance) << name;
    EXPECT_NEAR(t.gpu, cell("gpu_hours"), kTolerance) << name;
    EXPECT_NEAR(t.cpu_cost, cell("cpu_cost"), kTolerance) << name;
    EXPECT_NEAR(t.memory_cost, cell("ram_cost"), kTolerance) << name;
    EXPECT_NEAR(t.gpu_cost, cell("gpu_cost"), kTolerance) << name;
    EXPECT_NEAR(t.cpu_cost + t.memory_cost + t.gpu_cost, cell("total_cost"), kTolerance) << name;
    if (row.at("gpu_engine_active_avg").empty()) continue;
    EXPECT_NEAR(t.active / t.measured, cell("gpu_engine_active_avg"), kTolerance) << name;
    EXPECT_NEAR(t.gpu_cost * (1 - t.active / t.measured), cell("gpu_cost_not_active"), kTolerance) << name;
  }
}

void expect_idle(const std::vector<LedgerRow>& rows) {
  std::map<std::string, std::array<double, 3>> idle;
  for (const LedgerRow& row : rows) {
    if (row.kind != RowKind::kIdle && row.kind != RowKind::kStranded) continue;
    idle[row.node][0] += units(row.cpu_cost.nanos());
    idle[row.node][1] += units(row.memory_cost.nanos());
    idle[row.node][2] += units(row.gpu_cost.nanos());
  }
  for (const auto& row : read_table(minicluster("expected_idle.csv"))) {
    const std::string& node = row.at("node");
    EXPECT_NEAR(idle[node][0], std::stod(row.at("cpu_idle")), kTolerance) << node;
    EXPECT_NEAR(idle[node][1], std::stod(row.at("ram_idle")), kTolerance) << node;
    EXPECT_NEAR(idle[node][2], std::stod(row.at("gpu_idle")), kTolerance) << node;
  }
}

std::int64_t total_nanos(const std::vector<LedgerRow>& rows) {
  std::int64_t sum = 0;
  for (const LedgerRow& row : rows) sum += row.total_cost().nanos();
  return sum;
}

TEST(MiniclusterTest, TextImportGivesEveryExpectedCell) {
  SKIP_WITHOUT(minicluster(""));
  const std::vector<LedgerRow> rows = rows_by_text();
  expect_allocation(rows);
  expect_idle(rows);
  EXPECT_EQ(total_nanos(rows), 53'502'484'000) << "nodes cost 2 x (21.957642 + 4.6016 + 0.192), exactly";
}

TEST(MiniclusterTest, RemoteWriteGivesTheSameBytesAsText) {
  SKIP_WITHOUT(minicluster(""));
  const std::vector<LedgerRow> rows = rows_by_remote_write(all_samples());
  expect_allocation(rows);
  EXPECT_EQ(as_text(rows), as_text(rows_by_text()));
}

TEST(MiniclusterTest, ShuffledAndDoubledInputGivesTheSameBytes) {
  SKIP_WITHOUT(minicluster(""));
  auto samples = all_samples();
  const std::string in_order = as_text(rows_by_remote_write(samples));
  const auto once = samples;
  samples.insert(samples.end(), once.begin(), once.end());
  std::mt19937_64 random(20260302);
  std::shuffle(samples.begin(), samples.end(), random);
  EXPECT_EQ(as_text(rows_by_remote_write(samples)), in_order);
}

TEST(MiniclusterTest, TeamsAddUpToTheTotals) {
  SKIP_WITHOUT(minicluster(""));
  std::map<std::string, double> teams;
  for (const LedgerRow& row : rows_by_text()) {
    if (row.kind != RowKind::kAllocated) continue;
    const std::string& team = row.dimensions[static_cast<std::size_t>(Dimension::kTeam)];
    teams[team] += units(row.total_cost().nanos());
  }
  const std::map<std::string, double> expected{{"", 0.022613},      {"chat", 3.694425},   {"data", 0.138375},
                                               {"nlp", 19.581642}, {"search", 4.638427}, {"vision", 7.738821}};
  ASSERT_EQ(teams.size(), expected.size());
  for (const auto& [team, cost] : expected) EXPECT_NEAR(teams[team], cost, kTolerance) << team;
}

TEST(MiniclusterTest, WaterfallPartsSumToTheGpuMoneyOfEachRow) {
  SKIP_WITHOUT(minicluster(""));
  for (const LedgerRow& row : rows_by_text()) {
    if (row.kind != RowKind::kAllocated) continue;
    Money sum;
    for (const Money part : row.waterfall) sum += part;
    EXPECT_EQ(sum, row.gpu_cost) << row.pod;
  }
}

}  // namespace
}  // namespace seedance
