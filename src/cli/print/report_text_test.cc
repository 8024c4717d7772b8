// Golden texts: what a person sees, to the blank.
#include <gtest/gtest.h>

#include "cli/print/cost_table.h"
#include "cli/print/report_csv.h"
#include "cli/print/terminal_text.h"
#include "cli/print/numbers.h"
#include "cli/print/top_table.h"
#include "cli/print/waterfall_bars.h"
#include "cli/test_reports.h"

namespace seedance {
namespace {

std::vector<std::string> lines_of(const std::string& words) {
  std::vector<std::string> out(1);
  for (const char c : words) {
    if (c == '\n') {
      out.emplace_back();
    } else {
      out.back().push_back(c);
    }
  }
  out.pop_back();
  return out;
}

TEST(CostTableTest, LooksLikeKubectl) {
  EXPECT_EQ(print_cost_table(test_cost_report(), {}, false),
            "TENANT           GPU-H  GPU(USD)  CPU+MEM(USD)  TOTAL(USD)  CHANGE  WASTED\n"
            "vision           812.5  1,771.25        210.40    1,981.65  +12.3%   41.0%\n"
            "nlp              640.0  1,395.20         88.10    1,483.30   -4.1%   22.5%\n"
            "(no tenant)        0.0      0.00         12.00       12.00     new    0.0%\n"
            "not allocated  1,084.3  2,363.70          0.00    2,363.70   +0.4%  100.0%\n"
            "TOTAL          2,536.8  5,530.15        310.50    5,840.65   +3.1%   60.1%\n"
            "books closed, 0.000000000 USD left; 2025-11-23 14:00 .. 11-30 14:00 UTC\n"
            "node price split by method: residual\n");
}

TEST(CostTableTest, ChineseHeadersAlign) {
  const std::string table = print_cost_table(test_cost_report(), {.language = Language::kChinese}, false);
  const std::vector<std::string> lines = lines_of(table);
  EXPECT_EQ(lines[0], "租户        GPU 小时  GPU 费用(USD)  CPU+内存(USD)  合计(USD)    变化    浪费");
  EXPECT_EQ(lines[3], "（无租户）       0.0           0.00          12.00      12.00     new    0.0%");
  EXPECT_EQ(lines[6], "账目平衡，余 0.000000000 USD；2025-11-23 14:00 .. 11-30 14:00 UTC");
  for (std::size_t i = 1; i < 6; ++i) EXPECT_EQ(display_width(lines[i]), display_width(lines[0])) << lines[i];
}

TEST(CostTableTest, WideAddsTheSingleCosts) {
  const std::vector<std::string> lines = lines_of(print_cost_table(test_cost_report(), {}, true));
  EXPECT_EQ(lines[0],
            "TENANT           GPU-H  GPU(USD)  CPU+MEM(USD)  CPU(USD)  MEM(USD)  STORAGE(USD)  NETWORK(USD)  SHARED(USD)  TOTAL(USD)  CHANGE  WASTED  "
            "UNDETERMINED  ACTIVE  GPU-H MEASURED");
  EXPECT_EQ(lines[1],
            "vision           812.5  1,771.25        210.40    210.40      0.00          0.00          0.00         0.00    1,981.65  +12.3%   41.0%  "
            "        0.0%   50.0%           406.3");
}

TEST(CostTableTest, UndeterminedMoneyIsNotCalledFine) {
  CostReport report = test_cost_report();
  report.lines[0].sums.wasted = 0;
  report.lines[0].sums.waterfall[static_cast<std::size_t>(WaterfallPart::kUndeterminedNoData)] = 1;
  EXPECT_TRUE(lines_of(print_cost_table(report, {}, false))[1].ends_with("+12.3%       ?"));
}

TEST(CostTableTest, BooksThatDoNotCloseSaySo) {
  CostReport report = test_cost_report();
  *report.totals[0].charged += 1;
  EXPECT_FALSE(books_close(report));
  EXPECT_NE(print_cost_table(report, {}, false).find("books NOT closed, 0.000000001 USD left; "), std::string::npos);
  report.totals[0].charged.reset();
  EXPECT_TRUE(books_close(report));
  EXPECT_NE(print_cost_table(report, {}, false).find("filtered: not compared"), std::string::npos);
}

TEST(CostTableTest, RestsStandWhereTheirValueIsMissing) {
  CostReport report = test_cost_report();
  report.question.by = {GroupKey::kTeam, GroupKey::kNode};
  report.lines = {test_line(LineKind::kGroup, {"", "n1"}, 10, 100, 0, std::nullopt, 0), test_line(LineKind::kStranded, {"", "n1"}, 10, 100, 0, std::nullopt, 100)};
  std::vector<std::string> lines = lines_of(print_cost_table(report, {}, false));
  EXPECT_TRUE(lines[1].starts_with("(no team)  n1 ")) << lines[1];
  EXPECT_TRUE(lines[2].starts_with("stranded   n1 ")) << lines[2];
  report.question.by = {GroupKey::kNode};
  report.lines = {test_line(LineKind::kNotAllocated, {"n1"}, 10, 100, 0, std::nullopt, 100)};
  EXPECT_TRUE(lines_of(print_cost_table(report, {}, false))[1].starts_with("n1 (not allocated) "));
}

TEST(CostTableTest, CurrenciesAreNeverAdded) {
  CostReport report = test_cost_report();
  report.lines[1].currency = "CNY";
  CurrencyTotal cny;
  cny.currency = "CNY";
  cny.charged = 0;
  report.totals.insert(report.totals.begin(), cny);
  const std::vector<std::string> lines = lines_of(print_cost_table(report, {}, false));
  EXPECT_TRUE(lines[0].starts_with("TENANT         CURRENCY    GPU-H       GPU  CPU+MEM     TOTAL")) << lines[0];
  EXPECT_TRUE(lines[5].starts_with("TOTAL          CNY         640.0")) << lines[5];
  EXPECT_TRUE(lines[6].starts_with("TOTAL          USD       1,896.8")) << lines[6];
}

TEST(CostTableTest, LongTablesFoldOnATerminalOnly) {
  CostReport report = test_cost_report();
  const CostLine rest = report.lines[3];
  report.lines.clear();
  for (int i = 0; i < 26; ++i) report.lines.push_back(test_line(LineKind::kGroup, {"tenant-" + std::to_string(i)}, 10, 100, 0, 50, 0));
  report.lines.push_back(rest);
  const std::vector<std::string> folded = lines_of(print_cost_table(report, {.on_terminal = true}, false));
  EXPECT_EQ(folded[21], "(6 more)           6.0      6.00          0.00        6.00  +100.0%    0.0%");
  EXPECT_TRUE(folded[22].starts_with("not allocated"));
  EXPECT_EQ(print_cost_table(report, {}, false).find("more)"), std::string::npos);
}

TEST(CostTableTest, HostileLabelsCannotSteerTheTerminal) {
  CostReport report = test_cost_report();
  report.lines[0].keys[0] = "\x1b[2J\xe2\x80\xaenlp";
  report.split_methods[0] = "\x1b]0;owned\x07";
  report.lines[0].currency = report.totals[0].currency = "US\x1b";
  for (const bool is_wide : {false, true}) {
    const std::string table = print_cost_table(report, {.on_terminal = true, .width = 400}, is_wide);
    EXPECT_EQ(table.find('\x1b'), std::string::npos);
    EXPECT_EQ(table.find('\x07'), std::string::npos);
    EXPECT_NE(table.find("\\x1b[2J\\u202enlp"), std::string::npos);
  }
}

TEST(CostTableTest, NotesSayWhatIsMissing) {
  CostReport report = test_cost_report();
  *report.data_from += std::chrono::hours(2);
  report.has_provisional = true;
  report.totals[0].hidden = 5;
  const std::string table = print_cost_table(report, {}, false);
  EXPECT_NE(table.find("data starts 2025-11-23 16:00 UTC"), std::string::npos);
  EXPECT_NE(table.find("still provisional"), std::string::npos);
  EXPECT_NE(table.find("hidden, not allocated: 0.000000005 USD"), std::string::npos);
  EXPECT_EQ(lines_of(print_cost_table(report, {.headers = false}, false)).size(), 5u);
}

TEST(CostCsvTest, HasAllDecimalsAndDisarmsFormulas) {
  CostReport report = test_cost_report();
  report.lines = {test_line(LineKind::kGroup, {"=cmd|' /C calc'!A0"}, 10, 100, 7, std::nullopt, 1)};
  EXPECT_EQ(cost_csv(report, true),
            "kind,tenant,currency,gpu_hours,gpu_hours_measured,gpu_hours_active,gpu_cost,cpu_cost,memory_cost,storage_cost,network_cost,shared_cost,"
            "total_cost,wasted_cost,previous_total_cost\n"
            "group,'=cmd|' /C calc'!A0,USD,1.000000000,0.500000000,0.250000000,1.000000000,0.070000000,0.000000000,0.000000000,0.000000000,0.000000000,"
            "1.070000000,0.010000000,\n");
}

TEST(WaterfallBarsTest, EachBarEndsWhereTheOneAboveBegins) {
  EXPECT_EQ(print_waterfall(test_waterfall_report(), {}),
            "Billed GPU cost     ############################  11,787.62  100.0%\n"
            "Not allocated                             ######   2,363.70   20.1%\n"
            "Stranded                                               0.00    0.0%\n"
            "Unattributed                                           0.00    0.0%\n"
            "Held, not started                        #           719.04    6.1%\n"
            "Waiting for data                     ####          1,756.36   14.9%\n"
            "Waiting for comm.                 ###              1,084.46    9.2%\n"
            "Other idle                      ##                 1,000.00    8.5%\n"
            "Busy, inefficient            ###                     886.02    7.5%\n"
            "Undetermined                 /                       365.42    3.1%\n"
            "Productive          #########                      3,612.62   30.6%\n"
            "undetermined: idle, cause unknown 0.00 USD; busy, efficiency unknown 300.00 USD; no counters 65.42 USD\n"
            "USD; 2025-11-23 14:00 .. 11-30 14:00 UTC\n");
}

TEST(WaterfallBarsTest, BlocksTakeTheSamePlaceAndFitEightyColumns) {
  for (const Language language : {Language::kEnglish, Language::kChinese}) {
    const std::vector<std::string> lines = lines_of(print_waterfall(test_waterfall_report(), {.language = language, .utf8 = true}));
    for (std::size_t i = 0; i < 11; ++i) EXPECT_EQ(display_width(lines[i]), 67u) << lines[i];
    EXPECT_NE(lines[9].find("░"), std::string::npos);
  }
}

TEST(TopTableTest, NamesHolderCauseAndEvidence) {
  EXPECT_EQ(print_top_table(test_top_report(), {}, true),
            "GPU         MODEL             HELD BY           AGE    SM  TENSOR     MEMORY  USD/H  WASTED/H  CAUSE          EVIDENCE\n"
            "node-2/1    H100-SXM-80GB     cv/notebook-3    3d4h  1.2%    0.0%  71.2/80Gi   2.18      2.15  other idle     good\n"
            "node-7/4    H100-SXM-80GB     (stranded: cpu)    9h     -       -   0.0/80Gi   2.18      2.15  not allocated  good\n"
            "node-2/0.7  A100 MIG 3g.40gb  cv/serve-0          -     -       -          -   2.18         ?  undetermined   no counters\n"
            "3 more lines: raise --limit\n"
            "2025-11-23 14:00 .. 11-30 14:00 UTC\n");
}

TEST(TopTableTest, FitsEightyColumnsWithoutWideOnes) {
  EXPECT_EQ(print_top_table(test_top_report(), {.on_terminal = true, .width = 80}, false),
            "GPU         HELD BY           AGE    SM  USD/H  WASTED/H  CAUSE\n"
            "node-2/1    cv/notebook-3    3d4h  1.2%   2.18      2.15  other idle\n"
            "node-7/4    (stranded: cpu)    9h     -   2.18      2.15  not allocated\n"
            "node-2/0.7  cv/serve-0          -     -   2.18         ?  undetermined\n"
            "3 more lines: raise --limit\n"
            "2025-11-23 14:00 .. 11-30 14:00 UTC\n");
}

TEST(TopTableTest, CsvKeepsTheSchemaNames) {
  const std::string csv = top_csv(test_top_report(), true);
  EXPECT_NE(csv.find("\nnode-2,0.7,GPU-3/7,NVIDIA A100 MIG 3g.40gb,cv,Pod/notebook-3,serve-0,undetermined,,,USD,2.180000000,0.000000000,undetermined,no counters,"),
            std::string::npos);
  EXPECT_NE(csv.find("\nnode-7,4,GPU-1,NVIDIA H100-SXM-80GB,,,,stranded,no cpu beside the gpu,2025-11-30T05:00:00Z,USD,"), std::string::npos);
}

TEST(NumbersTest, AgesAreShort) {
  using namespace std::chrono;
  EXPECT_EQ(age_text(seconds(-5)), "0s");
  EXPECT_EQ(age_text(seconds(119)), "119s");
  EXPECT_EQ(age_text(minutes(59)), "59m");
  EXPECT_EQ(age_text(minutes(200)), "3h20m");
  EXPECT_EQ(age_text(minutes(540)), "9h");
  EXPECT_EQ(age_text(hours(76)), "3d4h");
  EXPECT_EQ(age_text(hours(24 * 12 + 5)), "12d");
}

}  // namespace
}  // namespace seedance
