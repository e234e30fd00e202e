// SPDX-License-Identifier: Apache-2.0
// A uniform stream of thin fluid, disturbed: what is short dies out, as viscosity wants it.
#include "fluvia/solver/plan/collision_choice.hpp"
#include "physics/support.hpp"

namespace physics_test {
namespace {

/// On every lattice, with the collision that `auto` takes there, at a Reynolds number of 60 a node. `mrt` on D3Q19 let
/// waves along (1, 1, 1) grow until they had half of the energy of the stream, when moments beyond the stress relaxed
/// at rates of 1 (docs/decisions/0015-the-default-collision.md).
TEST(Stream, LetsDisturbancesDieOut) {
  const double speed = 0.06, tau = 0.503;
  for (const std::string& lattice : fluvia::lattice_names()) {
    if (lattice == "D3Q13") continue;  // on which some grow from a Reynolds number of 40 a node on, whatever the rates
    const std::string collision = fluvia::choose_collision(lattice, "quasi-compressible", tau, speed).collision;
    SCOPED_TRACE(lattice + " " + collision);
    const bool flat = lattice[1] == '2';
    scene::Scene s = box(flat ? 2 : 3, {24, 16, flat ? 1 : 16}, {true, true, true});
    const double x = 2 * std::numbers::pi / 6, y = 2 * std::numbers::pi / 4;
    s.initial = [=](const Int3& n) {
      return reference::NodeState{
          1,
          {speed + 3e-3 * std::sin(y * n[1]) * std::cos(x * n[2]), 3e-3 * std::sin(y * n[0]) * std::cos(x * n[2]),
           flat ? 0 : 3e-3 * std::cos(0.8 * y * n[0]) * std::sin(0.5 * y * n[1])}};
    };
    const auto solver = scene::make_solver(s, options(lattice, collision, tau));
    const double of_stream = 0.5 * speed * speed * s.size[0] * s.size[1] * s.size[2];
    const auto energy = [&] { return solver->totals().kinetic_energy - of_stream; };
    double before = energy();
    for (int k = 0; k < 3; ++k) {
      solver->step(800);
      EXPECT_LT(energy(), 0.6 * before);
      before = energy();
    }
  }
}

}  // namespace
}  // namespace physics_test
