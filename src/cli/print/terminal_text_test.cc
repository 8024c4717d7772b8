#include "cli/print/terminal_text.h"

#include <gtest/gtest.h>

#include "base/time_text.h"
#include "cli/print/numbers.h"
#include "cli/print/progress.h"
#include "cli/print/table.h"

#include <sstream>

namespace seedance {
namespace {

TEST(VisibleTest, WhatSteersATerminalIsShown) {
  EXPECT_EQ(visible("a\x1b[2Jb"), "a\\x1b[2Jb");
  EXPECT_EQ(visible("line\nnext\ttab\r"), "line\\x0anext\\x09tab\\x0d");
  EXPECT_EQ(visible("\xc2\x9b" "31m"), "\\x9b31m");                    // C1 control sequence introducer
  EXPECT_EQ(visible("a\xe2\x80\xae" "b\xe2\x81\xa6" "c"), "a\\u202eb\\u2066c");  // right-to-left override, isolate
  EXPECT_EQ(visible("\xe2\x80\x8b\xef\xbb\xbf"), "\\u200b\\ufeff");
  EXPECT_EQ(visible(std::string_view("\0", 1)), "\\x00");
}

TEST(VisibleTest, BytesThatAreNotUtf8AreShown) {
  EXPECT_EQ(visible("\xff"), "\\xff");
  EXPECT_EQ(visible("\xc0\x9b"), "\\xc0\\x9b");          // an overlong form of ESC
  EXPECT_EQ(visible("\xe2\x80"), "\\xe2\\x80");          // cut off
  EXPECT_EQ(visible("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // half a surrogate pair
}

TEST(VisibleTest, OrdinaryTextIsKept) {
  EXPECT_EQ(visible("团队-ä-🙂"), "团队-ä-🙂");
}

TEST(DisplayWidthTest, EastAsianCharactersTakeTwoColumns) {
  EXPECT_EQ(display_width("GPU 小时"), 8u);
  EXPECT_EQ(display_width("（无团队）"), 10u);
  EXPECT_EQ(display_width("e\xcc\x81"), 1u);  // e with a combining accent
}

TEST(ShortenedTest, NamesAreCutInTheMiddle) {
  EXPECT_EQ(shortened("llm-pretrain-main-0", 11), "llm-p..in-0");
  EXPECT_EQ(shortened("short", 5), "short");
  EXPECT_EQ(shortened("训练任务甲乙丙", 9), "训练..丙");
  EXPECT_EQ(shortened("abc", 2), "..");
}

TEST(NumbersTest, MoneyHasTwoDecimalsAndSaysWhenItIsAlmostNothing) {
  EXPECT_EQ(money_text(1'771'250'000'000), "1,771.25");
  EXPECT_EQ(money_text(0), "0.00");
  EXPECT_EQ(money_text(4'999'999), "< 0.01");
  EXPECT_EQ(money_text(5'000'000), "0.01");
  EXPECT_EQ(money_text(-4'999'999), "> -0.01");
}

TEST(NumbersTest, RatiosHaveOneDecimal) {
  EXPECT_EQ(percent_text(382, 1000), "38.2%");
  EXPECT_EQ(percent_text(1, 100'000), "< 0.1%");
  EXPECT_EQ(percent_text(0, 5), "0.0%");
  EXPECT_EQ(percent_text(5, 0), "-");
}

TEST(NumbersTest, ChangeIsSignedNewOrUnknown) {
  EXPECT_EQ(change_text(1123, MoneySum{1000}), "+12.3%");
  EXPECT_EQ(change_text(959, MoneySum{1000}), "-4.1%");
  EXPECT_EQ(change_text(5, MoneySum{0}), "new");
  EXPECT_EQ(change_text(5, std::nullopt), "-");
  EXPECT_EQ(change_text(0, MoneySum{0}), "-");
  EXPECT_EQ(change_text(0, MoneySum{7}), "-100.0%");
}

TEST(NumbersTest, WindowsNameTheYearOnce) {
  EXPECT_EQ(window_text({time_from_seconds(1'763'906'400), time_from_seconds(1'764'511'200)}, {}), "2025-11-23 14:00 .. 11-30 14:00 UTC");
  EXPECT_EQ(window_text({time_from_seconds(1'767'222'000), time_from_seconds(1'767'229'200)}, {}), "2025-12-31 23:00 .. 2026-01-01 01:00 UTC");
}

TEST(NumbersTest, TimesAreThoseOfTheZone) {
  const TimeZone shanghai = TimeZone::named("Asia/Shanghai").value();
  EXPECT_EQ(window_text({parse_time("2026-11-23T06:00:00Z").value(), parse_time("2026-11-30T06:00:00Z").value()}, shanghai), "2026-11-23 14:00 .. 11-30 14:00 +08:00");
  EXPECT_EQ(instant_text(parse_time("2026-11-23T06:00:00Z").value(), shanghai), "2026-11-23 14:00 +08:00");
  EXPECT_EQ(day_text(parse_time("2026-11-22T16:00:00Z").value(), shanghai), "2026-11-23");
  EXPECT_EQ(day_text(parse_time("2026-11-23").value(), shanghai), "2026-11-23 08:00");
  const TimeZone berlin = TimeZone::named("Europe/Berlin").value();
  EXPECT_EQ(window_text({parse_time("2026-10-25", berlin).value(), parse_time("2026-10-26", berlin).value()}, berlin), "2026-10-25 00:00 +02:00 .. 10-26 00:00 +01:00");
}

TEST(TableTest, NamesGiveWayToNumbersOnATerminalOnly) {
  const Table table{{{"NAME"}, {"COST", true}}, {{"a-very-long-workload-name", "1.00"}, {"b", "12,345.67"}}};
  Presentation look;
  look.on_terminal = true;
  look.width = 24;
  EXPECT_EQ(print_table(table, look), "NAME                COST\na-very..-name       1.00\nb              12,345.67\n");
  look.on_terminal = false;
  EXPECT_NE(print_table(table, look).find("a-very-long-workload-name"), std::string::npos);
}

TEST(ProgressTest, ShowsShareRateAndTimeLeft) {
  const Presentation look;
  EXPECT_EQ(progress_text(1'240'000, 2'000'000, std::chrono::seconds(32), look), "importing metrics  [=========>     ] 62%  1.24/2.00 MB, 39 kB/s, 20 s left");
  EXPECT_EQ(progress_hours_text(104, 168, 2'500'000, std::chrono::seconds(32), look), "importing metrics  [=========>     ] 61%  104/168 h, 2.50 M samples, 20 s left");
  EXPECT_EQ(progress_hours_text(0, 168, 950, std::chrono::seconds(32), look), "importing metrics  [               ] 0%  0/168 h, 950 samples");
  EXPECT_EQ(progress_text(0, 100, Nanos{0}, look), "importing metrics  [               ] 0%  0/100 B");
}

TEST(ProgressTest, WithoutATerminalThereIsALineEveryTenSeconds) {
  std::ostringstream err;
  const Presentation look;
  const TimePoint start = time_from_seconds(1'000);
  ProgressLine line(err, false, look, start);
  line.update(10, 100, start + std::chrono::seconds(9));
  EXPECT_EQ(err.str(), "");
  line.update(20, 100, start + std::chrono::seconds(10));
  EXPECT_EQ(err.str(), "importing metrics  [===>           ] 20%  20/100 B, 2 B/s, 40 s left\n");
  line.end();
  EXPECT_EQ(err.str().find('\r'), std::string::npos);
}

}  // namespace
}  // namespace seedance
