// SPDX-License-Identifier: Apache-2.0
// What the reference solver is asked to compute.
#pragma once
#include <array>
#include <functional>
#include <vector>

#include "fluvia/core/collision/parameters.hpp"
#include "reference/reference_lattice.hpp"

namespace reference {

enum class Kind { wall, velocity, pressure, non_reflecting, half_slip, friction };

/// One surface and its condition.
struct Surface {
  Kind kind = Kind::wall;
  bool opening = false;  ///< fluid passes
  int axis = 0;          ///< normal of a plane
  double outwards = 1;   ///< sign of the normal along that axis
  double slip_length = 0;
  double grain = 0;                             ///< of a wall with friction
  double relaxation = 0;                        ///< sigma of a non-reflecting outlet
  double density = 1;                           ///< of a pressure surface
  double sponge = 0;                            ///< depth of the layer before a face that damps, nodes
  std::function<Real3(const Real3&)> velocity;  ///< at the point of a link where it acts
  bool holds = true;                            ///< the fluid at it moves as it does
  bool interpolated = false;                    ///< a wall that acts at Domain::distance_of, not half-way
};

struct Domain {
  Int3 size{};
  Bool3 periodic{};
  std::array<bool, 6> mirrors{};           ///< faces x_min, x_max, ... that are planes of symmetry
  std::function<bool(const Int3&)> fluid;  ///< for nodes of the box
  std::function<int(const Int3& node, const Int3& offset)> surface_of;
  std::function<bool(const Int3& node, const Int3& offset)> is_barred;  ///< by a wall without thickness; empty: none
  /// Part of the link between a node and an interpolated surface.
  std::function<double(const Int3& node, const Int3& offset)> distance_of;
  double kappa = 0;   ///< of interpolated walls
  double supply = 0;  ///< what these give over each link, in parts of its weight
  /// Body force of a node beside that of all, given at once before the collision; empty: none.
  std::function<Real3(const Int3&)> own_force;
  std::vector<Surface> surfaces;
  /// What the collision makes of the curvature of a flow along faces (tests/solver/curvature_shares_test.cpp).
  fluvia::core::CurvatureShares<double> curvature;
};

}  // namespace reference
