// SPDX-License-Identifier: Apache-2.0
#include "fluvia/case/walls.hpp"

#include <fmt/format.h>

#include <set>

#include "fluvia/case/names.hpp"
#include "fluvia/case/validate.hpp"

namespace fluvia {

namespace {

/// Names that walls of the case may have, in the order of its file.
std::vector<std::string> wall_names(const Case& c) {
  std::vector<std::string> all;
  for (std::size_t face = 0; face < names::faces.size(); ++face)
    if (!c.domain.periodic[face / 2] && static_cast<int>(face / 2) < c.domain.dimension)
      all.push_back(names::faces[face]);
  const auto name_of = [](const std::string& given) { return given.empty() ? std::string(names::wall) : given; };
  for (const Case::Shape& shape : c.geometry.shapes) all.push_back(name_of(shape.name));
  for (const Case::Stl& stl : c.geometry.stl)
    if (stl.role == "wall") all.push_back(name_of(stl.name));
  if (c.geometry.voxels || c.geometry.mask || c.geometry.generator) all.emplace_back(names::wall);
  return all;
}

}  // namespace

bool walls_are_interpolated(const Case::Walls& walls, WallSource source) {
  // The faces of cells lie half-way between nodes, whatever the method; `smooth` asks for another surface.
  if (source == WallSource::image) return walls.smooth;
  return walls.method != "half-way";
}

bool has_interpolated_walls(const Case& c) {
  const auto& g = c.geometry;
  return (!g.shapes.empty() && walls_are_interpolated(c.walls, WallSource::shape)) ||
         (!g.stl.empty() && walls_are_interpolated(c.walls, WallSource::stl)) ||
         (g.generator && walls_are_interpolated(c.walls, WallSource::generator)) ||
         ((g.voxels || g.mask) && walls_are_interpolated(c.walls, WallSource::image));
}

void add_wall_models(Case& c) {
  if (c.walls.model == "none") {
    validation::refuse_unused(c, "walls", {"sand_grain"}, "without 'model'");
    return;
  }
  std::set<std::string> taken;
  for (const Case::Boundary& b : c.boundaries) taken.insert(b.surface);
  for (const Case::Body& body : c.bodies) taken.insert(body.surface);
  const std::size_t before = c.boundaries.size();
  const auto given = c.where.find("walls.model");
  for (const std::string& name : wall_names(c)) {
    if (!taken.insert(name).second) continue;
    Case::Boundary& b = c.boundaries.emplace_back();
    b.surface = name;
    b.type = "wall_function";
    b.by_default = true;
    b.values["sand_grain"] = c.walls.sand_grain;
    if (given == c.where.end()) continue;
    const std::string path = fmt::format("boundary[{}]", c.boundaries.size() - 1);
    for (const char* key : {"", ".surface", ".type", ".sand_grain"}) c.where.emplace(path + key, given->second);
  }
  if (c.boundaries.size() == before)
    validation::fail(c, "walls.model",
                     "'" + c.walls.model +
                         "' has no wall to act on: each surface of the case has a boundary of its own, "
                         "or moves; remove it");
}

bool has_displaced_walls(const Case& c) {
  const auto& g = c.geometry;
  const bool known = !g.shapes.empty() || !g.stl.empty() || g.generator.has_value();
  return known && !has_interpolated_walls(c);
}

}  // namespace fluvia
