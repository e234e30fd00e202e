// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/map/node_map.hpp"

#include <omp.h>

#include "fluvia/geometry/analysis.hpp"
#include "fluvia/geometry/map/box_array.hpp"
#include "fluvia/geometry/map/components.hpp"
#include "geometry/test_support.hpp"

namespace fluvia::test {
namespace {

/// A cheap hash as a reproducible random mask.
std::uint64_t noise(const Int3& tile, std::uint64_t seed) {
  std::uint64_t h = seed + 0x9e3779b97f4a7c15u * (1 + tile[0] + 1000u * tile[1] + 1000000u * tile[2]);
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
  return h ^ (h >> 31);
}

NodeMap random_map(int dimension, const Int3& size, const Bool3& periodic, bool dense = false) {
  return NodeMap::build(dimension, size, periodic, [=](const Int3& tile) {
    return dense ? noise(tile, 1) | noise(tile, 2) : noise(tile, 1) & (tile[0] == 1 ? 0 : ~std::uint64_t{0});
  });
}

struct Box {
  int dimension;
  Int3 size;
  Bool3 periodic;
};
const std::vector<Box> boxes = {{3, {9, 7, 10}, {false, false, false}}, {3, {9, 7, 10}, {true, true, true}},
                                {3, {8, 4, 12}, {true, false, true}},   {3, {1, 5, 2}, {false, true, true}},
                                {2, {19, 9, 1}, {true, false, true}},   {2, {8, 16, 1}, {false, false, true}}};

TEST(NodeMap, NumbersNodesInCanonicalOrder) {
  for (const Box& box : boxes) {
    const NodeMap map = random_map(box.dimension, box.size, box.periodic);
    std::int64_t next = 0;
    for_each_fluid(map, [&](const Int3& node) {
      for (int axis = 0; axis < 3; ++axis) ASSERT_LT(node[axis], box.size[axis]);
      EXPECT_EQ(map.node_index(node), next++);
    });
    EXPECT_EQ(static_cast<std::uint64_t>(next), map.fluid_nodes);
    std::uint64_t found = 0;
    for (int z = 0; z < box.size[2]; ++z) {
      for (int y = 0; y < box.size[1]; ++y) {
        for (int x = 0; x < box.size[0]; ++x) found += map.is_fluid({x, y, z});
      }
    }
    EXPECT_EQ(found, map.fluid_nodes);
  }
}

TEST(NodeMap, DoesNotDependOnThreadCount) {
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  const NodeMap one = random_map(3, {50, 41, 37}, {false, false, false});
  omp_set_num_threads(3);
  const NodeMap three = random_map(3, {50, 41, 37}, {false, false, false});
  omp_set_num_threads(threads);
  ASSERT_EQ(one.tiles.size(), three.tiles.size());
  EXPECT_EQ(one.directory, three.directory);
  for (std::size_t t = 0; t < one.tiles.size(); ++t) {
    EXPECT_EQ(one.tiles[t].mask, three.tiles[t].mask);
    EXPECT_EQ(one.tiles[t].first_node, three.tiles[t].first_node);
  }
}

TEST(NodeMap, WrapsPeriodicAxesOnly) {
  const NodeMap map = NodeMap::build(3, {5, 6, 7}, {true, false, true}, [](const Int3&) { return ~std::uint64_t{0}; });
  Int3 node{-1, 3, 7};
  EXPECT_TRUE(map.wrap(node));
  EXPECT_EQ(node, (Int3{4, 3, 0}));
  node = {0, 6, 0};
  EXPECT_FALSE(map.wrap(node));
  EXPECT_TRUE(map.is_fluid({11, 0, -8}));
  EXPECT_FALSE(map.is_fluid({0, -1, 0}));
  EXPECT_EQ(map.node_index({0, 6, 0}), -1);
}

TEST(NodeMap, RefusesBadBoxes) {
  const auto full = [](const Int3&) { return ~std::uint64_t{0}; };
  expect_message([&] { NodeMap::build(3, {4, 0, 4}, {}, full); }, {"4 x 0 x 4", "between 1 and"});
  expect_message([&] { NodeMap::build(2, {4, 4, 2}, {}, full); }, {"2D box has one node along z"});
  expect_message([&] { NodeMap::build(3, {1 << 20, 1 << 20, 1 << 20}, {}, full); }, {"tiles"});
  expect_message(
      [&] {
        NodeMap::build(3, {4, 4, 4}, {}, [](const Int3&) { return std::uint64_t{0}; });
      },
      {"none of the 4 x 4 x 4 nodes", "fluid"});
}

/// Flood fill over single nodes.
std::vector<int> plain_components(const NodeMap& map, std::vector<bool>& at_periodic_face) {
  std::vector<int> component(map.fluid_nodes, -1);
  int count = 0;
  for_each_fluid(map, [&](const Int3& seed) {
    if (component[map.node_index(seed)] >= 0) return;
    std::vector<Int3> stack{seed};
    component[map.node_index(seed)] = count;
    at_periodic_face.push_back(false);
    while (!stack.empty()) {
      const Int3 node = stack.back();
      stack.pop_back();
      for (int axis = 0; axis < map.dimension; ++axis) {
        if (map.periodic[axis] && (node[axis] == 0 || node[axis] == map.size[axis] - 1)) at_periodic_face[count] = true;
        for (const int side : {-1, 1}) {
          Int3 next = node;
          next[axis] += side;
          const std::int64_t index = map.node_index(next);
          if (index < 0 || component[index] >= 0) continue;
          component[index] = count;
          if (!map.wrap(next)) ADD_FAILURE();
          stack.push_back(next);
        }
      }
    }
    ++count;
  });
  return component;
}

TEST(Components, AgreeWithFloodFill) {
  for (const Box& box : boxes) {
    const NodeMap map = random_map(box.dimension, box.size, box.periodic);
    std::vector<bool> at_face;
    const std::vector<int> expected = plain_components(map, at_face);
    const geometry::Components found(map);
    ASSERT_EQ(found.count(), at_face.size());
    EXPECT_EQ(found.at_periodic_face(), at_face);
    std::vector<std::uint64_t> sizes(found.count(), 0);
    for (std::size_t t = 0; t < map.tiles.size(); ++t) {
      for (std::uint64_t rest = map.tiles[t].mask; rest != 0; rest &= rest - 1) {
        const int bit = std::countr_zero(rest);
        const std::uint32_t component = found.of(t, bit);
        ++sizes[component];
        EXPECT_EQ(component,
                  static_cast<std::uint32_t>(expected[map.node_index(map.node_position(map.tiles[t], bit))]));
      }
    }
    for (std::uint32_t i = 0; i < found.count(); ++i) EXPECT_EQ(found.size(i), sizes[i]);
  }
}

/// Floods the unrolled box: where a node is met in two periodic images of it, its component winds along their axis.
std::vector<Bool3> plain_endless(const NodeMap& map, const std::vector<int>& component, std::size_t count) {
  std::vector<Bool3> endless(count);
  std::vector<Int3> place(map.fluid_nodes);
  std::vector<bool> met(map.fluid_nodes, false);
  for_each_fluid(map, [&](const Int3& seed) {
    if (met[map.node_index(seed)]) return;
    met[map.node_index(seed)] = true;
    place[map.node_index(seed)] = seed;
    std::vector<Int3> stack{seed};
    while (!stack.empty()) {
      const Int3 from = stack.back();
      stack.pop_back();
      const Int3 at = place[map.node_index(from)];
      for (int axis = 0; axis < map.dimension; ++axis)
        for (const int side : {-1, 1}) {
          Int3 next = from, there = at;
          next[axis] += side;
          there[axis] += side;
          const std::int64_t index = map.node_index(next);
          if (index < 0) continue;
          if (!map.wrap(next)) ADD_FAILURE();
          if (!met[index]) {
            met[index] = true;
            place[index] = there;
            stack.push_back(next);
          }
          for (int k = 0; k < map.dimension; ++k)
            if (place[index][k] != there[k]) endless[component[index]][k] = true;
        }
    }
  });
  return endless;
}

TEST(Components, AreEndlessWhereAPathWindsThroughTheBox) {
  int wound = 0, not_wound = 0;
  for (const Box& box : boxes) {
    const NodeMap map = random_map(box.dimension, box.size, box.periodic);
    std::vector<bool> at_face;
    const std::vector<int> component = plain_components(map, at_face);
    const geometry::Components found(map);
    const std::vector<Bool3> expected = plain_endless(map, component, found.count());
    EXPECT_EQ(found.endless(), expected);
    for (std::size_t i = 0; i < expected.size(); ++i)
      for (int axis = 0; axis < box.dimension; ++axis)
        if (at_face[i]) ++(expected[i][axis] ? wound : not_wound);
  }
  EXPECT_GT(wound, 0);
  EXPECT_GT(not_wound, 0);
}

TEST(Components, ADuctThatMissesItselfIsNotEndless) {
  // Goes in at y = 1 and leaves at y = 1 + rise.
  const auto duct = [](int rise) {
    return NodeMap::build(3, {8, 8, 4}, {true, false, false}, [rise](const Int3& tile) {
      std::uint64_t mask = 0;
      for (int bit = 0; bit < nodes_per_tile; ++bit) {
        const Int3 l = tile_local(3, bit);
        const int x = 4 * tile[0] + l[0], y = 4 * tile[1] + l[1];
        if ((x < 3 && y == 1) || (x == 3 && y >= 1 && y <= 1 + rise) || (x > 3 && y == 1 + rise))
          mask |= std::uint64_t{1} << bit;
      }
      return mask;
    });
  };
  EXPECT_EQ(geometry::Components(duct(4)).endless(), std::vector<Bool3>(1));
  EXPECT_EQ(geometry::Components(duct(0)).endless(), std::vector<Bool3>(1, Bool3{true, false, false}));
}

/// A duct that winds through the box, met late by a column with a lower number that does not: one component, endless
/// along the duct.
TEST(Components, WhatMeetsAnEndlessDuctIsEndless) {
  for (int axis = 0; axis < 3; ++axis) {
    for (const int up : {(axis + 1) % 3, (axis + 2) % 3}) {
      Int3 size{4, 4, 4};
      size[axis] = 8, size[up] = 12;
      const NodeMap map = NodeMap::build(3, size, {true, true, true}, [&](const Int3& tile) {
        std::uint64_t mask = 0;
        for (int bit = 0; bit < nodes_per_tile; ++bit) {
          const Int3 l = tile_local(3, bit);
          const int along = 4 * tile[axis] + l[axis], height = 4 * tile[up] + l[up], beside = l[3 - axis - up];
          const bool column = height == 0 && along < 7, duct = height == 5, spur = along == 5 && height >= 5;
          if (beside == 1 && (column || duct || spur)) mask |= std::uint64_t{1} << bit;
        }
        return mask;
      });
      Bool3 endless{};
      endless[axis] = true;
      EXPECT_EQ(geometry::Components(map).endless(), std::vector<Bool3>(1, endless)) << axis << up;
    }
  }
}

/// A ring that leaves the box and comes back through the same face is no path through the box; two such rings joined in
/// a row are none, either. A pillar is.
TEST(Components, ARingAcrossAFaceIsNotEndless) {
  for (int axis = 0; axis < 3; ++axis) {
    const int across = (axis + 1) % 3, up = (axis + 2) % 3;
    Int3 size;
    size[axis] = 16, size[across] = 20, size[up] = 4;
    Bool3 periodic{};
    periodic[axis] = true;
    const auto map_of = [&](bool pillar) {
      return NodeMap::build(3, size, periodic, [&](const Int3& tile) {
        std::uint64_t mask = 0;
        for (int bit = 0; bit < nodes_per_tile; ++bit) {
          const Int3 l = tile_local(3, bit);
          const auto at = [&](int a) { return 4 * tile[a] + l[a]; };
          const int along = at(axis), beside = at(across);
          const bool upright = (beside % 6 == 1 && beside < 14) && (along <= 3 || along >= 10 || pillar);
          const bool joint = (along == 3 || along == 10) && beside >= 1 && beside <= 13;
          if (at(up) == 1 && (upright || joint)) mask |= std::uint64_t{1} << bit;
        }
        return mask;
      });
    };
    EXPECT_EQ(geometry::Components(map_of(false)).endless(), std::vector<Bool3>(1)) << axis;
    EXPECT_EQ(geometry::Components(map_of(true)).endless(), std::vector<Bool3>(1, periodic)) << axis;
  }
}

TEST(NodeMap, RefusesBoxesThatAreTooLarge) {
  const auto refusal = [](int dimension, const Int3& size) -> std::string {
    try {
      NodeMap::build(dimension, size, {}, [](const Int3&) { return std::uint64_t{0}; });
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::input);
      return error.what();
    }
    return "";
  };
  for (int axis = 0; axis < 3; ++axis)
    for (const int length : {0, (1 << 20) + 1}) {
      Int3 size = {4, 4, 4};
      size[axis] = length;
      EXPECT_NE(refusal(3, size).find("every axis needs between 1 and 1048576"), std::string::npos) << axis;
    }
  // 2^32 - 1 tiles.
  EXPECT_NE(refusal(3, {4 * 65537, 4 * 65535, 4}).find("at most 2^32 - 2 are possible"), std::string::npos);
  EXPECT_NE(refusal(2, {8, 8, 2}).find("one node along z"), std::string::npos);
}

TEST(BoxArray, HasANumberForEveryNode) {
  const NodeMap map = random_map(3, {9, 7, 10}, {false, false, false});
  const BoxArray box(map.size);
  ASSERT_EQ(box.count(), 630U);
  const auto is_odd = [](const Int3& node) { return (node[0] + 2 * node[1] + 3 * node[2]) % 2 != 0; };
  const std::vector<std::uint8_t> fluid = fluid_array(map), odd = box_array(map, is_odd), none = box_array(map, {});
  ASSERT_EQ(fluid.size(), box.count());
  ASSERT_EQ(odd.size(), box.count());
  EXPECT_EQ(none, std::vector<std::uint8_t>(box.count()));
  std::size_t next = 0;
  for (int z = 0; z < 10; ++z)
    for (int y = 0; y < 7; ++y)
      for (int x = 0; x < 9; ++x, ++next) {
        EXPECT_EQ(box({x, y, z}), next);
        EXPECT_EQ(fluid[next], map.is_fluid({x, y, z}) ? 1 : 0);
        EXPECT_EQ(odd[next], is_odd({x, y, z}) ? 1 : 0);
      }
}

TEST(Components, KeepsOnlyWhatIsWanted) {
  NodeMap map = random_map(3, {9, 7, 10}, {false, false, false});
  std::vector<bool> at_face;
  const std::vector<int> component = plain_components(map, at_face);
  const NodeMap before = map;
  const geometry::Components components(map);
  std::vector<bool> keep(components.count());
  for (std::size_t i = 0; i < keep.size(); ++i) keep[i] = i % 3 == 0;
  geometry::keep_rests(map, geometry::find_rests(map, components, keep));
  std::int64_t next = 0;
  for_each_fluid(before, [&](const Int3& node) {
    const bool kept = keep[component[before.node_index(node)]];
    EXPECT_EQ(map.is_fluid(node), kept);
    if (kept) {
      EXPECT_EQ(map.node_index(node), next++);
    }
  });
  EXPECT_EQ(static_cast<std::uint64_t>(next), map.fluid_nodes);
}

/// If a solid box has two pockets, the one stays that an opening is at, wherever that is and whatever else is periodic.
TEST(Components, KeepsWhatTouchesAnOpening) {
  constexpr const char* faces[] = {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"};
  for (int face = 0; face < 6; ++face)
    for (int periodic = 0; periodic < 3; ++periodic) {
      const int axis = face / 2;
      if (periodic == axis) continue;
      Case c;
      c.domain.nodes = Int3{12, 12, 12};
      c.domain.periodic = {periodic == 0, periodic == 1, periodic == 2};
      Case::Shape block = shape("box", "solid"), open = shape("box", "fluid"), closed = shape("box", "fluid");
      block.center = open.center = closed.center = {6, 6, 6};
      block.size = {30, 30, 30};
      open.size = closed.size = {4, 4, 4};
      open.center[axis] = face % 2 == 0 ? 0 : 12;  // half of it lies beyond the face
      closed.center[axis] = face % 2 == 0 ? 8 : 4;
      c.geometry.shapes = {block, open, closed};
      c.boundaries = {boundary(faces[face], "pressure")};
      const Geometry g = build(c);
      EXPECT_EQ(g.nodes.fluid_nodes, 32U) << faces[face] << ' ' << periodic;
      Int3 node{6, 6, 6};
      node[axis] = face % 2 == 0 ? 0 : 11;
      EXPECT_TRUE(g.nodes.is_fluid(node)) << faces[face] << ' ' << periodic;
    }
}

TEST(Analysis, BoundaryNodesAgreeWithPlainCount) {
  for (const Box& box : boxes) {
    const NodeMap map = random_map(box.dimension, box.size, box.periodic, true);
    std::uint64_t expected = 0;
    for_each_fluid(map, [&](const Int3& node) {
      for (const Int3& o : link_offsets(box.dimension)) {
        if (std::abs(o[0]) + std::abs(o[1]) + std::abs(o[2]) > 2) continue;
        if (map.is_fluid({node[0] + o[0], node[1] + o[1], node[2] + o[2]})) continue;
        ++expected;
        return;
      }
    });
    EXPECT_EQ(geometry::count_boundary_nodes(map, communicator_of_one()), expected);
  }
}

TEST(Analysis, FindsSlitsNarrowerThanFour) {
  for (const int width : {2, 3, 4, 5}) {
    const auto map = NodeMap::build(3, {16, 12, 16}, {true, false, true}, [&](const Int3& tile) {
      std::uint64_t mask = 0;
      for (int bit = 0; bit < 64; ++bit) {
        const int y = tile[1] * 4 + tile_local(3, bit)[1];
        if (y >= 3 && y < 3 + width) mask |= std::uint64_t{1} << bit;
      }
      return mask;
    });
    const auto narrow = geometry::find_narrow_passages(map, {}, {}, communicator_of_one());
    EXPECT_EQ(narrow.nodes, width < 4 ? 16u * 16u * width : 0u) << width;
    EXPECT_EQ(narrow.examples.empty(), width >= 4);
  }
  // A short box between two open faces is not narrow, between walls it is.
  const auto box = NodeMap::build(3, {2, 8, 8}, {false, false, false}, [](const Int3&) { return ~std::uint64_t{0}; });
  EXPECT_EQ(geometry::find_narrow_passages(box, {true, true}, {}, communicator_of_one()).nodes, 0u);
  EXPECT_EQ(geometry::find_narrow_passages(box, {}, {}, communicator_of_one()).nodes, 128u);
}

}  // namespace
}  // namespace fluvia::test
