// SPDX-License-Identifier: Apache-2.0
// Emulated kernels against the solver of a CPU.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>

#include "cuda/emulation/emulated.hpp"

namespace emulation {

/// Sums over some hundred links, whose order differs.
template <class Gpu>
void compare_forces(const scene::Scene& s, const fluvia::Solver& cpu, const Gpu& gpu) {
  const fluvia::Real3 center = {3.3, -1.2, 0.7};
  for (const std::string& name : s.monitored) {
    const auto& names = cpu.geometry().surfaces;
    const int surface = static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
    const fluvia::SurfaceForce expected = cpu.surface_force(surface, center);
    const fluvia::SurfaceForce found = gpu.measure(surface, center).first;
    for (int a = 0; a < 3; ++a) {
      ASSERT_NEAR(found.force[a], expected.force[a], 1e-12) << name;
      ASSERT_NEAR(found.torque[a], expected.torque[a], 1e-10) << name;
    }
  }
  for (std::size_t k = 0; k < s.openings.size(); ++k)
    ASSERT_NEAR(gpu.measure(s.openings[k].surface, center).second, cpu.opening_flow(static_cast<int>(k)).flow_rate,
                1e-12);
}

template <class Spec>
void compare(const scene::Scene& s, double tolerance, double tau = reference::Physics{}.tau) {
  SCOPED_TRACE(testing::Message() << s.name << ' ' << Spec::Lattice::name << ' ' << Spec::scheme.name << ' '
                                  << Spec::tile);
  using Stored = typename Spec::Format::Storage;
  reference::Physics physics;
  physics.lattice = Spec::Lattice::name;
  physics.collision = Spec::Collision::name;
  physics.equilibrium = Spec::Equilibrium::name;
  physics.tau = tau;
  const bool rounds = sizeof(Stored) == 2;
  const char* const rounding = !rounds ? "auto" : Spec::stochastic ? "stochastic" : "nearest";
  const char* const cpu_scheme = Spec::scheme.half ? "fcc" : "pull";
  const auto cpu = scene::make_solver(s, {physics, cpu_scheme, Spec::Format::name, 1, "cpu", 0, 0, rounding});
  Emulated<Spec> gpu(s, {physics, Spec::scheme.name, Spec::Format::name, 1, "cuda", Spec::tile, 0, rounding});
  const fluvia::NodeMap& nodes = cpu->geometry().nodes;
  std::vector<Stored> expected(nodes.fluid_nodes), found(nodes.fluid_nodes);
  for (int i = 0; i < Spec::Lattice::Q; ++i) {
    cpu->save({fluvia::flow_populations, i, 0, nodes.tiles.size()}, std::as_writable_bytes(std::span(expected)));
    gpu.exchange(i, expected, true);
  }
  for (int k = 0; k < 5; ++k) {
    gpu.set_profile_time(k);
    gpu.step();
    cpu->set_profile_time(k);
    cpu->step(1);
  }
  for (int k = 0; Spec::steps > 1 && !Spec::stochastic && k < 3; ++k) {  // which round less often
    gpu.pass();
    cpu->step(Spec::steps);
  }
  gpu.keep();
  gpu.step();
  std::uint64_t other_bits = 0;
  for (int i = 0; i < Spec::Lattice::Q; ++i) {
    cpu->save({fluvia::flow_populations, i, 0, nodes.tiles.size()}, std::as_writable_bytes(std::span(expected)));
    gpu.exchange(i, found, false);
    for (std::size_t n = 0; n < found.size(); ++n) {
      other_bits += found[n] != expected[n];
      ASSERT_NEAR(Spec::Format::decode(found[n]), Spec::Format::decode(expected[n]), tolerance)
          << "direction " << i << " node " << n;
    }
  }
  // A sum in another order tips a rounding now and then; other random bits would tip half of them.
  if (Spec::stochastic && s.conditions.empty()) {
    ASSERT_LE(other_bits, found.size() * Spec::Lattice::Q / 50);
  }
  if constexpr (std::is_same_v<typename Spec::Format, core::Fp64>) compare_forces(s, *cpu, gpu);
}

}  // namespace emulation
