// SPDX-License-Identifier: Apache-2.0
// Formats on a GPU: as core defines them, by hardware conversion where there is one.
#pragma once
#include "fluvia/core/collision/contracted.hpp"
#include "fluvia/core/format/registry.hpp"
#include "fluvia/cuda/kernels/instructions.hpp"

namespace fluvia::cuda::kernels {

template <class Spec>
using Arithmetic = typename Spec::Format::Arithmetic;

/// The arithmetic type of physics, of the size of the format's: so every kernel gives the same bits, whatever code is
/// around it.
template <class Spec>
using Number = core::Contracted<Arithmetic<Spec>>;
template <class Spec, int count>
__device__ __forceinline__ void to_numbers(const Arithmetic<Spec> (&values)[count], Number<Spec> (&numbers)[count]) {
  core::unroll<count>([&](auto i) { numbers[i.i] = values[i.i]; });
}
template <class Spec, int count>
__device__ __forceinline__ void from_numbers(const Number<Spec> (&numbers)[count], Arithmetic<Spec> (&values)[count]) {
  core::unroll<count>([&](auto i) { values[i.i] = numbers[i.i].value; });
}

template <class Format>
struct Codec {
  using Storage = typename Format::Storage;
  using Arithmetic = typename Format::Arithmetic;
  static __device__ __forceinline__ Arithmetic decode(Storage x) { return Format::decode(x); }
  static __device__ __forceinline__ Storage encode(Arithmetic x) { return Format::encode(x); }
  /// Encodes two neighbours in 16 bits each, the first in the low half.
  static __device__ __forceinline__ core::Uint32 encode_pair(Arithmetic first, Arithmetic second) {
    return encode(first) | static_cast<core::Uint32>(encode(second)) << 16;
  }
};

/// IEEE half of 2^15 times the value. Saturates as core does; NaN stays NaN.
template <>
struct Codec<core::Fp16S> {
  static constexpr float scale = 32768.0f;
  static __device__ __forceinline__ float decode(core::Uint16 h) { return half_to_float(h) * (1.0f / scale); }
  static __device__ __forceinline__ core::Uint16 encode(float x) { return float_to_half(x * scale); }
  static __device__ __forceinline__ core::Uint32 encode_pair(float first, float second) {
    return floats_to_halves(first * scale, second * scale);
  }
};

/// A codec for 4 exponent bits, biased by 15. As a float with the same exponent bits a value, denormal or not, is 2^112
/// times too small: one multiplication makes it right, without a rounding.
template <>
struct Codec<core::Fp16C> {
  static constexpr float scale = core::detail::power_of_two(112), smallest = core::detail::power_of_two(-112);
  static constexpr int shift = 12, smallest_exponent = 127 - 14;
  static constexpr float largest = core::detail::power_of_two(1) - core::detail::power_of_two(-11);  // 0x7fff

  static __device__ __forceinline__ float decode(core::Uint16 h) {
    return decode_upper(static_cast<core::Uint32>(h) << 16);
  }
  static __device__ __forceinline__ core::Uint16 encode(float x) { return static_cast<core::Uint16>(upper(x) >> 16); }
  static __device__ __forceinline__ core::Uint32 encode_pair(float first, float second) {
    return upper(first) >> 16 | (upper(second) & 0xffff0000u);
  }

 private:
  static __device__ __forceinline__ float decode_upper(core::Uint32 bits) {
    return core::detail::float_of(static_cast<core::Uint32>(static_cast<int>(bits) >> 4) & 0x87fff000u) * scale;
  }
  /// The stored bits in the upper half, with other bits below.
  static __device__ __forceinline__ core::Uint32 upper(float x) {
    const core::Uint32 bits = core::detail::bits_of(x), sign = bits & 0x80000000u;
    const float magnitude = smaller(core::detail::float_of(bits & 0x7fffffffu), largest);  // the largest for NaN
    // Adding a number whose last bit is worth one step of the stored ones rounds to whole steps.
    const core::Uint32 exponent = (core::detail::bits_of(magnitude) & 0x7f800000u) + (shift << 23),
                       least = (smallest_exponent + shift) << 23;
    const float steps = core::detail::float_of(exponent > least ? exponent : least);
    const float rounded = ((magnitude + steps) - steps) * smallest;
    return core::detail::bits_of(rounded) << 4 | sign;
  }
};

/// Dithered values, as floats so much smaller that the denormals of the format are denormals of a float. Then one part
/// of the unit in the last place is one of a float's bits, whether a number is a denormal or not, and dithering is one
/// multiplication, which rounds denormals to whole parts as core::SmallFloat does, and one addition of integers.
template <class Format>
struct Dithered {
  static constexpr float factor = core::detail::power_of_two(-126) / Format::smallest;
  static constexpr float inverse = 1 / factor;

  /// Dithers x, which is a number. All bits of CUDA's NaN are set: with random ones it would become a small number.
  static __device__ __forceinline__ float dither_number(float x, core::Uint32 random) {
    return core::detail::float_of(core::detail::bits_of(x * factor) + random);
  }
  /// Dithers x; NaN stays NaN, and infinity becomes NaN.
  static __device__ __forceinline__ float dither(float x, core::Uint32 random) {
    const float dithered = dither_number(x, random);
    return x == x ? dithered : x;
  }
};

/// Stores values that were dithered, each as core defines it.
template <class Format>
struct TruncatingCodec : Codec<Format> {
  static __device__ __forceinline__ float dither_number(float x, core::Uint32 random) {
    return Format::dither(x, random);
  }
  static __device__ __forceinline__ float dither(float x, core::Uint32 random) { return Format::dither(x, random); }
  static __device__ __forceinline__ core::Uint16 encode(float x) { return Format::truncate(x); }
  static __device__ __forceinline__ core::Uint32 encode_pair(float first, float second) {
    return encode(first) | static_cast<core::Uint32>(encode(second)) << 16;
  }
};

template <>
struct TruncatingCodec<core::Fp16S> : Codec<core::Fp16S>, Dithered<core::Fp16S> {
  static constexpr float stored = scale * inverse;
  static __device__ __forceinline__ core::Uint16 encode(float x) { return truncate_to_half(x * stored); }
  static __device__ __forceinline__ core::Uint32 encode_pair(float first, float second) {
    return truncate_to_halves(first * stored, second * stored);
  }
};

/// Codec of dithered values whose bits, but for the sign, are those that are stored, with others below.
template <>
struct TruncatingCodec<core::Fp16C> : Codec<core::Fp16C>, Dithered<core::Fp16C> {
  static __device__ __forceinline__ core::Uint16 encode(float x) { return static_cast<core::Uint16>(upper(x) >> 16); }
  static __device__ __forceinline__ core::Uint32 encode_pair(float first, float second) {
    return upper(first) >> 16 | (upper(second) & 0xffff0000u);
  }

 private:
  static constexpr float most = (2 - core::detail::power_of_two(-23)) * core::detail::power_of_two(-112);  // 0x07ffffff
  /// The stored bits in the upper half, with other bits below.
  static __device__ __forceinline__ core::Uint32 upper(float x) {
    const core::Uint32 bits = core::detail::bits_of(x);
    const float magnitude = smaller(core::detail::float_of(bits & 0x7fffffffu), most);  // the largest for NaN
    return core::detail::bits_of(magnitude) << 4 | (bits & 0x80000000u);
  }
};

}  // namespace fluvia::cuda::kernels
