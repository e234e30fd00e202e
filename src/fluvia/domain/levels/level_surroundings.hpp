// SPDX-License-Identifier: Apache-2.0
// What lies around the nodes of a level of refinement and the next finer one, and where populations go there. For
// find_level_links() alone.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "fluvia/core/lattice/lattice.hpp"
#include "fluvia/domain/levels/level_links.hpp"

namespace fluvia::domain::crossing {

enum class Kind : std::uint8_t { none, own, ghost, solid };

/// Where a population comes to on a link: the next cell, over a plane of symmetry its image, or, reversed by a wall,
/// the same.
struct Arrival {
  Int3 cell;
  int direction;
  bool bounced;
  bool mirrored = false;
};

/// What lies around the nodes of two levels, and where populations go there.
class Surroundings {
 public:
  Surroundings(const LevelPair& levels, const std::vector<Int3>& velocities)
      : levels_(levels), velocities_(velocities), shape_(tile_shape(levels.coarse.dimension)) {
    for (int signs = 0; signs < 8; ++signs)
      for (const Int3& v : velocities) {
        Int3 image = v;
        for (int a = 0; a < 3; ++a) image[a] *= (signs >> a & 1) != 0 ? -1 : 1;
        const auto found = std::find(velocities.begin(), velocities.end(), image);
        images_[static_cast<std::size_t>(signs)].push_back(static_cast<int>(found - velocities.begin()));
      }
  }

  [[nodiscard]] int dimension() const { return levels_.coarse.dimension; }
  [[nodiscard]] const std::vector<Int3>& velocities() const { return velocities_; }
  [[nodiscard]] int children() const { return 1 << dimension(); }
  [[nodiscard]] Int3 child(const Int3& c, int k) const {
    Int3 fine = c;
    for (int a = 0; a < dimension(); ++a) fine[a] = 2 * c[a] + (k >> a & 1);
    return fine;
  }
  [[nodiscard]] Int3 parent(const Int3& c) const { return levels_.map.parent(c); }

  /// Whether a coarse cell of the box belongs to finer levels.
  [[nodiscard]] bool is_fine(const Int3& c) const { return levels_.map.is_refined(levels_.level, tile_of(c)); }
  /// Coarse cells: own fluid, solid, or, as `none`, finer.
  [[nodiscard]] Kind coarse_kind(const Int3& c) const {
    return is_fine(c) ? Kind::none : levels_.coarse.is_fluid(c) ? Kind::own : Kind::solid;
  }
  /// Whether a tile of either level touches none of the other, nor of others.
  [[nodiscard]] bool is_inside(int level, const Int3& tile) const {
    const Int3 count = levels_.map.tiles(level);
    const Bool3& periodic = levels_.coarse.periodic;
    const int depth = dimension() == 3 ? 1 : 0;
    for (int z = -depth; z <= depth; ++z)
      for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x) {
          Int3 there{tile[0] + x, tile[1] + y, tile[2] + z};
          bool inside = true;
          for (int a = 0; a < 3; ++a) {
            if (periodic[a]) there[a] = wrapped(there[a], count[a]);
            inside = inside && there[a] >= 0 && there[a] < count[a];
          }
          if (inside && !levels_.map.owns(level, there)) return false;
        }
    return true;
  }
  /// Whether a coarse cell touches one that is finer.
  [[nodiscard]] bool is_beside_fine(const Int3& c) const {
    const int depth = dimension() == 3 ? 1 : 0;
    for (int z = -depth; z <= depth; ++z)
      for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x) {
          Int3 there{c[0] + x, c[1] + y, c[2] + z};
          if (levels_.coarse.wrap(there) && is_fine(there)) return true;
        }
    return false;
  }
  [[nodiscard]] Kind fine_kind(const Int3& c) const {
    const Int3 around = parent(c);
    if (is_fine(around)) {
      if (levels_.map.is_refined(levels_.level + 1, tile_of(c))) return Kind::none;
      return levels_.fine.is_fluid(c) ? Kind::own : Kind::solid;
    }
    // Farther away only what comes back from a wall at the interface gets to, and may meet one again.
    if (!levels_.coarse.is_fluid(around)) return Kind::solid;
    return is_beside_fine(around) ? Kind::ghost : Kind::none;
  }

  [[nodiscard]] Arrival follow_coarse(const Int3& from, int direction) const {
    const NodeMap::Landing to = levels_.coarse.land(moved(from, direction));
    if (to.inside && coarse_kind(to.node) != Kind::solid) return landed(to, direction);
    return {from, core::opposite(direction), true};
  }
  [[nodiscard]] Arrival follow_fine(const Int3& from, int direction) const {
    const NodeMap::Landing to = levels_.fine.land(moved(from, direction));
    if (to.inside && fine_kind(to.node) != Kind::solid) return landed(to, direction);
    return {from, core::opposite(direction), true};
  }
  /// Whether what leaves a cell of either level along a link leaves the box by openings only.
  [[nodiscard]] bool leaves_by_opening(const NodeMap& level, const Int3& from, int direction) const {
    const Int3 to = moved(from, direction);
    bool leaves = false;
    for (int a = 0; a < dimension(); ++a) {
      if (level.periodic[a] || (to[a] >= 0 && to[a] < level.size[a])) continue;
      const auto face = static_cast<std::size_t>(2 * a + (to[a] < 0 ? 0 : 1));
      if (level.mirrors[face]) continue;
      if (!levels_.openings[face]) return false;
      leaves = true;
    }
    return leaves;
  }
  /// A fine cell some steps away that is fluid of this level, where no plane of symmetry lies between.
  [[nodiscard]] std::optional<Int3> own_fine(const Int3& from, const Int3& step, int count) const {
    const NodeMap::Landing there =
        levels_.fine.land({from[0] + count * step[0], from[1] + count * step[1], from[2] + count * step[2]});
    if (!there.inside || there.reflected || fine_kind(there.node) != Kind::own) return {};
    return there.node;
  }
  /// The coarse cell beside one along an axis that this level computes, or that cell's image, and what is there of a
  /// population of the one; none elsewhere.
  [[nodiscard]] std::optional<Arrival> beside(Int3 cell, int axis, int side, int direction) const {
    cell[axis] += side;
    const NodeMap::Landing there = levels_.coarse.land(cell);
    if (!there.inside || coarse_kind(there.node) != Kind::own) return {};
    return landed(there, direction);
  }

 private:
  [[nodiscard]] Int3 moved(const Int3& c, int direction) const {
    const Int3& v = velocities_[static_cast<std::size_t>(direction)];
    return {c[0] + v[0], c[1] + v[1], c[2] + v[2]};
  }
  [[nodiscard]] Arrival landed(const NodeMap::Landing& to, int direction) const {
    std::size_t signs = 0;
    for (std::size_t a = 0; a < 3; ++a) signs |= to.sign[a] < 0 ? std::size_t{1} << a : 0;
    return {to.node, images_[signs][static_cast<std::size_t>(direction)], false, to.reflected};
  }
  [[nodiscard]] Int3 tile_of(const Int3& c) const { return {c[0] / shape_[0], c[1] / shape_[1], c[2] / shape_[2]}; }

  const LevelPair& levels_;
  const std::vector<Int3>& velocities_;
  Int3 shape_;
  std::array<std::vector<int>, 8> images_;  ///< [axes along which it is reflected], of each direction
};

}  // namespace fluvia::domain::crossing
