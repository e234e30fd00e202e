// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "fluvia/geometry/map/node_map.hpp"

namespace fluvia {

/// Index of the nodes of a box in arrays over it: x fastest.
struct BoxArray {
  explicit BoxArray(const Int3& size)
      : x(static_cast<std::size_t>(size[0])),
        y(static_cast<std::size_t>(size[1])),
        z(static_cast<std::size_t>(size[2])) {}
  [[nodiscard]] std::size_t count() const { return x * y * z; }
  [[nodiscard]] std::size_t operator()(const Int3& node) const {
    return static_cast<std::size_t>(node[0]) +
           x * (static_cast<std::size_t>(node[1]) + y * static_cast<std::size_t>(node[2]));
  }
  std::size_t x, y, z;
};

/// Which nodes of the box are fluid: 1 or 0, x fastest.
std::vector<std::uint8_t> fluid_array(const NodeMap& nodes);
/// For which nodes of the box a function is true: 1 or 0, x fastest; all 0 if the function is empty
/// (Geometry::is_outside).
std::vector<std::uint8_t> box_array(const NodeMap& nodes, const std::function<bool(const Int3& node)>& is);

}  // namespace fluvia
