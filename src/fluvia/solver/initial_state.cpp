// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/initial_state.hpp"

#include <algorithm>
#include <bit>

#include "fluvia/case/physics/registered_formats.hpp"
#include "fluvia/core/lattice/lattice.hpp"
#include "fluvia/geometry/map/tile_window.hpp"
#include "fluvia/initial/initial_fields.hpp"
#include "fluvia/solver/blocks/tile_runs.hpp"
#include "fluvia/solver/links/cut_links.hpp"
#include "fluvia/solver/plan/scheme.hpp"

namespace fluvia {

namespace {

/// Populations of one direction in a run of tiles, in the storage format's bits.
struct Populations {
  std::vector<std::byte> bytes;
  std::size_t size;  ///< of one
  [[nodiscard]] std::byte* at(std::uint64_t node) { return bytes.data() + node * size; }
};

bool arrives_over_cut(const NodeMap& nodes, const Int3& x, const Int3& c) {
  const Int3 from = {x[0] - c[0], x[1] - c[1], x[2] - c[2]};
  return !nodes.is_fluid(from) && !nodes.is_mirrored_fluid(from);
}

/// `forth` moves along c, `back` against it.
void bounce_pair(const NodeMap& nodes, const TileRun& run, const Int3& c, Populations& forth, Populations& back) {
  const Int3 reverse = {-c[0], -c[1], -c[2]};
#pragma omp parallel for schedule(static)
  for (std::uint64_t t = run.first; t < run.first + run.count; ++t) {
    const NodeMap::Tile& tile = nodes.tiles[t];
    std::uint64_t node = tile.first_node - nodes.tiles[run.first].first_node;
    for (std::uint64_t bits = tile.mask; bits; bits &= bits - 1, ++node) {
      const Int3 x = nodes.node_position(tile, std::countr_zero(bits));
      const bool forth_cut = arrives_over_cut(nodes, x, c), back_cut = arrives_over_cut(nodes, x, reverse);
      if (forth_cut && back_cut)
        std::swap_ranges(forth.at(node), forth.at(node) + forth.size, back.at(node));
      else if (forth_cut)
        std::copy_n(back.at(node), back.size, forth.at(node));
      else if (back_cut)
        std::copy_n(forth.at(node), forth.size, back.at(node));
    }
  }
}

}  // namespace

namespace {

/// Replaces what arrives along cut links in these tiles (ascending, all held) by what leaves along them, bounced back.
void bounce_cut_links_of(Solver& solver, const std::vector<std::uint64_t>& tiles) {
  const NodeMap& nodes = solver.geometry().nodes;
  const std::vector<Int3> velocities = solver.plan().velocities();
  Populations forth, back;
  forth.size = back.size = static_cast<std::size_t>(solver.plan().storage_bytes());
  for (const TileRun& run : tile_runs(tiles)) {
    const std::uint64_t count = nodes.nodes_of(run.first, run.count);
    forth.bytes.resize(count * forth.size);
    back.bytes.resize(count * back.size);
    for (int i = 1; i < static_cast<int>(velocities.size()); i += 2) {
      solver.save({flow_populations, i, run.first, run.count}, forth.bytes);
      solver.save({flow_populations, core::opposite(i), run.first, run.count}, back.bytes);
      bounce_pair(nodes, run, velocities[i], forth, back);
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
