// SPDX-License-Identifier: Apache-2.0
// Where the fluid of generated vessels lies: its nodes, their centre and their extent along each axis, against those of
// vessels whose pictures (fluvia geometry --png) were looked at. Seeds give the same network on every machine.
#include "geometry/test_support.hpp"

namespace fluvia::test {
namespace {

struct Moments {
  double nodes = 0;
  Real3 centre{}, spread{};  ///< mean and standard deviation of the nodes' places
};

Moments moments_of(const NodeMap& nodes) {
  Moments m;
  for (const int power : {1, 2})
    for_each_fluid(nodes, [&](const Int3& node) {
      m.nodes += power == 1 ? 1 : 0;
      for (int axis = 0; axis < 3; ++axis) {
        const double place = node[axis] + 0.5, from = place - m.centre[axis] / m.nodes;
        (power == 1 ? m.centre : m.spread)[axis] += power == 1 ? place : from * from;
      }
    });
  for (int axis = 0; axis < 3; ++axis) {
    m.centre[axis] /= m.nodes;
    m.spread[axis] = std::sqrt(m.spread[axis] / m.nodes);
  }
  return m;
}

struct Vessel {
  const char* name;
  std::function<void(Case&, Case::Generator&)> set;
  Int3 size;
  Moments expected;
};

const std::vector<Vessel> vessels = {
    {"pipe",
     [](Case&, Case::Generator& g) {
       g.kind = "pipe";
       g.diameter = 9.4;
       g.length = 31;
     },
     {31, 12, 12},
     {2108, {15.50, 6.00, 6.00}, {8.94, 2.33, 2.33}}},
    {"coarctation",
     [](Case& c, Case::Generator& g) {
       g.kind = "coarctation";
       g.diameter = 14.6;
       g.severity = 0.35;
       g.length = 70;
       c.domain.padding = 3;
     },
     {70, 21, 21},
     {10590, {35.00, 10.50, 10.50}, {21.72, 3.58, 3.58}}},
    {"aneurysm",
     [](Case&, Case::Generator& g) {
       g.kind = "aneurysm";
       g.diameter = 12.2;
       g.bend_radius = 19;
       g.sac_diameter = 17;
       g.length = 66;
     },
     {49, 49, 19},
     {10207, {29.47, 19.16, 9.50}, {12.13, 12.39, 3.30}}},
    {"aneurysm_by_default",
     [](Case& c, Case::Generator& g) {
       g.kind = "aneurysm";
       g.diameter = 4e-3;
       c.units.system = "si";
       c.units.spacing = 4e-4;
     },
     {47, 47, 14},
     {6530, {29.97, 16.92, 7.00}, {12.87, 12.95, 2.55}}},
    {"flat_network",
     [](Case& c, Case::Generator& g) {
       g.kind = "network";
       g.diameter = 5;
       g.generations = 3;
       g.seed = 4;
       c.domain.dimension = 2;
     },
     {302, 122, 1},
     {7996, {153.32, 60.69, 0.50}, {68.56, 30.15, 0.00}}},
    {"network",
     [](Case&, Case::Generator& g) {
       g.kind = "network";
       g.diameter = 4;
       g.generations = 2;
       g.length = 150;
       g.seed = 7;
     },
     {150, 50, 9},
     {6319, {75.48, 25.77, 4.50}, {40.70, 10.77, 1.12}}},
};

TEST(GeneratedMoments, AreThoseOfVesselsThatWereLookedAt) {
  for (const Vessel& vessel : vessels) {
    SCOPED_TRACE(vessel.name);
    Case c;
    c.geometry.generator = Case::Generator{};
    vessel.set(c, *c.geometry.generator);
    c.boundaries = {boundary("inlet", "velocity"), boundary("outlet", "pressure")};
    const Geometry g = build(c);
    const Moments found = moments_of(g.nodes), &expected = vessel.expected;
    EXPECT_EQ(g.nodes.size, vessel.size);
    // A node on the wall may go either way with the rounding of a machine.
    EXPECT_NEAR(found.nodes, expected.nodes, 2e-3 * expected.nodes);
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_NEAR(found.centre[axis], expected.centre[axis], 0.03) << axis;
      EXPECT_NEAR(found.spread[axis], expected.spread[axis], 0.03) << axis;
    }
  }
}

}  // namespace
}  // namespace fluvia::test
