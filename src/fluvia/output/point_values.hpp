// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "fluvia/output/fields.hpp"
#include "fluvia/output/node_image.hpp"

namespace fluvia {

/// Points anywhere in the fluid, and the nodes around each that its values come from: linear between those that are
/// fluid. A point is in the fluid if the node nearest to it is. Behind planes of symmetry lie the mirror images of
/// nodes.
class PointValues {
 public:
  struct Neighbour {
    NodeImage image;
    double weight;  ///< the weights of a point add up to 1
  };

  /// `points`: case units; in 2D their z does not matter. Periodic axes go on beyond the box between nodes on both of
  /// its sides, but points outside of the box are in no fluid.
  PointValues(const NodeMap& nodes, const Grid& grid, std::vector<Real3> points);
  /// Points as above, followed by others, wherever they are, whose values come from given nodes. points() has no
  /// coordinates of these.
  PointValues(const NodeMap& nodes, const Grid& grid, std::vector<Real3> points,
              const std::vector<std::vector<Neighbour>>& others);

  [[nodiscard]] const std::vector<Real3>& points() const { return points_; }
  /// The nodes, with weights, that the value at a point follows from; none where the point is not in the fluid.
  [[nodiscard]] std::span<const Neighbour> neighbours(std::size_t point) const;
  [[nodiscard]] bool in_fluid(std::size_t point) const { return first_[point + 1] > first_[point]; }
  [[nodiscard]] std::size_t count_in_fluid() const;

  /// Values of fields at all points, [field][point and component]; NaN where there is no fluid.
  [[nodiscard]] std::vector<std::vector<double>> evaluate(const OutputContext& output, std::vector<Field> fields) const;

 private:
  std::vector<Real3> points_;
  std::vector<std::size_t> first_;  ///< [point], its first entry in neighbours_; one more at the end
  std::vector<Neighbour> neighbours_;
  std::vector<std::uint64_t> nodes_;  ///< nodes that any point needs, ascending
  Int3 low_{}, high_{};               ///< lower and upper corner of the box around these nodes
};

/// True if the point lies in the box and the node nearest to it is fluid.
bool is_in_fluid(const NodeMap& nodes, const Grid& grid, const Real3& point);

}  // namespace fluvia
