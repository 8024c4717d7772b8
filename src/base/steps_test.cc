#include "base/steps.h"

#include <random>

#include <gtest/gtest.h>

namespace seedance {
namespace {

TimePoint at_second(std::int64_t seconds) { return time_from_seconds(seconds); }
Step piece(std::int64_t from, std::int64_t to, std::int64_t level) { return {at_second(from), at_second(to), level}; }
Interval seconds_window(std::int64_t from, std::int64_t to) { return {at_second(from), at_second(to)}; }

Steps sum_two(const Steps& a, const Steps& b) {
  const Steps* const both[] = {&a, &b};
  return sum_of(both);
}

TEST(StepsTest, IntegralIsLevelTimesTime) {
  EXPECT_EQ(integral({piece(0, 10, 3), piece(20, 21, -1)}), static_cast<Int128>(29) * kNanosPerSecond);
  EXPECT_EQ(integral({}), 0);
}

TEST(StepsTest, IntegralOfHugeLevelsDoesNotWrap) {
  EXPECT_EQ(integral({piece(0, 3'600, INT64_MAX)}), static_cast<Int128>(INT64_MAX) * kNanosPerHour);
}

TEST(StepsTest, PresentTimeCountsZerosButNotHoles) { EXPECT_EQ(present_nanos({piece(0, 10, 0), piece(15, 20, 7)}), 15 * kNanosPerSecond); }

TEST(StepsTest, ClipCutsBothEndsAndDropsWhatIsOutside) {
  EXPECT_EQ(clip({piece(0, 10, 1), piece(10, 20, 2), piece(30, 40, 3)}, seconds_window(5, 15)), (Steps{piece(5, 10, 1), piece(10, 15, 2)}));
  EXPECT_EQ(clip({piece(0, 10, 1)}, seconds_window(10, 20)), Steps{});
  EXPECT_EQ(clip({piece(0, 10, 1)}, seconds_window(5, 5)), Steps{});
}

TEST(StepsTest, CompactMergesOnlyNeighboursThatTouchAtTheSameLevel) {
  EXPECT_EQ(compact({piece(0, 5, 1), piece(5, 9, 1), piece(9, 10, 2), piece(11, 12, 2)}), (Steps{piece(0, 9, 1), piece(9, 10, 2), piece(11, 12, 2)}));
}

TEST(StepsTest, CompactDropsEmptyPieces) { EXPECT_EQ(compact({piece(0, 0, 1), piece(0, 5, 1)}), (Steps{piece(0, 5, 1)})); }

TEST(StepsTest, MaxCountsTheOtherWhereOneIsAbsent) {
  EXPECT_EQ(max_of({piece(0, 10, 1)}, {piece(5, 15, 3)}), (Steps{piece(0, 5, 1), piece(5, 15, 3)}));
  EXPECT_EQ(max_of({}, {piece(5, 15, 3)}), (Steps{piece(5, 15, 3)}));
  EXPECT_EQ(max_of({piece(0, 1, -4)}, {piece(5, 6, -9)}), (Steps{piece(0, 1, -4), piece(5, 6, -9)})) << "a hole is not zero";
}

TEST(StepsTest, SumIsAbsentOnlyWhereAllAreAbsent) {
  EXPECT_EQ(sum_two({piece(0, 10, 1)}, {piece(5, 15, 3)}), (Steps{piece(0, 5, 1), piece(5, 10, 4), piece(10, 15, 3)}));
  EXPECT_EQ(sum_two({piece(0, 1, 2)}, {piece(3, 4, 2)}), (Steps{piece(0, 1, 2), piece(3, 4, 2)}));
  EXPECT_EQ(sum_of({}), Steps{});
}

TEST(StepsTest, SumOfOppositeLevelsIsAPresentZero) { EXPECT_EQ(sum_two({piece(0, 5, 2)}, {piece(0, 5, -2)}), (Steps{piece(0, 5, 0)})); }

TEST(StepsTest, MaskKeepsWhereTheMaskIsNotZero) {
  EXPECT_EQ(masked({piece(0, 10, 7)}, {piece(2, 4, 1), piece(4, 6, 0), piece(8, 20, 5)}), (Steps{piece(2, 4, 7), piece(8, 10, 7)}));
  EXPECT_EQ(masked({piece(0, 10, 7)}, {}), Steps{});
}

TEST(StepsTest, UnmaskedIsTheRest) {
  EXPECT_EQ(unmasked({piece(0, 10, 7)}, {piece(2, 4, 1), piece(4, 6, 0), piece(8, 20, 5)}), (Steps{piece(0, 2, 7), piece(4, 8, 7)}));
  EXPECT_EQ(unmasked({piece(0, 10, 7)}, {}), (Steps{piece(0, 10, 7)}));
}

TEST(StepsTest, LevelIsThatOfThePieceThatHoldsTheInstant) {
  const Steps steps{piece(0, 10, 1), piece(10, 20, 2), piece(30, 40, 3)};
  EXPECT_EQ(level_at(steps, at_second(-1), 9), 9);
  EXPECT_EQ(level_at(steps, at_second(0), 9), 1);
  EXPECT_EQ(level_at(steps, at_second(10), 9), 2) << "pieces are half open";
  EXPECT_EQ(level_at(steps, at_second(20), 9), 9);
  EXPECT_EQ(level_at(steps, at_second(39), 9), 3);
  EXPECT_EQ(level_at({}, at_second(0), 9), 9);
}

struct Visit {
  Interval span;
  std::vector<std::int64_t> levels;
  friend bool operator==(const Visit&, const Visit&) = default;
};

std::vector<Visit> visits_of(std::vector<const Steps*> functions, Interval window) {
  std::vector<Visit> out;
  sweep(functions, window, [&](Interval span, std::span<const std::int64_t> levels) { out.push_back({span, {levels.begin(), levels.end()}}); });
  return out;
}

TEST(StepsTest, SweepVisitsEveryStretchOfTheWindowOnce) {
  const Steps a{piece(0, 10, 1), piece(12, 20, 2)};
  const Steps b{piece(5, 15, 7)};
  EXPECT_EQ(visits_of({&a, &b}, seconds_window(2, 25)),
            (std::vector<Visit>{{seconds_window(2, 5), {1, kAbsent}},
                                {seconds_window(5, 10), {1, 7}},
                                {seconds_window(10, 12), {kAbsent, 7}},
                                {seconds_window(12, 15), {2, 7}},
                                {seconds_window(15, 20), {2, kAbsent}},
                                {seconds_window(20, 25), {kAbsent, kAbsent}}}));
}

TEST(StepsTest, SweepOfNothingIsOneStretch) {
  EXPECT_EQ(visits_of({}, seconds_window(0, 5)), (std::vector<Visit>{{seconds_window(0, 5), {}}}));
  EXPECT_TRUE(visits_of({}, seconds_window(5, 5)).empty());
}

Steps random_steps(std::mt19937_64& random) {
  Steps out;
  std::int64_t now = static_cast<std::int64_t>(random() % 10);
  for (std::size_t i = random() % 8; i > 0; --i) {
    const auto length = static_cast<std::int64_t>(1 + random() % 9);
    out.push_back(piece(now, now + length, static_cast<std::int64_t>(random() % 4)));
    now += length + static_cast<std::int64_t>(random() % 3);
  }
  return out;
}

std::int64_t level_or_absent(const Steps& steps, std::int64_t second) { return level_at(steps, at_second(second), kAbsent); }

TEST(StepsTest, EveryFunctionAgreesWithItsDefinitionSecondBySecond) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 3'000; ++round) {
    const Steps a = random_steps(random);
    const Steps b = random_steps(random);
    const Steps larger = max_of(a, b);
    const Steps sum = sum_two(a, b);
    const Steps kept = masked(a, b);
    const Steps rest = unmasked(a, b);
    for (std::int64_t t = -1; t < 100; ++t) {
      const std::int64_t x = level_or_absent(a, t);
      const std::int64_t y = level_or_absent(b, t);
      const bool through = y != kAbsent && y != 0;
      ASSERT_EQ(level_or_absent(larger, t), std::max(x, y));
      ASSERT_EQ(level_or_absent(sum, t), x == kAbsent && y == kAbsent ? kAbsent : (x == kAbsent ? 0 : x) + (y == kAbsent ? 0 : y));
      ASSERT_EQ(level_or_absent(kept, t), through ? x : kAbsent);
      ASSERT_EQ(level_or_absent(rest, t), through ? kAbsent : x);
    }
    ASSERT_EQ(integral(sum), integral(a) + integral(b));
    ASSERT_EQ(integral(kept) + integral(rest), integral(a));
    ASSERT_EQ(integral(compact(a)), integral(a));
  }
}

}  // namespace
}  // namespace seedance
