// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/map/barred_links.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "fluvia/geometry/map/node_map.hpp"

namespace fluvia {

BarredLinks::BarredLinks(int dimension, const Int3& tiles_in_box, std::vector<Node> nodes)
    : dimension_(dimension), tiles_in_box_(tiles_in_box), nodes_(std::move(nodes)) {
  const auto key = [](const Node& n) { return std::tuple(n.tile, n.bit, n.surface); };
  std::sort(nodes_.begin(), nodes_.end(), [&](const Node& a, const Node& b) { return key(a) < key(b); });
  std::size_t kept = 0;
  for (const Node& node : nodes_) {
    if (kept > 0 && key(nodes_[kept - 1]) == key(node))
      nodes_[kept - 1].offsets |= node.offsets;
    else
      nodes_[kept++] = node;
  }
  nodes_.resize(kept);
  nodes_.shrink_to_fit();
}

std::span<const BarredLinks::Node> BarredLinks::of_tile(std::uint64_t tile) const {
  const auto first =
      std::lower_bound(nodes_.begin(), nodes_.end(), tile, [](const Node& n, std::uint64_t t) { return n.tile < t; });
  auto end = first;
  while (end != nodes_.end() && end->tile == tile) ++end;
  return {first, end};
}

int BarredLinks::surface(const Int3& node, const Int3& offset) const {
  const Int3 shape = tile_shape(dimension_);
  Int3 local;
  std::uint64_t tile = 0;
  for (int axis = 2; axis >= 0; --axis) {
    tile =
        tile * static_cast<std::uint64_t>(tiles_in_box_[axis]) + static_cast<std::uint64_t>(node[axis] / shape[axis]);
    local[axis] = node[axis] % shape[axis];
  }
  const int bit = tile_bit(dimension_, local);
  for (const Node& known : of_tile(tile))
    if (known.bit == bit && (known.offsets & bit_of(offset)) != 0) return known.surface;
  return -1;
}

}  // namespace fluvia
