// SPDX-License-Identifier: Apache-2.0
// Openings that a plane of symmetry cuts do what the whole openings do, from the first step on: what they take from
// neighbours, from their own size and from that of the box is that of the whole.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <memory>
#include <numbers>

#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/run/session.hpp"
#include "fluvia/solver/profiles/developed_profile.hpp"
#include "run/mirrors/mirror_cases.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

/// A stream past a body, which lets sound out behind it, and at its other sides as `sides` says.
Case stream_past_body(const Int3& nodes, const Bool3& cut, bool lower, const std::string& sides) {
  Case c = stream(nodes, cut, lower);
  c.geometry.shapes = {ball_on_axis(nodes, 3.3)};
  c.boundaries[0].profile = "uniform";
  c.boundaries[1].type = "non_reflecting";
  const std::string axes = "xyz";
  for (int axis = 1; axis < c.domain.dimension && !sides.empty(); ++axis)
    for (const bool above : {false, true}) {
      if (cut[axis] && above == lower) continue;
      c.boundaries.push_back(face_with(axes.substr(axis, 1) + (above ? "_max" : "_min"), sides));
      if (sides == "half_slip") c.boundaries.back().values["slip_length"] = axis;
    }
  return c;
}

/// Where the other axis is the longest of the part, and where a node's neighbour is its own image, half was up to 3%
/// off.
TEST(MirrorOpenings, LetSoundOutAsTheWholeDoes) {
  for (const bool lower : {false, true})
    for (const char* sides : {"", "pressure", "non_reflecting", "half_slip"}) {
      SCOPED_TRACE(std::string(sides) + (lower ? " lower" : " upper"));
      for (const Int3& nodes : {Int3{36, 20, 1}, Int3{24, 34, 1}})
        expect_same(stream_past_body(nodes, {}, false, sides),
                    stream_past_body(nodes, {false, true, false}, lower, sides), 90);
      for (const Bool3& cut : {Bool3{false, true, false}, Bool3{false, true, true}})
        expect_same(stream_past_body({18, 22, 20}, {}, false, sides), stream_past_body({18, 22, 20}, cut, lower, sides),
                    41);
    }
}

/// Between two planes of symmetry lies half of what repeats itself.
TEST(MirrorOpenings, BetweenTwoPlanesLieHalfOfAPeriodicFlow) {
  Case whole = stream_past_body({24, 34, 1}, {}, false, ""),
       half = stream_past_body({24, 34, 1}, {false, true, false}, false, "symmetry");
  whole.domain.periodic = {false, true, false};
  expect_same(whole, half, 90);
}

/// Twice the resistance of the whole is that of each half.
TEST(MirrorOpenings, ResistAsHalfOfTheWholeDoes) {
  const auto session = [](bool half) {
    Case c = stream({24, 34, 1}, {false, half, false});
    c.geometry.shapes = {ball_on_axis({24, 34, 1}, 3.3)};
    Case::Boundary& out = c.boundaries[1];
    out.type = "windkessel";
    const double share = half ? 2 : 1;
    out.values = {
        {"proximal_resistance", share * 0.01}, {"distal_resistance", share * 0.05}, {"compliance", 200 / share}};
    return std::make_unique<Session>(c);
  };
  const auto whole = session(false), part = session(true);
  const auto& names = whole->monitor_names();
  for (Session* flow : {whole.get(), part.get()}) flow->advance(90);
  const std::vector<double> all = whole->monitors(), some = part->monitors();
  const auto column = [&](const std::string& name) {
    const auto at = std::find_if(names.begin(), names.end(), [&](const auto& n) { return n.rfind(name, 0) == 0; });
    EXPECT_NE(at, names.end()) << name;
    return static_cast<std::size_t>(at - names.begin());
  };
  const std::size_t flow = column("flow_x_max"), pressure = column("pressure_x_max");
  EXPECT_NEAR(2 * some[flow] / all[flow], 1, 1e-11);
  EXPECT_NEAR(some[pressure] / all[pressure], 1, 1e-11);
}

/// A round pipe at an angle to x, or a channel in 2D, between two discs.
Case pipe_between_discs(int dimension, const Bool3& cut, const Real3& along, const std::string& profile,
                        const std::filesystem::path& folder) {
  const Int3 nodes = dimension == 3 ? Int3{26, 18, 24} : Int3{30, 52, 1};
  const double radius = dimension == 3 ? 6.3 : 22;
  Case c = stream(nodes, cut);
  c.directory = folder;
  const Real3 middle = {0.5 * nodes[0], 0, 0}, n = (1 / norm(along)) * along;
  Case::Shape solid, fluid;
  solid.kind = "box";
  solid.center = middle;
  solid.size = {200, 200, 200};
  fluid.kind = "cylinder";
  fluid.operation = "fluid";
  fluid.from = middle - 50.0 * n;
  fluid.to = middle + 50.0 * n;
  fluid.radius = radius;
  if (dimension == 2) {
    fluid.kind = "box";
    fluid.center = middle;
    fluid.size = {200, 2 * radius, 200};
  }
  c.geometry.shapes = {solid, fluid};
  for (const bool out : {false, true}) {
    Case::OpeningInput disc;
    disc.name = c.boundaries[out ? 1 : 0].surface = out ? "out" : "in";
    disc.center = middle + (out ? 8.2 : -8.2) * n;
    disc.normal = (out ? 1.0 : -1.0) * n;
    disc.radius = radius + 1.5;
    c.openings.push_back(disc);
  }
  Case::Boundary& in = c.boundaries[0];
  in.profile = profile;
  if (profile == "womersley") {
    in.speed.reset();
    in.series = "inflow.csv";
    in.series_quantity = "speed";
  }
  return c;
}

/// Their profiles come from a grid in their plane, which was that of the half: 7% off, and more in 2D.
TEST(MirrorOpenings, DiscsHaveTheProfileOfTheWhole) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "inflow.csv") << "0,0.03\n20,0.05\n40,0.01\n60,0.03\n";
  for (const char* profile : {"parabolic", "developed", "womersley"}) {
    SCOPED_TRACE(profile);
    const auto expect_part = [&](int dimension, const Bool3& cut, const Real3& along) {
      expect_same(pipe_between_discs(dimension, {}, along, profile, folder.path()),
                  pipe_between_discs(dimension, cut, along, profile, folder.path()), 31);
    };
    expect_part(3, {false, true, false}, {3, 0, 1});
    expect_part(3, {false, true, true}, {1, 0, 0});
    expect_part(2, {false, true, false}, {1, 0, 0});
  }
}

/// An opening of 44 nodes was once taken to be 27 wide, since the grid in its plane was as large as for a round
/// opening.
TEST(DiscOpenings, In2DHaveTheProfileOfAChannel) {
  const Case c = pipe_between_discs(2, {}, {1, 0, 0}, "developed", {});
  const Geometry geometry = build_geometry(c, make_grid(c));
  const Opening& opening = geometry.openings[0];
  EXPECT_NEAR(opening.area, 44, 1e-9);
  const auto speed = developed_profile(geometry, opening, {}, facts_of_lattice("D2Q9").velocities, {});
  for (const double y : {0.5, 7.5, 14.5, 21.5}) {
    const auto at = [&](double beside) { return speed({opening.centroid[0], opening.centroid[1] + beside, 0.5}); };
    EXPECT_NEAR(at(y) / at(0.5), (1 - y * y / 484) / (1 - 0.25 / 484), 1e-3) << y;
    EXPECT_NEAR(at(-y), at(y), 1e-9 * at(0.5));
  }
}

using Triangle = std::array<Real3, 3>;
void write_stl(const std::filesystem::path& file, const std::vector<Triangle>& triangles) {
  std::ofstream out(file);
  out.precision(12);
  out << "solid tube\n";
  for (const Triangle& triangle : triangles) {
    out << "facet normal 0 0 0\nouter loop\n";
    for (const Real3& p : triangle) out << "vertex " << p[0] << ' ' << p[1] << ' ' << p[2] << '\n';
    out << "endloop\nendfacet\n";
  }
  out << "endsolid tube\n";
}

/// A closed tube of many sides about `along` through the origin, or the part of it above y = 0, closed there.
std::vector<Triangle> tube(const Real3& along, double length, double radius, bool half) {
  constexpr int sides = 16;
  const Real3 n = (1 / norm(along)) * along, up = {0, 1, 0}, beside = cross(n, up);
  const auto point = [&](int k, double s) {
    const double angle = 2 * std::numbers::pi * k / sides;
    const double sine = k % (sides / 2) == 0 ? 0 : std::sin(angle);
    return s * n + (radius * std::cos(angle)) * beside + (radius * sine) * up;
  };
  std::vector<Triangle> triangles;
  const int last = half ? sides / 2 : sides;
  const double ends[] = {-length / 2, length / 2};
  for (int k = 0; k < last; ++k) {
    triangles.push_back({point(k, ends[0]), point(k + 1, ends[0]), point(k, ends[1])});
    triangles.push_back({point(k + 1, ends[0]), point(k + 1, ends[1]), point(k, ends[1])});
    for (const double s : ends) triangles.push_back({s * n, point(k, s), point(k + 1, s)});
  }
  if (half) {
    const auto corner = [&](int end, int side) {
      return side == 0 ? ends[end] * n : point(side > 0 ? 0 : last, ends[end]);
    };
    for (const int side : {1, -1}) {
      triangles.push_back({corner(0, 0), corner(0, side), corner(1, side)});
      triangles.push_back({corner(0, 0), corner(1, side), corner(1, 0)});
    }
  }
  return triangles;
}

/// A mesh of half of a vessel, as they are drawn for half of a flow, has openings that end at the plane.
TEST(MirrorOpenings, HalfAMeshHasTheProfileOfTheWhole) {
  const TemporaryFolder folder;
  const Real3 along = {3, 0, 1};
  const Int3 nodes{26, 18, 22};
  const auto vessel = [&](bool half, const std::string& profile) {
    Case c = stream(nodes, {false, half, false});
    c.directory = folder.path();
    Case::Stl stl;
    stl.file = half ? "half.stl" : "whole.stl";
    stl.name = "tube";
    stl.translate = {0.5 * nodes[0], 0, 0};
    c.geometry.stl = {stl};
    write_stl(folder.path() / stl.file, tube(along, 18.4, 6.3, half));
    for (const bool out : {false, true}) {
      Case::OpeningInput hole;
      hole.name = c.boundaries[out ? 1 : 0].surface = out ? "out" : "in";
      hole.center = stl.translate + ((out ? 9.2 : -9.2) / norm(along)) * along;
      (*hole.center)[1] += 1;
      c.openings.push_back(hole);
    }
    c.boundaries[0].profile = profile;
    return c;
  };
  for (const char* profile : {"parabolic", "developed"}) {
    SCOPED_TRACE(profile);
    expect_same(vessel(false, profile), vessel(true, profile), 31);
  }
}

}  // namespace
}  // namespace fluvia::test
