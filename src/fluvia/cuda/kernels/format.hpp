// SPDX-License-Identifier: Apache-2.0
// Formats on a GPU: as core defines them, by hardware conversion where there is one.
#pragma once
#include "fluvia/core/format/formats.hpp"
#include "fluvia/cuda/kernels/instructions.hpp"

namespace fluvia::cuda::kernels {

template <class Spec>
using Arithmetic = typename Spec::Format::Arithmetic;

/// Threads of a time step take two neighbours along x: one access of 32 bits moves what takes two of 16, and they
/// share addresses.
template <class Spec>
inline constexpr bool takes_pairs = sizeof(typename Spec::Format::Storage) == 2;

template <class Format>
struct Codec {
  using Storage = typename Format::Storage;
  using Arithmetic = typename Format::Arithmetic;
  static __device__ __forceinline__ Arithmetic decode(Storage x) { return Format::decode(x); }
  static __device__ __forceinline__ Storage encode(Arithmetic x) { return Format::encode(x); }
  /// Of two neighbours in 16 bits each, the first in the low half.
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

/// The same for values that were dithered.
template <class Format>
struct TruncatingCodec : Codec<Format> {
  static constexpr bool denormals_are_rare = false;  ///< among the populations of a flow: fp16c has them below 6e-5
  static __device__ __forceinline__ core::Uint16 encode(float x) { return Format::truncate(x); }
  static __device__ __forceinline__ core::Uint32 encode_pair(float first, float second) {
    return encode(first) | static_cast<core::Uint32>(encode(second)) << 16;
  }
};
template <>
struct TruncatingCodec<core::Fp16S> : Codec<core::Fp16S> {
  static constexpr bool denormals_are_rare = true;  ///< below 2e-9
  static __device__ __forceinline__ core::Uint16 encode(float x) { return truncate_to_half(x * scale); }
  static __device__ __forceinline__ core::Uint32 encode_pair(float first, float second) {
    return truncate_to_halves(first * scale, second * scale);
  }
};

}  // namespace fluvia::cuda::kernels
