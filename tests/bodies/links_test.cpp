// SPDX-License-Identifier: Apache-2.0
// Which links bodies cut: beside all nodes and links of the box, each asked by itself; the same after any number of
// steps as if the bodies had been there at once, by any number of threads; and as kernels of GPUs are told of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "bodies/link_scenes.hpp"
#include "fluvia/cuda/layout/bodies/body_arrays.hpp"

namespace fluvia {
namespace {

using test::BodyScene;
using test::Flow;

using LinkKey = std::tuple<Int3, int>;  // node, direction

std::map<LinkKey, const BodyLink*> by_key(const MovingBodies& bodies) {
  std::map<LinkKey, const BodyLink*> all;
  for (const BodyLink& link : bodies.links())
    EXPECT_TRUE(all.try_emplace({bodies.node_of(link), link.direction}, &link).second) << "a link comes twice";
  return all;
}

void expect_same(const MovingBodies& bodies, const MovingBodies& expected) {
  ASSERT_EQ(bodies.links().size(), expected.links().size());
  for (std::size_t k = 0; k < bodies.links().size(); ++k) {
    const BodyLink &link = bodies.links()[k], &other = expected.links()[k];
    ASSERT_TRUE(link.node == other.node && link.direction == other.direction && link.body == other.body &&
                link.is_through == other.is_through && link.is_at_wall == other.is_at_wall && link.part == other.part)
        << "link " << k;
  }
}

class BodyLinks : public testing::TestWithParam<BodyScene> {};
INSTANTIATE_TEST_SUITE_P(Scenes, BodyLinks, testing::ValuesIn(test::body_scenes()), [](const auto& info) {
  std::string name = info.param.name;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
});

/// All links of the box from nodes of fluid, asked by distances alone: of the surface of a body on its own.
void compare_with_all(const Flow& flow, const MovingBodies& bodies, const std::vector<BodyShape>& shapes) {
  constexpr double unsure = 1e-3;  // of a chord that distances at places along the way cannot decide
  const NodeMap& nodes = flow.geometry.nodes;
  const auto found = by_key(bodies);
  std::size_t expected = 0;
  // Of the image that is nearest to the body, which is small beside the box.
  const auto in_rest = [&](std::size_t body, Real3 place) {
    const Pose& pose = bodies.pose(static_cast<int>(body));
    for (std::size_t a = 0; a < 3; ++a)
      if (nodes.periodic[a] && static_cast<int>(a) < nodes.dimension)
        place[a] -= nodes.size[a] * std::round((place[a] - pose.center[a]) / nodes.size[a]);
    return bodies.center(static_cast<int>(body)) + pose.in_body(place);
  };
  const auto covers = [&](const Int3& node) {
    for (std::size_t body = 0; body < shapes.size(); ++body)
      if (shapes[body].distance(in_rest(body, geometry::node_centre(node))) <= 0) return true;
    return false;
  };
  const auto is_solid = [&](const Int3& place) {
    const NodeMap::Landing at = nodes.land(place);
    return !at.inside || !nodes.is_fluid(at.node);
  };
  for (int z = 0; z < nodes.size[2]; ++z)
    for (int y = 0; y < nodes.size[1]; ++y)
      for (int x = 0; x < nodes.size[0]; ++x) {
        const Int3 node{x, y, z};
        if (!nodes.is_fluid(node)) continue;
        ASSERT_EQ(bodies.covers(node), covers(node)) << x << ' ' << y << ' ' << z;
        if (covers(node)) continue;
        for (std::size_t k = 1; k < flow.velocities.size(); ++k) {
          const Int3& c = flow.velocities[k];
          const NodeMap::Landing end = nodes.land({x + c[0], y + c[1], z + c[2]});
          const auto at = found.find({node, static_cast<int>(k)});
          SCOPED_TRACE(testing::Message() << x << ' ' << y << ' ' << z << " along " << k);
          if (is_solid({x + c[0], y + c[1], z + c[2]})) {
            // A part of the link meets a body, the rest leads into the wall.
            bool is_at_wall = false;
            for (int axes = 1; axes < 7; ++axes) {
              Int3 along = node, across = node;
              for (std::size_t a = 0; a < 3; ++a) ((axes >> a & 1) != 0 ? along : across)[a] += c[a];
              if (along == node || across == node || is_solid(along) || !is_solid(across)) continue;
              const Int3 step{along[0] - x, along[1] - y, along[2] - z};
              const auto way = std::find(flow.velocities.begin(), flow.velocities.end(), step);
              const auto direction = static_cast<int>(way - flow.velocities.begin());
              is_at_wall = is_at_wall || covers(nodes.land(along).node) || found.count({node, direction}) > 0;
            }
            ASSERT_EQ(at != found.end(), is_at_wall);
            if (!is_at_wall) continue;
            EXPECT_TRUE(at->second->is_at_wall && at->second->is_through);
            EXPECT_EQ(at->second->part, 0.5);
            ++expected;
            continue;
          }
          const bool to_covered = covers(end.node);
          // The least distance along the way, and where it is first less than 0.
          double least = 1, first = 1;
          constexpr int places = 100;
          for (std::size_t body = 0; body < shapes.size(); ++body) {
            const Real3 from = in_rest(body, geometry::node_centre(node));
            const Real3 way = bodies.pose(static_cast<int>(body)).along_axes(geometry::link_vector(c));
            if (shapes[body].distance(from) > 2) continue;
            for (int part = 0; part <= places; ++part) {
              const double distance = shapes[body].distance(from + (1.0 * part / places) * way);
              least = std::min(least, distance);
              if (distance <= 0) first = std::min(first, 1.0 * part / places);
            }
          }
          if (to_covered || least < -unsure) {
            ASSERT_NE(at, found.end());
            EXPECT_EQ(at->second->is_through, !to_covered);
            EXPECT_FALSE(at->second->is_at_wall);
            // Places along the way may miss where it first meets the surface, if it hardly does.
            EXPECT_LE(at->second->part, first + 0.0101);
            const Real3 met = bodies.place_of(*at->second);
            const auto body = static_cast<std::size_t>(at->second->body);
            if (at->second->part > 1e-3) {
              EXPECT_NEAR(shapes[body].distance(in_rest(body, met)), 0, 1e-8);
            }
            ++expected;
          } else if (at != found.end()) {
            ASSERT_LT(least, 0.02);
            ++expected;
          }
        }
      }
  EXPECT_EQ(found.size(), expected);
}

TEST_P(BodyLinks, AreThoseOfAllNodes) {
  const Flow flow(GetParam());
  MovingBodies bodies = flow.bodies(2);
  std::vector<BodyShape> shapes;
  for (const Case::Body& body : flow.settings.bodies)
    shapes.push_back(make_body_shape(flow.settings, flow.grid, body.surface));
  bodies.begin();
  bodies.start_at(0);
  compare_with_all(flow, bodies, shapes);
  for (int step = 1; step <= 97; ++step) {
    bodies.move_to(step, {});
    if (step % 24 == 1) compare_with_all(flow, bodies, shapes);
  }
}

/// Nodes that are covered at a step and not a step before, and those that are uncovered, with neighbours.
TEST_P(BodyLinks, ComeWithWhatIsCoveredAndUncovered) {
  const Flow flow(GetParam());
  const NodeMap& nodes = flow.geometry.nodes;
  MovingBodies bodies = flow.bodies(2);
  bodies.start_at(0);
  const auto covered_now = [&] {
    std::set<Int3> covered;
    for (const NodeMap::Tile& tile : nodes.tiles)
      for (int bit = 0; bit < nodes_per_tile; ++bit)
        if (const Int3 node = nodes.node_position(tile, bit); (tile.mask >> bit & 1) != 0 && bodies.covers(node))
          covered.insert(node);
    return covered;
  };
  std::set<Int3> before = covered_now();
  EXPECT_EQ(std::set<Int3>(bodies.newly_covered().begin(), bodies.newly_covered().end()), before);
  std::size_t changes = 0;
  for (int step = 1; step <= 97; ++step) {
    bodies.move_to(step, {});
    const std::set<Int3> now = covered_now();
    std::set<Int3> gained, lost;
    std::set_difference(now.begin(), now.end(), before.begin(), before.end(), std::inserter(gained, gained.end()));
    std::set_difference(before.begin(), before.end(), now.begin(), now.end(), std::inserter(lost, lost.end()));
    ASSERT_EQ(std::set<Int3>(bodies.newly_covered().begin(), bodies.newly_covered().end()), gained) << step;
    ASSERT_EQ(bodies.uncovered().size(), lost.size()) << step;
    for (const UncoveredNode& node : bodies.uncovered()) {
      ASSERT_EQ(lost.count(node.node), 1U) << step;
      std::vector<Int3> expected;
      for (std::size_t k = 1; k < flow.velocities.size(); ++k) {
        const Int3& c = flow.velocities[k];
        const NodeMap::Landing there = nodes.land({node.node[0] + c[0], node.node[1] + c[1], node.node[2] + c[2]});
        if (there.inside && nodes.is_fluid(there.node) && now.count(there.node) + before.count(there.node) == 0)
          expected.push_back(there.node);
      }
      const auto first = bodies.neighbours().begin() + node.first;
      ASSERT_EQ(std::vector<Int3>(first, first + node.count), expected) << step;
    }
    changes += gained.size() + lost.size();
    before = now;
  }
  EXPECT_GT(changes, 0U);
}

TEST_P(BodyLinks, DependOnNoStepBeforeAndNoThreads) {
  const Flow flow(GetParam());
  MovingBodies bodies = flow.bodies(1), by_others = flow.bodies(3), at_once = flow.bodies(2);
  bodies.start_at(0);
  by_others.start_at(0);
  for (int step = 1; step <= 97; ++step) {
    bodies.move_to(step, {});
    by_others.move_to(step, {});
    if (step % 8 != 1) continue;
    SCOPED_TRACE(step);
    expect_same(by_others, bodies);
    at_once.start_at(step);
    expect_same(at_once, bodies);
  }
}

/// What kernels are told: each link once, with its node and numbers.
TEST_P(BodyLinks, AreThoseThatKernelsAreTold) {
  const Flow flow(GetParam());
  const NodeMap& nodes = flow.geometry.nodes;
  for (const int threads : {1, 3}) {
    MovingBodies bodies = flow.bodies(threads);
    cuda::BodyArrays arrays(
        nodes, [](std::uint64_t tile) { return static_cast<std::uint32_t>(tile); }, flow.weights, threads);
    for (const int step : {0, 41}) {
      bodies.start_at(step);
      arrays.take_links(bodies);
      std::size_t next = 0;
      for (const cuda::kernels::TileReference& tile : arrays.tiles()) {
        std::uint32_t at = tile.output;
        for (int bit = 0; bit < nodes_per_tile; ++bit) {
          if ((tile.mask >> bit & 1) == 0) continue;
          const cuda::kernels::BodyNode& node = arrays.nodes()[at++];
          ASSERT_EQ(node.first, next);
          for (int k = 0; k < 32; ++k) {
            if ((node.directions >> k & 1) == 0) continue;
            ASSERT_LT(next, bodies.links().size());
            const BodyLink& link = bodies.links()[next];
            EXPECT_EQ(bodies.node_of(link), nodes.node_position(nodes.tiles[tile.storage_index], bit));
            EXPECT_EQ(int{link.direction}, k);
            EXPECT_EQ(link.is_through, (node.through >> k & 1) != 0);
            EXPECT_EQ(arrays.links()[next].part, link.part);
            const Real3 velocity = bodies.velocity_of(link);
            const double along = dot(velocity, geometry::link_vector(flow.velocities[static_cast<std::size_t>(k)]));
            EXPECT_NEAR(arrays.links()[next].drive, 3 * flow.weights[static_cast<std::size_t>(k)] * along, 1e-16);
            ++next;
          }
        }
      }
      EXPECT_EQ(next, bodies.links().size());
      EXPECT_GT(next, 0U);
    }
  }
}

}  // namespace
}  // namespace fluvia
