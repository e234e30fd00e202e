// SPDX-License-Identifier: Apache-2.0
// Square roots by the name that argument-dependent look-up completes for packs; NVRTC has no <cmath>. Logarithms and
// powers of 2 that are the same on every device, without branches and loops, so that compilers vectorise loops over
// them.
#pragma once
#include "fluvia/core/config.hpp"

#if !defined(__CUDACC_RTC__)
#include <cmath>
#else
namespace std {
using ::sqrt;
}
#endif

namespace fluvia::core {

/// |x| of a number or of a pack.
FLUVIA_FUNCTION float magnitude(float x) {
  return x < 0 ? -x : x;
}
FLUVIA_FUNCTION double magnitude(double x) {
  return x < 0 ? -x : x;
}
template <class Pack>
FLUVIA_FUNCTION Pack magnitude(const Pack& x) {
  return abs(x);
}

namespace detail {
/// How a floating-point type is made: bits of the mantissa, bias of the exponent, and how many terms of the series
/// below reach its last digit.
template <class S>
struct FloatLayout;
template <>
struct FloatLayout<float> {
  using Bits = Uint32;
  using Signed = int;
  static constexpr int mantissa = 23, bias = 127, power_terms = 7, logarithm_terms = 5;
};
template <>
struct FloatLayout<double> {
  using Bits = Uint64;
  using Signed = Int64;
  static constexpr int mantissa = 52, bias = 1023, power_terms = 13, logarithm_terms = 11;
};
inline constexpr double log_of_2 = 0.69314718055994530942;
}  // namespace detail

/// 2^x of a float or double, to a few units in the last place of 1; x beyond the exponents of normal numbers counts as
/// the last of them.
template <class S>
FLUVIA_FUNCTION S binary_power(S x) {
  using Layout = detail::FloatLayout<S>;
  using Bits = typename Layout::Bits;
  constexpr S last = S(Layout::bias - 1);
  x = x < -last ? -last : x;
  x = x > last ? last : x;
  // Truncation rounds numbers above 0 down.
  const int shifted = static_cast<int>(x + S(Layout::bias + 0.5));
  const S rest = (x - S(shifted - Layout::bias)) * S(detail::log_of_2);
  S sum = S(1);  // series of exp(rest), |rest| <= ln(2)/2
  unroll<Layout::power_terms>([&](auto k) { sum = sum * rest * S(1.0 / (Layout::power_terms - k.i)) + S(1); });
  return sum * __builtin_bit_cast(S, static_cast<Bits>(shifted) << Layout::mantissa);
}

/// log2 x of a normal float or double above 0, to a few units in the last place of the larger of it and 1.
template <class S>
FLUVIA_FUNCTION S binary_logarithm(S x) {
  using Layout = detail::FloatLayout<S>;
  using Bits = typename Layout::Bits;
  // x = m 2^e with m from sqrt(1/2) to sqrt(2): bits compare like numbers.
  constexpr Bits root_half = __builtin_bit_cast(Bits, S(0.70710678118654752440));
  const Bits offset = __builtin_bit_cast(Bits, x) - root_half;
  const int exponent = static_cast<int>(static_cast<typename Layout::Signed>(offset) >> Layout::mantissa);
  const Bits mantissa = offset & ((Bits(1) << Layout::mantissa) - 1);
  const S m = __builtin_bit_cast(S, mantissa + root_half);
  const S s = (m - S(1)) / (m + S(1)), square = s * s;
  S sum = S(0);  // series ln m = 2 (s + s^3/3 + s^5/5 + ...), |s| <= 0.172
  unroll<Layout::logarithm_terms>(
      [&](auto k) { sum = sum * square + S(1.0 / (2 * (Layout::logarithm_terms - k.i) - 1)); });
  return S(exponent) + s * sum * S(2 / detail::log_of_2);
}

}  // namespace fluvia::core
