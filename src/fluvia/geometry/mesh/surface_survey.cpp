// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/mesh/surface_survey.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fluvia/geometry/mesh/parts/overlaps.hpp"
#include "fluvia/geometry/mesh/parts/parts.hpp"

namespace fluvia::geometry {
namespace {

constexpr double weld_tolerance = 1e-6;  ///< of the surface's diagonal

/// Whether a closed part encloses a point: the solid angle of its triangles as seen from there (A. Van Oosterom &
/// J. Strackee, IEEE Trans. Biomed. Eng. 30 (1983) 125), which is 4 pi inside and 0 outside.
bool encloses(const Mesh& mesh, const MeshPart& part, const Real3& point) {
  double angle = 0;
  for (std::size_t i = 0; i < part.triangles.size(); ++i) {
    const auto corners = mesh.corners(mesh.triangles[part.triangles[i]]);
    const Real3 a = corners[0] - point, b = corners[1] - point, c = corners[2] - point;
    const double la = norm(a), lb = norm(b), lc = norm(c);
    const double above = dot(a, cross(b, c)), below = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
    angle += (part.turned[i] ? -2 : 2) * std::atan2(above, below);
  }
  return std::abs(angle) > 2 * std::numbers::pi;
}

/// In how many other closed parts a part lies, by one of its corners.
int depth_of(const Mesh& mesh, const std::vector<MeshPart>& parts, std::size_t own) {
  const Real3& point = mesh.corner(mesh.triangles[parts[own].triangles.front()], 0);
  int depth = 0;
  for (std::size_t other = 0; other < parts.size(); ++other) {
    const MeshPart& part = parts[other];
    if (other == own || !part.closed || !part.orientable || !part.bounds.contains(point, 0)) continue;
    depth += encloses(mesh, part, point) ? 1 : 0;
  }
  return depth;
}

}  // namespace

double area_of_triangles(const TriangleSoup& triangles) {
  double twice = 0;
  for (const auto& t : triangles) twice += norm(cross(t[1] - t[0], t[2] - t[0]));
  return twice / 2;
}

SurfaceSurvey survey_surface(const std::filesystem::path& path) {
  SurfaceSurvey survey;
  survey.path = path;
  survey.format = surface_format(path);
  if (survey.format == nullptr) survey.format = &surface_formats().front();  // as read_surface_parts() takes it
  survey.parts = read_surface_parts(path);
  Patch all{{}, 0};
  for (const SurfacePart& part : survey.parts) {
    all.triangles.insert(all.triangles.end(), part.triangles.begin(), part.triangles.end());
    survey.area += area_of_triangles(part.triangles);
  }
  survey.triangles = all.triangles.size();
  for (const auto& corners : all.triangles)
    for (const Real3& corner : corners) survey.box.add(corner);
  Mesh mesh = weld({&all, 1}, weld_tolerance * norm(survey.box.upper - survey.box.lower));
  survey.doubled = mesh.doubled;
  survey.defects = find_defects(mesh);
  for (const Loop& loop : survey.defects.loops) survey.hole_places.push_back(loop.centroid);
  const std::vector<MeshPart> parts = find_parts(mesh);
  survey.bodies = parts.size();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!parts[i].closed) continue;
    ++survey.closed;
    if (parts[i].orientable) survey.volume += (depth_of(mesh, parts, i) % 2 == 0 ? 1 : -1) * std::abs(parts[i].volume);
  }
  survey.overlaps = unite_overlaps(mesh, parts).pairs;
  return survey;
}

}  // namespace fluvia::geometry
