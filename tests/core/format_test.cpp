// SPDX-License-Identifier: Apache-2.0
// Storage formats against a plain model of 16-bit floats: value of every code, rounding, saturation.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "fluvia/core/format/registry.hpp"

namespace fluvia::core {
namespace {

/// All values of a 16-bit format with codes 0 .. largest, from the textbook formula; ascending.
std::vector<double> values_of(int exponent_bits, int mantissa_bits, int scale, int largest) {
  std::vector<double> values;
  const int steps = 1 << mantissa_bits;
  for (int code = 0; code <= largest; ++code) {
    const int exponent = code / steps, mantissa = code % steps;
    EXPECT_LT(exponent, 1 << exponent_bits);
    const double value = exponent == 0 ? std::ldexp(mantissa, -14 - mantissa_bits)
                                       : std::ldexp(1 + static_cast<double>(mantissa) / steps, exponent - 15);
    values.push_back(std::ldexp(value, -scale));
  }
  return values;
}

/// Code nearest to x >= 0; a tie goes to the even code; beyond the largest value saturates.
int nearest_code(const std::vector<double>& values, double x) {
  const auto above = std::lower_bound(values.begin(), values.end(), x);
  if (above == values.end()) return static_cast<int>(values.size()) - 1;
  const int high = static_cast<int>(above - values.begin());
  if (high == 0) return 0;
  const double down = x - values[high - 1], up = values[high] - x;
  if (down == up) return high % 2 == 0 ? high : high - 1;
  return down < up ? high - 1 : high;
}

struct Model {
  std::vector<double> values;
  template <class Format>
  void check(float x) const {
    const int expected = nearest_code(values, std::abs(static_cast<double>(x))) | (std::signbit(x) ? 0x8000 : 0);
    ASSERT_EQ(Format::encode(x), expected) << Format::name << " of " << x;
  }
};

template <class Format>
void check_values_and_rounding(const Model& model) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (std::size_t code = 0; code < model.values.size(); ++code) {
    const auto positive = static_cast<Uint16>(code), negative = static_cast<Uint16>(code | 0x8000);
    ASSERT_EQ(Format::decode(positive), model.values[code]) << Format::name << " code " << code;
    ASSERT_EQ(Format::decode(negative), -model.values[code]) << Format::name << " code " << code;
    if (code == 0) continue;
    // The middle of two neighbours and its own neighbours: every rounding decision of the format.
    const float middle = static_cast<float>(0.5 * (model.values[code - 1] + model.values[code]));
    for (const float x : {middle, std::nextafter(middle, 0.0F), std::nextafter(middle, infinity)}) {
      model.check<Format>(x);
      model.check<Format>(-x);
    }
  }
}

template <class Format>
void check_random(const Model& model) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> exponent(-45.0F, 3.0F);
  for (int k = 0; k < 200000; ++k) {
    const float x = std::exp2(exponent(random)) * (k % 2 == 0 ? 1.0F : -1.0F);
    model.check<Format>(x);
  }
}

template <class Format>
void check_saturation(double largest) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const float x : {static_cast<float>(largest), 2.0F, 3.0F, 1e30F, infinity}) {
    EXPECT_EQ(Format::decode(Format::encode(x)), static_cast<float>(largest)) << Format::name << " of " << x;
    EXPECT_EQ(Format::decode(Format::encode(-x)), -static_cast<float>(largest)) << Format::name << " of " << -x;
  }
  // NaN becomes a huge population, never a small one, so that the Mach guard sees it.
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(std::abs(Format::decode(Format::encode(nan))), static_cast<float>(largest));
}

template <class Format>
void check_format(const Model& model) {
  check_values_and_rounding<Format>(model);
  check_random<Format>(model);
  check_saturation<Format>(model.values.back());
}

TEST(Formats, Fp16sIsIeeeHalfOfTheScaledDeviation) {
  const Model model{values_of(5, 10, 15, 0x7bff)};
  EXPECT_EQ(model.values.back(), 65504.0 / 32768);
  check_format<Fp16S>(model);
}

TEST(Formats, Fp16cIsACustomHalf) {
  const Model model{values_of(4, 11, 0, 0x7fff)};
  EXPECT_EQ(model.values.back(), 2 - std::ldexp(1.0, -11));
  check_format<Fp16C>(model);
}

#if defined(__aarch64__)
#define FLUVIA_HALF __fp16  // GCC 12 has no _Float16 there in C++
#elif defined(__FLT16_MAX__)
#define FLUVIA_HALF _Float16
#endif

TEST(Formats, Fp16sRoundsLikeTheCompilersHalf) {
#if defined(FLUVIA_HALF)
  std::mt19937 random(7);
  std::uniform_real_distribution<float> exponent(-40.0F, 0.9F);
  for (int k = 0; k < 200000; ++k) {
    const float x = std::exp2(exponent(random)) * (k % 2 == 0 ? 1.0F : -1.0F);
    const auto half = static_cast<FLUVIA_HALF>(x * 32768.0F);
    ASSERT_EQ(Fp16S::encode(x), __builtin_bit_cast(Uint16, half)) << x;
  }
#else
  GTEST_SKIP() << "this compiler has no type of 16 bits";
#endif
}

/// What is stored is read back unchanged: otherwise a saved and restored state would differ.
TEST(Formats, EveryStoredValueSurvivesDecodingAndEncoding) {
  for_each_type(Formats{}, []<class Format>(Format) {
    if constexpr (sizeof(typename Format::Storage) == 2) {
      for (Uint32 code = 0; code < 65536; ++code) {
        const auto stored = static_cast<Uint16>(code);
        const bool is_beyond_largest = (code & 0x7fffu) > Format::largest;  // codes that nothing encodes to
        if (is_beyond_largest) continue;
        ASSERT_EQ(Format::encode(Format::decode(stored)), stored) << Format::name;
      }
    } else {
      for (const double x : {0.0, 1.0, -0.1, 1e-30, 3e-7}) {
        const auto stored = static_cast<typename Format::Storage>(x);
        EXPECT_EQ(Format::encode(Format::decode(stored)), stored) << Format::name;
      }
    }
  });
}

TEST(Formats, ArithmeticIsDoubleForFp64Only) {
  for_each_type(Formats{}, []<class Format>(Format) {
    EXPECT_EQ(sizeof(typename Format::Arithmetic), sizeof(typename Format::Storage) == 8 ? 8u : 4u) << Format::name;
    EXPECT_EQ(Format::decode(typename Format::Storage{}), 0) << Format::name << ": zeroed memory is a fluid at rest";
  });
}

}  // namespace
}  // namespace fluvia::core
