// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/wall_stress.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "fluvia/core/lattice/isotropy.hpp"
#include "fluvia/solver/cut_links.hpp"
#include "fluvia/solver/viscous_stress.hpp"

namespace fluvia {
namespace {

/// Reach of the fit where walls are where they are, and where they are half-way, which leaves out the first nodes.
constexpr double reach_interpolated = 3.2, reach_half_way = 3.5;
/// Weight of those first nodes, for where there are no others.
constexpr double unreliable = 1e-4;

/// Solves the symmetric positive definite system of four unknowns for the right-hand side (1, 0, 0, 0), by Cholesky
/// decomposition.
std::array<double, 4> solve_for_value(std::array<std::array<double, 4>, 4> a) {
  for (int j = 0; j < 4; ++j) {
    for (int k = 0; k < j; ++k) a[j][j] -= a[j][k] * a[j][k];
    a[j][j] = std::sqrt(std::max(a[j][j], 1e-300));
    for (int i = j + 1; i < 4; ++i) {
      for (int k = 0; k < j; ++k) a[i][j] -= a[i][k] * a[j][k];
      a[i][j] /= a[j][j];
    }
  }
  std::array<double, 4> x{1, 0, 0, 0};
  for (int i = 0; i < 4; ++i) {
    for (int k = 0; k < i; ++k) x[i] -= a[i][k] * x[k];
    x[i] /= a[i][i];
  }
  for (int i = 3; i >= 0; --i) {
    for (int k = i + 1; k < 4; ++k) x[i] -= a[k][i] * x[k];
    x[i] /= a[i][i];
  }
  return x;
}

/// By canonical node: whether one of the 18 nearest nodes is not fluid.
std::vector<bool> nodes_beside_walls(const NodeMap& nodes) {
  std::vector<bool> beside(nodes.fluid_nodes, false);
  for (const NodeMap::Tile& tile : nodes.tiles) {
    if (is_surrounded(nodes, tile)) continue;
    std::uint64_t index = tile.first_node;
    for (std::uint64_t rest = tile.mask; rest != 0; rest &= rest - 1, ++index) {
      const Int3 x = nodes.node_position(tile, std::countr_zero(rest));
      for (int k = 0; k < 27 && !beside[index]; ++k) {
        const Int3 step{k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
        const int length = std::abs(step[0]) + std::abs(step[1]) + std::abs(step[2]);
        if (length == 0 || length > 2) continue;
        beside[index] = !nodes.is_fluid({x[0] + step[0], x[1] + step[1], x[2] + step[2]});
      }
    }
  }
  return beside;
}

struct NodeState {
  double pressure = 0;
  std::array<double, 6> stress{};
};

}  // namespace

void WallStress::fit(const NodeMap& nodes, const WallMesh::Patch& patch, Neighbourhood& neighbourhood,
                     Part& part) const {
  const auto from_wall = [&](const Int3& step) {
    Real3 d;
    for (int axis = 0; axis < 3; ++axis) d[axis] = patch.node[axis] + step[axis] + 0.5 - patch.point[axis];
    return d;
  };
  const auto& members = neighbourhood.find(nodes, patch.node, [&](const Int3& step) {
    const Real3 d = from_wall(step);
    return dot(d, d) < reach_ * reach_;
  });
  std::array<std::array<double, 4>, 4> matrix{};
  std::vector<double> weights;
  for (const auto& member : members) {
    const Real3 d = from_wall(member.step);
    const double share = 1 - dot(d, d) / (reach_ * reach_);
    double weight = std::max(share * share, 1e-3);
    if (!beside_.empty() && beside_[member.node]) weight *= unreliable;
    const std::array<double, 4> row{1, d[0], d[1], d[2]};
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) matrix[i][j] += weight * row[i] * row[j];
    }
    weights.push_back(weight);
  }
  // Slopes that nothing determines become zero.
  for (int i = 1; i < 4; ++i) matrix[i][i] += 1e-6 * matrix[0][0];
  const std::array<double, 4> x = solve_for_value(matrix);
  for (std::size_t k = 0; k < members.size(); ++k) {
    const Real3 d = from_wall(members[k].step);
    part.nodes.push_back(members[k].node);
    part.factors.push_back(static_cast<float>(weights[k] * (x[0] + x[1] * d[0] + x[2] * d[1] + x[3] * d[2])));
  }
  part.counts.push_back(static_cast<std::uint32_t>(members.size()));
}

std::vector<WallStress::Part> WallStress::fit_all(const NodeMap& nodes) const {
  constexpr std::size_t patches_in_part = 1024;
  const std::size_t patches = mesh_.patches.size();
  std::vector<Part> parts((patches + patches_in_part - 1) / patches_in_part);
#pragma omp parallel for schedule(dynamic, 1)
  for (std::int64_t p = 0; p < static_cast<std::int64_t>(parts.size()); ++p) {
    const std::size_t first = static_cast<std::size_t>(p) * patches_in_part;
    Neighbourhood neighbourhood;
    for (std::size_t k = first; k < std::min(patches, first + patches_in_part); ++k) {
      fit(nodes, mesh_.patches[k], neighbourhood, parts[p]);
    }
  }
  return parts;
}

WallStress::WallStress(const Geometry& geometry, const WallMesh& mesh)
    : mesh_(mesh), reach_(geometry.distance_of ? reach_interpolated : reach_half_way) {
  const NodeMap& map = geometry.nodes;
  if (!geometry.distance_of) beside_ = nodes_beside_walls(map);
  const std::vector<Part> parts = fit_all(map);
  for (const Part& part : parts) nodes_.insert(nodes_.end(), part.nodes.begin(), part.nodes.end());
  std::sort(nodes_.begin(), nodes_.end());
  nodes_.erase(std::unique(nodes_.begin(), nodes_.end()), nodes_.end());
  begin_.push_back(0);
  for (const Part& part : parts) {
    for (std::size_t k = 0; k < part.nodes.size(); ++k) {
      const auto slot = std::lower_bound(nodes_.begin(), nodes_.end(), part.nodes[k]) - nodes_.begin();
      terms_.push_back({static_cast<std::uint32_t>(slot), part.factors[k]});
    }
    for (const std::uint32_t count : part.counts) begin_.push_back(begin_.back() + count);
  }
  std::vector<std::uint64_t> tiles;
  for (const std::uint64_t node : nodes_) {
    const auto after = std::partition_point(map.tiles.begin(), map.tiles.end(),
                                            [&](const NodeMap::Tile& tile) { return tile.first_node <= node; });
    const auto tile = static_cast<std::uint64_t>(after - map.tiles.begin()) - 1;
    if (tiles.empty() || tiles.back() != tile) tiles.push_back(tile);
  }
  runs_ = tile_runs(tiles);
}

std::vector<WallLoad> WallStress::evaluate(const FlowState& state) const {
  const NodeMap& map = state.geometry().nodes;
  std::vector<NodeState> states(nodes_.size());
  Moments moments;
  std::size_t next = 0;
  for (const TileRun& run : runs_) {
    state.moments(run.first, run.count, true, moments);
    const std::uint64_t first = map.tiles[run.first].first_node, end = first + moments.density.size();
    for (; next < nodes_.size() && nodes_[next] < end; ++next) {
      const std::uint64_t at = nodes_[next] - first;
      const double density = moments.density[at];
      states[next] = {core::sound_speed_squared * (density - 1),
                      viscous_stress(state.plan(), map.dimension, density, moments.stress[at])};
    }
  }
  std::vector<WallLoad> loads(mesh_.patches.size());
#pragma omp parallel for schedule(static)
  for (std::int64_t k = 0; k < static_cast<std::int64_t>(loads.size()); ++k) {
    NodeState wall;
    for (std::uint64_t t = begin_[k]; t < begin_[k + 1]; ++t) {
      const NodeState& node = states[terms_[t].node];
      const double factor = terms_[t].factor;
      wall.pressure += factor * node.pressure;
      for (std::size_t m = 0; m < 6; ++m) wall.stress[m] += factor * node.stress[m];
    }
    const Real3& n = mesh_.patches[k].normal;
    const auto& [xx, yy, zz, xy, yz, zx] = wall.stress;
    const Real3 traction{xx * n[0] + xy * n[1] + zx * n[2], xy * n[0] + yy * n[1] + yz * n[2],
                         zx * n[0] + yz * n[1] + zz * n[2]};
    // What the wall does to the fluid, with the opposite sign.
    loads[k] = {dot(traction, n) * n - traction, wall.pressure};
  }
  return loads;
}

}  // namespace fluvia
