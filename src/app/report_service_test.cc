#include "app/report_service.h"

#include <gtest/gtest.h>

#include "base/time_text.h"
#include "store/memory/memory_ledger.h"

namespace seedance {
namespace {

// One dollar in every hour.
struct DollarLedger {
  MemoryLedger ledger;
  explicit DollarLedger(Interval window) {
    for (TimePoint hour = hour_of(window.from); hour < window.to; hour += std::chrono::hours(1)) {
      LedgerRow row;
      row.hour = row.price_from = hour;
      row.price_to = hour + std::chrono::hours(1);
      row.currency = "USD";
      row.cpu_cost = Money::nanos(1'000'000'000);
      HourBooks books;
      books.rows = {row};
      books.charge("USD", row.total_cost());
      EXPECT_TRUE(ledger.replace_hour(hour, books));
    }
  }
};

// "2026-10-24T00:00:00+02:00 24" a line: where each step begins, and its dollars.
std::vector<std::string> dollars_by_step(const char* window, const char* step, const char* zone_name) {
  CostQuestion question;
  question.zone = TimeZone::named(zone_name).value();
  question.window = parse_window(window, {}, question.zone).value();
  question.step = parse_duration(step).value();
  const DollarLedger dollars(whole_hours(question.window));
  const CostReport report = ReportService(dollars.ledger).cost(question).value();
  EXPECT_EQ(report.totals.at(0).left(), 0);
  std::vector<std::string> out;
  for (const CostLine& line : report.lines) {
    out.push_back(print_time(line.step_start, question.zone) + " " + std::to_string(static_cast<std::int64_t>(line.sums.total_cost() / 1'000'000'000)));
  }
  return out;
}

using StepTexts = std::vector<std::string>;

TEST(ZoneStepTest, DaysBeginAtMidnightOfTheZone) {
  EXPECT_EQ(dollars_by_step("2026-11-23..2026-11-25", "24h", "Asia/Shanghai"), (StepTexts{"2026-11-23T00:00:00+08:00 24", "2026-11-24T00:00:00+08:00 24"}));
  EXPECT_EQ(dollars_by_step("2026-11-23..2026-11-24T12:00", "1d", "UTC"), (StepTexts{"2026-11-23T00:00:00Z 24", "2026-11-24T00:00:00Z 12"}));
}

TEST(ZoneStepTest, DaysWithAChangeOfTheClockAreShorterOrLonger) {
  EXPECT_EQ(dollars_by_step("2026-10-24..2026-10-28", "24h", "Europe/Berlin"),
            (StepTexts{"2026-10-24T00:00:00+02:00 24", "2026-10-25T00:00:00+02:00 25", "2026-10-26T00:00:00+01:00 24", "2026-10-27T00:00:00+01:00 24"}));
  EXPECT_EQ(dollars_by_step("2026-03-28..2026-03-31", "1d", "Europe/Berlin"),
            (StepTexts{"2026-03-28T00:00:00+01:00 24", "2026-03-29T00:00:00+01:00 23", "2026-03-30T00:00:00+02:00 24"}));
  EXPECT_EQ(dollars_by_step("2026-03-23..2026-04-06", "1w", "Europe/Berlin"), (StepTexts{"2026-03-23T00:00:00+01:00 167", "2026-03-30T00:00:00+02:00 168"}));
  EXPECT_EQ(dollars_by_step("2026-03-29..2026-03-30", "12h", "Europe/Berlin"), (StepTexts{"2026-03-29T00:00:00+01:00 12", "2026-03-29T13:00:00+02:00 11"}))
      << "hours are hours";
}

TEST(ZoneStepTest, HalfHoursAreWidenedToWholeHoursOfUtc) {
  EXPECT_EQ(dollars_by_step("2026-11-23..2026-11-24", "24h", "Asia/Kolkata"), (StepTexts{"2026-11-22T23:30:00+05:30 24", "2026-11-23T23:30:00+05:30 1"}));
}

TEST(WindowTest, DatesAreThoseOfTheZoneAndInstantsAreNot) {
  const TimeZone shanghai = TimeZone::named("Asia/Shanghai").value();
  const Interval days = parse_window("2026-11-23..2026-11-30T14:00", {}, shanghai).value();
  EXPECT_EQ(print_time(days.from), "2026-11-22T16:00:00Z");
  EXPECT_EQ(print_time(days.to), "2026-11-30T06:00:00Z");
  EXPECT_EQ(parse_window("2026-11-23T00:00:00Z..2026-11-24T00:00:00Z", {}, shanghai).value(), parse_window("2026-11-23..2026-11-24", {}, TimeZone{}).value());
  EXPECT_EQ(parse_window("24h", days.to, shanghai).value().from, days.to - std::chrono::hours(24));
  EXPECT_FALSE(parse_window("2026-11-24..2026-11-23", {}, shanghai));
}

}  // namespace
}  // namespace seedance
