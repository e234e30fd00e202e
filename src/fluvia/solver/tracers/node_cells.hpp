// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "fluvia/geometry/problem.hpp"

namespace fluvia {

/// What a surface does to points that meet it.
struct MeetingSurface {
  bool is_opening = false;                ///< points leave through it
  bool sticks = true;                     ///< the fluid at it has its velocity
  const Case::Boundary* moves = nullptr;  ///< what the case says of it, if it is a wall that moves
};

/// The cubes (2D: squares) between neighbouring nodes, in which the velocity is trilinear. Cells beside walls have
/// values beyond these that make the velocity that of the wall where it cuts the links between the nodes of the cell:
/// linear along each link, from the node beside the wall or, if that is nearer than half a node, the one behind it.
/// Beyond openings and walls that let fluid slide it is that of the node before them, beyond planes of symmetry its
/// mirror image. Places are in nodes from the corner of the box.
class NodeCells {
 public:
  /// Bytes that the cells of a flow with these nodes are expected to take.
  [[nodiscard]] static std::uint64_t expected_bytes(const NodeMap& nodes);

  /// Goes through all nodes with cut links once. The case, its units and its geometry must outlive the object.
  explicit NodeCells(const Problem& problem);

  /// Takes ramps of walls that move as they are at a time, case units.
  void set_time(double time);

  /// The velocity at a place in the box; `velocities`: those of the fluid nodes in canonical order.
  [[nodiscard]] Real3 velocity(const Real3& place, std::span<const Real3> velocities) const;

  /// Where a place lies beside surfaces inside the box; its faces are none of them.
  struct Beside {
    double distance;  ///< nodes, negative in what is solid; exact beside planes
    Real3 inwards;    ///< its gradient, which points into the fluid
    int surface;
  };
  /// None if all nodes around the place are fluid.
  [[nodiscard]] std::optional<Beside> beside(const Real3& place) const;
  /// Whether a place of the box is in the fluid.
  [[nodiscard]] bool in_fluid(const Real3& place) const;

  /// The surface through which a place beyond a face of the box has left it. `face`: 2 axis, + 1 for the upper one.
  [[nodiscard]] int surface_beyond(const Real3& place, int face) const;
  [[nodiscard]] const MeetingSurface& surface(int number) const { return surfaces_[static_cast<std::size_t>(number)]; }
  [[nodiscard]] const NodeMap& nodes() const { return geometry_.nodes; }

 private:
  /// A part of the velocity at a corner: that of a node, or of a wall (index less than 0), times `factor`.
  struct Term {
    std::int64_t node;
    Real3 factor;
    std::uint8_t corner;
  };
  static constexpr std::int64_t wall_at_full_speed(int surface) { return -1 - std::int64_t{surface}; }
  /// A cell not all of whose corners are fluid nodes of the box.
  struct Cell {
    std::array<double, 8> distance;
    std::array<std::int16_t, 8> surface;  ///< -1: the corner is fluid
    bool has_solid;                       ///< whether a corner in the box is solid
    std::uint32_t first_term, end_term;
  };
  /// The place in its cell.
  struct Local {
    Int3 base;       ///< its lowest corner
    Real3 fraction;  ///< of the way from there to the highest
  };
  struct NodeWall {
    double distance;
    int surface;
  };

  [[nodiscard]] int corners() const { return geometry_.nodes.dimension == 2 ? 4 : 8; }
  /// The node of the box that a node beyond periodic faces stands for.
  [[nodiscard]] Int3 in_periods(Int3 node) const;
  [[nodiscard]] Local locate(const Real3& place) const;
  [[nodiscard]] static Int3 corner_of(const Int3& base, int corner) {
    return {base[0] + (corner & 1), base[1] + (corner >> 1 & 1), base[2] + (corner >> 2)};
  }
  [[nodiscard]] static double weight(const Real3& fraction, int corner);
  /// The cell's number, or none if it has fluid corners only.
  [[nodiscard]] std::uint64_t key_of(Int3 base) const;
  [[nodiscard]] bool in_box(const Int3& node) const;
  /// The axis along which a corner lies outside of the box; -1: it is inside.
  [[nodiscard]] int axis_outside(const Int3& node) const;
  /// The cell with this lowest corner, if there is something to say of it: null for fluid all around.
  [[nodiscard]] const Cell* find(const Int3& base) const;
  /// Canonical indices of the corners of a cell; -1 for those that are not fluid.
  [[nodiscard]] std::array<std::int64_t, 8> corner_indices(const Int3& base) const;
  [[nodiscard]] double part_of_link(const Int3& node, const Int3& offset, int surface) const;
  [[nodiscard]] NodeWall wall_of(const Int3& at) const;
  void add_cells();
  void add_cell(const Int3& base);
  /// Appends `factor` times the velocity that a corner of a cell stands for.
  void add_terms(const Int3& at, Real3 factor, std::uint8_t corner, const Int3& base);
  void add_solid_terms(const Int3& at, const Real3& factor, std::uint8_t corner, const Int3& base);
  void add_wall_speed(int surface, const Real3& point, const Real3& factor, std::uint8_t corner);

  const Case& case_;
  const Units& units_;
  const Geometry& geometry_;
  std::vector<MeetingSurface> surfaces_;
  std::vector<double> ramp_;  ///< of each surface: its speed over its full speed
  std::vector<Int3> offsets_;
  std::vector<std::uint64_t> marks_;  ///< of each tile: which of its nodes are the lowest corners of cells_
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
  std::vector<Cell> cells_;
  std::vector<Term> terms_;
};

}  // namespace fluvia
