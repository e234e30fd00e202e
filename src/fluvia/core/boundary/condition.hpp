// SPDX-License-Identifier: Apache-2.0
// Facts that a boundary condition states of itself. Reading and checking case files, geometry, plan, both backends,
// checkpoints and the reference of the case file follow from them. docs/adding-a-boundary.md lists the files that know
// one boundary condition besides.
#pragma once
#include "fluvia/core/config.hpp"
#include "fluvia/core/key.hpp"

namespace fluvia::core {

/// Most keys that a boundary condition may have.
inline constexpr int max_boundary_keys = 4;

/// The part of a run that follows flow rates and sets the first key, a pressure (run/loop/outlets.hpp).
enum class Control { none, windkessel, flow_split };

/// Which keys of the case file say how fast a surface or the fluid at it moves; CutLinks::velocity follows from them.
enum class VelocityKeys {
  none,
  wall,    ///< `velocity`, `rotation_center`, `angular_velocity`
  opening  ///< `velocity`, or `speed`, `flow_rate` or a time series of them with a `profile`
};

/// On which surfaces a boundary condition lets the fluid slide along (slide()), which needs a lattice with isotropic
/// weights.
enum class Slides { never, off_faces, everywhere };

/// Surfaces whose nodes know the node upstream of them.
enum class Upstream { never, off_faces, everywhere };

/// One row of core::Boundaries, stated by the header of the boundary condition.
struct ConditionFacts {
  const char* name;          ///< `type` in the case file
  const char* meaning = "";  ///< what the reference of the case file says
  /// Order among surfaces that cut one link: the boundary condition with the smallest number gets it.
  int priority = 0;
  /// When the boundary condition acts in a node that several surfaces cut: 0 reflects what was loaded, 1 needs nothing
  /// else, 2 needs the other links to be complete.
  int order = 0;
  bool is_opening = false;      ///< fluid passes: the surface gets a flow rate and a mean pressure
  bool drives = false;          ///< moves fluid, so that what it touches is no isolated pocket
  bool sticks = false;          ///< the fluid at it has the velocity of the surface
  bool holds_pressure = false;  ///< the condition's first key is the pressure in its plane, in every step
  bool acts = true;             ///< false: half-way bounce-back, which the streaming does by itself
  /// On a face of the box it is a plane of symmetry: the streaming reflects there (NodeMap::mirrors), no link is cut.
  bool mirrors_on_faces = false;
  bool only_on_faces = false;  ///< the boundary condition has no meaning on other surfaces
  VelocityKeys velocity = VelocityKeys::none;
  Control control = Control::none;
  Slides slides = Slides::never;
  bool slides_by_length = false;  ///< the condition's first key is the slip length of Navier's law
  /// The stress at the wall is that of a law, not that of the flow beside it; such walls act half-way. Beside an edge,
  /// where no law holds, CutLinks::normal is 0.
  bool models_friction = false;
  bool needs_normal = false;  ///< CutLinks::normal is set
  /// Where CutNode::upstream is set; the boundary condition sees the nodes upstream of its own, too.
  Upstream upstream = Upstream::never;
  bool needs_plane_fit = false;  ///< CutNode::fit_plane() and OpeningNode::depth know the plane of the opening
  int memory = 0;                ///< numbers kept of each node from step to step; they are in checkpoints
  Key keys[max_boundary_keys] = {};

  /// Whether CutLinks::opening is set, and CutLinks::velocity is not.
  [[nodiscard]] constexpr bool sees_opening() const { return upstream != Upstream::never || needs_plane_fit; }
};

/// Boundary conditions to compile: bit boundary_rule(kind) of each, `sponges`, and `meeting_openings` where two hold
/// their pressures in one node. Code that knows which a case has takes a fraction of the registers of code for all.
using ConditionSet = Uint32;
inline constexpr ConditionSet sponges = 1u << 31, meeting_openings = 1u << 30, all_conditions = 0xffffffffu;

}  // namespace fluvia::core
