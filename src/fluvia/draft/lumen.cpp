// SPDX-License-Identifier: Apache-2.0
// How narrow a vessel is between its ends: the distance of every node from the nearest wall, and for each end the way
// from the inlet on which the smallest such distance is largest.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <queue>

#include "fluvia/base/error.hpp"
#include "fluvia/draft/vessel_shape.hpp"
#include "fluvia/geometry/geometry.hpp"
#include "fluvia/geometry/map/link_search.hpp"

namespace fluvia::draft {

namespace {

constexpr double nodes_across_end = 14;  // nodes across the smallest end
constexpr std::array<Int3, 6> steps = {Int3{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};

Int3 next_to(const Int3& node, const Int3& step) {
  return {node[0] + step[0], node[1] + step[1], node[2] + step[2]};
}

Real3 centre_of(const Int3& node) {
  return {node[0] + 0.5, node[1] + 0.5, node[2] + 0.5};
}

template <class Visit>
void for_each_node(const NodeMap& nodes, const Visit& visit) {
  for (const NodeMap::Tile& tile : nodes.tiles) {
    auto index = static_cast<std::size_t>(tile.first_node);
    for (std::uint64_t rest = tile.mask; rest != 0; rest &= rest - 1, ++index)
      visit(index, nodes.node_position(tile, std::countr_zero(rest)));
  }
}

/// The fluid of a voxelisation in which distances and ways are found.
class Voxels {
 public:
  Voxels(const Geometry& geometry, std::size_t ends) : g_(geometry), at_end_(ends) {
    const auto count = static_cast<std::size_t>(g_.nodes.fluid_nodes);
    position_.resize(count);
    nearest_.resize(count);
    distance_.assign(count, infinite);
    for_each_node(g_.nodes, [&](std::size_t index, const Int3& node) { position_[index] = node; });
    measure();
  }

  /// Finds the nodes with a link through the opening of each surface.
  void find_ends(const std::vector<int>& surfaces) {
    for_each_cut_link([&](std::size_t i, const Int3&, int surface) {
      const auto end = std::find(surfaces.begin(), surfaces.end(), surface);
      if (end != surfaces.end()) at_end_[static_cast<std::size_t>(end - surfaces.begin())].push_back(i);
    });
  }

  struct Narrowest {
    std::size_t node = 0;
    double distance = 0;  ///< 0: the end is not reached
  };

  /// For every end the narrowest place of the widest way to it from the inlet.
  [[nodiscard]] std::vector<Narrowest> narrowest(std::size_t inlet) const {
    struct Reached {
      double width;
      std::size_t node, throat;
      bool operator<(const Reached& o) const { return width < o.width; }
    };
    std::vector<std::size_t> throat(position_.size(), unknown);
    std::priority_queue<Reached> queue;
    for (const std::size_t i : at_end_[inlet]) queue.push({distance_[i], i, i});
    while (!queue.empty()) {
      const Reached now = queue.top();
      queue.pop();
      if (throat[now.node] != unknown) continue;
      throat[now.node] = now.throat;
      for (int k = 0; k < 27; ++k) {  // also around edges and corners, or the way would keep off the middle
        const std::int64_t other =
            g_.nodes.node_index(next_to(position_[now.node], {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1}));
        if (other < 0) continue;
        const auto next = static_cast<std::size_t>(other);
        if (throat[next] != unknown) continue;
        const bool narrower = distance_[next] < now.width;
        queue.push({narrower ? distance_[next] : now.width, next, narrower ? next : now.throat});
      }
    }
    std::vector<Narrowest> result(at_end_.size());
    for (std::size_t end = 0; end < at_end_.size(); ++end)
      for (const std::size_t i : at_end_[end]) {
        if (throat[i] == unknown) continue;
        const double width = distance_[throat[i]];
        if (width > result[end].distance) result[end] = {throat[i], width};
      }
    return result;
  }

  [[nodiscard]] const Int3& position(std::size_t node) const { return position_[node]; }

 private:
  static constexpr double infinite = 1e300;
  static constexpr std::size_t unknown = ~std::size_t{0};

  /// Calls visit(canonical index of a node, step, surface) for its links along axes that a surface cuts.
  template <class Visit>
  void for_each_cut_link(const Visit& visit) const {
    const std::vector<Int3> offsets(steps.begin(), steps.end());
    LinkSearch search(g_.nodes, offsets);
    const auto visit_node = [&](const NodeWithCuts& at) {
      const auto index = static_cast<std::size_t>(g_.nodes.node_index(at.node));
      at.for_each_cut([&](std::size_t k) { visit(index, offsets[k], g_.surface_of(at.node, offsets[k])); });
    };
    for (std::uint64_t t = 0; t < g_.nodes.tiles.size(); ++t) search.visit_tile(t, visit_node);
  }

  /// Every node learns the nearest point of a wall from its neighbours, nearest first (as in Danielsson, Computer
  /// Graphics and Image Processing 14 (1980) 227): exact but for a small part of a node. Openings are no walls.
  void measure() {
    using Entry = std::pair<double, std::size_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    const auto offer = [&](std::size_t node, const Real3& point) {
      const double distance = norm(centre_of(position_[node]) - point);
      if (distance >= distance_[node]) return;
      distance_[node] = distance;
      nearest_[node] = point;
      queue.push({distance, node});
    };
    std::vector<bool> opening(g_.surfaces.size(), false);
    for (const Opening& o : g_.openings) opening[static_cast<std::size_t>(o.surface)] = true;
    for_each_cut_link([&](std::size_t i, const Int3& step, int surface) {
      if (opening[static_cast<std::size_t>(surface)]) return;
      const double part = g_.distance_of ? g_.distance_of(position_[i], step) : 0.5;
      Real3 point = centre_of(position_[i]);
      for (int axis = 0; axis < 3; ++axis) point[axis] += part * step[axis];
      offer(i, point);
    });
    while (!queue.empty()) {
      const auto [distance, node] = queue.top();
      queue.pop();
      if (distance > distance_[node]) continue;
      const Real3 point = nearest_[node];
      for (const Int3& step : steps) {
        const std::int64_t other = g_.nodes.node_index(next_to(position_[node], step));
        if (other >= 0) offer(static_cast<std::size_t>(other), point);
      }
    }
  }

  const Geometry& g_;
  std::vector<Int3> position_;
  std::vector<Real3> nearest_;
  std::vector<double> distance_;
  std::vector<std::vector<std::size_t>> at_end_;
};

void find_slice(const Geometry& geometry, const Grid& grid, Lumen& lumen) {
  std::uint64_t most = 0;
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<std::uint64_t> count(static_cast<std::size_t>(grid.size[axis]), 0);
    for_each_node(geometry.nodes,
                  [&](std::size_t, const Int3& node) { ++count[static_cast<std::size_t>(node[axis])]; });
    const auto best = std::max_element(count.begin(), count.end());
    if (*best <= most) continue;
    most = *best;
    lumen.slice_axis = axis;
    lumen.slice_position = grid.origin[axis] + (static_cast<double>(best - count.begin()) + 0.5) * grid.spacing;
  }
}

}  // namespace

Lumen measure_lumen(Case c, const VesselShape& shape, int inlet, double most_nodes) {
  const double smallest = shape.ends.back().diameter();
  Lumen lumen;
  Geometry geometry;
  Grid grid;
  // The first pass tells the volume; another is made if that was too fine or too coarse for it.
  lumen.spacing = smallest / 6;
  const Real3 box = shape.upper - shape.lower;
  lumen.spacing = std::max(lumen.spacing, std::cbrt(box[0] * box[1] * box[2] / 4e8));
  for (int round = 0; round < 2; ++round) {
    c.units.spacing = lumen.spacing;
    grid = make_grid(c);
    geometry = build_geometry(c, grid);
    lumen.volume = static_cast<double>(geometry.nodes.fluid_nodes) * std::pow(lumen.spacing, 3);
    const double wanted = std::max(smallest / nodes_across_end, std::cbrt(lumen.volume / most_nodes));
    if (round > 0 || (wanted < 1.2 * lumen.spacing && wanted > 0.85 * lumen.spacing)) break;
    lumen.spacing = wanted;
  }
  std::vector<int> surfaces;
  for (const VesselEnd& end : shape.ends)
    surfaces.push_back(static_cast<int>(std::find(geometry.surfaces.begin(), geometry.surfaces.end(), end.name) -
                                        geometry.surfaces.begin()));
  Voxels voxels(geometry, shape.ends.size());
  voxels.find_ends(surfaces);
  const auto narrowest = voxels.narrowest(static_cast<std::size_t>(inlet));
  for (std::size_t end = 0; end < narrowest.size(); ++end) {
    if (static_cast<int>(end) == inlet) continue;
    const auto& place = narrowest[end];
    const Real3 center = grid.origin + grid.spacing * centre_of(voxels.position(place.node));
    if (!(place.distance > 0))
      throw_input(fmt::format(
          "{}: no fluid leads from \"{}\" to \"{}\" at ({:.4g}, {:.4g}, {:.4g}) m; is the vessel "
          "blocked, or are these ends of different vessels?",
          shape.files[0].file.string(), shape.ends[static_cast<std::size_t>(inlet)].name, shape.ends[end].name,
          shape.ends[end].center[0], shape.ends[end].center[1], shape.ends[end].center[2]));
    const double diameter = 2 * place.distance * grid.spacing;
    const auto same = std::find_if(lumen.throats.begin(), lumen.throats.end(), [&](const Throat& throat) {
      return norm(throat.center - center) < 0.5 * throat.diameter;
    });
    if (same == lumen.throats.end())
      lumen.throats.push_back({center, diameter, {static_cast<int>(end)}});
    else
      same->downstream.push_back(static_cast<int>(end));
  }
  std::stable_sort(lumen.throats.begin(), lumen.throats.end(),
                   [](const Throat& a, const Throat& b) { return a.diameter < b.diameter; });
  find_slice(geometry, grid, lumen);
  return lumen;
}

}  // namespace fluvia::draft
