// SPDX-License-Identifier: Apache-2.0
// Mass is conserved to round-off over 10^4 steps.
#include "fluvia/case/physics/registered_physics.hpp"
#include "physics/support.hpp"
#include "reference/scenes.hpp"
#include "support/covering.hpp"

namespace physics_test {
namespace {

constexpr int steps = 10000;

/// Change of the mean density over 10^4 steps.
double drift(const scene::Scene& s, const std::string& lattice, const std::string& format) {
  auto o = options(lattice, lattice == "D3Q13" ? "mrt" : "trt", 0.7);
  o.format = format;
  o.scheme = "compact-aa";
  const auto solver = scene::make_solver(s, o);
  const double before = solver->totals().mass;
  solver->step(steps);
  const fluvia::Totals after = solver->totals();
  EXPECT_TRUE(after.finite);
  EXPECT_GT(after.max_speed, 1e-3) << "something still flows";
  return std::abs(after.mass - before) / static_cast<double>(solver->geometry().nodes.fluid_nodes);
}

/// A closed box with a lid, solid nodes and a force; and a periodic porous one between walls, driven by a force.
std::vector<scene::Scene> scenes(int dimension) {
  scene::Scene cavity = scene::cavity(dimension == 2 ? Int3{37, 21, 1} : Int3{13, 11, 9});
  cavity.conditions.resize(1);
  cavity.force = {1e-5, 0, 0};
  scene::Scene porous = scene::porous(dimension == 2 ? Int3{66, 13, 1} : Int3{19, 7, 9});
  porous.force = {1e-3, 0, 0};
  return {cavity, porous};
}

/// What the mean density may change by. A node's mass changes by the rounding of Q sums of deviations, at most some
/// 0.03 * 1e-16 each in double precision; 10^4 steps of one sign would add up to 5e-13, and they have none. The error
/// of a step in single precision is 2e9 times that: 1e-9 a step, 1e-5 if all had one sign; without a preferred sign
/// sqrt(10^4 / nodes) of one step's error remains.
double most_drift(const std::string& format) {
  return format == "fp64" ? 1e-14 : 3e-6;
}

TEST(Mass, StaysWhatItIs) {
  for (const auto& [lattice, number, format] :
       fluvia::test::covering(fluvia::test::all_allowed, fluvia::lattice_names(), std::vector<std::size_t>{0, 1},
                              std::vector<std::string>{"fp64", "fp32"})) {
    const scene::Scene s = scenes(lattice[1] - '0')[number];
    SCOPED_TRACE(testing::Message() << lattice << ' ' << s.name << ' ' << format);
    EXPECT_LT(drift(s, lattice, format), most_drift(format));
  }
}

}  // namespace
}  // namespace physics_test
