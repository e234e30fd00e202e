// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/profiles/opening_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "fluvia/base/error.hpp"
#include "fluvia/case/ground.hpp"
#include "fluvia/solver/profiles/changing_profile.hpp"
#include "fluvia/solver/profiles/developed_profile.hpp"
#include "fluvia/solver/profiles/prescribed_flux.hpp"
#include "fluvia/solver/profiles/table_profile.hpp"

namespace fluvia {

namespace {

/// What a profile may follow from.
struct ShapeInput {
  const Case& c;
  const Case::Boundary& boundary;
  const Units& units;
  const Geometry& geometry;
  const Opening& opening;
  const std::vector<CutLink>& links;
  const std::vector<Int3>& velocities;
  const std::vector<bool>& sticks;
};

OpeningShape parabolic(const ShapeInput& in) {
  return [parabola = in.opening.parabola](const Real3& point) { return std::max(0.0, parabola(point)); };
}

OpeningShape developed(const ShapeInput& in) {
  return developed_profile(in.geometry, in.opening, in.links, in.velocities, in.sticks);
}

OpeningShape from_table(const ShapeInput& in) {
  const double scale = prescribes_flux(in.boundary) ? 1 : in.units.velocity(1);
  return [table = table_profile(profile_file(in.c, in.boundary), in.geometry, in.opening, in.units.spacing),
          scale](const Real3& point) { return scale * table(point); };
}

/// Speed by the height above a face of the box.
OpeningShape above_ground(const ShapeInput& in) {
  const int ground = ground_of(in.c, in.boundary, "boundary '" + in.boundary.surface + "'");
  const int axis = ground / 2;
  constexpr double level = 1e-6;  // rounding of a normal
  if (std::abs(in.opening.normal[axis]) > level)
    throw_input(
        fmt::format("boundary '{}': profile = \"{}\" blows along the ground, and the opening is inclined to "
                    "'{}'; give an opening at right angles to it",
                    in.boundary.surface, in.boundary.profile, in.geometry.surfaces[ground]));
  const double scale = prescribes_flux(in.boundary) ? 1 : in.units.velocity(1);
  const double top = in.geometry.nodes.size[axis], spacing = in.units.spacing;
  return [b = in.boundary, axis, scale, spacing, top, upwards = ground % 2 == 0](const Real3& point) {
    return scale * speed_at_height(b, spacing * (upwards ? point[axis] : top - point[axis]));
  };
}

/// The profiles that follow from the opening and keep their shape.
constexpr std::array<std::pair<const char*, OpeningShape (*)(const ShapeInput&)>, 3> shapes = {
    {{"parabolic", parabolic}, {"developed", developed}, {"table", from_table}}};

}  // namespace

OpeningShape shape_of(const Case& c, const Case::Boundary& b, const Units& units, const Geometry& geometry,
                      const Opening* opening, const std::vector<CutLink>& links, const std::vector<Int3>& velocities,
                      const std::vector<bool>& sticks) {
  if (opening == nullptr || changes_shape(c, b, geometry.nodes.dimension)) return {};
  const ShapeInput input{c, b, units, geometry, *opening, links, velocities, sticks};
  if (is_above_ground(b)) return above_ground(input);
  for (const auto& [name, shape] : shapes)
    if (b.profile == name) return shape(input);
  return {};
}

}  // namespace fluvia
