// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/scalars/scalar_method.hpp"

#include <fmt/format.h>

#include "fluvia/base/error.hpp"

namespace fluvia {

std::vector<ScalarMethod> make_scalars(const Case& c, const Units& units) {
  constexpr double nearest_to_half = 0.001;
  std::vector<ScalarMethod> scalars;
  for (std::size_t k = 0; k < c.scalars.size(); ++k) {
    const Case::Scalar& from = c.scalars[k];
    ScalarMethod& scalar = scalars.emplace_back();
    scalar.name = from.name;
    scalar.unit = from.unit;
    scalar.lattice = &facts_of_scalar_lattice(from.lattice, c.domain.dimension);
    scalar.diffusivity = from.prandtl ? units.viscosity / *from.prandtl
                                      : *from.diffusivity * units.time_step / (units.spacing * units.spacing);
    scalar.magic = from.magic;
    scalar.reference = from.reference_value();
    scalar.expansion = from.expansion;
    if (scalar.tau() - 0.5 >= nearest_to_half) continue;
    const std::string key = fmt::format("scalar[{}].{}", k, from.prandtl ? "prandtl" : "diffusivity");
    const double least = nearest_to_half * scalar.lattice->sound_squared;
    throw_input(fmt::format(
        "{}: {}: '{}' spreads by {:.2g} in lattice units, a relaxation time of {:.5f}, within {} of 1/2, where it "
        "rings; give at least {:.3g} times that, a finer spacing, or a longer time step",
        c.place(key), key, from.name, scalar.diffusivity, scalar.tau(), nearest_to_half, least / scalar.diffusivity));
  }
  return scalars;
}

void require_scalars_fit(const Case& c, const BesideScalars& beside) {
  if (c.scalars.empty()) return;
  const auto refuse = [&](const std::string& why) { throw_input(c.place("scalar[0]") + ": scalar: " + why); };
  if (beside.in_parts)
    refuse("scalars run in one process and on one GPU only yet; start fluvia without mpirun, and name one GPU");
  if (*beside.steps_by_pass != 0)
    refuse(std::string("scalars do not run beside scheme \"") + beside.steps_by_pass +
           "\" on a GPU, which takes single steps as it takes passes; use \"aa\" or another scheme");
  if (beside.half) refuse("scalars do not run on lattices of every second node (D3Q13); use another lattice or scheme");
  if (beside.sheets)
    refuse("scalars do not know sheets (fluid = \"both\") yet, with fluid on both sides; give the body a thickness");
}

}  // namespace fluvia
