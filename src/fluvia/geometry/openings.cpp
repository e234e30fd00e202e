// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/openings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "fluvia/base/error.hpp"
#include "fluvia/geometry/generate/rim_profile.hpp"
#include "fluvia/geometry/map/link_search.hpp"
#include "fluvia/geometry/wall_strips.hpp"

namespace fluvia::geometry {
namespace {

Real3 as_real(const Int3& v) {
  return {1.0 * v[0], 1.0 * v[1], 1.0 * v[2]};
}

/// Calls visit(tile index) for tiles that meet `region`.
template <class Visit>
void for_each_tile(const NodeMap& nodes, const BoundingBox& region, const Visit& visit) {
  const Int3 shape = tile_shape(nodes.dimension);
  for (std::uint64_t t = 0; t < nodes.tiles.size(); ++t) {
    bool apart = false;
    for (int axis = 0; axis < 3; ++axis) {
      const int low = nodes.tiles[t].position[axis] * shape[axis];
      apart = apart || low + shape[axis] < region.lower[axis] || low > region.upper[axis];
    }
    if (!apart) visit(t);
  }
}

/// Calls visit(tile index, bit, node) for every fluid node in `region`.
template <class Visit>
void for_each_node(const NodeMap& nodes, const BoundingBox& region, const Visit& visit) {
  for_each_tile(nodes, region, [&](std::uint64_t t) {
    for (std::uint64_t rest = nodes.tiles[t].mask; rest != 0; rest &= rest - 1) {
      const int bit = std::countr_zero(rest);
      const Int3 node = nodes.node_position(nodes.tiles[t], bit);
      if (region.contains(node_centre(node), 0)) visit(t, bit, node);
    }
  });
}

/// Calls visit(NodeWithCuts, offset) for the links to any neighbour that a surface cuts and that start in `region`.
template <class Visit>
void for_each_link_to(const NodeMap& nodes, const Classifier& classifier, int surface, const BoundingBox& region,
                      const Visit& visit) {
  constexpr int farthest = 3;
  const std::vector<Int3> offsets = neighbour_offsets(nodes.dimension, farthest);
  LinkSearch search(nodes, offsets);
  const auto visit_node = [&](const NodeWithCuts& at) {
    if (!region.contains(node_centre(at.node), 0)) return;
    at.for_each_cut([&](std::size_t k) {
      if (classifier.surface(at.node, offsets[k]) == surface) visit(at, offsets[k]);
    });
  };
  for_each_tile(nodes, region, [&](std::uint64_t t) { search.visit_tile(t, visit_node); });
}

BoundingBox whole_box(const NodeMap& nodes) {
  return {{0, 0, 0}, as_real(nodes.size)};
}

/// Where links to a surface can start: near its mesh, if that is known.
BoundingBox region_of(const NodeMap& nodes, int surface, const std::vector<SurfaceOpening>& known) {
  for (const SurfaceOpening& opening : known) {
    if (opening.surface != surface) continue;
    const Real3 margin{2.5, 2.5, 2.5};
    return {opening.bounds.lower - margin, opening.bounds.upper + margin};
  }
  return whole_box(nodes);
}

BoundingBox face_region(const NodeMap& nodes, int face) {
  BoundingBox region = whole_box(nodes);
  const int axis = face / 2;
  (face % 2 == 0 ? region.upper[axis] : region.lower[axis]) = face % 2 == 0 ? 1 : nodes.size[axis] - 1;
  return region;
}

/// Whether the fluid beside a face of the box is held there by a surface at which it does not slip.
bool sticks(const NodeMap& nodes, const std::array<int, 6>& face_surfaces, const Conditions& conditions, int face) {
  if (nodes.periodic[face / 2]) return false;
  return conditions[face_surfaces[face]]->sticks;
}

/// Parabola across [low, high] between walls, 1 in its middle; half of one if only one side is a wall, 1 if none is.
double parabola_between(double x, double low, double high, bool wall_low, bool wall_high) {
  if (!wall_low && !wall_high) return 1;
  if (!wall_low) low -= high - low;
  if (!wall_high) high += high - low;
  const double t = (x - low) / (high - low);
  return std::max(0.0, 4 * t * (1 - t));
}

/// Profile of a box face whose fluid nodes fill a rectangle from `low` to `high` (corners, lattice units).
Profile rectangle_profile(const NodeMap& nodes, const std::array<int, 6>& face_surfaces, const Conditions& conditions,
                          int face, const Real3& low, const Real3& high) {
  struct Side {
    int axis;
    double low, high;
    bool wall_low, wall_high;
  };
  std::array<Side, 2> sides;
  for (int i = 0; i < 2; ++i) {
    const int axis = (face / 2 + 1 + i) % 3;
    const bool at_low = low[axis] <= 0, at_high = high[axis] >= nodes.size[axis];
    sides[i] = {axis, low[axis], high[axis], !at_low || sticks(nodes, face_surfaces, conditions, 2 * axis),
                !at_high || sticks(nodes, face_surfaces, conditions, 2 * axis + 1)};
  }
  return [sides](const Real3& point) {
    double value = 1;
    for (const Side& s : sides) value *= parabola_between(point[s.axis], s.low, s.high, s.wall_low, s.wall_high);
    return value;
  };
}

/// An opening together with its mirror images beyond the planes of symmetry that cut it.
struct Unfolded {
  std::vector<Real3> points;
  Real3 centroid{};
  double times = 1;  ///< how many times the area of what is in the box
};
Unfolded unfold(const NodeMap& nodes, std::vector<Real3> points, Real3 centroid) {
  constexpr double beside = 0.75;  // distance in nodes: points are middles of faces of nodes
  Unfolded whole{std::move(points), centroid, 1};
  for (int face = 0; face < 6; ++face) {
    if (!nodes.mirrors[static_cast<std::size_t>(face)]) continue;
    const int axis = face / 2;
    const double plane = face % 2 == 0 ? 0 : nodes.size[axis];
    const bool touches = std::any_of(whole.points.begin(), whole.points.end(),
                                     [&](const Real3& p) { return std::abs(p[axis] - plane) < beside; });
    if (!touches) continue;
    const std::size_t count = whole.points.size();
    for (std::size_t k = 0; k < count; ++k) {
      Real3 image = whole.points[k];
      image[axis] = 2 * plane - image[axis];
      whole.points.push_back(image);
    }
    whole.centroid[axis] = plane;
    whole.times *= 2;
  }
  return whole;
}
/// Completes an opening, of which everything is known that is in the box, from points of it: together with its images
/// beyond planes of symmetry it is the whole, on whose rim the profile is zero.
void complete_from_points(const NodeMap& nodes, std::vector<Real3> points, Opening& opening) {
  const Unfolded whole = unfold(nodes, std::move(points), opening.centroid);
  opening.whole_centroid = whole.centroid;
  opening.whole_area = whole.times * opening.area;
  opening.parabola = points_profile(whole.centroid, opening.normal, whole.points, opening.whole_area);
}

/// A rim that was measured on a mesh. Half of the rim lies in the box for each plane of symmetry that it reaches
/// beyond; it is half of the whole rim for each plane at which it ends.
struct MeasuredRim {
  std::vector<std::vector<Real3>> pieces;  ///< pieces of the whole rim: the one measured and its mirror images
  Real3 centroid{};                        ///< centroid of the whole
  double images = 1;                       ///< how many times the whole has the area within the measured rim
  double in_box = 1;                       ///< part of the area within the measured rim that is in the box
};
MeasuredRim unfold(const NodeMap& nodes, const SurfaceOpening& known) {
  MeasuredRim whole{{known.rim}, known.centroid};
  for (int face = 0; face < 6; ++face) {
    if (!nodes.mirrors[static_cast<std::size_t>(face)] || known.rim.empty()) continue;
    const int axis = face / 2;
    const double plane = face % 2 == 0 ? 0 : nodes.size[axis], outwards = face % 2 == 0 ? -1 : 1;
    double outside = -1e300;
    for (const Real3& p : known.rim) outside = std::max(outside, outwards * (p[axis] - plane));
    if (outside > 0.5) whole.in_box *= 0.5;
    if (outside > 0.5 || outside < -0.25) continue;
    const std::size_t count = whole.pieces.size();
    for (std::size_t k = 0; k < count; ++k) {
      std::vector<Real3> image = whole.pieces[k];
      for (Real3& p : image) p[axis] = 2 * plane - p[axis];
      whole.pieces.push_back(std::move(image));
    }
    whole.centroid[axis] = plane;
    whole.images *= 2;
  }
  return whole;
}

/// How much larger the cross-section at a node of a face is than the node, since walls beside it are not half-way;
/// nodes.
double excess_at_walls(const Geometry& geometry, const Int3& node, int across) {
  const NodeMap& nodes = geometry.nodes;
  double excess = 0;
  for (int axis = 0; axis < nodes.dimension; ++axis)
    for (const int side : {-1, 1}) {
      if (axis == across) continue;
      Int3 step{}, there = node;
      step[axis] = side;
      there[axis] += side;
      if (nodes.is_fluid(there) || !nodes.wrap(there)) continue;  // a face of the box is half-way, or a mirror
      excess += strip_at_wall(geometry, node, step, across);
    }
  return excess;
}

Opening face_opening(const Geometry& geometry, const Classifier& classifier, const std::array<int, 6>& face_surfaces,
                     const Conditions& conditions, int face, const std::string& name) {
  const NodeMap& nodes = geometry.nodes;
  Opening opening;
  opening.name = name;
  opening.surface = face_surfaces[face];
  const int axis = face / 2, side = face % 2 == 0 ? -1 : 1;
  opening.normal[axis] = side;
  Int3 offset{};
  offset[axis] = side;
  std::vector<Real3> points;
  BoundingBox bounds;
  double excess = 0;
  for_each_node(nodes, face_region(nodes, face), [&](std::uint64_t, int, const Int3& node) {
    if (classifier.surface(node, offset) != opening.surface) return;
    if (geometry.distance_of) excess += excess_at_walls(geometry, node, axis);
    const Real3 point = node_centre(node) + 0.5 * as_real(offset);
    points.push_back(point);
    bounds.add(point);
    opening.centroid = opening.centroid + point;
  });
  if (points.empty()) {
    throw_input(
        fmt::format("boundary of surface \"{}\": no fluid node lies on this face of the box; the flow domain "
                    "must reach the face (see fluvia geometry)",
                    name));
  }
  const auto count = static_cast<double>(points.size());
  opening.area = count + excess;
  opening.centroid = (1 / count) * opening.centroid;
  Real3 half{0.5, 0.5, 0.5};
  half[axis] = 0;
  const Real3 low = bounds.lower - half, high = bounds.upper + half, extent = high - low;
  const bool rectangle = extent[(axis + 1) % 3] * extent[(axis + 2) % 3] < count + 0.5;
  complete_from_points(nodes, std::move(points), opening);
  if (rectangle) opening.parabola = rectangle_profile(nodes, face_surfaces, conditions, face, low, high);
  return opening;
}

Opening inner_opening(const NodeMap& nodes, const Classifier& classifier, const std::string& name, int surface,
                      const std::vector<SurfaceOpening>& known, const Grid& grid) {
  Opening opening;
  opening.name = name;
  opening.surface = surface;
  std::vector<Real3> points;
  Real3 area_vector{}, middle{};
  std::uint64_t links = 0;
  const auto visit = [&](const NodeWithCuts& at, const Int3& offset) {
    ++links;
    if (std::abs(offset[0]) + std::abs(offset[1]) + std::abs(offset[2]) != 1) return;
    // The faces between fluid and solid nodes form a staircase; its area vector is that of the cut.
    area_vector = area_vector + as_real(offset);
    points.push_back(node_centre(at.node) + 0.5 * as_real(offset));
    middle = middle + points.back();
  };
  for_each_link_to(nodes, classifier, surface, region_of(nodes, surface, known), visit);
  const auto exact = std::find_if(known.begin(), known.end(), [&](const auto& k) { return k.surface == surface; });
  if (links == 0) {
    const std::string where =
        exact == known.end() ? "" : fmt::format(" at {}", format_point(to_case(grid, exact->centroid)));
    throw_input(
        fmt::format("boundary of surface \"{}\"{}: no link of the lattice cuts it; it lies outside the box or "
                    "away from the fluid, or is smaller than a node (spacing {:.6g})",
                    name, where, grid.spacing));
  }
  if (exact != known.end() && exact->area > 0) {
    opening.centroid = exact->centroid;
    opening.normal = exact->normal;
    const MeasuredRim rim = unfold(nodes, *exact);
    opening.area = rim.in_box * exact->area;
    complete_from_points(nodes, std::move(points), opening);
    if (exact->rim.size() > 2) {
      opening.whole_centroid = rim.centroid;
      opening.whole_area = rim.images * exact->area;
      opening.parabola = polygon_profile(rim.centroid, exact->normal, rim.pieces);
    }
    return opening;
  }
  opening.centroid = (1.0 / std::max<double>(1.0, static_cast<double>(points.size()))) * middle;
  opening.normal = exact != known.end() ? exact->normal : area_vector;
  const double length = norm(opening.normal);
  opening.normal = length > 0 ? (1 / length) * opening.normal : Real3{0, 0, 1};
  // The plane of a disc is known; the middles of links, which all other openings follow from, scatter about it.
  if (exact != known.end())
    opening.centroid = opening.centroid - dot(opening.centroid - exact->centroid, opening.normal) * opening.normal;
  opening.area = std::abs(dot(area_vector, opening.normal));
  if (opening.area <= 0) opening.area = static_cast<double>(points.size());  // a closed surface: a source all around
  complete_from_points(nodes, std::move(points), opening);
  return opening;
}

bool is_face_surface(const std::array<int, 6>& face_surfaces, int surface) {
  return std::find(face_surfaces.begin(), face_surfaces.end(), surface) != face_surfaces.end();
}

}  // namespace

std::vector<std::vector<int>> driving_surfaces(const NodeMap& nodes, const Components& components,
                                               const Classifier& classifier, const Conditions& conditions,
                                               const std::array<int, 6>& face_surfaces,
                                               const std::vector<SurfaceOpening>& known) {
  std::vector<std::vector<int>> driving(components.count());
  const auto drives = [&](int s) { return conditions[s]->drives; };
  const auto add = [&](std::uint64_t tile, int bit, int surface) {
    std::vector<int>& of = driving[components.of(tile, bit)];
    if (std::find(of.begin(), of.end(), surface) == of.end()) of.push_back(surface);
  };
  for (int face = 0; face < 6; ++face) {
    if (nodes.periodic[face / 2] || !drives(face_surfaces[face])) continue;
    for_each_node(nodes, face_region(nodes, face),
                  [&](std::uint64_t tile, int bit, const Int3&) { add(tile, bit, face_surfaces[face]); });
  }
  for (int surface = 0; surface < static_cast<int>(conditions.size()); ++surface) {
    if (!drives(surface) || is_face_surface(face_surfaces, surface)) continue;
    for_each_link_to(nodes, classifier, surface, region_of(nodes, surface, known),
                     [&](const NodeWithCuts& at, const Int3&) { add(at.tile, at.bit, surface); });
  }
  for (std::vector<int>& of : driving) std::sort(of.begin(), of.end());
  return driving;
}

std::vector<Opening> make_openings(const Geometry& geometry, const Classifier& classifier, const SurfaceNames& names,
                                   const Conditions& conditions, const std::array<int, 6>& face_surfaces,
                                   const std::vector<SurfaceOpening>& known, const Grid& grid) {
  std::vector<Opening> openings;
  for (int surface = 0; surface < static_cast<int>(conditions.size()); ++surface) {
    if (!conditions[surface]->is_opening) continue;
    const std::string& name = names.list()[surface];
    const auto face = std::find(face_surfaces.begin(), face_surfaces.end(), surface) - face_surfaces.begin();
    if (face < 6) {
      openings.push_back(face_opening(geometry, classifier, face_surfaces, conditions, static_cast<int>(face), name));
    } else {
      openings.push_back(inner_opening(geometry.nodes, classifier, name, surface, known, grid));
    }
  }
  return openings;
}

}  // namespace fluvia::geometry
