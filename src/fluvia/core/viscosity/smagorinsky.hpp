// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/viscosity/viscosity.hpp"

namespace fluvia::core {

/// Eddies smaller than the lattice: nu = nu_0 + C_s^2 |S|, the filter being one node wide. With x = tau |S|,
/// tau = (tau_0 + sqrt(tau_0^2 + 12 C_s^2 x)) / 2. Hou, Sterling, Chen & Doolen, Fields Inst. Comm. 6 (1996) 151.
struct Smagorinsky {
  static constexpr ViscosityFacts facts = {
      .name = "smagorinsky", .meaning = "eddy viscosity", .keys = {{.name = "smagorinsky"}}};
  static constexpr bool varies = true;
  template <class Lattice>
  static constexpr bool supports = true;
  static constexpr const char* needs = "";

  static constexpr ViscosityNumbers prepare(const double (&keys)[max_viscosity_keys], double reference, double) {
    return {.value = {keys[0] * keys[0]}, .least = reference};
  }
  template <class S>
  static FLUVIA_FUNCTION S omega(const S& x, const CollisionParameters<S>& p) {
    using std::sqrt;
    return S(2) / (sqrt(x * (S(12) * p.viscosity[0]) + p.tau * p.tau) + p.tau);
  }
  static double viscosity(double shear_rate, const CollisionParameters<double>& p) {
    return (p.tau - 0.5) / 3 + p.viscosity[0] * shear_rate;
  }
};

}  // namespace fluvia::core
