// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/format/small_float.hpp"

namespace fluvia::core {

/// IEEE half precision of the deviation times 2^15: range +-1.999, smallest step 2^-39.
/// Lehmann, Krause, Amati, Sega, Harting & Gekle, Phys. Rev. E 106 (2022) 015308; S2 section 3.2.5.
struct Fp16S : SmallFloat<5, 10, 15> {
  static constexpr const char* name = "fp16s";
  static constexpr bool gpus_convert = true;
};

}  // namespace fluvia::core
