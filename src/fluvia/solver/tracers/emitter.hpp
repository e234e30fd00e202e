// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fluvia/base/numbers/draws.hpp"
#include "fluvia/solver/tracers/near_velocities.hpp"
#include "fluvia/solver/tracers/node_cells.hpp"

namespace fluvia {

/// Where and when the points of a [[tracer]] appear; places in nodes, times in steps.
class Emitter {
 public:
  /// `number`: of the tracer in the case. Throws Error(input) where there is no fluid, and for what is no opening.
  Emitter(const Problem& problem, const NodeCells& cells, std::size_t number);

  /// Points that have appeared by the time of a step.
  [[nodiscard]] std::uint64_t count_at(std::int64_t step) const;
  /// Asks for the velocities that decide where points appear.
  void want(NearVelocities& near) const;
  /// Takes the velocities of this step: through an opening come as many points, everywhere, as fluid does. Where none
  /// comes in they are spread evenly.
  void take(std::span<const Real3> velocities);
  /// The place of a point, in the fluid.
  [[nodiscard]] Real3 place_of(std::uint64_t point, std::span<const Real3> velocities) const;

 private:
  [[nodiscard]] std::optional<Real3> draw(std::uint64_t point, std::uint64_t attempt,
                                          std::span<const Real3> velocities) const;
  [[nodiscard]] Real3 draw_at_opening(const NodeMap::Node& node, double one, double two) const;
  [[nodiscard]] Real3 position(const NodeMap::Node& node) const;
  void find_nodes(const Geometry& geometry, const Opening& opening);

  const NodeCells& cells_;
  Draws draws_;
  std::optional<double> rate_;  ///< per step
  std::uint64_t count_ = 0;     ///< at once
  double start_ = 0;
  std::optional<double> end_;
  Real3 lower_{}, upper_{};  ///< of the box, or around the sphere
  std::optional<double> sphere_radius_;
  Real3 known_{};  ///< a place in its fluid
  /// An opening: its plane, and the fluid nodes before it along the axis that is nearest to its normal, each of which
  /// stands for a square of one node by one across that axis.
  struct Plane {
    Real3 centroid{}, normal{};
    int axis = 0;
    std::vector<NodeMap::Node> nodes;
    std::vector<std::int64_t> index;
    std::vector<double> speed;  ///< into the fluid, along the normal
    std::vector<double> sums;   ///< of what comes in through the nodes so far
  };
  std::optional<Plane> plane_;
};

}  // namespace fluvia
