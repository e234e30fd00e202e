// SPDX-License-Identifier: Apache-2.0
// What formats have in common. A format says how a population's deviation f_i - w_i is stored, and which arithmetic
// computes with it.
#pragma once
#include "fluvia/core/config.hpp"

namespace fluvia::core {

/// True for formats with fewer digits than their arithmetic.
template <class Format>
inline constexpr bool rounds = sizeof(typename Format::Storage) == 2;

/// A format that stores values which have been dithered before.
template <class Format>
struct Truncated : Format {
  static FLUVIA_FUNCTION typename Format::Storage encode(float x) { return Format::truncate(x); }
};

}  // namespace fluvia::core
