// SPDX-License-Identifier: Apache-2.0
// What a solver tells of its flow, to compare one with others to the last bit.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "reference/scenes.hpp"

namespace scene {

/// Everything that a solver tells of its flow.
struct Told {
  std::vector<std::byte> populations;
  fluvia::Moments moments;
  fluvia::Totals totals;
  std::vector<fluvia::SurfaceForce> forces;
  std::vector<fluvia::OpeningFlow> flows;
  std::vector<double> memory;
};

inline Told ask(const fluvia::Solver& solver, const Scene& s, int directions, const std::string& format) {
  Told told;
  told.populations = save(solver, directions, bytes_of(format));
  told.moments = moments(solver, true);
  told.totals = solver.totals();
  const auto surfaces = s.surfaces();
  for (const std::string& name : s.monitored)
    told.forces.push_back(solver.surface_force(
        static_cast<int>(std::find(surfaces.begin(), surfaces.end(), name) - surfaces.begin()), {1.5, 2.25, 0.5}));
  for (std::size_t k = 0; k < s.openings.size(); ++k) told.flows.push_back(solver.opening_flow(static_cast<int>(k)));
  told.memory = scene::save_kept(solver);
  return told;
}

inline void expect_same(const Told& a, const Told& b) {
  ASSERT_TRUE(a.populations == b.populations);
  ASSERT_TRUE(a.moments.density == b.moments.density);
  ASSERT_TRUE(a.moments.velocity == b.moments.velocity);
  ASSERT_TRUE(a.moments.stress == b.moments.stress);
  ASSERT_EQ(a.totals.mass, b.totals.mass);
  ASSERT_EQ(a.totals.momentum, b.totals.momentum);
  ASSERT_EQ(a.totals.kinetic_energy, b.totals.kinetic_energy);
  ASSERT_EQ(a.totals.max_speed, b.totals.max_speed);
  ASSERT_EQ(a.totals.max_speed_node, b.totals.max_speed_node);
  ASSERT_EQ(a.totals.finite, b.totals.finite);
  for (std::size_t k = 0; k < a.forces.size(); ++k) {
    ASSERT_EQ(a.forces[k].force, b.forces[k].force);
    ASSERT_EQ(a.forces[k].torque, b.forces[k].torque);
  }
  for (std::size_t k = 0; k < a.flows.size(); ++k) {
    ASSERT_EQ(a.flows[k].flow_rate, b.flows[k].flow_rate);
    ASSERT_EQ(a.flows[k].mean_pressure, b.flows[k].mean_pressure);
  }
  ASSERT_EQ(a.memory, b.memory);
}

}  // namespace scene
