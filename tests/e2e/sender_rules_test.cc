// What a sender of metrics meets at the door: limits of its tenant, and gates on the quality of what it sends, as the API and the reports show
// them.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "app/made_samples.h"
#include "tests/e2e/test_service.h"

namespace seedance {
namespace {

HttpRequest body_of_tenant(const MadeSamples& samples, const std::string& tenant) {
  HttpRequest request;
  request.method = "POST";
  request.path = "/api/v1/write";
  request.headers = {{"User-Agent", "Prometheus/2.42.0"}};
  if (!tenant.empty()) request.headers.emplace_back("X-Scope-OrgID", tenant);
  request.body = samples.body();
  request.remote_address = "10.0.0.3";
  request.request_id = "test";
  return request;
}

MadeSamples pods(int count) {
  MadeSamples out;
  for (int i = 0; i < count; ++i) out.add(made_labels("kube_pod_status_phase", {{"namespace", "ml"}, {"phase", "Running"}, {"uid", "u" + std::to_string(i)}}), kMadeHourMs, 1);
  return out;
}

TEST(SenderRulesTest, ATenantAtItsLimitsIsToldAndTheOthersAreNot) {
  TestService service(time_from_millis(kMadeHourMs), [](Settings& s) { s.tenants.push_back({"llm", 10, 50, 0, 0}); });
  EXPECT_EQ(service.api.handle(body_of_tenant(pods(20), "llm")).status, 204);
  const HttpResponse series = service.api.handle(body_of_tenant(pods(60), "llm"));
  EXPECT_EQ(series.status, 400);
  EXPECT_NE(series.body.find("10 samples were refused, 50 kept: too many series of tenant llm"), std::string::npos) << series.body;
  EXPECT_NE(series.body.find("label uid"), std::string::npos) << series.body;
  const HttpResponse rate = service.api.handle(body_of_tenant(pods(50), "llm"));
  EXPECT_EQ(rate.status, 503);
  EXPECT_EQ(rate.header("Retry-After"), "5");
  EXPECT_NE(rate.body.find("too many samples a second of tenant llm"), std::string::npos) << rate.body;
  EXPECT_EQ(service.api.handle(body_of_tenant(pods(100), "other")).status, 204);
  EXPECT_EQ(service.api.handle(body_of_tenant(pods(100), "")).status, 204);
  EXPECT_EQ(service.api.handle(body_of_tenant(pods(1), "no/such name")).status, 400);
  service.clock.advance(std::chrono::seconds(20));
  EXPECT_EQ(service.api.handle(body_of_tenant(pods(50), "llm")).status, 204);
}

TEST(SenderRulesTest, TheSeriesOfATenantAreCountedAgainAfterARestart) {
  const auto limited = [](Settings& s) { s.tenants.push_back({"llm", 0, 50, 0, 0}); };
  TestService service(time_from_millis(kMadeHourMs), limited);
  EXPECT_EQ(service.api.handle(body_of_tenant(pods(50), "llm")).status, 204);
  service.service.reset();
  const auto again = service.make(limited);
  Api api(*again, nullptr);
  EXPECT_EQ(api.handle(body_of_tenant(pods(50), "llm")).status, 204);
  EXPECT_EQ(api.handle(body_of_tenant(pods(51), "llm")).status, 400);
}

// Three minutes of which a fifth is malformed.
TEST(SenderRulesTest, ADegradedSenderIsInTheStateAndUnderEveryReportOfItsTime) {
  TestService service(time_from_millis(kMadeHourMs) + std::chrono::minutes(2));
  MadeSamples good;
  good.node("n1", "m5.xlarge", 4, 16, 0, 90);
  MadeSamples bad = good;
  for (int i = 0; i < 8; ++i) bad.add({{"", "no name"}, {"__name__", "kube_pod_info"}, {"i", std::to_string(i)}}, kMadeHourMs, 1);
  ASSERT_TRUE(service.service->telemetry().close_period(service.clock.now()));
  for (int minute = 0; minute < 4; ++minute) {
    for (int i = 0; i < 10; ++i) EXPECT_EQ(service.api.handle(body_of_tenant(bad, "")).status, 400);
    service.clock.advance(std::chrono::minutes(1));
    ASSERT_TRUE(service.service->telemetry().close_period(service.clock.now()));
  }
  const auto state = nlohmann::json::parse(service.get("/api/v1/telemetry").body);
  ASSERT_EQ(state["senders"].size(), 1U);
  EXPECT_EQ(state["senders"][0]["sender"], "10.0.0.3");
  EXPECT_EQ(state["senders"][0]["calls_itself"], "Prometheus/2.42.0");
  EXPECT_EQ(state["senders"][0]["state"], "degraded");
  EXPECT_EQ(state["senders"][0]["schema"], "light");
  EXPECT_NE(service.get("/metrics").body.find("seedance_telemetry_senders_degraded 1"), std::string::npos);
  ASSERT_TRUE(service.service->settle_now());
  for (const char* report : {"/api/v1/cost", "/api/v1/waterfall", "/api/v1/top/gpus", "/api/v1/cold-starts"}) {
    const auto notes = nlohmann::json::parse(service.get(report, {{"window", "2h"}}).body)["telemetry"];
    ASSERT_EQ(notes.size(), 2U) << report;
    EXPECT_EQ(notes[0]["gate"], "parsing");
    EXPECT_EQ(notes[1]["gate"], "errors");
    const auto before = nlohmann::json::parse(service.get(report, {{"window", "2026-11-30T10:00:00Z..2026-11-30T12:00:00Z"}}).body)["telemetry"];
    EXPECT_TRUE(before.empty()) << report;
  }
}

}  // namespace
}  // namespace seedance
