// SPDX-License-Identifier: Apache-2.0
// The proof that every scheme on an index map is race-free and right, on the elements of memory themselves: all
// accesses of all fluid nodes of small domains are enumerated.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/core/lattice/registry.hpp"
#include "fluvia/core/published/full_box.hpp"
#include "fluvia/cpu/published/index_map_groups.hpp"
#include "fluvia/solver/links/cut_links.hpp"
#include "fluvia/solver/plan/half_lattice.hpp"
#include "fluvia/solver/published/index_map_arrays.hpp"
#include "fluvia/solver/published/tile_map.hpp"
#include "reference/combinations.hpp"
#include "reference/scenes.hpp"

namespace {

using fluvia::Int3;
using fluvia::NodeMap;
namespace cpu = fluvia::cpu;

/// What of a plan says where populations are.
fluvia::Plan plan_of(const char* lattice, const std::string& scheme, int tile = 0) {
  fluvia::Plan plan;
  plan.distributions.emplace_back().lattice = &fluvia::facts_of_lattice(lattice);
  plan.scheme = &fluvia::parse_scheme(scheme);
  plan.tile = tile;
  return plan;
}

/// Elements that a step of one node reads and writes.
struct Elements {
  std::uint64_t tile = 0;                    ///< of the scheme, if it steps by tile
  std::vector<std::uint64_t> read, written;  ///< [direction]
};

/// What a step of a scheme touches.
class Accesses {
 public:
  Accesses(const NodeMap& nodes, const fluvia::Plan& plan, const fluvia::Scheme& scheme)
      : nodes_(nodes), groups_(nodes, plan), table_(cpu::streaming_table(scheme.streaming, plan.flow().lattice->name)) {
    if (scheme.stepping == fluvia::core::Stepping::ghost_buffers) table_.parities = 2;
    groups_of_tile_ = scheme.steps_by_tile() ? groups_.groups_of_tile() : 1;
  }

  [[nodiscard]] const cpu::StepAccess& step(int time) const { return table_.step[time % table_.parities]; }
  [[nodiscard]] const cpu::IndexMapGroups& groups() const { return groups_; }
  /// The elements of every fluid node, by canonical index; in the midst of a step or between two.
  [[nodiscard]] std::vector<Elements> all(int time, bool in_step = false) const {
    std::vector<Elements> result;
    cpu::StepAccess s = step(time);
    s.reads_ghosts = in_step;
    cpu::ElementTable read, written;
    scene::for_each_fluid_node(nodes_, [&](const Int3& x, std::uint64_t) {
      std::uint64_t group;
      int lane;
      groups_.locate(x, group, lane);
      const std::uint64_t first = group * cpu::group_lanes, lanes = std::uint64_t{1} << lane;
      groups_.indices().reads(first, lanes, s, cpu::all_directions(s), read);
      groups_.indices().writes(first, lanes, s, cpu::all_directions(s), written);
      Elements& e = result.emplace_back();
      e.tile = group / groups_of_tile_;
      for (int i = 0; i < s.directions; ++i) {
        e.read.push_back(read[i][lane]);
        e.written.push_back(written[i][lane]);
      }
    });
    return result;
  }

 private:
  const NodeMap& nodes_;
  cpu::IndexMapGroups groups_;
  cpu::StreamingTable table_;
  std::uint64_t groups_of_tile_ = 1;
};

void expect_no_race(const Accesses& a, bool in_place, int time) {
  std::vector<bool> read(a.groups().elements()), written(read.size());
  for (const Elements& e : a.all(time)) {
    for (std::size_t i = 0; i < e.read.size(); ++i) {
      ASSERT_LT(e.read[i], read.size());
      ASSERT_LT(e.written[i], written.size());
      ASSERT_FALSE(read[e.read[i]]) << "one element is read as two populations, direction " << i;
      ASSERT_FALSE(written[e.written[i]]) << "two populations share an element, direction " << i;
      read[e.read[i]] = written[e.written[i]] = true;
    }
    if (in_place) {
      ASSERT_EQ(std::set(e.read.begin(), e.read.end()), std::set(e.written.begin(), e.written.end()));
    }
  }
}

/// Tiles may be in any order and at the same time: none reads what another writes. Ghost cells hold what they stand
/// for.
void expect_no_race_between_tiles(const Accesses& a, int time) {
  constexpr std::uint64_t nothing = ~std::uint64_t{0};
  const std::vector<Elements> now = a.all(time, true), between = a.all(time);
  std::vector<std::uint64_t> writer(a.groups().elements(), nothing), source(writer.size(), nothing);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> moves;
  a.groups().indices().update_ghosts(0, a.groups().ghost_cells(), moves);
  for (const auto& [from, to] : moves) {
    ASSERT_EQ(source[to], nothing) << "a value of a ghost cell has two sources";
    source[to] = from;
  }
  for (const Elements& e : now)
    for (const std::uint64_t element : e.written) writer[element] = e.tile;
  for (std::size_t n = 0; n < now.size(); ++n)
    for (std::size_t i = 0; i < now[n].read.size(); ++i) {
      const std::uint64_t element = now[n].read[i];
      ASSERT_LT(element, writer.size());
      ASSERT_TRUE(writer[element] == nothing || writer[element] == now[n].tile) << "direction " << i;
      ASSERT_EQ(source[element] == nothing ? element : source[element], between[n].read[i]) << "direction " << i;
    }
}

void expect_delivery(const Accesses& a, const NodeMap& nodes, int time) {
  const std::vector<Elements> now = a.all(time), next = a.all(time + 1);
  const cpu::StepAccess& s = a.step(time);
  scene::for_each_fluid_node(nodes, [&](const Int3& x, std::uint64_t n) {
    for (int i = 0; i < s.directions; ++i) {
      const std::int64_t there = nodes.node_index({x[0] + s.c[i][0], x[1] + s.c[i][1], x[2] + s.c[i][2]});
      const std::uint64_t found =
          there >= 0 ? next[static_cast<std::size_t>(there)].read[i] : next[n].read[cpu::StepAccess::opposite(i)];
      ASSERT_EQ(now[n].written[i], found) << "direction " << i << " of node " << x[0] << ' ' << x[1] << ' ' << x[2];
    }
  });
}

void expect_places(const Accesses& a, const NodeMap& nodes) {
  std::uint64_t fluid = 0;
  for (std::uint64_t group = 0; group < a.groups().count(); ++group)
    for (std::uint64_t lanes = a.groups().mask(group); lanes != 0; lanes &= lanes - 1, ++fluid) {
      const int lane = std::countr_zero(lanes);
      const Int3 x = a.groups().position(group, lane);
      ASSERT_TRUE(nodes.is_fluid(x));
      std::uint64_t group_again;
      int lane_again;
      a.groups().locate(x, group_again, lane_again);
      ASSERT_EQ(std::pair(group, lane), std::pair(group_again, lane_again));
    }
  ASSERT_EQ(fluid, nodes.fluid_nodes);
}

/// Schemes that store every second node, on lattices that allow it.
template <class Body>
void for_each_half_scheme(Body&& body) {
  std::vector<scene::Scene> scenes = scene::half_scenes();
  for (const Int3 size : {Int3{2, 2, 2}, Int3{18, 2, 8}}) scenes.push_back(scene::open_box(size));
  for (const scene::Scene& s : scenes)
    for (const std::string& name : fluvia::half_scheme_names("cpu")) {
      SCOPED_TRACE(testing::Message() << s.name << ' ' << s.size[0] << ' ' << name);
      const fluvia::Plan plan = plan_of("D3Q13", name);
      scene::Options options;
      options.scheme = name;
      const NodeMap nodes = fluvia::stored_geometry(scene::make_case(s, options), scene::make_geometry(s)).nodes;
      const fluvia::Scheme& scheme = fluvia::parse_scheme(name);
      body(Accesses(nodes, plan, scheme), nodes, scheme);
      if (testing::Test::HasFatalFailure()) return;
    }
}

template <class Body>
void for_each_scheme(Body&& body) {
  for_each_half_scheme(body);
  if (testing::Test::HasFatalFailure()) return;
  fluvia::core::for_each_type(fluvia::core::Lattices{}, [&]<class Lattice>(Lattice) {
    std::vector<scene::Scene> scenes = scene::all_scenes(Lattice::D);
    for (const Int3 size : {Int3{1, 3, 2}, Int3{2, 2, 2}, Int3{17, 1, 9}})
      scenes.push_back(scene::open_box(Lattice::D == 2 ? Int3{size[0], size[1], 1} : size));
    for (const scene::Scene& s : scenes)
      for (const scene::Variant& v : scene::variants(Lattice::D)) {
        if (!v.scheme.uses_index_map()) continue;
        SCOPED_TRACE(testing::Message() << Lattice::name << ' ' << s.name << ' ' << s.size[0] << ' ' << v);
        const fluvia::Plan plan = plan_of(Lattice::name, v.scheme.name, v.tile);
        const NodeMap nodes = scene::make_geometry(s).nodes;
        body(Accesses(nodes, plan, v.scheme), nodes, v.scheme);
        if (testing::Test::HasFatalFailure()) return;
      }
  });
}

TEST(Addressing, HasNoRaceAndDelivers) {
  for_each_scheme([](const Accesses& a, const NodeMap& nodes, const fluvia::Scheme& scheme) {
    for (const int time : {0, 1}) {
      expect_no_race(a, scheme.copies == 1 && !scheme.steps_by_tile(), time);
      if (scheme.steps_by_tile()) expect_no_race_between_tiles(a, time);
      expect_delivery(a, nodes, time);
    }
  });
}

TEST(Addressing, NumbersEveryFluidNodeOnce) {
  for_each_scheme([](const Accesses& a, const NodeMap& nodes, const fluvia::Scheme&) { expect_places(a, nodes); });
}

/// S1 section 3.1.1.2: where every tile has all neighbours, all 2 (q_s + 2 q_d + 3 q_t) ghost buffers of each are
/// allocated, half of them in each copy, with 2 q_s + 5 q_d + 10 q_t indices; a tile without neighbours has none.
TEST(Addressing, AllocatesTheGhostBuffersThatAreRead) {
  const struct {
    const char* lattice;
    Int3 size;
    std::uint64_t buffers, indices;
  } full[] = {{"D2Q9", {64, 48, 1}, 12, 28}, {"D3Q19", {12, 16, 12}, 30, 72}, {"D3Q27", {12, 12, 16}, 54, 152}};
  for (const auto& [lattice, size, buffers, indices] : full) {
    const int dimension = size[2] == 1 ? 2 : 3, edge = dimension == 2 ? 16 : 4;
    const auto& velocities = fluvia::facts_of_lattice(lattice).velocities;
    scene::Scene s = scene::open_box(size);
    const fluvia::TileMap periodic(scene::make_geometry(s).nodes, edge, false);
    const fluvia::GhostBufferMap all = fluvia::map_ghost_buffers(periodic, velocities);
    EXPECT_EQ(all.buffers, buffers * periodic.tiles.size()) << lattice;
    EXPECT_EQ(all.indices.size(), indices * periodic.tiles.size()) << lattice;
    s.size = {edge, edge, dimension == 2 ? 1 : edge};
    const fluvia::TileMap alone(scene::make_geometry(s).nodes, edge, false);
    EXPECT_EQ(fluvia::map_ghost_buffers(alone, velocities).buffers, 0U) << lattice;
  }
}

/// S1 section 3.2: in full tiles of T2C in space each direction is read, and written, in as few sectors of 32 bytes as
/// its values fill. Row by row a direction that moves along x would touch one more for each row, which is one sector:
/// 32 and not 16 of a tile.
TEST(Addressing, MovesWholeSectorsBetweenFullTiles) {
  constexpr std::uint64_t values_of_sector = 4, values_of_tile = 64;
  const fluvia::Plan plan = plan_of("D3Q19", "t2c", 4);
  const NodeMap nodes = scene::make_geometry(scene::open_box({12, 12, 12})).nodes;
  const Accesses a(nodes, plan, *plan.scheme);
  std::map<std::pair<std::uint64_t, std::size_t>, std::set<std::uint64_t>> read, written;
  for (const Elements& e : a.all(0))
    for (std::size_t i = 0; i < e.read.size(); ++i) {
      read[{e.tile, i}].insert(e.read[i] / values_of_sector);
      written[{e.tile, i}].insert(e.written[i] / values_of_sector);
    }
  ASSERT_EQ(read.size(), 27U * 19);
  for (const auto& [of, sectors] : read) EXPECT_EQ(sectors.size(), values_of_tile / values_of_sector) << of.second;
  for (const auto& [of, sectors] : written) EXPECT_EQ(sectors.size(), values_of_tile / values_of_sector) << of.second;
}

/// S4 Figs 3 and 4: between two blocks of D2Q9 a ghost cell holds three populations of either, at a corner one of each
/// of four blocks.
TEST(Addressing, CountsTheValuesOfGhostCells) {
  const fluvia::TileMap map(scene::make_geometry(scene::open_box({64, 64, 1})).nodes, 32, true);
  const fluvia::GhostCellCount count = fluvia::count_ghost_cells(map, fluvia::facts_of_lattice("D2Q9").velocities);
  EXPECT_EQ(count.cells, (std::array<std::uint64_t, 8>{0, 32, 32, 1}));
  EXPECT_EQ(count.values, 6U * (32 + 32) + 4);
}

/// What a plan counts without making it.
TEST(Addressing, TakesTheBytesThatWereCounted) {
  for_each_scheme([](const Accesses& a, const NodeMap& nodes, const fluvia::Scheme& scheme) {
    std::vector<Int3> velocities;
    for (int i = 0; i < a.step(0).directions; ++i)
      velocities.push_back({a.step(0).c[i][0], a.step(0).c[i][1], a.step(0).c[i][2]});
    for (const int edge : {4, 8, 16}) {
      const fluvia::IndexMapCount count = fluvia::count_index_map(nodes, scheme, velocities, edge);
      EXPECT_EQ(count.bytes, fluvia::make_index_map_arrays(nodes, scheme, velocities, edge).bytes());
    }
  });
}

/// In boxes that store every node, nodes whose links all lead to fluid, none of them around the box.
TEST(Addressing, MarksNodesAmidFluid) {
  std::size_t marked = 0, others = 0;
  for_each_scheme([&](const Accesses& a, const NodeMap& nodes, const fluvia::Scheme& scheme) {
    using enum fluvia::core::Addressing;
    if (scheme.addressing != array_of_structures && scheme.addressing != structure_of_arrays &&
        scheme.addressing != half_box)
      return;
    std::vector<Int3> velocities;
    for (int i = 0; i < a.step(0).directions; ++i)
      velocities.push_back({a.step(0).c[i][0], a.step(0).c[i][1], a.step(0).c[i][2]});
    const fluvia::IndexMapArrays layout = fluvia::make_index_map_arrays(nodes, scheme, velocities, 0);
    std::size_t fluid = 0;
    scene::for_each_fluid_node(nodes, [&](const Int3& x, std::uint64_t) {
      bool is_amid = true;
      for (const Int3& c : velocities) {
        const Int3 there{x[0] + c[0], x[1] + c[1], x[2] + c[2]};
        for (int axis = 0; axis < 3; ++axis) is_amid = is_amid && there[axis] >= 0 && there[axis] < nodes.size[axis];
        is_amid = is_amid && nodes.is_fluid(there);
      }
      const int expected = fluvia::core::fluid_node | (is_amid ? fluvia::core::node_amid_fluid : 0);
      ASSERT_EQ(layout.types[fluvia::stored_node_of(layout, nodes, x)], expected) << x[0] << ' ' << x[1] << ' ' << x[2];
      ++(is_amid ? marked : others);
      ++fluid;
    });
    ASSERT_EQ(std::count(layout.types.begin(), layout.types.end(), 0), layout.types.size() - fluid);
  });
  EXPECT_GT(marked, 1000U);
  EXPECT_GT(others, 1000U);
}

/// Whoever is marked finds neighbours whose types would deny it, and so has not asked for them.
TEST(Addressing, NodesAmidFluidAskNobody) {
  namespace core = fluvia::core;
  std::vector<unsigned char> types(25, 0);
  core::IndexTables tables{};
  tables.size[0] = tables.size[1] = 5;
  tables.size[2] = 1;
  tables.visited = tables.stored = 25;
  tables.types = types.data();
  const core::Link link{1, {1, -1, 0}};
  core::FullBox::Node node;
  types[12] = core::fluid_node;
  core::FullBox::open(tables, 12, node);
  EXPECT_EQ(core::FullBox::neighbour(tables, node, link), core::no_index);
  types[12] |= core::node_amid_fluid;
  core::FullBox::open(tables, 12, node);
  EXPECT_EQ(core::FullBox::neighbour(tables, node, link), 8U);
}

}  // namespace
