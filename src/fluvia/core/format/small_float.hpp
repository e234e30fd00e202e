// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/config.hpp"

namespace fluvia::core {

namespace detail {
FLUVIA_FUNCTION Uint32 bits_of(float x) {
  return __builtin_bit_cast(Uint32, x);
}
FLUVIA_FUNCTION float float_of(Uint32 bits) {
  return __builtin_bit_cast(float, bits);
}
/// 2^exponent as a float.
constexpr float power_of_two(int exponent) {
  return __builtin_bit_cast(float, static_cast<Uint32>(127 + exponent) << 23);
}
}  // namespace detail

/// A 16-bit float: sign, `exponent_bits`, `mantissa_bits` (their sum is 15), IEEE-like with denormals, of the value
/// times 2^scale. Exponents are biased by 2^4 - 1 = 15. Rounds to nearest even. Too large values and NaN saturate
/// (there is no infinity: an overflow shows as a huge population, which the Mach guard catches). Only integer and float
/// additions, no float denormals, so that compilers vectorise it and all devices agree.
template <int exponent_bits, int mantissa_bits, int scale>
struct SmallFloat {
  static_assert(exponent_bits + mantissa_bits == 15);
  using Storage = Uint16;
  using Arithmetic = float;
  static constexpr int shift = 23 - mantissa_bits;
  /// Exponent of the smallest normal number before scaling; both bias 15 formats have 2^-14.
  static constexpr int smallest_normal = -14 - scale;
  /// IEEE half keeps its top exponent for infinity; fp16c uses all.
  static constexpr Uint32 largest = exponent_bits == 5 ? 0x7bffu : 0x7fffu;

  static FLUVIA_FUNCTION float decode(Uint16 h) {
    const Uint32 magnitude = static_cast<Uint32>(h & 0x7fffu) << shift;
    const Uint32 rebias = static_cast<Uint32>(127 - 15 - scale) << 23;
    const Uint32 normal = magnitude + rebias;
    // A denormal m counts steps of 2^(smallest_normal - mantissa_bits): put m below a one and take the one away.
    const float one = detail::power_of_two(smallest_normal);
    const float denormal = detail::float_of(magnitude + (static_cast<Uint32>(127 + smallest_normal) << 23)) - one;
    const bool is_denormal = (h & 0x7fffu) < (1u << mantissa_bits);
    const Uint32 result = is_denormal ? detail::bits_of(denormal) : normal;
    return detail::float_of(result | static_cast<Uint32>(h & 0x8000u) << 16);
  }

  static FLUVIA_FUNCTION Uint16 encode(float x) {
    const Uint32 bits = detail::bits_of(x), sign = (bits >> 16) & 0x8000u, magnitude = bits & 0x7fffffffu;
    // Adding a number whose last bit is worth one denormal step rounds to whole steps.
    const float step_one = detail::power_of_two(smallest_normal - mantissa_bits + 23);
    const Uint32 denormal = detail::bits_of(detail::float_of(magnitude) + step_one) - detail::bits_of(step_one);
    const Uint32 rebias = static_cast<Uint32>(127 - 15 - scale) << 23;
    const Uint32 half_minus_one = (1u << (shift - 1)) - 1u;
    const Uint32 normal = (magnitude - rebias + half_minus_one + ((magnitude >> shift) & 1u)) >> shift;
    const bool is_denormal = magnitude < (static_cast<Uint32>(127 + smallest_normal) << 23);
    // All 16 bits set is beyond the largest value of both formats, so saturation needs one comparison on the input.
    const bool is_large = magnitude >= saturation_bits();
    const Uint32 result = is_large ? largest : (is_denormal ? denormal : normal);
    return static_cast<Uint16>(result | sign);
  }

 private:
  /// Smallest float (bits) that would round beyond `largest`.
  static constexpr Uint32 saturation_bits() {
    return (largest << shift) + (static_cast<Uint32>(127 - 15 - scale) << 23) + (1u << (shift - 1));
  }
};

}  // namespace fluvia::core
