#include "model/dimension_rules.h"

#include <gtest/gtest.h>

namespace seedance {
namespace {

TEST(DimensionRulesTest, NamesGoBothWays) {
  for (std::size_t i = 0; i < kDimensionCount; ++i) {
    const Dimension dimension = static_cast<Dimension>(i);
    EXPECT_EQ(dimension_from_name(dimension_name(dimension)), dimension);
  }
  EXPECT_EQ(dimension_from_name("colour"), std::nullopt);
}

TEST(DimensionRulesTest, EveryDimensionIsReadFromALabelOfItsOwnName) {
  const DimensionRules rules = default_dimension_rules();
  for (std::size_t i = 0; i < kDimensionCount; ++i) {
    const DimensionMapping& mapping = rules.mappings[i];
    ASSERT_FALSE(mapping.label_keys.empty());
    EXPECT_EQ(mapping.label_keys.front(), dimension_name(static_cast<Dimension>(i)));
  }
}

TEST(DimensionRulesTest, GlobsKnowStarsAndQuestionMarks) {
  EXPECT_TRUE(glob_matches("ml-*", "ml-train"));
  EXPECT_TRUE(glob_matches("*-prod", "search-prod"));
  EXPECT_TRUE(glob_matches("a*b*c", "a-b-b-c"));
  EXPECT_TRUE(glob_matches("team-?", "team-a"));
  EXPECT_TRUE(glob_matches("*", ""));
  EXPECT_TRUE(glob_matches("", ""));
  EXPECT_FALSE(glob_matches("", "x"));
  EXPECT_FALSE(glob_matches("ml-*", "xml-train"));
  EXPECT_FALSE(glob_matches("team-?", "team-"));
  EXPECT_FALSE(glob_matches("a*b", "a-b-c"));
}

}  // namespace
}  // namespace seedance
