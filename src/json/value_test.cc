#include "json/value.h"

#include <limits>

#include <gtest/gtest.h>

namespace seedance {
namespace {

TEST(JsonTest, WhatIsPrintedReadsBackTheSame) {
  Json value = Json::object();
  value.set("text", "a \"quoted\"\n\ttext \x01").set("integer", std::int64_t{9'007'199'254'740'993}).set("number", 0.1).set("none", Json());
  value.set("list", Json::array().add(true).add(Json::object()));
  const auto read = parse_json(value.print());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->print(), value.print());
  EXPECT_EQ(read->at("integer").integer(), 9'007'199'254'740'993);
}

TEST(JsonTest, NotANumberIsNull) { EXPECT_EQ(Json(std::numeric_limits<double>::quiet_NaN()).print(), "null"); }

TEST(JsonTest, MembersKeepTheirOrder) {
  EXPECT_EQ(Json::object().set("z", 1).set("a", 2).print(), R"({"z":1,"a":2})");
}

TEST(JsonTest, MissingAndWrongKindsAreEmpty) {
  const Json value = *parse_json(R"({"a":"x"})");
  EXPECT_TRUE(value.at("b").at("c").is_null());
  EXPECT_EQ(value.at("a").integer(), 0);
  EXPECT_TRUE(value.at("a").elements().empty());
}

TEST(JsonTest, DamagedAndDeepTextIsRefused) {
  for (const std::string text : {"", "{", "[1,]", "{\"a\" 1}", "nul", "1 2"}) EXPECT_FALSE(parse_json(text)) << text;
  const auto deep = parse_json(std::string(100, '[') + std::string(100, ']'));
  ASSERT_FALSE(deep);
  EXPECT_EQ(deep.error().code, Code::kTooLarge);
}

}  // namespace
}  // namespace seedance
