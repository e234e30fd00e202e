// SPDX-License-Identifier: Apache-2.0
// Discs that lie on a face of the box are openings, too: they cut no link there, since nothing lies behind them.
#include <gtest/gtest.h>

#include "fluvia/solver/links/boundary_setup.hpp"
#include "reference/scene.hpp"

namespace fluvia {
namespace {

/// A channel whose outlet is two discs on a face, shares of which are prescribed.
TEST(DiscOnFace, ActsOneNodeInside) {
  for (const double sign : {1.0, -1.0}) {
    SCOPED_TRACE(sign);
    Case c;
    c.domain.dimension = 2;
    c.domain.nodes = Int3{30, 20, 1};
    c.domain.periodic = {false, false, true};
    c.numerics.lattice = "D2Q9";
    Case::Boundary in;
    in.surface = sign > 0 ? "x_min" : "x_max";
    in.type = "velocity";
    in.speed = 0.01;
    c.boundaries = {in};
    for (const double y : {5.0, 15.0}) {
      Case::OpeningInput disc;
      disc.name = y < 10 ? "low" : "high";
      disc.center = Real3{sign > 0 ? 30.0 : 0.0, y, 0};
      disc.normal = Real3{sign, 0, 0};
      disc.radius = 4;
      c.openings.push_back(disc);
      Case::Boundary out;
      out.surface = disc.name;
      out.type = "pressure";
      c.boundaries.push_back(out);
    }
    const Geometry geometry = build_geometry(c, make_grid(c));
    for (const Opening& opening : geometry.openings) {
      if (opening.name == in.surface) continue;
      EXPECT_EQ(opening.area, 8) << opening.name;
      EXPECT_EQ(opening.centroid[0], sign > 0 ? 29 : 1) << opening.name;  // half-way along the links that it cuts
    }
    const BoundarySetup setup = make_boundary_setup({c, scene::make_units(0.8), geometry}, "D2Q9");
    EXPECT_GT(setup.links.size(), 0U);
  }
}

}  // namespace
}  // namespace fluvia
