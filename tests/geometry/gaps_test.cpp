// SPDX-License-Identifier: Apache-2.0
// Gaps between walls that face each other, as below a car, and what makes them wide enough.
#include "fluvia/geometry/analysis.hpp"
#include "geometry/test_support.hpp"

namespace fluvia::test {
namespace {

/// A box of 48 x 24 x 24 nodes with a body of 12 x 8 x 6 nodes that hovers `gap` metres above the floor; a node is 0.1
/// m.
Case hovering(double gap) {
  Case c;
  c.units.system = "si";
  c.units.spacing = 0.1;
  c.domain.size = Real3{4.8, 2.4, 2.4};
  Case::Shape body = shape("box", "solid", "body");
  body.size = {1.2, 0.8, 0.6};
  body.center = {2.4, 1.2, gap + 0.3};
  c.geometry.shapes = {body};
  c.boundaries = {boundary("x_min", "velocity"), boundary("x_max", "pressure"), boundary("y_min", "free_slip"),
                  boundary("y_max", "free_slip"), boundary("z_max", "free_slip")};
  return c;
}

TEST(Gaps, BelowABodyAreFoundThoughTheyAreAThousandthOfTheFluid) {
  const GeometryReport report = build(hovering(0.26)).report;
  EXPECT_NEAR(report.narrowest_gap, 2.6, 0.02);
  EXPECT_EQ(report.gap_nodes, 288U);
  EXPECT_NEAR(report.narrowest_gap_at[2], 0.15, 0.11);
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_NE(report.warnings[0].find("lie in gaps between walls that are narrower than 4 nodes"), std::string::npos);
}

TEST(Gaps, TheRemedyMakesThemWideEnough) {
  Case c = hovering(0.26);
  const std::string warning = build(c).report.warnings.at(0), key = "--set units.spacing=";
  const std::size_t at = warning.find(key);
  ASSERT_NE(at, std::string::npos) << warning;
  c.units.spacing = std::stod(warning.substr(at + key.size()));
  EXPECT_NEAR(*c.units.spacing, 0.0649, 0.0002);
  const GeometryReport finer = build(c).report;
  EXPECT_EQ(finer.gap_nodes, 0U);
  c = hovering(0.26);
  c.domain.size.reset();
  c.domain.nodes = Int3{48, 24, 24};
  EXPECT_NE(build(c).report.warnings.at(0).find("--set domain.nodes=[74,37,37]"), std::string::npos)
      << build(c).report.warnings.at(0);
}

/// Where bodies touch, or nearly do, no spacing makes their gap wide: the remedy shows how much that matters.
TEST(Gaps, TheRemedyOfOnesThatNoSpacingResolvesIsAffordable) {
  const std::string warning = build(hovering(0.07)).report.warnings.at(0);
  EXPECT_NE(warning.find("which no spacing resolves"), std::string::npos) << warning;
  EXPECT_NE(warning.find("--set units.spacing=0.05 (8 times the nodes)"), std::string::npos) << warning;
}

/// Half of a channel with a block that leaves `gap` metres up to a plane of symmetry: a slit twice as wide. Or, without
/// the plane, the whole.
Case slit(double gap, bool half, const std::string& method) {
  Case c;
  c.units.system = "si";
  c.units.spacing = 0.1;
  c.domain.size = Real3{2.4, half ? 1.2 : 2.4, 0.8};
  c.domain.periodic = {false, false, true};
  c.walls.method = method;
  c.boundaries = {boundary("x_min", "velocity"), boundary("x_max", "pressure")};
  if (half) c.boundaries.push_back(boundary("y_max", "symmetry"));
  for (const double side : {-1.0, 1.0}) {
    Case::Shape block = shape("box", "solid", side < 0 ? "lower" : "upper");
    block.size = {0.8, 1.2, 1.6};
    block.center = {1.2, 1.2 + side * (gap + 0.6), 0.4};
    if (side < 0 || !half) c.geometry.shapes.push_back(block);
  }
  return c;
}

TEST(Gaps, AtAPlaneOfSymmetryAreThoseOfTheWhole) {
  for (const std::string method : {"interpolated", "half-way"})
    for (const double gap : {0.1, 0.13, 0.2, 0.3}) {
      const GeometryReport whole = build(slit(gap, false, method)).report, half = build(slit(gap, true, method)).report;
      EXPECT_EQ(2 * half.gap_nodes, whole.gap_nodes) << method << ' ' << gap;
      EXPECT_EQ(2 * half.narrow_nodes, whole.narrow_nodes) << method << ' ' << gap;
      EXPECT_NEAR(half.narrowest_gap, whole.narrowest_gap, 1e-9) << method << ' ' << gap;
      EXPECT_EQ(half.warnings.size(), whole.warnings.size()) << method << ' ' << gap;
      EXPECT_EQ(half.gap_nodes > 0, gap < 0.15) << method << ' ' << gap;
    }
}

TEST(Gaps, AreNoneBetweenPlanesOfSymmetry) {
  Case c = slit(0.4, true, "half-way");
  c.geometry.shapes.clear();
  c.domain.size = Real3{2.4, 0.2, 0.8};
  c.boundaries.push_back(boundary("y_min", "symmetry"));
  EXPECT_EQ(build(c).report.narrow_nodes, 0U);
}

TEST(Gaps, AreNoneBelowABodyOnTheGroundOrHighAboveIt) {
  for (const double gap : {0.0, 0.4, 0.8}) {
    const GeometryReport report = build(hovering(gap)).report;
    EXPECT_EQ(report.gap_nodes, 0U) << gap;
    EXPECT_EQ(report.narrowest_gap, 0) << gap;
    EXPECT_TRUE(report.warnings.empty()) << gap;
  }
}

TEST(Gaps, TheEdgeOfARoundWallIsNone) {
  for (const std::string method : {"interpolated", "half-way"})
    for (const double diameter : {15.0, 20.3, 41.7}) {
      Case c;
      c.domain.nodes = Int3{20, 46, 46};
      c.domain.periodic = {true, false, false};
      c.walls.method = method;
      Case::Shape pipe = shape("cylinder", "fluid");
      pipe.from = {-1, 23.2, 22.9};
      pipe.to = {40, 23.2, 22.9};
      pipe.radius = diameter / 2;
      c.geometry.shapes = {pipe};
      const GeometryReport report = build(c).report;
      EXPECT_EQ(report.gap_nodes, 0U) << method << ' ' << diameter;
      EXPECT_TRUE(report.warnings.empty()) << method << ' ' << diameter;
    }
}

TEST(Gaps, ANarrowPipeIsOne) {
  Case c;
  c.domain.nodes = Int3{20, 10, 10};
  c.domain.periodic = {true, false, false};
  Case::Shape pipe = shape("cylinder", "fluid");
  pipe.from = {-1, 5, 5};
  pipe.to = {40, 5, 5};
  pipe.radius = 1.4;
  c.geometry.shapes = {pipe};
  const GeometryReport report = build(c).report;
  EXPECT_EQ(report.gap_nodes, 80U);
  EXPECT_NE(report.warnings.at(0).find("times as many nodes along each axis"), std::string::npos)
      << report.warnings.at(0);
}

TEST(ForgottenUnit, IsNamedWithWhatEachWouldGive) {
  const TemporaryFolder folder;
  folder.write("tube.stl", binary_stl(tube_soup(0, 40, {0, 9, 7}, 8, true, false, false)));
  const std::string text = R"([units]
system = "si"
spacing = 3e-4
density = 1000.0
viscosity = 1e-6
tau = 0.8
[geometry]
allow_defects = true
[[geometry.stl]]
file = "tube.stl"
)",
                    end = "[run]\nsteps = 1\n";
  expect_message([&] { make_grid(parse_case(text + end, folder.path() / "case.toml")); },
                 {"case.toml:9", "geometry.stl[0].unit", "is missing, which makes the surface 40 m long",
                  "0.001 (mm): 0.04 m, 133 nodes"});
  EXPECT_EQ(make_grid(parse_case(text + "unit = 0.001\n" + end, folder.path() / "case.toml")).size[0], 136);
  expect_message([&] { make_grid(parse_case(text + "unit = 1e-6\n" + end, folder.path() / "case.toml")); },
                 {"geometry.stl[0].unit: '1e-06' makes the surface 4e-05 m long, 0.133 nodes"});
}

}  // namespace
}  // namespace fluvia::test
