// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>

#include "fluvia/base/error.hpp"
#include "fluvia/domain/levels/level_interpolation.hpp"
#include "fluvia/domain/levels/level_view.hpp"
#include "fluvia/solver/blocks/tile_runs.hpp"

namespace fluvia::domain {

namespace {

/// Sums over the finer nodes in a node: of their part of it, and of their moments.
struct NodeSum {
  double part = 0, density = 0;
  Real3 velocity{};
  std::array<double, 6> stress{};
  std::vector<double> scalars{};

  void add(double weight, const NodeSum& other) {
    part += weight * other.part;
    density += weight * other.density;
    velocity = velocity + weight * other.velocity;
    for (std::size_t k = 0; k < 6; ++k) stress[k] += weight * other.stress[k];
    scalars.resize(std::max(scalars.size(), other.scalars.size()));
    for (std::size_t k = 0; k < other.scalars.size(); ++k) scalars[k] += weight * other.scalars[k];
  }
};
using TileOfSums = std::array<NodeSum, nodes_per_tile>;

class Averages {
 public:
  /// `base`: the level in whose units the sums are.
  Averages(const LevelMap& map, const std::vector<FlowLevel>& levels, int base, bool with_stress)
      : map_(map),
        levels_(levels),
        base_(base),
        with_stress_(with_stress),
        scalars_(levels.front().state->plan().scalars.size()) {}

  /// Sums of refined tiles of a level.
  [[nodiscard]] std::vector<TileOfSums> of_refined(int level, const std::vector<Int3>& tiles) const {
    std::vector<TileOfSums> sums(tiles.size());
    const NodeMap& fine = nodes(level + 1);
    const int depth = fine.dimension == 3 ? 2 : 1;
    struct Part {
      std::size_t of;
      Int3 position;
    };
    std::vector<std::pair<std::uint64_t, Part>> owned;
    std::vector<Part> refined;
    std::vector<Int3> refined_tiles;
    for (std::size_t k = 0; k < tiles.size(); ++k)
      for (int z = 0; z < depth; ++z)
        for (int y = 0; y < 2; ++y)
          for (int x = 0; x < 2; ++x) {
            const Int3& t = tiles[k];
            const Int3 child{2 * t[0] + x, 2 * t[1] + y, fine.dimension == 3 ? 2 * t[2] + z : t[2]};
            const Int3 count = fine.tiles_in_box;
            if (child[0] >= count[0] || child[1] >= count[1] || child[2] >= count[2]) continue;
            if (map_.is_refined(level + 1, child)) {
              refined.push_back({k, child});
              refined_tiles.push_back(child);
            } else if (const std::uint32_t tile = fine.tile_at(child); tile != empty_tile) {
              owned.push_back({tile, {k, child}});
            }
          }
    add_owned(level + 1, std::move(owned), sums);
    if (refined.empty()) return sums;
    const std::vector<TileOfSums> finer = of_refined(level + 1, refined_tiles);
    for (std::size_t k = 0; k < refined.size(); ++k)
      for (int bit = 0; bit < nodes_per_tile; ++bit)
        add(level + 1, refined[k].position, bit, finer[k][static_cast<std::size_t>(bit)], sums[refined[k].of]);
    return sums;
  }

 private:
  [[nodiscard]] const NodeMap& nodes(int level) const {
    return levels_[static_cast<std::size_t>(level)].state->geometry().nodes;
  }
  /// Adds a node of a level to the sums of the tile of the next coarser one around its own.
  void add(int level, const Int3& tile, int bit, const NodeSum& node, TileOfSums& sums) const {
    const int dimension = nodes(level).dimension;
    const Int3 shape = tile_shape(dimension), local = tile_local(dimension, bit);
    Int3 there = local;
    for (int a = 0; a < dimension; ++a) there[a] = (tile[a] * shape[a] + local[a]) / 2 % shape[a];
    sums[static_cast<std::size_t>(tile_bit(dimension, there))].add(dimension == 3 ? 0.125 : 0.25, node);
  }
  template <class Owned>
  void add_owned(int level, Owned owned, std::vector<TileOfSums>& sums) const {
    std::sort(owned.begin(), owned.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::uint64_t> tiles;
    for (const auto& part : owned) tiles.push_back(part.first);
    const NodeMap& of = nodes(level);
    const FlowLevel& own = levels_[static_cast<std::size_t>(level)];
    const double scale = stress_scale(levels_, level, base_);
    std::size_t next = 0;
    Moments moments;
    for (const TileRun& run : tile_runs(tiles)) {
      own.state->moments(run.first, run.count, with_stress_, moments);
      const std::uint64_t first_node = of.tiles[run.first].first_node;
      for (; next < owned.size() && owned[next].first < run.first + run.count; ++next) {
        const NodeMap::Tile& tile = of.tiles[owned[next].first];
        std::uint64_t index = tile.first_node - first_node;
        for (std::uint64_t rest = tile.mask; rest != 0; rest &= rest - 1, ++index) {
          NodeSum node{1, moments.density[index], moments.velocity[index], {}};
          const auto scalars = moments.scalars.begin() + static_cast<std::ptrdiff_t>(index * scalars_);
          node.scalars.assign(scalars, scalars + static_cast<std::ptrdiff_t>(scalars_));
          if (with_stress_)
            for (std::size_t k = 0; k < 6; ++k) node.stress[k] = scale * moments.stress[index][k];
          add(level, tile.position, std::countr_zero(rest), node, sums[owned[next].second.of]);
        }
      }
    }
  }

  const LevelMap& map_;
  const std::vector<FlowLevel>& levels_;
  int base_;
  bool with_stress_;
  std::size_t scalars_;  ///< how many there are
};

/// Copies moments of tiles that the level computes; consecutive ones are asked for together.
class ComputedTiles {
 public:
  ComputedTiles(const FlowLevel& level, std::uint64_t first_node, bool with_stress, Moments& out)
      : level_(level), first_node_(first_node), with_stress_(with_stress), out_(out) {}
  ComputedTiles(const ComputedTiles&) = delete;
  ComputedTiles& operator=(const ComputedTiles&) = delete;

  void add(const NodeMap::Tile& tile) {
    const NodeMap& own = level_.state->geometry().nodes;
    const std::uint32_t there = own.tile_at(tile.position);
    if (there == empty_tile || own.tiles[there].mask != tile.mask)
      throw Error(ExitCode::internal, "levels: a tile has other fluid to its level than to who sees it");
    if (count_ == 0 || there != first_ + count_ || tile.first_node != begin_ + own.nodes_of(first_, count_)) {
      finish();
      first_ = there;
      begin_ = tile.first_node;
    }
    ++count_;
  }
  void finish() {
    if (count_ == 0) return;
    level_.state->moments(first_, count_, with_stress_, moments_);
    const auto at = static_cast<std::ptrdiff_t>(begin_ - first_node_);
    std::copy(moments_.density.begin(), moments_.density.end(), out_.density.begin() + at);
    std::copy(moments_.velocity.begin(), moments_.velocity.end(), out_.velocity.begin() + at);
    if (with_stress_) std::copy(moments_.stress.begin(), moments_.stress.end(), out_.stress.begin() + at);
    if (!moments_.scalars.empty()) {
      const auto count = static_cast<std::ptrdiff_t>(moments_.scalars.size() / moments_.density.size());
      std::copy(moments_.scalars.begin(), moments_.scalars.end(), out_.scalars.begin() + at * count);
    }
    count_ = 0;
  }

 private:
  const FlowLevel& level_;
  std::uint64_t first_node_;
  bool with_stress_;
  Moments& out_;
  Moments moments_;
  std::uint64_t first_ = 0, count_ = 0, begin_ = 0;
};

/// Takes the means of finer nodes for nodes of refined tiles.
void put_means(const NodeMap& nodes, const std::vector<std::uint64_t>& refined, const std::vector<TileOfSums>& sums,
               std::uint64_t first_node, bool with_stress, const std::vector<ScalarMethod>& scalars, Moments& out) {
  for (std::size_t k = 0; k < refined.size(); ++k) {
    const NodeMap::Tile& tile = nodes.tiles[refined[k]];
    std::uint64_t index = tile.first_node - first_node;
    for (std::uint64_t rest = tile.mask; rest != 0; rest &= rest - 1, ++index) {
      const NodeSum& sum = sums[k][static_cast<std::size_t>(std::countr_zero(rest))];
      const bool empty = sum.part == 0;  // solid to all finer nodes
      const double scale = empty ? 0 : 1 / sum.part;
      out.density[index] = empty ? 1 : scale * sum.density;
      out.velocity[index] = scale * sum.velocity;
      if (with_stress)
        for (std::size_t a = 0; a < 6; ++a) out.stress[index][a] = scale * sum.stress[a];
      for (std::size_t n = 0; n < scalars.size(); ++n)
        out.scalars[index * scalars.size() + n] = empty ? scalars[n].reference : scale * sum.scalars[n];
    }
  }
}

}  // namespace

double stress_scale(const std::vector<FlowLevel>& levels, int from, int to) {
  // Moments hold -2 rho c_s^2 tau S: the strain rate of a level is that of another in its own steps.
  const auto omega = [&](int level) { return levels[static_cast<std::size_t>(level)].state->plan().flow().omega(); };
  return std::exp2(from - to) * omega(from) / omega(to);
}

void moments_of_levels(const LevelMap& map, const std::vector<FlowLevel>& levels, const SeenTiles& wanted,
                       bool with_stress, Moments& out) {
  const NodeMap& nodes = wanted.nodes;
  const std::vector<ScalarMethod>& scalars = levels.front().state->plan().scalars;
  out.resize(nodes.nodes_of(wanted.tiles.first, wanted.tiles.count()), with_stress);
  out.scalars.resize(out.density.size() * scalars.size());
  if (wanted.tiles.count() == 0) return;
  const std::uint64_t first_node = nodes.tiles[wanted.tiles.first].first_node;
  ComputedTiles own(levels[static_cast<std::size_t>(wanted.level)], first_node, with_stress, out);
  std::vector<std::uint64_t> refined, coarser;
  std::vector<Int3> positions;
  for (std::uint64_t t = wanted.tiles.first; t < wanted.tiles.end; ++t) {
    const NodeMap::Tile& tile = nodes.tiles[t];
    if (map.owns(wanted.level, tile.position)) {
      own.add(tile);
    } else if (map.is_refined(wanted.level, tile.position)) {
      refined.push_back(t);
      positions.push_back(tile.position);
    } else {
      coarser.push_back(t);
    }
  }
  own.finish();
  if (!refined.empty())
    put_means(nodes, refined, Averages(map, levels, wanted.level, with_stress).of_refined(wanted.level, positions),
              first_node, with_stress, scalars, out);
  if (!coarser.empty()) interpolate_coarser(map, levels, wanted, coarser, with_stress, out);
}

}  // namespace fluvia::domain
