// The reporting zone over the API: a setting, a parameter, and what answers show.
#include <gtest/gtest.h>

#include "base/time_text.h"
#include "json/value.h"
#include "tests/e2e/test_service.h"

namespace seedance {
namespace {

const TimePoint kZoneTestNow = time_from_seconds(1'796'061'810);  // 2026-11-30T18:03:30Z

Json answer_json(const HttpResponse& response) {
  EXPECT_EQ(response.status, 200) << response.body;
  return parse_json(response.body).value();
}

TEST(ZoneApiTest, EveryReportNamesItsZoneAndItsTimesCanBeRead) {
  TestService service(kZoneTestNow, [](Settings& s) { s.ledger.reporting_zone = "Asia/Shanghai"; });
  for (const char* path : {"/api/v1/cost", "/api/v1/waterfall", "/api/v1/top/gpus", "/api/v1/cold-starts"}) {
    const Json report = answer_json(service.get(path, {{"window", "2026-11-23..2026-11-24"}}));
    EXPECT_EQ(report.at("zone").text(), "Asia/Shanghai") << path;
    EXPECT_EQ(report.at("window").at("from").text(), "2026-11-23T00:00:00+08:00") << path;
    EXPECT_EQ(parse_time(report.at("window").at("to").text()).value(), parse_time("2026-11-23T16:00:00Z").value()) << path;
  }
  EXPECT_EQ(answer_json(service.get("/api/v1/prices")).at("zone").text(), "Asia/Shanghai");
  EXPECT_EQ(answer_json(service.get("/api/v1/status")).at("reporting_zone").text(), "Asia/Shanghai");
}

TEST(ZoneApiTest, TheQuestionMayNameAnother) {
  TestService service(kZoneTestNow, [](Settings& s) { s.ledger.reporting_zone = "Asia/Shanghai"; });
  const Json report = answer_json(service.get("/api/v1/cost", {{"window", "2026-10-25..2026-10-26"}, {"tz", "Europe/Berlin"}}));
  EXPECT_EQ(report.at("zone").text(), "Europe/Berlin");
  EXPECT_EQ(report.at("window").at("from").text(), "2026-10-25T00:00:00+02:00");
  EXPECT_EQ(report.at("window").at("to").text(), "2026-10-26T00:00:00+01:00");
  EXPECT_EQ(answer_json(service.get("/api/v1/cost", {{"tz", "UTC"}})).at("window").at("to").text(), "2026-11-30T19:00:00Z") << "whole hours";
}

TEST(ZoneApiTest, UtcIsTheStandardAndAnUnknownZoneIsRefused) {
  TestService service(kZoneTestNow);
  EXPECT_EQ(answer_json(service.get("/api/v1/cost")).at("zone").text(), "UTC");
  for (const char* path : {"/api/v1/cost", "/api/v1/waterfall", "/api/v1/top/gpus", "/api/v1/cold-starts", "/api/v1/prices", "/api/v1/features"}) {
    const HttpResponse refused = service.get(path, {{"tz", "Mars/Olympus"}});
    EXPECT_EQ(refused.status, 400) << path;
    EXPECT_NE(refused.body.find("unknown time zone: Mars/Olympus"), std::string::npos) << refused.body;
  }
}

}  // namespace
}  // namespace seedance
