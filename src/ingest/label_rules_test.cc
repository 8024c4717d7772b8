#include "ingest/label_rules.h"

#include <gtest/gtest.h>

namespace seedance {
namespace {

Result<void> verdict(Labels labels) { return canonicalise_labels(labels, {}); }

void expect_refused(Labels labels, std::string_view part) {
  const auto result = verdict(std::move(labels));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Code::kInvalid);
  EXPECT_NE(result.error().message.find(part), std::string::npos) << result.error().message;
}

TEST(LabelRulesTest, LabelsAreSortedAndEmptyValuesDropped) {
  Labels labels{{"z", "1"}, {"empty", ""}, {"__name__", "up"}, {"a", "2"}};
  ASSERT_TRUE(canonicalise_labels(labels, {}));
  EXPECT_EQ(labels, (Labels{{"__name__", "up"}, {"a", "2"}, {"z", "1"}}));
}

TEST(LabelRulesTest, DottedAndChineseNamesAreLegal) {
  EXPECT_TRUE(verdict({{"__name__", "gpu.utilization"}, {"k8s.pod.name", "训练-0"}, {"标签", "x y"}}));
}

TEST(LabelRulesTest, RepeatedNameIsRefusedEvenWithTheSameValue) {
  expect_refused({{"__name__", "up"}, {"pod", "a"}, {"pod", "a"}}, "metric up, label pod");
}

TEST(LabelRulesTest, RepeatedNameIsRefusedWhenOneValueIsEmpty) {
  expect_refused({{"__name__", "up"}, {"pod", "a"}, {"pod", ""}}, "given twice");
}

TEST(LabelRulesTest, EmptyNameIsRefused) { expect_refused({{"__name__", "up"}, {"", "a"}}, "empty label name: metric up"); }

TEST(LabelRulesTest, MissingMetricNameIsRefused) { expect_refused({{"pod", "a"}}, "no metric name"); }

TEST(LabelRulesTest, EmptyMetricNameIsRefused) { expect_refused({{"__name__", ""}, {"pod", "a"}}, "no metric name"); }

TEST(LabelRulesTest, NoLabelsAtAllAreRefused) { expect_refused({}, "no metric name"); }

TEST(LabelRulesTest, BrokenUtf8IsRefusedAndNotEchoed) {
  expect_refused({{"__name__", "up"}, {"pod", "\xff\xfe"}}, "label value is not UTF-8: metric up, label pod");
  expect_refused({{"__name__", "up"}, {"p\xff", "a"}}, "label p?");
}

TEST(LabelRulesTest, LimitsAreInclusive) {
  Labels labels{{"__name__", "up"}};
  for (int i = 0; i < 63; ++i) labels.push_back({"label" + std::to_string(i), std::string(4096, 'v')});
  EXPECT_TRUE(verdict(labels));
  labels.push_back({"one_more", "v"});
  expect_refused(labels, "more labels than the limit of 64");
  expect_refused({{"__name__", "up"}, {"pod", std::string(4097, 'v')}}, "label value too long: metric up, label pod");
  expect_refused({{"__name__", "up"}, {std::string(257, 'n'), "v"}}, "label name too long");
}

TEST(Utf8Test, OverlongSurrogateAndTooLargeAreRefused) {
  EXPECT_TRUE(is_utf8("plain ascii, longer than eight bytes"));
  EXPECT_TRUE(is_utf8("\xf4\x8f\xbf\xbf"));
  EXPECT_FALSE(is_utf8("\xc0\x80"));
  EXPECT_FALSE(is_utf8("\xe0\x9f\xbf"));
  EXPECT_FALSE(is_utf8("\xed\xa0\x80"));
  EXPECT_FALSE(is_utf8("\xf4\x90\x80\x80"));
  EXPECT_FALSE(is_utf8("12345678\xe4\xbd"));
}

TEST(TextForMessageTest, LongTextIsCutAtACharacter) {
  std::string text;
  for (int i = 0; i < 60; ++i) text += "价";
  const std::string shown = text_for_message(text);
  EXPECT_LE(shown.size(), 83U);
  EXPECT_TRUE(is_utf8(shown));
}

TEST(TextForMessageTest, ControlCharactersDoNotReachTheTerminal) { EXPECT_EQ(text_for_message("a\x1b[31m\n"), "a?[31m?"); }

}  // namespace
}  // namespace seedance
