#include "signal/windows.h"

#include <gtest/gtest.h>

namespace seedance {
namespace {

Sample at_ms(std::int64_t ms, double value) { return {1'700'000'000'000 + ms, value}; }

TEST(WindowShardTest, OfAnHaPairASecondTakesOneReplica) {
  WindowShard shard(std::chrono::seconds(5));
  // The larger name is known first: names decide, not the order of arrival.
  shard.set_replica(1, 0, "r1");
  shard.set_replica(0, 0, "r0");
  ASSERT_TRUE(shard.add(1, 7, at_ms(700, 5)));
  ASSERT_TRUE(shard.add(0, 7, at_ms(100, 1)));
  ASSERT_TRUE(shard.add(0, 7, at_ms(600, 2)));
  ASSERT_TRUE(shard.add(2, 7, at_ms(300, 10)));     // not of the pair
  ASSERT_TRUE(shard.add(1, 7, at_ms(1'700, 6)));    // r0 has nothing in this second
  ASSERT_TRUE(shard.add(0, 7, at_ms(2'100, stale_marker())));  // no value
  ASSERT_TRUE(shard.add(1, 7, at_ms(2'700, 8)));
  const std::vector<Window> windows = shard.close(time_from_millis(1'700'000'020'000));
  ASSERT_EQ(windows.size(), 3U);
  EXPECT_EQ(windows[0].count, 3U);
  EXPECT_EQ(windows[0].sum, 13);
  EXPECT_EQ(windows[0].max, 10);
  EXPECT_EQ(windows[1].sum, 6);
  EXPECT_EQ(windows[2].sum, 8);
}

}  // namespace
}  // namespace seedance
