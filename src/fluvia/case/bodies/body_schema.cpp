// SPDX-License-Identifier: Apache-2.0
#include "fluvia/case/bodies/body_schema.hpp"

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
  });
}

}  // namespace fluvia::schema
