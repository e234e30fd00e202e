// SPDX-License-Identifier: Apache-2.0
// What the registries of lattices, collisions and equilibria hold, by name.
#pragma once
#include <string>
#include <vector>

namespace fluvia {

/// Every registered lattice; of one dimension only if it is not 0.
std::vector<std::string> lattice_names(int dimension = 0);

/// Every registered collision and equilibrium.
std::vector<std::string> collision_names();
std::vector<std::string> equilibrium_names();

/// The lattice that `auto` means.
std::string default_lattice(int dimension);

/// Why a registered collision does not work on a registered lattice and which ones do, as one sentence that starts with
/// the collision's name; "" if it works.
std::string collision_problem(const std::string& collision, const std::string& lattice);

/// The same for an equilibrium on a lattice with a collision that works there, or with "auto".
std::string equilibrium_problem(const std::string& equilibrium, const std::string& collision,
                                const std::string& lattice);

/// Free relaxation rates of MRT on a lattice; none without a moment basis.
std::vector<std::string> mrt_rate_names(const std::string& lattice);

}  // namespace fluvia
