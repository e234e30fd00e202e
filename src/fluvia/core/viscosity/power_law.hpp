// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/viscosity/implicit.hpp"

namespace fluvia::core {

/// mu = K |S|^(n - 1), shear-thinning for n < 1, -thickening for n > 1; Ostwald and de Waele. At rest it would be
/// infinite or zero: that is what limits are for.
struct PowerLaw {
  enum Number { log_consistency, exponent };
  static constexpr ViscosityFacts facts = {
      .name = "power-law",
      .meaning = "the stress is a power of the shear rate",
      .of_fluid = true,
      .needs_limits = true,
      .keys = {{.name = "consistency",
                .dimension = Dimension::consistency,
                .meaning = "stress at a shear rate of 1",
                .required = true,
                .least = 0},
               {.name = "flow_index", .meaning = "the power", .required = true, .least = 0.1, .most = 3}}};
  static constexpr bool varies = true;
  template <class Lattice>
  static constexpr bool supports = Isotropy<Lattice>::isotropic;
  static constexpr const char* needs = isotropic_weights;

  static ViscosityNumbers prepare(const double (&keys)[max_viscosity_keys], double, double unit_rate) {
    const double consistency = keys[0], n = keys[1];
    ViscosityNumbers numbers;
    if (!(consistency > 0)) {
      numbers.problem = "consistency must be above 0";
      return numbers;
    }
    // The logarithm of K (|S| / unit)^n / |S| has this constant.
    numbers.value[log_consistency] = binary_logarithm(3 * consistency) - n * binary_logarithm(unit_rate);
    numbers.value[exponent] = n - 1;
    if (n == 1) numbers.least = numbers.most = consistency / unit_rate;
    return numbers;
  }
  template <class S>
  static FLUVIA_FUNCTION void evaluate(const S& log_rate, const CollisionParameters<S>& p, S& viscosity, S& slope) {
    viscosity = binary_power(p.viscosity[exponent] * log_rate + p.viscosity[log_consistency]);
    slope = viscosity * p.viscosity[exponent];
  }
  template <class S>
  static FLUVIA_FUNCTION S omega(const S& x, const CollisionParameters<S>& p) {
    return implicit_omega<PowerLaw>(x, p);
  }
  static double viscosity(double shear_rate, const CollisionParameters<double>& p) {
    return implicit_viscosity<PowerLaw>(shear_rate, p);
  }
};

}  // namespace fluvia::core
