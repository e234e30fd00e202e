// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/format/format.hpp"

namespace fluvia::core {

/// Stored as computed, in double precision.
struct Fp64 {
  static constexpr const char* name = "fp64";
  using Storage = double;
  using Arithmetic = double;
  static constexpr int precision_bits = 53;
  static constexpr bool gpus_convert = true;
  static FLUVIA_FUNCTION double decode(double x) { return x; }
  static FLUVIA_FUNCTION double encode(double x) { return x; }
};

}  // namespace fluvia::core
