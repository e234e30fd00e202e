// SPDX-License-Identifier: Apache-2.0
#include "fluvia/case/bodies/body_schema.hpp"

#include "fluvia/case/names.hpp"

namespace fluvia::schema {

void describe_body(Section& s, Case::Body& b) {
  s.key("surface", b.surface, required(any()),
        "name of its shapes, or of its surface from a file, which are where it is before it moves");
  s.table("motion", b.motion, "How it moves.", [](Section& of, Case::Body::Motion& m) {
    of.key("center", m.center, any("m"), "point about which it turns; default: the middle of its surface");
    of.key("velocity", m.velocity, any("m/s"), "of the center");
    of.key("angular_velocity", m.angular_velocity, any("1/s"), "radians per time");
    of.key(
        "displacement_formula", m.displacement_formula, any("m"),
        "added to its place: formulas of the time t [s], one an axis, e.g. `[\"0.01*sin(2*pi*5*t)\", \"0\", \"0\"]`");
    of.key(
        "series", m.series, input_file(),
        "instead of these its course: CSV file `t,x,y,z,turn_x,turn_y,turn_z` (2D: `t,x,y,turn`) of the way [m] from "
        "its place at rest and the angle [radians] by which it has turned, along the axis about which, at times [s] "
        "that increase; a smooth curve in between");
    of.key("series_periodic", m.series_periodic, any(), "the last row of `series` is the first of the next cycle");
  });
  s.table("free", b.free,
          "Instead of `motion`: the fluid, its weight and springs move it. In 2D all of it is that of a unit of depth.",
          [](Section& of, Case::Body::Free& f) {
            of.key("density", f.density, positive("kg/m3"), "of the body; its mass follows from its surface");
            of.key("mass", f.mass, positive("kg"), "instead of that");
            of.key("inertia", f.inertia, any("kg m2"),
                   "moments about axes along x, y, z through its center of mass; default: as if its mass were the same "
                   "everywhere");
            of.key("center", f.center, any("m"), "of mass, at the beginning; default: the middle of its volume");
            of.key("hinge", f.hinge, any("m"), "a point of it that stays where it is, and about which it turns");
            of.key("gravity", f.gravity, any(), "whether `physics.gravity` acts on it: its weight less its buoyancy");
            of.key("fixed", f.fixed, one_of(names::fixed_motions), "ways in which it does not move");
            of.key("velocity", f.velocity, any("m/s"), "with which it begins");
            of.key("angular_velocity", f.angular_velocity, any("1/s"), "with which it begins, radians per time");
            of.key("stiffness", f.stiffness, any("N/m"), "of springs along x, y, z");
            of.key("damping", f.damping, any("N s/m"), "of dampers along x, y, z");
            of.key("anchor", f.anchor, any("m"),
                   "where its center, or hinge, feels no spring; default: where that is at the beginning");
            of.key("turn_stiffness", f.turn_stiffness, any("N m"), "of springs against turns, for each radian");
            of.key("turn_damping", f.turn_damping, any("N m s"), "of dampers against turns");
          });
}

}  // namespace fluvia::schema
