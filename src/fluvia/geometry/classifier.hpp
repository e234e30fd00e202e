// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <memory>
#include <vector>

#include "fluvia/core/boundary/condition.hpp"
#include "fluvia/geometry/layers/layer_stack.hpp"
#include "fluvia/geometry/map/bitmap.hpp"
#include "fluvia/geometry/map/fluid_beside.hpp"

namespace fluvia::geometry {

/// Facts of the boundary condition at every surface; never null.
using Conditions = std::vector<const core::ConditionFacts*>;

/// The boundary condition of every surface, from the case's boundaries. Throws Error(input) for a boundary on an
/// unknown surface (with the known ones), on a periodic face, or twice on one surface.
Conditions surface_conditions(const Case& c, const Grid& grid, const SurfaceNames& names);

/// Finds the surface that a link cuts; see build_geometry for the rules. Const functions may be called concurrently.
class Classifier {
 public:
  /// `others`: tiles beside those of the map, whose fluid other levels of refinement compute.
  Classifier(const NodeMap& nodes, std::shared_ptr<const LayerStack> layers, const std::array<int, 6>& face_surfaces,
             Conditions conditions, const FluidBeside& others = {});
  /// Surface cut by the link from fluid node `node` along `offset`, whose far end is not fluid. A link that leaves by a
  /// plane of symmetry goes on as its mirror image, and belongs to the surface that this meets; to the plane itself if
  /// it meets none. A barred link belongs to the sheet that crosses it, whatever its far end is.
  [[nodiscard]] int surface(const Int3& node, const Int3& offset) const;

 private:
  [[nodiscard]] int inner_surface(const Int3& node, const Int3& offset, const Int3& far) const;
  [[nodiscard]] bool fluid_on_face(int face, const Int3& node) const;

  Int3 size_;
  Bool3 periodic_;
  std::array<bool, 6> mirrors_;
  std::shared_ptr<const BarredLinks> barred_;
  std::shared_ptr<const LayerStack> layers_;
  std::array<int, 6> face_surfaces_;
  Conditions conditions_;
  std::array<int, 6> ranks_;          ///< face_ranks() of the faces
  std::array<Bitmap, 6> face_nodes_;  ///< [face], which of the nodes next to it are fluid
};

/// Fluid in the tiles around those of a map that has only the tiles of one level of refinement.
FluidBeside fluid_beside(const NodeMap& nodes, const LayerStack& layers);

}  // namespace fluvia::geometry
