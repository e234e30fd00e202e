// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/geometry/map/node_map.hpp"

namespace fluvia::cpu {

/// Which layers of nodes across the last axis of a box are stored: all, or those of a part of the domain, from the
/// first that holds nodes to the last. On a periodic axis they may go on behind the end of the box.
struct StoredLayers {
  int axis = 2, box_layers = 1;
  int first = 0, count = 1;
  bool periodic = false;  ///< the last stored layer is beside the first

  /// Number in storage of a layer of the box; `count` or more for one that is not stored. in_box() is its inverse.
  [[nodiscard]] int stored(int layer) const { return wrapped(layer - first, box_layers); }
  [[nodiscard]] int in_box(int layer) const { return wrapped(layer + first, box_layers); }
};

/// The layers of the whole box.
StoredLayers all_layers(const NodeMap& nodes);
/// The layers from the first with fluid nodes to the last, the shortest way around a periodic axis.
StoredLayers layers_with_nodes(const NodeMap& nodes);

}  // namespace fluvia::cpu
