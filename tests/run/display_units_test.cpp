// SPDX-License-Identifier: Apache-2.0
// Results of blood are read in ml/min and mmHg.
#include "fluvia/run/display_units.hpp"

#include <gtest/gtest.h>

namespace fluvia::test {
namespace {

Case with_density(double density) {
  Case c;
  c.units.system = "si";
  c.units.density = density;
  return c;
}

TEST(DisplayUnits, OfBlood) {
  EXPECT_TRUE(is_blood(with_density(1060)));
  EXPECT_FALSE(is_blood(with_density(998)));
  EXPECT_FALSE(is_blood(with_density(1100)));
  Case lattice = with_density(1060);
  lattice.units.system = "lattice";
  EXPECT_FALSE(is_blood(lattice));
  Case thinning = with_density(1000);
  thinning.physics.rheology.emplace().fluid = "blood";
  EXPECT_TRUE(is_blood(thinning));
}

TEST(DisplayUnits, StandBesideThoseOfTheCase) {
  std::vector<Quantity> results = {{"flow_inlet", "m3/s", 1e-6, 1e-8, {}},
                                   {"pressure_inlet", "Pa", 13332.2, {}, {}},
                                   {"wall_shear_stress_mean", "Pa", 1.5, {}, {}},
                                   {"max_velocity", "m/s", 0.5, {}, {}}};
  std::vector<Quantity> of_water = results;
  add_display_units(with_density(998), of_water);
  EXPECT_EQ(format_results(of_water).find("mmHg"), std::string::npos);
  EXPECT_TRUE(results_json(of_water)[0]["also"].is_null());
  add_display_units(with_density(1060), results);
  const std::string text = format_results(results);
  EXPECT_NE(text.find("m3/s = 60.00 ± 0.60 ml/min"), std::string::npos) << text;
  EXPECT_NE(text.find("Pa = 100 ± ? mmHg"), std::string::npos) << text;
  EXPECT_FALSE(results[2].also);
  EXPECT_FALSE(results[3].also);
  const auto json = results_json(results);
  EXPECT_DOUBLE_EQ(json[0]["value"].get<double>(), 1e-6);
  EXPECT_EQ(json[0]["unit"], "m3/s");
  EXPECT_EQ(json[0]["also"]["unit"], "ml/min");
  EXPECT_DOUBLE_EQ(json[0]["also"]["factor"].get<double>(), 6e7);
}

}  // namespace
}  // namespace fluvia::test
