#include "ingest/hash_index.h"

#include <string_view>

#include <gtest/gtest.h>

#include "ingest/arena.h"

namespace seedance {
namespace {

TEST(HashIndexTest, EqualHashesAreToldApartByTheOwner) {
  HashIndex index;
  for (std::uint32_t i = 0; i < 100; ++i) index.insert(42, i);
  for (std::uint32_t i = 0; i < 100; ++i) EXPECT_EQ(index.find(42, [&](std::uint32_t candidate) { return candidate == i; }), i);
  EXPECT_EQ(index.find(42, [](std::uint32_t) { return false; }), HashIndex::kNone);
}

TEST(HashIndexTest, GrowthLosesNothing) {
  HashIndex index;
  const auto hash = [](std::uint32_t i) { return i * 0x9e3779b97f4a7c15U; };
  for (std::uint32_t i = 0; i < 10'000; ++i) index.insert(hash(i), i);
  for (std::uint32_t i = 0; i < 10'000; ++i) ASSERT_EQ(index.find(hash(i), [&](std::uint32_t candidate) { return candidate == i; }), i);
  EXPECT_EQ(index.size(), 10'000U);
  EXPECT_LE(index.bytes(), 16'384U * 8);
}

TEST(HashIndexTest, EmptyIndexKnowsNothing) {
  HashIndex index;
  index.prefetch(1);
  EXPECT_EQ(index.find(1, [](std::uint32_t) { return true; }), HashIndex::kNone);
}

TEST(ArenaTest, CopiesStayWhereTheyAre) {
  Arena<char> arena(8);
  const auto first = arena.copy(std::string_view("first"));
  const auto large = arena.copy(std::string_view("larger than a chunk"));
  const auto last = arena.copy(std::string_view("x"));
  EXPECT_EQ(std::string_view(first.data(), first.size()), "first");
  EXPECT_EQ(std::string_view(large.data(), large.size()), "larger than a chunk");
  EXPECT_EQ(std::string_view(last.data(), last.size()), "x");
}

TEST(ArenaTest, ClearKeepsOneChunk) {
  Arena<char> arena(8);
  for (int i = 0; i < 100; ++i) arena.copy(std::string_view("12345678"));
  arena.clear();
  EXPECT_EQ(arena.bytes(), 8U);
}

}  // namespace
}  // namespace seedance
