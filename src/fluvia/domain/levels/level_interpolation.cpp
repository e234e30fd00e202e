// SPDX-License-Identifier: Apache-2.0
#include "fluvia/domain/levels/level_interpolation.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <optional>

#include "fluvia/solver/blocks/tile_runs.hpp"

namespace fluvia::domain {

namespace {

/// Density, velocity, stress and scalars of a node, to be added with weights.
struct NodeMoments {
  std::array<double, 10> values{};
  std::vector<double> scalars{};
  void add(double weight, const NodeMoments& other) {
    scalars.resize(std::max(scalars.size(), other.scalars.size()));
    for (std::size_t k = 0; k < other.scalars.size(); ++k) scalars[k] += weight * other.scalars[k];
    for (std::size_t k = 0; k < values.size(); ++k) values[k] += weight * other.values[k];
  }
};

/// A tile of the level that computes what lies around a wanted tile.
struct Owner {
  int level;
  Int3 tile;
};
Owner owner_of(const LevelMap& map, int level, Int3 tile) {
  while (level > 0 && !map.owns(level, tile)) {
    tile = map.parent(tile);
    --level;
  }
  return {level, tile};
}

template <class Visit>
void for_each_around(int dimension, const Visit& visit) {
  const int depth = dimension == 3 ? 1 : 0;
  for (int z = -depth; z <= depth; ++z)
    for (int y = -1; y <= 1; ++y)
      for (int x = -1; x <= 1; ++x) visit(Int3{x, y, z});
}

/// Nodes of a level in and beside some of its tiles.
class CoarseNodes {
 public:
  CoarseNodes(const FlowLevel& level, const std::vector<Int3>& around, bool with_stress)
      : nodes_(level.state->geometry().nodes), with_stress_(with_stress) {
    std::vector<std::uint64_t> tiles;
    for (const Int3& tile : around)
      for_each_around(nodes_.dimension, [&](const Int3& step) {
        const std::uint32_t there = nodes_.tile_at({tile[0] + step[0], tile[1] + step[1], tile[2] + step[2]});
        if (there != empty_tile) tiles.push_back(there);
      });
    std::sort(tiles.begin(), tiles.end());
    tiles.erase(std::unique(tiles.begin(), tiles.end()), tiles.end());
    for (const TileRun& run : tile_runs(tiles)) {
      Moments& piece = pieces_[nodes_.tiles[run.first].first_node];
      level.state->moments(run.first, run.count, with_stress, piece);
    }
  }

  [[nodiscard]] std::optional<NodeMoments> at(const Int3& node) const {
    const std::int64_t index = nodes_.node_index(node);
    if (index < 0) return {};
    auto piece = pieces_.upper_bound(static_cast<std::uint64_t>(index));
    if (piece == pieces_.begin()) return {};
    --piece;
    const std::size_t k = static_cast<std::uint64_t>(index) - piece->first;
    if (k >= piece->second.density.size()) return {};
    NodeMoments found;
    found.values[0] = piece->second.density[k];
    for (std::size_t a = 0; a < 3; ++a) found.values[1 + a] = piece->second.velocity[k][a];
    if (with_stress_)
      for (std::size_t a = 0; a < 6; ++a) found.values[4 + a] = piece->second.stress[k][a];
    const std::size_t count = piece->second.scalars.size() / piece->second.density.size();
    const auto scalars = piece->second.scalars.begin() + static_cast<std::ptrdiff_t>(k * count);
    found.scalars.assign(scalars, scalars + static_cast<std::ptrdiff_t>(count));
    return found;
  }

  /// The moments at a place in a cell, `offset` from its middle in edges, each component less than half; none where no
  /// node is near.
  [[nodiscard]] std::optional<NodeMoments> at(const Int3& cell, const Real3& offset) const {
    const std::optional<NodeMoments> middle = at(cell);
    if (!middle) return nearest(cell, offset);
    std::array<NodeMoments, 27> around;
    bool complete = true;
    std::size_t count = 0;
    for_each_around(nodes_.dimension, [&](const Int3& step) {
      const auto there = at({cell[0] + step[0], cell[1] + step[1], cell[2] + step[2]});
      complete = complete && there;
      if (there) around[count] = *there;
      ++count;
    });
    return complete ? quadratic(around, offset) : linear(*middle, cell, offset);
  }

 private:
  [[nodiscard]] NodeMoments quadratic(const std::array<NodeMoments, 27>& around, const Real3& offset) const {
    std::array<std::array<double, 3>, 3> weights{};
    for (std::size_t a = 0; a < 3; ++a) {
      const double x = offset[a];
      weights[a] = {(x * x - x) / 2, 1 - x * x, (x * x + x) / 2};
    }
    NodeMoments sum;
    std::size_t count = 0;
    for_each_around(nodes_.dimension, [&](const Int3& step) {
      double weight = 1;
      for (int a = 0; a < nodes_.dimension; ++a)
        weight *= weights[static_cast<std::size_t>(a)][static_cast<std::size_t>(step[a] + 1)];
      sum.add(weight, around[count++]);
    });
    return sum;
  }
  [[nodiscard]] NodeMoments linear(const NodeMoments& middle, const Int3& cell, const Real3& offset) const {
    NodeMoments sum = middle;
    for (int a = 0; a < nodes_.dimension; ++a) {
      Int3 upper = cell, lower = cell;
      ++upper[a];
      --lower[a];
      const auto after = at(upper), before = at(lower);
      if (!after && !before) continue;
      const double part = offset[a] * (after && before ? 0.5 : 1);
      sum.add(part, after ? *after : middle);
      sum.add(-part, before ? *before : middle);
    }
    return sum;
  }
  [[nodiscard]] std::optional<NodeMoments> nearest(const Int3& cell, const Real3& offset) const {
    std::optional<NodeMoments> found;
    double least = 0;
    for_each_around(nodes_.dimension, [&](const Int3& step) {
      const auto there = at({cell[0] + step[0], cell[1] + step[1], cell[2] + step[2]});
      double distance = 0;
      for (int a = 0; a < nodes_.dimension; ++a) distance += (step[a] - offset[a]) * (step[a] - offset[a]);
      if (!there || (found && distance >= least)) return;
      found = there;
      least = distance;
    });
    return found;
  }

  const NodeMap& nodes_;
  bool with_stress_;
  std::map<std::uint64_t, Moments> pieces_;  ///< by their first nodes
};

}  // namespace

void interpolate_coarser(const LevelMap& map, const std::vector<FlowLevel>& levels, const SeenTiles& wanted,
                         const std::vector<std::uint64_t>& tiles, bool with_stress, Moments& out) {
  const NodeMap& nodes = wanted.nodes;
  const std::uint64_t first_node = nodes.tiles[wanted.tiles.first].first_node;
  const std::vector<ScalarMethod>& scalars = levels.front().state->plan().scalars;
  std::map<int, std::vector<std::uint64_t>> by_level;
  std::map<int, std::vector<Int3>> around;
  for (const std::uint64_t t : tiles) {
    const Owner owner = owner_of(map, wanted.level, nodes.tiles[t].position);
    by_level[owner.level].push_back(t);
    around[owner.level].push_back(owner.tile);
  }
  for (const auto& [level, of_level] : by_level) {
    const CoarseNodes coarse(levels[static_cast<std::size_t>(level)], around[level], with_stress);
    const double scale = stress_scale(levels, level, wanted.level);
    const int shift = wanted.level - level, edge = 1 << shift;
    for (const std::uint64_t t : of_level) {
      const NodeMap::Tile& tile = nodes.tiles[t];
      std::uint64_t index = tile.first_node - first_node;
      for (std::uint64_t rest = tile.mask; rest != 0; rest &= rest - 1, ++index) {
        Int3 cell = nodes.node_position(tile, std::countr_zero(rest));
        Real3 offset{};
        for (int a = 0; a < nodes.dimension; ++a) {
          const int node = cell[a];
          cell[a] = node >> shift;
          offset[a] = (node - cell[a] * edge + 0.5) / edge - 0.5;
        }
        NodeMoments rest_state;
        rest_state.values[0] = 1;
        for (const ScalarMethod& scalar : scalars) rest_state.scalars.push_back(scalar.reference);
        const NodeMoments found = coarse.at(cell, offset).value_or(rest_state);
        out.density[index] = found.values[0];
        out.velocity[index] = {found.values[1], found.values[2], found.values[3]};
        if (with_stress)
          for (std::size_t a = 0; a < 6; ++a) out.stress[index][a] = scale * found.values[4 + a];
        for (std::size_t k = 0; k < scalars.size(); ++k) out.scalars[index * scalars.size() + k] = found.scalars[k];
      }
    }
  }
}

}  // namespace fluvia::domain
