// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "fluvia/core/collision/parameters.hpp"

namespace fluvia {

/// Sets `curvature` from the rest. With the derivative D along a cut link, f*_ibar what leaves and f_i what comes in,
/// a flow that is parallel along an opening has
///   f_i + f*_ibar = 2 f_i^eq,even - D f_i^eq,even + 2 (Lambda D Lambda D f^eq,even)_i + what is odd in the velocity,
/// from a Chapman-Enskog expansion to second order with the collision's matrix of rates R and Lambda = 1/R - 1/2, which
/// acts on even moments outside and on odd ones inside. The last term, in parts of D^2 f_i^eq,even, is 3/8 of `trt` at
/// its magic number 3/16 and 2 (tau - 1/2)^2 of `bgk`; other collisions spread it over links that do not move along the
/// derivative as well. R is taken from the collision itself, by differences. Lattices without isotropic weights keep
/// 1/4, which is what f^eq,even half-way along the link has.
/// Momentum along the opening asks that the stress rho/3 + sum (c.t)^2 (Lambda D Lambda D f^eq) be even, t the
/// direction in which the flow changes, which is where `density` is from: 0 on faces with two rates, 1.5 Lambda+
/// Lambda- at 45 degrees. Of flows that change along two directions at once the sum of the derivatives stands for what
/// lattices without isotropic sixth moments have of each; there it is not exact. Ginzburg, Verhaeghe & d'Humieres,
/// Commun. Comput. Phys. 3 (2008) 427, section 2, for the expansion with two rates.
template <class T>
void set_curvature_shares(const std::string& lattice, const std::string& collision,
                          core::CollisionParameters<T>& parameters);

}  // namespace fluvia
