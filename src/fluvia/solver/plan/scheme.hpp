// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "fluvia/core/scheme/scheme.hpp"
#include "fluvia/solver/plan/domain.hpp"

namespace fluvia {

using core::Scheme;

/// The registered scheme of a name. Throws Error(input) with the list of names.
const Scheme& parse_scheme(const std::string& name);
/// Names of the schemes that run on a CPU with every lattice.
std::vector<std::string> scheme_names();
/// Names of the schemes that run on a GPU, but for those that need a lattice which falls apart into two.
std::vector<std::string> gpu_scheme_names();
/// Names of the schemes of a device, "cpu" or "cuda", that need a lattice which falls apart into two.
std::vector<std::string> half_scheme_names(const std::string& device);
/// Throws Error(input) with the reason if a scheme does not run on a device, "cpu" or "cuda".
void require_device(const Scheme& scheme, const std::string& device);
/// Why a scheme cannot store what a lattice, collision and equilibrium need, and what would be right; empty if it can.
/// All names are registered.
std::string scheme_problem(const Scheme& scheme, const std::string& lattice, const std::string& collision,
                           const std::string& equilibrium);
/// The same of how a case wants a format rounded, Case::Numerics::rounding.
std::string rounding_problem(const Scheme& scheme, const std::string& format, const std::string& rounding);
/// The same of a force beside a viscosity that varies.
std::string force_problem(const Scheme& scheme, const std::string& collision, bool force, bool varies);
/// Whether a scheme runs on blocks.
bool is_splittable(const Scheme& scheme);
/// Throws Error(input) with the schemes to choose from if a scheme does not run on blocks.
void require_splittable(const Scheme& scheme);
/// Whether single populations can be taken from its storage and put there: as levels of refinement, bodies that move
/// and blocks that are streamed need it. Others hand over all that they keep of a node.
bool exchanges_populations(const Scheme& scheme);
/// What its blocks exchange; and how many numbers a node hands over if that is whole nodes, else 0.
Crosses what_crosses(const Scheme& scheme);
int numbers_of_node(const Scheme& scheme, const std::string& lattice);
/// Throws Error(input) with the schemes to choose from if that is not so, for levels of refinement.
void require_populations(const Scheme& scheme);
/// Throws Error(input) if a scheme cannot have blocks of threads that are `rows` rows of nodes high on a GPU; 0: any.
void require_rows(const Scheme& scheme, int rows);
/// Edge of the tiles of a scheme: `asked`, or the scheme's default if that is 0; 0 if the scheme has none. Throws
/// Error(input) with the edges to choose from.
int tile_edge(const Scheme& scheme, int dimension, int asked);

}  // namespace fluvia
