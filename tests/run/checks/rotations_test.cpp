// SPDX-License-Identifier: Apache-2.0
// Walls that spin keep their place: what is not round about its axis is refused.
#include "fluvia/run/checks/rotations.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>

#include "fluvia/case/case.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

std::string refusal_of_spin(const Case& c) {
  const Grid grid = make_grid(c);
  const Geometry geometry = build_geometry(c, grid);
  return error_of(ExitCode::input, [&] { check_rotations(c, grid, geometry); });
}

std::string spin_of(const std::string& surface, const std::string& center, const std::string& rate) {
  return "[[boundary]]\nsurface = \"" + surface + "\"\ntype = \"moving_wall\"\nrotation_center = " + center +
         "\nangular_velocity = " + rate + "\n";
}

std::string refusal_by_spin(const std::string& text) {
  return refusal_of_spin(parse_case("[units]\nviscosity = 0.1\n[run]\nsteps = 1\n" + text, "spin.toml"));
}

const std::string spin_box = "[domain]\nnodes = [20, 18, 16]\norigin = [-5, 2, 1]\n";

std::string spinning_body(const std::string& lines) {
  return spin_box + "[[geometry.shape]]\nname = \"body\"\n" + lines;
}

TEST(Rotations, OfRoundShapesAboutTheirAxes) {
  const std::string sphere = spinning_body("kind = \"sphere\"\ncenter = [4, 11, 9]\nradius = 4\n");
  EXPECT_EQ(refusal_by_spin(sphere + spin_of("body", "[4, 11, 9]", "[0.1, -0.2, 0.3]")), "");
  EXPECT_EQ(refusal_by_spin(sphere + spin_of("body", "[4, 11, -70]", "[0, 0, 0.3]")), "") << "anywhere on the axis";
  EXPECT_EQ(refusal_by_spin(sphere + spin_of("body", "[4.02, 11, 9]", "[0, 0, 0.3]")), "") << "rounded";
  EXPECT_EQ(refusal_by_spin(sphere + spin_of("body", "[9, 1, 9]", "[0, 0, 0]")), "") << "does not spin";
  const std::string off = refusal_by_spin(sphere + spin_of("body", "[4.2, 11, 9]", "[0, 0, 0.3]"));
  EXPECT_CONTAINS(off, "spin.toml:");
  EXPECT_CONTAINS(off,
                  "boundary[0].rotation_center: 'body' is not round about this axis: the centre of this sphere lies "
                  "0.2 beside it");
  EXPECT_CONTAINS(refusal_by_spin(sphere + spin_of("body", "[4, 11, 5]", "[0, 0.1, 0.1]")), "lies 2.828 beside it");

  const std::string rod = spinning_body("kind = \"cylinder\"\nfrom = [0, 7, 9]\nto = [8, 15, 9]\nradius = 2\n");
  EXPECT_EQ(refusal_by_spin(rod + spin_of("body", "[4, 11, 9]", "[0.1, 0.1, 0]")), "");
  EXPECT_CONTAINS(refusal_by_spin(rod + spin_of("body", "[4, 11, 9]", "[0.1, -0.1, 0]")),
                  "an end of the axis of this cylinder");
  EXPECT_CONTAINS(refusal_by_spin(rod + spin_of("body", "[4, 11, 9.5]", "[0.1, 0.1, 0]")), "0.5 beside it");
  EXPECT_CONTAINS(refusal_by_spin(spinning_body("kind = \"box\"\ncenter = [4, 11, 9]\nsize = [6, 6, 6]\n") +
                                  spin_of("body", "[4, 11, 9]", "[0, 0, 0.1]")),
                  "a box has edges");
  const std::string floor = spinning_body("kind = \"box\"\ncenter = [4, 11, 2]\nsize = [60, 60, 3]\n");
  EXPECT_EQ(refusal_by_spin(floor + spin_of("body", "[1, 3, 0]", "[0, 0, 0.1]")), "") << "only its upper face is seen";
  EXPECT_CONTAINS(refusal_by_spin(floor + spin_of("body", "[1, 3, 0]", "[0.1, 0, 0]")), "a box has edges");
  const std::string half = spinning_body("kind = \"half_space\"\nfrom = [0, 0, 3]\nnormal = [0, 0, 2]\n");
  EXPECT_EQ(refusal_by_spin(half + spin_of("body", "[1, 3, 0]", "[0, 0, -0.1]")), "");
  EXPECT_CONTAINS(refusal_by_spin(half + spin_of("body", "[1, 3, 0]", "[0, 0.01, -0.1]")),
                  "the normal of this half_space");
}

TEST(Rotations, OfFacesAboutTheirNormals) {
  EXPECT_EQ(refusal_by_spin(spin_box + spin_of("y_max", "[1, 3, 0]", "[0, 0.1, 0]")), "");
  EXPECT_CONTAINS(refusal_by_spin(spin_box + spin_of("y_max", "[1, 3, 0]", "[0, 0.1, 0.1]")),
                  "round about its normal only");
}

TEST(Rotations, OfDiscsInTwoDimensions) {
  const std::string disc =
      "[domain]\ndimension = 2\nnodes = [30, 30]\n[[geometry.shape]]\nkind = \"cylinder\"\nfrom = [14, 15]\nradius = "
      "5\n";
  EXPECT_EQ(refusal_by_spin(disc + spin_of("wall", "[14, 15]", "[0, 0, 0.1]")), "");
  EXPECT_CONTAINS(refusal_by_spin(disc + spin_of("wall", "[14, 14]", "[0, 0, 0.1]")), "1 beside it");
}

/// A surface z = -5..5 around the z axis with so many sides, an ASCII STL.
void write_prism(const std::filesystem::path& file, int sides, double radius) {
  std::ofstream out(file);
  out << "solid prism\n";
  const auto triangle = [&](const Real3& a, const Real3& b, const Real3& c) {
    out << "facet normal 0 0 0\nouter loop\n";
    for (const Real3& p : {a, b, c}) out << "vertex " << p[0] << ' ' << p[1] << ' ' << p[2] << '\n';
    out << "endloop\nendfacet\n";
  };
  const auto point = [&](int k, double z) {
    const double angle = 2 * std::numbers::pi * (k % sides) / sides;
    return Real3{radius * std::cos(angle), radius * std::sin(angle), z};
  };
  for (int k = 0; k < sides; ++k) {
    triangle(point(k, -5), point(k + 1, -5), point(k + 1, 5));
    triangle(point(k, -5), point(k + 1, 5), point(k, 5));
    triangle(point(k, 5), point(k + 1, 5), {0, 0, 5});
    triangle(point(k + 1, -5), point(k, -5), {0, 0, -5});
  }
  out << "endsolid prism\n";
}

TEST(Rotations, OfMeshes) {
  const TemporaryFolder folder;
  for (const int sides : {4, 48}) write_prism(folder.path() / (std::to_string(sides) + ".stl"), sides, 7);
  for (const std::string method : {"half-way", "interpolated"}) {
    SCOPED_TRACE(method);
    const auto mesh = [&](int sides) {
      return "[walls]\nmethod = \"" + method + "\"\n[domain]\nnodes = [26, 26, 22]\norigin = [-13, -13, -11]\n" +
             "[[geometry.stl]]\nname = \"body\"\nfluid = \"outside\"\nfile = \"" +
             (folder.path() / (std::to_string(sides) + ".stl")).string() + "\"\n";
    };
    EXPECT_EQ(refusal_by_spin(mesh(48) + spin_of("body", "[0, 0, 0]", "[0, 0, 0.1]")), "");
    EXPECT_CONTAINS(refusal_by_spin(mesh(48) + spin_of("body", "[2.5, 0, 0]", "[0, 0, 0.1]")),
                    "of its wall would lie elsewhere");
    EXPECT_CONTAINS(refusal_by_spin(mesh(48) + spin_of("body", "[0, 0, 0]", "[0.1, 0, 0]")),
                    "of its wall would lie elsewhere");
    EXPECT_CONTAINS(refusal_by_spin(mesh(4) + spin_of("body", "[0, 0, 0]", "[0, 0, 0.1]")),
                    "of its wall would lie elsewhere");
    if (method == "half-way") continue;
    EXPECT_CONTAINS(refusal_by_spin(mesh(48) + spin_of("body", "[0.5, 0, 0]", "[0, 0, 0.1]")),
                    "of its wall would lie elsewhere");
  }
}

}  // namespace
}  // namespace fluvia::test
