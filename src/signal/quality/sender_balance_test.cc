#include "signal/quality/sender_balance.h"

#include <gtest/gtest.h>

namespace seedance {
namespace {

constexpr std::int64_t kStart = 1'796'047'200'000;

// A sender of 500 samples a second that reads its own counters every 15 seconds.
struct MadeSender {
  SenderBalance balance;
  double attempts = 1e6;
  double retried = 0;
  double failed = 0;

  void say(std::int64_t at_ms) {
    balance.said({1, SignalId::kSenderSamplesAttempted, {at_ms, attempts}});
    balance.said({2, SignalId::kSenderSamplesRetried, {at_ms, retried}});
    balance.said({3, SignalId::kSenderSamplesFailed, {at_ms, failed}});
  }
  // Every hundredth request is `arriving` samples instead of 500.
  void run(std::int64_t from_s, std::int64_t to_s, std::uint64_t arriving = 500, int every = 1) {
    for (std::int64_t s = from_s; s < to_s; ++s) {
      if (s % 15 == 0) say(kStart + s * 1'000);
      attempts += 500;
      balance.received(kStart + s * 1'000 + 300, s % every == 0 ? arriving : 500);
    }
  }
};

TEST(SenderBalanceTest, WhatArrivesAsSentIsInBalance) {
  MadeSender sender;
  sender.run(0, 400);
  const auto answer = sender.balance.compare();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->apart, 0);
  EXPECT_EQ(answer->sent, 300 * 500) << "five minutes";
  EXPECT_NEAR(answer->received, 300 * 500, 500);
}

TEST(SenderBalanceTest, LessThanAMinuteSaysNothing) {
  MadeSender sender;
  sender.run(0, 59);
  EXPECT_FALSE(sender.balance.compare());
}

TEST(SenderBalanceTest, ALossOfTwoPercentIsSeen) {
  MadeSender sender;
  sender.run(0, 400, 0, 50);  // every fiftieth request is lost on the way
  const auto answer = sender.balance.compare();
  ASSERT_TRUE(answer);
  EXPECT_GT(answer->apart, 0.005);
  EXPECT_LT(answer->apart, 0.021);
}

TEST(SenderBalanceTest, RepeatedAttemptsAreNotSentTwice) {
  MadeSender sender;
  for (int round = 0; round < 20; ++round) {
    sender.run(round * 20, round * 20 + 20);
    sender.attempts += 5'000;
    sender.retried += 4'000;
    sender.failed += 1'000;
  }
  ASSERT_TRUE(sender.balance.compare());
  EXPECT_EQ(sender.balance.compare()->apart, 0);
}

TEST(SenderBalanceTest, ACounterThatBeginsAnewIsComparedFromThere) {
  MadeSender sender;
  sender.run(0, 150);
  sender.attempts = 0;
  sender.run(150, 195);
  EXPECT_FALSE(sender.balance.compare()) << "less than a minute since";
  sender.run(195, 300);
  ASSERT_TRUE(sender.balance.compare());
  EXPECT_EQ(sender.balance.compare()->apart, 0);
  EXPECT_LE(sender.balance.compare()->sent, 150 * 500);
}

TEST(SenderBalanceTest, SeveralRemoteWritesOfOneSenderAreNotCompared) {
  MadeSender sender;
  sender.run(0, 400);
  sender.balance.said({9, SignalId::kSenderSamplesAttempted, {kStart + 400'000, 1}});
  EXPECT_FALSE(sender.balance.compare());
}

}  // namespace
}  // namespace seedance
