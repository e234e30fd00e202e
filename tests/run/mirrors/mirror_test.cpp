// SPDX-License-Identifier: Apache-2.0
// Half of a symmetric flow beside a plane of symmetry, a quarter beside two, is the whole flow: whatever the scheme,
// wherever walls are on their links, bodies and openings cut by the plane.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <fstream>
#include <numbers>

#include "fluvia/base/error.hpp"
#include "fluvia/solver/plan/scheme.hpp"
#include "run/mirrors/mirror_cases.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

TEST(Symmetry, HalfOfACylinderIsTheWholeInEveryScheme) {
  const Int3 nodes{40, 24, 1};
  for (const char* method : {"half-way", "interpolated"}) {
    Case whole = stream(nodes, {}), half = stream(nodes, {false, true, false});
    for (Case* c : {&whole, &half}) {
      c->geometry.shapes = {ball_on_axis(nodes, 4.3)};
      c->geometry.shapes[0].kind = "cylinder";
      c->geometry.shapes[0].from = {0.4 * nodes[0], 0, -1};
      c->geometry.shapes[0].to = {0.4 * nodes[0], 0, 2};
      c->walls.method = method;
    }
    for (const std::string& scheme : scheme_names()) {
      SCOPED_TRACE(std::string(method) + " " + scheme);
      whole.numerics.scheme = half.numerics.scheme = scheme;
      expect_same(whole, half, 101);
    }
  }
}

TEST(Symmetry, AQuarterOfASphereIsTheWhole) {
  const Int3 nodes{20, 16, 14};
  for (const char* lattice : {"D3Q15", "D3Q19", "D3Q27"})
    for (const char* method : {"half-way", "interpolated"}) {
      SCOPED_TRACE(std::string(lattice) + " " + method);
      Case whole = stream(nodes, {}), quarter = stream(nodes, {false, true, true});
      for (Case* c : {&whole, &quarter}) {
        c->geometry.shapes = {ball_on_axis(nodes, 3.4)};
        c->walls.method = method;
        c->numerics.lattice = lattice;
      }
      expect_same(whole, quarter, 120);
    }
}

/// A tube of many sides along x, open at both ends, as an ASCII STL.
void write_tube(const std::filesystem::path& file, double from, double to, double radius) {
  constexpr int sides = 16;
  std::ofstream out(file);
  out << "solid tube\n";
  const auto point = [&](int k, double x) {
    const double angle = 2 * std::numbers::pi * k / sides;
    const double r = radius * (1 + 0.15 * std::sin(0.3 * x));  // bulges
    return std::array<double, 3>{x, r * std::cos(angle), r * std::sin(angle)};
  };
  const auto triangle = [&](const auto& a, const auto& b, const auto& c) {
    out << "facet normal 0 0 0\nouter loop\n";
    for (const auto& p : {a, b, c}) out << "vertex " << p[0] << ' ' << p[1] << ' ' << p[2] << '\n';
    out << "endloop\nendfacet\n";
  };
  const double length = (to - from) / 14;
  for (int ring = 0; ring < 14; ++ring)
    for (int k = 0; k < sides; ++k) {
      const double x = from + ring * length, next = from + (ring + 1) * length;
      triangle(point(k, x), point(k + 1, x), point(k, next));
      triangle(point(k + 1, x), point(k + 1, next), point(k, next));
    }
  out << "endsolid tube\n";
}

/// The tube of this file in `c`, whose ends lie outside of the box, or in it as openings "in" and "out".
void put_tube_into(Case& c, const std::filesystem::path& folder, bool has_ends) {
  c.directory = folder;
  Case::Stl stl;
  stl.file = "tube.stl";
  stl.name = "tube";
  c.geometry.stl = {stl};
  if (!has_ends) {
    c.geometry.allow_defects = true;
    return;
  }
  for (const bool out : {false, true}) {
    Case::OpeningInput hole;
    hole.name = c.boundaries[out ? 1 : 0].surface = out ? "out" : "in";
    hole.center = Real3{out ? 20.5 : 3.5, 0, 0};
    c.openings.push_back(hole);
  }
}

/// A plane of symmetry is no rim of an opening that it cuts: profiles have the shape that they have over the whole.
TEST(Symmetry, HalfAndQuarterOfAVesselAreTheWhole) {
  const TemporaryFolder folder;
  const Int3 nodes{24, 18, 18};
  std::ofstream(folder.path() / "inflow.csv") << "0,0.03\n20,0.05\n40,0.01\n60,0.03\n";
  for (const bool has_ends : {false, true}) {
    write_tube(folder.path() / "tube.stl", has_ends ? 3.5 : -2, has_ends ? 20.5 : nodes[0] + 2, 6.3);
    for (const char* profile : {"uniform", "parabolic", "developed", "womersley"})
      for (const Bool3& cut : {Bool3{false, true, false}, Bool3{false, true, true}})
        for (const char* method : {"half-way", "interpolated"}) {
          SCOPED_TRACE(std::string(method) + (cut[2] ? " quarter " : " half ") + profile + (has_ends ? " holes" : ""));
          Case whole = stream(nodes, {}), part = stream(nodes, cut);
          for (Case* c : {&whole, &part}) {
            put_tube_into(*c, folder.path(), has_ends);
            c->walls.method = method;
            Case::Boundary& in = c->boundaries[0];
            in.profile = profile;
            if (in.profile != "womersley") continue;
            in.speed.reset();
            in.series = "inflow.csv";
            in.series_quantity = "speed";
          }
          expect_same(whole, part, 60);
        }
  }
}

/// The box of shared inputs: a uniform stream through an empty box of mirrors, which today's corners must not bend.
TEST(Symmetry, AnEmptyBoxOfMirrorsKeepsAUniformStream) {
  for (const int dimension : {2, 3})
    for (const char* type : {"symmetry", "free_slip"}) {
      SCOPED_TRACE(testing::Message() << dimension << "D " << type);
      Case c = stream(dimension == 2 ? Int3{24, 12, 1} : Int3{16, 10, 8}, {});
      c.boundaries[0].profile = "uniform";
      c.boundaries[0].speed.reset();
      c.boundaries[0].velocity = {0.1, 0, 0};
      c.physics.initial_velocity = {0.1, 0, 0};
      for (const char* face : {"y_min", "y_max", "z_min", "z_max"})
        if (dimension == 3 || face[0] == 'y') c.boundaries.push_back(face_with(face, type));
      const auto flow = prepared(c);
      flow->solver().step(2000);
      const Moments m = scene::moments(flow->solver());
      for (const Real3& u : m.velocity) {
        ASSERT_NEAR(u[0], 0.1, 1e-6);
        ASSERT_NEAR(u[1], 0, 1e-6);
        ASSERT_NEAR(u[2], 0, 1e-6);
      }
    }
}

TEST(Symmetry, IsRefusedWhereItHasNoMeaning) {
  Case c = stream({20, 16, 14}, {});
  c.geometry.shapes = {ball_on_axis({20, 16, 14}, 3)};
  c.boundaries.push_back(face_with("ball", "symmetry"));
  EXPECT_THROW(prepared(c), Error);
  c.boundaries.back() = face_with("y_min", "symmetry");
  c.monitors.forces = {"y_min"};
  EXPECT_THROW(prepared(c), Error);
  c.monitors.forces.clear();
  c.domain.periodic = {false, true, false};
  EXPECT_THROW(prepared(c), Error);
}

}  // namespace
}  // namespace fluvia::test
