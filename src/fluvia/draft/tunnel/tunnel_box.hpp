// SPDX-License-Identifier: Apache-2.0
// A wind tunnel around bodies: its box, its levels of refinement and the flow in it, as a request and the files of the
// bodies let them be chosen.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "fluvia/case/case.hpp"
#include "fluvia/draft/choices.hpp"
#include "fluvia/draft/draft.hpp"
#include "fluvia/draft/tunnel/bodies.hpp"
#include "fluvia/draft/tunnel/spin.hpp"
#include "fluvia/draft/tunnel/wake_levels.hpp"

namespace fluvia::draft {

/// Length of the box before and behind the body, in body lengths: longer with levels, since there it costs little.
struct Reach {
  double upstream, downstream;
};
constexpr Reach reach_of(int levels) {
  return levels == 0 ? Reach{1.5, 3} : Reach{2.5, 4.5};
}

/// Everything in SI.
struct Tunnel {
  std::vector<Body> bodies;
  geometry::BoundingBox body;     ///< bounding box of all bodies, and of what they sweep, m
  double area = 0;                ///< frontal area of all bodies, without regard to which hides which, m2
  const Body* largest = nullptr;  ///< the body of the largest frontal area
  int along = 0, up = 2, side = 1;
  bool forwards = true;  ///< the wind blows along the axis, not against it
  std::optional<Spin> spin;
  double size = 0;     ///< longest edge of the body's box, or of what it sweeps, m
  double spacing = 0;  ///< of the coarsest level
  Int3 nodes{};        ///< of the box, on the coarsest level
  WakeLevels levels;
  LevelWork work;
  Real3 origin{};
  Medium medium;
  double viscosity = 0;  ///< viscosity that is computed with, m2/s
  TimeStep step;         ///< of the coarsest level

  /// The speed that coefficients refer to: of the wind, or of the tips of what turns.
  [[nodiscard]] double reference_speed(double wind) const { return spin ? spin->tip_speed() : wind; }
  /// Distance of nodes at the body.
  [[nodiscard]] double finest_spacing() const { return std::ldexp(spacing, -levels.finest); }
  [[nodiscard]] double extent(int axis) const { return body.upper[axis] - body.lower[axis]; }
  [[nodiscard]] std::string face(int axis, bool upper) const {
    return std::string(1, "xyz"[axis]) + (upper ? "_max" : "_min");
  }
  /// Room between the bodies and a face of the box.
  [[nodiscard]] double room(int axis, bool upper) const {
    return upper ? origin[axis] + nodes[axis] * spacing - body.upper[axis] : body.lower[axis] - origin[axis];
  }
  [[nodiscard]] double blockage() const { return area / (1.0 * nodes[up] * nodes[side] * spacing * spacing); }
};

/// Chooses everything of a tunnel. Throws like make_draft().
Tunnel choose_tunnel(const DraftRequest& request);

/// The wind as a boundary of the case prescribes it.
Case::Boundary wind_of(const DraftRequest& request, const Tunnel& t);

/// Depth of the layer before an opening that damps what leaves, m, where nodes are so far apart.
double sponge_of(const Tunnel& t, double spacing);

}  // namespace fluvia::draft
