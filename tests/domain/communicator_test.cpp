// SPDX-License-Identifier: Apache-2.0
// What ranks work out together before they have their parts, each its share: the same as one alone.
#include "fluvia/base/communicator.hpp"

#include <gtest/gtest.h>

#include "fluvia/case/case.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/geometry/geometry.hpp"
#include "fluvia/initial/initial_fields.hpp"
#include "fluvia/solver/blocks/block.hpp"
#include "fluvia/solver/links/boundary_setup.hpp"
#include "fluvia/solver/links/node_records.hpp"
#include "fluvia/solver/links/wall_links.hpp"
#include "fluvia/units/units.hpp"
#include "support/thread_communicator.hpp"

namespace {

using namespace fluvia;
using test::ThreadCommunicator;

constexpr int members = 3;

/// A flow in which there is everything that is worked out: openings with sponges, a node upstream, forces, moving
/// walls, walls between the nodes, a formula.
const char* const pipe = R"toml([units]
system = "lattice"
viscosity = 0.05
[domain]
nodes = [26, 27, 61]
[[geometry.shape]]
kind = "cylinder"
operation = "fluid"
name = "pipe"
from = [13, 13.4, -5]
to = [13, 13.4, 70]
radius = 11.2
[[geometry.shape]]
kind = "sphere"
operation = "solid"
name = "ball"
center = [13, 14, 30]
radius = 4.7
[[boundary]]
surface = "z_min"
type = "velocity"
speed = 0.02
profile = "parabolic"
sponge = 6.5
[[boundary]]
surface = "z_max"
type = "non_reflecting"
pressure = 0.0
sponge = 4
[[boundary]]
surface = "ball"
type = "moving_wall"
velocity = [0, 0, 0.01]
[monitor]
forces = ["pipe", "ball"]
[physics]
initial_velocity_formula = ["0", "0.001*sin(y)", "0.01 + 0.001*x*y/400"]
[run]
steps = 10
)toml";

struct Made {
  Case c;
  Units units;
  Geometry geometry;
};

std::vector<Made> all_cases() {
  std::vector<Made> all;
  std::vector<Case> cases = {parse_case(pipe, "pipe.toml")};
  for (const char* name : {"packing", "aneurysm", "demo", "sphere-in-pipe"})
    cases.push_back(read_case(FLUVIA_SOURCE_DIR "/cases/" + std::string(name) + ".toml"));
  for (Case& c : cases) {
    const Grid grid = make_grid(c);
    Geometry geometry = build_geometry(c, grid);
    const Units units = make_units(c, grid.spacing);
    all.push_back({std::move(c), units, std::move(geometry)});
  }
  return all;
}

/// Calls work(communicator, block) by each member.
template <class Body>
void by_all(const Made& made, const std::string& lattice, int steps, const Body& body) {
  const NodeMap& nodes = made.geometry.nodes;
  const std::vector<std::uint64_t> cuts = cut_tiles(nodes, members);
  const auto errors = ThreadCommunicator(members).work([&](Communicator& communicator) {
    body(communicator, make_block(nodes, facts_of_lattice(lattice).velocities, cuts, communicator.number(), steps));
  });
  for (const auto& error : errors) ASSERT_EQ(error, nullptr) << failure_of(error).text;
}

TEST(CommunicatorOfASetup, PlansAsOneDoes) {
  for (const Made& made : all_cases()) {
    const Plan alone = make_plan({made.c, made.units, made.geometry}, "cpu", 0, {members, BlockPlace::ranks});
    const std::vector<Int3>& velocities = facts_of_lattice(alone.flow().lattice->name).velocities;
    const std::vector<std::uint64_t> cuts = cut_tiles(made.geometry.nodes, members);
    const PartitionFacts facts = partition_facts(made.geometry.nodes, velocities, cuts, 2);
    by_all(made, alone.flow().lattice->name, 1, [&](Communicator& communicator, const Block&) {
      const Plan plan =
          make_plan({made.c, made.units, made.geometry, communicator}, "cpu", 0, {members, BlockPlace::ranks});
      EXPECT_EQ(plan.scheme_name(), alone.scheme_name());
      EXPECT_EQ(plan.boundary_bytes, alone.boundary_bytes);
      EXPECT_EQ(plan.total_bytes(), alone.total_bytes());
      const PartitionFacts together = partition_facts(made.geometry.nodes, velocities, cuts, 2, 0, communicator);
      EXPECT_EQ(together.nodes, facts.nodes);
      EXPECT_EQ(together.halo_nodes, facts.halo_nodes);
      EXPECT_EQ(together.halo_populations, facts.halo_populations);
      EXPECT_EQ(together.repeated, facts.repeated);
      EXPECT_EQ(together.neighbours, facts.neighbours);
      EXPECT_EQ(
          InitialFields({made.c, made.units, made.geometry}).check({made.c, made.units, made.geometry, communicator}),
          InitialFields({made.c, made.units, made.geometry}).check({made.c, made.units, made.geometry}));
    });
  }
}

void expect_same_records(const std::vector<NodeRecord>& a, const std::vector<NodeRecord>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    EXPECT_EQ(a[k].tile, b[k].tile);
    EXPECT_EQ(a[k].bit, b[k].bit);
    EXPECT_EQ(a[k].surface, b[k].surface);
    EXPECT_EQ(a[k].links.directions, b[k].links.directions);
    EXPECT_EQ(a[k].links.damping, b[k].links.damping);
    EXPECT_EQ(a[k].links.memory, b[k].links.memory);
    EXPECT_EQ(a[k].is_opening, b[k].is_opening);
    if (a[k].is_opening) {
      EXPECT_EQ(a[k].links.opening.upstream, b[k].links.opening.upstream);
      EXPECT_EQ(a[k].links.opening.depth, b[k].links.opening.depth);
    }
    for (int axis = 0; axis < 3; ++axis) {
      if (!a[k].is_opening) {
        EXPECT_EQ(a[k].links.velocity[axis], b[k].links.velocity[axis]);
      }
      EXPECT_EQ(a[k].links.normal[axis], b[k].links.normal[axis]);
    }
  }
}

using Measured = std::vector<std::tuple<std::uint32_t, int, int, int>>;

Measured measured_links(const BoundarySetup& setup, const TileRange& own) {
  Measured links;
  for (const CutLink& link : setup.links.at)
    if (setup.monitored[link.surface] && own.contains(link.tile))
      links.emplace_back(link.tile, link.bit, link.direction, link.surface);
  return links;
}

TEST(CommunicatorOfASetup, FindsTheBoundariesThatOneFinds) {
  for (const Made& made : all_cases()) {
    const std::string lattice = "D3Q19";
    const TileRange all{0, made.geometry.nodes.tiles.size()};
    const BoundarySetup alone = make_boundary_setup({made.c, made.units, made.geometry}, lattice);
    std::vector<Measured> measured(members);
    by_all(made, lattice, 1, [&](Communicator& communicator, const Block& block) {
      const BoundarySetup setup =
          make_boundary_setup({made.c, made.units, made.geometry, communicator}, lattice, block.tiles);
      expect_same_records(node_records(setup), node_records(alone));
      for (std::size_t s = 0; s < setup.carried.size(); ++s) {
        EXPECT_EQ(setup.carried[s].force, alone.carried[s].force);
        EXPECT_EQ(setup.carried[s].torque, alone.carried[s].torque);
      }
      measured[static_cast<std::size_t>(communicator.number())] = measured_links(setup, block.tiles);
    });
    Measured joined;
    for (const Measured& own : measured) joined.insert(joined.end(), own.begin(), own.end());
    EXPECT_EQ(joined, measured_links(alone, all));
  }
}

TEST(CommunicatorOfASetup, FindsTheWallsThatOneFinds) {
  for (const Made& made : all_cases()) {
    for (const int steps : {1, 3}) {
      const std::string lattice = "D3Q19";
      const NodeMap& nodes = made.geometry.nodes;
      const auto place_of = [&](const Int3& node) { return static_cast<std::uint64_t>(nodes.node_index(node)); };
      const WallLinks whole = make_wall_links(made.c, made.geometry, lattice, nodes.fluid_nodes, place_of,
                                              whole_domain(nodes), communicator_of_one());
      by_all(made, lattice, steps, [&](Communicator& communicator, const Block& block) {
        const WallLinks own =
            make_wall_links(made.c, made.geometry, lattice, nodes.fluid_nodes, place_of, block, communicator);
        const WallLinks expected =
            make_wall_links(made.c, made.geometry, lattice, nodes.fluid_nodes, place_of, block, communicator_of_one());
        EXPECT_EQ(own.supply.weight, whole.supply.weight);
        EXPECT_EQ(expected.supply.weight, whole.supply.weight);
        EXPECT_EQ(own.first, expected.first);
        EXPECT_EQ(own.words, expected.words);
        EXPECT_EQ(own.words.empty(), whole.words.empty());
      });
    }
  }
}

}  // namespace
