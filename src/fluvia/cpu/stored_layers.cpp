// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cpu/stored_layers.hpp"

#include <algorithm>
#include <vector>

#include "fluvia/cpu/physics/lanes.hpp"

namespace fluvia::cpu {

StoredLayers all_layers(const NodeMap& nodes) {
  const int axis = nodes.dimension - 1;
  return {axis, nodes.size[axis], 0, nodes.size[axis], nodes.periodic[axis]};
}

StoredLayers layers_with_nodes(const NodeMap& nodes) {
  StoredLayers layers = all_layers(nodes);
  const Int3 shape = tile_shape(nodes.dimension);
  const int axis = layers.axis;
  std::vector<bool> holds(static_cast<std::size_t>(layers.box_layers), false);
  for (const NodeMap::Tile& tile : nodes.tiles)
    for (int layer = 0; layer < shape[axis]; ++layer) {
      const int bits = nodes_per_tile / shape[axis];  // a layer's bits follow each other
      if (tile.mask >> (layer * bits) & lanes_below(bits))
        holds[static_cast<std::size_t>(tile.position[axis] * shape[axis] + layer)] = true;
    }
  if (!layers.periodic) {
    const auto first = std::find(holds.begin(), holds.end(), true);
    const auto last = std::find(holds.rbegin(), holds.rend(), true);
    layers.first = static_cast<int>(first - holds.begin());
    layers.count = static_cast<int>(holds.rend() - last) - layers.first;
    return layers;
  }
  // What is kept begins behind the longest run of empty layers, which may go on beyond the end of the box.
  int longest = 0, end_of_longest = 0, run = 0;
  for (int k = 0; k < 2 * layers.box_layers; ++k) {
    run = holds[static_cast<std::size_t>(k % layers.box_layers)] ? 0 : run + 1;
    if (run > longest) {
      longest = run;
      end_of_longest = k + 1;
    }
  }
  if (longest > 0) {
    layers.first = end_of_longest % layers.box_layers;
    layers.count = layers.box_layers - longest;
    layers.periodic = false;
  }
  return layers;
}

}  // namespace fluvia::cpu
