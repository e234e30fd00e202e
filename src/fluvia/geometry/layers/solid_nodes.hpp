// SPDX-License-Identifier: Apache-2.0
// What nodes belong to that are not fluid.
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "fluvia/geometry/layers/no_fluid.hpp"

namespace fluvia::geometry {

/// Geometry::is_outside. `encloses`: for each of the first layers, whether what it makes solid lies outside of the
/// flow.
std::function<bool(const Int3& node)> find_outside(std::shared_ptr<const LayerStack> layers,
                                                   std::vector<bool> encloses);

/// Geometry::body_of. `inputs[i]`: of layer i.
std::function<int(const Int3& node)> find_bodies(const Case& c, const std::vector<LayerInput>& inputs,
                                                 SurfaceNames& names, std::shared_ptr<const LayerStack> layers);

}  // namespace fluvia::geometry
