// SPDX-License-Identifier: Apache-2.0
// Stochastic rounding to 16 bits: one of the two neighbours, the right mean, and random bits that are what they say.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "fluvia/core/format/random_bits.hpp"
#include "fluvia/core/format/registry.hpp"

namespace fluvia::core {
namespace {

/// Numbers of every kind that a format stores: codes, next to codes, in between, denormal, negative.
template <class Format>
std::vector<float> samples() {
  std::vector<float> result = {0.0F, -0.0F, 1e-20F, -1e-30F};
  std::mt19937 random(3);
  std::uniform_int_distribution<int> any(0, static_cast<int>(Format::largest) - 1);
  std::uniform_real_distribution<float> inside(0.0F, 1.0F);
  std::vector<int> codes = {0,
                            1,
                            2,
                            (1 << Format::kept_bits) - 1,
                            1 << Format::kept_bits,
                            (1 << Format::kept_bits) + 1,
                            2 << Format::kept_bits,
                            static_cast<int>(Format::largest) - 1};
  for (int k = 0; k < 60; ++k) codes.push_back(any(random) >> k % 6);
  for (const int code : codes) {
    const float low = Format::decode(static_cast<Uint16>(code)), high = Format::decode(static_cast<Uint16>(code + 1));
    const float between = low + (high - low) * inside(random);
    for (const float x : {low, std::nextafter(low, high), between, std::nextafter(high, low)}) {
      result.push_back(x);
      result.push_back(-x);
    }
  }
  return result;
}

template <class Format>
void check_mean() {
  constexpr Uint32 count = 1u << Format::random_bits;
  for (const float x : samples<Format>()) {
    const double magnitude = std::abs(static_cast<double>(x));
    // The code at or below |x|, by comparison only.
    Uint32 low = 0, above = Format::largest + 1;
    while (above - low > 1) {
      const Uint32 middle = (low + above) / 2;
      (static_cast<double>(Format::decode(static_cast<Uint16>(middle))) <= magnitude ? low : above) = middle;
    }
    const double from = Format::decode(static_cast<Uint16>(low)), to = Format::decode(static_cast<Uint16>(low + 1));
    double sum = 0;
    Uint32 before = low;
    for (Uint32 random = 0; random < count; ++random) {
      const Uint16 stored = Format::encode(x, random);
      ASSERT_EQ((stored & 0x8000u) != 0, std::signbit(x)) << Format::name << " of " << x;
      const Uint32 code = stored & 0x7fffu;
      ASSERT_TRUE(code == low || code == low + 1) << Format::name << " of " << x << " with " << random;
      ASSERT_GE(code, before) << "more random, less magnitude";
      before = code;
      sum += Format::decode(static_cast<Uint16>(code));
    }
    // Exact where the last bit of x is worth a part of the unit, else what is less than a part is lost.
    const double part = (to - from) / count;
    const bool is_normal = low >= 1u << Format::kept_bits;
    ASSERT_NEAR(sum / count, magnitude, is_normal ? 0 : part) << Format::name << " of " << x;
  }
}

template <class Format>
void check_extremes() {
  const float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const float largest = Format::decode(static_cast<Uint16>(Format::largest));
  for (const Uint32 random : {0u, 1u, (1u << Format::random_bits) - 1}) {
    for (const float x : {largest, std::nextafter(largest, 9.0F), 2.0F, 3.0F, 1e30F, infinity}) {
      EXPECT_EQ(Format::encode(x, random), Format::largest) << Format::name << " of " << x;
      EXPECT_EQ(Format::encode(-x, random), Format::largest | 0x8000u) << Format::name << " of " << -x;
    }
    // As Format::encode(x): huge, never small, so that the Mach guard sees it. All bits of CUDA's NaN are set.
    for (const float x : {nan, -nan, __builtin_bit_cast(float, 0x7fffffffu), __builtin_bit_cast(float, 0xffffffffu)}) {
      EXPECT_EQ(Format::encode(x, random) & 0x7fffu, Format::largest) << Format::name;
      EXPECT_TRUE(std::isnan(Format::dither(x, random))) << Format::name;
    }
    for (Uint32 code = 0; code <= Format::largest; ++code) {
      const auto stored = static_cast<Uint16>(code);
      ASSERT_EQ(Format::encode(Format::decode(stored), random), stored) << "what is stored must stay";
    }
  }
}

TEST(StochasticRounding, IsOneOfTwoNeighboursAndRightInTheMean) {
  for_each_type(Formats{}, []<class Format>(Format) {
    if constexpr (rounds<Format>) check_mean<Format>();
  });
}

TEST(StochasticRounding, KeepsWhatIsStoredAndSaturates) {
  for_each_type(Formats{}, []<class Format>(Format) {
    if constexpr (rounds<Format>) check_extremes<Format>();
  });
}

/// Pairs of 4 bits of `count` samples in a table of 16 x 16: sum of squared deviations from what independence gives.
/// For random bits its mean is 255 and its standard deviation 22.6.
template <class Sample>
double chi_squared(int count, const Sample& sample) {
  std::vector<int> table(256);
  for (int k = 0; k < count; ++k) {
    const auto [a, b] = sample(k);
    ++table[16 * a + b];
  }
  double sum = 0;
  for (const int found : table) sum += (found - count / 256.0) * (found - count / 256.0) / (count / 256.0);
  return sum;
}

/// Six standard deviations above the mean: among some thousand tables, random bits reach it once in some ten thousand
/// tries; and bits that are all too even are not random either.
void expect_independent(double chi, const char* what, int a, int b) {
  EXPECT_LT(chi, 255 + 6 * 22.6) << what << ' ' << a << ' ' << b;
  EXPECT_GT(chi, 255 - 6 * 22.6) << what << ' ' << a << ' ' << b;
}

constexpr int directions = 2 * completed_directions;

TEST(RandomBits, OfTwoDirectionsAreIndependent) {
  constexpr int count = 1 << 13;
  std::vector<std::vector<Uint32>> bits(directions, std::vector<Uint32>(count));
  for (int i = 0; i < directions; ++i) {
    const Uint32 multiplier = direction_multiplier(i);
    for (int k = 0; k < count; ++k)
      bits[i][k] = direction_bits<4>(node_bits(static_cast<Uint32>(k), step_key(12)), multiplier);
  }
  for (int i = 0; i < directions; ++i)
    for (int j = 0; j < i; ++j)
      expect_independent(chi_squared(count, [&](int k) { return std::pair(bits[i][k], bits[j][k]); }), "directions", i,
                         j);
}

/// Neighbours along x, y, z of a box of 256^3, and the next steps.
TEST(RandomBits, OfNeighboursAndFollowingStepsAreIndependent) {
  constexpr int count = 1 << 16;
  for (const Uint32 distance : {1u, 2u, 255u, 256u, 257u, 65536u, 65537u})
    for (const Uint64 later : {0u, 1u, 2u, 16u})
      for (const int i : {0, 1, 2, 18}) {
        const Uint32 multiplier = direction_multiplier(i);
        const auto of = [&](int k, Uint32 by, Uint64 step) {
          return direction_bits<4>(node_bits(static_cast<Uint32>(k) + by, step_key(step)), multiplier);
        };
        expect_independent(
            chi_squared(count, [&](int k) { return std::pair(of(k, 0, 7), of(k, distance, 7 + later)); }),
            "nodes and direction", static_cast<int>(distance), i);
        if (later > 0)  // one node through time
          expect_independent(chi_squared(count,
                                         [&](int k) {
                                           const auto step = static_cast<Uint64>(k);
                                           return std::pair(of(0, distance, step), of(0, distance, step + later));
                                         }),
                             "steps and direction", static_cast<int>(later), i);
      }
}

TEST(RandomBits, AreAsManyAsAFormatTakesAndEachAsOftenOneAsZero) {
  constexpr int count = 1 << 16;
  for (int i = 0; i < directions; ++i) {
    int ones[13] = {};
    for (int k = 0; k < count; ++k) {
      const Uint32 random = direction_bits<13>(node_bits(static_cast<Uint32>(k), step_key(3)), direction_multiplier(i));
      ASSERT_LT(random, 1u << 13);
      for (int bit = 0; bit < 13; ++bit) ones[bit] += static_cast<int>(random >> bit & 1u);
    }
    for (const int found : ones) EXPECT_NEAR(found, count / 2, 6 * std::sqrt(count) / 2) << "direction " << i;
  }
}

}  // namespace
}  // namespace fluvia::core
