// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "fluvia/base/error.hpp"
#include "fluvia/units/units.hpp"

namespace {

using namespace fluvia;

/// Water at 1 mm per node: the numbers below are worked out by hand.
Case water() {
  Case c;
  c.units.system = "si";
  c.units.spacing = 1e-3;
  c.units.density = 1000;
  c.units.viscosity = 1e-6;
  return c;
}

std::string refusal(const Case& c, double spacing) {
  try {
    make_units(c, spacing);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::input);
    return error.what();
  }
  return "accepted";
}

std::string advice(const Units& u) {
  std::string text;
  for (const UnitsAdvice& a : advise(u)) text += a.message + "\n";
  return text;
}

TEST(Units, FromTimeStep) {
  Case c = water();
  c.units.time_step = 0.02;
  const Units u = make_units(c, 1e-3);
  EXPECT_TRUE(u.si);
  EXPECT_DOUBLE_EQ(u.viscosity, 0.02);  // 1e-6 * 0.02 / 1e-6
  EXPECT_DOUBLE_EQ(u.tau, 0.56);
  EXPECT_DOUBLE_EQ(u.omega(), 1 / 0.56);
  EXPECT_EQ(u.mach(), 0);
  EXPECT_EQ(u.reynolds(), 0);
}

TEST(Units, FromLatticeVelocity) {
  Case c = water();
  c.units.lattice_velocity = 0.05;
  c.units.reference_velocity = 0.01;
  c.units.reference_length = 0.02;
  const Units u = make_units(c, 1e-3);
  EXPECT_DOUBLE_EQ(u.time_step, 0.005);  // 0.05 * 1e-3 / 0.01
  EXPECT_DOUBLE_EQ(u.viscosity, 0.005);
  EXPECT_DOUBLE_EQ(u.tau, 0.515);
  EXPECT_DOUBLE_EQ(u.reference_velocity, 0.05);
  EXPECT_DOUBLE_EQ(u.reference_length, 20);
  EXPECT_NEAR(u.reynolds(), 200, 1e-9);  // 0.01 * 0.02 / 1e-6
  EXPECT_NEAR(u.mach(), 0.0866025403784, 1e-12);
}

TEST(Units, FromTau) {
  Case c = water();
  c.units.tau = 0.8;
  const Units u = make_units(c, 1e-3);
  EXPECT_DOUBLE_EQ(u.viscosity, 0.1);
  EXPECT_DOUBLE_EQ(u.time_step, 0.1);  // 0.1 * 1e-6 / 1e-6
  EXPECT_DOUBLE_EQ(u.tau, 0.8);
}

TEST(Units, LatticeUnitsAreTheIdentity) {
  Case c;
  c.units.tau = 0.65;
  Units u = make_units(c, 1);
  EXPECT_FALSE(u.si);
  EXPECT_NEAR(u.viscosity, 0.05, 1e-15);
  c.units.tau.reset();
  c.units.viscosity = 0.05;
  u = make_units(c, 1);
  EXPECT_NEAR(u.tau, 0.65, 1e-15);
  EXPECT_EQ(u.velocity(0.1), 0.1);
  EXPECT_EQ(u.pressure(0.01), 0.01);
  EXPECT_EQ(u.si_force(3, 3), 3);
  EXPECT_EQ(u.si_torque(3, 2), 3);
  EXPECT_EQ(u.flow_rate(7, 2), 7);
}

TEST(Units, ConversionsByHand) {
  Case c = water();
  c.units.time_step = 0.01;  // so 1 lattice speed = 0.1 m/s
  const Units u = make_units(c, 1e-3);
  EXPECT_DOUBLE_EQ(u.length(0.05), 50);
  EXPECT_DOUBLE_EQ(u.velocity(0.02), 0.2);
  EXPECT_DOUBLE_EQ(u.acceleration(10), 1.0);  // 10 * 1e-4 / 1e-3
  EXPECT_DOUBLE_EQ(u.pressure(5), 0.5);       // 1000 * 0.1^2 = 10 Pa
  EXPECT_DOUBLE_EQ(u.si_pressure(0.5), 5);
  EXPECT_DOUBLE_EQ(u.si_stress(0.5), 5);
  EXPECT_DOUBLE_EQ(u.flow_rate(1e-6, 3), 10);  // (1e-3)^3 / 0.01 = 1e-7 m3/s
  EXPECT_DOUBLE_EQ(u.flow_rate(1e-3, 2), 10);  // (1e-3)^2 / 0.01 = 1e-4 m2/s
  EXPECT_DOUBLE_EQ(u.si_flow_rate(10, 3), 1e-6);
  EXPECT_DOUBLE_EQ(u.si_flow_rate(10, 2), 1e-3);
  EXPECT_DOUBLE_EQ(u.si_force(2, 3), 2e-5);  // 10 Pa * 1e-6 m2
  EXPECT_DOUBLE_EQ(u.si_force(2, 2), 2e-2);  // 10 Pa * 1e-3 m, per metre
  EXPECT_DOUBLE_EQ(u.si_torque(2, 3), 2e-8);
  EXPECT_DOUBLE_EQ(u.si_torque(2, 2), 2e-5);
  EXPECT_DOUBLE_EQ(u.si_rate(0.3), 30);
  EXPECT_DOUBLE_EQ(u.si_time(200), 2);
  EXPECT_DOUBLE_EQ(u.si_length(50), 0.05);
  EXPECT_DOUBLE_EQ(u.si_velocity(0.2), 0.02);
  EXPECT_DOUBLE_EQ(u.si_permeability(4), 4e-6);
}

TEST(Units, KeysOfEachKindByHand) {
  using core::Dimension;
  Case c = water();
  c.units.time_step = 0.01;
  const Units u = make_units(c, 1e-3);  // pressure 10 Pa, flow rates 1e-7 m3/s and 1e-4 m2/s
  EXPECT_DOUBLE_EQ(in_lattice_units(7, Dimension::none, u, 3), 7);
  EXPECT_DOUBLE_EQ(in_lattice_units(0.05, Dimension::length, u, 3), 50);
  EXPECT_DOUBLE_EQ(in_lattice_units(0.05, Dimension::time, u, 3), 5);
  EXPECT_DOUBLE_EQ(in_lattice_units(0.02, Dimension::velocity, u, 3), 0.2);
  EXPECT_DOUBLE_EQ(in_lattice_units(5, Dimension::pressure, u, 3), 0.5);
  EXPECT_DOUBLE_EQ(in_lattice_units(5, Dimension::consistency, u, 3), 0.5);
  EXPECT_DOUBLE_EQ(in_lattice_units(5, Dimension::viscosity, u, 3), 50);       // Pa s: 10 Pa * 0.01 s = 0.1
  EXPECT_DOUBLE_EQ(in_lattice_units(5e8, Dimension::resistance, u, 3), 5);     // Pa s/m3: 10/1e-7 = 1e8
  EXPECT_DOUBLE_EQ(in_lattice_units(5e5, Dimension::resistance, u, 2), 5);     // 10/1e-4 = 1e5
  EXPECT_DOUBLE_EQ(in_lattice_units(5e-10, Dimension::compliance, u, 3), 5);   // m3/Pa: 1e-7 * 0.01/10 = 1e-10
  EXPECT_NEAR(in_lattice_units(5e-7, Dimension::compliance, u, 2), 5, 1e-12);  // 1e-4 * 0.01/10 = 1e-7
}

TEST(Units, LimitsHoldForBothSigns) {
  Case c;
  c.units.tau = 0.8;
  c.physics.initial_pressure = -0.34;
  EXPECT_NE(refusal(c, 1).find("physics.initial_pressure: '-0.34' means a density of -0.02 times"), std::string::npos);
  c.physics.initial_pressure = 0.34;
  EXPECT_NE(refusal(c, 1).find("a density of 2.02 times"), std::string::npos);
  c.physics.initial_pressure = -0.3;
  EXPECT_EQ(refusal(c, 1), "accepted");
  c.boundaries.emplace_back();
  c.boundaries[0].surface = "x_min";
  c.boundaries[0].type = "velocity";
  c.boundaries[0].speed = -0.4;  // Mach 0.69
  EXPECT_NE(refusal(c, 1).find("boundary[0].speed: '-0.4' is a lattice speed of 0.4"), std::string::npos);
  c.boundaries[0].speed = -0.34;
  EXPECT_EQ(refusal(c, 1), "accepted");
  c.boundaries[0].speed.reset();
  c.boundaries[0].type = "pressure";
  EXPECT_EQ(refusal(c, 1), "accepted") << "nothing is given";
  for (const double pressure : {0.4, -0.4}) {
    c.boundaries[0].values["pressure"] = pressure;
    EXPECT_NE(refusal(c, 1).find("boundary[0].pressure: '" + std::to_string(pressure).substr(0, pressure < 0 ? 4 : 3)),
              std::string::npos)
        << refusal(c, 1);
  }
  c.boundaries[0].values["pressure"] = 0.2;
  EXPECT_EQ(refusal(c, 1), "accepted");
  c.boundaries.clear();
  c.physics.initial_speed = 0.4;  // of no flow, so that it is not there
  EXPECT_EQ(refusal(c, 1), "accepted");
  c.physics.initial_flow = "taylor-green";
  EXPECT_NE(refusal(c, 1).find("physics.initial_speed: '0.4'"), std::string::npos);
}

TEST(Units, RefusesWhatCannotWork) {
  Case c;
  c.units.tau = 0.5;
  EXPECT_EQ(refusal(c, 1),
            "case: units.tau: '0.5' must be above 0.5, because the viscosity is (tau - 1/2)/3; 0.55 to 1 is "
            "usual");
  c.units.tau.reset();
  EXPECT_EQ(refusal(c, 1), "case: units: 'viscosity' is missing; lattice units need 'viscosity' or 'tau'");
  c.units.viscosity = 1e-20;
  EXPECT_EQ(refusal(c, 1),
            "case: units: the lattice viscosity is 1e-20, so tau = 0.5 is not above 1/2; give a viscosity of "
            "at least 0.006667");
  Case si = water();
  EXPECT_EQ(refusal(si, 1e-3), "case: units: SI units need exactly one of 'time_step', 'lattice_velocity', 'tau'");
  si.units.lattice_velocity = 0.1;
  EXPECT_EQ(refusal(si, 1e-3),
            "case: units: 'reference_velocity' is missing; it is the speed in m/s that "
            "'lattice_velocity' stands for");
  si.units.time_step = 0.1;
  EXPECT_EQ(refusal(si, 1e-3), "case: units: SI units need exactly one of 'time_step', 'lattice_velocity', 'tau'");
  si.units.lattice_velocity.reset();
  EXPECT_EQ(refusal(si, 0), "case: units.spacing: '0' must be above 0");
  EXPECT_EQ(refusal(si, NAN), "case: units.spacing: 'nan' must be above 0");
}

TEST(Units, TooSmallTauComesWithTheTimeStepThatHelps) {
  Case c = water();
  c.units.time_step = 1e-9;  // lattice viscosity 1e-9
  EXPECT_EQ(refusal(c, 1e-3),
            "case: units: the lattice viscosity is 1e-09, so tau = 0.500000003 is not above 1/2 in single precision; "
            "units.time_step = 0.006667 would give tau = 0.52, or set numerics.format = \"fp64\"");
  c.numerics.format = "fp64";
  EXPECT_NEAR(make_units(c, 1e-3).viscosity, 1e-9, 1e-15);
  c.numerics.format = "fp16s";
  c.physics.smagorinsky = 0.1;  // eddies are more viscous
  EXPECT_NEAR(make_units(c, 1e-3).viscosity, 1e-9, 1e-15);
  c.units.time_step = 0.02 / 3;
  EXPECT_NEAR(make_units(c, 1e-3).tau, 0.52, 1e-12);
}

TEST(Advice, NoneForAGoodCase) {
  Case c = water();
  c.units.lattice_velocity = 0.1;
  c.units.reference_velocity = 0.01;
  c.units.reference_length = 0.01;  // exactly 10 nodes, exactly speed 0.1
  EXPECT_EQ(advice(make_units(c, 1e-3)), "");
}

TEST(Advice, FollowedAdviceHelps) {
  Case c = water();
  c.units.time_step = 0.02;
  c.units.reference_velocity = 0.01;  // lattice 0.2
  c.units.reference_length = 0.02;
  EXPECT_EQ(advice(make_units(c, 1e-3)),
            "Mach 0.346 (lattice speed 0.2) is above 0.17: compressibility errors grow with its square; set "
            "units.time_step = 0.01 (lattice speed 0.1; tau becomes 0.53)\n");
  c.units.time_step = 0.01;
  EXPECT_EQ(advice(make_units(c, 1e-3)), "");
}

TEST(Advice, TauNearOneHalf) {
  Case c = water();
  c.units.time_step = 0.002;          // viscosity 0.002, tau 0.506
  c.units.reference_velocity = 0.01;  // lattice 0.02
  c.units.reference_length = 0.02;
  EXPECT_EQ(advice(make_units(c, 1e-3)),
            "tau = 0.506 is within 0.01 of 1/2: bgk and trt may become unstable, others leave shear layers unresolved; "
            "set units.time_step = 0.00333 (lattice speed 0.0333), or use numerics.collision = \"auto\"\n");
  c.units.time_step = 0.00334;
  EXPECT_EQ(advice(make_units(c, 1e-3)), "");
  // Already fast: only a finer grid helps.
  c.units.viscosity = 1e-7;
  c.units.time_step = 0.01;  // lattice speed 0.1, viscosity 0.001, tau 0.503
  EXPECT_EQ(advice(make_units(c, 1e-3)),
            "tau = 0.503 is within 0.01 of 1/2: bgk and trt may become unstable, others leave shear layers unresolved; "
            "refine units.spacing to 0.0003 at the same lattice speed, or use numerics.collision = \"auto\" with "
            "physics.smagorinsky = 0.1\n");
}

TEST(Advice, OutOfReachSaysWhatTheGridResolves) {
  Case c = water();
  c.units.lattice_velocity = 0.1;
  c.units.reference_velocity = 0.01;
  c.units.reference_length = 0.02;
  c.units.viscosity = 1e-9;  // Re 200,000 on 20 nodes
  EXPECT_EQ(
      advice(make_units(c, 1e-3)),
      "tau = 0.50003 is within 0.01 of 1/2, and no refinement within reach changes that; this spacing resolves Re up "
      "to 111, not 2e+05; numerics.collision = \"auto\" with physics.smagorinsky = 0.1 computes the large eddies, "
      "without a wall model; a larger units.viscosity makes it another flow, that the grid resolves: then keep the "
      "fluid's own as units.physical_viscosity, so that results are not taken for those of the real one\n");
  const std::vector<UnitsAdvice> modelled = advise(make_units(c, 1e-3), 0.1);
  ASSERT_EQ(modelled.size(), 1U);
  EXPECT_EQ(
      modelled[0].message,
      "tau = 0.50003 is within 0.01 of 1/2: eddies that the grid does not resolve are left to the Smagorinsky model, "
      "and walls have too little friction unless their type is \"wall_function\"; this spacing resolves Re up to 111, "
      "not 2e+05");
  c.units.viscosity = 0.01 * 0.02 / 111;  // what it says it resolves has no warning
  EXPECT_EQ(advice(make_units(c, 1e-3)), "");
}

/// A slow lattice speed brings tau near 1/2 at any Reynolds number. No warning may then say that the grid resolves more
/// than what it is asked for.
TEST(Advice, NeverSaysThatMoreIsResolvedThanIsAskedFor) {
  Case c = water();
  c.units.reference_velocity = 0.01;
  c.units.reference_length = 0.02;
  for (const double speed : {0.005, 0.02, 0.0333, 0.1})
    for (const double reynolds : {10.0, 60.0, 110.0, 112.0, 209.0, 500.0, 3000.0, 2e5})
      for (const double smagorinsky : {0.0, 0.14}) {
        c.units.lattice_velocity = speed;
        c.units.viscosity = 0.01 * 0.02 / reynolds;
        for (const UnitsAdvice& each : advise(make_units(c, 1e-3), smagorinsky)) {
          const std::string said = "resolves Re up to ";
          const std::size_t at = each.message.find(said);
          if (at != std::string::npos) {
            EXPECT_LT(std::stod(each.message.substr(at + said.size())), reynolds) << each.message;
          }
          const bool blames_grid = each.message.find("eddies that the grid does not resolve") != std::string::npos;
          EXPECT_FALSE(blames_grid && reynolds < resolved_reynolds(20)) << reynolds << ": " << each.message;
        }
      }
}

/// A vessel may be many times as fast where it is narrow as at its inlet.
TEST(Advice, SaysHowFastAFlowMayBeWithoutAModelOfEddies) {
  Case c = water();
  c.units.reference_velocity = 0.01;
  c.units.reference_length = 0.02;
  c.units.lattice_velocity = 0.005;
  c.units.viscosity = 0.01 * 0.02 / 60;  // a Reynolds number of 3 a node, where 20 is still good
  const std::vector<UnitsAdvice> said = advise(make_units(c, 1e-3), 0.1);
  ASSERT_EQ(said.size(), 1U);
  EXPECT_NE(said[0].message.find("where it is at most 6.67 times as fast as units.reference_velocity"),
            std::string::npos)
      << said[0].message;
}

TEST(Units, KeepTheViscosityOfTheRealFluidBesideTheOneThatIsComputed) {
  Case c = water();
  c.units.reference_velocity = 0.01;
  c.units.reference_length = 0.02;
  c.units.time_step = 0.01;
  const Units same = make_units(c, 1e-3);
  EXPECT_EQ(same.physical_viscosity, 0);
  EXPECT_EQ(same.physical_reynolds(), same.reynolds());
  c.units.physical_viscosity = 1e-9;
  const Units other = make_units(c, 1e-3);
  EXPECT_NEAR(other.reynolds(), 200, 1e-9);
  EXPECT_NEAR(other.physical_reynolds(), 2e5, 1e-6);
  EXPECT_EQ(other.tau, same.tau) << "nothing of the flow is another";
  EXPECT_NE(format_units(other, c).find("of what is computed; of the real fluid 200 thousand"), std::string::npos)
      << format_units(other, c);
}

TEST(Advice, LargeTauAndCoarseGrid) {
  Case c = water();
  c.units.tau = 2.0;
  c.units.reference_length = 0.004;
  EXPECT_EQ(
      advice(make_units(c, 1e-3)),
      "tau = 2 is above 1.5: walls and slow flows become inaccurate; set units.time_step = 0.167 for tau = 1\n"
      "only 4 nodes along the reference length: walls are under-resolved; set units.spacing = 0.0004 or less for 10 "
      "nodes\n");
}

TEST(Advice, InLatticeUnitsNamesFactors) {
  Case c;
  c.units.tau = 0.65;
  c.units.reference_velocity = 0.2;
  c.units.reference_length = 4;
  EXPECT_EQ(advice(make_units(c, 1)),
            "Mach 0.346 (lattice speed 0.2) is above 0.17: compressibility errors grow with its square; multiply all "
            "velocities and the viscosity by 0.5 (Reynolds number unchanged)\n"
            "only 4 nodes along the reference length: walls are under-resolved; use at least 2.5 times the nodes\n");
  const std::string close =
      "tau = 0.504 is within 0.01 of 1/2: bgk and trt may become unstable, others leave shear layers unresolved; ";
  const std::string or_else = ", or use numerics.collision = \"auto\" with physics.smagorinsky = 0.1\n";
  c.units.tau = 0.504;
  c.units.reference_length = 40;
  c.units.reference_velocity = 0.02;  // 0.05 where tau is 0.51
  EXPECT_EQ(advice(make_units(c, 1)),
            close + "raise all velocities to a lattice speed of 0.05 and the viscosity with them, " +
                "or use numerics.collision = \"auto\"\n");  // a node's Reynolds number is 15, which needs no model
  c.units.reference_velocity = 0.05;                        // would be 0.125
  EXPECT_EQ(advice(make_units(c, 1)), close + "use 2.5 times the nodes and viscosity at the same velocities" + or_else);
  c.units.reference_velocity.reset();  // nothing to raise
  EXPECT_EQ(advice(make_units(c, 1)), close + "use 2.5 times the nodes and viscosity at the same velocities" + or_else);
  c.units.tau = 2.5;
  EXPECT_EQ(advice(make_units(c, 1)),
            "tau = 2.5 is above 1.5: walls and slow flows become inaccurate; multiply the viscosity and all velocities "
            "by 0.25 for tau = 1\n");
}

TEST(FormatUnits, LeavesOutWhatIsNotGiven) {
  Case c;
  c.units.tau = 0.8;
  EXPECT_EQ(format_units(make_units(c, 1), c),
            "  relaxation time tau              0.8  omega = 1.25\n"
            "  lattice viscosity                0.1  \n"
            "  lattice velocity                   -  give units.reference_velocity for Mach and Re\n"
            "  reference length                   -  give units.reference_length for Re\n"
            "  Mach number Ma                     -  \n"
            "  Reynolds number Re                 -  \n");
}

TEST(FormatUnits, PrintsTheTable) {
  Case c = water();
  c.units.lattice_velocity = 0.05;
  c.units.reference_velocity = 0.01;
  c.units.reference_length = 0.02;
  EXPECT_EQ(format_units(make_units(c, 1e-3), c),
            "  relaxation time tau            0.515  omega = 1.94175\n"
            "  lattice viscosity              0.005  1e-06 m2/s\n"
            "  node spacing dx                0.001  m\n"
            "  time step dt                   0.005  s\n"
            "  density                         1000  kg/m3\n"
            "  lattice velocity                0.05  0.01 m/s\n"
            "  reference length                  20  nodes; 0.02 m\n"
            "  Mach number Ma             0.0866025  \n"
            "  Reynolds number Re               200  \n");
}

}  // namespace
