// SPDX-License-Identifier: Apache-2.0
#include "fluvia/draft/tunnel/bodies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/case/names.hpp"
#include "fluvia/draft/case_text.hpp"
#include "fluvia/draft/vessel_shape.hpp"
#include "fluvia/geometry/mesh/surface_file.hpp"

namespace fluvia::draft {

namespace {

constexpr int raster = 2000;  ///< cells along a shadow's longer side

std::size_t holes_of(const geometry::TriangleSoup& soup, const geometry::BoundingBox& box) {
  const geometry::Patch patch{soup, 0};
  return geometry::find_defects(geometry::weld({&patch, 1}, 1e-6 * norm(box.upper - box.lower))).loops.size();
}

Body make_body(geometry::TriangleSoup soup, const std::filesystem::path& file, const std::string& part, double unit,
               int along) {
  Body body;
  body.file = file;
  body.part = part;
  for (auto& triangle : soup)
    for (Real3& corner : triangle) body.box.add(corner = unit * corner);
  // Of the tetrahedra from a corner of the box to each triangle, which cancel outside of the body.
  const Real3& corner_of_box = body.box.lower;
  Real3 moment{};
  for (const auto& triangle : soup) {
    const Real3 a = triangle[0] - corner_of_box, b = triangle[1] - corner_of_box, c = triangle[2] - corner_of_box;
    const double volume = dot(a, cross(b, c)) / 6;
    body.volume += volume;
    moment = moment + (0.25 * volume) * (a + b + c);
  }
  body.center = corner_of_box + (1 / body.volume) * moment;
  body.volume = std::abs(body.volume);
  for (const auto& triangle : soup)
    for (Real3 arm : triangle) {
      arm = arm - body.center;
      arm[static_cast<std::size_t>(along)] = 0;
      body.radius = std::max(body.radius, norm(arm));
    }
  body.area = shadow(soup, along);
  body.holes = holes_of(soup, body.box);
  return body;
}

/// The parts of a file as bodies, if each is one by itself; else nothing: a car whose body and wheels are parts that
/// share their edges is one body.
std::vector<Body> bodies_of_parts(const std::vector<geometry::SurfacePart>& parts, const std::filesystem::path& file,
                                  double unit, int along) {
  std::vector<Body> bodies;
  if (parts.size() < 2) return {};
  for (const geometry::SurfacePart& part : parts) {
    if (part.name.empty()) return {};
    bodies.push_back(make_body(part.triangles, file, part.name, unit, along));
    if (bodies.back().holes > 0) return {};
  }
  return bodies;
}

/// Gives each body a name of its own that surfaces of the box do not have.
void name_bodies(std::vector<Body>& bodies) {
  if (bodies.size() == 1) {
    bodies.front().name = "body";
    return;
  }
  std::set<std::string> of_the_box(names::faces.begin(), names::faces.end());
  of_the_box.insert(names::wall);
  std::set<std::string> taken = of_the_box;
  for (Body& body : bodies) {
    const std::string stem = plain_stem(body.part.empty() ? body.file : std::filesystem::path(body.part + ".part"));
    body.name = unique_name(of_the_box.contains(stem) ? stem + "-body" : stem, taken);
  }
}

}  // namespace

double shadow(std::span<const std::array<Real3, 3>> triangles, int axis) {
  const int a = (axis + 1) % 3, b = (axis + 2) % 3;
  geometry::BoundingBox box;
  for (const auto& triangle : triangles)
    for (const Real3& corner : triangle) box.add(corner);
  const double cell = std::max(box.upper[a] - box.lower[a], box.upper[b] - box.lower[b]) / raster;
  if (!(cell > 0) || triangles.empty()) return 0;
  const auto cells = [&](int k) { return static_cast<std::size_t>((box.upper[k] - box.lower[k]) / cell) + 1; };
  const std::size_t width = cells(a), height = cells(b);
  std::vector<bool> covered(width * height, false);
  for (const auto& triangle : triangles) {
    std::array<std::array<double, 2>, 3> p;
    for (int i = 0; i < 3; ++i)
      p[i] = {(triangle[i][a] - box.lower[a]) / cell - 0.5, (triangle[i][b] - box.lower[b]) / cell - 0.5};
    const auto [low, high] = std::minmax({p[0][1], p[1][1], p[2][1]});
    const auto last = std::min(static_cast<double>(height) - 1, std::floor(high));
    for (double y = std::max(0.0, std::ceil(low)); y <= last; ++y) {
      double from = 1e300, to = -1e300;  // range of the row inside the triangle
      for (int i = 0; i < 3; ++i) {
        const auto &u = p[i], &v = p[(i + 1) % 3];
        if ((u[1] < y && v[1] < y) || (u[1] > y && v[1] > y)) continue;
        const double x = u[1] == v[1] ? u[0] : u[0] + (y - u[1]) / (v[1] - u[1]) * (v[0] - u[0]);
        from = std::min(from, x);
        to = std::max(to, x);
        if (u[1] == v[1]) to = std::max(to, v[0]), from = std::min(from, v[0]);
      }
      const double end = std::min(static_cast<double>(width) - 1, std::floor(to));
      for (double x = std::max(0.0, std::ceil(from)); x <= end; ++x)
        covered[static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x)] = true;
    }
  }
  return static_cast<double>(std::count(covered.begin(), covered.end(), true)) * cell * cell;
}

std::vector<Body> read_bodies(const DraftRequest& request, int along) {
  require_unit(request);
  std::vector<Body> bodies;
  for (const std::filesystem::path& file : request.files) {
    const std::vector<geometry::SurfacePart> parts = geometry::read_surface_parts(file);
    std::vector<Body> own = bodies_of_parts(parts, file, *request.unit, along);
    if (own.empty()) own.push_back(make_body(geometry::read_surface(file), file, "", *request.unit, along));
    bodies.insert(bodies.end(), own.begin(), own.end());
  }
  for (const Body& body : bodies)
    if (!(body.area > 0))
      throw_input(fmt::format("{}: the body{} has no area across the wind", body.file.string(),
                              body.part.empty() ? "" : " '" + shorten(body.part) + "'"));
  name_bodies(bodies);
  return bodies;
}

}  // namespace fluvia::draft
