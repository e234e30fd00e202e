// SPDX-License-Identifier: Apache-2.0
// The field of random modes: its statistics follow from the modes, so that they are known without noise.
#include "fluvia/solver/profiles/random_field.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace fluvia::test {
namespace {

constexpr double full_turn = 2 * std::numbers::pi;

RandomField field_of(int dimension, double length, const Real3& along = {1, 0, 0}, std::uint64_t seed = 1) {
  RandomField::Input input;
  input.dimension = dimension;
  input.deviation = 1;
  input.length = length;
  input.along = along;
  input.seed = seed;
  return RandomField(input);
}

template <class Visit>
void for_each_mode(const RandomField& field, const Visit& visit) {
  for (int g = 0; g < field.group_count(); ++g)
    for (const RandomField::Mode& mode : field.modes_of(g)) visit(mode, field.along_of(g));
}

/// Mean squares over all phases, and the direction in which waves go. In all directions together they are exact; of one
/// direction alone 120 fields had a standard deviation of 1.3%, and 4.2% at most.
TEST(RandomField, HasTheDeviationInEveryDirection) {
  for (const int dimension : {2, 3})
    for (const double length : {4.0, 12.0, 40.0})
      for (const Real3& along : {Real3{1, 0, 0}, Real3{0, -1, 0}, Real3{0.6, 0.8, 0}}) {
        Real3 square{};
        const RandomField field = field_of(dimension, length, along);
        for_each_mode(field, [&](const RandomField::Mode& mode, double of_group) {
          for (std::size_t a = 0; a < 3; ++a) square[a] += 0.5 * mode.amplitude[a] * mode.amplitude[a];
          EXPECT_NEAR(dot(mode.wave, along), of_group, 1e-12);
          EXPECT_GT(of_group, 0);
          EXPECT_LT(norm(mode.wave), full_turn / 4 + 1e-9);
          if (dimension == 2) {
            EXPECT_EQ(mode.wave[2], 0);
          }
        });
        EXPECT_NEAR(square[0] + square[1] + square[2], dimension, 1e-12);
        for (int a = 0; a < dimension; ++a) EXPECT_NEAR(square[static_cast<std::size_t>(a)], 1, 0.06) << a;
      }
}

/// By the modes, and by differences of the velocity itself.
TEST(RandomField, HasNoDivergence) {
  for (const int dimension : {2, 3}) {
    const RandomField field = field_of(dimension, 10, {0.6, dimension == 2 ? 0.8 : 0.0, dimension == 2 ? 0.0 : 0.8});
    for_each_mode(field,
                  [](const RandomField::Mode& mode, double) { EXPECT_NEAR(dot(mode.amplitude, mode.wave), 0, 1e-15); });
    double divergence = 0, gradient = 0;
    for (int k = 0; k < 20; ++k) {
      const Real3 point = {1.7 * k, 31 - 2.9 * k, dimension == 2 ? 0 : 0.7 * k};
      double sum = 0;
      for (std::size_t a = 0; a < 3; ++a) {
        constexpr double h = 1e-4;
        Real3 step{};
        step[a] = h;
        const Real3 slope =
            (1 / (2 * h)) * (field.velocity(point + step, 3.3 * k) - field.velocity(point - step, 3.3 * k));
        sum += slope[a];
        gradient += dot(slope, slope);
      }
      divergence += sum * sum;
    }
    EXPECT_LT(std::sqrt(divergence / gradient), 1e-6);
  }
}

/// The share of the energy below a wave number is that of von Karman's spectrum up to the shortest wave. Modes lie at
/// quantiles of 32 by 24 cells, so that no share is off by more than what some cells at its rim have.
TEST(RandomField, HasTheSpectrumOfVonKarman) {
  const auto energy = [](double scale, double end) {  // by Simpson's rule
    constexpr int intervals = 20000;
    double sum = 0;
    for (int i = 0; i <= intervals; ++i) {
      const double k = end * i / intervals / scale;
      sum += (i == 0 || i == intervals ? 1 : i % 2 == 1 ? 4 : 2) * std::pow(k, 4) * std::pow(1 + k * k, -17.0 / 6);
    }
    return sum * end / (3 * intervals);
  };
  for (const int dimension : {2, 3})
    for (const double length : {5.0, 20.0}) {
      const double scale = von_karman_scale(dimension, full_turn / 4 * length) / length;
      for (const double part : {0.1, 0.2, 0.4, 0.7}) {
        const double limit = part * full_turn / 4;
        double below = 0, all = 0;
        for_each_mode(field_of(dimension, length), [&](const RandomField::Mode& mode, double) {
          all += dot(mode.amplitude, mode.amplitude);
          if (norm(mode.wave) < limit) below += dot(mode.amplitude, mode.amplitude);
        });
        EXPECT_NEAR(below / all, energy(scale, limit) / energy(scale, full_turn / 4), 0.02) << dimension << ' ' << part;
      }
    }
  // Without a shortest wave the integral length is 0.7468 / k_e (J. O. Hinze, Turbulence, 1975, section 3-4).
  EXPECT_NEAR(von_karman_scale(3, 1e4), 0.7468, 0.002);
}

/// The integral of the correlation along the flow. Of one field its standard deviation is 4.5%, of the mean of eight
/// 1.6%, from 40 seeds.
TEST(RandomField, HasTheIntegralLength) {
  for (const int dimension : {2, 3})
    for (const double length : {4.0, 16.0}) {
      double mean = 0;
      constexpr int seeds = 8;
      for (int seed = 1; seed <= seeds; ++seed) {
        double sum = 0, at_once = 0;
        for_each_mode(field_of(dimension, length, {1, 0, 0}, static_cast<std::uint64_t>(seed)),
                      [&](const RandomField::Mode& mode, double along) {
                        const double square = mode.amplitude[0] * mode.amplitude[0];
                        const double end = 8 * length;  // from there on it is what is left of chance
                        at_once += square;
                        sum += square * std::sin(along * end) / along;
                      });
        mean += sum / at_once / seeds;
      }
      EXPECT_NEAR(mean / length, 1, 0.06) << dimension << ' ' << length;
    }
}

/// The mean flow carries the field along as it is.
TEST(RandomField, IsCarriedAlong) {
  const Real3 along = {0.6, 0, 0.8};
  const RandomField field = field_of(3, 8, along);
  for (int k = 0; k < 20; ++k) {
    const Real3 point = {3.1 * k, 7 - 2.0 * k, 0.3 * k};
    const double distance = 11.7 * k;
    EXPECT_LT(norm(field.velocity(point, distance) - field.velocity(point - distance * along, 0)), 1e-10);
  }
}

TEST(RandomField, FollowsFromItsSeed) {
  const Real3 point = {3, 4, 5};
  const Real3 first = field_of(3, 8).velocity(point, 2);
  EXPECT_EQ(field_of(3, 8).velocity(point, 2), first);
  EXPECT_GT(norm(field_of(3, 8, {1, 0, 0}, 2).velocity(point, 2) - first), 0.1);
}

}  // namespace
}  // namespace fluvia::test
