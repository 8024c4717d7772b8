// The two programs as a user starts them: seedanced with the sample cluster, seedancectl against it.
#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>

#include "api/routes.h"
#include "tests/e2e/child_process.h"
#include "tests/e2e/test_service.h"

namespace seedance {
namespace {

const std::string kServer = std::string(SEEDANCE_BINARY_DIR) + "/seedanced";
const std::string kControl = std::string(SEEDANCE_BINARY_DIR) + "/seedancectl";
constexpr auto kProgramDeadline = std::chrono::seconds(90);

std::string program_file(const std::string& path) {
  std::ostringstream out;
  out << std::ifstream(path).rdbuf();
  return out.str();
}

struct Outcome {
  int status = -1;
  std::string output;
};

Outcome run_shell(const std::string& command) {
  Outcome out;
  FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return out;
  std::array<char, 4096> buffer{};
  for (std::size_t got = 0; (got = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) out.output.append(buffer.data(), got);
  const int status = ::pclose(pipe);
  out.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return out;
}

Outcome run_control(const std::string& arguments) { return run_shell(kControl + " " + arguments); }

// The port that the server logs; empty when it does not come up.
std::string port_of(const std::string& log) {
  const auto deadline = std::chrono::steady_clock::now() + kProgramDeadline;
  while (std::chrono::steady_clock::now() < deadline) {
    const std::string text = program_file(log);
    if (const std::size_t at = text.find(" port="); at != std::string::npos) return text.substr(at + 6, text.find_first_of(" \n", at + 6) - at - 6);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return {};
}

// Asks until the answer holds `wanted`.
Outcome ask_until(const std::string& arguments, const std::string& wanted) {
  Outcome out;
  const auto deadline = std::chrono::steady_clock::now() + kProgramDeadline;
  while (std::chrono::steady_clock::now() < deadline) {
    out = run_control(arguments);
    if (out.output.find(wanted) != std::string::npos) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  return out;
}

TEST(ProgramsTest, AServerThatCannotStartSaysWhyInTheReadersLanguage) {
  const Outcome english = run_shell("LC_ALL=C.UTF-8 " + kServer + " --colour");
  EXPECT_EQ(english.status, 2);
  EXPECT_EQ(english.output, "error: unknown option: --colour\nhint: seedanced --help\n");
  const Outcome chinese = run_shell("LC_ALL=zh_CN.UTF-8 " + kServer + " --colour");
  EXPECT_EQ(chinese.status, 2);
  EXPECT_EQ(chinese.output, "错误：未知选项：--colour\n提示：查看帮助：seedanced --help\n");
}

TEST(ProgramsTest, SampleClusterGivesCostsThatCloseAndSurviveARestart) {
  TemporaryFolder folder;
  const std::string log = folder.path() + "/log.txt";
  std::string settled;
  {
    ChildProcess server({kServer, "--store", folder.path() + "/store", "--port", "0", "--sample"}, log);
    const std::string url = "--server http://127.0.0.1:" + port_of(log);
    const Outcome cost = ask_until(url + " cost --by team --window 24h", "nlp");
    EXPECT_EQ(cost.status, 0) << cost.output;
    EXPECT_NE(cost.output.find("books closed, 0.000000000 USD left"), std::string::npos) << cost.output;
    EXPECT_NE(cost.output.find("not allocated"), std::string::npos) << cost.output;
    const Outcome chinese = ask_until(url + " waterfall --window 24h --lang zh", "等待数据");
    EXPECT_NE(chinese.output.find("等待数据"), std::string::npos) << chinese.output;
    // Device series come last in the history that is fed.
    const Outcome top = ask_until(url + " top gpus --window 3h", "other idle");
    EXPECT_NE(top.output.find("other idle"), std::string::npos) << top.output;
    const Outcome starts = ask_until(url + " cold-starts --window 24h", "CronJob/");
    EXPECT_NE(starts.output.find("undetermined"), std::string::npos) << starts.output;
    EXPECT_NE(run_control(url + " prices explain p5.48xlarge").output.find("residual"), std::string::npos);
    settled = run_control(url + " cost --by pod --window 24h -o csv").output;
    EXPECT_EQ(server.stop(SIGTERM), 0) << program_file(log);
  }
  // Offline, the settled hours are in the store.
  const Outcome offline = run_control("cost --by team --window 24h --store " + folder.path() + "/store");
  EXPECT_NE(offline.output.find("books closed"), std::string::npos) << offline.output;
  // After a restart the log brings back what had not settled.
  ChildProcess server({kServer, "--store", folder.path() + "/store", "--port", "0"}, log + "2");
  const Outcome again = ask_until("--server http://127.0.0.1:" + port_of(log + "2") + " cost --by team --window 24h", "nlp");
  EXPECT_NE(again.output.find("books closed, 0.000000000 USD left"), std::string::npos) << again.output;
}

TEST(ProgramsTest, AHangUpReadsTheSettingsAgainAndWrongOnesChangeNothing) {
  TemporaryFolder folder;
  const std::string config = folder.path() + "/seedance.yaml";
  const std::string log = folder.path() + "/log.txt";
  std::ofstream(config) << "ledger: {split_method: residual}\n";
  ChildProcess server({kServer, "--config", config, "--store", folder.path() + "/store", "--port", "0"}, log);
  ASSERT_NE(port_of(log), "");
  const auto logged = [&](const std::string& wanted) {
    const auto deadline = std::chrono::steady_clock::now() + kProgramDeadline;
    while (std::chrono::steady_clock::now() < deadline && program_file(log).find(wanted) == std::string::npos) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return program_file(log).find(wanted) != std::string::npos;
  };
  std::ofstream(config) << "ledger: {split_metod: aws}\n";
  ::kill(server.pid(), SIGHUP);
  EXPECT_TRUE(logged("settings are not taken over")) << program_file(log);
  std::ofstream(config) << "ledger: {split_method: aws, cluster: other}\nserver: {threads: 3}\n";
  ::kill(server.pid(), SIGHUP);
  EXPECT_TRUE(logged("settings read again")) << program_file(log);
  EXPECT_TRUE(logged("server.threads")) << "needs a restart: " << program_file(log);
  EXPECT_EQ(server.stop(SIGTERM), 0);
}

TEST(ProgramsTest, AnOpenAddressWithoutTokensIsRefused) {
  TemporaryFolder folder;
  std::ofstream(folder.path() + "/open.yaml") << "server:\n  address: 0.0.0.0\n";
  ChildProcess server({kServer, "--config", folder.path() + "/open.yaml", "--store", folder.path() + "/store"}, folder.path() + "/log.txt");
  int status = 0;
  ASSERT_EQ(::waitpid(server.pid(), &status, 0), server.pid());
  EXPECT_EQ(WEXITSTATUS(status), 2);
  EXPECT_NE(program_file(folder.path() + "/log.txt").find("tokens_file"), std::string::npos) << program_file(folder.path() + "/log.txt");
}

TEST(ProgramsTest, AServerThatIsNotThereIsExitThreeAndSaysWhatToDo) {
  const Outcome out = run_control("cost --server http://127.0.0.1:9");
  EXPECT_EQ(out.status, 3) << out.output;
  EXPECT_NE(out.output.find("hint:"), std::string::npos) << out.output;
}

TEST(OpenApiTest, EveryRouteIsDescribedAndNothingElse) {
  const std::string document(openapi_yaml());
  std::size_t described = 0;
  for (std::size_t at = document.find("\n  /"); at != std::string::npos; at = document.find("\n  /", at + 1)) ++described;
  std::set<std::string> paths;
  for (const RouteInfo& route : Api::routes()) {
    std::string path = route.path;
    if (path.ends_with("/*")) path = path.substr(0, path.size() - 1) + "{subject}";
    EXPECT_NE(document.find("\n  " + path + ":"), std::string::npos) << path;
    paths.insert(path);
  }
  EXPECT_EQ(described, paths.size());
}

TEST(ApiTest, TokensOfTheWrongRoleAreForbiddenAndNoneIsUnauthorised) {
  TestService service(time_from_seconds(1'796'061'810));
  std::ofstream(service.folder.path() + "/tokens") << "reading-token reader\nwriting-token writer\n";
  Api guarded(*service.service, BearerAuth::open(service.folder.path() + "/tokens").value());
  const auto status = [&](const std::string& path, const std::string& header) {
    HttpRequest request{"GET", path, {}, {}, "", "", "r"};
    if (!header.empty()) request.headers.emplace_back("Authorization", header);
    return guarded.handle(request).status;
  };
  EXPECT_EQ(status("/api/v1/cost", ""), 401);
  EXPECT_EQ(status("/api/v1/cost", "Bearer nonsense"), 401);
  EXPECT_EQ(status("/api/v1/cost", "Bearer writing-token"), 403);
  EXPECT_EQ(status("/api/v1/cost", "Bearer reading-token"), 200);
  EXPECT_EQ(status("/healthz", ""), 200);
}

TEST(ApiTest, BadQuestionsGetProblemsThatSayWhatToDo) {
  TestService service(time_from_seconds(1'796'061'810));
  const HttpResponse unknown = service.get("/api/v1/cost", {{"by", "tenant,flavour"}});
  EXPECT_EQ(unknown.status, 400);
  EXPECT_EQ(unknown.content_type, "application/problem+json");
  EXPECT_NE(unknown.body.find("unknown grouping: flavour"), std::string::npos) << unknown.body;
  EXPECT_EQ(service.get("/api/v1/cost", {{"window", "yesterday"}}).status, 400);
  EXPECT_EQ(service.get("/api/v1/cost", {{"step", "90s"}}).status, 400);
  EXPECT_EQ(service.get("/api/v1/top/dogs").status, 400);
  EXPECT_EQ(service.get("/api/v1/nothing").status, 404);
  EXPECT_EQ(service.api.handle({"DELETE", "/api/v1/cost", {}, {}, "", "", "r"}).status, 405);
}

TEST(ApiTest, ProblemsComeInTheLanguageThatIsAccepted) {
  TestService service(time_from_seconds(1'796'061'810));
  const auto body = [&](const std::string& accepted) {
    return service.api.handle({"GET", "/api/v1/cost", {{"window", "yesterday"}}, {{"Accept-Language", accepted}}, "", "", "r"}).body;
  };
  const std::string chinese = R"("title":"请求有误","status":400,"detail":"不是时长：yesterday","hint":"请写数字加单位)";
  const std::string english = R"("title":"Bad request","status":400,"detail":"not a duration: yesterday")";
  for (const char* accepted : {"zh", "zh-CN,zh;q=0.9,en;q=0.8", "fr, zh-TW", "en;q=0.5, zh"}) EXPECT_NE(body(accepted).find(chinese), std::string::npos) << accepted << body(accepted);
  for (const char* accepted : {"", "en", "en-GB,en;q=0.9,zh;q=0.1", "zh;q=0", "fr", ",;q=,"}) EXPECT_NE(body(accepted).find(english), std::string::npos) << accepted << body(accepted);
}

}  // namespace
}  // namespace seedance
