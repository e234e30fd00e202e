// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/initial_state.hpp"

#include <algorithm>

#include "fluvia/case/physics/registered_formats.hpp"
#include "fluvia/core/lattice/lattice.hpp"
#include "fluvia/geometry/map/link_search.hpp"
#include "fluvia/initial/initial_fields.hpp"
#include "fluvia/solver/blocks/tile_runs.hpp"
#include "fluvia/solver/links/cut_links.hpp"
#include "fluvia/solver/plan/scheme.hpp"

namespace fluvia {

namespace {

/// Populations of one direction in a run of tiles, as bits of the storage format.
struct Populations {
  std::vector<std::byte> bytes;
  std::size_t size;  ///< bytes of one population
  [[nodiscard]] std::byte* at(std::uint64_t node) { return bytes.data() + node * size; }
};

/// Those of the cut links of a node that do not lead to other levels of refinement.
std::uint32_t cut_by_walls(const Geometry& geometry, const std::vector<Int3>& offsets, const NodeWithCuts& at) {
  if (geometry.level_surface < 0) return at.cut;
  std::uint32_t cut = 0;
  at.for_each_cut([&](std::size_t k) {
    if (geometry.surface_of(at.node, offsets[k]) != geometry.level_surface) cut |= 1u << k;
  });
  return cut;
}

/// Bounces the populations of a pair of directions; `forth` moves along c, `back` against it.
void bounce_pair(const Geometry& geometry, const TileRun& run, const Int3& c, Populations& forth, Populations& back) {
  const NodeMap& nodes = geometry.nodes;
  const std::vector<Int3> offsets = link_offsets({c, {-c[0], -c[1], -c[2]}});
  constexpr std::uint32_t forth_cut = 1, both_cut = 3;
  const std::uint64_t first = nodes.tiles[run.first].first_node;
  for_each_node_with_cuts(nodes, offsets, {run.first, run.first + run.count}, [&](int, const NodeWithCuts& at) {
    const std::uint64_t node = static_cast<std::uint64_t>(nodes.node_index(at.node)) - first;
    const std::uint32_t cut = cut_by_walls(geometry, offsets, at);
    if (cut == 0) return;
    if (cut == both_cut)
      std::swap_ranges(forth.at(node), forth.at(node) + forth.size, back.at(node));
    else if (cut == forth_cut)
      std::copy_n(back.at(node), back.size, forth.at(node));
    else
      std::copy_n(forth.at(node), forth.size, back.at(node));
  });
}

/// Replaces what arrives along cut links in these tiles (ascending, all held) by what leaves along them, bounced back.
void bounce_cut_links_of(Solver& solver, const std::vector<std::uint64_t>& tiles) {
  const NodeMap& nodes = solver.geometry().nodes;
  const std::vector<Int3>& velocities = solver.plan().flow().lattice->velocities;
  Populations forth, back;
  forth.size = back.size = static_cast<std::size_t>(solver.plan().format->storage_bytes);
  for (const TileRun& run : tile_runs(tiles)) {
    const std::uint64_t count = nodes.nodes_of(run.first, run.count);
    forth.bytes.resize(count * forth.size);
    back.bytes.resize(count * back.size);
    for (int i = 1; i < static_cast<int>(velocities.size()); i += 2) {
      solver.save({flow_populations, i, run.first, run.count}, forth.bytes);
      solver.save({flow_populations, core::opposite(i), run.first, run.count}, back.bytes);
      bounce_pair(solver.geometry(), run, velocities[i], forth, back);
      solver.load({flow_populations, i, run.first, run.count}, forth.bytes);
      solver.load({flow_populations, core::opposite(i), run.first, run.count}, back.bytes);
    }
  }
}

/// Calls bounce_cut_links_of() for the tiles of these ranges, ascending, that lie at walls.
void bounce_cut_links_in(Solver& solver, const std::vector<TileRange>& ranges) {
  const NodeMap& nodes = solver.geometry().nodes;
  for (const auto& held : nodes.tiles.held(0, nodes.tiles.size())) {
    std::vector<std::uint64_t> tiles;
    for (const TileRange& range : ranges)
      for (std::uint64_t t = std::max(range.first, held.first); t < std::min(range.end, held.end); ++t)
        if (!is_surrounded(nodes, nodes.tiles[t])) tiles.push_back(t);
    bounce_cut_links_of(solver, tiles);
  }
}

}  // namespace

void bounce_cut_links(Solver& solver) {
  bounce_cut_links_in(solver, {{0, solver.geometry().nodes.tiles.size()}});
}

namespace {
void place(Solver& solver, const InitialFields& fields) {
  solver.initialise([&](const Int3& node, double& density, Real3& velocity) {
    const InitialNode state = fields.at(node);
    density = state.density;
    velocity = state.velocity;
  });
}
}  // namespace

void set_initial_state(Solver& solver, const Problem& problem) {
  const InitialFields fields(problem);
  if (!fields.at_rest()) start_from(solver, fields);
}

void set_initial_state(Solver& solver, const Problem& problem, const Block& block) {
  const InitialFields fields(problem);
  if (fields.at_rest()) return;
  place(solver, fields);
  if (!fields.moves()) return;
  std::vector<TileRange> tiles = block.stepped_halo_tiles();
  tiles.insert(std::upper_bound(tiles.begin(), tiles.end(), block.tiles.first,
                                [](std::uint64_t first, const TileRange& range) { return first < range.first; }),
               block.tiles);
  bounce_cut_links_in(solver, tiles);
}

void place_initial_state(Solver& solver, const Problem& problem) {
  place(solver, InitialFields(problem));
}

void start_from(Solver& solver, const InitialFields& fields) {
  place(solver, fields);
  if (fields.moves()) bounce_cut_links(solver);
}

void reset_to_initial_state(Solver& solver, const Problem& problem) {
  start_from(solver, InitialFields(problem));
}

}  // namespace fluvia
