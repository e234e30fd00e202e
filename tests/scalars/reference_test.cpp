// SPDX-License-Identifier: Apache-2.0
// The oracle for heat and species, beside exact solutions and published tables.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "reference/scalars/convection.hpp"

namespace reference::scalars {
namespace {

using Kind = Condition::Kind;

Condition value_of(double value) {
  return {Kind::value, [value](const Real3&) { return value; }};
}
Condition flux_of(double flux, int axis) {
  return {Kind::flux, [flux](const Real3&) { return flux; }, 0, axis};
}
Condition exchange_with(double outside, double coefficient, int axis) {
  return {Kind::exchange, [outside](const Real3&) { return outside; }, coefficient, axis};
}

/// Steps until nothing changes by more than the tolerance in 100 steps.
void settle(ScalarSolver& solver, double tolerance = 1e-13, int most = 200000) {
  std::vector<double> before(solver.cells());
  for (int t = 0; t < most; t += 100) {
    double change = 0;
    for (std::size_t n = 0; n < solver.cells(); ++n) {
      if (!solver.computes(n)) continue;
      change = std::max(change, std::abs(solver.scalar(n) - before[n]));
      before[n] = solver.scalar(n);
    }
    if (t > 0 && change < tolerance) return;
    for (int k = 0; k < 100; ++k) solver.step();
  }
  ADD_FAILURE() << "the scalar has not settled";
}

class OnScalarLattice : public ::testing::TestWithParam<std::string> {
 protected:
  /// A gap of `cells` along an axis between two faces, periodic otherwise.
  [[nodiscard]] static ScalarScene gap(int cells, int axis = 1) {
    ScalarScene scene;
    scene.physics.lattice = GetParam();
    scene.size = {2, 2, GetParam()[1] == '3' ? 2 : 1};
    scene.size[axis] = cells;
    scene.periodic[axis] = false;
    return scene;
  }
};
INSTANTIATE_TEST_SUITE_P(Scalars, OnScalarLattice, ::testing::Values("D2Q5", "D2Q9", "D3Q7", "D3Q15", "D3Q19", "D3Q27"),
                         [](const auto& info) { return info.param; });

/// Values, fluxes and exchange act half-way, or at the distance that they have: a linear profile is exact.
TEST_P(OnScalarLattice, ConductionBetweenPlatesIsExact) {
  for (const auto& [diffusivity, axis] : {std::pair{0.02, 0}, std::pair{0.3, 1}})
    for (const double q : {0.0001, 0.2, 0.5, 0.9, 1.0})
      for (const Condition& lower : {value_of(1), flux_of(0.01, axis), exchange_with(3, 0.05, axis)}) {
        const int cells = 6;
        ScalarScene scene = gap(cells, axis);
        scene.physics.diffusivity = diffusivity;
        scene.condition = [&, axis = axis](const Int3&, const Int3& c) { return c[axis] < 0 ? lower : value_of(2); };
        scene.distance = [&](const Int3&, const Int3&) { return q; };
        const double below = lower.kind == Kind::value ? 0.5 - q : 0, above = cells - 0.5 + q;
        double slope = (2 - 1) / (above - below);
        if (lower.kind == Kind::flux) slope = -0.01 / diffusivity;
        if (lower.kind == Kind::exchange) slope = 0.05 * (2 - 3) / (diffusivity + 0.05 * above);
        ScalarSolver solver(scene);
        for (std::size_t n = 0; n < solver.cells(); ++n) solver.set(n, 1.5);
        settle(solver);
        for (std::size_t n = 0; n < solver.cells(); ++n)
          EXPECT_NEAR(solver.scalar(n), 2 + slope * (solver.cell(n)[axis] + 0.5 - above), 1e-9)
              << diffusivity << " " << q;
      }
}

/// A profile that is linear along a flow through both faces: the source that it takes is u times its slope.
TEST_P(OnScalarLattice, ProfilesThatAreCarriedThroughFacesAreExact) {
  for (const double diffusivity : {0.02, 0.3}) {
    const int cells = 8;
    ScalarScene scene = gap(cells, 0);
    const double speed = 0.05, slope = 0.3;
    scene.physics.diffusivity = diffusivity;
    scene.velocity = [=](const Int3&) { return Real3{speed, 0, 0}; };
    scene.source = [=](const Int3&) { return speed * slope; };
    scene.condition = [=](const Int3&, const Int3& c) {
      return Condition{Kind::inflow, [=](const Real3&) { return c[0] < 0 ? 1.0 : 1 + slope * cells; }};
    };
    ScalarSolver solver(scene);
    for (std::size_t n = 0; n < solver.cells(); ++n) solver.set(n, 1.5);
    settle(solver);
    for (std::size_t n = 0; n < solver.cells(); ++n)
      EXPECT_NEAR(solver.scalar(n), 1 + slope * (solver.cell(n)[0] + 0.5), 1e-9) << diffusivity;
  }
}

/// Walls that are planes at an angle: the profile is linear along their normal, whatever their distances.
TEST_P(OnScalarLattice, SlantedPlatesAreExact) {
  const bool flat = GetParam()[1] == '2';
  ScalarScene scene;
  scene.physics.lattice = GetParam();
  scene.physics.diffusivity = 0.15;
  scene.size = {8, 18, flat ? 1 : 4};
  scene.periodic = {false, false, true};
  const Real3 normal{-0.3, 1, 0};
  const auto height = [&](const Real3& x) { return fluvia::dot(normal, x); };
  const double low = 1.2, high = 14.3;
  const auto centre = [](const Int3& c) { return Real3{c[0] + 0.5, c[1] + 0.5, c[2] + 0.5}; };
  scene.solid = [=](const Int3& c) { return height(centre(c)) < low || height(centre(c)) > high; };
  scene.distance = [=](const Int3& cell, const Int3& c) {
    const double here = height(centre(cell)), change = height({1.0 * c[0], 1.0 * c[1], 1.0 * c[2]});
    const double q = change < 0 ? (low - here) / change : change > 0 ? (high - here) / change : 2;
    return q <= 1 ? q : 0.5;  // else the link is cut by a face of the box
  };
  scene.condition = [=](const Int3&, const Int3&) {
    return Condition{Kind::value, [=](const Real3& x) { return height(x); }};
  };
  ScalarSolver solver(scene);
  for (std::size_t n = 0; n < solver.cells(); ++n) solver.set(n, 5);
  settle(solver);
  for (std::size_t n = 0; n < solver.cells(); ++n) {
    if (!solver.computes(n)) continue;
    EXPECT_NEAR(solver.scalar(n), height(centre(solver.cell(n))), 1e-9);
  }
}

/// Two solids in series, the fluid between them at rest: temperature and flux go on without a jump, wherever on the
/// links the joints are.
TEST_P(OnScalarLattice, SolidsInSeriesAreExact) {
  for (const auto& [ratio, q] : {std::pair{0.2, 0.5}, {1.0, 0.5}, {5.0, 0.5}, {0.2, 0.001}, {5.0, 0.3}, {3.0, 1.0}}) {
    ScalarScene scene = gap(12);
    scene.physics.diffusivity = 0.1;
    scene.physics.solid_diffusivity = 0.25;
    scene.physics.capacity_ratio = ratio;
    scene.solid = [](const Int3& c) { return c[1] < 4 || c[1] >= 9; };
    scene.condition = [](const Int3&, const Int3& c) { return value_of(c[1] < 0 ? 0 : 1); };
    scene.distance = [q = q](const Int3& cell, const Int3&) { return cell[1] == 0 || cell[1] == 11 ? 0.5 : q; };
    ScalarSolver solver(scene);
    for (std::size_t n = 0; n < solver.cells(); ++n) solver.set(n, 0.5);
    settle(solver);
    const double resistance_fluid = 1 / 0.1, resistance_solid = 1 / (0.25 * ratio), low = 4.5 - q, high = 8.5 + q,
                 flux = 1 / ((12 - high + low) * resistance_solid + (high - low) * resistance_fluid);
    for (std::size_t n = 0; n < solver.cells(); ++n) {
      const double y = solver.cell(n)[1] + 0.5;
      const double solid = std::min(y, low) + std::max(y - high, 0.0), fluid = std::clamp(y - low, 0.0, high - low);
      EXPECT_NEAR(solver.scalar(n), flux * (solid * resistance_solid + fluid * resistance_fluid), 1e-10)
          << ratio << " " << q;
    }
  }
}

/// Joints anywhere between a fluid and a solid much like it or unlike it: whatever the populations are, nothing grows,
/// and nothing is lost.
TEST_P(OnScalarLattice, JointsAnywhereLoseAndBlowUpNothing) {
  for (const double ratio : {0.01, 1.0, 100.0})
    for (const auto& [fluid, solid] : {std::pair{0.002, 0.002}, {0.002, 2.0}, {2.0, 3.0}})
      for (const double q : {0.004, 0.3, 1.0}) {
        ScalarScene scene = gap(6);
        scene.physics.diffusivity = fluid;
        scene.physics.solid_diffusivity = solid;
        scene.physics.capacity_ratio = ratio;
        scene.size[0] = 6;
        scene.solid = [](const Int3& c) { return c[1] % 3 == 2 || (c[0] == 1 && c[1] > 2); };
        scene.distance = [q = q](const Int3&, const Int3&) { return q; };
        ScalarSolver solver(scene);
        for (std::size_t n = 0; n < solver.cells(); ++n)
          solver.set(n, n % 2 == 0 ? 1 : -1, {n % 3 == 0 ? 0.5 : -0.5, n % 5 == 0 ? 0.5 : -0.5, 0});
        const double total = solver.total();
        for (int t = 0; t < 300; ++t) solver.step();
        double most = 0;
        for (std::size_t n = 0; n < solver.cells(); ++n) most = std::max(most, std::abs(solver.scalar(n)));
        EXPECT_LT(most, 6) << ratio << " " << fluid << " " << solid << " " << q;
        EXPECT_NEAR(solver.total(), total, 1e-10 * (1 + ratio) * static_cast<double>(solver.cells()));
      }
}

/// Walls without flux, solids that conduct, a flow that turns: nothing is lost, and sources give what they say.
TEST_P(OnScalarLattice, NothingIsLost) {
  const bool flat = GetParam()[1] == '2';
  ScalarScene scene;
  scene.physics.lattice = GetParam();
  scene.physics.solid_diffusivity = 0.3;
  scene.physics.capacity_ratio = 2.5;
  scene.size = {8, 8, flat ? 1 : 6};
  scene.periodic = {false, true, true};
  scene.solid = [](const Int3& c) { return c[0] < 3 && c[1] > 4; };
  scene.velocity = [](const Int3& c) { return Real3{0.05 * std::sin(c[1] + 0.3), 0.04 * std::cos(c[0]), 0.03}; };
  double strength = 0;
  scene.source = [&](const Int3& c) { return c[0] == 5 ? strength : 0; };
  ScalarSolver solver(scene);
  for (std::size_t n = 0; n < solver.cells(); ++n) solver.set(n, 1 + 0.1 * static_cast<double>(n % 7));
  const double total = solver.total();
  for (int t = 0; t < 50; ++t) solver.step();
  EXPECT_NEAR(solver.total() / total, 1, 1e-13);
  strength = 1e-3;
  const double before = solver.total();
  for (int t = 0; t < 50; ++t) solver.step();
  EXPECT_NEAR((solver.total() - before) / (50 * strength * 8 * scene.size[2]), 1, 1e-11);
}

/// A Gaussian that a flow carries at an angle while it spreads: second order, fourfold fewer errors at half the
/// spacing.
TEST_P(OnScalarLattice, CarriedGaussiansAreOfSecondOrder) {
  const auto error = [&](int size) {
    ScalarScene scene;
    scene.physics.lattice = GetParam();
    scene.physics.diffusivity = 0.05;
    scene.size = {size, size, 1};
    const double speed = 0.02 * 32 / size, width = size / 10.0, steps = 200.0 * size * size / 1024;
    scene.velocity = [=](const Int3&) { return Real3{speed, 0.6 * speed, 0}; };
    const auto exact = [&](const Int3& c, double t) {
      const double spread = width * width + 2 * scene.physics.diffusivity * t;
      double sum = 0;
      for (int a = -2; a <= 2; ++a)
        for (int b = -2; b <= 2; ++b)
          sum += std::exp(-(std::pow(c[0] - size / 2.0 - speed * t + a * size, 2) +
                            std::pow(c[1] - size / 2.0 - 0.6 * speed * t + b * size, 2)) /
                          (2 * spread));
      return sum * width * width / spread;
    };
    ScalarSolver solver(scene);
    for (std::size_t n = 0; n < solver.cells(); ++n) {
      const Int3 c = solver.cell(n);
      const auto at = [&](int dx, int dy) { return exact({c[0] + dx, c[1] + dy, 0}, 0); };
      solver.set(n, at(0, 0), {(at(1, 0) - at(-1, 0)) / 2, (at(0, 1) - at(0, -1)) / 2, 0});
    }
    for (int t = 0; t < static_cast<int>(steps); ++t) solver.step();
    double off = 0, scale = 0;
    for (std::size_t n = 0; n < solver.cells(); ++n) {
      const double expected = exact(solver.cell(n), static_cast<int>(steps));
      off += std::pow(solver.scalar(n) - expected, 2);
      scale += expected * expected;
    }
    return std::sqrt(off / scale);
  };
  const double coarse = error(24), fine = error(48);
  EXPECT_GT(std::log2(coarse / fine), 1.95);
}

/// Part of the link from a cell along c after which it meets a circle about (middle, middle).
double way_to_circle(const Int3& cell, const Int3& c, double middle, double radius) {
  const double x = cell[0] + 0.5 - middle, y = cell[1] + 0.5 - middle, length = c[0] * c[0] + c[1] * c[1],
               along = (x * c[0] + y * c[1]) / length, beyond = (x * x + y * y - radius * radius) / length;
  const double root = std::sqrt(along * along - beyond);
  return beyond < 0 ? root - along : -root - along;
}

/// The error, L2, between two cylinders that keep 1 and 0, with a ring of solid about the inner one if it has any.
double error_between_cylinders(const std::string& lattice, int size, double solid_diffusivity) {
  ScalarScene scene;
  scene.physics.lattice = lattice;
  scene.physics.solid_diffusivity = solid_diffusivity;
  scene.physics.capacity_ratio = 3;
  scene.size = {size, size, 1};
  scene.periodic = {false, false, true};
  const double inner = 0.15 * size, outer = 0.46 * size, middle = 0.5 * size + 0.13,
               between = solid_diffusivity > 0 ? 0.3 * size : inner;
  const auto radius = [=](const Int3& c) { return std::hypot(c[0] + 0.5 - middle, c[1] + 0.5 - middle); };
  scene.solid = [=](const Int3& c) { return radius(c) < between || radius(c) > outer; };
  scene.material = [=](const Int3& c) {
    return radius(c) > inner && radius(c) < between ? Material{solid_diffusivity, 3} : Material{};
  };
  scene.distance = [=](const Int3& cell, const Int3& c) {
    const double here = radius(cell), there = radius({cell[0] + c[0], cell[1] + c[1], cell[2]});
    const double cut = there < inner ? inner : there > outer ? outer : between;
    return way_to_circle(cell, c, middle, here < between && there > between ? between : cut);
  };
  scene.condition = [=](const Int3& cell, const Int3&) { return value_of(radius(cell) < (inner + outer) / 2 ? 1 : 0); };
  ScalarSolver solver(scene);
  const double conductivity = solid_diffusivity > 0 ? 3 * solid_diffusivity / 0.1 : 1,
               flux = 1 / (std::log(outer / between) + std::log(between / inner) / conductivity);
  const auto exact = [&](std::size_t n) {
    const double r = radius(solver.cell(n));
    return r > between ? flux * std::log(outer / r) : 1 - flux * std::log(r / inner) / conductivity;
  };
  for (std::size_t n = 0; n < solver.cells(); ++n) solver.set(n, exact(n));
  settle(solver, 1e-9);
  double off = 0, scale = 0;
  for (std::size_t n = 0; n < solver.cells(); ++n) {
    if (!solver.computes(n)) continue;
    off += std::pow(solver.scalar(n) - exact(n), 2);
    scale += std::pow(exact(n), 2);
  }
  return std::sqrt(off / scale);
}

/// Cells with any volumes and any open parts of their faces, and a flow along prisms of such cells: whatever the
/// populations are, nothing grows without end, and nothing is lost.
TEST_P(OnScalarLattice, FacesOfAnySizeLoseAndBlowUpNothing) {
  for (const double diffusivity : {0.0005, 0.01, 0.2, 3.0})
    for (const double speed : {0.0, 0.05}) {
      ScalarScene scene = gap(7);
      scene.size[0] = 8;
      scene.physics.diffusivity = diffusivity;
      const auto number = [](int a, int b, int c) { return (a * 29 + b * 53 + c * 71 + a * b * 13) % 97 / 96.0; };
      const bool flows = speed > 0;
      scene.volume = [&](const Int3& x) { return 0.125 + 1.4 * number(flows ? 0 : 2 * x[0], 2 * x[1], 2 * x[2]); };
      scene.face = [&](const Int3& x, const Int3& c) {  // the same from both sides
        int at[3];
        for (int a = 0; a < 3; ++a) at[a] = (2 * x[a] + c[a] + 2 * scene.size[a]) % (2 * scene.size[a]);
        if (flows && c[0] != 0) return scene.volume(x);
        return 0.03 + 1.5 * number(at[0], at[1], at[2]);
      };
      scene.velocity = [=](const Int3& x) { return Real3{speed * std::sin(x[1] + 0.5), 0, 0}; };
      ScalarSolver solver(scene);
      for (std::size_t n = 0; n < solver.cells(); ++n)
        solver.set(n, n % 2 == 0 ? 1 : -1, {n % 3 == 0 ? 0.5 : -0.5, n % 5 == 0 ? 0.5 : -0.5, 0});
      const double total = solver.total();
      for (int t = 0; t < 1000; ++t) solver.step();
      double most = 0;
      for (std::size_t n = 0; n < solver.cells(); ++n) most = std::max(most, std::abs(solver.scalar(n)));
      EXPECT_LT(most, 4) << diffusivity << " " << speed;
      EXPECT_NEAR(solver.total(), total, 1e-10 * static_cast<double>(solver.cells()));
    }
}

/// What passes a face in a steady state is D area times the difference of both cells, to the last digit, whatever the
/// volumes are and whatever else passes the cells.
TEST_P(OnScalarLattice, FacesLetPassWhatTheirAreaSays) {
  if (GetParam() != "D2Q5" && GetParam() != "D3Q7") return;  // others have links through edges as well
  ScalarScene scene = gap(6);
  scene.size[0] = 1;
  const double volumes[] = {1, 1, 0.4, 1.3, 0.7, 1}, faces[] = {1, 0.9, 0.8, 0.35, 0.7};
  scene.volume = [&](const Int3& x) { return volumes[x[1]]; };
  scene.face = [&](const Int3& x, const Int3& c) { return c[1] == 0 ? 1 : faces[std::min(x[1], x[1] + c[1])]; };
  scene.source = [](const Int3& x) { return x[1] == 0 ? 2e-3 : x[1] == 5 ? -2e-3 : 0; };
  ScalarSolver solver(scene);
  for (std::size_t n = 0; n < solver.cells(); ++n) solver.set(n, 1);
  settle(solver);
  for (int y = 1; y < 4; ++y)  // a source moves what its own cell says
    EXPECT_NEAR((solver.scalar(solver.index({0, y, 0})) - solver.scalar(solver.index({0, y + 1, 0}))) * faces[y] * 0.1,
                2e-3, 1e-9);
}

/// Between two cylinders T goes with the logarithm of the radius: second order with values where the walls are.
TEST(Scalars, BetweenCylindersIsOfSecondOrder) {
  for (const char* lattice : {"D2Q5", "D2Q9"}) {
    const double coarse = error_between_cylinders(lattice, 20, 0), fine = error_between_cylinders(lattice, 40, 0);
    EXPECT_GT(std::log2(coarse / fine), 1.7) << lattice;
  }
}

/// The same order with a ring of another material, whose joint with the fluid cuts links anywhere.
TEST(Scalars, AnnulusOfTwoMaterialsIsOfSecondOrder) {
  for (const char* lattice : {"D2Q5", "D2Q9"}) {
    const double coarse = error_between_cylinders(lattice, 20, 0.25), fine = error_between_cylinders(lattice, 40, 0.25);
    EXPECT_GT(std::log2(coarse / fine), 1.8) << lattice;
  }
}

/// The heated cavity of De Vahl Davis (1983), Pr = 0.71: mean Nusselt number of the hot wall.
TEST(Scalars, HeatedCavityHasThePublishedNusseltNumber) {
  const auto nusselt = [](double rayleigh, int size) {
    ConvectionScene scene;
    const double prandtl = 0.71, speed = 0.1;  // sqrt(g beta dT H)
    scene.viscosity = speed * size * std::sqrt(prandtl / rayleigh);
    scene.buoyancy = {0, speed * speed / size, 0};
    scene.scalar.physics.diffusivity = scene.viscosity / prandtl;
    scene.scalar.size = {size, size, 1};
    scene.scalar.periodic = {false, false, true};
    scene.scalar.condition = [](const Int3&, const Int3& c) {
      return c[0] == 0 ? flux_of(0, 1) : value_of(c[0] < 0 ? 0.5 : -0.5);
    };
    Convection cavity(scene);
    double last = 0, found = 0;
    do {
      last = found;
      for (int t = 0; t < 20 * size; ++t) cavity.step();
      double flux = 0;  // through the hot wall, from the wall's own value half a cell away
      for (int y = 0; y < size; ++y) {
        const double first = cavity.scalar().scalar(cavity.scalar().index({0, y, 0})),
                     second = cavity.scalar().scalar(cavity.scalar().index({1, y, 0}));
        flux += (8 * 0.5 - 9 * first + second) / 3;
      }
      found = flux;
    } while (std::abs(found - last) > 1e-5 * found);
    return found;
  };
  EXPECT_NEAR(nusselt(1e3, 24) / 1.118, 1, 0.01);
  EXPECT_NEAR(nusselt(1e4, 32) / 2.243, 1, 0.01);
}

}  // namespace
}  // namespace reference::scalars
