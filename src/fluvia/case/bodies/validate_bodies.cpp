// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "fluvia/base/text.hpp"
#include "fluvia/case/names.hpp"
#include "fluvia/case/physics/registered_formats.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/case/validate.hpp"

namespace fluvia::validation {

namespace {

/// Refuses what the surfaces from files of a body cannot be. Returns whether there are some.
bool check_files_of_body(const Case& c, const std::string& key, const Case::Body& body) {
  bool found = false;
  for (std::size_t k = 0; k < c.geometry.stl.size(); ++k) {
    const Case::Stl& stl = c.geometry.stl[k];
    if (stl.name != body.surface) continue;
    found = true;
    const std::string entry = "geometry.stl[" + std::to_string(k) + "]";
    if (stl.fluid != "outside")
      fail(c, entry + ".fluid",
           "is \"" + shorten(stl.fluid) + "\", and a [[body]] moves with the fluid around it; set fluid = \"outside\"");
    if (stl.role != "wall")
      fail(c, entry + ".role", "is \"" + shorten(stl.role) + "\", and the surface of a [[body]] is a wall; remove it");
  }
  for (const Case::Shape& shape : c.geometry.shapes)
    if (found && shape.name == body.surface)
      fail(c, key, "'" + shorten(body.surface) + "' is a surface of a file and a shape; a body is made of one kind");
  return found;
}

/// Refuses what the shapes of a body cannot be.
void check_surface_of_body(const Case& c, const std::string& path, const Case::Body& body) {
  const std::string key = path + ".surface";
  std::vector<std::string> names;
  bool found = check_files_of_body(c, key, body);
  for (const Case::Stl& stl : c.geometry.stl)
    if (!stl.name.empty()) names.push_back(stl.name);
  for (const Case::Shape& shape : c.geometry.shapes) {
    if (!shape.name.empty()) names.push_back(shape.name);
    if (shape.name != body.surface) continue;
    found = true;
    if (shape.operation != "solid")
      fail(c, key,
           "'" + shorten(body.surface) + "' has a shape with operation = \"" + shape.operation +
               "\"; a body that moves is what lies in its shapes, which must be \"solid\"");
    if (shape.kind == "half_space" || shape.kind == "channel")
      fail(c, key,
           "'" + shorten(body.surface) + "' has a " + shape.kind +
               ", which has no end; a body that moves is made of boxes, spheres, cylinders and capsules");
  }
  if (!found)
    fail(c, key,
         "'" + shorten(body.surface) + "' is no shape and no surface of this case" + did_you_mean(body.surface, names) +
             "; give a [[geometry.shape]] or a [[geometry.stl]] that name");
  for (std::size_t k = 0; k < c.boundaries.size(); ++k)
    if (c.boundaries[k].surface == body.surface)
      fail(c, "boundary[" + std::to_string(k) + "].surface",
           "'" + shorten(body.surface) + "' is a [[body]], whose surface is a wall that moves with it; remove one");
}

/// A course from a file says everything about the motion.
void check_series(const Case& c, const std::string& path, const Case::Body::Motion& motion) {
  if (motion.series.empty()) {
    if (motion.series_periodic) fail(c, path + ".series_periodic", "needs 'series', a file that repeats; remove it");
    return;
  }
  const auto refuse = [&](bool given, const char* key) {
    if (given) fail(c, path + "." + key, "cannot be given beside 'series', which is the whole course; remove one");
  };
  refuse(norm(motion.velocity) != 0, "velocity");
  refuse(norm(motion.angular_velocity) != 0, "angular_velocity");
  refuse(!motion.displacement_formula.empty(), "displacement_formula");
}

void check_motion(const Case& c, const std::string& path, const Case::Body::Motion& motion) {
  check_series(c, path, motion);
  check_flat(c, path + ".velocity", motion.velocity);
  if (motion.center) check_flat(c, path + ".center", *motion.center);
  const Real3& turn = motion.angular_velocity;
  if (norm(turn) != 0 && !motion.center)
    fail(c, path + ".angular_velocity", "needs 'center', a point on the axis about which the body turns");
  if (c.domain.dimension == 2 && (turn[0] != 0 || turn[1] != 0))
    fail(c, path + ".angular_velocity", "in 2D bodies turn about z only; give [0, 0, rate]");
  const std::size_t components = motion.displacement_formula.size(),
                    expected = static_cast<std::size_t>(c.domain.dimension);
  if (components != 0 && components != expected && components != 3)
    fail(c, path + ".displacement_formula",
         "has " + std::to_string(components) + " components, expected " + std::to_string(expected) +
             ", one formula for each axis");
}

/// Refuses what contradicts itself in a body that is free.
void check_free(const Case& c, const std::string& path, const Case::Body& body) {
  const Case::Body::Free& free = *body.free;
  const Case::Body::Motion& motion = body.motion;
  if (motion.center || !motion.displacement_formula.empty() || !motion.series.empty() || norm(motion.velocity) != 0 ||
      norm(motion.angular_velocity) != 0)
    fail(c, path + ".motion", "cannot be given beside 'free', in which a body begins with a velocity; remove one");
  const std::string key = path + ".free";
  if (free.mass.has_value() == free.density.has_value())
    fail(c, key, free.mass ? "has 'mass' and 'density'; remove one" : "needs 'density', or 'mass'");
  if (free.hinge && norm(free.velocity) != 0)
    fail(c, key + ".velocity", "cannot be given beside 'hinge', which stays where it is; give angular_velocity");
  if (free.hinge && free.anchor) fail(c, key + ".anchor", "means nothing beside 'hinge', which stays where it is");
  for (const auto& [name, place] : {std::pair{"center", free.center}, {"hinge", free.hinge}, {"anchor", free.anchor}})
    if (place) check_flat(c, key + "." + name, *place);
  check_flat(c, key + ".velocity", free.velocity);
  const bool planar = c.domain.dimension == 2;
  const auto check_turn = [&](const char* name, const Real3& of) {
    if (planar && (of[0] != 0 || of[1] != 0))
      fail(c, key + "." + name, "in 2D bodies turn about z only; give [0, 0, number]");
  };
  check_turn("angular_velocity", free.angular_velocity);
  for (const auto& [name, of] : {std::pair{"stiffness", free.stiffness},
                                 {"damping", free.damping},
                                 {"turn_stiffness", free.turn_stiffness},
                                 {"turn_damping", free.turn_damping}})
    if (*std::min_element(of.begin(), of.end()) < 0) fail(c, key + "." + name, "must not be less than 0");
  if (!free.inertia) return;
  for (std::size_t axis = planar ? 2 : 0; axis < 3; ++axis)
    if (!((*free.inertia)[axis] > 0)) fail(c, key + ".inertia", "must be above 0 about each axis");
}

/// Refuses what does not go with bodies yet, so that nobody takes numbers for what they are not.
void check_use_of_bodies(const Case& c) {
  const auto refuse = [&](const std::string& key, const std::string& what, const std::string& instead) {
    fail(c, key, what + " is not possible with [[body]] yet; " + instead);
  };
  if (!c.scalars.empty()) refuse("scalar[0]", "a scalar", "remove [[scalar]]");
  if (c.physics.has_acceleration()) refuse("physics", "a body force", "drive the flow by openings");
  if (c.numerics.lattice == "D3Q13") refuse("numerics.lattice", "'D3Q13'", "use D3Q19 or D3Q27");
  for (const std::string& name : c.monitors.forces)
    if (c.moves(name) && !c.monitors.force_parts.empty())
      refuse("monitor.force_parts", "the parts of the force on '" + shorten(name) + "'", "remove them");
  for (std::size_t k = 0; k < c.geometry.stl.size(); ++k)
    if (c.geometry.stl[k].fluid == "both")
      refuse("geometry.stl[" + std::to_string(k) + "].fluid", "a sheet, fluid = \"both\",",
             "give it a thickness of at least one node");
  for (std::size_t k = 0; k < c.boundaries.size(); ++k)
    if (is_face(c.boundaries[k].surface) && facts_of_boundary(c.boundaries[k].type).mirrors_on_faces)
      refuse("boundary[" + std::to_string(k) + "].type", "the plane of symmetry '" + c.boundaries[k].type + "'",
             "compute the whole flow");
}

}  // namespace

void check_bodies(const Case& c) {
  for (std::size_t k = 0; k < c.bodies.size(); ++k) {
    const std::string path = "body[" + std::to_string(k) + "]";
    check_surface_of_body(c, path, c.bodies[k]);
    check_motion(c, path + ".motion", c.bodies[k].motion);
    if (c.bodies[k].free) check_free(c, path, c.bodies[k]);
    for (std::size_t other = 0; other < k; ++other)
      if (c.bodies[other].surface == c.bodies[k].surface)
        fail(c, path + ".surface", "'" + shorten(c.bodies[k].surface) + "' moves already; a surface is one body");
  }
  if (!c.bodies.empty()) check_use_of_bodies(c);
}

}  // namespace fluvia::validation
