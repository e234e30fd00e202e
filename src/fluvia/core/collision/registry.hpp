// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/collision/bgk.hpp"
#include "fluvia/core/collision/cumulant.hpp"
#include "fluvia/core/collision/mrt.hpp"
#include "fluvia/core/collision/recursive_regularized.hpp"
#include "fluvia/core/collision/regularized.hpp"
#include "fluvia/core/collision/trt.hpp"

namespace fluvia::core {
/// Every collision; add one here and nowhere else.
using Collisions = TypeList<Bgk, Trt, Mrt, Regularized, RecursiveRegularized, Cumulant>;

/// True if a lattice, a collision and an equilibrium work together.
template <class Lattice, class Collision, class Equilibrium>
inline constexpr bool combines =
    Collision::template supports<Lattice>&& Equilibrium::template supports<Lattice>&& accepts<Collision, Equilibrium>;
}  // namespace fluvia::core
