// SPDX-License-Identifier: Apache-2.0
// Walls keep their place: those that would move through themselves are refused.
#include <gtest/gtest.h>

#include "fluvia/case/case.hpp"
#include "fluvia/run/checks/moving_walls.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

std::string refusal_to_move(const std::string& text) {
  return error_of(ExitCode::input, [&] {
    const Case c = parse_case("[units]\nviscosity = 0.1\n[run]\nsteps = 1\n" + text, "move.toml");
    check_moving_walls(c, build_geometry(c, make_grid(c)));
  });
}

std::string moves(const std::string& surface, const std::string& how) {
  return "[[boundary]]\nsurface = \"" + surface + "\"\ntype = \"moving_wall\"\n" + how + "\n";
}

std::string shape_that(const std::string& lines) {
  return "[[geometry.shape]]\nname = \"body\"\n" + lines + "\n";
}

const std::string move_box = "[domain]\nnodes = [20, 18, 16]\n",
                  move_plane = "[domain]\ndimension = 2\nnodes = [20, 18]\n";

TEST(MovingWalls, OfTheBoxMoveAlongThemselves) {
  EXPECT_EQ(refusal_to_move(move_box + moves("y_max", "velocity = [0.05, 0, -0.02]")), "");
  EXPECT_EQ(refusal_to_move(move_box + moves("y_max", "velocity = [0.05, 1e-12, 0]")), "") << "rounding";
  const std::string off = refusal_to_move(move_box + moves("y_max", "velocity = [0.05, 0.01, 0]"));
  EXPECT_CONTAINS(off, "move.toml:");
  EXPECT_CONTAINS(off, "boundary[0].velocity: 0.01 along y would take 'y_max' through itself");
  EXPECT_CONTAINS(refusal_to_move(move_plane + moves("x_min", "velocity = [-0.01, 0]")),
                  "-0.01 along x would take 'x_min' through itself");
}

TEST(MovingWalls, OfShapesLetNothingInInTheSum) {
  const std::string ball = move_box + shape_that("kind = \"sphere\"\ncenter = [10, 9, 8]\nradius = 4.3");
  EXPECT_EQ(refusal_to_move(ball + moves("body", "velocity = [0.02, -0.01, 0.01]")), "");
  const std::string half = move_box + shape_that("kind = \"sphere\"\ncenter = [10, 0, 8]\nradius = 4.3");
  EXPECT_EQ(refusal_to_move(half + moves("body", "velocity = [0.02, 0, 0.01]")), "")
      << "along the wall on which it lies";
  EXPECT_CONTAINS(refusal_to_move(half + moves("body", "velocity = [0, 0.02, 0]")), "leads 'body' into the fluid");
  const std::string belt = move_plane + shape_that("kind = \"box\"\ncenter = [10, 9]\nsize = [6, 3]");
  EXPECT_EQ(refusal_to_move(belt + moves("body", "velocity = [0.02, 0]")), "");
  const std::string piston = move_plane + shape_that("kind = \"box\"\ncenter = [0, 9]\nsize = [9, 40]");
  EXPECT_EQ(refusal_to_move(piston + moves("body", "velocity = [0, 0.02]")), "");
  EXPECT_CONTAINS(refusal_to_move(piston + moves("body", "velocity = [0.02, 0.01]")),
                  "boundary[0].velocity: [0.02, 0.01, 0] leads 'body' into the fluid");
  EXPECT_CONTAINS(refusal_to_move(piston + moves("body", "velocity = [-0.02, 0]")), "leads 'body' out of the fluid");
}

TEST(MovingWalls, ThatSpinHaveImagesThatTurnWithThem) {
  const auto mirror = [](const std::string& face) {
    return "[[boundary]]\nsurface = \"" + face + "\"\ntype = \"symmetry\"\n";
  };
  const auto ball = [](const std::string& center) {
    return move_box + shape_that("kind = \"sphere\"\nradius = 4.3\ncenter = " + center);
  };
  const auto spin = [](const std::string& center, const std::string& rate) {
    return moves("body", "rotation_center = " + center + "\nangular_velocity = " + rate);
  };
  const std::string cut = ball("[10, 0, 8]");
  EXPECT_EQ(refusal_to_move(cut + spin("[10, 0, 8]", "[0, 0.01, 0]") + mirror("y_min")), "") << "about the normal";
  EXPECT_CONTAINS(refusal_to_move(cut + spin("[10, 0, 8]", "[0, 0, 0.01]") + mirror("y_min")),
                  "boundary[0].angular_velocity: [0, 0, 0.01]: 'body' is cut by the plane of symmetry 'y_min'");
  EXPECT_EQ(refusal_to_move(cut + spin("[10, 0, 8]", "[0, 0, 0.01]")), "") << "a wall there";
  EXPECT_EQ(refusal_to_move(ball("[10, 9, 8]") + spin("[10, 9, 8]", "[0, 0, 0.01]") + mirror("y_min")), "")
      << "its image is another ball";
  EXPECT_CONTAINS(refusal_to_move(move_plane +
                                  shape_that("kind = \"cylinder\"\nfrom = [10, 0, -5]\nto = [10, 0, 5]\nradius = 4.3") +
                                  spin("[10, 0]", "[0, 0, 0.01]") + mirror("y_min")),
                  "is cut by the plane of symmetry");
}

}  // namespace
}  // namespace fluvia::test
