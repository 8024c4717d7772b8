// The reports, from hand-made groups.
#include <gtest/gtest.h>

#include "report/cost_report.h"
#include "report/sums_json.h"
#include "report/top_report.h"
#include "report/waterfall_report.h"

namespace seedance {
namespace {

LedgerGroup group_of(std::vector<std::string> keys, RowKind kind, std::int64_t cpu, std::int64_t memory, std::int64_t gpu) {
  LedgerGroup g;
  g.keys = std::move(keys);
  g.kind = kind;
  g.currency = "USD";
  g.sums.cpu_cost = cpu;
  g.sums.memory_cost = memory;
  g.sums.gpu_cost = gpu;
  if (kind == RowKind::kIdle) g.sums.wasted = cpu + memory + gpu;
  return g;
}

CostQuestion question_by_team(IdleMode idle) {
  CostQuestion q;
  q.window = {time_from_seconds(3'600), time_from_seconds(7'200)};
  q.by = {GroupKey::kTeam};
  q.idle = idle;
  return q;
}

const CostLine* line_of(const CostReport& report, const std::string& team) {
  for (const CostLine& line : report.lines) {
    if (line.kind == LineKind::kGroup && line.keys[0] == team) return &line;
  }
  return nullptr;
}

// AWS split cost allocation's first worked case: the unused cost of a resource is spread by what each pod has of it.
TEST(CostReportTest, SharedIdleGoesToTheHoldersOfTheNodeByTheSameResource) {
  CostFacts facts;
  facts.current = {group_of({"a", "c", "n1"}, RowKind::kAllocated, 100, 300, 0), group_of({"b", "c", "n1"}, RowKind::kAllocated, 300, 100, 0),
                   group_of({"a", "c", "n2"}, RowKind::kAllocated, 10, 0, 0), group_of({"", "c", "n1"}, RowKind::kIdle, 400, 40, 0)};
  const CostReport report = make_cost_report(question_by_team(IdleMode::kShare), facts);
  ASSERT_EQ(report.lines.size(), 2u);
  EXPECT_EQ(line_of(report, "a")->sums.cpu_cost, 100 + 100 + 10);
  EXPECT_EQ(line_of(report, "a")->sums.memory_cost, 300 + 30);
  EXPECT_EQ(line_of(report, "b")->sums.cpu_cost, 300 + 300);
  EXPECT_EQ(line_of(report, "b")->sums.memory_cost, 100 + 10);
}

TEST(CostReportTest, SharedIdleKeepsTheTotalToTheLastNanoUnit) {
  CostFacts facts;
  MoneySum total = 0;
  for (int i = 0; i < 7; ++i) facts.current.push_back(group_of({std::to_string(i), "c", "n"}, RowKind::kAllocated, 1 + i, 3, 5 * i));
  facts.current.push_back(group_of({"", "c", "n"}, RowKind::kIdle, 1'000'003, 17, 999'999'937));
  for (const LedgerGroup& g : facts.current) total += g.sums.total_cost();
  const CostReport report = make_cost_report(question_by_team(IdleMode::kShare), facts);
  EXPECT_EQ(report.totals.at(0).sums.total_cost(), total);
  EXPECT_EQ(report.lines.size(), 7u);
}

TEST(CostReportTest, IdleOfANodeThatNobodyHeldStaysALine) {
  CostFacts facts;
  facts.current = {group_of({"", "c", "n"}, RowKind::kIdle, 5, 5, 5)};
  const CostReport report = make_cost_report(question_by_team(IdleMode::kShare), facts);
  ASSERT_EQ(report.lines.size(), 1u);
  EXPECT_EQ(report.lines[0].kind, LineKind::kNotAllocated);
}

TEST(CostReportTest, HiddenIdleIsSaidAndStillInTheBooks) {
  CostFacts facts;
  facts.current = {group_of({"a"}, RowKind::kAllocated, 10, 0, 0), group_of({""}, RowKind::kIdle, 4, 0, 0)};
  facts.charges = {{"USD", 14}};
  const CostReport report = make_cost_report(question_by_team(IdleMode::kHide), facts);
  EXPECT_EQ(report.lines.size(), 1u);
  EXPECT_EQ(report.totals.at(0).hidden, 4);
  EXPECT_EQ(report.totals.at(0).left(), 0);
}

// opencost TotalEfficiency leaves the GPU out: an idle 8-GPU pod looked 92 % efficient (known_misattributions.json, B20).
TEST(CostReportTest, AnIdleGpuMakesAPodInefficient) {
  LedgerSums sums;
  sums.cpu_cost = 1'000'000'000;
  sums.memory_cost = 1'000'000'000;
  sums.gpu_cost = 40'000'000'000;
  sums.cpu_used = 72;
  sums.cpu_allocated = 80;
  sums.memory_used = 60;
  sums.memory_allocated = 64;
  sums.gpu_measured = 8;
  EXPECT_NEAR(*estimated_efficiency(sums), 0.04375, 1e-12);
  sums.gpu_measured = 0;
  EXPECT_FALSE(estimated_efficiency(sums)) << "no counter: not known";
}

TEST(CostReportTest, GroupsHaveTheOwnerOfTheirDimensionValue) {
  CostFacts facts;
  facts.current = {group_of({"nlp"}, RowKind::kAllocated, 10, 0, 0), group_of({"other"}, RowKind::kAllocated, 5, 0, 0)};
  CostReport report = make_cost_report(question_by_team(IdleMode::kSeparate), facts);
  DimensionRules rules = default_dimension_rules();
  rules.of(Dimension::kTeam).owners = {{"nlp", "li@example.com"}};
  set_owners(report, rules);
  EXPECT_EQ(line_of(report, "nlp")->owner, "li@example.com");
  EXPECT_EQ(line_of(report, "other")->owner, "");
}

TEST(CostReportTest, CurrenciesAreNeverAdded) {
  CostFacts facts;
  facts.current = {group_of({"a"}, RowKind::kAllocated, 10, 0, 0), group_of({"a"}, RowKind::kAllocated, 7, 0, 0)};
  facts.current[1].currency = "EUR";
  EXPECT_EQ(make_cost_report(question_by_team(IdleMode::kSeparate), facts).totals.size(), 2u);
}

TEST(CostReportTest, NewLinesHaveAPreviousTotalOfZeroAndUnknownTimesHaveNone) {
  CostFacts facts;
  facts.current = {group_of({"new"}, RowKind::kAllocated, 10, 0, 0)};
  EXPECT_FALSE(make_cost_report(question_by_team(IdleMode::kSeparate), facts).lines[0].previous_total.has_value());
  facts.has_previous = true;
  EXPECT_EQ(make_cost_report(question_by_team(IdleMode::kSeparate), facts).lines[0].previous_total, MoneySum{0});
}

TEST(CostReportTest, JsonReadsBackTheSame) {
  CostFacts facts;
  facts.current = {group_of({"a\x1b[31m"}, RowKind::kAllocated, 10, 20, 30), group_of({""}, RowKind::kIdle, 4, 0, 0)};
  facts.charges = {{"USD", 64}};
  facts.split_methods = {"residual"};
  facts.has_previous = true;
  facts.data_from = time_from_seconds(3'600);
  const Json json = cost_report_json(make_cost_report(question_by_team(IdleMode::kSeparate), facts));
  EXPECT_EQ(cost_report_json(*cost_report_from_json(*parse_json(json.print()))).print(), json.print());
}

TEST(WaterfallReportTest, BarsSumToWhatWasBilledAndJsonReadsBackTheSame) {
  LedgerGroup held = group_of({}, RowKind::kAllocated, 0, 0, 100);
  held.sums.waterfall = {1, 2, 3, 4, 5, 60, 7, 8, 10};
  const WaterfallReport report = make_waterfall_report({{time_from_seconds(0), time_from_seconds(3'600)}, {}}, {held, group_of({}, RowKind::kIdle, 0, 0, 50)}, false);
  MoneySum bars = 0;
  for (const MoneySum bar : report.totals.at(0).bars) bars += bar;
  EXPECT_EQ(report.totals[0].billed, 150);
  EXPECT_EQ(bars, 150);
  const Json json = waterfall_report_json(report);
  EXPECT_EQ(waterfall_report_json(*waterfall_report_from_json(*parse_json(json.print()))).print(), json.print());
}

// One hour of one held GPU: namespace, workload, node, pod, since, UUID, index, model, reason.
LedgerGroup held_gpu(const std::string& since = {}) {
  LedgerGroup held = group_of({"ns", "Job/a", "n", "p", since, "GPU-1", "1", "H100", ""}, RowKind::kAllocated, 0, 0, 100);
  held.sums.gpu_allocated = held.sums.gpu_measured = kNanosPerHour;
  return held;
}
LedgerGroup free_gpu(RowKind kind, const std::string& uuid, const std::string& reason = {}) {
  LedgerGroup out = group_of({"", "", "n", "", "", uuid, "2", "H100", reason}, kind, 0, 0, 50);
  out.sums.gpu_allocated = kNanosPerHour;
  return out;
}
TopFacts facts_of(LedgerGroups groups, Nanos covered = std::chrono::hours(1)) {
  TopFacts facts;
  facts.groups = std::move(groups);
  facts.covered = covered;
  facts.as_of = time_from_seconds(3'600);
  return facts;
}

TEST(TopReportTest, CauseIsTheLargestWasteUnlessMoreIsUndetermined) {
  LedgerGroup held = held_gpu();
  held.sums.waterfall[static_cast<std::size_t>(WaterfallPart::kWaitingForData)] = 30;
  held.sums.waterfall[static_cast<std::size_t>(WaterfallPart::kOtherIdle)] = 10;
  held.sums.wasted = 40;
  TopQuestion question;
  question.window = {time_from_seconds(0), time_from_seconds(3'600)};
  TopReport report = make_top_report(question, facts_of({held}, std::chrono::minutes(30)));
  ASSERT_EQ(report.lines.size(), 1u);
  EXPECT_EQ(report.lines[0].cause, "waiting_for_data");
  EXPECT_EQ(report.lines[0].state, TopState::kIdle);
  EXPECT_EQ(report.lines[0].wasted_per_hour, 80) << "half an hour is covered";
  held.sums.waterfall[static_cast<std::size_t>(WaterfallPart::kUndeterminedBusy)] = 60;
  report = make_top_report(question, facts_of({held}));
  EXPECT_EQ(report.lines[0].cause, "undetermined");
  EXPECT_EQ(report.lines[0].state, TopState::kBusy) << "that it was busy is known";
  held.sums.waterfall[static_cast<std::size_t>(WaterfallPart::kUndeterminedNoData)] = 200;
  EXPECT_EQ(make_top_report(question, facts_of({held})).lines[0].state, TopState::kUndetermined);
}

TEST(TopReportTest, HolderOfSeveralHoursIsOneLineWithItsEarliestStart) {
  const TopReport report = make_top_report({}, facts_of({held_gpu("1970-01-01T00:20:00Z"), held_gpu("1970-01-01T00:10:00Z"), held_gpu()}));
  ASSERT_EQ(report.lines.size(), 1u);
  EXPECT_EQ(report.lines[0].since, time_from_seconds(600));
  EXPECT_EQ(report.lines[0].sums.gpu_allocated, 3 * kNanosPerHour);
}

TEST(TopReportTest, FreeGpuIsFreeSinceItWasLastFreed) {
  TopFacts facts = facts_of({free_gpu(RowKind::kIdle, "GPU-2"), free_gpu(RowKind::kIdle, "GPU-3"), free_gpu(RowKind::kIdle, "GPU-4")});
  facts.books_from = time_from_seconds(-7'200);
  LedgerGroup now = group_of({"n", "GPU-2"}, RowKind::kIdle, 0, 0, 50);
  now.sums.gpu_allocated = 1;
  facts.now_free = {now, now};
  facts.now_free[1].keys[1] = "GPU-3";
  facts.freed = {group_of({"n", "GPU-2", "1970-01-01T00:10:00Z"}, RowKind::kIdle, 0, 0, 1), group_of({"n", "GPU-2", "1970-01-01T00:30:00Z"}, RowKind::kStranded, 0, 0, 1)};
  const TopReport report = make_top_report({}, facts);
  ASSERT_EQ(report.lines.size(), 3u);
  EXPECT_EQ(report.lines[0].since, time_from_seconds(1'800));
  EXPECT_FALSE(report.lines[0].since_or_earlier);
  EXPECT_EQ(report.lines[1].since, time_from_seconds(-7'200)) << "free ever since the books begin";
  EXPECT_TRUE(report.lines[1].since_or_earlier);
  EXPECT_FALSE(report.lines[2].since) << "no longer free at the end of the window";
}

TEST(TopReportTest, StatesChooseLines) {
  const LedgerGroups groups{held_gpu(), free_gpu(RowKind::kIdle, "GPU-2"), free_gpu(RowKind::kStranded, "GPU-2", "no cpu beside the gpu")};
  TopQuestion question;
  question.states = *parse_top_states("free,stranded");
  const TopReport report = make_top_report(question, facts_of(groups));
  ASSERT_EQ(report.lines.size(), 2u);
  EXPECT_EQ(report.lines[1].stranded_by, "no cpu beside the gpu");
  EXPECT_EQ(report.lines[1].evidence, Evidence::kGood);
  EXPECT_EQ(make_top_report({}, facts_of(groups)).lines.size(), 3u);
  EXPECT_FALSE(parse_top_states("free,busyy"));
}

TEST(TopReportTest, JsonSurvives) {
  TopFacts facts = facts_of({held_gpu("1970-01-01T00:20:00Z"), free_gpu(RowKind::kStranded, "GPU-2", "no cpu beside the gpu")});
  facts.groups[0].sums.sm_measured = facts.groups[0].sums.tensor_measured = facts.groups[0].sums.gpu_memory_nanos = kNanosPerHour;
  facts.groups[0].sums.gpu_memory_used = facts.groups[0].sums.gpu_memory_size = Int128{3'600 * 80} << 30;
  const Json json = top_report_json(make_top_report({}, facts));
  const Result<TopReport> read = top_report_from_json(*parse_json(json.print()));
  ASSERT_TRUE(read);
  EXPECT_EQ(top_report_json(*read).print(), json.print());
}

TEST(SumsJsonTest, WideSumsSurvive) {
  const MoneySum wide = static_cast<MoneySum>(INT64_MAX) * 1'000;
  EXPECT_EQ(*parse_sum(print_exact(wide)), wide);
  EXPECT_EQ(*parse_sum(print_exact(-wide)), -wide);
  EXPECT_FALSE(parse_sum("1.5"));
}

}  // namespace
}  // namespace seedance
