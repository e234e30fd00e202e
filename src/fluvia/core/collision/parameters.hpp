// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/collision/facts.hpp"
#include "fluvia/core/config.hpp"

namespace fluvia::core {

/// Most free rates that any collision has.
inline constexpr int max_free_rates = 5;
/// Most numbers that any model of viscosity has.
inline constexpr int max_viscosity_numbers = 5;

/// What collisions with one rate for all stresses ask of a lattice; text of messages.
inline constexpr const char* isotropic_weights =
    "weights that are isotropic to fourth order; without them its viscosity would depend on the direction";

/// True if a collision works with an equilibrium; a collision that has its own says so beside its definition.
template <class Collision, class Equilibrium>
inline constexpr bool accepts = true;

/// What of the second derivative of the even equilibrium along an opening stays in the populations of its cut links, in
/// a flow that is parallel there. Links of faces of the box are told apart by the number of axes along the face that
/// they move along.
template <class S>
struct CurvatureShares {
  static constexpr int kinds = 3;
  S mean = S(0.25);  ///< fraction of the derivative along the link, where openings are no faces
  S along[kinds] = {S(0.25), S(0.25),
                    S(0.25)};  ///< fraction of the derivative along the link, on faces, by kind of link
  S across[kinds] = {};  ///< fraction of the sum of the derivatives along the face's axes, on faces, by kind of link
  /// What the density along an opening has beside that of the pressure, in parts of half the sum of the second
  /// derivatives of the square of the speed through it: this on faces, and `density_at_angles` times 1 - sum of n_a^4
  /// more where the normal is n.
  S density = S(0), density_at_angles = S(0);
};

/// Everything that a collision may depend on besides the populations; one value for the whole domain. Lattice units.
template <class S>
struct CollisionParameters {
  S tau = 1;                                ///< relaxation time of the shear stress
  S omega = 1;                              ///< 1 / tau
  S shear_viscosity = S(1.0 / 6);           ///< (tau - 1/2)/3, to all digits where tau is near 1/2
  S magic = S(3.0 / 16);                    ///< TRT: (1/omega+ - 1/2)(1/omega- - 1/2)
  S force[3] = {0, 0, 0};                   ///< body force density
  S free_rates[max_free_rates] = {};        ///< MRT: in the order of its list of names; Cumulant: own_rates()
  S viscosity[max_viscosity_numbers] = {};  ///< numbers of the model of viscosity, in its own order
  CurvatureShares<S> curvature;             ///< what follows from all of these, for openings: curvature_shares()
  S least_log_tau = 0, most_log_tau = 0;    ///< log2 of the relaxation times between which those of a model stay
};

}  // namespace fluvia::core
