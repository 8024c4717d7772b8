#include "base/paged_vector.h"

#include <gtest/gtest.h>

namespace seedance {
namespace {

TEST(PagedVectorTest, KeepsValuesAndTheirPlacesWhileItGrows) {
  PagedVector<int> values;
  EXPECT_EQ(values.bytes(), 0u);
  values.push_back(0);
  const int* const first = &values[0];
  for (int i = 1; i < 10'000; ++i) values.push_back(i);
  ASSERT_EQ(values.size(), 10'000u);
  for (int i = 0; i < 10'000; ++i) ASSERT_EQ(values[static_cast<std::size_t>(i)], i);
  EXPECT_EQ(&values[0], first);
  EXPECT_LE(values.bytes(), 10'000 * sizeof(int) + std::size_t{4'096} * sizeof(int) + 100) << "at most a page to spare";
}

}  // namespace
}  // namespace seedance
