// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "fluvia/geometry/classifier.hpp"
#include "fluvia/geometry/layers/layer_stack.hpp"

namespace fluvia::geometry {

/// Says where cut links meet the walls. Const functions may be called concurrently.
///
/// Every layer whose decision differs between the two ends of a link cuts it once; between these places the node's
/// material is what the layers, one on top of the other, make of it. The wall is where that turns solid first. So where
/// several solids overlap, or a bore is cut into one, the link ends at the surface that the fluid really meets. A layer
/// that decides both ends alike is taken to lie beside the link: a wall thinner than a link is not seen.
///
/// From a node in a solid towards another solid, the wall is the surface of the one that lies on top of the other.
///
/// Links out of the box, openings, and fluid that was dropped are half-way.
class WallFinder {
 public:
  /// Least distance of a wall from a node, in parts of the link; keeps rounding from putting a wall on a node.
  static constexpr double least = 1.0 / 256;

  /// `openings[s]`: surface s is an opening.
  WallFinder(const NodeMap& nodes, std::shared_ptr<const LayerStack> layers,
             std::shared_ptr<const Classifier> classifier, std::vector<bool> openings);

  /// Part of the link between the fluid node and the wall, in [least, 1]. `offset` leads to a node that is not fluid.
  [[nodiscard]] double distance(const Int3& node, const Int3& offset) const;
  /// Unit normal of the wall out of the fluid. Where no surface is known (half-way walls inside the box) it is the
  /// link's own direction.
  [[nodiscard]] Real3 normal(const Int3& node, const Int3& offset) const;
  /// How a link was cut.
  [[nodiscard]] Cut::Kind kind(const Int3& node, const Int3& offset) const;

 private:
  struct Meeting {
    Cut cut;
    Int3 far{};         ///< the far end that `cut` refers to
    int layer = -1;     ///< -1 if the wall is half-way since no layer knows it
    Int3 face{};        ///< outward normal of the face that the link leaves by, if it leaves the box
    Bool3 reflected{};  ///< [axis], as Link::reflected
  };
  [[nodiscard]] Meeting meet(const Int3& node, const Int3& offset) const;
  /// Finds where a link meets a wall. `beyond`: the far end lies beyond a periodic face and is not wrapped.
  [[nodiscard]] Meeting meet_layers(const Link& link, bool beyond) const;

  Int3 size_;
  Bool3 periodic_;
  std::array<bool, 6> mirrors_;
  std::shared_ptr<const LayerStack> layers_;
  std::shared_ptr<const Classifier> classifier_;
  std::vector<bool> openings_;
  bool any_opening_;
};

/// Counts for the report how the links of every surface are cut; warns of lost ones.
void survey_walls(const WallFinder& walls, Geometry& geometry, Communicator& communicator);

/// How far walls that are half-way act from where the layers know them to be; of large domains from a sample.
std::optional<GeometryReport::HalfWayWalls> survey_half_way_walls(const WallFinder& walls, const NodeMap& nodes);

}  // namespace fluvia::geometry
