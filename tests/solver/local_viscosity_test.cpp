// SPDX-License-Identifier: Apache-2.0
// What a case says of its fluid, in SI, against formulas in SI; limits and what is said of them.
#include "fluvia/solver/local_viscosity.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fluvia/base/error.hpp"

namespace fluvia {
namespace {

Case case_with(const std::string& rheology, const std::string& viscosity = "3.3e-6") {
  return parse_case(R"(
[units]
system = "si"
spacing = 1e-4
density = 1060
viscosity = )" + viscosity +
                        R"(
tau = 0.6
[domain]
nodes = [8, 8, 8]
[run]
steps = 1
[physics.rheology]
)" + rheology,
                    "rheology.toml");
}

struct MadeFluid {
  Units units;
  LocalViscosity viscosity;
};

MadeFluid make_fluid(const std::string& rheology) {
  const Case c = case_with(rheology);
  const Units units = make_units(c, 1e-4);
  return {units, make_local_viscosity(c, units)};
}

/// Pa s at a shear rate in 1/s.
double si_viscosity(const MadeFluid& m, double shear_rate) {
  return m.units.si_viscosity(m.viscosity.at(shear_rate * m.units.time_step));
}

TEST(LocalViscosity, IsWhatTheFormulaSaysInSi) {
  const MadeFluid blood = make_fluid("fluid = \"blood\"");
  const MadeFluid casson =
      make_fluid("model = \"casson\"\nyield_stress = 0.004\nplastic_viscosity = 0.0035\nmost_viscosity = 1");
  const MadeFluid law = make_fluid("model = \"power-law\"\nconsistency = 0.017\nflow_index = 0.708");
  for (const double rate : {0.1, 1.0, 30.0, 1000.0}) {
    SCOPED_TRACE(rate);
    const double of_blood = 0.0035 + (0.16 - 0.0035) * std::pow(1 + std::pow(8.2 * rate, 0.64), (0.2128 - 1) / 0.64);
    EXPECT_NEAR(si_viscosity(blood, rate), of_blood, 1e-9);
    const double root = std::sqrt(0.004 / rate) + std::sqrt(0.0035);
    EXPECT_NEAR(si_viscosity(casson, rate), root * root, 1e-9);
    EXPECT_NEAR(si_viscosity(law, rate), 0.017 * std::pow(rate, 0.708 - 1), 1e-9);
  }
  EXPECT_NEAR(si_viscosity(blood, 0), 0.16, 1e-9);
  EXPECT_NEAR(si_viscosity(casson, 0), 1, 1e-9) << "its limit";
}

TEST(LocalViscosity, NumbersOfANamedFluidMayBeOverridden) {
  EXPECT_NEAR(si_viscosity(make_fluid("fluid = \"blood\"\nzero_shear_viscosity = 0.1"), 0), 0.1, 1e-9);
}

TEST(LocalViscosity, SaysWhatLimitsItHas) {
  const MadeFluid blood = make_fluid("fluid = \"blood\"");
  EXPECT_TRUE(advise(blood.viscosity, blood.units).empty());
  EXPECT_NE(describe(blood.viscosity, blood.units).find("0.0035 Pa s (tau 0.6001) to 0.16 Pa s"), std::string::npos)
      << describe(blood.viscosity, blood.units);
  // Thinning: the upper limit holds near rest; the lower one is out of reach and not worth a word.
  const MadeFluid law = make_fluid("model = \"power-law\"\nconsistency = 0.017\nflow_index = 0.708");
  const auto advice = advise(law.viscosity, law.units);
  ASSERT_EQ(advice.size(), 1U);
  EXPECT_NE(advice[0].find("kept at 0.3323 Pa s (tau 10), which it reaches at a shear rate of 3.79e-05 1/s"),
            std::string::npos)
      << advice[0];
  const MadeFluid limited =
      make_fluid("model = \"power-law\"\nconsistency = 0.017\nflow_index = 0.708\nmost_viscosity = 0.1");
  EXPECT_TRUE(advise(limited.viscosity, limited.units).empty());
  EXPECT_NEAR(si_viscosity(limited, 0), 0.1, 1e-9);
  const MadeFluid thick = make_fluid("fluid = \"blood\"\nzero_shear_viscosity = 1");
  ASSERT_EQ(advise(thick.viscosity, thick.units).size(), 1U);
  EXPECT_NE(advise(thick.viscosity, thick.units)[0].find("above 10"), std::string::npos);
}

/// tau and the Reynolds number in every table refer to units.viscosity.
TEST(LocalViscosity, SaysIfTheViscosityOfTheUnitsIsNotAmongThem) {
  const std::string law = "model = \"power-law\"\nconsistency = 0.017\nflow_index = 0.708\n";
  const auto tells = [&](const std::string& limits) {
    const MadeFluid made = make_fluid(law + limits);
    for (const std::string& line : advise(made.viscosity, made.units))
      if (line.find("is not among the viscosities of power-law") != std::string::npos) return true;
    return false;
  };
  EXPECT_FALSE(tells("least_viscosity = 0.003\nmost_viscosity = 0.004"));
  EXPECT_TRUE(tells("least_viscosity = 0.002\nmost_viscosity = 0.003"));
  EXPECT_TRUE(tells("least_viscosity = 0.004\nmost_viscosity = 0.005"));
}

TEST(LocalViscosity, RefusesContradictions) {
  const auto message = [](const std::string& rheology) -> std::string {
    try {
      (void)make_fluid(rheology);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message("fluid = \"blood\"\nzero_shear_viscosity = 0.001").find("must not be below"), std::string::npos);
  EXPECT_NE(message("fluid = \"blood\"\nleast_viscosity = 1").find("leave no viscosity"), std::string::npos);
}

}  // namespace
}  // namespace fluvia
