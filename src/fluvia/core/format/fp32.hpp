// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/format/format.hpp"

namespace fluvia::core {

/// Stored as computed, in single precision.
struct Fp32 {
  static constexpr const char* name = "fp32";
  using Storage = float;
  using Arithmetic = float;
  static constexpr int precision_bits = 24;
  static constexpr bool gpus_convert = true;
  static FLUVIA_FUNCTION float decode(float x) { return x; }
  static FLUVIA_FUNCTION float encode(float x) { return x; }
};

}  // namespace fluvia::core
