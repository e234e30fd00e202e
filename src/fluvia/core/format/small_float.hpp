// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/format/format.hpp"

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
///
/// Stochastic rounding takes random bits below the last one that is kept: encode(x, random) is one of the two stored
/// values next to x, and x in the mean over all `random`, exactly if it is no denormal, else to a part of 2^random_bits
/// of the unit. It is made of two steps, dither and truncation, so that the first may happen where a node's direction
/// is known and the second where it is stored.
template <int exponent_bits, int mantissa_bits, int scale>
struct SmallFloat {
  static_assert(exponent_bits + mantissa_bits == 15);
  using Storage = Uint16;
  using Arithmetic = float;
  /// Digits of a number that is no denormal, the leading one included.
  static constexpr int precision_bits = mantissa_bits + 1;
  /// Whether GPUs have an instruction that converts the stored number; a format that has one sets this to true.
  static constexpr bool gpus_convert = false;
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

  /// Bits of the mantissa that are stored.
  static constexpr int kept_bits = mantissa_bits;
  /// Random bits that dither() takes: as many as truncation cuts off.
  static constexpr int random_bits = shift;
  /// Smallest magnitude whose unit in the last place is not that of the denormals.
  static constexpr float smallest = detail::power_of_two(smallest_normal);

  /// x moved away from zero by `random` of the 2^random_bits parts of its unit in the last place when stored; that of
  /// all denormals is the unit of the smallest normal number, of which they become a whole number of parts before. NaN
  /// stays NaN, and infinity becomes NaN.
  static FLUVIA_FUNCTION float dither(float x, Uint32 random) {
    const Uint32 bits = detail::bits_of(x), sign = bits & 0x80000000u;
    const float magnitude = detail::float_of(bits & 0x7fffffffu);
    const float has_unit = magnitude > smallest ? magnitude : smallest;  // not NaN, whose bits might overflow
    const float parts = detail::float_of(detail::bits_of(has_unit) + random) - has_unit;
    const float whole = magnitude < smallest ? (magnitude + smallest) - smallest : magnitude;
    return detail::float_of((detail::bits_of(whole + parts) & 0x7fffffffu) | sign);  // also the sign of a negative NaN
  }
  /// The stored value next to x towards zero, of an x that dither() returned. Saturates as encode() does.
  static FLUVIA_FUNCTION Uint16 truncate(float x) {
    const Uint32 bits = detail::bits_of(x), sign = (bits >> 16) & 0x8000u, magnitude = bits & 0x7fffffffu;
    const Uint32 denormal = detail::bits_of(detail::float_of(magnitude) + smallest) - detail::bits_of(smallest);
    const Uint32 normal = magnitude - (static_cast<Uint32>(127 - 15 - scale) << 23);
    const bool is_denormal = magnitude < detail::bits_of(smallest);
    const Uint32 result = magnitude >= largest_bits() ? largest : (is_denormal ? denormal : normal) >> shift;
    return static_cast<Uint16>(result | sign);
  }
  /// Rounds stochastically; `random` has random_bits bits.
  static FLUVIA_FUNCTION Uint16 encode(float x, Uint32 random) { return truncate(dither(x, random)); }

 private:
  /// The value `largest` as the bits of a float.
  static constexpr Uint32 largest_bits() { return (largest << shift) + (static_cast<Uint32>(127 - 15 - scale) << 23); }
  /// Bits of the smallest float that would round beyond `largest`.
  static constexpr Uint32 saturation_bits() { return largest_bits() + (1u << (shift - 1)); }
};

}  // namespace fluvia::core
