// SPDX-License-Identifier: Apache-2.0
// Where cut links meet their walls, against a search along every link.
#include "fluvia/case/walls.hpp"

#include "fluvia/geometry/generate/generators.hpp"
#include "fluvia/geometry/walls.hpp"
#include "geometry/test_support.hpp"

namespace fluvia::test {
namespace {

using Solid = std::function<bool(const Real3& point)>;
using Normal = std::function<Real3(const Real3& point)>;

Real3 along(const Int3& offset) {
  return {1.0 * offset[0], 1.0 * offset[1], 1.0 * offset[2]};
}
Real3 unit(const Real3& v) {
  return (1 / norm(v)) * v;
}

/// Back into the box on periodic axes.
Real3 wrapped_point(const NodeMap& nodes, Real3 p) {
  for (int axis = 0; axis < nodes.dimension; ++axis) {
    if (nodes.periodic[axis]) p[axis] -= nodes.size[axis] * std::floor(p[axis] / nodes.size[axis]);
  }
  return p;
}

/// Where the link turns solid first: in steps of 1/128, then by bisection.
double search(const NodeMap& nodes, const Solid& solid, const Real3& from, const Real3& step) {
  const auto at = [&](double part) { return solid(wrapped_point(nodes, from + part * step)); };
  constexpr int steps = 128;
  int i = 1;
  while (i < steps && !at(1.0 * i / steps)) ++i;
  double low = (i - 1.0) / steps, high = 1.0 * i / steps;
  for (int k = 0; k < 30; ++k) (at(0.5 * (low + high)) ? high : low) = 0.5 * (low + high);
  return high;
}

struct Tolerances {
  double distance = 1e-6, normal = 1e-3;
  double exempt = 0;  ///< share of links that may meet an edge of the wall otherwise
  int every = 1;      ///< look at every n-th cut link
};

/// Compares every cut link of the case. Returns how many there were inside the box.
int expect_walls(const Case& c, const Solid& solid, const Normal& normal = {}, const Tolerances& tolerances = {}) {
  const Geometry g = build(c);
  EXPECT_TRUE(g.distance_of && g.normal_of);
  if (!g.distance_of || !g.normal_of) return 0;
  int links = 0, wrong = 0, wrong_normals = 0, cut = 0;
  double worst = 0;
  for_each_fluid(g.nodes, [&](const Int3& node) {
    for (const Int3& offset : link_offsets(g.nodes.dimension)) {
      Int3 far{node[0] + offset[0], node[1] + offset[1], node[2] + offset[2]};
      if (g.nodes.is_fluid(far) || ++cut % tolerances.every != 0) continue;
      const double distance = g.distance_of(node, offset);
      const Real3 n = g.normal_of(node, offset);
      ASSERT_NEAR(norm(n), 1, 1e-9);
      ASSERT_GE(dot(n, along(offset)), -1e-9) << "normals point out of the fluid";
      if (!g.nodes.wrap(far)) {
        ASSERT_EQ(distance, 0.5) << "the faces of the box lie half-way";
        ASSERT_EQ(std::abs(n[0]) + std::abs(n[1]) + std::abs(n[2]), 1);
        continue;
      }
      const Real3 from{node[0] + 0.5, node[1] + 0.5, node[2] + 0.5};
      const double expected = std::max(search(g.nodes, solid, from, along(offset)), geometry::WallFinder::least);
      ++links;
      worst = std::max(worst, std::abs(distance - expected));
      if (std::abs(distance - expected) > tolerances.distance) {
        ++wrong;
        if (tolerances.exempt == 0) {
          EXPECT_NEAR(distance, expected, tolerances.distance)
              << "node " << node[0] << " " << node[1] << " " << node[2] << ", link " << offset[0] << " " << offset[1]
              << " " << offset[2];
        }
      } else if (normal) {
        const Real3 exact = normal(wrapped_point(g.nodes, from + distance * along(offset)));
        if (norm(n - exact) > tolerances.normal) ++wrong_normals;
      }
    }
  });
  EXPECT_LE(wrong, tolerances.exempt * links) << "of " << links << ", worst " << worst;
  EXPECT_LE(wrong_normals, 0.02 * links) << "only links that meet an edge may have another normal";
  return links;
}

Case shapes(const std::vector<Case::Shape>& list, int dimension = 3) {
  Case c;
  c.domain.dimension = dimension;
  c.domain.nodes = Int3{21, 22, dimension == 3 ? 19 : 1};
  c.geometry.shapes = list;
  c.geometry.keep_isolated = true;
  c.walls.method = "interpolated";
  return c;
}

Case::Shape sphere(const Real3& center, double radius, const std::string& operation = "solid") {
  Case::Shape s = shape("sphere", operation);
  s.center = center;
  s.radius = radius;
  return s;
}

Case::Shape axis_shape(const std::string& kind, const Real3& from, const Real3& to, double radius) {
  Case::Shape s = shape(kind, "solid");
  s.from = from;
  s.to = to;
  s.radius = radius;
  return s;
}

TEST(Walls, HalfWayHasNoDistances) {
  Case c = shapes({sphere({10, 11, 9.2}, 6.3)});
  c.walls.method = "half-way";
  const Geometry g = build(c);
  EXPECT_FALSE(g.distance_of);
  EXPECT_FALSE(g.normal_of);
  EXPECT_TRUE(g.report.wall_links.empty());
}

TEST(Walls, SpheresOnBothSides) {
  const Real3 center{10, 11, 9.2};
  const auto outward = [&](const Real3& p) { return unit(p - center); };
  const auto inward = [&](const Real3& p) { return unit(center - p); };
  EXPECT_GT(expect_walls(
                shapes({sphere(center, 6.3)}), [&](const Real3& p) { return norm(p - center) <= 6.3; }, inward),
            1000);
  EXPECT_GT(
      expect_walls(
          shapes({sphere(center, 6.3, "fluid")}), [&](const Real3& p) { return norm(p - center) > 6.3; }, outward),
      1000);
}

TEST(Walls, PlanesAreExact) {
  Case::Shape plane = shape("half_space", "solid");
  plane.from = {8, 8, 8.3};
  plane.normal = {0, 3, 4};
  const auto height = [](const Real3& p) { return (3 * (p[1] - 8) + 4 * (p[2] - 8.3)) / 5; };
  EXPECT_GT(expect_walls(
                shapes({plane}), [&](const Real3& p) { return height(p) <= 0; },
                [](const Real3&) {
                  return Real3{0, -0.6, -0.8};
                },
                {1e-8, 1e-6}),
            1000);
  const Geometry g = build(shapes({plane}));
  for_each_fluid(g.nodes, [&](const Int3& node) {
    const Int3 down{0, 0, -1};
    if (node[2] == 0 || g.nodes.is_fluid({node[0], node[1], node[2] - 1})) return;
    const double exact = height({node[0] + 0.5, node[1] + 0.5, node[2] + 0.5}) / 0.8;
    EXPECT_NEAR(g.distance_of(node, down), std::max(exact, 1.0 / 256), 1e-12);
  });
}

TEST(Walls, BoxesCylindersCapsulesChannels) {
  Case::Shape box = shape("box", "solid");
  box.center = {10, 11, 9};
  box.size = {8.3, 6.1, 4.7};
  EXPECT_GT(expect_walls(shapes({box}),
                         [](const Real3& p) {
                           return std::abs(p[0] - 10) <= 4.15 && std::abs(p[1] - 11) <= 3.05 &&
                                  std::abs(p[2] - 9) <= 2.35;
                         }),
            500);
  const Real3 from{3, 4, 5}, to{13, 14, 12}, axis = to - from;
  const auto t = [&](const Real3& p) { return dot(p - from, axis) / dot(axis, axis); };
  expect_walls(shapes({axis_shape("cylinder", from, to, 4.2)}),
               [&](const Real3& p) { return t(p) >= 0 && t(p) <= 1 && norm(p - from - t(p) * axis) <= 4.2; });
  const auto core = [&](const Real3& p) { return from + std::clamp(t(p), 0.0, 1.0) * axis; };
  expect_walls(
      shapes({axis_shape("capsule", from, to, 4.2)}), [&](const Real3& p) { return norm(p - core(p)) <= 4.2; },
      [&](const Real3& p) { return unit(core(p) - p); });
  for (const char* operation : {"solid", "fluid"}) {
    Case::Shape channel = shape("channel", operation);
    channel.from = {0, 0, 4.3};
    channel.height = 9.1;
    channel.normal = {0, 1, 2};
    const auto height = [](const Real3& p) { return (p[1] + 2 * (p[2] - 4.3)) / std::sqrt(5.0); };
    expect_walls(
        shapes({channel}), [&](const Real3& p) { return height(p) < 0 || height(p) > 9.1; },
        [&](const Real3& p) {
          return unit({0.0, height(p) < 4 ? -1.0 : 1.0, height(p) < 4 ? -2.0 : 2.0});
        });
  }
}

TEST(Walls, TheFirstSolidOnALinkWins) {
  // A ball with a bore, a plug in the bore that reaches out of the ball: seven ways for surfaces to follow another.
  const auto in_bore = [](const Real3& p) { return std::hypot(p[1] - 11.2, p[2] - 9) <= 3.1; };
  const auto in_ball = [](const Real3& p) { return norm(p - Real3{10, 11, 9}) <= 7.1; };
  const auto in_plug = [](const Real3& p) { return norm(p - Real3{16.5, 12, 9}) <= 3.3; };
  Case::Shape bore = axis_shape("cylinder", {-5, 11.2, 9}, {30, 11.2, 9}, 3.1);
  bore.operation = "fluid";
  EXPECT_GT(
      expect_walls(shapes({sphere({10, 11, 9}, 7.1), bore, sphere({16.5, 12, 9}, 3.3)}),
                   [&](const Real3& p) { return (in_ball(p) && !in_bore(p)) || in_plug(p); }, {}, {1e-6, 1e-3, 0.002}),
      1000);
}

TEST(Walls, AnyNumberOfBodiesMayLieOnALink) {
  // Balls that leave the same links one after another, the first given or the last the largest.
  for (const bool growing : {true, false}) {
    std::vector<Case::Shape> balls;
    for (int k = 0; k < 40; ++k) balls.push_back(sphere({10, 11, 9.2}, 6.3 - 0.004 * (growing ? 39 - k : k)));
    EXPECT_GT(expect_walls(shapes(balls), [](const Real3& p) { return norm(p - Real3{10, 11, 9.2}) <= 6.3; }), 1000);
  }
}

TEST(Walls, TwoDimensions) {
  EXPECT_GT(expect_walls(shapes({sphere({6, 7, 0}, 3.3), axis_shape("cylinder", {15, 12, 0}, {15, 12, 1}, 2.5)}, 2),
                         [](const Real3& p) {
                           return std::hypot(p[0] - 6, p[1] - 7) <= 3.3 || std::hypot(p[0] - 15, p[1] - 12) <= 2.5;
                         }),
            50);
}

TEST(Walls, DoNotDependOnUnitsAndOrigin) {
  Case moved = shapes({sphere({-0.001, 0.0005, 1.0092}, 0.0063)});
  moved.units.system = "si";
  moved.units.spacing = 0.001;
  moved.domain.nodes = Int3{20, 22, 19};
  moved.domain.origin = Real3{-0.011, -0.0105, 1};
  expect_walls(moved, [](const Real3& p) { return norm(p - Real3{10, 11, 9.2}) <= 6.3; });
}

TEST(Walls, GoThroughPeriodicFaces) {
  // Bodies end at the face unless they are given again on the other side.
  for (const bool again : {false, true}) {
    Case c = shapes({sphere({0.2, 11, 9}, 5.4)});
    if (again) c.geometry.shapes.push_back(sphere({21.2, 11, 9}, 5.4));
    c.domain.periodic = {true, false, true};
    const auto solid = [&](const Real3& p) {
      return norm(p - Real3{0.2, 11, 9}) <= 5.4 || (again && norm(p - Real3{21.2, 11, 9}) <= 5.4);
    };
    EXPECT_GT(expect_walls(c, solid), 500);
  }
}

Case generated(const std::string& kind, double diameter) {
  Case c;
  c.geometry.generator = Case::Generator{};
  c.geometry.generator->kind = kind;
  c.geometry.generator->diameter = diameter;
  c.geometry.keep_isolated = true;
  c.walls.method = "interpolated";
  return c;
}

TEST(Walls, Vessels) {
  for (const char* kind : {"pipe", "coarctation", "aneurysm", "network"}) {
    SCOPED_TRACE(kind);
    const bool network = std::string(kind) == "network";
    Case c = generated(kind, network ? 5.3 : 10.7);
    if (network) c.geometry.generator->generations = 1;
    const geometry::Vessel vessel = geometry::make_vessel(*c.geometry.generator, make_grid(c), c.domain.padding);
    // In the crook of two branches a link may leave the fluid, enter it again and end in solid.
    EXPECT_GT(expect_walls(c, [&](const Real3& p) { return vessel.distance(p) >= 0; }, {},
                           {1e-6, 1e-3, network || std::string(kind) == "aneurysm" ? 0.001 : 0}),
              5000);
  }
  const Case pipe = generated("pipe", 10.7);
  const Grid grid = make_grid(pipe);
  expect_walls(
      pipe, [&](const Real3& p) { return std::hypot(p[1] - 0.5 * grid.size[1], p[2] - 0.5 * grid.size[2]) >= 5.35; },
      [&](const Real3& p) {
        return unit({0, p[1] - 0.5 * grid.size[1], p[2] - 0.5 * grid.size[2]});
      });
}

TEST(Walls, SpherePackings) {
  for (const bool periodic : {true, false}) {
    for (const int dimension : {2, 3}) {
      for (const double diameter : {3.0, 9.7, 24.0}) {
        Case c = generated("sphere_packing", diameter);
        c.domain.dimension = dimension;
        c.domain.nodes = dimension == 2 ? Int3{50, 61, 1} : diameter < 5 ? Int3{13, 14, 12} : Int3{26, 31, 24};
        c.domain.periodic = {periodic, periodic, periodic && dimension == 3};
        const Grid grid = make_grid(c);
        const auto& g = *c.geometry.generator;
        const auto spheres =
            geometry::pack_spheres(grid, diameter, g.porosity, g.seed, false, communicator_of_one()).spheres;
        const auto nearest = [&](const Real3& p) {
          std::pair<double, Real3> best{1e300, {}};
          for (const geometry::Sphere& s : spheres) {
            Real3 from = p - s.centre;
            for (int axis = 0; axis < 3; ++axis) {
              if (axis >= dimension)
                from[axis] = 0;
              else if (periodic)
                from[axis] -= grid.size[axis] * std::round(from[axis] / grid.size[axis]);
            }
            if (norm(from) - s.radius < best.first) best = {norm(from) - s.radius, -1.0 * from};
          }
          return best;
        };
        EXPECT_GT(expect_walls(
                      c, [&](const Real3& p) { return nearest(p).first <= 0; },
                      [&](const Real3& p) { return unit(nearest(p).second); }, {1e-6, 1e-4, 0.002, 31}),
                  10);
      }
    }
  }
}

/// A ball of `bands` by 2 `bands` quads.
geometry::TriangleSoup ball_soup(const Real3& centre, double radius, int bands) {
  geometry::TriangleSoup soup;
  const auto point = [&](int i, int j) {
    const double polar = std::numbers::pi * i / bands, angle = std::numbers::pi * (j % (2 * bands)) / bands;
    const double ring = i == 0 || i == bands ? 0 : std::sin(polar);
    return centre + radius * Real3{ring * std::cos(angle), ring * std::sin(angle), std::cos(polar)};
  };
  for (int i = 0; i < bands; ++i) {
    for (int j = 0; j < 2 * bands; ++j) {
      if (i > 0) soup.push_back({point(i, j), point(i + 1, j), point(i, j + 1)});
      if (i + 1 < bands) soup.push_back({point(i, j + 1), point(i + 1, j), point(i + 1, j + 1)});
    }
  }
  return soup;
}

TEST(Walls, MeshesAreWhereTheirTrianglesAre) {
  const TemporaryFolder folder;
  const Real3 centre{10.1, 11.2, 9.3};
  folder.write("ball.stl", binary_stl(ball_soup(centre, 6.2, 180)));
  Case c;
  c.directory = folder.path();
  c.domain.nodes = Int3{21, 22, 19};
  c.domain.origin = Real3{0, 0, 0};
  c.geometry.stl = {stl("ball.stl")};
  c.geometry.keep_isolated = true;
  c.walls.method = "interpolated";
  // A chord of one degree lies 2e-4 below its arc; a link that grazes the ball sees more of that.
  const Tolerances tolerances{5e-3, 0.02, 0.005};
  c.geometry.stl[0].fluid = "outside";
  EXPECT_GT(expect_walls(
                c, [&](const Real3& p) { return norm(p - centre) <= 6.2; },
                [&](const Real3& p) { return unit(centre - p); }, tolerances),
            1000);
  c.geometry.stl[0].fluid = "inside";
  EXPECT_GT(expect_walls(
                c, [&](const Real3& p) { return norm(p - centre) > 6.2; },
                [&](const Real3& p) { return unit(p - centre); }, tolerances),
            1000);
}

TEST(Walls, MeshThroughPeriodicFacesHasNoEnds) {
  const TemporaryFolder folder;
  folder.write("tube.stl", binary_stl(tube_soup(0, 12, {0, 9, 9}, 6.3, true, true, true, 360)));
  Case c;
  c.directory = folder.path();
  c.domain.nodes = Int3{12, 18, 18};
  c.domain.origin = Real3{0, 0, 0};
  c.domain.periodic = {true, false, false};
  c.geometry.stl = {stl("tube.stl")};
  c.walls.method = "interpolated";
  EXPECT_GT(expect_walls(
                c, [](const Real3& p) { return std::hypot(p[1] - 9, p[2] - 9) > 6.3; },
                [](const Real3& p) {
                  return unit({0, p[1] - 9, p[2] - 9});
                },
                {5e-3, 0.02, 0.005}),
            1000);
}

TEST(Walls, OpeningsLieHalfWay) {
  const TemporaryFolder folder;
  folder.write("tube.stl", binary_stl(tube_soup(2.2, 21.7, {0, 9, 9}, 6.3, true, false, false)));
  Case c;
  c.directory = folder.path();
  c.domain.nodes = Int3{24, 18, 18};
  c.domain.origin = Real3{0, 0, 0};
  c.geometry.stl = {stl("tube.stl")};
  for (const auto& [name, x] : {std::pair{"in", 2.2}, std::pair{"out", 21.7}}) {
    Case::OpeningInput opening;
    opening.name = name;
    opening.center = Real3{x, 9, 9};
    c.openings.push_back(opening);
    c.boundaries.push_back(boundary(name, "pressure"));
  }
  c.walls.method = "interpolated";
  const Geometry g = build(c);
  std::vector<int> half_way(g.surfaces.size(), 0), elsewhere(g.surfaces.size(), 0);
  for_each_fluid(g.nodes, [&](const Int3& node) {
    for (const Int3& offset : link_offsets(3)) {
      if (g.nodes.is_fluid({node[0] + offset[0], node[1] + offset[1], node[2] + offset[2]})) continue;
      ++(g.distance_of(node, offset) == 0.5 ? half_way : elsewhere)[g.surface_of(node, offset)];
    }
  });
  for (const char* name : {"in", "out"}) {
    EXPECT_GT(half_way[surface_number(g, name)], 500);
    EXPECT_EQ(elsewhere[surface_number(g, name)], 0);
  }
  EXPECT_GT(elsewhere[surface_id::wall], 1000);
  // The report counts the same, along fewer directions.
  ASSERT_EQ(g.report.wall_links.size(), 3u);
  for (const auto& links : g.report.wall_links) {
    EXPECT_EQ(links.lost, 0u);
    EXPECT_GT(links.surface == "wall" ? links.interpolated : links.half_way, 100u);
    EXPECT_EQ(links.surface == "wall" ? links.half_way : links.interpolated, 0u);
  }
  EXPECT_NE(format_report(g, c, make_grid(c)).find("walls               wall: "), std::string::npos);
}

}  // namespace
}  // namespace fluvia::test
