// SPDX-License-Identifier: Apache-2.0
// Formats on a GPU: as core defines them, by hardware conversion where there is one.
#pragma once
#include "fluvia/core/format/formats.hpp"
#include "fluvia/cuda/kernels/instructions.hpp"

namespace fluvia::cuda::kernels {

template <class Spec>
using Arithmetic = typename Spec::Format::Arithmetic;

template <class Format>
struct Codec {
  using Storage = typename Format::Storage;
  using Arithmetic = typename Format::Arithmetic;
  static __device__ __forceinline__ Arithmetic decode(Storage x) { return Format::decode(x); }
  static __device__ __forceinline__ Storage encode(Arithmetic x) { return Format::encode(x); }
};

/// IEEE half of 2^15 times the value. Saturates as core does; NaN stays NaN.
template <>
struct Codec<core::Fp16S> {
  static constexpr float scale = 32768.0f;
  static __device__ __forceinline__ float decode(core::Uint16 h) { return half_to_float(h) * (1.0f / scale); }
  static __device__ __forceinline__ core::Uint16 encode(float x) { return float_to_half(x * scale); }
};

}  // namespace fluvia::cuda::kernels
