// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/plan/half_lattice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "fluvia/base/error.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/solver/links/cut_links.hpp"

namespace fluvia {

namespace {

/// Mask of the nodes of a tile with an even sum of coordinates; tiles begin at even ones.
std::uint64_t even_nodes(int dimension) {
  std::uint64_t mask = 0;
  for (int bit = 0; bit < nodes_per_tile; ++bit) {
    const Int3 l = tile_local(dimension, bit);
    if ((l[0] + l[1] + l[2]) % 2 == 0) mask |= std::uint64_t{1} << bit;
  }
  return mask;
}

/// Moments of the stored nodes of a range of tiles, to be looked up by the node's index in the half lattice.
class StoredMoments {
 public:
  StoredMoments(const FlowState& half, std::uint64_t first, std::uint64_t count, bool with_stress)
      : first_node_(count > 0 ? half.geometry().nodes.tiles[first].first_node : 0) {
    half.moments(first, count, with_stress, moments_);
  }
  [[nodiscard]] bool has(std::int64_t node) const {
    return node >= static_cast<std::int64_t>(first_node_) && node < static_cast<std::int64_t>(first_node_ + size());
  }
  /// Adds the node's moments to element `at` of `out`.
  void add(std::int64_t node, Moments& out, std::size_t at) const {
    const std::size_t from = static_cast<std::size_t>(node) - first_node_;
    out.density[at] += moments_.density[from];
    out.velocity[at] = out.velocity[at] + moments_.velocity[from];
    if (!moments_.stress.empty())
      for (std::size_t k = 0; k < 6; ++k) out.stress[at][k] += moments_.stress[from][k];
  }

 private:
  [[nodiscard]] std::size_t size() const { return moments_.density.size(); }
  std::uint64_t first_node_;
  Moments moments_;
};

void divide(Moments& m, std::size_t at, int count) {
  const double factor = 1.0 / count;
  m.density[at] *= factor;
  m.velocity[at] = factor * m.velocity[at];
  if (!m.stress.empty())
    for (double& s : m.stress[at]) s *= factor;
}

/// Tiles of `nodes` in layers [first, last) of the axis along which tiles are ordered slowest: first and count.
std::pair<std::uint64_t, std::uint64_t> tiles_of_layers(const NodeMap& nodes, int first, int last) {
  const int axis = nodes.dimension - 1;
  const auto begin_of = [&](int layer) {
    const auto found = std::partition_point(nodes.tiles.begin(), nodes.tiles.end(),
                                            [&](const NodeMap::Tile& t) { return t.position[axis] < layer; });
    return static_cast<std::uint64_t>(found - nodes.tiles.begin());
  };
  return {begin_of(first), begin_of(last) - begin_of(first)};
}

}  // namespace

bool splits_in_two(const std::string& lattice) {
  const std::vector<Int3>& velocities = facts_of_lattice(lattice).velocities;
  return std::all_of(velocities.begin(), velocities.end(), [](const Int3& c) { return (c[0] + c[1] + c[2]) % 2 == 0; });
}

bool stores_half(const Case& c) {
  return c.numerics.scheme != "auto" && parse_scheme(c.numerics.scheme).half;
}

Geometry stored_geometry(const Case& c, Geometry geometry) {
  if (!stores_half(c)) return geometry;
  NodeMap& nodes = geometry.nodes;
  for (int axis = 0; axis < nodes.dimension; ++axis)
    if (nodes.periodic[axis] && nodes.size[axis] % 2 != 0)
      throw_input(
          fmt::format("numerics.scheme: {} stores every second node, but the periodic axis {} has {} nodes; take an "
                      "even number, or another scheme",
                      c.numerics.scheme, "xyz"[axis], nodes.size[axis]));
  if (nodes.has_mirrors())
    throw_input(
        fmt::format("numerics.scheme: {} stores every second node, and planes of symmetry, which lie half-way between "
                    "nodes, lead from those to the others; take another scheme",
                    c.numerics.scheme));
  if (nodes.barred)
    throw_input(
        fmt::format("numerics.scheme: {} stores every second node, and the case has a sheet, with fluid on both sides, "
                    "which it does not know; take another scheme",
                    c.numerics.scheme));
  const std::uint64_t even = even_nodes(nodes.dimension);
  nodes.keep([&](std::uint64_t tile) { return nodes.tiles[tile].mask & even; });
  if (nodes.fluid_nodes == 0)
    throw_input(
        fmt::format("numerics.scheme: {} stores the nodes with i + j + k even, and none of them is fluid; take "
                    "another scheme",
                    c.numerics.scheme));
  nodes.half = true;
  return geometry;
}

void FullState::moments(std::uint64_t first_tile, std::uint64_t tile_count, bool with_stress, Moments& out) const {
  const NodeMap &full = full_.nodes, &half = half_.geometry().nodes;
  const std::uint64_t size = full.nodes_of(first_tile, tile_count);
  out.density.assign(size, 0.0);
  out.velocity.assign(size, Real3{});
  out.stress.assign(with_stress ? size : 0, {});
  if (size == 0) return;
  // The layers of the tiles and, for the nodes next to them, one more on each side, across a periodic face too.
  const int axis = full.dimension - 1, layers = full.tiles_in_box[axis];
  const int first = full.tiles[first_tile].position[axis],
            last = full.tiles[first_tile + tile_count - 1].position[axis];
  std::vector<StoredMoments> pieces;
  const auto take = [&](int begin, int end) {
    const auto [tile, count] = tiles_of_layers(half, begin, end);
    if (count > 0) pieces.emplace_back(half_, tile, count, with_stress);
  };
  take(std::max(first - 1, 0), std::min(last + 2, layers));
  if (full.periodic[axis] && first == 0 && last + 2 < layers) take(layers - 1, layers);
  if (full.periodic[axis] && last == layers - 1 && first > 1) take(0, 1);

  const auto find = [&](const Int3& x) {
    const std::int64_t node = half.node_index(x);
    for (const StoredMoments& piece : pieces)
      if (node >= 0 && piece.has(node)) return std::pair(&piece, node);
    return std::pair<const StoredMoments*, std::int64_t>(nullptr, -1);
  };
  std::size_t at = 0;
  for (std::uint64_t t = first_tile; t < first_tile + tile_count; ++t)
    for (std::uint64_t bits = full.tiles[t].mask; bits != 0; bits &= bits - 1, ++at) {
      const Int3 x = full.node_position(full.tiles[t], std::countr_zero(bits));
      if (const auto [piece, node] = find(x); piece) {
        piece->add(node, out, at);
        continue;
      }
      std::array<std::pair<const StoredMoments*, std::int64_t>, 6> next;
      for (int k = 0; k < 6; ++k) {
        Int3 beside = x;
        beside[k / 2] += k % 2 == 0 ? -1 : 1;
        next[k] = find(beside);
      }
      const auto is_pair = [&](int k) { return next[k].first && next[k ^ 1].first; };
      const bool has_pairs = is_pair(0) || is_pair(2) || is_pair(4);
      int count = 0;
      for (int k = 0; k < 6; ++k) {
        if (!next[k].first || (has_pairs && !is_pair(k))) continue;
        next[k].first->add(next[k].second, out, at);
        ++count;
      }
      if (count > 0)
        divide(out, at, count);
      else
        out.density[at] = 1;  // a node alone in the solid: the fluid there is at rest
    }
}

Observation FullView::measure(const Observable& what) const {
  Observation measured = half_.measure(what);
  auto* const totals = std::get_if<Totals>(&measured);
  if (totals == nullptr) return measured;
  const NodeMap& half = half_.geometry().nodes;
  const auto index_here = [&](std::uint64_t node) {
    const auto after = std::upper_bound(half.tiles.begin(), half.tiles.end(), node,
                                        [](std::uint64_t n, const NodeMap::Tile& t) { return n < t.first_node; });
    const NodeMap::Tile& tile = *(after - 1);
    std::uint64_t bits = tile.mask;
    for (std::uint64_t k = tile.first_node; k < node; ++k) bits &= bits - 1;
    return static_cast<std::uint64_t>(full_.nodes.node_index(half.node_position(tile, std::countr_zero(bits))));
  };
  totals->max_speed_node = index_here(totals->max_speed_node);
  if (!totals->finite) totals->bad_node = index_here(totals->bad_node);
  return measured;
}

void FullState::save(const ArrayRange&, std::span<std::byte>) const {
  throw Error(ExitCode::internal, "a view of a half lattice has no arrays");
}
void FullView::load(const ArrayRange&, std::span<const std::byte>) {
  throw Error(ExitCode::internal, "a view of a half lattice has no arrays");
}

}  // namespace fluvia
