// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/collision/parameters.hpp"
#include "fluvia/core/contraction.hpp"

namespace fluvia::core {

/// Parameters of a collision as numbers that round by rule.
template <class S>
FLUVIA_FUNCTION CollisionParameters<Contracted<S>> contracted(const CollisionParameters<S>& parameters) {
  return __builtin_bit_cast(CollisionParameters<Contracted<S>>, parameters);
}

}  // namespace fluvia::core
