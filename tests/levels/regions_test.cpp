// SPDX-License-Identifier: Apache-2.0
// Which parts of a box the regions of a case refine: shapes, surfaces from files, gaps.
#include "fluvia/geometry/levels/regions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fluvia/case/case.hpp"
#include "fluvia/geometry/geometry.hpp"
#include "fluvia/geometry/levels/level_map.hpp"
#include "fluvia/run/checks/parameters.hpp"
#include "fluvia/units/units.hpp"
#include "support/errors.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

const std::string box_2d = R"(
[units]
tau = 0.6
[domain]
dimension = 2
nodes = [64, 48]
[run]
steps = 1
)";

const std::string box_3d = R"(
[units]
tau = 0.6
[domain]
nodes = [32, 32, 32]
periodic = [true, true, true]
[run]
steps = 1
)";

/// A case with its geometry and the levels that it asks for.
struct Made {
  Case c;
  Grid grid;
  Geometry geometry;
  LevelMap map;
};

Made make(const Case& c) {
  const Grid grid = make_grid(c);
  Geometry geometry = build_geometry(c, grid);
  LevelMap map = make_level_map(c, grid, geometry);
  return {c, grid, std::move(geometry), std::move(map)};
}

Made make(const std::string& text) {
  return make(parse_case(text, "case.toml"));
}

std::string error_of_case(const std::string& text) {
  return error_of(ExitCode::input, [&] { make(text); });
}

/// The tiles of level 0 that are refined.
std::vector<Int3> refined_tiles(const Made& made) {
  std::vector<Int3> tiles;
  const Int3 count = made.map.tiles(0);
  for (int z = 0; z < count[2]; ++z)
    for (int y = 0; y < count[1]; ++y)
      for (int x = 0; x < count[0]; ++x)
        if (made.map.is_refined(0, {x, y, z})) tiles.push_back({x, y, z});
  return tiles;
}

/// The tiles of level 0 in which a node lies that is inside.
template <class Inside>
std::vector<Int3> tiles_inside(const Made& made, const Inside& inside) {
  std::vector<Int3> tiles;
  const Int3 count = made.map.tiles(0), shape = tile_shape(made.grid.dimension);
  for (int z = 0; z < count[2]; ++z)
    for (int y = 0; y < count[1]; ++y)
      for (int x = 0; x < count[0]; ++x) {
        bool any = false;
        for (int bit = 0; bit < nodes_per_tile; ++bit) {
          const Int3 local = tile_local(made.grid.dimension, bit);
          any = any || inside(Real3{x * shape[0] + local[0] + 0.5, y * shape[1] + local[1] + 0.5,
                                    z * shape[2] + local[2] + 0.5});
        }
        if (any) tiles.push_back({x, y, z});
      }
  return tiles;
}

TEST(Regions, OfAShapeAreTheTilesWithNodesInIt) {
  const Made disc = make(box_2d + "[[refine]]\nshape = { kind = \"cylinder\", from = [30, 24], radius = 9 }\n");
  EXPECT_EQ(refined_tiles(disc),
            tiles_inside(disc, [](const Real3& p) { return std::hypot(p[0] - 30, p[1] - 24) <= 9; }));
  const Made rod = make(box_3d +
                        "[[refine]]\nshape = { kind = \"cylinder\", from = [6, 16, 16], to = [26, 16, 16], radius = 5 "
                        "}\n");
  EXPECT_EQ(refined_tiles(rod), tiles_inside(rod, [](const Real3& p) {
              return p[0] >= 6 && p[0] <= 26 && std::hypot(p[1] - 16, p[2] - 16) <= 5;
            }));
}

/// A wake widens: at x the cone has the radius 2 + (x - 6) / 4.
TEST(Regions, OfAConeWidenAlongIt) {
  const Made cone = make(box_3d +
                         "[[refine]]\nshape = { kind = \"cone\", from = [6, 16, 16], to = [26, 16, 16], radius = 2, "
                         "end_radius = 7 }\n");
  EXPECT_EQ(refined_tiles(cone), tiles_inside(cone, [](const Real3& p) {
              return p[0] >= 6 && p[0] <= 26 && std::hypot(p[1] - 16, p[2] - 16) <= 2 + 0.25 * (p[0] - 6);
            }));
}

/// A tetrahedron as STL.
std::string tetrahedron() {
  const std::string a = "vertex 4 4 4\n", b = "vertex 28 4 4\n", c = "vertex 4 28 4\n", d = "vertex 4 4 28\n";
  const auto facet = [](const std::string& p, const std::string& q, const std::string& r) {
    return "facet normal 0 0 0\nouter loop\n" + p + q + r + "endloop\nendfacet\n";
  };
  return "solid zone\n" + facet(a, c, b) + facet(a, b, d) + facet(a, d, c) + facet(b, c, d) + "endsolid zone\n";
}

TEST(Regions, OfASurfaceAreItsInside) {
  const TemporaryFolder folder;
  folder.write("zone.stl", tetrahedron());
  const Made zone = make(read_case(folder.write("case.toml", box_3d + "[[refine]]\nsurface = \"zone.stl\"\n")));
  EXPECT_EQ(refined_tiles(zone), tiles_inside(zone, [](const Real3& p) {
              return p[0] > 4 && p[1] > 4 && p[2] > 4 && (p[0] - 4) + (p[1] - 4) + (p[2] - 4) < 24;
            }));
  const Made half =
      make(read_case(folder.write("half.toml", box_3d + "[[refine]]\nsurface = \"zone.stl\"\nunit = 0.5\n")));
  EXPECT_LT(refined_tiles(half).size(), refined_tiles(zone).size());
  EXPECT_EQ(zone.geometry.surfaces.size(), half.geometry.surfaces.size());
  EXPECT_EQ(zone.geometry.nodes.fluid_nodes, 32U * 32 * 32);
}

/// A channel along x, 20 nodes wide, with a throat in its middle that leaves so many.
std::string throat(int across, const std::string& more) {
  const int block = (20 - across) / 2;
  const auto bump = [](double y, int height) {
    return "[[geometry.shape]]\nname = \"throat\"\nkind = \"box\"\ncenter = [80, " + std::to_string(y) +
           "]\nsize = [16, " + std::to_string(height) + "]\n";
  };
  return R"(
[units]
tau = 0.6
[domain]
dimension = 2
nodes = [160, 20]
[run]
steps = 1
)" + bump(0.5 * block, block) +
         bump(20 - 0.5 * block, block) + more;
}

TEST(Regions, OfGapsTakeTheLevelThatTheyNeed) {
  const std::string wanted = "[[refine]]\ngap = 8\nlevel = 3\n";
  const auto middle = [](const Made& made) { return made.map.level_at({80, 10, 0}); };
  const Made wide = make(throat(8, wanted)), narrow = make(throat(6, wanted)), narrowest = make(throat(2, wanted)),
             capped = make(throat(2, "[[refine]]\ngap = 8\nlevel = 1\n"));
  EXPECT_EQ(middle(wide), 0);
  EXPECT_EQ(middle(narrow), 1);
  EXPECT_EQ(middle(narrowest), 2);
  EXPECT_EQ(middle(capped), 1);
  // The channel has 20 nodes, so that only the throat and what surrounds it is refined.
  EXPECT_EQ(narrow.map.level_at({8, 10, 0}), 0);
  EXPECT_EQ(narrow.map.level_at({120, 10, 0}), 0);
  EXPECT_EQ(wide.map.finest(), 0);
}

/// Throws where conditions come too near to interfaces.
void check_levels(const Made& made) {
  std::vector<Geometry> geometries;
  for (int level = 0; level <= made.map.finest(); ++level)
    geometries.push_back(build_level_geometry(made.c, made.map, level, made.geometry));
  std::vector<const Geometry*> all;
  for (const Geometry& geometry : geometries) all.push_back(&geometry);
  check_level_conditions(made.c, made.map, all);
}

/// A passage that begins at an opening is as fine there, whatever its profile, unless the box is no whole number of
/// tiles long.
TEST(Regions, OfGapsReachOpenings) {
  const auto channel = [](const std::string& length, const std::string& profile) {
    return make(R"(
[units]
tau = 0.6
[domain]
dimension = 2
nodes = [)" + length +
                R"(, 32]
[run]
steps = 1
[[geometry.shape]]
name = "narrow"
kind = "box"
center = [30, 4]
size = [60, 8]
[[geometry.shape]]
name = "narrow"
kind = "box"
center = [30, 28]
size = [60, 8]
[[refine]]
gap = 20
level = 1
[[boundary]]
surface = "x_max"
type = "pressure"
[[boundary]]
surface = "x_min"
type = "velocity"
speed = 0.01
)" + profile);
  };
  const Made uniform = channel("160", ""), developed = channel("160", "profile = \"developed\"\n"),
             broken = channel("164", "");
  for (const Made* made : {&uniform, &developed}) {
    EXPECT_EQ(made->map.level_at({0, 16, 0}), 1);
    EXPECT_EQ(made->map.level_at({120, 16, 0}), 0);
    EXPECT_NO_THROW(check_levels(*made));
  }
  EXPECT_EQ(broken.map.level_at({0, 16, 0}), 0);
  EXPECT_EQ(broken.map.level_at({40, 16, 0}), 1);
  EXPECT_NO_THROW(check_levels(broken));
}

/// An opening that is no face of the box lies on one level: a region that comes to it, or what lies between levels,
/// takes in all of it.
TEST(Regions, TakeInAllOfOpeningsInsideTheBox) {
  const auto pipe = [](const std::string& region) {
    return make(R"(
[units]
tau = 0.6
[domain]
nodes = [96, 32, 32]
[run]
steps = 1
[[geometry.shape]]
name = "pipe"
kind = "cylinder"
operation = "fluid"
from = [4, 16, 16]
to = [92, 16, 16]
radius = 11
[[opening]]
name = "in"
center = [10.3, 16, 16]
normal = [-1, 0, 0]
radius = 13
[[opening]]
name = "out"
center = [85.7, 16, 16]
normal = [1, 0, 0]
radius = 13
[[boundary]]
surface = "in"
type = "velocity"
speed = 0.01
profile = "developed"
[[boundary]]
surface = "out"
type = "pressure"
)" + region);
  };
  const auto levels_at = [](const Made& made, const char* opening) {
    const auto& names = made.geometry.surfaces;
    const int surface = static_cast<int>(std::find(names.begin(), names.end(), opening) - names.begin());
    std::set<int> levels;
    for (const Int3& node : geometry::nodes_beside(made.geometry, surface)) levels.insert(made.map.level_at(node));
    return levels;
  };
  const Made corner = pipe("[[refine]]\nlevel = 1\nbox = [[8.1, 8.1, 8.1], [15.9, 15.9, 15.9]]\n"),
             beside = pipe("[[refine]]\nlevel = 2\nbox = [[16.1, 8.1, 8.1], [19.9, 11.9, 11.9]]\n"),
             away = pipe("[[refine]]\nlevel = 1\nbox = [[40.1, 8.1, 8.1], [47.9, 15.9, 15.9]]\n");
  EXPECT_EQ(levels_at(corner, "in"), std::set<int>{1});
  EXPECT_EQ(levels_at(beside, "in"), std::set<int>{1}) << "level 1 around level 2 comes to it";
  for (const Made* made : {&corner, &beside}) EXPECT_EQ(levels_at(*made, "out"), std::set<int>{0});
  EXPECT_EQ(levels_at(away, "in"), std::set<int>{0});
  for (const Made* made : {&corner, &beside, &away}) EXPECT_NO_THROW(check_levels(*made));
}

/// A finer level sees the spheres of a packing as they lie, with more nodes, and the voxels of an image as they are.
TEST(Regions, SeeGeneratorsAndImagesFiner) {
  const std::string centre = "[[refine]]\nlevel = 2\nbox = [[12.1, 12.1, 12.1], [19.9, 19.9, 19.9]]\n";
  const Made packing = make(
      box_3d + "[geometry.generator]\nkind = \"sphere_packing\"\ndiameter = 9\nporosity = 0.7\nseed = 3\n" + centre);
  const TemporaryFolder folder;
  const std::filesystem::path voxels = folder.path() / "voxels.raw";
  {
    std::ofstream file(voxels, std::ios::binary);
    for (int k = 0; k < 16 * 16 * 16; ++k)
      file.put(static_cast<char>((k * 7 + k / 16 * 5 + k / 256 * 3) % 11 < 7 ? 1 : 0));
  }
  const Made image =
      make(read_case(folder.write("image.toml",
                                  "[units]\ntau = 0.6\n[domain]\nperiodic = [true, true, true]\n[run]\nsteps = 1\n"
                                  "[geometry]\nkeep_isolated = true\n[geometry.voxels]\nfile = \"voxels.raw\"\nshape = "
                                  "[16, 16, 16]\nbits = 8\nfluid_above = 0.5\nrefine = 2\n" +
                                      centre)));
  for (const Made* made : {&packing, &image}) {
    ASSERT_EQ(made->map.finest(), 2);
    const Geometry finest = build_level_geometry(made->c, made->map, 2, made->geometry);
    std::uint64_t fluid = 0, all = 0;
    for (int z = 48; z < 80; ++z)
      for (int y = 48; y < 80; ++y)
        for (int x = 48; x < 80; ++x, ++all) {
          const bool is_fluid = finest.nodes.is_fluid({x, y, z});
          fluid += is_fluid ? 1 : 0;
          if (made == &image) {
            ASSERT_EQ(is_fluid, made->geometry.nodes.is_fluid({x / 4, y / 4, z / 4}));
          }
        }
    EXPECT_GT(fluid, all / 8);
    EXPECT_LT(fluid, all - all / 20);
  }
  // Spheres: what a grid of the finest spacing sees of them where they were packed on the coarsest.
  const Geometry finest = build_level_geometry(packing.c, packing.map, 2, packing.geometry);
  int differs = 0, solid = 0;
  for (int z = 12; z < 20; ++z)
    for (int y = 12; y < 20; ++y)
      for (int x = 12; x < 20; ++x) {
        int of_children = 0;
        for (int k = 0; k < 64; ++k)
          of_children += finest.nodes.is_fluid({4 * x + k % 4, 4 * y + k / 4 % 4, 4 * z + k / 16}) ? 1 : 0;
        solid += of_children < 32 ? 1 : 0;
        differs += (of_children >= 32) != packing.geometry.nodes.is_fluid({x, y, z}) ? 1 : 0;
      }
  EXPECT_GT(solid, 50);
  EXPECT_LT(differs, 25) << "of nodes at surfaces";
}

/// Nodes count where they are: a gap of three nodes of the coarsest level has six of the next.
TEST(Regions, EndTheWarningOfNarrowGaps) {
  const auto warns = [](const Made& made) {
    for (const std::string& warning : made.geometry.report.warnings)
      if (warning.find("narrower than 4 nodes") != std::string::npos) return true;
    return false;
  };
  EXPECT_TRUE(warns(make(throat(2, ""))));
  EXPECT_TRUE(warns(make(throat(2, "[[refine]]\nbox = [[20, 4], [40, 16]]\n"))));
  EXPECT_FALSE(warns(make(throat(2, "[[refine]]\nbox = [[64, 4], [96, 16]]\n"))));
  const Made made = make(throat(2, "[[refine]]\ngap = 8\nlevel = 2\n"));
  EXPECT_EQ(made.geometry.report.levels.size(), 3U);
}

/// The narrowest place that a flow has to pass is as wide as the nodes there say.
TEST(Regions, CountWhereAFlowHasToPass) {
  const std::string ends =
      "[[boundary]]\nsurface = \"x_min\"\ntype = \"velocity\"\nvelocity = [0.01, 0]\n"
      "[[boundary]]\nsurface = \"x_max\"\ntype = \"pressure\"\n";
  EXPECT_EQ(make(throat(4, ends)).geometry.report.narrowest_way, 4);
  EXPECT_EQ(make(throat(4, ends + "[[refine]]\ngap = 8\n")).geometry.report.narrowest_way, 8);
  EXPECT_EQ(make(throat(4, ends + "[[refine]]\ngap = 10\nlevel = 2\n")).geometry.report.narrowest_way, 0);
}

TEST(Regions, ThatAreNowhereAreRefused) {
  const auto contains = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  const std::string none = error_of_case(box_2d + "[[refine]]\nlevel = 1\n"),
                    two = error_of_case(box_2d + "[[refine]]\ngap = 8\nbox = [[1, 1], [9, 9]]\n"),
                    outside = error_of_case(box_2d +
                                            "[[refine]]\nshape = { kind = \"sphere\", center = [300, 24], radius = 9 "
                                            "}\n"),
                    flat = error_of_case(box_2d + "[[refine]]\nshape = { kind = \"sphere\", center = [30, 24] }\n"),
                    distance = error_of_case(box_2d + "[[refine]]\ngap = 8\ndistance = 3\n"),
                    surface = error_of_case(box_3d + "[[refine]]\nsurface = \"missing.stl\"\n");
  EXPECT_TRUE(contains(none, "none of 'box', 'around', 'shape', 'surface' and 'gap' is given")) << none;
  EXPECT_TRUE(contains(two, "'box' and 'gap' contradict each other")) << two;
  EXPECT_TRUE(contains(outside, "refine[0].shape: no node of level 0 lies inside")) << outside;
  EXPECT_TRUE(contains(flat, "'radius' is missing")) << flat;
  EXPECT_TRUE(contains(distance, "'distance' has no meaning without 'around'")) << distance;
  EXPECT_TRUE(contains(surface, "missing.stl")) << surface;
}

const std::string in_si = R"(
[units]
system = "si"
density = 1
viscosity = 1e-3
reference_velocity = 0.2
reference_length = 0.02
lattice_velocity = 0.02
[domain]
dimension = 2
size = [0.64, 0.32]
[run]
steps = 1
[[refine]]
level = 2
box = [[0.2, 0.1], [0.3, 0.2]]
)";

TEST(Regions, GiveTheSpacingOfTheCoarsestLevelFromThatOfTheFinest) {
  const auto with = [](const std::string& key) {
    std::string text = in_si;
    return parse_case(text.replace(text.find("density"), 0, key + "\n"), "case.toml");
  };
  EXPECT_DOUBLE_EQ(make_grid(with("finest_spacing = 0.0025")).spacing, 0.01);
  EXPECT_EQ(make_grid(with("finest_spacing = 0.0025")).size, make_grid(with("spacing = 0.01")).size);
  EXPECT_EQ(with("finest_spacing = 0.0025").spacing_setting(0.02),
            std::pair(std::string("units.finest_spacing"), 0.005));
  EXPECT_EQ(with("spacing = 0.01").spacing_setting(0.02), std::pair(std::string("units.spacing"), 0.02));
  const std::string both = error_of(ExitCode::input, [&] { with("spacing = 0.01\nfinest_spacing = 0.0025"); });
  EXPECT_NE(both.find("'spacing' and 'finest_spacing' contradict each other"), std::string::npos) << both;
}

/// Two nodes of the coarsest level along the reference length are eight of the finest, of which the advice is.
TEST(Regions, AreWhatAdviceOnUnitsCounts) {
  const auto advice = [](double spacing) {
    std::string text = in_si;
    text.replace(text.find("density"), 0, "spacing = " + std::to_string(spacing) + "\n");
    const Case c = parse_case(text, "case.toml");
    std::string all;
    for (const UnitsAdvice& each : advise_units(c, make_units(c, *c.spacing()))) all += each.message + "\n";
    return all;
  };
  EXPECT_NE(advice(0.01).find("on level 2, the finest: only 8 nodes along the reference length"), std::string::npos)
      << advice(0.01);
  EXPECT_NE(advice(0.01).find("set units.spacing = 0.008 or less"), std::string::npos) << advice(0.01);
  EXPECT_EQ(advice(0.005).find("along the reference length"), std::string::npos) << advice(0.005);
}

constexpr const char* stream = R"(
[units]
tau = 0.502
[domain]
dimension = 3
nodes = [40, 24, 24]
[[refine]]
level = 1
box = [[12, 8, 8], [20, 16, 16]]
[[boundary]]
surface = "x_min"
type = "velocity"
velocity = [0.06, 0, 0]
[[boundary]]
surface = "x_max"
type = "pressure"
[run]
steps = 1
)";

/// A stream of Reynolds number 90 a node leaves through an outlet. It is the inlet that says how fast it is, not a
/// reference velocity, by which "auto" chooses.
TEST(Regions, AreNoPlaceForThinStreamsWithoutTheCollisionThatOutletsBear) {
  const auto advice = [](const std::string& collision, const std::string& viscosity) {
    std::string text = stream;
    text.replace(text.find("tau = 0.502"), 11, viscosity);
    const Case c = parse_case(text + "[numerics]\ncollision = \"" + collision + "\"\n", "case.toml");
    const Units units = make_units(c, 1);
    std::string all;
    for (const std::string& each : advise_parameters({c, units, build_geometry(c, make_grid(c))})) all += each + "\n";
    return all;
  };
  for (const std::string collision : {"auto", "mrt", "regularized"})
    EXPECT_NE(advice(collision, "tau = 0.502").find("is 90; --set numerics.collision=recursive-regularized"),
              std::string::npos)
        << advice(collision, "tau = 0.502");
  for (const std::string& text : {advice("recursive-regularized", "tau = 0.502"), advice("mrt", "tau = 0.503")})
    EXPECT_EQ(text.find("outlets"), std::string::npos) << text;
}

}  // namespace
}  // namespace fluvia::test
