// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fluvia/output/point_values.hpp"
#include "fluvia/output/walls/wall_crossing.hpp"

namespace fluvia {

/// Velocity of a surface at a point of it (lattice units from the corner of the box), case units; none where the fluid
/// does not stick to it.
using WallVelocity = std::function<std::optional<Real3>(int surface, const Real3& point)>;

/// The velocity of all surfaces of a case at that time (case units). Units and case must outlive it, and so must the
/// geometry.
WallVelocity wall_velocities(const Problem& problem, double time);

/// Fields along a line that knows the walls which it meets.
///
/// Where it leaves the fluid through a wall it has a point on the wall: one of its own, if it lies there, or one more.
/// The velocity there is the wall's. Beside walls it is linear between nodes and the walls that cut their links; other
/// fields are extrapolated to the wall itself (wall_fit.hpp), but what is of the wall already. Interpolated walls are
/// where they are, half-way walls between nodes.
class LineValues {
 public:
  struct Table {
    std::vector<Real3> points;                ///< case units
    std::vector<std::vector<double>> values;  ///< as PointValues::evaluate() gives them
  };
  /// References must outlive it.
  LineValues(const OutputContext& output, WallVelocity velocity_of);
  [[nodiscard]] Table evaluate(const Case::Line& line, const std::vector<Field>& fields) const;

 private:
  struct Row {
    enum class Kind { fluid, wall, beyond, before } kind;  ///< beyond: in no fluid; before: between last node and wall
    double along;                                          ///< nodes from the beginning of the line
    std::size_t crossing;                                  ///< of all kinds but fluid
    Real3 point;                                           ///< case units
  };
  /// The velocity at a point: from nodes and from walls.
  struct Velocity {
    std::vector<PointValues::Neighbour> from_nodes;
    Real3 from_walls{};
  };

  [[nodiscard]] std::vector<WallCrossing> crossings(const Case::Line& line, double snap) const;
  [[nodiscard]] std::vector<Row> rows(const Case::Line& line, const std::vector<WallCrossing>& found,
                                      double snap) const;
  /// Two for each wall: extrapolated to it, and the node beside it.
  [[nodiscard]] std::vector<std::vector<PointValues::Neighbour>> stencils(const std::vector<WallCrossing>& found) const;
  /// At a point with walls among the places of nodes around it; none elsewhere.
  [[nodiscard]] std::optional<Velocity> velocity_at(const Real3& point) const;
  /// Rows between the last node and a wall: in a straight line from the one to the other.
  static void fill_between(const std::vector<Row>& rows, std::size_t depth, std::vector<double>& values);
  [[nodiscard]] bool is_opening(int surface) const;

  const OutputContext& output_;
  const Geometry& geometry_;
  WallVelocity velocity_of_;
  mutable std::optional<WallFit> fit_;  ///< made when a line first meets a wall
};

}  // namespace fluvia
