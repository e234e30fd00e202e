// SPDX-License-Identifier: Apache-2.0
// Bodies just within the box, and just outside of it: each kind, at each face, with an origin and a spacing.
#include "fluvia/run/checks/preflight.hpp"

#include <gtest/gtest.h>

#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

constexpr double body_spacing = 0.5;
constexpr Real3 body_origin{-2, 3, 10};
constexpr Int3 nodes{10, 7, 5};

/// A body whose extent along each axis is 2 `half`, around `centre`.
Case::Shape body(const std::string& kind, const Real3& centre, double half) {
  Case::Shape s;
  s.kind = kind;
  s.center = centre;
  s.size = {2 * half, 2 * half, 2 * half};
  s.radius = half;
  s.from = s.to = centre;
  if (kind == "cylinder" || kind == "capsule") {
    s.radius = 0.25 * half;
    const Real3 along{0.75 * half, -0.75 * half, 0.75 * half};
    s.from = centre + along;
    s.to = centre - along;
  }
  return s;
}

std::string refusal_of_body(const Case::Shape& shape) {
  Case c;
  c.domain.nodes = nodes;
  c.domain.origin = body_origin;
  c.geometry.shapes = {body("sphere", body_origin + Real3{1, 1, 1}, 0.1), shape};
  Units units;
  units.spacing = body_spacing;
  Geometry geometry;
  geometry.nodes.dimension = 3;
  geometry.nodes.size = nodes;
  geometry.origin = body_origin;
  try {
    check_before_run({c, units, geometry});
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::input);
    return error.what();
  }
  return "";
}

TEST(Preflight, BodiesMustReachIntoTheBox) {
  for (const char* kind : {"box", "sphere", "cylinder", "capsule"})
    for (int axis = 0; axis < 3; ++axis)
      for (const bool high : {false, true}) {
        SCOPED_TRACE(std::string(kind) + " " + "xyz"[axis] + (high ? " high" : " low"));
        const double half = 0.8, face = body_origin[axis] + (high ? nodes[axis] * body_spacing : 0),
                     out = high ? 1 : -1;
        Real3 centre = body_origin + Real3{1.3, 1.2, 1.1};
        centre[axis] = face + out * (half - 0.01);
        EXPECT_EQ(refusal_of_body(body(kind, centre, half)), "");
        centre[axis] = face + out * (half + 0.01);
        const std::string message = refusal_of_body(body(kind, centre, half));
        EXPECT_CONTAINS(message, "geometry.shape[1]: this " + std::string(kind) + " lies outside of the box: from ");
        EXPECT_CONTAINS(message, std::string(" along ") + "xyz"[axis] + ", where the box reaches from ");
      }
  EXPECT_CONTAINS(refusal_of_body(body("box", body_origin + Real3{1, 6, 1}, 0.5)),
                  "from 8.5 to 9.5 along y, where the box reaches from 3 to 6.5; move it, or remove it");
  Case::Shape plane = body("half_space", body_origin - Real3{50, 50, 50}, 1);
  EXPECT_EQ(refusal_of_body(plane), "") << "has no end";
}

}  // namespace
}  // namespace fluvia::test
