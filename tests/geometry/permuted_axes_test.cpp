// SPDX-License-Identifier: Apache-2.0
// No axis is special: a case with its axes exchanged has the same geometry with its axes exchanged. Files, shapes and
// openings, in all orders of the axes; boxes, origins and images have another size along each of them.
#include <map>

#include "geometry/test_support.hpp"

namespace fluvia::test {
namespace {

/// Where axis a goes to.
using Order = std::array<int, 3>;
const std::vector<Order> orders = {{1, 2, 0}, {2, 0, 1}, {1, 0, 2}, {0, 2, 1}, {2, 1, 0}};

template <class Vector>
Vector in(const Order& order, const Vector& v) {
  Vector result{};
  for (int axis = 0; axis < 3; ++axis) result[order[axis]] = v[axis];
  return result;
}

bool turns_round(const Order& order) {
  return (order[1] - order[0] + 3) % 3 != 1;
}

std::string in(const Order& order, const std::string& name) {
  const std::string axes = "xyz";
  const std::size_t axis = axes.find(name[0]);
  if (axis == std::string::npos || (name.substr(1) != "_min" && name.substr(1) != "_max")) return name;
  return axes[static_cast<std::size_t>(order[axis])] + name.substr(1);
}

/// A vector as a test would see it in a message.
std::string text(const Int3& v) {
  return std::to_string(v[0]) + " " + std::to_string(v[1]) + " " + std::to_string(v[2]);
}

/// How many faces of the box a link leaves through.
int faces_left(const NodeMap& nodes, const Int3& node, const Int3& offset) {
  int faces = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const int end = node[axis] + offset[axis];
    faces += !nodes.periodic[axis] && (end < 0 || end >= nodes.size[axis]);
  }
  return faces;
}

void expect_same_links(const Geometry& a, const Geometry& b, const Order& order, int fewest) {
  ASSERT_EQ(b.nodes.size, in(order, a.nodes.size));
  ASSERT_EQ(b.nodes.fluid_nodes, a.nodes.fluid_nodes);
  int links = 0, wrong = 0;
  for_each_fluid(a.nodes, [&](const Int3& node) {
    if (wrong > 5) return;
    const Int3 there = in(order, node);
    if (!b.nodes.is_fluid(there)) {
      ADD_FAILURE() << text(node) << " is fluid";
      ++wrong;
      return;
    }
    for (const Int3& offset : link_offsets(a.nodes.dimension)) {
      const Int3 turned = in(order, offset);
      if (a.nodes.is_fluid({node[0] + offset[0], node[1] + offset[1], node[2] + offset[2]})) continue;
      ++links;
      if (faces_left(a.nodes, node, offset) > 1) continue;  // which of them it leaves through is a matter of order
      const bool failed = testing::Test::HasFailure();
      EXPECT_EQ(b.surfaces.at(b.surface_of(there, turned)), in(order, a.surfaces.at(a.surface_of(node, offset))));
      if (a.distance_of) {
        ASSERT_TRUE(b.distance_of);
        EXPECT_NEAR(b.distance_of(there, turned), a.distance_of(node, offset), 1e-4);
        EXPECT_LT(norm(b.normal_of(there, turned) - in(order, a.normal_of(node, offset))), 0.01);
      }
      if (!failed && testing::Test::HasFailure()) {
        ADD_FAILURE() << "at " << text(node) << " along " << text(offset);
        wrong = 10;
      }
    }
  });
  EXPECT_GT(links, fewest);
}

void expect_same_openings(const Geometry& a, const Geometry& b, const Order& order) {
  ASSERT_EQ(a.openings.size(), b.openings.size());
  for (const Opening& opening : a.openings) {
    SCOPED_TRACE(opening.name);
    bool found = false;
    for (const Opening& other : b.openings) {
      if (other.name != in(order, opening.name)) continue;
      found = true;
      EXPECT_LT(norm(other.centroid - in(order, opening.centroid)), 1e-9);
      EXPECT_LT(norm(other.normal - in(order, opening.normal)), 1e-9);
      EXPECT_NEAR(other.area, opening.area, 1e-9 * opening.area);
      for (const Real3& from : {Real3{1, 2, 0.5}, Real3{-2, 1, 1.5}, Real3{0.3, -1, -2}, Real3{3, -2, 2}}) {
        const Real3 place = opening.centroid + from;
        // Tables over the angle begin at another one.
        EXPECT_NEAR(other.parabola(in(order, place)), opening.parabola(place), 0.02);
      }
    }
    EXPECT_TRUE(found);
  }
}

void expect_same_report(const GeometryReport& a, const GeometryReport& b) {
  EXPECT_EQ(a.boundary_nodes, b.boundary_nodes);
  EXPECT_EQ(a.fluid_components, b.fluid_components);
  EXPECT_EQ(a.dropped_components, b.dropped_components);
  EXPECT_EQ(a.dropped_nodes, b.dropped_nodes);
  EXPECT_EQ(a.narrow_nodes, b.narrow_nodes);
  EXPECT_EQ(a.hole_count, b.hole_count);
  EXPECT_EQ(a.non_manifold_edges, b.non_manifold_edges);
  EXPECT_EQ(a.warnings.size(), b.warnings.size());
  const auto links = [](const GeometryReport& report) {
    std::map<std::string, std::array<std::uint64_t, 3>> result;
    for (const auto& each : report.wall_links) result[each.surface] = {each.interpolated, each.half_way, each.lost};
    return result;
  };
  EXPECT_EQ(links(a), links(b));
  ASSERT_EQ(a.holes.size(), b.holes.size());
  for (std::size_t i = 0; i < a.holes.size(); ++i) EXPECT_NEAR(a.holes[i].area, b.holes[i].area, 1e-5);
}

using OrderedMaker = std::function<Case(const Order&)>;

void expect_no_axis_is_special(const OrderedMaker& make, int fewest_links) {
  const Geometry first = build(make({0, 1, 2}));
  for (const Order& order : orders) {
    SCOPED_TRACE("axes " + text(order));
    const Geometry other = build(make(order));
    expect_same_links(first, other, order, fewest_links);
    expect_same_openings(first, other, order);
    expect_same_report(first.report, other.report);
    if (testing::Test::HasFailure()) return;
  }
}

Case::Shape body(const Order& order, const std::string& kind, const Real3& a, const Real3& b, double radius,
                 const std::string& name = "", const std::string& operation = "solid") {
  Case::Shape s = shape(kind, operation, name);
  s.center = s.from = in(order, a);
  s.size = s.to = s.normal = in(order, b);
  s.radius = radius;
  s.height = radius;
  return s;
}

Case box(const Order& order, const Int3& nodes, const Bool3& periodic) {
  Case c;
  c.units.system = "si";
  c.units.spacing = 0.5;
  c.domain.nodes = in(order, nodes);
  c.domain.periodic = in(order, periodic);
  c.domain.origin = in(order, Real3{-3.1, 2.2, 7.3});
  return c;
}

Real3 at(double x, double y, double z) {  // lattice units from the corner of the box
  return {0.5 * x - 3.1, 0.5 * y + 2.2, 0.5 * z + 7.3};
}

TEST(PermutedAxes, Shapes) {
  for (const Bool3& periodic : {Bool3{false, false, false}, Bool3{true, false, false}, Bool3{false, true, true}})
    expect_no_axis_is_special(
        [&](const Order& order) {
          Case c = box(order, {27, 22, 18}, periodic);
          c.geometry.shapes = {
              body(order, "half_space", at(0, 0, 1.37), {0.3, -0.25, 1}, 0, "floor"),
              body(order, "box", at(5.3, 7.2, 9.1), {2.3, 1.4, 3.1}, 0, "box"),
              body(order, "sphere", at(20.2, 15.1, 11.3), {}, 1.9, "ball"),
              body(order, "cylinder", at(9.2, 14.3, 4.1), at(17.3, 6.2, 13.4), 0.97, "rod"),
              body(order, "capsule", at(21.7, 4.3, 14.2), at(23.1, 9.4, 8.1), 1.13, "pill"),
              body(order, "sphere", at(8.1, 16.3, 12.4), {}, 1.31, "", "fluid"),
              body(order, "box", at(25.9, 11.3, 9.4), {0.9, 2.1, 1.6}, 0, "edge"),
          };
          return c;
        },
        500);
}

TEST(PermutedAxes, PlaneChannelWithOpenings) {
  expect_no_axis_is_special(
      [](const Order& order) {
        Case c = box(order, {24, 19, 15}, {false, false, true});
        c.geometry.shapes = {body(order, "channel", at(12, 9.1, 7), {0.1, 1, 0}, 5.23, "plates", "fluid"),
                             body(order, "sphere", at(9.2, 9.3, 7.1), {}, 1.23, "ball")};
        c.boundaries = {boundary(in(order, "x_min"), "velocity"), boundary(in(order, "x_max"), "pressure")};
        return c;
      },
      300);
}

TEST(PermutedAxes, DiscsInABox) {
  expect_no_axis_is_special(
      [](const Order& order) {
        Case c = box(order, {24, 19, 15}, {false, false, false});
        c.geometry.shapes = {body(order, "cylinder", at(-3, 9.3, 7.2), at(30, 9.3, 7.2), 2.57, "pipe", "fluid")};
        Case::OpeningInput in_, out;
        in_.name = "in";
        in_.center = in(order, at(4.4, 9.3, 7.2));
        in_.normal = in(order, Real3{-0.96, 0.28, 0});
        in_.radius = 3;
        out.name = "out";
        out.center = in(order, at(20.3, 9.3, 7.2));
        out.normal = in(order, Real3{1, 0, 0});
        out.radius = 3.2;
        c.openings = {in_, out};
        c.boundaries = {boundary("in", "velocity"), boundary("out", "pressure")};
        return c;
      },
      300);
}

geometry::TriangleSoup in(const Order& order, geometry::TriangleSoup soup) {
  for (auto& triangle : soup) {
    for (Real3& corner : triangle) corner = in(order, corner);
    if (turns_round(order)) std::swap(triangle[1], triangle[2]);
  }
  return soup;
}

TEST(PermutedAxes, VesselOfAMesh) {
  const TemporaryFolder folder;
  expect_no_axis_is_special(
      [&](const Order& order) {
        Case c;
        c.units.system = "si";
        c.units.spacing = 0.5;
        c.directory = folder.path();
        // A tube that bends, open at its ends: rings of corners around a curve.
        geometry::TriangleSoup soup;
        const auto point = [](int ring, int i) {
          const double t = ring / 8.0, angle = 2 * std::numbers::pi * (i % 24) / 24;
          return Real3{11.6 * t + 0.7 * t * t, 2.1 * t * t + 3.13 * std::cos(angle), -1.3 * t + 2.37 * std::sin(angle)};
        };
        for (int ring = 0; ring < 8; ++ring)
          for (int i = 0; i < 24; ++i) {
            soup.push_back({point(ring, i), point(ring + 1, i), point(ring + 1, i + 1)});
            soup.push_back({point(ring, i), point(ring + 1, i + 1), point(ring, i + 1)});
          }
        folder.write("tube.stl", binary_stl(in(order, soup)));
        Case::Stl tube = stl("tube.stl", "vessel");
        tube.translate = in(order, Real3{0.123, 4.3, -2.2});
        c.geometry.stl = {tube};
        Case::OpeningInput begin, end;
        begin.name = "begin";
        begin.center = in(order, Real3{0.1, 4.3, -2.2});
        end.name = "end";
        end.center = in(order, Real3{12.4, 6.4, -3.5});
        c.openings = {begin, end};
        c.boundaries = {boundary("begin", "velocity"), boundary("end", "pressure")};
        return c;
      },
      500);
}

TEST(PermutedAxes, BodyOfAMesh) {
  const TemporaryFolder folder;
  expect_no_axis_is_special(
      [&](const Order& order) {
        Case c = box(order, {25, 21, 17}, {true, false, false});
        c.directory = folder.path();
        folder.write("body.stl", binary_stl(in(order, tube_soup(7.3, 15.2, {0, 9.13, 8.2}, 4.37, true, true, true))));
        Case::Stl s = stl("body.stl", "rod");
        s.unit = 0.5;
        s.translate = in(order, Real3{-3.1, 2.2, 7.3});
        s.fluid = "outside";
        c.geometry.stl = {s};
        return c;
      },
      500);
}

TEST(PermutedAxes, Images) {
  const TemporaryFolder folder;
  for (const bool smooth : {false, true})
    for (const Bool3& periodic : {Bool3{true, false, false}, Bool3{false, true, true}})
      expect_no_axis_is_special(
          [&](const Order& order) {
            const Int3 voxels{13, 15, 10};
            const Int3 shape = in(order, voxels);
            std::string bytes(static_cast<std::size_t>(shape[0] * shape[1] * shape[2]), '\0');
            Int3 v;
            for (v[2] = 0; v[2] < voxels[2]; ++v[2])
              for (v[1] = 0; v[1] < voxels[1]; ++v[1])
                for (v[0] = 0; v[0] < voxels[0]; ++v[0]) {
                  const bool solid = std::hypot(v[0] - 4.2, v[1] - 9.1, v[2] - 6.3) < 3.6 ||
                                     std::hypot(v[0] - 11.7, v[1] - 3.2) < 2.3 || v[2] + 0.3 * v[1] < 2.1;
                  const Int3 w = in(order, v);
                  bytes[static_cast<std::size_t>(w[0] + shape[0] * (w[1] + shape[1] * w[2]))] = solid ? '\1' : '\0';
                }
            folder.write("image.raw", bytes);
            Case c;
            c.directory = folder.path();
            c.domain.periodic = in(order, periodic);
            c.geometry.keep_isolated = true;
            c.geometry.voxels = Case::Voxels{};
            c.geometry.voxels->file = "image.raw";
            c.geometry.voxels->shape = shape;
            c.geometry.voxels->fluid_labels = std::vector<int>{0};
            c.geometry.voxels->refine = smooth ? 1 : 2;
            c.geometry.voxels->crop_from = in(order, Int3{1, 2, 0});
            c.geometry.voxels->crop_size = in(order, Int3{11, 13, 9});
            c.geometry.voxels->mirror = in(order, Bool3{false, false, true});
            c.walls.smooth = smooth;
            return c;
          },
          500);
}

}  // namespace
}  // namespace fluvia::test
