// SPDX-License-Identifier: Apache-2.0
// How a population's deviation f_i - w_i is stored. Arithmetic is double for fp64, float for all others.
#pragma once
#include "fluvia/core/config.hpp"
#include "fluvia/core/format/small_float.hpp"

namespace fluvia::core {

struct Fp64 {
  static constexpr const char* name = "fp64";
  using Storage = double;
  using Arithmetic = double;
  static FLUVIA_FUNCTION double decode(double x) { return x; }
  static FLUVIA_FUNCTION double encode(double x) { return x; }
};

struct Fp32 {
  static constexpr const char* name = "fp32";
  using Storage = float;
  using Arithmetic = float;
  static FLUVIA_FUNCTION float decode(float x) { return x; }
  static FLUVIA_FUNCTION float encode(float x) { return x; }
};

/// IEEE half precision of the deviation times 2^15: range +-1.999, smallest step 2^-39.
/// Lehmann, Krause, Amati, Sega, Harting & Gekle, Phys. Rev. E 106 (2022) 015308; S2 section 3.2.5.
struct Fp16S : SmallFloat<5, 10, 15> {
  static constexpr const char* name = "fp16s";
};

/// Custom half precision, 4 exponent and 11 mantissa bits: range +-2, half the rounding error of fp16s, smallest step
/// 2^-25. Same source.
struct Fp16C : SmallFloat<4, 11, 0> {
  static constexpr const char* name = "fp16c";
};

/// Every format; add one here and nowhere else.
using Formats = TypeList<Fp64, Fp32, Fp16S, Fp16C>;

/// True for formats of fewer digits than the arithmetic has.
template <class Format>
inline constexpr bool rounds = sizeof(typename Format::Storage) == 2;

/// A format whose values have been dithered when they are stored.
template <class Format>
struct Truncated : Format {
  static FLUVIA_FUNCTION typename Format::Storage encode(float x) { return Format::truncate(x); }
};

}  // namespace fluvia::core
