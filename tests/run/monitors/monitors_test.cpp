// SPDX-License-Identifier: Apache-2.0
// Every number of a row and of the steady state's quantities, and the places of probes, with a solver whose numbers are
// known. Spacing, time step and density of these units are no powers of each other.
#include "fluvia/run/monitors/monitors.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "fluvia/run/checks/preflight.hpp"
#include "fluvia/run/monitors/signal_facts.hpp"
#include "output/fake_solver.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

constexpr double dx = 0.2, dt = 0.03, rho = 7;
constexpr Real3 origin{-1.5, 4.25, 10};

class KnownSolver : public FakeSolver {
 public:
  using FakeSolver::FakeSolver;
  Real3 about{};  ///< where a torque was last asked for
  mutable int forces_asked = 0, moments_asked = 0;
  void moments(std::uint64_t first, std::uint64_t count, bool with_stress, Moments& out) const override {
    ++moments_asked;
    FakeSolver::moments(first, count, with_stress, out);
  }
  std::vector<OpeningFlow> flows;
  Totals sums;
  [[nodiscard]] Totals result(const FlowTotals&) const override { return sums; }
  [[nodiscard]] OpeningFlow result(const FlowThroughOpening& what) const override {
    return flows.at(static_cast<std::size_t>(what.opening));
  }
  [[nodiscard]] SurfaceForce result(const ForceOnSurface& what) const override {
    const_cast<KnownSolver*>(this)->about = what.center;
    ++forces_asked;
    const double k = what.surface;
    return {{0.1 + k, -0.2 - k, 0.3 + 2 * k}, {0.01 + k, 0.02 - k, -0.03 - 2 * k}};
  }
};

Units units_of(bool si) {
  Units u;
  u.si = si;
  u.viscosity = 0.07;
  u.tau = 0.71;
  u.reference_velocity = 0.05;
  u.reference_length = 12;
  if (si) {
    u.spacing = dx;
    u.time_step = dt;
    u.density = rho;
  }
  return u;
}

class MonitorRows : public testing::Test {
 protected:
  static KnownSolver make(int dimension) {
    KnownSolver solver(dimension, {9, 8, dimension == 3 ? 7 : 1}, [](const Int3& n) { return n != Int3{2, 3, 0}; });
    solver.now = 40;
    solver.density = [](const Int3& n) { return 1 + 0.001 * n[0] + 0.0003 * n[1] - 0.0007 * n[2]; };
    solver.velocity = [](const Int3& n) { return Real3{0.01 * n[0], 0.02 - 0.001 * n[1], 0.003 * n[2] + 0.0004}; };
    solver.shape.openings = {{"x_min", 0, {}, {}, 0, {}}, {"vent", 7, {}, {}, 0, {}}, {"x_max", 1, {}, {}, 0, {}}};
    solver.shape.surfaces.emplace_back("vent");
    solver.flows = {{0.4, 0.002}, {-0.3, 0.0015}, {-0.1, -0.001}};
    solver.sums = {0.25, {5, -3, 2}, 1.75, 0.08, 3, true, 0};
    return solver;
  }
  /// Values of a row by their column.
  std::map<std::string, double> row(KnownSolver& solver, bool si, bool with_origin = true) {
    units_ = units_of(si);
    grid_ = grid_of(solver, si ? dx : 1, with_origin ? origin : Real3{});
    const Monitors monitors(case_, {solver, units_, grid_});
    const std::vector<double> values = monitors.sample(solver.sums, solver.flows);
    EXPECT_EQ(values.size(), monitors.columns().size());
    std::map<std::string, double> result;
    for (std::size_t k = 0; k < values.size(); ++k) result[monitors.columns()[k].title()] = values[k];
    EXPECT_EQ(result.size(), values.size()) << "two columns of one name";
    signals_.clear();
    for (const MonitorSignal& signal : monitors.signals()) signals_ += monitors.columns()[signal.column].title() + "; ";
    return result;
  }
  void expect(const std::map<std::string, double>& found, const std::map<std::string, double>& expected) {
    for (const auto& [column, value] : expected) {
      ASSERT_TRUE(found.contains(column)) << column;
      EXPECT_NEAR(found.at(column), value, 1e-12 * (1 + std::abs(value))) << column;
    }
    for (const auto& [column, value] : found) EXPECT_TRUE(expected.contains(column)) << column;
  }
  Case case_;
  Units units_;
  Grid grid_;
  std::string signals_;
};

constexpr double velocity = dx / dt, pressure = rho * velocity * velocity, third = 1.0 / 3;

TEST_F(MonitorRows, InSpaceAndSiUnits) {
  KnownSolver solver = make(3);
  case_.monitors.forces = {"y_max", "vent"};
  case_.monitors.reference_area = 0.6;
  case_.monitors.drag_axis = Real3{3, 4, 0};
  case_.monitors.lift_axis = Real3{0, 0, 2};
  case_.monitors.torque_center = Real3{-1.3, 4.35, 10.7};
  case_.monitors.permeability_axis = 0;
  case_.physics.acceleration = {0.9, 0, 0};
  // Nodes (5, 3, 6) and (0, 7, 1).
  case_.monitors.probes = {{"far", {-1.5 + 5.3 * dx, 4.25 + 3.9 * dx, 10 + 6.1 * dx}},
                           {"near", {-1.5 + 0.2 * dx, 4.25 + 7.1 * dx, 10 + 1.5 * dx}}};
  const double force = pressure * dx * dx, torque = force * dx;
  // 2 F / (u^2 A), with A in node areas.
  const double coefficient = 2 / (0.05 * 0.05 * 0.6 / (dx * dx)), twist = coefficient / 12;
  const double gradient = 0.9 * dt * dt / dx + (0.002 + 0.001) / 8;
  const double permeability = 0.07 * (5 / (9.0 * 8 * 7)) / gradient * dx * dx;
  std::map<std::string, double> expected = {{"time [s]", 40 * dt},
                                            {"kinetic_energy [lattice]", 1.75},
                                            {"max_velocity [m/s]", 0.08 * velocity},
                                            {"max_mach [-]", 0.08 * std::sqrt(3.0)},
                                            {"mass_deviation [lattice]", 0.25},
                                            {"flow_x_min [m3/s]", 0.4 * velocity * dx * dx},
                                            {"pressure_x_min [Pa]", 0.002 * pressure},
                                            {"flow_vent [m3/s]", -0.3 * velocity * dx * dx},
                                            {"pressure_vent [Pa]", 0.0015 * pressure},
                                            {"flow_x_max [m3/s]", -0.1 * velocity * dx * dx},
                                            {"pressure_x_max [Pa]", -0.001 * pressure},
                                            {"permeability [m2]", permeability},
                                            {"permeability [darcy]", permeability / 9.869233e-13},
                                            {"far_u [m/s]", 0.05 * velocity},
                                            {"far_v [m/s]", 0.017 * velocity},
                                            {"far_w [m/s]", 0.0184 * velocity},
                                            {"far_pressure [Pa]", third * (0.005 + 0.0009 - 0.0042) * pressure},
                                            {"near_u [m/s]", 0},
                                            {"near_v [m/s]", 0.013 * velocity},
                                            {"near_w [m/s]", 0.0034 * velocity},
                                            {"near_pressure [Pa]", third * (0.0021 - 0.0007) * pressure}};
  for (const int k : {3, 7}) {
    const std::string name = k == 3 ? "y_max" : "vent";
    const Real3 f{0.1 + k, -0.2 - k, 0.3 + 2 * k}, t{0.01 + k, 0.02 - k, -0.03 - 2 * k};
    for (int axis = 0; axis < 3; ++axis) {
      const std::string end = name + "_" + "xyz"[axis];
      expected["force_" + end + " [N]"] = f[axis] * force;
      expected["torque_" + end + " [N m]"] = t[axis] * torque;
      expected["coefficient_" + end + " [-]"] = f[axis] * coefficient;
      expected["C_m_" + end + " [-]"] = t[axis] * twist;
    }
    expected["C_d_" + name + " [-]"] = (0.6 * f[0] + 0.8 * f[1]) * coefficient;
    expected["C_l_" + name + " [-]"] = f[2] * coefficient;
  }
  expect(row(solver, true), expected);
  EXPECT_LT(norm(solver.about - Real3{1, 0.5, 3.5}), 1e-12);
  for (const char* signal : {"force_y_max_x [N]", "C_m_vent_z [-]", "far_u [m/s]", "near_pressure [Pa]",
                             "flow_vent [m3/s]", "pressure_x_max [Pa]", "permeability [m2]"})
    EXPECT_NE(signals_.find(signal), std::string::npos) << signal;
  for (const char* other : {"time", "max_velocity", "max_mach", "darcy", "mass"})
    EXPECT_EQ(signals_.find(other), std::string::npos) << other;
}

/// What the end of a run judges the columns by: speeds beside speeds, pressures beside pressures.
TEST_F(MonitorRows, SignalsSayWhatTheirColumnsAre) {
  KnownSolver solver = make(3);
  units_ = units_of(true);
  grid_ = grid_of(solver, dx, origin);
  case_.monitors.probes = {{"p", {-1.5 + 5.3 * dx, 4.25 + 3.9 * dx, 10 + 6.1 * dx}}};
  const Monitors monitors(case_, {solver, units_, grid_});
  using Kind = MonitorSignal::Kind;
  const std::map<std::string, std::tuple<Kind, std::string, int>> expected = {
      {"p_u [m/s]", {Kind::velocity, "p", 0}},
      {"p_v [m/s]", {Kind::velocity, "p", 1}},
      {"p_w [m/s]", {Kind::velocity, "p", 2}},
      {"p_pressure [Pa]", {Kind::pressure, "p", -1}},
      {"flow_vent [m3/s]", {Kind::flow_rate, "vent", -1}},
      {"pressure_vent [Pa]", {Kind::pressure, "vent", -1}}};
  std::size_t found = 0;
  for (const MonitorSignal& signal : monitors.signals()) {
    const auto place = expected.find(monitors.columns()[signal.column].title());
    if (place == expected.end()) continue;
    ++found;
    EXPECT_EQ(std::tuple(signal.kind, signal.subject, signal.axis), place->second) << place->first;
  }
  EXPECT_EQ(found, expected.size());
}

/// Files of runs that are resumed, and people who plot them, count on it.
TEST_F(MonitorRows, ColumnsComeInTheirOrder) {
  KnownSolver solver = make(2);
  units_ = units_of(true);
  grid_ = grid_of(solver, dx, origin);
  case_.monitors.forces = {"y_max"};
  case_.monitors.force_parts = {"integral", "exchange"};
  case_.monitors.reference_area = 0.6;
  case_.monitors.drag_axis = case_.monitors.lift_axis = Real3{1, 0, 0};
  case_.monitors.torque_center = Real3{};
  case_.monitors.permeability_axis = 0;
  case_.monitors.probes = {{"p", {origin[0] + 3.5 * dx, origin[1] + 3.5 * dx, 0}}};
  std::string titles;
  for (const std::string& title : Monitors(case_, {solver, units_, grid_}).titles()) titles += title + "; ";
  EXPECT_EQ(titles,
            "time [s]; kinetic_energy [lattice]; max_velocity [m/s]; max_mach [-]; mass_deviation [lattice]; "
            "force_y_max_x [N/m]; force_y_max_y [N/m]; torque_y_max_z [N]; "
            "coefficient_y_max_x [-]; coefficient_y_max_y [-]; C_d_y_max [-]; C_l_y_max [-]; C_m_y_max_z [-]; "
            "pressure_exchange_y_max_x [N/m]; pressure_exchange_y_max_y [N/m]; "
            "viscous_exchange_y_max_x [N/m]; viscous_exchange_y_max_y [N/m]; "
            "pressure_integral_y_max_x [N/m]; pressure_integral_y_max_y [N/m]; "
            "viscous_integral_y_max_x [N/m]; viscous_integral_y_max_y [N/m]; "
            "flow_x_min [m2/s]; pressure_x_min [Pa]; flow_vent [m2/s]; pressure_vent [Pa]; "
            "flow_x_max [m2/s]; pressure_x_max [Pa]; permeability [m2]; permeability [darcy]; "
            "p_u [m/s]; p_v [m/s]; p_pressure [Pa]; ");
}

TEST_F(MonitorRows, WhatColumnsShareIsComputedOnceForEachRow) {
  KnownSolver solver = make(3);
  units_ = units_of(true);
  grid_ = grid_of(solver, dx, origin);
  case_.monitors.forces = {"y_max", "vent"};
  case_.monitors.reference_area = 0.6;
  case_.monitors.drag_axis = Real3{1, 0, 0};
  case_.monitors.torque_center = Real3{};
  case_.monitors.probes = {{"p", {-1.5 + 5.3 * dx, 4.25 + 3.9 * dx, 10 + 6.1 * dx}}};
  const Monitors monitors(case_, {solver, units_, grid_});
  EXPECT_EQ(solver.forces_asked, 0);
  const std::vector<double> first = monitors.sample(solver.sums, solver.flows);
  EXPECT_EQ(solver.forces_asked, 2) << "of 26 columns";
  EXPECT_EQ(solver.moments_asked, 1) << "of 4 columns";
  solver.velocity = [](const Int3&) { return Real3{0.5, 0, 0}; };
  EXPECT_NE(monitors.sample(solver.sums, solver.flows), first) << "of another time";
  EXPECT_EQ(solver.forces_asked, 4);
}

TEST_F(MonitorRows, EachKindOfSignalHasItsFacts) {
  using Kind = MonitorSignal::Kind;
  const Units units = units_of(true);
  for (int k = 0; k <= static_cast<int>(Kind::velocity); ++k) {
    const SignalFacts& facts = facts_of(static_cast<Kind>(k));
    EXPECT_EQ(static_cast<int>(facts.kind), k);
    EXPECT_EQ(facts_of(facts.beside_kind).in_case_unit, facts.in_case_unit) << "they are compared";
    EXPECT_GE(facts.in_case_unit(units, facts.small(0.1), 3), 0) << k;
  }
  EXPECT_NEAR(facts_of(Kind::pressure).in_case_unit(units, 0.25, 3), 0.25 * pressure, 1e-12);
  EXPECT_NEAR(facts_of(Kind::force).in_case_unit(units, 0.25, 3), 0.25 * pressure * dx * dx, 1e-12);
}

TEST_F(MonitorRows, InThePlaneAndLatticeUnits) {
  KnownSolver solver = make(2);
  case_.monitors.forces = {"y_min"};
  case_.monitors.reference_area = 5;
  case_.monitors.torque_center = Real3{1, 2, 0};
  case_.monitors.openings = false;
  case_.monitors.probes = {{"p", {4.5, 6.5, 0}}};
  const double coefficient = 2 / (0.05 * 0.05 * 5);
  expect(row(solver, false, false), {{"time [lattice]", 40},
                                     {"kinetic_energy [lattice]", 1.75},
                                     {"max_velocity [lattice]", 0.08},
                                     {"max_mach [-]", 0.08 * std::sqrt(3.0)},
                                     {"mass_deviation [lattice]", 0.25},
                                     {"force_y_min_x [lattice]", 2.1},
                                     {"force_y_min_y [lattice]", -2.2},
                                     {"torque_y_min_z [lattice]", -4.03},
                                     {"coefficient_y_min_x [-]", 2.1 * coefficient},
                                     {"coefficient_y_min_y [-]", -2.2 * coefficient},
                                     {"C_m_y_min_z [-]", -4.03 * coefficient / 12},
                                     {"p_u [lattice]", 0.04},
                                     {"p_v [lattice]", 0.014},
                                     {"p_pressure [lattice]", third * (0.004 + 0.0018)}});
}

TEST_F(MonitorRows, InThePlaneAndSiUnits) {
  KnownSolver solver = make(2);
  case_.monitors.forces = {"y_min"};
  case_.monitors.torque_center = Real3{};
  case_.monitors.permeability_axis = 0;
  const auto found = row(solver, true);
  EXPECT_NEAR(found.at("force_y_min_x [N/m]"), 2.1 * pressure * dx, 1e-9);
  EXPECT_NEAR(found.at("torque_y_min_z [N]"), -4.03 * pressure * dx * dx, 1e-9);
  EXPECT_NEAR(found.at("flow_vent [m2/s]"), -0.3 * velocity * dx, 1e-12);
  EXPECT_NEAR(found.at("permeability [m2]"), 0.07 * (5 / 72.0) / (0.003 / 8) * dx * dx, 1e-12);
  EXPECT_FALSE(found.contains("coefficient_y_min_x [-]"));
  EXPECT_FALSE(found.contains("torque_y_min_x [N]"));
}

TEST_F(MonitorRows, CoefficientsOfTorquesNeedAReferenceLength) {
  KnownSolver solver = make(3);
  case_.monitors.forces = {"wall"};
  case_.monitors.reference_area = 5;
  case_.monitors.torque_center = Real3{};
  units_ = units_of(false);
  units_.reference_length = 0;
  grid_ = grid_of(solver);
  const auto columns = [&] { return Monitors(case_, {solver, units_, grid_}).titles(); };
  const auto has = [&](const std::string& start) {
    const auto all = columns();
    return std::any_of(all.begin(), all.end(), [&](const std::string& column) { return column.starts_with(start); });
  };
  EXPECT_TRUE(has("coefficient_wall_z"));
  EXPECT_TRUE(has("torque_wall_x"));
  EXPECT_FALSE(has("C_m"));
  units_.reference_length = 3;
  EXPECT_TRUE(has("C_m"));
  case_.monitors.torque_center.reset();
  EXPECT_FALSE(has("C_m"));
  EXPECT_FALSE(has("torque"));
}

TEST_F(MonitorRows, PermeabilityWithoutAGradientIsNoNumber) {
  KnownSolver solver = make(3);
  case_.monitors.permeability_axis = 0;
  solver.flows[2].mean_pressure = solver.flows[0].mean_pressure;
  EXPECT_TRUE(std::isnan(row(solver, true).at("permeability [m2]")));
  case_.monitors.permeability_axis = 1;
  EXPECT_CONTAINS(error_of(ExitCode::input, [&] { row(solver, true); }), "give physics.acceleration along it");
  solver.shape.openings.pop_back();  // one face alone drives nothing
  case_.monitors.permeability_axis = 0;
  EXPECT_CONTAINS(error_of(ExitCode::input, [&] { row(solver, true); }), "both x_min and x_max");
}

/// The faces that a flow enters and leaves by are those of its axis, and so is the length between them.
TEST_F(MonitorRows, PermeabilityAlongEachAxis) {
  for (int axis = 0; axis < 3; ++axis) {
    KnownSolver solver = make(3);
    solver.shape.openings = {{"in", 2 * axis, {}, {}, 0, {}}, {"out", 2 * axis + 1, {}, {}, 0, {}}};
    for (int other = 0; other < 6; ++other)
      if (other / 2 != axis) solver.shape.openings.push_back({"side", other, {}, {}, 0, {}});
    solver.flows = {{0, 0.002}, {0, -0.001}, {0, 0.7}, {0, -0.6}, {0, 0.5}, {0, -0.8}};
    case_.monitors = {};
    case_.monitors.openings = false;
    case_.monitors.permeability_axis = axis;
    case_.physics.acceleration = {};
    case_.physics.acceleration[axis] = 0.9;
    const double gradient = 0.9 * dt * dt / dx + (0.002 + 0.001) / (solver.shape.nodes.size[axis] - 1);
    const double superficial = solver.sums.momentum[axis] / (9.0 * 8 * 7);
    EXPECT_NEAR(row(solver, true).at("permeability [m2]") / (0.07 * superficial / gradient * dx * dx), 1, 1e-12);
  }
}

TEST_F(MonitorRows, QuantitiesOfTheSteadyState) {
  KnownSolver solver = make(3);
  case_.monitors.permeability_axis = 0;
  units_ = units_of(true);
  grid_ = grid_of(solver, dx, origin);
  const Monitors monitors(case_, {solver, units_, grid_});
  const auto quantity = [&](const std::string& name) { return monitors.quantity(name, solver.sums); };
  EXPECT_EQ(quantity("kinetic_energy"), 1.75);
  EXPECT_EQ(quantity("max_velocity"), 0.08);
  EXPECT_NEAR(quantity("permeability"), 0.07 * (5 / 504.0) / (0.003 / 8) * dx * dx, 1e-12);
  EXPECT_EQ(quantity("flow_rate:vent"), -0.3);
  EXPECT_EQ(quantity("flow_rate:x_max"), -0.1);
  EXPECT_NEAR(quantity("force:y_max"), norm(Real3{3.1, -3.2, 6.3}), 1e-12);
  EXPECT_CONTAINS(error_of(ExitCode::input, [&] { quantity("flow_rate:door"); }), "no opening 'door'");
  EXPECT_CONTAINS(error_of(ExitCode::input, [&] { quantity("force:door"); }), "no surface 'door'");
  EXPECT_CONTAINS(error_of(ExitCode::input, [&] { quantity("speed"); }), "no quantity 'speed'");
}

TEST_F(MonitorRows, ProbesLieInTheFluidOrAreRefused) {
  const KnownSolver solver = make(3);
  units_ = units_of(true);
  grid_ = grid_of(solver, dx, origin);
  const auto at = [&](double x, double y, double z) {
    Int3 node;
    const std::int64_t index = probe_node({"p", {origin[0] + x * dx, origin[1] + y * dx, origin[2] + z * dx}}, grid_,
                                          units_, solver.shape.nodes, node);
    EXPECT_EQ(index, solver.shape.nodes.node_index(node));
    return node;
  };
  EXPECT_EQ(at(0.01, 0.01, 0.01), (Int3{0, 0, 0}));
  EXPECT_EQ(at(8.99, 7.99, 6.99), (Int3{8, 7, 6}));
  EXPECT_EQ(at(4.2, 0.7, 5.5), (Int3{4, 0, 5}));
  for (const Real3& p : {Real3{-0.01, 3, 3}, Real3{9.01, 3, 3}, Real3{3, -0.01, 3}, Real3{3, 8.01, 3},
                         Real3{3, 3, -0.01}, Real3{3, 3, 7.01}, Real3{2.5, 3.5, 0.5}})
    EXPECT_CONTAINS(error_of(ExitCode::input, [&] { at(p[0], p[1], p[2]); }), "is not in the fluid");
  EXPECT_CONTAINS(error_of(ExitCode::input, [&] { at(10, 20, 30); }), "probe 'p': position (0.5, 8.25, 16) is not");
}

}  // namespace
}  // namespace fluvia::test
