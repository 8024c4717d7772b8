#include "net/worker_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <mutex>
#include <set>
#include <thread>

namespace seedance {
namespace {

TEST(WorkerPoolTest, SoManyJobsRunAtTheSameTime) {
  constexpr int kWorkers = 8;
  WorkerPool pool(kWorkers);
  std::latch all_there(kWorkers);
  std::latch done(kWorkers);
  for (int i = 0; i < kWorkers; ++i) {
    ASSERT_TRUE(pool.run([&] {
      all_there.arrive_and_wait();  // hangs unless all of them run
      done.count_down();
    }));
  }
  done.wait();
}

TEST(WorkerPoolTest, OneJobAfterTheOtherStaysOnOneThread) {
  WorkerPool pool(8);
  std::mutex mutex;
  std::set<std::thread::id> threads;
  for (int i = 0; i < 50; ++i) {
    std::latch done(1);
    ASSERT_TRUE(pool.run([&] {
      {
        const std::lock_guard lock(mutex);
        threads.insert(std::this_thread::get_id());
      }
      done.count_down();
    }));
    done.wait();
  }
  // The thread may not be idle yet when the next job comes; then one more takes over, and they take turns.
  EXPECT_LE(threads.size(), 3U);
}

TEST(WorkerPoolTest, WhatWasAcceptedRunsBeforeItStops) {
  WorkerPool pool(2);
  std::atomic<int> ran{0};
  std::latch gate(1);
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(pool.run([&] {
      gate.wait();
      ++ran;
    }));
  }
  gate.count_down();
  pool.stop();
  EXPECT_EQ(ran, 100);
  EXPECT_FALSE(pool.run([&] { ++ran; }));
  pool.stop();
  EXPECT_EQ(ran, 100);
}

}  // namespace
}  // namespace seedance
