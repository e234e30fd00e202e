// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fluvia/output/point_values.hpp"
#include "fluvia/output/walls/wall_crossing.hpp"

namespace fluvia {

/// Function that gives the velocity, in case units, of a surface at one of its points (lattice units from the corner of
/// the box); none where the fluid does not stick to the surface.
using WallVelocity = std::function<std::optional<Real3>(int surface, const Real3& point)>;

/// The velocity of all surfaces of a case at a time (case units). Units, case and geometry must outlive the function.
WallVelocity wall_velocities(const Problem& problem, double time);

/// The walls' velocities as whoever reads a flow in these units, with this geometry, sees them.
using WallVelocities = std::function<WallVelocity(const OutputContext& output)>;

/// Fields along a line, with the walls that it meets.
///
/// Where the line leaves the fluid through a wall it has a point on the wall: one of its own, if it lies there, or one
/// more. The velocity there is the wall's. Beside walls it is linear between nodes and the walls that cut their links;
/// other fields are extrapolated to the wall itself (wall_fit.hpp), unless their values at nodes are those of the wall
/// already. Interpolated walls are where they are, half-way walls between nodes.
class LineValues {
 public:
  struct Table {
    std::vector<Real3> points;                ///< case units
    std::vector<std::vector<double>> values;  ///< [field][point and component], as PointValues::evaluate() gives them
  };
  /// References must outlive it.
  LineValues(const OutputContext& output, WallVelocity velocity_of);
  [[nodiscard]] Table evaluate(const Case::Line& line, const std::vector<Field>& fields) const;

 private:
  struct Row {
    enum class Kind { fluid, wall, beyond, before } kind;  ///< beyond: in no fluid; before: between last node and wall
    double along;                                          ///< nodes from the beginning of the line
    std::size_t crossing;                                  ///< wall that the link crosses, for all kinds but fluid
    Real3 point;                                           ///< case units
  };
  /// The velocity at a point, made up of those of nodes and of walls.
  struct Velocity {
    std::vector<PointValues::Neighbour> from_nodes;
    Real3 from_walls{};
  };

  [[nodiscard]] std::vector<WallCrossing> crossings(const Case::Line& line, double snap) const;
  [[nodiscard]] std::vector<Row> rows(const Case::Line& line, const std::vector<WallCrossing>& found,
                                      double snap) const;
  /// Stencils of two points for each wall: one extrapolated to it, and the node beside it.
  [[nodiscard]] std::vector<std::vector<PointValues::Neighbour>> stencils(const std::vector<WallCrossing>& found) const;
  /// The velocity at a point with walls among the nodes around it; none elsewhere.
  [[nodiscard]] std::optional<Velocity> velocity_at(const Real3& point) const;
  /// Fills rows between the last node and a wall: by a straight line from the one to the other.
  static void fill_between(const std::vector<Row>& rows, std::size_t depth, std::vector<double>& values);
  [[nodiscard]] bool is_opening(int surface) const;

  const OutputContext& output_;
  const Geometry& geometry_;
  WallVelocity velocity_of_;
  mutable std::optional<WallFit> fit_;  ///< made when a line first meets a wall
};

}  // namespace fluvia
