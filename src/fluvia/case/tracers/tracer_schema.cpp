// SPDX-License-Identifier: Apache-2.0
#include "fluvia/case/tracers/tracer_schema.hpp"

namespace fluvia::schema {

void describe_tracer(Section& s, Case::Tracer& t) {
  s.key("name", t.name, required(any()), "of files, columns and results");
  s.key(
      "from", t.from, any(),
      "opening through which the points come in, everywhere as often as the fluid does; give this, `box` or `sphere`");
  s.key("box", t.box, any("m"), "where the points appear, evenly in its fluid: lower and upper corner");
  s.key("rate", t.rate, positive("1/s"), "points per time; give this or `count`");
  s.key("count", t.count, between(1, 1e8), "points that appear all at once, at `start`");
  s.key("start", t.start, at_least(0, "s"), "when the first appear");
  s.key("end", t.end, positive("s"), "when the last appear; default: none are the last");
  s.key("every", t.every, between(1, 16),
        "steps of the flow between two moves of the points; each reads the velocities around them");
  s.key("diffusivity", t.diffusivity, at_least(0, "m2/s"), "of a random walk on top of the flow; 0 = none");
  s.key("stick", t.stick, any(), "surfaces at which points stay that touch them; others reflect them");
  s.key("radius", t.radius, at_least(0, "m"),
        "distance from a surface of `stick` at which a point touches it, at most half of `units.spacing`");
  s.table("sphere", t.sphere, "Where the points appear, evenly in its fluid; in 2D a circle.",
          [](Section& of, Case::Tracer::Sphere& sphere) {
            of.key("center", sphere.center, required(any("m")), "of the sphere");
            of.key("radius", sphere.radius, required(at_least(0, "m")), "of the sphere; 0 = a point");
          });
}

}  // namespace fluvia::schema
