// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/viscosity/implicit.hpp"

namespace fluvia::core {

/// Shear-thinning between two constant viscosities: mu = mu_inf + (mu_0 - mu_inf) [1 + (lambda |S|)^a]^((n - 1)/a).
/// Yasuda, Armstrong & Cohen, Rheol. Acta 20 (1981) 163, eq. 1.
struct CarreauYasuda {
  enum Number { high_shear, difference, log_time, yasuda, exponent };
  static constexpr ViscosityFacts facts = {
      .name = "carreau-yasuda",
      .meaning = "shear-thinning between two constant viscosities",
      .of_fluid = true,
      .keys = {{.name = "zero_shear_viscosity",
                .dimension = Dimension::viscosity,
                .meaning = "at rest",
                .required = true,
                .least = 0},
               {.name = "infinite_shear_viscosity",
                .dimension = Dimension::viscosity,
                .meaning = "at high shear rates",
                .required = true,
                .least = 0},
               {.name = "relaxation_time",
                .dimension = Dimension::time,
                .meaning = "one over the shear rate at which thinning begins",
                .required = true,
                .least = 0},
               {.name = "yasuda_exponent",
                .meaning = "how sharply it begins; 2: Carreau's model",
                .standard = 2,
                .least = 0.2,
                .most = 4},
               {.name = "power_index",
                .meaning = "in between the stress grows with this power of the shear rate",
                .required = true,
                .least = 0,
                .most = 1}}};
  static constexpr bool varies = true;
  template <class Lattice>
  static constexpr bool supports = Isotropy<Lattice>::isotropic;
  static constexpr const char* needs = isotropic_weights;

  static ViscosityNumbers prepare(const double (&keys)[max_viscosity_keys], double, double) {
    const auto& [zero, infinite, time, a, n] = keys;
    ViscosityNumbers numbers{
        .value = {3 * infinite, 3 * (zero - infinite), 0, a, (n - 1) / a}, .least = infinite, .most = zero};
    if (time > 0) numbers.value[log_time] = binary_logarithm(time);
    if (!(time > 0)) numbers.problem = "relaxation_time must be above 0";
    if (!(infinite > 0)) numbers.problem = "infinite_shear_viscosity must be above 0";
    if (!(zero >= infinite)) numbers.problem = "zero_shear_viscosity must not be below infinite_shear_viscosity";
    return numbers;
  }
  template <class S>
  static FLUVIA_FUNCTION void evaluate(const S& log_rate, const CollisionParameters<S>& p, S& viscosity, S& slope) {
    const S t = binary_power(S(p.viscosity[yasuda] * (log_rate + p.viscosity[log_time])));
    const S thinned = p.viscosity[difference] * binary_power(S(p.viscosity[exponent] * binary_logarithm(t + S(1))));
    viscosity = p.viscosity[high_shear] + thinned;
    slope = thinned * (p.viscosity[exponent] * p.viscosity[yasuda]) * (t / (t + S(1)));
  }
  template <class S>
  static FLUVIA_FUNCTION S omega(const S& x, const CollisionParameters<S>& p) {
    return implicit_omega<CarreauYasuda>(x, p);
  }
  static double viscosity(double shear_rate, const CollisionParameters<double>& p) {
    return implicit_viscosity<CarreauYasuda>(shear_rate, p);
  }
};

}  // namespace fluvia::core
