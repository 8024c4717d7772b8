// Errors of all layers as a Chinese reader meets them on the command line.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "cli/run_cli.h"
#include "cli/test_runs.h"

namespace seedance {
namespace {

std::string chinese_errors(std::vector<std::string> words) { return run_words(std::move(words), {{"LANG", "zh_CN.UTF-8"}}).err; }

std::string errors_with_settings(const std::string& yaml) {
  const TestFolder folder;
  std::ofstream(folder.path("s.yaml")) << yaml;
  std::string errors = chinese_errors({"cost", "--store", folder.path("store"), "--config", folder.path("s.yaml")});
  for (std::size_t at = errors.find(folder.path()); at != std::string::npos; at = errors.find(folder.path())) errors.replace(at, folder.path().size(), "D");
  return errors;
}

std::string errors_of_problem(const std::string& json) {
  CannedServer server("/api/v1/cost", {400, "application/problem+json", json, {}});
  return chinese_errors({"cost", "--server", server.url()});
}

TEST(ChineseErrorsTest, SettingsAreRefusedWithTheirPlace) {
  EXPECT_EQ(errors_with_settings("ledger:\n  split_methd: aws\n"),
            "错误：D/s.yaml:2：未知字段：ledger.split_methd\n  2 |   split_methd: aws\n    |   ^\n提示：是否应为 \"ledger.split_method\"？\n");
  EXPECT_EQ(errors_with_settings("ledger:\n  reporting_zone: Mars/Olympus\n"),
            "错误：D/s.yaml:2：ledger.reporting_zone：未知时区：Mars/Olympus\n  2 |   reporting_zone: Mars/Olympus\n    |                   ^\n"
            "提示：请写 IANA 名称，如 Asia/Shanghai，或 UTC\n");
  EXPECT_TRUE(errors_with_settings("ledger:\n  stranded_memory: 2GB\n").starts_with("错误：D/s.yaml:2：ledger.stranded_memory：不接受十进制字节单位：2GB\n"));
  EXPECT_TRUE(errors_with_settings("ledger:\n  state_gap_max: 9h\n").starts_with("错误：D/s.yaml:2：ledger.state_gap_max：超出范围 30s 到 1h：9h\n"));
  EXPECT_NE(errors_with_settings("ledger:\n  state_gap_max: 9h\n").find("提示：状态类样本"), std::string::npos) << "the setting's own sentence";
  EXPECT_TRUE(errors_with_settings("ledger:\n  currency: dollar\n").starts_with("错误：D/s.yaml:2：ledger.currency：不是三个大写字母：dollar\n"));
  EXPECT_TRUE(errors_with_settings("a: [\n").starts_with("错误：D/s.yaml:2：YAML 格式有误：")) << errors_with_settings("a: [\n");
  EXPECT_EQ(chinese_errors({"cost", "--store", "s", "--config", "none.yaml"}), "错误：文件不存在：none.yaml\n");
}

TEST(ChineseErrorsTest, QuestionsAreRefused) {
  EXPECT_TRUE(chinese_errors({"cost", "--by", "colour"}).starts_with("错误：未知的分组维度：colour\n提示：可用 cluster, node, "));
  EXPECT_EQ(chinese_errors({"top", "cars"}), "错误：SUBJECT 的取值无效：cars\n提示：gpus|pods|workloads\n");
  EXPECT_EQ(chinese_errors({"cost", "-l", "team"}), "错误：不是筛选条件：team\n提示：请写成 key=value[,value] 或 key!=value\n");
  EXPECT_EQ(chinese_errors({"cost", "--step", "soon"}), "错误：不是时长：soon\n提示：请写数字加单位 s、m、h、d 或 w，如 24h\n");
  EXPECT_EQ(chinese_errors({"cost", "--tz", "+08:00"}), "错误：未知时区：+08:00\n提示：请写 IANA 名称，如 Asia/Shanghai，或 UTC\n");
  EXPECT_EQ(run_words({"cost", "--by", "colour", "--lang", "zh"}).err, chinese_errors({"cost", "--by", "colour"}));
  EXPECT_EQ(chinese_errors({"cost", "--server", "ftp://x"}), "错误：不是 HTTP 地址：ftp://x\n提示：请写成 http://host:port 或 https://host:port\n");
}

TEST(ChineseErrorsTest, WhatAServerSaysInEnglishIsShownInChinese) {
  EXPECT_EQ(errors_of_problem(R"({"detail":"not a duration: 7x","hint":"write a number and one of s, m, h, d, w, such as 24h"})"),
            "错误：不是时长：7x\n提示：请写数字加单位 s、m、h、d 或 w，如 24h\n");
  EXPECT_EQ(errors_of_problem(R"({"detail":"window ends before it starts: 2026-11-30..2026-11-23"})"), "错误：时段的终点早于起点：2026-11-30..2026-11-23\n");
  EXPECT_EQ(errors_of_problem(R"({"detail":"unknown subject: dogs"})"), "错误：未知的排行对象：dogs\n");
  EXPECT_EQ(errors_of_problem(R"({"detail":"something new"})"), "错误：something new\n");
}

TEST(ChineseErrorsTest, AForeignLineBreakDoesNotMakeALineOfItsOwn) {
  EXPECT_EQ(errors_of_problem(R"({"detail":"x\nerror: y"})"), "错误：x\\x0aerror: y\n");
}

TEST(ChineseErrorsTest, ASilentServer) {
  std::string url;
  {
    CannedServer gone("/", {});
    url = gone.url();
  }
  const std::string errors = chinese_errors({"cost", "--server", url});
  EXPECT_TRUE(errors.starts_with("错误：服务器无响应：无法连接 " + url + "：")) << errors;
  EXPECT_NE(errors.find("\n提示：请启动 seedanced"), std::string::npos) << errors;
}

TEST(ChineseErrorsTest, FilesAreRefusedWithTheirLine) {
  const TestFolder folder;
  std::ofstream(folder.path("bad.om")) << "kube_node_info{node=\"a\"} 1 1772409600\nkube_node_info{node=\"a} 1 1772409660\n# EOF\n";
  const std::string metrics = chinese_errors({"import", "openmetrics", folder.path("bad.om"), "--store", folder.path("store")});
  EXPECT_NE(metrics.find("bad.om：第 2 行：缺少右引号："), std::string::npos) << metrics;
  std::ofstream(folder.path("p.csv")) << "instance_type,on_demand_usd_hr\nmy.gpu,2.5\nmy.cpu,-1\n";
  const std::string prices = chinese_errors({"prices", "import", folder.path("p.csv"), "--store", folder.path("store")});
  EXPECT_NE(prices.find("\n  p.csv:3：价格为负：-1\n"), std::string::npos) << prices;
  std::ofstream(folder.path("q.csv")) << "colour,size\nred,2\n";
  const std::string list = chinese_errors({"prices", "import", folder.path("q.csv"), "--store", folder.path("store")});
  EXPECT_NE(list.find("q.csv:1：不是价格表\n提示：表头须有 instance_type"), std::string::npos) << list;
}

}  // namespace
}  // namespace seedance
