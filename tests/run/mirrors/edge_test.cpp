// SPDX-License-Identifier: Apache-2.0
// Edges between openings: a uniform stream through both stays as it is, and no axis is special.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "fluvia/run/prepared_flow.hpp"
#include "reference/scene.hpp"

namespace fluvia::test {
namespace {

struct EdgeFace {
  std::string surface, type;
};

/// A box that a stream fills from the start; velocity openings let in the same.
Case box_in_stream(const Int3& nodes, const std::vector<EdgeFace>& faces, const Real3& stream,
                   const std::string& lattice) {
  Case c;
  c.domain.dimension = nodes[2] == 1 ? 2 : 3;
  c.domain.nodes = nodes;
  c.units.viscosity = 0.05;
  c.numerics.device = "cpu";
  c.numerics.format = "fp64";
  c.numerics.lattice = lattice;
  c.numerics.collision = "trt";
  c.numerics.threads = 1;
  c.physics.initial_velocity = stream;
  for (const EdgeFace& face : faces) {
    Case::Boundary b;
    b.surface = face.surface;
    b.type = face.type;
    if (b.type == "velocity") b.velocity = stream;
    c.boundaries.push_back(b);
  }
  return c;
}

std::unique_ptr<PreparedFlow> flow_in_box(const Case& c, int steps) {
  auto flow = std::make_unique<PreparedFlow>(c, PreparedFlow::Warn{});
  flow->build();
  flow->make_solver();
  flow->solver().step(steps);
  return flow;
}

/// Largest difference of a velocity from the stream's.
double bent_by(const Case& c, int steps, const Real3& stream) {
  const auto flow = flow_in_box(c, steps);
  double difference = 0;
  for (const Real3& u : scene::moments(flow->solver()).velocity) difference = std::max(difference, norm(u - stream));
  return difference;
}

/// The opening that acted first took what bounced back from the other for the flow: the stream was 10% off.
TEST(Edges, LetAUniformStreamPass) {
  const char* const outlets[] = {"pressure", "non_reflecting", "windkessel"};
  for (const char* first : outlets)
    for (const char* second : outlets) {
      SCOPED_TRACE(testing::Message() << first << ' ' << second);
      const Real3 stream{0.03, 0.02, 0};
      const std::vector<EdgeFace> faces = {
          {"x_min", "velocity"}, {"y_min", "velocity"}, {"x_max", first}, {"y_max", second}};
      Case c = box_in_stream({14, 12, 1}, faces, stream, "D2Q9");
      for (Case::Boundary& b : c.boundaries)
        if (b.type == "windkessel")
          b.values = {{"proximal_resistance", 0}, {"distal_resistance", 0}, {"compliance", 1}};
      EXPECT_LT(bent_by(c, 600, stream), 1e-10);
    }
  for (const char* lattice : {"D3Q15", "D3Q19", "D3Q27"}) {
    SCOPED_TRACE(lattice);
    const Real3 stream{0.03, 0.02, 0.01};
    std::vector<EdgeFace> faces = {{"x_min", "velocity"}, {"y_min", "velocity"}, {"z_min", "velocity"},
                                   {"x_max", "pressure"}, {"y_max", "pressure"}, {"z_max", "pressure"}};
    EXPECT_LT(bent_by(box_in_stream({9, 8, 7}, faces, stream, lattice), 300, stream), 1e-10);
    faces[1].type = "symmetry";
    faces[4].type = "symmetry";
    EXPECT_LT(bent_by(box_in_stream({9, 8, 7}, faces, {0.03, 0, 0.01}, lattice), 300, {0.03, 0, 0.01}), 1e-10);
  }
}

/// Openings of one kind that meet in a box as long along both axes differ by nothing but their axis, which must not
/// matter. While one of them acted first velocities depended on which by 2%.
TEST(Edges, KnowNoOrderOfOpenings) {
  const int n = 16;
  for (const char* outlet : {"pressure", "non_reflecting"})
    for (const double pressure : {0.0, 3e-4}) {
      SCOPED_TRACE(testing::Message() << outlet << ' ' << pressure);
      Moments moments[2];
      NodeMap nodes;
      double flows[2][3];
      for (const bool turned : {false, true}) {
        const std::string faces[2][3] = {{"x_min", "x_max", "y_max"}, {"y_min", "y_max", "x_max"}};
        const auto& name = faces[turned ? 1 : 0];
        Case c = box_in_stream({n, n, 1}, {{name[0], "velocity"}, {name[1], outlet}, {name[2], outlet}},
                               turned ? Real3{0.01, 0.03, 0} : Real3{0.03, 0.01, 0}, "D2Q9");
        c.boundaries[1].values["pressure"] = pressure;
        const auto flow = flow_in_box(c, 1500);
        moments[turned ? 1 : 0] = scene::moments(flow->solver());
        for (int k = 0; k < 3; ++k) {
          const std::string& opening = flow->solver().geometry().openings[static_cast<std::size_t>(k)].name;
          const auto at = std::find(std::begin(name), std::end(name), opening) - std::begin(name);
          ASSERT_LT(at, 3);
          flows[turned ? 1 : 0][at] = flow->solver().opening_flow(k).flow_rate;
        }
        nodes = flow->solver().geometry().nodes;
      }
      double difference = 0;
      for (int y = 0; y < n; ++y)
        for (int x = 0; x < n; ++x) {
          const auto here = static_cast<std::size_t>(nodes.node_index({x, y, 0})),
                     there = static_cast<std::size_t>(nodes.node_index({y, x, 0}));
          for (int a = 0; a < 2; ++a)
            difference =
                std::max(difference, std::abs(moments[0].velocity[here][a] - moments[1].velocity[there][1 - a]));
        }
      EXPECT_LT(difference, 1e-14);
      for (int k = 0; k < 3; ++k) EXPECT_NEAR(flows[0][k], flows[1][k], 1e-13);
    }
}

/// What passes a face is that of its area in the stream, where velocities are prescribed; of links through two openings
/// with pressures each has what its area has as well. With halves a twelfth of a node's flow was left.
TEST(Edges, ShareWhatPassesThere) {
  const Real3 stream{0.03, 0.02, 0};
  const Case c = box_in_stream(
      {14, 14, 1}, {{"x_min", "velocity"}, {"y_min", "velocity"}, {"x_max", "pressure"}, {"y_max", "pressure"}}, stream,
      "D2Q9");
  const auto flow = flow_in_box(c, 10);
  const double expected[] = {14 * 0.03, -14 * 0.03, 14 * 0.02, -14 * 0.02};
  double sum = 0;
  for (int k = 0; k < 4; ++k) {
    const double found = flow->solver().opening_flow(k).flow_rate;
    EXPECT_NEAR(found, expected[k], 1e-13) << k;
    sum += found;
  }
  EXPECT_NEAR(sum, 0, 1e-14);
}

/// Mean speeds of inlets that meet are those of the case.
TEST(Edges, InletsThatMeetLetInWhatIsAsked) {
  Case c =
      box_in_stream({12, 14, 1}, {{"x_min", "velocity"}, {"y_min", "velocity"}, {"x_max", "pressure"}}, {}, "D2Q9");
  c.boundaries[0].speed = 0.02;
  c.boundaries[1].speed = 0.01;
  const auto flow = flow_in_box(c, 10);
  EXPECT_NEAR(flow->solver().opening_flow(0).flow_rate, 0.02 * 14, 1e-14);
  EXPECT_NEAR(flow->solver().opening_flow(2).flow_rate, 0.01 * 12, 1e-14);
}

}  // namespace
}  // namespace fluvia::test
