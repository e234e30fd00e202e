// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/monitors/block_average.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "fluvia/run/loop/course.hpp"

namespace fluvia::test {
namespace {

/// x_k = memory x_(k-1) + noise: of variance 1, correlated like memory^distance.
std::vector<double> series(std::size_t count, double memory, unsigned seed, double mean = 0) {
  std::mt19937 random(seed);
  std::normal_distribution<double> noise(0, std::sqrt(1 - memory * memory));
  std::vector<double> result;
  double x = std::normal_distribution<double>(0, 1)(random);
  for (std::size_t k = 0; k < count; ++k) {
    result.push_back(mean + x);
    x = memory * x + noise(random);
  }
  return result;
}

/// Standard error of the mean of n of them (Priestley, Spectral Analysis and Time Series, 1981, 5.3), n large.
double error_of_mean(std::size_t n, double memory) {
  return std::sqrt((1 + memory) / (1 - memory) / static_cast<double>(n));
}

TEST(BlockAverage, FindsTheErrorOfAnAutoregressiveSeries) {
  for (const double memory : {0.0, 0.5, 0.9, 0.98}) {
    const std::size_t n = std::size_t{1} << 15;
    double sum = 0;
    constexpr int seeds = 8;
    for (unsigned seed = 1; seed <= seeds; ++seed) {
      const BlockAverage average = block_average(series(n, memory, seed));
      EXPECT_TRUE(average.plateau) << memory;
      EXPECT_NEAR(average.error / error_of_mean(n, memory), 1, 0.3) << memory << " seed " << seed;
      EXPECT_NEAR(average.independent, 1 / (average.error * average.error), 0.4 / (average.error * average.error));
      sum += average.error;
    }
    EXPECT_NEAR(sum / seeds / error_of_mean(n, memory), 1, 0.1) << memory;
  }
}

TEST(BlockAverage, BlocksAreLongerThanTheMemory) {
  const std::size_t n = std::size_t{1} << 15;
  EXPECT_LE(block_average(series(n, 0, 3)).block, 8u);
  EXPECT_GE(block_average(series(n, 0.9, 3)).block, 16u);
  EXPECT_GE(block_average(series(n, 0.98, 3)).block, 64u);
}

TEST(BlockAverage, SaysIfThereIsNoPlateau) {
  EXPECT_FALSE(block_average(series(512, 0.999, 5)).plateau);  // memory longer than the series
  std::vector<double> ramp;
  for (int k = 0; k < 1000; ++k) ramp.push_back(k);
  EXPECT_FALSE(block_average(ramp).plateau);
  EXPECT_FALSE(block_average(series(40, 0, 5)).plateau);  // too few to tell
  // A lower bound of the error then, but none from before the memory is over.
  EXPECT_GT(block_average(ramp).error, 100);
}

TEST(BlockAverage, OfConstantsAndOfNothing) {
  const BlockAverage constant = block_average(std::vector<double>(100, 3.5));
  EXPECT_TRUE(constant.plateau);
  EXPECT_EQ(constant.error, 0);
  EXPECT_EQ(constant.independent, 100);
  EXPECT_FALSE(block_average({}).plateau);
  EXPECT_FALSE(block_average(std::vector<double>{1}).plateau);
  EXPECT_EQ(block_average(std::vector<double>{1}).error, 0);
  EXPECT_GT(block_average(std::vector<double>{1, 2}).error, 0);
}

TEST(BlockAverage, IsAnUpperBoundForAnOscillation) {
  std::vector<double> sine;
  for (int k = 0; k < 4000; ++k) sine.push_back(2 + std::sin(0.0628 * k + 0.3));  // 40 periods
  const BlockAverage average = block_average(sine);
  double mean = 0;
  for (const double x : sine) mean += x / static_cast<double>(sine.size());
  EXPECT_TRUE(average.plateau);
  EXPECT_GT(2 * average.error, std::abs(mean - 2));
  EXPECT_LT(average.error, 0.15);
}

SignalStatistics signal_of(const std::vector<double>& values) {
  SignalStatistics signal;
  for (const double value : values) signal.add(value);
  return signal;
}

Course course_of(const std::vector<double>& values, double scale, double steps = 10) {
  return judge_course(signal_of(values), values.empty() ? 0 : values.back(), scale, steps);
}

TEST(Courses, BoundWhatAnApproachHasToGo) {
  for (const double time : {30.0, 60.0, 150.0}) {
    std::vector<double> values;
    for (int k = 0; k <= 200; ++k) values.push_back(5 - 3 * std::exp(-k / time));
    const Course course = course_of(values, 5);
    const double left = 3 * std::exp(-200 / time);
    EXPECT_EQ(course.kind, left < 4e-4 * 5 ? Course::Kind::steady : Course::Kind::changing) << time;
    EXPECT_EQ(course.value, values.back());
    EXPECT_FALSE(course.is_mean());
    ASSERT_TRUE(course.error) << time;
    EXPECT_GE(*course.error, 0.97 * left) << time;
    EXPECT_LT(*course.error, 30 * left) << time;
    // From the middle of the window to its end.
    const double change = values.back() - values[101];
    EXPECT_NEAR(course.per_thousand, change, 0.02 * change) << time;  // 100 rows of 10 steps
  }
}

TEST(Courses, KnowNoBoundForWhatGoesOnAsItDid) {
  std::vector<double> values;
  for (int k = 0; k < 100; ++k) values.push_back(k);
  const Course course = course_of(values, 100);
  EXPECT_EQ(course.kind, Course::Kind::changing);
  EXPECT_FALSE(course.error);
  EXPECT_NEAR(course.per_thousand, 98, 1e-9);
  // So little that it is steady all the same.
  EXPECT_EQ(course_of(values, 1e6).kind, Course::Kind::steady);
}

/// A long run's rows are joined until they fit in memory; the change in 1000 steps is that of the run all the same.
TEST(Courses, OfJoinedRowsChangeAtTheSameRate) {
  std::vector<double> values;
  for (std::size_t k = 0; k < 2 * SignalStatistics::most_samples; ++k) values.push_back(0.25 * static_cast<double>(k));
  ASSERT_EQ(signal_of(values).stride(), 4u);
  EXPECT_NEAR(course_of(values, 1e5, 50).per_thousand, 5, 1e-3);
}

/// Up, down and up again crosses the mean three times: no more than an overshoot on the way to something.
TEST(Courses, ThatCrossTheirMeanThreeTimesAreNoFluctuations) {
  const auto swings = [](double cycles) {
    std::vector<double> values;
    for (int k = 0; k < 100; ++k) values.push_back(-std::cos(6.283185307 * cycles * (k + 0.5) / 100));
    return course_of(values, 1).kind;
  };
  EXPECT_EQ(swings(1.5), Course::Kind::changing);
  EXPECT_EQ(swings(2), Course::Kind::fluctuating);
}

TEST(Courses, OfFluctuationsAreMeans) {
  const std::vector<double> values = series(4096, 0.8, 11, 7);
  const Course course = course_of(values, 8);
  EXPECT_EQ(course.kind, Course::Kind::fluctuating);
  EXPECT_NEAR(course.value, signal_of(values).mean(), 1e-12);
  ASSERT_TRUE(course.error);
  EXPECT_NEAR(*course.error, 2 * error_of_mean(4096, 0.8), 0.3 * *course.error);
  EXPECT_LT(std::abs(course.value - 7), *course.error);
  EXPECT_TRUE(course.plateau);
  // With a drift it is no mean, nor where it dies out.
  std::vector<double> drifting = values, dying = values;
  for (std::size_t k = 0; k < values.size(); ++k) {
    drifting[k] += 1e-3 * static_cast<double>(k);
    dying[k] = 7 + (values[k] - 7) * std::exp(-static_cast<double>(k) / 400);
  }
  EXPECT_EQ(course_of(drifting, 8).kind, Course::Kind::changing);
  EXPECT_NE(course_of(dying, 8).kind, Course::Kind::fluctuating);
}

TEST(Courses, OfOscillationsAreMeansOverWholePeriods) {
  std::mt19937 random(3);
  std::normal_distribution<double> noise(0, 0.02);
  const auto oscillation = [&](double periods, double noisy) {
    std::vector<double> values;
    for (int k = 0; k < 400; ++k)
      values.push_back(3 + std::sin(6.283185307 * periods * k / 400 + 0.7) + noisy * noise(random));
    return course_of(values, 4);
  };
  // Over the window the mean would be wrong by up to 1 / (pi periods).
  for (const double periods : {3.4, 7.5, 12.2, 19.5}) {
    const Course course = oscillation(periods, 0);
    EXPECT_EQ(course.kind, Course::Kind::fluctuating) << periods;
    EXPECT_EQ(course.periods, std::floor(periods));
    EXPECT_TRUE(course.plateau);
    EXPECT_NEAR(course.value, 3, 0.01) << periods;
    EXPECT_GT(*course.error, 0);
    EXPECT_LT(*course.error, 0.02) << periods;
  }
  int inside = 0;
  for (int k = 0; k < 50; ++k) {
    const Course course = oscillation(10.3, 10);
    inside += std::abs(course.value - 3) <= *course.error;
    EXPECT_NEAR(*course.error, 2 * 0.2 / 20, 0.014);  // independent noise of 400 samples
  }
  EXPECT_GE(inside, 40);
}

TEST(Courses, AreUnknownFromFewRowsOrNoNumbers) {
  EXPECT_EQ(course_of(std::vector<double>(7, 1), 1).kind, Course::Kind::unknown);
  EXPECT_EQ(course_of(std::vector<double>(8, 1), 1).kind, Course::Kind::steady);
  std::vector<double> values(20, 1);
  values[4] = NAN;
  EXPECT_EQ(course_of(values, 1).kind, Course::Kind::unknown);
  EXPECT_EQ(course_of({}, 1).kind, Course::Kind::unknown);
  EXPECT_FALSE(course_of({}, 1).error);
}

}  // namespace
}  // namespace fluvia::test
