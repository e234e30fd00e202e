// SPDX-License-Identifier: Apache-2.0
// Flows beside planes of symmetry, and the whole of which they are a half or a quarter.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>

#include "fluvia/run/prepared_flow.hpp"
#include "reference/scene.hpp"

namespace fluvia::test {

inline Case::Boundary face_with(const std::string& surface, const std::string& type) {
  Case::Boundary b;
  b.surface = surface;
  b.type = type;
  return b;
}

/// A stream along x through a box of these nodes, of which `cut` axes are halved by a plane of symmetry through the
/// origin: the upper half of each is left, or the lower.
inline Case stream(const Int3& nodes, const Bool3& cut, bool lower = false) {
  Case c;
  c.domain.dimension = nodes[2] == 1 ? 2 : 3;
  c.units.viscosity = 0.06;
  Int3 size = nodes;
  Real3 origin{};
  for (int axis = 1; axis < c.domain.dimension; ++axis) {
    origin[axis] = cut[axis] && !lower ? 0 : -0.5 * nodes[axis];
    if (cut[axis]) size[axis] /= 2;
  }
  c.domain.nodes = size;
  c.domain.origin = origin;
  c.numerics.device = "cpu";
  c.numerics.format = "fp64";
  c.numerics.collision = "trt";
  c.numerics.lattice = c.domain.dimension == 2 ? "D2Q9" : "D3Q19";
  c.numerics.scheme = "aa";
  c.numerics.threads = 1;
  Case::Boundary in = face_with("x_min", "velocity");
  in.speed = 0.03;
  in.profile = "parabolic";
  c.boundaries = {in, face_with("x_max", "pressure")};
  const std::string faces = "xyz";
  for (int axis = 1; axis < c.domain.dimension; ++axis)
    if (cut[axis]) c.boundaries.push_back(face_with(faces.substr(axis, 1) + (lower ? "_max" : "_min"), "symmetry"));
  return c;
}

inline Case::Shape ball_on_axis(const Int3& nodes, double radius) {
  Case::Shape shape;
  shape.kind = "sphere";
  shape.name = "ball";
  shape.center = {0.4 * nodes[0], 0, 0};
  shape.radius = radius;
  return shape;
}

inline std::unique_ptr<PreparedFlow> prepared(const Case& c) {
  auto flow = std::make_unique<PreparedFlow>(c, PreparedFlow::Warn{});
  flow->build();
  flow->make_solver();
  return flow;
}

/// The flow of `part` is that of `whole` at the same points after so many steps, to round-off.
inline void expect_same(const Case& whole, const Case& part, int steps) {
  const auto first = prepared(whole), second = prepared(part);
  for (PreparedFlow* flow : {first.get(), second.get()})
    for (int step = 0; step < steps; ++step) {
      flow->solver().set_profile_time(step);
      flow->solver().step(1);
    }
  const Moments all = scene::moments(first->solver()), some = scene::moments(second->solver());
  const NodeMap &nodes = first->solver().geometry().nodes, &cut = second->solver().geometry().nodes;
  double largest = 0, difference = 0;
  scene::for_each_fluid_node(cut, [&](const Int3& x, std::uint64_t n) {
    Int3 y = x;
    for (int axis = 0; axis < 3; ++axis)
      if (cut.mirrors[static_cast<std::size_t>(2 * axis)]) y[axis] += nodes.size[axis] - cut.size[axis];
    const std::int64_t m = nodes.node_index(y);
    ASSERT_GE(m, 0);
    difference = std::max(difference, std::abs(some.density[n] - all.density[static_cast<std::size_t>(m)]));
    for (int a = 0; a < 3; ++a) {
      const double u = all.velocity[static_cast<std::size_t>(m)][a];
      largest = std::max(largest, std::abs(u));
      difference = std::max(difference, std::abs(some.velocity[n][a] - u));
    }
  });
  EXPECT_GT(largest, 0.01);
  EXPECT_LT(difference, 1e-13);  // rounding of numbers near 1 over some hundred steps of a flow that decays
}

}  // namespace fluvia::test
