// SPDX-License-Identifier: Apache-2.0
// Laminar flow along a straight square duct has no velocity across it, whatever the Reynolds number. What a lattice
// makes of that tells how isotropic it is: the equilibrium of second order on D3Q19 has fourth moments <c_x^2 c_y^2>
// that lack rho u_z^2 / 6, which drives eight vortices in the corners, as turbulence does in a real duct.
#include <cstdio>

#include "physics/support.hpp"

namespace physics_test {
namespace {

constexpr double bulk_speed = 0.05;

struct Duct {
  int width = 16;         ///< nodes
  double reynolds = 100;  ///< bulk speed, width
  double angle = 0;       ///< of turning about its axis, degrees; else its walls are half-way between the nodes
};

/// The largest speed across the duct over the bulk speed, when the flow has settled.
double speed_across(const Duct& duct, const std::string& lattice, const std::string& collision,
                    const std::string& equilibrium) {
  const double turn = duct.angle * std::numbers::pi / 180, c = std::cos(turn), s = std::sin(turn);
  const double half = 0.5 * duct.width, viscosity = bulk_speed * duct.width / duct.reynolds;
  const int nodes = duct.angle == 0 ? duct.width : static_cast<int>(std::ceil(2 * half * (c + s))) + 3;
  // Along the duct's own sides, from its middle; turned, that lies off the symmetry of the nodes.
  const double shift = duct.angle == 0 ? 0 : 0.13;
  const auto across = [=](double x, double y) {
    x -= 0.5 * nodes + shift;
    y -= 0.5 * nodes + 1.7 * shift;
    return std::pair(c * x + s * y, c * y - s * x);
  };
  const auto room = [=](const Int3& x) {
    const auto [p, q] = across(x[0] + 0.5, x[1] + 0.5);
    return half - std::max(std::abs(p), std::abs(q));
  };
  scene::Scene scene = box(3, {nodes, nodes, 3}, {false, false, true});
  if (duct.angle != 0) {
    scene.solid = [=](const Int3& x) { return room(x) <= 0; };
    scene.distance_of = [=](const Int3& x, const Int3& offset) {
      const auto [p, q] = across(x[0] + 0.5, x[1] + 0.5);
      const double dp = c * offset[0] + s * offset[1], dq = c * offset[1] - s * offset[0];
      double part = 1;
      if (dp != 0) part = std::min(part, (half - (dp > 0 ? p : -p)) / std::abs(dp));
      if (dq != 0) part = std::min(part, (half - (dq > 0 ? q : -q)) / std::abs(dq));
      return part;
    };
  }
  scene.force[2] = bulk_speed * viscosity / (0.035144 * duct.width * duct.width);  // of the series for a square duct
  scene.initial = [=](const Int3& x) {
    const auto [p, q] = across(x[0] + 0.5, x[1] + 0.5);
    reference::NodeState state;
    state.velocity[2] = 2.25 * bulk_speed * (1 - p * p / (half * half)) * (1 - q * q / (half * half));
    return state;
  };
  const auto solver = scene::make_solver(scene, options(lattice, collision, 3 * viscosity + 0.5, equilibrium));
  solver->step(2 * static_cast<int>(0.15 * duct.width * duct.width / viscosity));
  const fluvia::Moments m = scene::moments(*solver);
  double largest = 0;
  scene::for_each_fluid_node(solver->geometry().nodes, [&](const Int3&, std::uint64_t n) {
    const double speed = std::hypot(m.velocity[n][0], m.velocity[n][1]);
    largest = std::isfinite(speed) ? std::max(largest, speed) : INFINITY;
  });
  return largest / bulk_speed;
}

/// The improved equilibrium has the missing moment, and D3Q27 has it by itself. Measured: 2.9e-3 and 1e-7 with
/// `bgk`, 1.8e-3 and 3.4e-4 with `mrt` (docs/validation/isotropy.md).
TEST(Isotropy, NothingFlowsAcrossAStraightDuct) {
  const Duct duct{12, 50, 0};
  for (const std::string collision : {"bgk", "mrt"}) {
    SCOPED_TRACE(collision);
    const double standard = speed_across(duct, "D3Q19", collision, "quasi-compressible");
    EXPECT_GT(standard, 1e-3) << "what the equilibrium of second order does";
    EXPECT_LT(speed_across(duct, "D3Q19", collision, "improved"), 0.3 * standard);
  }
  EXPECT_LT(speed_across(duct, "D3Q27", "bgk", "quasi-compressible"), 1e-5);
}

/// Makes the tables of docs/validation/isotropy.md; some minutes.
TEST(Isotropy, DISABLED_Table) {
  const std::pair<const char*, std::vector<const char*>> rows[] = {
      {"D3Q19", {"bgk", "trt", "mrt", "regularized", "recursive-regularized"}}, {"D3Q27", {"bgk", "cumulant"}}};
  std::printf(
      "| duct | Re | nodes across | lattice, collision | standard | improved | ratio "
      "|\n|---|---|---|---|---|---|---|\n");
  for (const Duct& duct : {Duct{16, 100, 0}, Duct{24, 100, 0}, Duct{16, 200, 0}, Duct{16, 100, 30}})
    for (const auto& [lattice, collisions] : rows)
      for (const char* collision : collisions) {
        if (duct.width == 24 && std::string(collision) != "bgk" && std::string(collision) != "mrt") continue;
        const double standard = speed_across(duct, lattice, collision, "quasi-compressible");
        std::printf("| %s | %g | %d | %s, `%s` | %.2g | ", duct.angle == 0 ? "along the lattice" : "turned by 30°",
                    duct.reynolds, duct.width, lattice, collision, standard);
        if (std::string(lattice) == "D3Q19") {
          const double improved = speed_across(duct, lattice, collision, "improved");
          std::printf("%.2g | %.2g |\n", improved, improved / standard);
        } else {
          std::printf("– | – |\n");
        }
        std::fflush(stdout);
      }
}

}  // namespace
}  // namespace physics_test
