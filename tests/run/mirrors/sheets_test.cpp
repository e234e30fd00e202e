// SPDX-License-Identifier: Apache-2.0
// Sheets in whole runs: beside planes of symmetry, from files of several kinds, and what is refused.
#include <gtest/gtest.h>

#include <fstream>

#include "fluvia/base/error.hpp"
#include "fluvia/solver/plan/half_lattice.hpp"
#include "fluvia/solver/plan/scheme.hpp"
#include "run/mirrors/mirror_cases.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

using Triangles = std::vector<std::array<Real3, 3>>;

void write_triangles(const std::filesystem::path& file, const Triangles& triangles) {
  std::ofstream out(file);
  out << "solid sheet\n";
  for (const auto& t : triangles) {
    out << "facet normal 0 0 0\nouter loop\n";
    for (const Real3& p : t) out << "vertex " << p[0] << ' ' << p[1] << ' ' << p[2] << '\n';
    out << "endloop\nendfacet\n";
  }
  out << "endsolid sheet\n";
}

/// A quadrangle, its corners around it.
void add_quadrangle(Triangles& to, const Real3& a, const Real3& b, const Real3& c, const Real3& d) {
  to.push_back({a, b, c});
  to.push_back({a, c, d});
}

/// A wedge of two sheets that meet at y = 0, open at the back.
Triangles wedge(double depth) {
  Triangles sheets;
  for (const double side : {-1.0, 1.0})
    add_quadrangle(sheets, {9.3, 0, -depth}, {17.1, side * 5.3, -depth}, {17.1, side * 5.3, depth}, {9.3, 0, depth});
  return sheets;
}

void put_sheet_into(Case& c, const std::filesystem::path& folder, const Triangles& triangles,
                    const std::string& fluid = "both") {
  write_triangles(folder / "sheet.stl", triangles);
  c.directory = folder;
  Case::Stl surface;
  surface.file = "sheet.stl";
  surface.name = "sheet";
  surface.fluid = fluid;
  c.geometry.stl = {surface};
}

TEST(SheetRuns, HalfOfAWedgeIsTheWholeInEveryScheme) {
  const TemporaryFolder folder;
  for (const Int3& nodes : {Int3{40, 24, 1}, Int3{24, 16, 6}}) {
    Case whole = stream(nodes, {}), half = stream(nodes, {false, true, false});
    for (Case* c : {&whole, &half}) put_sheet_into(*c, folder.path(), wedge(20));
    for (const std::string& scheme : scheme_names()) {
      SCOPED_TRACE(std::to_string(nodes[2]) + " " + scheme);
      whole.numerics.scheme = half.numerics.scheme = scheme;
      if (!stores_half(whole)) expect_same(whole, half, 101);
    }
  }
}

SurfaceForce force_on(const PreparedFlow& flow, const std::string& name) {
  const std::vector<std::string>& surfaces = flow.solver().geometry().surfaces;
  return flow.solver().surface_force(
      static_cast<int>(std::find(surfaces.begin(), surfaces.end(), name) - surfaces.begin()), {});
}

/// A square plate across the stream: as a surface without thickness, with triangles for both of its sides, and as a
/// closed box that lies between the same nodes. A quarter of it takes a quarter of the force.
TEST(SheetRuns, ThinPlatesOfAllKindsTakeTheSameForce) {
  const TemporaryFolder folder;
  const Int3 nodes{20, 16, 14};
  const double low = -3.3, high = 3.3, front = 8.1, back = 8.3;
  Triangles sheet, both, thin;
  add_quadrangle(sheet, {front, low, low}, {front, high, low}, {front, high, high}, {front, low, high});
  both = sheet;
  add_quadrangle(both, {front, low, high}, {front, high, high}, {front, high, low}, {front, low, low});
  for (const double x : {front, back})
    add_quadrangle(thin, {x, low, low}, {x, high, low}, {x, high, high}, {x, low, high});
  for (const double y : {low, high})
    add_quadrangle(thin, {front, y, low}, {back, y, low}, {back, y, high}, {front, y, high});
  for (const double z : {low, high})
    add_quadrangle(thin, {front, low, z}, {back, low, z}, {back, high, z}, {front, high, z});
  std::vector<Real3> forces;
  const auto force_in = [&](Case c, const Triangles& triangles, const std::string& fluid) {
    put_sheet_into(c, folder.path(), triangles, fluid);
    c.monitors.forces = {"sheet"};
    const auto flow = prepared(c);
    EXPECT_EQ(flow->solver().geometry().report.sheets.size(), 1u);
    flow->solver().step(150);
    return force_on(*flow, "sheet").force;
  };
  const Case whole = stream(nodes, {});
  const Real3 first = force_in(whole, sheet, "outside");
  EXPECT_GT(first[0], 0.01);
  EXPECT_NEAR(first[1], 0, 1e-12);
  for (const auto& [triangles, fluid] : {std::pair{&sheet, "both"}, {&both, "outside"}, {&thin, "outside"}})
    EXPECT_EQ(force_in(whole, *triangles, fluid), first);
  const Real3 quarter = force_in(stream(nodes, {false, true, true}), sheet, "both");
  EXPECT_NEAR(4 * quarter[0], first[0], 1e-11);
}

TEST(SheetRuns, ValuesAtWallsAreRefused) {
  const TemporaryFolder folder;
  Case c = stream({24, 16, 6}, {});
  put_sheet_into(c, folder.path(), wedge(20));
  c.output.wall = true;
  try {
    PreparedFlow(c, {}).build();
    ADD_FAILURE() << "nothing was refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::input);
    const std::string text = error.what();
    for (const char* part : {"output.wall", "'sheet'", "output.wall = false"})
      EXPECT_NE(text.find(part), std::string::npos) << part << " is missing in: " << text;
  }
}

}  // namespace
}  // namespace fluvia::test
