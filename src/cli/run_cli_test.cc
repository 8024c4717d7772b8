// The command line as a user meets it: words in, texts and exit status out.
#include "cli/run_cli.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "cli/test_reports.h"
#include "cli/test_runs.h"
#include "json/value.h"

namespace seedance {
namespace {

std::string all_queries(const HttpRequest& request) {
  std::string out;
  for (const auto& [name, value] : request.query) out += name + "=" + value + ";";
  return out;
}

TEST(RunCliTest, VersionAndHelpNeedNoServer) {
  EXPECT_EQ(run_words({"version"}).out, "seedancectl 1.2.3\n");
  const CliOutcome help = run_words({"help", "prices", "import"});
  EXPECT_EQ(help.status, 0);
  EXPECT_NE(help.out.find("seedancectl prices import FILE"), std::string::npos);
  EXPECT_EQ(run_words({"cost", "--help"}).status, 0);
  EXPECT_EQ(run_words({}).status, 2);
  EXPECT_EQ(run_words({"prices"}).status, 2);
}

TEST(RunCliTest, ChineseComesFromTheLocaleOrTheOption) {
  EXPECT_EQ(run_words({"cots"}, {{"LANG", "zh_CN.UTF-8"}}).err, "错误：未知命令：cots\n提示：是否应为 cost？\n");
  EXPECT_EQ(run_words({"cots", "--lang", "zh"}).err, "错误：未知命令：cots\n提示：是否应为 cost？\n");
  EXPECT_EQ(run_words({"cots", "--lang=en"}, {{"LC_ALL", "zh_CN.UTF-8"}}).err, "error: unknown command: cots\nhint: did you mean cost?\n");
  EXPECT_NE(run_words({"--help"}, {{"LC_MESSAGES", "zh_CN"}}).out.find("全局选项"), std::string::npos);
}

TEST(RunCliTest, WrongUseNamesWhatIsNearest) {
  const CliOutcome option = run_words({"cost", "--widnow", "7d"});
  EXPECT_EQ(option.status, 2);
  EXPECT_EQ(option.err, "error: unknown option: --widnow\nhint: did you mean --window?\n");
  const CliOutcome other = run_words({"waterfall", "--idle", "share"});
  EXPECT_EQ(other.status, 2);
  EXPECT_NE(other.err.find("unknown option: --idle"), std::string::npos);
  EXPECT_EQ(run_words({"cost", "--idle", "never"}).err, "error: value of --idle is unknown: never\nhint: separate|share|hide\n");
  EXPECT_NE(run_words({"cost", "--window"}).err.find("--window"), std::string::npos);
  EXPECT_NE(run_words({"top", "cars"}).err.find("gpus|pods|workloads"), std::string::npos);
  EXPECT_EQ(run_words({"top"}).status, 2);
  EXPECT_EQ(run_words({"top", "gpus", "--limit", "0"}).status, 2);
  EXPECT_EQ(run_words({"cost", "--by", "colour"}).status, 2);
  EXPECT_EQ(run_words({"cost", "--store", "x", "--server", "y"}).status, 2);
  EXPECT_NE(run_words({"prices", "lsit"}).err.find("did you mean prices list?"), std::string::npos);
  EXPECT_NE(run_words({"cost", "\x1b[2J"}).err.find("\\x1b[2J"), std::string::npos);
}

TEST(RunCliTest, AnImportFromPrometheusThatCannotBeginSaysWhy) {
  const TestFolder folder;
  const CannedServer nothing("/elsewhere", {200, "", "", {}});
  const CliOutcome elsewhere = run_words({"import", "prometheus", nothing.url(), "--store", folder.path("store")});
  EXPECT_EQ(elsewhere.status, 2);
  EXPECT_NE(elsewhere.err.find("error: no prometheus api at this address: " + nothing.url()), std::string::npos) << elsewhere.err;
  const CliOutcome silent = run_words({"import", "prometheus", "http://user:secret@127.0.0.1:9/", "--store", folder.path("store"), "--lang", "zh"});
  EXPECT_EQ(silent.status, 3);
  EXPECT_EQ(silent.err.find("secret"), std::string::npos) << silent.err;
  EXPECT_EQ(silent.err.find("/api/v1"), std::string::npos) << silent.err;
  for (const char* label : {"=a", "cluster", "a=b,c", "__name__=x"}) {
    EXPECT_NE(run_words({"import", "prometheus", "http://127.0.0.1:9", "--store", folder.path("store"), "--label", label}).err.find("error: not a label: "), std::string::npos) << label;
  }
  EXPECT_NE(run_words({"import", "prometheus", "http://127.0.0.1:9"}).err.find("set HOME or XDG_STATE_HOME"), std::string::npos);
  EXPECT_NE(run_words({"import", "prometheus", "http://127.0.0.1:9", "--store", folder.path("store"), "--window", "2090-01-01..2090-01-02"}).err.find("window lies in the future"),
            std::string::npos);
  EXPECT_NE(run_words({"import", "prometheus", "http://127.0.0.1:9", "--store", folder.path("store"), "--prometheus-token-file", folder.path("none")}).err.find("token file"), std::string::npos);
}

TEST(RunCliTest, APrometheusWithoutOurMetricsIsNotAnImportThatIsDone) {
  const TestFolder folder;
  const CannedServer other("/api/v1/label/__name__/values", {200, "application/json", R"({"status":"success","data":["up"]})", {}});
  const CliOutcome out = run_words({"import", "prometheus", other.url(), "--store", folder.path("store")});
  EXPECT_EQ(out.status, 2);
  EXPECT_NE(out.err.find("error: prometheus has no metric that is read here in this window: " + other.url()), std::string::npos) << out.err;
  EXPECT_FALSE(std::filesystem::exists(folder.path("store/backfill")));
}

TEST(RunCliTest, AnImportFromPrometheusSendsItsTokenAndSaysItsLabels) {
  const TestFolder folder;
  std::ofstream(folder.path("token")) << "sesame\n";
  CannedServer names("/api/v1/label/__name__/values", {200, "application/json", R"({"status":"success","data":["up","kube_node_info"]})", {}});
  const CliOutcome out = run_words({"import", "prometheus", names.url(), "--store", folder.path("store"), "--label", "cluster=a,zone=z", "--prometheus-token-file", folder.path("token")});
  EXPECT_EQ(out.status, 2) << "it has names, but no samples: " << out.err;
  EXPECT_NE(out.err.find("labels added to series without them: cluster=a,zone=z\n"), std::string::npos) << out.err;
  EXPECT_NE(out.err.find("external labels are not known"), std::string::npos) << out.err;
  EXPECT_NE(out.err.find("kube_node_info: status 404"), std::string::npos) << out.err;
  EXPECT_EQ(names.last().header("Authorization"), "Bearer sesame");
}

TEST(RunCliTest, AStoreThatIsNotThereIsExplained) {
  const CliOutcome cost = run_words({"cost", "--store", "nowhere"});
  EXPECT_EQ(cost.status, 2);
  EXPECT_EQ(cost.err, "error: no ledger in nowhere\nhint: make one: seedancectl import openmetrics FILE --store nowhere\n");
}

TEST(RunCliTest, ASilentServerIsExitThree) {
  std::string url;
  {
    CannedServer gone("/", {});
    url = gone.url();
  }
  const CliOutcome cost = run_words({"cost"}, {{"SEEDANCE_SERVER", url}});
  EXPECT_EQ(cost.status, 3);
  EXPECT_TRUE(cost.err.starts_with("error: no answer from the server: no connection to " + url + ": ")) << cost.err;
  EXPECT_NE(cost.err.find("hint: "), std::string::npos);
}

TEST(RemoteTest, CostAsksTheServerAndPrintsItsDigits) {
  CannedServer server("/api/v1/cost", {200, "application/json", cost_report_json(test_cost_report()).print(), {}});
  const CliOutcome cost = run_words({"cost", "--server", server.url(), "--by", "tenant", "--window", "7d", "-l", "team=a b,c", "-l", "sla!=gold", "--idle", "share"});
  EXPECT_EQ(cost.status, 0) << cost.err;
  EXPECT_NE(cost.out.find("vision           812.5  1,771.25        210.40    1,981.65  +12.3%   41.0%\n"), std::string::npos) << cost.out;
  EXPECT_EQ(all_queries(server.last()), "by=tenant;window=7d;idle=share;filter=team=a b,c;filter=sla!=gold;");
}

TEST(RemoteTest, JsonIsWhatTheServerSaid) {
  const Json sent = cost_report_json(test_cost_report());
  CannedServer server("/api/v1/cost", {200, "application/json", sent.print(), {}});
  EXPECT_EQ(run_words({"cost", "--server", server.url(), "-o", "json"}).out, sent.print_pretty());
}

TEST(RemoteTest, ProblemsBecomeOurErrors) {
  CannedServer bad("/api/v1/waterfall", {400, "application/problem+json", R"({"title":"Bad request","status":400,"detail":"not a duration: 7x","hint":"write 7d","request_id":"r-1"})", {}});
  const CliOutcome wrong = run_words({"waterfall", "--server", bad.url()});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_EQ(wrong.err, "error: not a duration: 7x\nhint: write 7d\n");
  CannedServer busy("/api/v1/top/gpus", {503, "application/problem+json", R"({"title":"Not now","detail":"store: busy","request_id":"r-2"})", {}});
  const CliOutcome later = run_words({"top", "gpus", "--server", busy.url()});
  EXPECT_EQ(later.status, 3);
  EXPECT_EQ(later.err, "error: store: busy, request_id r-2\n");
  CannedServer other("/api/v1/cost", {200, "text/html", "<html>", {}});
  EXPECT_EQ(run_words({"cost", "--server", other.url()}).status, 3);
}

TEST(RemoteTest, TheZoneIsAskedForAndShown) {
  CostReport report = test_cost_report();
  report.question.zone = TimeZone::named("Asia/Shanghai").value();
  const HttpResponse answer{200, "application/json", cost_report_json(report).print(), {}};
  const auto asked = [&](std::vector<std::string> words, std::map<std::string, std::string> environment) {
    CannedServer server("/api/v1/cost", answer);
    words.insert(words.begin(), {"cost", "--server", server.url()});
    const CliOutcome cost = run_words(words, std::move(environment));
    EXPECT_EQ(cost.status, 0) << cost.err;
    EXPECT_NE(cost.out.find("; 2025-11-23 22:00 .. 11-30 22:00 +08:00\n"), std::string::npos) << cost.out;
    return std::pair(std::string(server.last().query_value("tz")), cost.err);
  };
  EXPECT_EQ(asked({}, {}).first, "");
  EXPECT_EQ(asked({}, {{"TZ", "Asia/Tokyo"}}).first, "Asia/Tokyo");
  EXPECT_EQ(asked({}, {{"TZ", ":Asia/Tokyo"}}).first, "Asia/Tokyo");
  EXPECT_EQ(asked({"--tz", "Europe/Berlin"}, {{"TZ", "Asia/Tokyo"}}).first, "Europe/Berlin");
  const auto wrong = asked({}, {{"TZ", "CST-8"}});
  EXPECT_EQ(wrong.first, "");
  EXPECT_EQ(wrong.second, "TZ is not the name of a time zone, the reporting zone is used: CST-8\n");
  EXPECT_EQ(asked({"-q"}, {{"TZ", "CST-8"}}).second, "");
  const CliOutcome refused = run_words({"cost", "--tz", "Mars/Olympus"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(refused.err, "error: unknown time zone: Mars/Olympus\nhint: write an IANA name such as Asia/Shanghai, or UTC\n");
}

TEST(RemoteTest, CsvAndStepsAreInTheZone) {
  CostReport report = test_cost_report();
  report.question.zone = TimeZone::named("Asia/Shanghai").value();
  report.question.step = std::chrono::hours(24);
  for (CostLine& line : report.lines) line.step_start = report.question.window.from;
  CannedServer server("/api/v1/cost", {200, "application/json", cost_report_json(report).print(), {}});
  EXPECT_NE(run_words({"cost", "--server", server.url(), "-o", "csv"}).out.find("\n2025-11-23T22:00:00+08:00,group,vision,"), std::string::npos);
  EXPECT_NE(run_words({"cost", "--server", server.url()}).out.find("\n2025-11-23 22:00  vision "), std::string::npos);
}

TEST(RemoteTest, TopAndWaterfallComeFromTheServer) {
  CannedServer top("/api/v1/top/pods", {200, "application/json", top_report_json(test_top_report()).print(), {}});
  EXPECT_EQ(run_words({"top", "pods", "--server", top.url(), "--sort", "cost", "--limit", "3", "--state", "busy,idle", "-n", "ml,nlp", "--no-headers"}).status, 0);
  EXPECT_EQ(all_queries(top.last()), "window=1h;sort=cost;limit=3;state=busy,idle;filter=namespace=ml,nlp;");
  CannedServer waterfall("/api/v1/waterfall", {200, "application/json", waterfall_report_json(test_waterfall_report()).print(), {}});
  EXPECT_NE(run_words({"waterfall", "--server", waterfall.url()}).out.find("Productive          #########                      3,612.62   30.6%\n"), std::string::npos);
}

TEST(RemoteTest, TokenIsSentAndPricesArePosted) {
  const TestFolder folder;
  std::ofstream(folder.path("token")) << "secret\n";
  std::ofstream(folder.path("p.csv")) << "instance_type,price\n";
  CannedServer server("/api/v1/prices", {200, "application/json", R"({"accepted":2,"refused":["p.csv:3: no price"]})", {}});
  const CliOutcome prices = run_words({"prices", "import", folder.path("p.csv"), "--server", server.url(), "--token-file", folder.path("token")});
  EXPECT_EQ(prices.status, 1);
  EXPECT_NE(prices.err.find("2 prices imported"), std::string::npos);
  EXPECT_NE(prices.err.find("  p.csv:3: no price\n"), std::string::npos);
  const HttpRequest request = server.last();
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.body, "instance_type,price\n");
  EXPECT_EQ(request.query_value("name"), "p.csv");
  EXPECT_EQ(request.header("Content-Type"), "text/csv");
  EXPECT_EQ(request.header("Authorization"), "Bearer secret");
}

TEST(RemoteTest, ParquetIsWrittenToAFileAndNeverToATerminal) {
  const TestFolder folder;
  CannedServer server("/api/v1/cost", {200, "application/vnd.apache.parquet", std::string("PAR1\0PAR1", 9), {}});
  const CliOutcome refused = run_words({"cost", "--server", server.url(), "-o", "parquet"}, {}, true);
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.err.find("--output FILE"), std::string::npos);
  EXPECT_EQ(run_words({"cost", "--server", server.url(), "-o", "parquet", "--by", "team"}).status, 2);
  EXPECT_EQ(run_words({"cost", "--server", server.url(), "-o", "parquet"}).out, std::string("PAR1\0PAR1", 9));
  EXPECT_EQ(run_words({"cost", "--server", server.url(), "-o", "parquet", "--output", folder.path("a.parquet")}, {}, true).status, 0);
  EXPECT_EQ(std::filesystem::file_size(folder.path("a.parquet")), 9u);
  EXPECT_EQ(run_words({"cost", "--server", server.url(), "-o", "parquet", "--output", folder.path("none/a.parquet")}).status, 2);
  CannedServer refusing("/api/v1/cost", {400, "application/problem+json", R"({"detail":"not a duration"})", {}});
  EXPECT_EQ(run_words({"cost", "--server", refusing.url(), "-o", "parquet", "--output", folder.path("b.parquet")}).err, "error: not a duration\n");
  EXPECT_FALSE(std::filesystem::exists(folder.path("b.parquet")));
}

TEST(RemoteTest, ImportSendsTheFile) {
  const TestFolder folder;
  std::ofstream(folder.path("m.om")) << "# EOF\n";
  CannedServer server("/api/v1/import/openmetrics", {200, "application/json", R"({"samples_kept":5,"samples_ignored":1,"samples_refused":0,"first_reason":""})", {}});
  const CliOutcome import = run_words({"import", "openmetrics", folder.path("m.om"), "--server", server.url()});
  EXPECT_EQ(import.status, 0) << import.err;
  EXPECT_NE(import.err.find("5 samples kept, 1 ignored"), std::string::npos);
  EXPECT_EQ(server.last().body, "# EOF\n");
}

TEST(OfflineTest, ImportThenCostGivesTheKnownMoney) {
  const std::string metrics = std::string(SEEDANCE_SHARED_DATA) + "/finops/minicluster_a/metrics.om.gz";
  if (!std::filesystem::exists(metrics)) GTEST_SKIP() << "no shared data";
  const TestFolder folder;
  const std::string store = folder.path("store");
  const CliOutcome import = run_words({"import", "openmetrics", metrics, "--store", store});
  ASSERT_EQ(import.status, 0) << import.err;
  EXPECT_EQ(import.out, "");
  EXPECT_NE(import.err.find("31474 samples kept, 0 ignored"), std::string::npos) << import.err;
  EXPECT_NE(import.err.find("2 hours in the ledger; 53.50 USD; books closed, 0.000000000 USD left\n"), std::string::npos) << import.err;

  const CliOutcome cost = run_words({"cost", "--store", store, "--by", "team", "--window", "2h"});
  EXPECT_EQ(cost.status, 0) << cost.err;
  EXPECT_NE(cost.out.find("nlp              8.0     14.47          5.11       19.58"), std::string::npos) << cost.out;
  EXPECT_NE(cost.out.find("vision           4.0      7.23          0.50        7.74"), std::string::npos) << cost.out;
  EXPECT_NE(cost.out.find("TOTAL           24.0     33.53         19.97       53.50"), std::string::npos) << cost.out;
  EXPECT_NE(cost.out.find("books closed, 0.000000000 USD left; 2026-03-02 00:00 .. 03-02 02:00 UTC\n"), std::string::npos) << cost.out;

  const CliOutcome local = run_words({"cost", "--store", store, "--by", "team", "--window", "2026-03-02T08:00..2026-03-02T10:00", "--tz", "Asia/Shanghai"});
  EXPECT_NE(local.out.find("TOTAL           24.0     33.53         19.97       53.50"), std::string::npos) << local.out;
  EXPECT_NE(local.out.find("0.000000000 USD left; 2026-03-02 08:00 .. 03-02 10:00 +08:00\n"), std::string::npos) << local.out;
  const CliOutcome wider = run_words({"cost", "--store", store, "--window", "2026-03-02..2026-03-03"}, {{"TZ", "Asia/Shanghai"}});
  EXPECT_NE(wider.out.find("data starts 2026-03-02 08:00 +08:00; earlier"), std::string::npos) << wider.out;
  std::ofstream(folder.path("zone.yaml")) << "ledger:\n  reporting_zone: Asia/Kolkata\n";
  EXPECT_NE(run_words({"waterfall", "--store", store, "--config", folder.path("zone.yaml")}).out.find(" 03-02 07:30 +05:30\n"), std::string::npos);

  // The same file again changes nothing.
  EXPECT_EQ(run_words({"import", "openmetrics", metrics, "--store", store}).status, 0);
  EXPECT_EQ(run_words({"cost", "--store", store, "--by", "team", "--window", "2h"}).out, cost.out);

  EXPECT_NE(run_words({"waterfall", "--store", store, "--workload", "train/llm-pretrain"}).out.find("Billed GPU cost"), std::string::npos);
  EXPECT_EQ(run_words({"waterfall", "--store", store, "--workload", "train/nobody"}).status, 2);
  EXPECT_EQ(run_words({"top", "workloads", "--store", store, "--limit", "1"}).status, 0);
  EXPECT_NE(run_words({"prices", "explain", "g6f.large", "--store", store}).out.find("2 cores, 8 GiB, 0.125 GPUs"), std::string::npos);
  EXPECT_NE(run_words({"prices", "explain", "gpu-a", "--store", store}).out.find("gpu-a: 21.957642 USD/h (aws us-east-1a p4d.24xlarge on-demand)"), std::string::npos);
  EXPECT_EQ(run_words({"cost", "--store", store, "-o", "parquet", "--window", "2h"}).out.substr(0, 4), "PAR1");
}

TEST(OfflineTest, ABadFileNamesItsLine) {
  const TestFolder folder;
  EXPECT_EQ(run_words({"import", "openmetrics", folder.path("none.om"), "--store", folder.path("store")}).status, 2);
  EXPECT_FALSE(std::filesystem::exists(folder.path("store")));
  std::ofstream(folder.path("bad.om")) << "kube_node_info{node=\"a\"} 1 1772409600\nkube_node_info{node=\"a} 1 1772409660\n# EOF\n";
  const CliOutcome import = run_words({"import", "openmetrics", folder.path("bad.om"), "--store", folder.path("store")});
  EXPECT_EQ(import.status, 2);
  EXPECT_NE(import.err.find("line 2"), std::string::npos) << import.err;
}

TEST(OfflineTest, SettingsDecideAboutPricesAndDimensions) {
  const TestFolder folder;
  std::ofstream(folder.path("settings.yaml")) << "ledger:\n  split_methd: aws\n";
  const CliOutcome bad = run_words({"cost", "--store", folder.path("store"), "--config", folder.path("settings.yaml")});
  EXPECT_EQ(bad.status, 2);
  EXPECT_NE(bad.err.find("split_methd"), std::string::npos);
  EXPECT_EQ(run_words({"cost", "--config", folder.path("settings.yaml")}).status, 2);
}

}  // namespace
}  // namespace seedance
