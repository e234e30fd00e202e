// SPDX-License-Identifier: Apache-2.0
// No axis and no side of one is special: cases drawn at random, with conditions on all faces that meet, have the same
// fields when their axes change places and directions. Where openings, or slip walls, of the same kind meet, the one
// across the longer axis comes first (face_ranks()), so that the axes drawn here differ in length.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "fluvia/run/prepared_flow.hpp"
#include "reference/scene.hpp"

namespace fluvia::test {
namespace {

/// Axis a of the first case is axis[a] of the other, in the opposite direction where sign[a] is -1.
struct Axes {
  Int3 axis{0, 1, 2}, sign{1, 1, 1};

  [[nodiscard]] Real3 vector(const Real3& v) const {
    Real3 result{};
    for (int a = 0; a < 3; ++a) result[axis[a]] = sign[a] * v[a];
    return result;
  }
  template <class Numbers>
  [[nodiscard]] Numbers numbers(const Numbers& v) const {
    Numbers result{};
    for (int a = 0; a < 3; ++a) result[axis[a]] = v[a];
    return result;
  }
  [[nodiscard]] Int3 node(const Int3& x, const Int3& size) const {
    Int3 result{};
    for (int a = 0; a < 3; ++a) result[axis[a]] = sign[a] > 0 ? x[a] : size[a] - 1 - x[a];
    return result;
  }
  [[nodiscard]] std::string face(int a, int side) const {
    const bool upper = (side == 1) == (sign[a] > 0);
    return fmt::format("{}_{}", "xyz"[axis[a]], upper ? "max" : "min");
  }
  [[nodiscard]] std::string text() const {
    return fmt::format("axes {}{}, {}{}, {}{}", sign[0] > 0 ? "" : "-", "xyz"[axis[0]], sign[1] > 0 ? "" : "-",
                       "xyz"[axis[1]], sign[2] > 0 ? "" : "-", "xyz"[axis[2]]);
  }
};

/// A case before anybody said which axis is which.
struct Drawn {
  struct Face {
    std::string type;  ///< empty: a wall at rest
    Real3 velocity{};
    double value = 0;  ///< pressure, slip length
  };
  int dimension = 3;
  Int3 nodes{};
  Bool3 periodic{};
  std::array<std::array<Face, 2>, 3> faces{};
  Real3 center{}, spin{}, force{}, initial{};
  double radius = 0;
  std::string lattice, collision, walls;

  [[nodiscard]] Case make(const Axes& axes) const {
    Case c;
    c.domain.dimension = dimension;
    const Int3 size = axes.numbers(nodes);
    c.domain.nodes = size;
    Real3 origin{};  // the middle of the box lies at 0
    for (int a = 0; a < dimension; ++a) origin[a] = -0.5 * size[a];
    c.domain.origin = origin;
    c.domain.periodic = axes.numbers(periodic);
    c.units.viscosity = 0.06;
    c.numerics.device = "cpu";
    c.numerics.format = "fp64";
    c.numerics.collision = collision;
    c.numerics.lattice = lattice;
    c.numerics.threads = 1;
    c.walls.method = walls;
    c.physics.acceleration = axes.vector(force);
    c.physics.initial_velocity = axes.vector(initial);
    for (int a = 0; a < dimension; ++a)
      for (const int side : {0, 1}) {
        const Face& face = faces[a][side];
        if (periodic[a] || face.type.empty()) continue;
        Case::Boundary b;
        b.surface = axes.face(a, side);
        b.type = face.type;
        if (b.type == "moving_wall" || b.type == "velocity") b.velocity = axes.vector(face.velocity);
        if (b.type == "pressure" || b.type == "non_reflecting") b.values["pressure"] = face.value;
        if (b.type == "half_slip") b.values["slip_length"] = face.value;
        c.boundaries.push_back(b);
      }
    Case::Shape ball;
    ball.kind = "sphere";
    ball.name = "ball";
    ball.center = axes.vector(center);
    ball.radius = radius;
    if (dimension == 2) {
      ball.kind = "cylinder";
      ball.from = ball.to = ball.center;
      ball.from[2] = -5;
      ball.to[2] = 5;
    }
    c.geometry.shapes = {ball};
    if (norm(spin) > 0) {
      Case::Boundary turning;
      turning.surface = "ball";
      turning.type = "moving_wall";
      turning.velocity = axes.vector(spin);
      c.boundaries.push_back(turning);
    }
    return c;
  }
  [[nodiscard]] std::string text() const {
    std::string result = fmt::format("{} {} {}, {} x {} x {}", lattice, collision, walls, nodes[0], nodes[1], nodes[2]);
    for (int a = 0; a < dimension; ++a)
      result += periodic[a] ? ", periodic" : fmt::format(", {} | {}", faces[a][0].type, faces[a][1].type);
    return result;
  }
};

/// The generator's numbers are those of the standard; its distributions are not, so they are made here.
class Draw {
 public:
  explicit Draw(unsigned seed) : generator_(seed) {}
  int below(int n) { return static_cast<int>(generator_() % static_cast<unsigned>(n)); }
  double between(double low, double high) { return low + (high - low) * (generator_() / 4294967296.0); }
  Real3 velocity(int dimension, double most) {
    Real3 u{};
    for (int a = 0; a < dimension; ++a) u[a] = between(-most, most);
    return u;
  }

 private:
  std::mt19937 generator_;
};

Drawn draw_case(Draw& draw) {
  Drawn d;
  d.dimension = draw.below(3) == 0 ? 2 : 3;
  const char* const lattices[] = {"D3Q15", "D3Q19", "D3Q27"};
  const char* const collisions[] = {"bgk", "trt", "mrt"};
  d.lattice = d.dimension == 2 ? "D2Q9" : lattices[draw.below(3)];
  d.collision = collisions[draw.below(d.lattice == "D3Q19" || d.lattice == "D2Q9" ? 3 : 2)];
  d.walls = draw.below(2) == 0 ? "half-way" : "interpolated";
  do d.nodes = {9 + draw.below(5), 8 + draw.below(5), d.dimension == 2 ? 1 : 7 + draw.below(5)};
  while (d.nodes[0] == d.nodes[1] || d.nodes[1] == d.nodes[2] || d.nodes[2] == d.nodes[0]);
  d.initial = draw.velocity(d.dimension, 0.01);
  bool outlet = false, inlet = false;
  for (int a = 0; a < d.dimension; ++a) {
    d.periodic[a] = draw.below(5) == 0;
    for (const int side : {0, 1}) {
      Drawn::Face& face = d.faces[a][side];
      if (d.periodic[a]) continue;
      const char* const types[] = {"",          "moving_wall", "symmetry", "free_slip",
                                   "half_slip", "velocity",    "pressure", "non_reflecting"};
      face.type = types[draw.below(8)];
      inlet = inlet || face.type == "velocity";
      outlet = outlet || face.type == "pressure" || face.type == "non_reflecting";
      face.velocity = draw.velocity(d.dimension, 0.02);
      if (face.type == "moving_wall") face.velocity[a] = 0;
      face.value = face.type == "half_slip" ? draw.between(0.2, 3) : draw.between(-0.002, 0.002);
    }
  }
  if (inlet && !outlet)  // what comes in must get out
    for (auto& pair : d.faces)
      for (Drawn::Face& face : pair)
        if (face.type == "velocity") face.type = "pressure";
  d.radius = draw.between(1.2, 2.4);
  for (int a = 0; a < d.dimension; ++a) d.center[a] = draw.between(-1.5, 1.5);
  if (draw.below(2) == 0) d.spin = draw.velocity(d.dimension, 0.01);
  d.force = draw.velocity(d.dimension, 1e-5);
  return d;
}

Moments flow_after(const Case& c, int steps, NodeMap& nodes) {
  PreparedFlow flow(c, PreparedFlow::Warn{});
  flow.build();
  flow.make_solver();
  flow.solver().step(steps);
  nodes = flow.solver().geometry().nodes;
  return scene::moments(flow.solver());
}

TEST(DrawnSymmetry, NoAxisAndNoSideIsSpecial) {
  constexpr int cases = 60, steps = 40;
  for (int k = 0; k < cases; ++k) {
    Draw draw(static_cast<unsigned>(1000 + k));
    const Drawn drawn = draw_case(draw);
    Axes axes;
    do {
      for (int a = drawn.dimension - 1; a > 0; --a) std::swap(axes.axis[a], axes.axis[draw.below(a + 1)]);
      for (int a = 0; a < drawn.dimension; ++a) axes.sign[a] = draw.below(2) == 0 ? 1 : -1;
    } while (axes.axis == Int3{0, 1, 2} && axes.sign == Int3{1, 1, 1});
    SCOPED_TRACE(fmt::format("case {}: {}; {}", k, drawn.text(), axes.text()));
    NodeMap nodes, others;
    const Moments first = flow_after(drawn.make({}), steps, nodes),
                  second = flow_after(drawn.make(axes), steps, others);
    ASSERT_EQ(nodes.fluid_nodes, others.fluid_nodes);
    double largest = 0, difference = 0;
    scene::for_each_fluid_node(nodes, [&](const Int3& x, std::uint64_t n) {
      const std::int64_t m = others.node_index(axes.node(x, drawn.nodes));
      ASSERT_GE(m, 0);
      const auto other = static_cast<std::size_t>(m);
      const Real3 u = axes.vector(first.velocity[n]);
      difference = std::max(difference, std::abs(first.density[n] - second.density[other]));
      for (int a = 0; a < 3; ++a) {
        largest = std::max(largest, std::abs(u[a]));
        difference = std::max(difference, std::abs(u[a] - second.velocity[other][a]));
      }
    });
    EXPECT_GT(largest, 1e-4);
    // Sums in another order: rounding of numbers near 1 in some dozen steps, and of distances of walls in 16 bits.
    EXPECT_LT(difference, 1e-11);
  }
}

}  // namespace
}  // namespace fluvia::test
