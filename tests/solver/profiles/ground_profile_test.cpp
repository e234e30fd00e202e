// SPDX-License-Identifier: Apache-2.0
// Winds that blow above a ground: their speeds are those of the formulas, which stand here once more, on every face of
// the box that may be the ground.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "fluvia/base/error.hpp"
#include "fluvia/case/ground.hpp"
#include "fluvia/case/names.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/solver/links/boundary_setup.hpp"
#include "reference/scene.hpp"

namespace fluvia {
namespace {

constexpr double parameter = 0.2, reference_height = 6.5, speed = 0.03;  ///< `parameter`: of the profile's own key

/// Speeds of the formulas, and their integrals from the ground to a height.
struct Expected {
  double (*at)(double height);
  double (*below)(double height);
};

double log_at(double z) {
  return speed * std::log((z + parameter) / parameter) / std::log((reference_height + parameter) / parameter);
}
double log_below(double z) {
  const double top = z + parameter;
  return speed * (top * std::log(top / parameter) - z) / std::log((reference_height + parameter) / parameter);
}
double power_at(double z) {
  return speed * std::pow(z / reference_height, parameter);
}
double power_below(double z) {
  return power_at(z) * z / (1 + parameter);
}

const std::map<std::string, Expected>& expected() {
  static const std::map<std::string, Expected> all = {{"logarithmic", {log_at, log_below}},
                                                      {"power", {power_at, power_below}}};
  return all;
}

Case::Boundary of_type(const std::string& surface, const std::string& type) {
  Case::Boundary b;
  b.surface = surface;
  b.type = type;
  return b;
}

/// A wind that comes in at x_min above one face of a box that is otherwise free.
Case windy(const std::string& profile, const std::string& ground, int dimension) {
  Case c;
  c.domain.dimension = dimension;
  c.domain.nodes = Int3{6, 24, dimension == 2 ? 1 : 20};
  c.domain.periodic = {false, false, dimension == 2};
  c.numerics.lattice = dimension == 2 ? "D2Q9" : "D3Q19";
  Case::Boundary in = of_type("x_min", "velocity");
  in.profile = profile;
  in.speed = speed;
  in.values[keys_of(opening_profile(profile)).front().name] = parameter;
  in.values["reference_height"] = reference_height;
  c.boundaries = {in, of_type("x_max", "pressure")};
  for (const std::string& face : names::faces)
    if (face[0] != 'x' && face != ground && (dimension == 3 || face[0] != 'z'))
      c.boundaries.push_back(of_type(face, "symmetry"));
  return c;
}

/// What the links of the inlet do: `visit(height, speed)`; returns the flow rate through them.
template <class Visit>
double at_inlet(const Case& c, int ground, const Visit& visit) {
  const Geometry geometry = build_geometry(c, make_grid(c));
  const BoundarySetup setup = make_boundary_setup({c, scene::make_units(0.8), geometry}, c.numerics.lattice);
  const LatticeFacts& lattice = facts_of_lattice(c.numerics.lattice);
  const auto axis = static_cast<std::size_t>(ground / 2);
  double flow = 0;
  for (std::size_t k = 0; k < setup.links.size(); ++k) {
    const CutLink& link = setup.links.at[k];
    if (link.surface != surface_id::x_min) continue;
    const Int3& v = lattice.velocities[link.direction];
    const Int3 x = geometry.nodes.node_position(geometry.nodes.tiles[link.tile], link.bit);
    const double place = x[axis] + 0.5 - 0.5 * v[axis];
    visit(ground % 2 == 0 ? place : geometry.nodes.size[axis] - place, setup.links.velocity[k][0]);
    flow += 6 * lattice.weights[link.direction] * v[0] * setup.links.velocity[k][0];
  }
  return flow;
}

TEST(GroundProfile, EveryOneIsItsFormulaAboveEveryFace) {
  for (const OpeningProfile& profile : opening_profiles()) {
    if (profile.at_height == nullptr) continue;
    ASSERT_TRUE(expected().contains(profile.name)) << "write down what " << profile.name << " is";
    const Expected& right = expected().at(profile.name);
    for (const auto& [ground, dimension] :
         {std::pair{"y_min", 2}, {"y_max", 2}, {"y_min", 3}, {"y_max", 3}, {"z_min", 3}, {"z_max", 3}}) {
      SCOPED_TRACE(std::string(profile.name) + " above " + ground + (dimension == 2 ? " in 2D" : ""));
      Case c = windy(profile.name, ground, dimension);
      const int face = ground_of(c, c.boundaries[0], "boundary[0]");
      EXPECT_EQ(names::faces[static_cast<std::size_t>(face)], ground);
      int links = 0;
      double flow = at_inlet(c, face, [&](double height, double u) {
        EXPECT_NEAR(u, right.at(height), 1e-6 * speed) << height;
        ++links;
      });
      EXPECT_GT(links, 20);
      const Int3& size = *c.domain.nodes;
      const double height = size[static_cast<std::size_t>(face / 2)], width = 1.0 * size[1] * size[2] / height;
      EXPECT_NEAR(flow / (width * right.below(height)), 1, 0.01);
      // A flow rate is what the links let in, to round-off; the shape stays.
      Case::Boundary& in = c.boundaries[0];
      in.speed.reset();
      in.values.erase("reference_height");
      in.flow_rate = 2;
      double ratio = 0;
      flow = at_inlet(c, face, [&](double at, double u) {
        if (right.at(at) == 0) return;
        if (ratio == 0) ratio = u / right.at(at);
        EXPECT_NEAR(u / right.at(at), ratio, 1e-6 * ratio) << at;
      });
      EXPECT_NEAR(flow, 2, 1e-6);
    }
  }
}

/// Walls on two sides leave open which of them is the ground, unless the case says it.
TEST(GroundProfile, TheGroundIsNamedWhereItIsNotTheOnlyWall) {
  Case c = windy("logarithmic", "y_min", 3);
  std::erase_if(c.boundaries, [](const Case::Boundary& b) { return b.surface == "z_max"; });
  EXPECT_THROW(ground_of(c, c.boundaries[0], "boundary[0]"), Error);
  c.boundaries[0].ground = "z_max";
  at_inlet(c, 5, [](double height, double u) { EXPECT_NEAR(u, height > 0 ? log_at(height) : 0, 1e-6 * speed); });
}

}  // namespace
}  // namespace fluvia
