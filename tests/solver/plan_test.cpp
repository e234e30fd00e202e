// SPDX-License-Identifier: Apache-2.0
// What a plan counts is what a solver then has.
#include <gtest/gtest.h>

#include "fluvia/solver/boundary_setup.hpp"
#include "fluvia/solver/node_records.hpp"
#include "reference/scenes.hpp"

namespace {

using scene::Scene;

TEST(Plan, CountsTheBoundariesThatASolverGets) {
  for (const std::string lattice : {"D2Q9", "D3Q19", "D3Q27"})
    for (const Scene& s : scene::all_scenes(lattice == "D2Q9" ? 2 : 3)) {
      SCOPED_TRACE(lattice + " " + s.name);
      scene::Options o;
      o.physics.lattice = lattice;
      const fluvia::Case c = scene::make_case(s, o);
      const fluvia::Geometry geometry = scene::make_geometry(s);
      const fluvia::BoundarySetup setup =
          fluvia::make_boundary_setup(c, scene::make_units(o.physics.tau), geometry, lattice);
      const fluvia::BoundaryCount count = fluvia::count_boundaries(c, geometry, lattice);
      EXPECT_EQ(count.links, setup.links.size());
      EXPECT_EQ(count.monitored_links, setup.monitored_links.size());
      // Each link of a spinning wall has its own velocity, but some of a node may agree.
      const std::size_t records = fluvia::node_records(setup).size();
      bool spins = false;
      for (const auto& b : c.boundaries) spins = spins || b.angular_velocity;
      if (spins) {
        EXPECT_GE(count.records, records);
      } else {
        EXPECT_EQ(count.records, records);
      }
    }
}

}  // namespace
