// SPDX-License-Identifier: Apache-2.0
// What lies around the nodes of a level of refinement and the next finer one, and where populations go there. For
// find_level_links() alone.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <tuple>
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

/// A population before a wall turns it round.
struct Bounce {
  Int3 cell;
  int direction;
};

/// How a population comes from a fine place in a coarse cell to a fine node.
struct Crossing {
  Int3 place;
  int direction;                   ///< with which it begins
  Arrival at;                      ///< the node, and the direction in which it comes there
  int step;                        ///< the fine step in which it does
  Int3 way{};                      ///< from the place to the node, in fine links
  bool bounced = false;            ///< a wall turned it round, and no plane of symmetry lay between
  std::optional<Bounce> turned{};  ///< at a wall, or an opening: before step 1
  std::optional<Int3> returned{};  ///< from beyond an opening, to this place
};

/// What stands for a population of a coarse cell that the rule of a wall at rest has replaced. The fluid does not move
/// at the wall. So the cell's opposite population is what the one would be at the image of the cell, as far beyond the
/// wall as the cell lies before it, and between there and the next cell away from the wall it is interpolated.
struct Reflection {
  Arrival inner{};                 ///< the population in the next cell
  int axis = 0;                    ///< along which that lies
  std::array<double, 3> growth{};  ///< of the distance from the wall along the axes, by that of the cell
  double across = 0;               ///< from the image to the next cell, by the same

  /// How far a place (from the middle of the cell, in its edges) lies on the way from the image to the next cell.
  [[nodiscard]] double part(const std::array<double, 3>& offset) const {
    return (2 + growth[0] * offset[0] + growth[1] * offset[1] + growth[2] * offset[2]) / across;
  }
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
  /// Coarse cells: own fluid, solid, or, as `none`, finer. What is solid says the coarse spacing, also where cells are
  /// finer: so each level's own walls go on beyond where it ends.
  [[nodiscard]] Kind coarse_kind(const Int3& c) const {
    if (is_fine(c)) return levels_.beside_coarse.contains(dimension(), c) ? Kind::none : Kind::solid;
    return levels_.coarse.is_fluid(c) ? Kind::own : Kind::solid;
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
    if (!levels_.beside_fine.contains(dimension(), c)) return Kind::solid;
    // Fluid that no coarse cell stands for ends the flow like a wall.
    if (!levels_.coarse.is_fluid(around) && !foster(c)) return Kind::solid;
    return is_beside_fine(around) ? Kind::ghost : Kind::none;
  }

  /// A coarse cell that this level computes and how many cells it lies from another one.
  struct CellAt {
    Int3 cell;
    Int3 away;
    bool operator==(const CellAt&) const = default;
  };
  /// The coarse cell that stands for a fine place within a solid coarse one: the next that flow from there reaches in a
  /// straight line. `away`: from the solid cell.
  [[nodiscard]] std::optional<CellAt> foster(const Int3& place) const {
    return nearest(place, parent(place), {}, [&](const Int3& cell, const Int3& away) {
      Int3 there = place;
      do {
        for (std::size_t a = 0; a < 3; ++a) there[a] += away[a];
        const NodeMap::Landing landing = levels_.fine.land(there);
        if (!landing.inside || !is_fine_fluid(landing.node)) return false;
        if (parent(landing.node) == cell) return true;
      } while (true);
    });
  }
  /// The coarse cell whose population of a direction after its collision says best what a fine place beside or inside
  /// of `base` has of it: `base` itself, or, where the rule of a wall has replaced that and it has no reflection, the
  /// next cell that has it.
  /// `base.away`: from the coarse cell around the place.
  [[nodiscard]] CellAt source_of(const Int3& place, const CellAt& base, int direction) const {
    if (is_known(base.cell, direction) || reflection(base.cell, direction)) return base;
    const auto next =
        nearest(place, base.cell, base.away, [&](const Int3& cell, const Int3&) { return is_known(cell, direction); });
    return next.value_or(base);
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
  /// The way of a population of a fine place. None if it goes on to a coarse cell, or if a wall of the finer level
  /// stops it.
  [[nodiscard]] std::optional<Crossing> follow(const Int3& place, int j) const {
    if (fine_kind(place) != Kind::ghost) return std::nullopt;
    Crossing crossing{place, j, {place, j, false}, 0};
    bool mirrored = false;
    for (; crossing.step < 2; ++crossing.step) {
      Arrival& at = crossing.at;
      const Arrival next = follow_fine(at.cell, at.direction);
      if (next.bounced) crossing.turned = Bounce{at.cell, at.direction};
      if (next.bounced && leaves_by_opening(levels_.fine, at.cell, at.direction)) crossing.returned = at.cell;
      if (!next.bounced) crossing.way = moved(crossing.way, at.direction);
      crossing.bounced = crossing.bounced || next.bounced;
      mirrored = mirrored || next.mirrored;
      at = next;
      if (fine_kind(at.cell) == Kind::own) break;
    }
    if (crossing.step == 2) return std::nullopt;
    crossing.bounced = crossing.bounced && !mirrored && !crossing.returned;
    return crossing;
  }
  /// Whether a step leads from a fine place in a coarse cell to where cells are finer.
  [[nodiscard]] bool leaves_at_once(const Int3& place, const Int3& step) const {
    const NodeMap::Landing landing = levels_.fine.land({place[0] + step[0], place[1] + step[1], place[2] + step[2]});
    return landing.inside && is_fine(parent(landing.node));
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
  /// Steps of parts of a velocity, along the fewest axes first.
  [[nodiscard]] std::vector<Int3> steps_along(int direction) const {
    const Int3& v = velocities_[static_cast<std::size_t>(direction)];
    std::vector<Int3> steps;
    for (int axes = 1; axes < 8; ++axes) {
      Int3 step{};
      for (int a = 0; a < 3; ++a) step[a] = (axes >> a & 1) != 0 ? v[a] : 0;
      if (step != Int3{} && step != v) steps.push_back(step);
    }
    std::stable_sort(steps.begin(), steps.end(), [](const Int3& a, const Int3& b) {
      const auto axes = [](const Int3& s) { return (s[0] != 0) + (s[1] != 0) + (s[2] != 0); };
      return axes(a) < axes(b);
    });
    return steps;
  }
  /// The coarse cell beside one along an axis that this level computes, or that cell's image, and what is there of a
  /// population of the one; none elsewhere.
  [[nodiscard]] std::optional<Arrival> beside(Int3 cell, int axis, int side, int direction) const {
    cell[axis] += side;
    const NodeMap::Landing there = levels_.coarse.land(cell);
    if (!there.inside || coarse_kind(there.node) != Kind::own) return {};
    const Arrival neighbour = landed(there, direction);
    return is_known(neighbour.cell, neighbour.direction) ? std::optional(neighbour) : std::nullopt;
  }

  /// Whether a coarse cell that this level computes has a population of this direction after its collision.
  [[nodiscard]] bool is_known(const Int3& cell, int direction) const { return !wall_between(cell, direction); }
  /// What stands for a population of a coarse cell that the rule of a wall at rest has replaced. None if none has, or
  /// if the opposite population or the next cell away from the wall is not there.
  [[nodiscard]] std::optional<Reflection> reflection(const Int3& cell, int direction) const {
    const Int3& c = velocities_[static_cast<std::size_t>(direction)];
    if (is_known(cell, direction) || !is_known(cell, core::opposite(direction))) return {};
    if (!levels_.reflects || (levels_.moving_wall && levels_.moving_wall(levels_.level, cell, c))) return {};
    Reflection reflection{};
    double steepest = 0;
    for (int a = 0; a < dimension(); ++a) {
      if (c[a] == 0) continue;
      Int3 link{};
      link[a] = c[a];
      const auto found = std::find(velocities_.begin(), velocities_.end(), link);
      const std::optional<double> part = wall_between(cell, static_cast<int>(found - velocities_.begin()));
      if (!part) continue;
      reflection.growth[static_cast<std::size_t>(a)] = -c[a] / *part;
      if (1 / *part <= steepest) continue;
      steepest = 1 / *part;
      reflection.axis = a;
    }
    if (steepest == 0) return {};
    const std::optional<Arrival> inner = beside(cell, reflection.axis, -c[reflection.axis], direction);
    if (!inner) return {};
    reflection.inner = *inner;
    reflection.across = 2 + steepest;
    return reflection;
  }

 private:
  /// LevelPair::wall_between of what a wall turns round.
  [[nodiscard]] std::optional<double> wall_between(const Int3& cell, int direction) const {
    if (!levels_.wall_between || !follow_coarse(cell, direction).bounced) return {};
    return levels_.wall_between(cell, velocities_[static_cast<std::size_t>(direction)]);
  }
  [[nodiscard]] bool is_fine_fluid(const Int3& c) const {
    return levels_.fine.is_fluid(c) || levels_.beside_fine.contains(dimension(), c);
  }
  /// Of the coarse cells around one that this level computes and that are accepted (by cell and steps from `centre`),
  /// the nearest to a fine place; of those as near the one along the first axes, whatever their side, so that images
  /// have images. `away`: where `centre` lies from the coarse cell around the place.
  template <class Accepts>
  [[nodiscard]] std::optional<CellAt> nearest(const Int3& place, const Int3& centre, const Int3& away,
                                              const Accepts& accepts) const {
    std::optional<CellAt> best;
    std::tuple<int, int> least;
    const int depth = dimension() == 3 ? 1 : 0;
    for (int z = -depth; z <= depth; ++z)
      for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x) {
          const Int3 step{x, y, z};
          const NodeMap::Landing there = levels_.coarse.land({centre[0] + x, centre[1] + y, centre[2] + z});
          if (step == Int3{} || !there.inside || there.reflected || coarse_kind(there.node) != Kind::own) continue;
          if (!accepts(there.node, step)) continue;
          int distance = 0, axes = 0;  // in quarters of a cell, squared
          for (int a = 0; a < dimension(); ++a) {
            const int d = 4 * (away[a] + step[a]) - (place[a] % 2 == 0 ? -1 : 1);
            distance += d * d;
            axes += step[a] != 0 ? 1 << a : 0;
          }
          if (best && std::tuple(distance, axes) >= least) continue;
          best = CellAt{there.node, {away[0] + x, away[1] + y, away[2] + z}};
          least = {distance, axes};
        }
    return best;
  }
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
