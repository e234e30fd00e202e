// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/format/small_float.hpp"

namespace fluvia::core {

/// Custom half precision, 4 exponent and 11 mantissa bits: range +-2, half the rounding error of fp16s, smallest step
/// 2^-25. Lehmann, Krause, Amati, Sega, Harting & Gekle, Phys. Rev. E 106 (2022) 015308.
struct Fp16C : SmallFloat<4, 11, 0> {
  static constexpr const char* name = "fp16c";
};

}  // namespace fluvia::core
