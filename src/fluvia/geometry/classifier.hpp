// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <memory>
#include <vector>

#include "fluvia/core/boundary/condition.hpp"
#include "fluvia/geometry/layer.hpp"
#include "fluvia/geometry/map/bitmap.hpp"

namespace fluvia::geometry {

/// Facts of the condition at every surface; never null.
using Conditions = std::vector<const core::ConditionFacts*>;

/// Condition of every surface from the case's boundaries. Throws Error(input) for a boundary on an unknown surface
/// (with the known ones), on a periodic face, or twice on one surface.
Conditions surface_conditions(const Case& c, const Grid& grid, const SurfaceNames& names);

/// Finds the surface that a link cuts; see build_geometry for the rules. Const functions may be called concurrently.
class Classifier {
 public:
  Classifier(const NodeMap& nodes, std::shared_ptr<const Layers> layers, bool base_solid,
             const std::array<int, 6>& face_surfaces, Conditions conditions);
  /// Surface cut by the link from fluid node `node` along `offset`, whose far end is not fluid. What leaves by a plane
  /// of symmetry goes on as its mirror image, and belongs to what that meets; to the plane itself if it meets nothing.
  [[nodiscard]] int surface(const Int3& node, const Int3& offset) const;

 private:
  [[nodiscard]] int inner_surface(const Int3& node, const Int3& offset, const Int3& far) const;
  [[nodiscard]] int deciding_layer(const Int3& node, Decision& decision) const;
  [[nodiscard]] bool fluid_on_face(int face, const Int3& node) const;

  Int3 size_;
  Bool3 periodic_;
  std::array<bool, 6> mirrors_;
  std::shared_ptr<const Layers> layers_;
  bool base_solid_;
  std::array<int, 6> face_surfaces_;
  Conditions conditions_;
  std::array<int, 6> ranks_;          ///< of faces, face_ranks()
  std::array<Bitmap, 6> face_nodes_;  ///< which nodes next to a face are fluid
};

}  // namespace fluvia::geometry
