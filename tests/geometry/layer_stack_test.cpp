// SPDX-License-Identifier: Apache-2.0
// What a stack of layers says of nodes, against asking every layer.
#include "fluvia/geometry/layers/layer_stack.hpp"

#include <random>

#include "fluvia/geometry/generate/shapes.hpp"
#include "fluvia/geometry/map/node_map.hpp"
#include "geometry/test_support.hpp"

namespace fluvia::test {
namespace {

using namespace geometry;

/// Layers of small spheres, solid and fluid by turns, between two half-spaces that reach through the whole box.
Layers some_layers(int dimension, const Int3& size, int spheres) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> part(-0.1, 1.1), radius(0.3, 4);
  Layers layers;
  layers.push_back(make_distance_layer([](const Real3& p) { return p[0] - 3.2; }, Decision::solid, dimension, 6));
  for (int i = 0; i < spheres; ++i) {
    Real3 centre{part(random) * size[0], part(random) * size[1], dimension == 2 ? 0.5 : part(random) * size[2]};
    layers.push_back(make_distance_layer([centre, r = radius(random)](const Real3& p) { return norm(p - centre) - r; },
                                         i % 3 == 0 ? Decision::fluid : Decision::solid, dimension, 7 + i));
  }
  layers.push_back(make_distance_layer([](const Real3& p) { return p[1] - 2.5; }, Decision::fluid, dimension, 6));
  return layers;
}

class Stacks : public testing::TestWithParam<int> {
 protected:
  const int dimension = GetParam();
  const Int3 size = dimension == 3 ? Int3{37, 22, 41} : Int3{61, 83, 1};
  const LayerStack stack{some_layers(dimension, size, 200), true, dimension, size};

  [[nodiscard]] LayerStack::Verdict ask_all(const Int3& node) const {
    for (int i = static_cast<int>(stack.layers().size()); i-- > 0;)
      if (const Decision d = stack.layer(i).decide(node); d != Decision::none) return {i, d};
    return {-1, Decision::solid};
  }
};

TEST_P(Stacks, DecideAsAllLayersDo) {
  for (int z = dimension == 3 ? -1 : 0; z <= (dimension == 3 ? size[2] : 0); ++z)
    for (int y = -1; y <= size[1]; ++y)
      for (int x = -1; x <= size[0]; ++x) {
        const auto expected = ask_all({x, y, z}), found = stack.decide({x, y, z});
        ASSERT_EQ(found.layer, expected.layer) << x << " " << y << " " << z;
        ASSERT_EQ(found.decision, expected.decision);
      }
}

TEST_P(Stacks, FillTilesAsAllLayersDo) {
  const Int3 shape = tile_shape(dimension);
  for (int z = 0; z * shape[2] < size[2]; ++z)
    for (int y = 0; y * shape[1] < size[1]; ++y)
      for (int x = 0; x * shape[0] < size[0]; ++x) {
        std::uint64_t expected = 0;
        for (const auto& layer : stack.layers()) expected = layer->apply({x, y, z}, expected);
        ASSERT_EQ(stack.apply({x, y, z}), expected) << x << " " << y << " " << z;
      }
}

TEST_P(Stacks, VisitLayersOfBothNodesFromTheTop) {
  std::mt19937 random(3);
  for (int i = 0; i < 2000; ++i) {
    Int3 a, b;
    for (int axis = 0; axis < dimension; ++axis) {
      a[axis] = static_cast<int>(random() % static_cast<unsigned>(size[axis]));
      b[axis] = (a[axis] + static_cast<int>(random() % 3) - 1 + size[axis]) % size[axis];
    }
    std::vector<int> seen;
    stack.visit_from_top(a, b, [&](int number, const Layer& layer) {
      EXPECT_EQ(&layer, &stack.layer(number));
      seen.push_back(number);
      return false;
    });
    EXPECT_TRUE(std::is_sorted(seen.rbegin(), seen.rend()));
    EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end()) << "twice";
    for (int number = 0; number < static_cast<int>(stack.layers().size()); ++number) {
      const bool decides =
          stack.layer(number).decide(a) != Decision::none || stack.layer(number).decide(b) != Decision::none;
      ASSERT_TRUE(!decides || std::find(seen.begin(), seen.end(), number) != seen.end()) << number;
    }
    EXPECT_LT(seen.size(), 100u) << "few of the 200 spheres are near any node";
  }
}

INSTANTIATE_TEST_SUITE_P(Of, Stacks, testing::Values(2, 3));

TEST(LayerStack, WithoutLayersIsItsBase) {
  EXPECT_EQ(LayerStack().apply({0, 0, 0}), ~std::uint64_t{0});
  const LayerStack solid({}, true, 3, {9, 9, 9});
  EXPECT_EQ(solid.apply({1, 1, 1}), 0u);
  EXPECT_EQ(solid.decide({3, 3, 3}).layer, -1);
  EXPECT_EQ(solid.decide({3, 3, 3}).decision, Decision::solid);
}

}  // namespace
}  // namespace fluvia::test
