// SPDX-License-Identifier: Apache-2.0
// What the physics tests share: plain scenes, steady states, profiles.
#pragma once
#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "fluvia/case/physics/registered_physics.hpp"
#include "reference/scene.hpp"

namespace physics_test {

using fluvia::Bool3;
using fluvia::Int3;
using fluvia::Real3;

inline scene::Options options(const std::string& lattice, const std::string& collision, double tau,
                              const std::string& equilibrium = "quasi-compressible") {
  omp_set_num_threads(1);  // small grids: threads would wait for each other
  scene::Options o;
  o.physics.lattice = lattice;
  o.physics.collision = collision;
  o.physics.tau = tau;
  o.physics.equilibrium = equilibrium;
  return o;
}

inline double viscosity_of(double tau) {
  return (tau - 0.5) / 3;
}

inline scene::Scene box(int dimension, const Int3& size, const Bool3& periodic) {
  scene::Scene s;
  s.dimension = dimension;
  s.size = size;
  s.periodic = periodic;
  return s;
}

inline Real3 velocity_at(const fluvia::Solver& solver, const fluvia::Moments& m, const Int3& x) {
  return m.velocity[solver.geometry().nodes.node_index(x)];
}

/// Largest |u_axis - exact| over all nodes, relative to the largest |exact|.
inline double largest_error(const fluvia::Solver& solver, int axis, const std::function<double(const Real3&)>& exact) {
  const fluvia::Moments m = scene::moments(solver);
  double error = 0, scale = 0;
  scene::for_each_fluid_node(solver.geometry().nodes, [&](const Int3& x, std::uint64_t n) {
    const double expected = exact({x[0] + 0.5, x[1] + 0.5, x[2] + 0.5});
    const double difference = std::abs(m.velocity[n][axis] - expected);
    error = std::isfinite(difference) ? std::max(error, difference) : INFINITY;
    scale = std::max(scale, std::abs(expected));
  });
  return error / scale;
}

}  // namespace physics_test
