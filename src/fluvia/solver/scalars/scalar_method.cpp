// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/scalars/scalar_method.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fluvia/base/error.hpp"

namespace fluvia {

namespace {

/// Refuses a diffusivity, lattice units, that is too small.
void require_tau(const Case& c, const ScalarMethod& scalar, double diffusivity, const std::string& key) {
  constexpr double nearest_to_half = 0.001;
  const double tau = scalar.tau_of(diffusivity);
  if (tau - 0.5 >= nearest_to_half) return;
  const double least = nearest_to_half * scalar.lattice->sound_squared;
  throw_input(fmt::format(
      "{}: {}: '{}' spreads by {:.2g} in lattice units, a relaxation time of {:.5f}, within {} of 1/2, where it "
      "rings; give at least {:.3g} times that, a finer spacing, or a longer time step",
      c.place(key), key, scalar.name, diffusivity, tau, nearest_to_half, least / diffusivity));
}

}  // namespace

std::vector<ScalarMethod> make_scalars(const Case& c, const Units& units) {
  std::vector<ScalarMethod> scalars;
  for (std::size_t k = 0; k < c.scalars.size(); ++k) {
    const Case::Scalar& from = c.scalars[k];
    ScalarMethod& scalar = scalars.emplace_back();
    scalar.name = from.name;
    scalar.unit = from.unit;
    scalar.lattice = &facts_of_scalar_lattice(from.lattice, c.domain.dimension);
    const double per_lattice = units.time_step / (units.spacing * units.spacing);
    scalar.diffusivity = from.prandtl ? units.viscosity / *from.prandtl : *from.diffusivity * per_lattice;
    scalar.magic = from.magic;
    scalar.reference = from.reference_value();
    scalar.expansion = from.expansion;
    require_tau(c, scalar, scalar.diffusivity,
                fmt::format("scalar[{}].{}", k, from.prandtl ? "prandtl" : "diffusivity"));
    for (std::size_t s = 0; s < c.solids.size(); ++s) {
      const Case::Solid& solid = c.solids[s];
      if (!solid.scalar.empty() && solid.scalar != scalar.name) continue;
      scalar.solids.push_back({solid.surface, solid.diffusivity * per_lattice, solid.capacity_ratio, s});
      require_tau(c, scalar, scalar.solids.back().diffusivity, fmt::format("solid[{}].diffusivity", s));
    }
  }
  return scalars;
}

namespace {

/// Refuses what scalars of a domain in parts cannot have.
void require_parts(const Case& c, const BesideScalars& beside) {
  for (std::size_t k = 0; k < c.scalars.size(); ++k) {
    const ScalarLatticeFacts& lattice = facts_of_scalar_lattice(c.scalars[k].lattice, c.domain.dimension);
    const std::vector<Int3>& known = *beside.velocities;
    if (std::all_of(lattice.velocities.begin(), lattice.velocities.end(),
                    [&](const Int3& v) { return std::find(known.begin(), known.end(), v) != known.end(); }))
      continue;
    const std::string key = fmt::format("scalar[{}].lattice", k);
    throw_input(
        fmt::format("{}: {}: {} has links that the lattice of the flow has not, along which several ranks "
                    "exchange nothing; use \"auto\", or another numerics.lattice",
                    c.place(key), key, lattice.name));
  }
}

}  // namespace

void require_scalars_fit(const Case& c, const BesideScalars& beside) {
  if (c.scalars.empty()) return;
  const auto refuse = [&](const std::string& why) { throw_input(c.place("scalar[0]") + ": scalar: " + why); };
  if (beside.in_parts) require_parts(c, beside);
  if (*beside.steps_by_pass != 0)
    refuse(std::string("scalars do not run beside scheme \"") + beside.steps_by_pass +
           "\" on a GPU, which takes single steps as it takes passes; use \"aa\" or another scheme");
  if (beside.half) refuse("scalars do not run on lattices of every second node (D3Q13); use another lattice or scheme");
  if (beside.sheets)
    refuse("scalars do not know sheets (fluid = \"both\") yet, with fluid on both sides; give the body a thickness");
}

}  // namespace fluvia
