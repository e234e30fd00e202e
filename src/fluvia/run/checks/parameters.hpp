// SPDX-License-Identifier: Apache-2.0
// Free parameters of collisions that change the result, and how many nodes lie across a flow.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "fluvia/geometry/problem.hpp"
#include "fluvia/run/findings/advice.hpp"
#include "fluvia/units/node_reynolds.hpp"

namespace fluvia {

/// Walls at both ends of the box along an axis, of which the nearest to each other; with a plane of symmetry on one
/// side the mirror image counts.
struct BoxWidth {
  int axis = 0;
  int nodes = 0;         ///< nodes from wall to wall
  bool is_flat = false;  ///< the axis is that of flat_axis()
};
std::optional<BoxWidth> narrowest_box_width(const Case& c, const Geometry& geometry);

/// Nodes across each opening, with its images beyond planes of symmetry that cut it: the diameter of a disc of the same
/// area; the width in 2D, and where the box is periodic along a side of it.
std::vector<double> nodes_across_openings(const Geometry& geometry);

/// Nodes across the narrowest way that can be known before the run; 0 if there are no walls.
double narrowest_way(const Case& c, const Geometry& geometry);

/// Advice for a box that is too thin: periodic if it is flat, else `wanted` nodes across.
Advice advise_width(const Case& c, const Adviser& adviser, const BoxWidth& width, double wanted);

/// A parameter far from the values that are usual.
struct UnusualParameter {
  std::string text;  ///< a sentence without its end
  /// About what it adds to a flow between walls, as a part of it; 0: unknown, or there are none.
  double flow_error = 0;
  bool is_bad = false;
  std::string setting;  ///< for --set
};

/// Parameters far from the usual values. Walls half-way along links lie elsewhere if Lambda = (1/omega+ - 1/2)(1/omega-
/// - 1/2) is not 3/16: the flow between two of them, H nodes apart, becomes 1 + (16 Lambda - 3) / (2 H^2) times the
/// exact one, since H^2 becomes H^2 + (16 Lambda - 3) / 3 and a slip adds as much (I. Ginzburg & D. d'Humieres, Phys.
/// Rev. E 68 (2003) 066614, for two rates; with many rates that of the energy flux takes the place of omega-;
/// regularised collisions have 1 there). Between 1/12, which removes the leading error of advection, and 1/2 lie all
/// values with a name: 1/6 (diffusion), 3/16 (straight walls), 1/4 (stability), 3/8 (diagonal walls): I. Ginzburg, F.
/// Verhaeghe & D. d'Humieres, Commun. Comput. Phys. 3 (2008) 427.
std::vector<UnusualParameter> find_unusual_parameters(const Problem& problem);

/// What walls half-way along links do to the flow between them, since their true position is another.
struct HalfWayError {
  double flow = 0;   ///< estimated relative change of mean velocities or of flow rates, whichever is larger
  std::string text;  ///< a sentence without its end
};
/// The error by half-way walls, from where the walls are (GeometryReport::half_way_walls) and from what stairs add to
/// the friction: they hold the fluid as smooth walls do that lie 0.12 of a node within their mean position. None where
/// that is not known, or walls are interpolated.
std::optional<HalfWayError> half_way_error(const Geometry& geometry);

/// Warnings of all checks of this file, complete sentences with what to do, for `fluvia plan` and the start of a run.
std::vector<std::string> advise_parameters(const Problem& problem);

/// The warnings of advise() for the units of a case, without that of a small tau where the flow is only slow on the
/// lattice and the case names a collision that bears it.
std::vector<UnitsAdvice> advise_units(const Case& c, const Units& units);

}  // namespace fluvia
