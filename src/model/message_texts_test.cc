#include "model/message_texts.h"

#include <gtest/gtest.h>

namespace seedance {
namespace {

std::string chinese(std::string_view english) { return message_in(Language::kChinese, english); }

TEST(MessageTextsTest, EnglishStaysAsItIs) {
  EXPECT_EQ(message_in(Language::kEnglish, "not a duration: 7x"), "not a duration: 7x");
}

TEST(MessageTextsTest, ValuesKeepTheirPlaces) {
  EXPECT_EQ(chinese("not a duration: 7x"), "不是时长：7x");
  EXPECT_EQ(chinese("out of bounds 1s to 24h: 3d"), "超出范围 1s 到 24h：3d");
  EXPECT_EQ(chinese("no price"), "没有价格");
}

TEST(MessageTextsTest, PlacesBeforeAMessageAreKept) {
  EXPECT_EQ(chinese("seedance.yaml:14: unknown key: ledger.curency"), "seedance.yaml:14：未知字段：ledger.curency");
  EXPECT_EQ(chinese("seedance.yaml:3: ledger.reporting_zone: unknown time zone: +08:00"), "seedance.yaml:3：ledger.reporting_zone：未知时区：+08:00");
  EXPECT_EQ(chinese("m.om: line 2: closing quote missing: \"a} 1"), "m.om：第 2 行：缺少右引号：\"a} 1");
  EXPECT_EQ(chinese("port is taken by another program: 127.0.0.1 port 80"), "端口已被其他程序占用：127.0.0.1 port 80");
}

TEST(MessageTextsTest, AMessageInsideAMessageIsTranslatedToo) {
  EXPECT_EQ(chinese("2 samples were refused, 5 kept: timestamp is too far in the future: up at 17"), "拒绝 2 个样本，保留 5 个：时间戳超前过多：up at 17");
}

TEST(MessageTextsTest, QuotedLinesAreTheUsersOwn) {
  EXPECT_EQ(chinese("a.yaml:1: unknown key: no price\n  1 | no price: 3\n    | ^"), "a.yaml:1：未知字段：no price\n  1 | no price: 3\n    | ^");
}

TEST(MessageTextsTest, WhatIsNotOursStaysAsItIs) {
  for (const char* text : {"", ":", ": ", "Connection refused", "a: b: c", "no prices", "不是时长：7x", "store", "x\ny"}) EXPECT_EQ(chinese(text), text);
  std::string colons;
  for (int i = 0; i < 1'000; ++i) colons += "a: ";
  EXPECT_EQ(chinese(colons), colons);
  EXPECT_EQ(chinese(std::string(1 << 20, 'x')), std::string(1 << 20, 'x'));
}

TEST(MessageTextsTest, HintsAreTranslatedWithTheirMessage) {
  const Error error = error_in(Language::kChinese, {Code::kInvalid, "unknown sort: x", "use wasted or cost"});
  EXPECT_EQ(error.message, "未知的排序依据：x");
  EXPECT_EQ(error.hint, "可用 wasted 或 cost");
}

}  // namespace
}  // namespace seedance
