// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "fluvia/geometry/layers/layer_stack.hpp"

namespace fluvia::geometry {

/// The input of a case that a layer was made of.
struct LayerInput {
  enum class Kind {
    generator,
    voxels,
    mask,
    enclosing,  ///< all surfaces with the fluid inside
    body,       ///< a surface with the fluid outside
    shape,
    disc
  };
  Kind kind;
  std::size_t index;  ///< of the layers of this kind
};

/// Why no node of a box is fluid, lines for a message: how many nodes each input leaves, what it is (labels found, grey
/// values and threshold, bounding box), and what is most likely wrong with the one that leaves none. Reads the files of
/// the case again. `inputs[i]`: of layer i.
std::string why_no_fluid(const Case& c, const Grid& grid, const LayerStack& layers,
                         const std::vector<LayerInput>& inputs);

}  // namespace fluvia::geometry
