// What a real Prometheus counts as sent against what arrived from it, on a capture in which five requests were answered 500 and repeated.
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "app/intake/sample_intake.h"
#include "signal/quality/sender_balance.h"
#include "signal/quality/sender_gates.h"
#include "tests/reference/shared_data.h"

namespace seedance {
namespace {

// Every `lost`-th accepted body never arrives; 0: all arrive.
SenderBalance balance_of_capture(std::size_t lost) {
  const std::string folder = shared_data("ingest/rw1-prom242-r0/");
  const nlohmann::json manifest = nlohmann::json::parse(std::ifstream(folder + "manifest.json"));
  Counters counters;
  const ManualClock clock{time_from_seconds(1'796'062'400)};
  IntakeOptions options;
  options.accept_any_age = true;
  const auto intake = SampleIntake::open("", Catalogue{}, options, clock, counters).value();
  SenderBalance out;
  std::size_t accepted = 0;
  for (const auto& entry : manifest["entries"]) {
    if (entry["answered_status"] != 204) continue;
    std::ostringstream body;
    body << std::ifstream(folder + entry["file"].get<std::string>(), std::ios::binary).rdbuf();
    const IntakeAnswer answer = intake->take(body.str()).value();
    // The counters it sends arrive with the next ones all the same.
    for (const SenderCounter& counter : answer.sender_counters) out.said(counter);
    if (lost != 0 && ++accepted % lost == 0) continue;
    out.received(static_cast<std::int64_t>(entry["received_unix"].get<double>() * 1'000), answer.samples_taken());
  }
  return out;
}

TEST(SenderBalanceReferenceTest, AttemptsWithoutRepeatsAreWhatArrives) {
  SKIP_WITHOUT(shared_data("ingest/rw1-prom242-r0"));
  const auto answer = balance_of_capture(0).compare();
  ASSERT_TRUE(answer);
  EXPECT_GT(answer->sent, 30'000);
  EXPECT_EQ(answer->apart, 0);
  EXPECT_NEAR(answer->received / answer->sent, 1, 0.01) << "with what was on its way";
}

TEST(SenderBalanceReferenceTest, ALossIsSeen) {
  SKIP_WITHOUT(shared_data("ingest/rw1-prom242-r0"));
  const auto answer = balance_of_capture(20).compare();
  ASSERT_TRUE(answer);
  EXPECT_GT(answer->apart, kConsistencyLimit);
}

}  // namespace
}  // namespace seedance
