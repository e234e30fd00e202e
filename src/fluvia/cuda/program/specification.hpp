// SPDX-License-Identifier: Apache-2.0
// Which kernels a case needs, and the source text that makes NVRTC compile exactly those.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "fluvia/core/boundary/interpolated_wall.hpp"
#include "fluvia/core/boundary/registry.hpp"
#include "fluvia/core/scheme/omission.hpp"
#include "fluvia/core/viscosity/viscosity.hpp"
#include "fluvia/cuda/program/kernel_rows.hpp"
#include "fluvia/cuda/program/pass_rows.hpp"
#include "fluvia/cuda/runtime/compiler/nvrtc.hpp"
#include "fluvia/solver/plan/scheme.hpp"

namespace fluvia::cuda {

/// Registered names and facts that specialise the kernels of a case. Physical parameters are kernel arguments and not
/// part of it, so that cases which differ in them share compiled kernels.
struct Specification {
  std::string lattice, collision, equilibrium, format;
  Scheme scheme;
  std::string viscosity = core::Newtonian::facts.name;
  bool force = false;
  bool own_forces = false;           ///< nodes may have body forces of their own
  std::vector<std::string> scalars;  ///< lattices of the scalars that the flow carries along
  bool scalars_act = false;          ///< some of them drive it
  bool solids = false;               ///< some of them spread in solids, too
  bool bodies = false;               ///< bodies move through it
  bool finds_links = false;          ///< and kernels find links of these
  core::WallRule walls = core::WallRule::half_way;
  core::ConditionSet conditions = 0;  ///< boundary conditions of surfaces that are more than plain walls
  bool cut_tiles = false;             ///< a periodic axis ends inside of a tile
  bool prefetches_tiles = false;      ///< blocks ask for their compact tiles before they look for what is around these
  bool reads_ahead = false;           ///< steps of a whole box read populations before they know which are fluid
  bool stochastic = false;            ///< 16 bits are rounded at random
  int tile = 0;                       ///< nodes along the edge of a tile, for schemes that have a choice
  int steps_per_pass = 1;             ///< time steps of a pass over memory
  bool changes = false;               ///< surfaces get other values from step to step, also within a pass
  bool mirrors = false;               ///< the box has planes of symmetry, which passes must know
  PassRow pass;                       ///< how passes go through the box
  int threads = 0;                    ///< threads of a block; 0 = the default
  int rows = 0;                       ///< rows of nodes that a block is high; 0 = the default, see block_rows()
  int blocks = 0;                     ///< blocks that shall fit on a multiprocessor; 0 = the measured default

  core::Uint32 omissions = 0;  ///< set of core::Omission: what steps do without, for a measurement

  /// "D3Q19, bgk, quasi-compressible, compact-sliding, fp32, velocity, pressure".
  [[nodiscard]] std::string text() const;
};

/// Whether steps of a case complete its boundaries by themselves: its scheme does, and its conditions are moving walls.
/// Others take so many registers that a kernel of their own before the step is faster, docs/decisions/0007.
bool completes_in_step(const Specification& specification);

/// Threads of a block in time steps: as many as a tile has nodes, for schemes that have a choice, else those asked for,
/// published or measured to be best.
int block_threads(const Specification& specification);
/// Rows of nodes that such a block is high: those asked for or, if no threads are, published. 0: blocks are pieces of
/// rows, or where these are short of several, as many as fit.
int block_rows(const Specification& specification);
/// Whether steps of index maps go through rows of nodes, by such blocks, instead of through one node after the other.
bool goes_in_rows(const Specification& specification);
/// Nodes that one thread updates in a time step.
int nodes_per_thread(const Specification& specification);
/// Tiles that a block updates side by side, compact addressing.
unsigned tiles_at_a_time(const Specification& specification);

/// Threads of a block that takes whole rows of `row` stored nodes (core::Stepping::rows), several if they are short.
/// Throws Error(input) if one is too long.
int row_threads(const Specification& specification, int row);

/// Facts of a specification's types.
struct SpecificationFacts {
  int directions = 0, dimension = 0, storage_bytes = 0, arithmetic_bytes = 0, parities = 1;
  bool converted_in_software = false;  ///< numbers of the format are converted in software
  int numbers = 0;                     ///< that a node keeps in each copy: populations, or their moments
  int values_between_stages = 0;       ///< kernels::values_between_stages of a pass
  bool reads_own_slots = false;        ///< populations that arrive at a node lie in the node itself
  bool cut_links_beside = false;  ///< populations that arrive over a cut link may lie in the node that is not fluid
  std::uint32_t tile_neighbour_bits = 0;  ///< kernels::tile_neighbour_bits of the kernels
};

/// Throws Error(internal) if a name is not registered.
SpecificationFacts facts_of(const Specification& specification);

enum class KernelKind {
  step,
  first_step,   ///< the first step after populations were placed, if that differs
  pass,         ///< several steps, if the scheme fuses them
  propagate,    ///< after the step, if the step only collides
  ghost_cells,  ///< before the step, if the step needs ghost cells
  complete_boundaries,
  moments,
  write_field,
  sum_tiles,
  sum_links,
  save_direction,
  load_direction,
  place_equilibrium,
  list_halo_populations,  ///< between parts of a domain
  pack_messages,          ///< between parts of a domain, whatever the parity
  unpack_messages,        ///< between parts of a domain, whatever the parity
  forward_messages,       ///< between parts of levels of refinement that are streamed, whatever the parity
  swap_mirrored,          ///< after the step, if there are planes of symmetry, whatever the parity
  step_solids,            ///< after the step, if scalars spread in solids, whatever the parity
  complete_scalars,       ///< after both, if surfaces do something to scalars, whatever the parity
  scalar_values,          ///< of flows with scalars, whatever the parity
  sum_scalars,            ///< of flows with scalars, whatever the parity
  pack_scalars,           ///< between parts of a domain with scalars, whatever the parity
  unpack_scalars,         ///< likewise
  join_scalars,           ///< after that, if cells on both sides end at walls
  // Of flows through which bodies move.
  meet_bodies,  ///< before the step
  return_from_bodies,
  rest_covered,
  look_beside_uncovered,
  refill_uncovered,
  find_body_nodes,  ///< of those whose links kernels find, whatever the parity
  number_body_links,
  list_body_links
};
inline constexpr int kernel_kinds = static_cast<int>(KernelKind::list_body_links) + 1;

/// C++ name of a kernel, empty if the scheme has none of this kind; `parity` is that of the step which runs next.
std::string kernel_name(const Specification& specification, KernelKind kind, int parity);

/// Whether kernels of this kind depend on Specification::conditions, for any scheme.
bool applies_conditions(KernelKind kind);

/// One of the kernels of a case.
struct KernelChoice {
  KernelKind kind;
  int parity;
};
/// The kernels that every run needs, from its start to its end at an even step.
std::vector<KernelChoice> first_kernels(const Specification& specification);

/// One kernel of a case. Throws Error(internal) if the scheme has none of this kind.
CompileRequest compile_request(const Specification& specification, const KernelChoice& choice);

}  // namespace fluvia::cuda
