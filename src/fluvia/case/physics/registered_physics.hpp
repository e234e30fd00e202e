// SPDX-License-Identifier: Apache-2.0
// What the registries of lattices, collisions, equilibria and boundary conditions hold, by name.
#pragma once
#include <string>
#include <vector>

#include "fluvia/base/vector.hpp"
#include "fluvia/case/case.hpp"
#include "fluvia/core/boundary/condition.hpp"
#include "fluvia/core/collision/facts.hpp"

namespace fluvia {

/// Names of the registered lattices: of one dimension, or of all if `dimension` is 0.
std::vector<std::string> lattice_names(int dimension = 0);

/// Names of the registered collisions, and of the equilibria.
std::vector<std::string> collision_names();
std::vector<std::string> equilibrium_names();

/// A registered lattice.
struct LatticeFacts {
  std::string name;
  int dimension = 0;
  int directions = 0;            ///< number of its velocities, that of the node at rest included
  std::vector<Int3> velocities;  ///< c_i
  std::vector<double> weights;   ///< w_i
  bool isotropic = false;        ///< whether its weights are isotropic to fourth order
};

/// Facts of a registered lattice. Throws Error(input) with the names for others.
const LatticeFacts& facts_of_lattice(const std::string& name);

/// A registered collision: its name, and what the program asks about it.
struct CollisionFacts : core::CollisionFacts {
  std::string name;
};

/// Facts of a registered collision. Throws Error(internal) for other names, also for "auto".
const CollisionFacts& facts_of_collision(const std::string& name);

/// A registered equilibrium.
struct EquilibriumFacts {
  std::string name;
  /// Whether the velocity times the density is the momentum of a node. If not, the reference density 1 stands for the
  /// density, in the momentum and in the stress: core::Incompressible.
  bool momentum_has_density = true;
};

/// Facts of a registered equilibrium. Throws Error(internal) for other names.
const EquilibriumFacts& facts_of_equilibrium(const std::string& name);

/// Whether a collision is registered and among the first to become unstable. False for "auto", which chooses one of
/// those only where they are stable.
bool gives_way_early(const std::string& collision);

/// Names of the registered collisions whose odd rates are these.
std::vector<std::string> collisions_with(core::OddRates odd_rates);

/// The lattice that `auto` means.
std::string default_lattice(int dimension);

/// The lattice that a case runs on: the one that numerics.lattice names, or what `auto` means.
std::string lattice_of(const Case& c);

/// Why a registered collision does not work on a registered lattice and which ones do, as one sentence that starts with
/// the collision's name; "" if it works.
std::string collision_problem(const std::string& collision, const std::string& lattice);

/// Names of the registered boundary conditions: the values that `type` of a boundary may have.
std::vector<std::string> boundary_names();

/// Index of a registered boundary condition in core::Boundaries, or -1.
int boundary_kind(const std::string& name);

/// Facts of a registered boundary condition. Throws Error(input) with the names for others.
const core::ConditionFacts& facts_of_boundary(const std::string& name);

/// Keys of a boundary condition, without the unused rest of the array.
std::vector<core::Key> keys_of(const core::ConditionFacts& facts);

/// Quantities that a time series may give at a boundary: of one boundary condition, or of all if `facts` is null.
std::vector<std::string> series_quantities(const core::ConditionFacts* facts = nullptr);

/// Why a registered equilibrium does not work on a lattice with a collision that works there, or with "auto", and which
/// ones do, as one sentence that starts with the equilibrium's name; "" if it works.
std::string equilibrium_problem(const std::string& equilibrium, const std::string& collision,
                                const std::string& lattice);

/// Names of the free relaxation rates of MRT on a lattice; empty for a lattice without a moment basis.
std::vector<std::string> mrt_rate_names(const std::string& lattice);

}  // namespace fluvia
