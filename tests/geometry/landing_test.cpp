// SPDX-License-Identifier: Apache-2.0
// Where steps out of a box lead: to mirror images, to the other side, or nowhere.
#include <gtest/gtest.h>

#include <string>

#include "fluvia/geometry/map/node_map.hpp"

namespace fluvia::test {
namespace {

struct LandedStep {
  Int3 there, node;
  std::array<int, 3> sign;
  bool inside, reflected;
};

void expect_landings(const NodeMap& map, const std::vector<LandedStep>& steps) {
  for (const LandedStep& step : steps) {
    const NodeMap::Landing landing = map.land(step.there);
    const auto& [x, y, z] = step.there;
    SCOPED_TRACE(std::to_string(x) + " " + std::to_string(y) + " " + std::to_string(z));
    EXPECT_EQ(landing.node, step.node);
    EXPECT_EQ(landing.sign, step.sign);
    EXPECT_EQ(landing.inside, step.inside);
    EXPECT_EQ(landing.reflected, step.reflected);
  }
}

NodeMap mirrored_box(const Int3& size, const Bool3& periodic, const std::array<bool, 6>& mirrors) {
  NodeMap map = NodeMap::build(3, size, periodic, [](const Int3&) { return ~std::uint64_t{0}; });
  map.mirrors = mirrors;
  return map;
}

TEST(LongestEdge, IsThatOfTheWholeFlow) {
  const auto edge = [](const Bool3& periodic, const std::array<bool, 6>& mirrors) {
    return mirrored_box({6, 5, 7}, periodic, mirrors).longest_edge();
  };
  EXPECT_EQ(edge({}, {}), 7);
  EXPECT_EQ(edge({}, {false, false, true, false, false, false}), 10);
  EXPECT_EQ(edge({}, {false, false, false, true, false, false}), 10);
  // What is periodic, or lies between two planes of symmetry, has no edges.
  EXPECT_EQ(edge({false, false, true}, {}), 6);
  EXPECT_EQ(edge({}, {false, false, false, false, true, true}), 6);
  EXPECT_EQ(edge({true, true, true}, {}), 7);
  EXPECT_EQ(mirrored_box({6, 5, 7}, {}, {false, true, false, false, true, false}).whole_size(), (Int3{12, 5, 14}));
}

TEST(Landing, StepsLandBehindAMirrorAtTheImageOfTheirNode) {
  const NodeMap map = mirrored_box({6, 5, 7}, {}, {true, false, false, false, false, true});
  expect_landings(map, {{{3, 2, 4}, {3, 2, 4}, {1, 1, 1}, true, false},
                        {{-1, 2, 4}, {0, 2, 4}, {-1, 1, 1}, true, true},
                        {{-3, 2, 4}, {2, 2, 4}, {-1, 1, 1}, true, true},
                        {{3, 2, 7}, {3, 2, 6}, {1, 1, -1}, true, true},
                        {{3, 2, 9}, {3, 2, 4}, {1, 1, -1}, true, true},
                        // By the faces that are none it leaves the box.
                        {{6, 2, 4}, {6, 2, 4}, {1, 1, 1}, false, false},
                        {{3, 2, -1}, {3, 2, -1}, {1, 1, 1}, false, false}});
}

TEST(Landing, StepsThroughAnEdgeOfTwoMirrorsAreReflectedTwice) {
  const NodeMap map = mirrored_box({6, 5, 7}, {}, {true, true, true, false, false, false});
  expect_landings(map, {{{-1, -1, 3}, {0, 0, 3}, {-1, -1, 1}, true, true},
                        {{6, -2, 3}, {5, 1, 3}, {-1, -1, 1}, true, true},
                        // An edge of a mirror and a face that is none: reflected, and outside.
                        {{-1, 5, 3}, {0, 5, 3}, {-1, 1, 1}, false, true},
                        {{-1, 3, -1}, {0, 3, -1}, {-1, 1, 1}, false, true}});
}

TEST(Landing, StepsWrapAndAreReflectedAxisByAxis) {
  const NodeMap map = mirrored_box({6, 5, 7}, {false, true, false}, {true, false, false, false, false, true});
  expect_landings(map, {{{3, -1, 3}, {3, 4, 3}, {1, 1, 1}, true, false},
                        {{3, 5, 3}, {3, 0, 3}, {1, 1, 1}, true, false},
                        {{3, 11, 3}, {3, 1, 3}, {1, 1, 1}, true, false},
                        {{-1, -1, 3}, {0, 4, 3}, {-1, 1, 1}, true, true},
                        {{-2, 5, 8}, {1, 0, 5}, {-1, 1, -1}, true, true},
                        {{6, 5, 3}, {6, 0, 3}, {1, 1, 1}, false, false}});
}

/// Between two mirrors one node apart the image is that node, however far a step goes.
TEST(Landing, StepsStayBetweenMirrorsThatAreNear) {
  const NodeMap map = mirrored_box({6, 5, 1}, {}, {false, false, false, false, true, true});
  expect_landings(map, {{{3, 2, -1}, {3, 2, 0}, {1, 1, -1}, true, true},
                        {{3, 2, 1}, {3, 2, 0}, {1, 1, -1}, true, true},
                        {{3, 2, 3}, {3, 2, 0}, {1, 1, -1}, true, true}});
}

TEST(Landing, KnowsWhichStepsLeadToFluidOverMirrors) {
  NodeMap map = NodeMap::build(3, {8, 4, 4}, {}, [](const Int3& tile) {
    return tile[0] == 0 ? ~std::uint64_t{0} : std::uint64_t{0};  // the half at x_min
  });
  map.mirrors = {true, true, true, false, false, false};
  EXPECT_TRUE(map.is_mirrored_fluid({-1, 2, 2}));
  EXPECT_TRUE(map.is_mirrored_fluid({2, -1, 2}));
  EXPECT_FALSE(map.is_mirrored_fluid({2, 2, 2})) << "no mirror on the way";
  EXPECT_FALSE(map.is_mirrored_fluid({8, 2, 2})) << "the image is solid";
  EXPECT_FALSE(map.is_mirrored_fluid({2, 4, 2})) << "a wall";
  EXPECT_FALSE(map.is_mirrored_fluid({-1, 4, 2})) << "a mirror and a wall";
}

}  // namespace
}  // namespace fluvia::test
