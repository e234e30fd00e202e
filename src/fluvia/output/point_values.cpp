// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/point_values.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "fluvia/output/corners.hpp"

namespace fluvia {

namespace {

/// Smallest weight that counts: a smaller one is that of a node which a point touches by rounding.
constexpr double least_counted_weight = 1e-9;

/// A point in nodes from the corner of the box: node i reaches from i to i + 1.
Real3 in_nodes(const Grid& grid, const Real3& point) {
  Real3 place{};
  for (int axis = 0; axis < grid.dimension; ++axis) place[axis] = (point[axis] - grid.origin[axis]) / grid.spacing;
  return place;
}

/// The canonical index of the node at `place`; -1 where there is none, or no fluid.
std::int64_t node_at(const NodeMap& nodes, const Real3& place, Int3& node) {
  for (int axis = 0; axis < nodes.dimension; ++axis) {
    if (!(place[axis] >= 0 && place[axis] <= nodes.size[axis])) return -1;
    node[axis] = std::min(static_cast<int>(place[axis]), nodes.size[axis] - 1);
  }
  return nodes.node_index(node);
}

Int3 position_of(const NodeMap& nodes, std::uint64_t index) {
  const auto after = std::partition_point(nodes.tiles.begin(), nodes.tiles.end(),
                                          [&](const NodeMap::Tile& tile) { return tile.first_node <= index; });
  const NodeMap::Tile& tile = *(after - 1);
  std::uint64_t bits = tile.mask;
  for (std::uint64_t k = tile.first_node; k < index; ++k) bits &= bits - 1;
  return nodes.node_position(tile, std::countr_zero(bits));
}

}  // namespace

bool is_in_fluid(const NodeMap& nodes, const Grid& grid, const Real3& point) {
  Int3 node{};
  return node_at(nodes, in_nodes(grid, point), node) >= 0;
}

PointValues::PointValues(const NodeMap& nodes, const Grid& grid, std::vector<Real3> points)
    : PointValues(nodes, grid, std::move(points), {}) {}

PointValues::PointValues(const NodeMap& nodes, const Grid& grid, std::vector<Real3> points,
                         const std::vector<std::vector<Neighbour>>& others)
    : points_(std::move(points)), low_(nodes.size), high_{-1, -1, -1} {
  first_.reserve(points_.size() + others.size() + 1);
  first_.push_back(0);
  const auto reach = [&](const Int3& node) {
    for (int axis = 0; axis < 3; ++axis) {
      low_[axis] = std::min(low_[axis], node[axis]);
      high_[axis] = std::max(high_[axis], node[axis]);
    }
  };
  for (const Real3& point : points_) {
    const Real3 place = in_nodes(grid, point);
    Int3 nearest{};
    const std::size_t start = neighbours_.size();
    double sum = 0;
    const auto add = [&](const Int3& node, double weight) {
      if (weight < least_counted_weight) return;
      const std::optional<NodeImage> image = NodeImage::at(nodes, node);
      if (!image) return;
      neighbours_.push_back({*image, weight});
      sum += weight;
      reach(nodes.land(node).node);
    };
    if (node_at(nodes, place, nearest) >= 0) for_each_corner(place, nodes.dimension, add);
    for (std::size_t k = start; k < neighbours_.size(); ++k) neighbours_[k].weight /= sum;
    first_.push_back(neighbours_.size());
  }
  for (const std::vector<Neighbour>& given : others) {
    for (const Neighbour& neighbour : given) reach(position_of(nodes, neighbour.image.node()));
    neighbours_.insert(neighbours_.end(), given.begin(), given.end());
    first_.push_back(neighbours_.size());
  }
  points_.resize(points_.size() + others.size());
  nodes_.reserve(neighbours_.size());
  for (const Neighbour& neighbour : neighbours_) nodes_.push_back(neighbour.image.node());
  std::sort(nodes_.begin(), nodes_.end());
  nodes_.erase(std::unique(nodes_.begin(), nodes_.end()), nodes_.end());
}

std::span<const PointValues::Neighbour> PointValues::neighbours(std::size_t point) const {
  return std::span(neighbours_).subspan(first_[point], first_[point + 1] - first_[point]);
}

std::size_t PointValues::count_in_fluid() const {
  std::size_t count = 0;
  for (std::size_t point = 0; point < points_.size(); ++point) count += in_fluid(point) ? 1 : 0;
  return count;
}

std::vector<std::vector<double>> PointValues::evaluate(const OutputContext& output, std::vector<Field> fields) const {
  std::vector<std::vector<double>> result;
  std::vector<std::vector<double>> of_nodes;
  for (const Field& field : fields) {
    const auto depth = static_cast<std::size_t>(field.components);
    result.emplace_back(points_.size() * depth, std::numeric_limits<double>::quiet_NaN());
    of_nodes.emplace_back(nodes_.size() * depth);
  }
  if (nodes_.empty()) return result;
  // Only layers and nodes between the outermost that any point needs are read.
  std::array<Real3, 2> region{};
  for (int axis = 0; axis < 3; ++axis) {
    region[0][axis] = output.grid.origin[axis] + (low_[axis] + 0.5) * output.grid.spacing;
    region[1][axis] = output.grid.origin[axis] + (high_[axis] + 0.5) * output.grid.spacing;
  }
  FieldEvaluator evaluator(output, make_sampling(output.grid, 1, region), std::move(fields));
  std::vector<float> values;
  std::vector<std::pair<std::size_t, std::size_t>> wanted;  // sample of the slab, index in nodes_
  for (const FieldEvaluator::Slab& slab : evaluator.slabs()) {
    evaluator.load(slab);
    wanted.clear();
    const std::vector<FieldSample>& samples = evaluator.samples();
    for (std::size_t s = 0; s < samples.size(); ++s) {
      const auto found = std::lower_bound(nodes_.begin(), nodes_.end(), samples[s].index);
      if (found != nodes_.end() && *found == samples[s].index)
        wanted.emplace_back(s, static_cast<std::size_t>(found - nodes_.begin()));
    }
    if (wanted.empty()) continue;
    for (std::size_t f = 0; f < of_nodes.size(); ++f) {
      const auto depth = static_cast<std::size_t>(evaluator.fields()[f].components);
      evaluator.evaluate(f, values);
      for (const auto& [sample, node] : wanted)
        for (std::size_t k = 0; k < depth; ++k) of_nodes[f][node * depth + k] = values[sample * depth + k];
    }
  }
  for (std::size_t point = 0; point < points_.size(); ++point)
    for (std::size_t f = 0; in_fluid(point) && f < result.size(); ++f) {
      const std::size_t depth = of_nodes[f].size() / nodes_.size();
      for (std::size_t k = 0; k < depth; ++k) {
        double sum = 0;
        for (const Neighbour& neighbour : neighbours(point)) {
          const auto place = std::lower_bound(nodes_.begin(), nodes_.end(), neighbour.image.node()) - nodes_.begin();
          sum += neighbour.weight * mirror_sign(evaluator.fields()[f], neighbour.image, k) *
                 of_nodes[f][static_cast<std::size_t>(place) * depth + k];
        }
        result[f][point * depth + k] = sum;
      }
    }
  return result;
}

}  // namespace fluvia
