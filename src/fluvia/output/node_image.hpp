// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <compare>
#include <cstdint>
#include <optional>

#include "fluvia/geometry/map/node_map.hpp"

namespace fluvia {

/// A fluid node as it is seen from near it: beyond a plane of symmetry its mirror image.
class NodeImage {
 public:
  /// The node, or image of one, that a step from a node of the box leads to; none where there is no fluid.
  static std::optional<NodeImage> at(const NodeMap& nodes, const Int3& there) {
    const NodeMap::Landing landing = nodes.land(there);
    const std::int64_t node = landing.inside ? nodes.node_index(landing.node) : -1;
    if (node < 0) return {};
    NodeImage image;
    image.key_ = static_cast<std::uint64_t>(node) << 3;
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (landing.sign[axis] < 0) image.key_ |= std::uint64_t{1} << axis;
    return image;
  }
  [[nodiscard]] std::uint64_t node() const { return key_ >> 3; }  ///< canonical index
  [[nodiscard]] bool is_reflected() const { return (key_ & 7u) != 0; }
  /// The factor +-1 of a component of its vectors.
  [[nodiscard]] double sign(std::size_t axis) const { return (key_ >> axis & 1u) != 0 ? -1 : 1; }
  /// The stress of the node (xx, yy, zz, xy, yz, zx) as the image has it.
  [[nodiscard]] std::array<double, 6> seen(std::array<double, 6> stress) const {
    for (std::size_t k = 0; k < 3; ++k) stress[3 + k] *= sign(k) * sign((k + 1) % 3);
    return stress;
  }
  /// Orders by nodes.
  friend auto operator<=>(const NodeImage&, const NodeImage&) = default;

 private:
  std::uint64_t key_ = 0;
};

}  // namespace fluvia
