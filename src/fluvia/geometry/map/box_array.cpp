// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/map/box_array.hpp"

#include <bit>

namespace fluvia {

std::vector<std::uint8_t> fluid_array(const NodeMap& nodes) {
  const BoxArray box(nodes.size);
  std::vector<std::uint8_t> result(box.count());
  for (const NodeMap::Tile& tile : nodes.tiles)
    for (std::uint64_t bits = tile.mask; bits; bits &= bits - 1)
      result[box(nodes.node_position(tile, std::countr_zero(bits)))] = 1;
  return result;
}

std::vector<std::uint8_t> box_array(const NodeMap& nodes, const std::function<bool(const Int3& node)>& is) {
  const BoxArray box(nodes.size);
  std::vector<std::uint8_t> result(box.count());
  if (!is) return result;
#pragma omp parallel for collapse(2) schedule(dynamic, 16)
  for (int z = 0; z < nodes.size[2]; ++z)
    for (int y = 0; y < nodes.size[1]; ++y)
      for (int x = 0; x < nodes.size[0]; ++x) result[box({x, y, z})] = is({x, y, z}) ? 1 : 0;
  return result;
}

}  // namespace fluvia
