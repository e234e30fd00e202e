// SPDX-License-Identifier: Apache-2.0
#include "fluvia/base/text.hpp"
#include "geometry/test_support.hpp"

namespace fluvia::test {
namespace {

using std::numbers::pi;

Case packing(const Int3& size, bool periodic, double porosity, double diameter, std::uint64_t seed) {
  Case c;
  c.domain.nodes = size;
  c.domain.periodic = {periodic, periodic, periodic};
  c.geometry.generator = Case::Generator{};
  c.geometry.generator->kind = "sphere_packing";
  c.geometry.generator->porosity = porosity;
  c.geometry.generator->diameter = diameter;
  c.geometry.generator->seed = seed;
  c.geometry.keep_isolated = true;
  return c;
}

TEST(SpherePacking, HitsThePorosity) {
  for (const bool periodic : {true, false}) {
    for (const double porosity : {0.9, 0.5, 0.2, 0.05}) {
      const Geometry g = build(packing({50, 61, 47}, periodic, porosity, 13, 5));
      EXPECT_NEAR(g.nodes.porosity(), porosity, 0.005 * porosity) << periodic;
    }
  }
  Case flat = packing({150, 130, 1}, true, 0.6, 20, 2);
  flat.domain.dimension = 2;
  EXPECT_NEAR(build(flat).nodes.porosity(), 0.6, 0.003);
}

/// FNV-1a over the masks.
std::uint64_t fingerprint(const NodeMap& nodes) {
  Fnv1a hash;
  for (const NodeMap::Tile& tile : nodes.tiles) {
    hash.add({reinterpret_cast<const char*>(&tile.mask), sizeof tile.mask});
    hash.add({reinterpret_cast<const char*>(tile.position.data()), sizeof tile.position});
  }
  return hash.value();
}

TEST(SpherePacking, DependsOnTheSeedOnly) {
  const std::uint64_t first = fingerprint(build(packing({40, 40, 40}, true, 0.7, 11, 1)).nodes);
  EXPECT_EQ(first, fingerprint(build(packing({40, 40, 40}, true, 0.7, 11, 1)).nodes));
  EXPECT_NE(first, fingerprint(build(packing({40, 40, 40}, true, 0.7, 11, 2)).nodes));
  EXPECT_EQ(first, 18064873287149520179u) << "the packing must be the same on every machine";
}

TEST(SpherePacking, CentersInFluidKeepSpheresApart) {
  for (const bool periodic : {true, false})
    for (std::uint64_t seed = 1; seed < 4; ++seed) {
      Case c = packing({60, 64, 56}, periodic, 0.15, 16, seed);
      const Geometry anywhere = build(c);
      c.geometry.generator->centers_in_fluid = true;
      const Geometry apart = build(c);
      EXPECT_NEAR(apart.nodes.porosity(), 0.15, 0.001);
      // Less overlap leaves finer pores.
      EXPECT_LT(apart.nodes.tile_porosity(), anywhere.nodes.tile_porosity());
    }
}

TEST(SpherePacking, SpheresWrapAroundPeriodicAxes) {
  // One sphere, moved anywhere: the same number of solid nodes wherever it wraps, within the roundness of a lattice.
  for (std::uint64_t seed = 1; seed < 6; ++seed) {
    const Geometry g = build(packing({70, 33, 40}, true, 0.96, 20, seed));
    EXPECT_NEAR(1 - g.nodes.porosity(), 0.04, 0.0002);
  }
}

TEST(SpherePacking, NamesWhatIsWrong) {
  expect_message([] { build(packing({20, 20, 20}, true, 1.0, 5, 1)); }, {"porosity is 1", "between 0 and 1"});
  expect_message([] { build(packing({20, 20, 20}, true, 0, 5, 1)); }, {"porosity is 0"});
  expect_message([] { build(packing({20, 20, 20}, true, 0.5, 0, 1)); }, {"diameter of 0 nodes"});
  expect_message([] { build(packing({20, 20, 20}, true, 0.5, 30, 1)); }, {"do not fit", "20 nodes along x"});
  Case c = packing({20, 20, 20}, true, 0.5, 5, 1);
  c.domain.nodes.reset();
  expect_message([&] { make_grid(c); }, {"domain", "size of the box"});
}

Case vessel(const std::string& kind, double diameter) {
  Case c;
  c.geometry.generator = Case::Generator{};
  c.geometry.generator->kind = kind;
  c.geometry.generator->diameter = diameter;
  c.boundaries = {boundary("inlet", "velocity"), boundary("outlet", "pressure")};
  return c;
}

const Opening& opening(const Geometry& g, const std::string& name) {
  for (const Opening& o : g.openings) {
    if (o.name == name) return o;
  }
  throw std::runtime_error("no opening " + name);
}

TEST(Vessels, PipeHasItsVolumeAndEnds) {
  const Geometry g = build(vessel("pipe", 30));
  EXPECT_EQ(g.nodes.size, (Int3{180, 32, 32}));
  EXPECT_NEAR(static_cast<double>(g.nodes.fluid_nodes), 180 * pi * 225, 0.02 * 180 * pi * 225);
  const Opening& inlet = opening(g, "inlet");
  EXPECT_EQ(inlet.normal, (Real3{-1, 0, 0}));
  EXPECT_EQ(opening(g, "outlet").normal, (Real3{1, 0, 0}));
  EXPECT_NEAR(inlet.area, pi * 225, 10);
  EXPECT_NEAR(norm(inlet.centroid - Real3{0, 16, 16}), 0, 1e-9);
  EXPECT_NEAR(inlet.parabola({0, 16, 16}), 1, 1e-9);
  EXPECT_NEAR(inlet.parabola({0, 16 + 7.5, 16}), 0.75, 0.01);
  EXPECT_NEAR(inlet.parabola({0, 16, 1}), 0, 0.02);
  const std::vector<int> links = count_links(g);
  EXPECT_EQ(links[surface_id::x_min], 0) << "the face goes by the name inlet";
  EXPECT_GT(links[surface_number(g, "inlet")], 0);
}

TEST(Vessels, EndsKeepTheirFaceNamesToo) {
  Case c = vessel("pipe", 12);
  c.boundaries = {boundary("x_min", "velocity"), boundary("outlet", "pressure")};
  const Geometry g = build(c);
  EXPECT_EQ(opening(g, "x_min").surface, static_cast<int>(surface_id::x_min));
  EXPECT_EQ(opening(g, "outlet").normal, (Real3{1, 0, 0}));
  c.boundaries.push_back(boundary("inlet", "velocity"));
  expect_message([&] { build(c); }, {"\"inlet\"", "x_min", "keep one"});
}

TEST(Vessels, CoarctationNarrowsInTheMiddle) {
  Case c = vessel("coarctation", 40);
  c.geometry.generator->severity = 0.5;
  const Geometry g = build(c);
  const auto area = [&](int x) {
    int count = 0;
    for (int z = 0; z < g.nodes.size[2]; ++z) {
      for (int y = 0; y < g.nodes.size[1]; ++y) count += g.nodes.is_fluid({x, y, z});
    }
    return count;
  };
  EXPECT_NEAR(area(g.nodes.size[0] / 2), pi * 100, 0.05 * pi * 100);
  EXPECT_NEAR(area(0), pi * 400, 0.02 * pi * 400);
}

/// An aorta: a quarter bend, and the throat in the middle of the straight part behind it.
TEST(Vessels, CoarctationMayBeBent) {
  Case c = vessel("coarctation", 20);
  Case::Generator& aorta = *c.geometry.generator;
  aorta.severity = 0.5;
  aorta.bend_radius = 50;
  aorta.length = 0.5 * pi * 50 + 2 * 70;
  const Geometry g = build(c);
  const Int3 size = g.nodes.size;
  EXPECT_EQ(size, (Int3{131, 131, 22})) << "70 straight, 50 bent, half a diameter, a node of wall";
  EXPECT_EQ(opening(g, "inlet").normal, (Real3{-1, 0, 0}));
  EXPECT_EQ(opening(g, "outlet").normal, (Real3{0, 1, 0}));
  const auto area = [&](int y) {  // beyond the bend
    int count = 0;
    for (int z = 0; z < size[2]; ++z)
      for (int x = 0; x < size[0]; ++x) count += g.nodes.is_fluid({x, y, z});
    return count;
  };
  EXPECT_NEAR(area(size[1] - 1), pi * 100, 0.05 * pi * 100);
  EXPECT_NEAR(area(size[1] - 35), pi * 25, 0.1 * pi * 25) << "half as wide in the throat";
  EXPECT_NEAR(area(size[1] - 62), pi * 100, 0.05 * pi * 100) << "before it";
  // Pappus, less what the throat lacks: of its 2 D the mean of r^2 is that of (1 - (1 + cos) / 4)^2, 19/32.
  const double tube = aorta.length * pi * 100, throat = 40 * pi * 100 * (1 - 19.0 / 32);
  EXPECT_NEAR(static_cast<double>(g.nodes.fluid_nodes), tube - throat, 0.02 * tube);
  aorta.length = 0.5 * pi * 50 + 2 * 39;
  expect_message([&] { make_grid(c); }, {"leaves 39 straight", "two diameters"});
}

TEST(Vessels, FlatOnesHaveWallsOnBothSides) {
  for (const std::string kind : {"pipe", "coarctation"}) {
    Case c = vessel(kind, 12);
    c.domain.dimension = 2;
    const Geometry g = build(c);
    const Int3 size = g.nodes.size;
    const auto width = [&](int x) {
      int count = 0;
      for (int y = 0; y < size[1]; ++y) {
        count += g.nodes.is_fluid({x, y, 0});
        EXPECT_EQ(g.nodes.is_fluid({x, y, 0}), g.nodes.is_fluid({x, size[1] - 1 - y, 0})) << kind;
      }
      return count;
    };
    EXPECT_EQ(width(0), 12) << kind;
    EXPECT_EQ(width(size[0] - 1), 12) << kind;
    if (kind == "coarctation") {
      EXPECT_NEAR(width(size[0] / 2), 12 * (1 - c.geometry.generator->severity), 1);
    }
    const std::vector<int> links = count_links(g);
    for (const int face : {surface_id::y_min, surface_id::y_max}) EXPECT_EQ(links[face], 0) << kind;
  }
}

TEST(Vessels, AneurysmIsOneVesselWithASac) {
  Case c = vessel("aneurysm", 20);
  const Geometry g = build(c);
  EXPECT_EQ(g.report.fluid_components, 1u);
  EXPECT_EQ(g.report.dropped_components, 0u);
  EXPECT_EQ(opening(g, "inlet").normal, (Real3{-1, 0, 0}));
  EXPECT_EQ(opening(g, "outlet").normal, (Real3{0, 1, 0}));
  EXPECT_NEAR(opening(g, "inlet").area, pi * 100, 8);
  EXPECT_NEAR(opening(g, "outlet").area, pi * 100, 8);
  // Vessel (Pappus) plus most of a sphere of 1.2 diameters.
  const double tube = (0.5 * pi * 40 + 80) * pi * 100, sac = pi / 6 * 24 * 24 * 24;
  EXPECT_GT(static_cast<double>(g.nodes.fluid_nodes), tube + 0.6 * sac);
  EXPECT_LT(static_cast<double>(g.nodes.fluid_nodes), tube + 1.0 * sac);
  // Solid all around, except at the two ends.
  const std::vector<int> links = count_links(g);
  for (const int face : {surface_id::x_max, surface_id::y_min, surface_id::z_min, surface_id::z_max}) {
    EXPECT_EQ(links[face], 0);
  }
}

TEST(Vessels, NetworkBranchesAndJoins) {
  Case c = vessel("network", 8);
  c.domain.dimension = 2;
  c.geometry.generator->generations = 3;
  const Geometry g = build(c);
  const Int3 size = g.nodes.size;
  // Channels that a line across the network cuts.
  const auto channels = [&](int x) {
    int count = 0;
    for (int y = 1; y < size[1]; ++y) count += g.nodes.is_fluid({x, y, 0}) && !g.nodes.is_fluid({x, y - 1, 0});
    return count;
  };
  EXPECT_EQ(channels(0), 1);
  EXPECT_EQ(channels(size[0] - 1), 1);
  EXPECT_GE(channels(size[0] / 2), 8);
  EXPECT_EQ(g.report.fluid_components, 1u);
  EXPECT_EQ(opening(g, "inlet").normal, (Real3{-1, 0, 0}));
  EXPECT_EQ(opening(g, "outlet").normal, (Real3{1, 0, 0}));
  // Murray's law over three generations: twice the width.
  EXPECT_NEAR(opening(g, "inlet").area, 16, 1);
  const std::vector<int> links = count_links(g);
  for (const int face : {surface_id::y_min, surface_id::y_max}) EXPECT_EQ(links[face], 0);
}

TEST(Vessels, NetworksFollowTheirSeed) {
  Case c = vessel("network", 6);
  c.domain.dimension = 2;
  c.geometry.generator->generations = 2;
  const auto tiles = [&](std::uint64_t seed) {
    c.geometry.generator->seed = seed;
    std::vector<std::uint64_t> masks;
    const Geometry g = build(c);
    for (const auto& tile : g.nodes.tiles) masks.push_back(tile.mask);
    return masks;
  };
  const auto one = tiles(1);
  EXPECT_EQ(tiles(1), one);
  EXPECT_NE(tiles(2), one);
}

TEST(Vessels, NetworksAreRoundInSpace) {
  Case c = vessel("network", 5);
  c.geometry.generator->generations = 1;
  const Geometry g = build(c);
  const double width = 5 * std::cbrt(2.0);
  EXPECT_EQ(g.nodes.size[2], 9);
  EXPECT_EQ(g.report.fluid_components, 1u);
  EXPECT_NEAR(opening(g, "inlet").area, 0.25 * pi * width * width, 4);
}

TEST(Vessels, NameWhatIsWrong) {
  Case c = vessel("pipe", 0);
  expect_message([&] { make_grid(c); }, {"diameter is 0", "positive"});
  c = vessel("coarctation", 10);
  c.geometry.generator->severity = 1;
  expect_message([&] { make_grid(c); }, {"severity is 1"});
  c = vessel("aneurysm", 10);
  c.geometry.generator->bend_radius = 4;
  expect_message([&] { make_grid(c); }, {"bend_radius is 4"});
  c.geometry.generator->bend_radius = 40;
  c.geometry.generator->length = 20;
  expect_message([&] { make_grid(c); }, {"length is 20", "shorter than the bend"});
  c = vessel("network", 8);
  c.geometry.generator->length = 100;
  expect_message([&] { make_grid(c); }, {"length is 100", "5 generations", "at least"});
  c.geometry.generator->generations = 9;
  expect_message([&] { make_grid(c); }, {"generations is 9", "1 to 8"});
  c = vessel("torus", 10);
  expect_message([&] { build(c); }, {"unknown kind \"torus\""});
}

}  // namespace
}  // namespace fluvia::test
