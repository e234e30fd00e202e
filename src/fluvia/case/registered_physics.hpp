// SPDX-License-Identifier: Apache-2.0
// What the registries of lattices, collisions, equilibria, boundary conditions and formats hold, by name.
#pragma once
#include <string>
#include <vector>

#include "fluvia/case/case.hpp"
#include "fluvia/core/boundary/condition.hpp"

namespace fluvia {

/// Every registered lattice; of one dimension only if it is not 0.
std::vector<std::string> lattice_names(int dimension = 0);

/// Every registered collision and equilibrium.
std::vector<std::string> collision_names();
std::vector<std::string> equilibrium_names();

/// The lattice that `auto` means.
std::string default_lattice(int dimension);

/// The lattice that a case runs on: the one that numerics.lattice names, or what `auto` means.
std::string lattice_of(const Case& c);

/// Why a registered collision does not work on a registered lattice and which ones do, as one sentence that starts with
/// the collision's name; "" if it works.
std::string collision_problem(const std::string& collision, const std::string& lattice);

/// Every registered boundary condition, by the names that `type` of a boundary may have.
std::vector<std::string> boundary_names();

/// Index of a registered boundary condition in core::Boundaries, or -1.
int boundary_kind(const std::string& name);

/// Facts of a registered boundary condition. Throws Error(input) with the names for others.
const core::ConditionFacts& facts_of_boundary(const std::string& name);

/// Keys of a condition, without the unused rest of the array.
std::vector<core::Key> keys_of(const core::ConditionFacts& facts);

/// What a time series may give at a boundary: of one condition, or of all if there is none.
std::vector<std::string> series_quantities(const core::ConditionFacts* facts = nullptr);

/// True for formats of fewer digits than the arithmetic has.
bool format_rounds(const std::string& format);

/// What keeps an equilibrium from working on a lattice with a collision, or with "auto" with any that works there;
/// empty if nothing does.
std::string equilibrium_problem(const std::string& equilibrium, const std::string& collision,
                                const std::string& lattice);

/// Free relaxation rates of MRT on a lattice; none without a moment basis.
std::vector<std::string> mrt_rate_names(const std::string& lattice);

}  // namespace fluvia
