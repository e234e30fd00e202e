// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <omp.h>

#include <string>
#include <utility>

#include "fluvia/base/error.hpp"
#include "fluvia/case/registered_physics.hpp"
#include "fluvia/core/format/formats.hpp"
#include "fluvia/core/lattice/registry.hpp"
#include "fluvia/solver/boundary_setup.hpp"
#include "fluvia/solver/half_lattice.hpp"
#include "fluvia/solver/site_layout.hpp"
#include "fluvia/solver/solver.hpp"

namespace fluvia {

namespace {

constexpr double sparse_below = 0.7;  // porosity under which compact storage wins, see docs/performance.md
constexpr std::uint64_t program_bytes = std::uint64_t{20} << 20;  // with libraries and stacks, measured
/// What the CPU backend keeps of a boundary: one record per node, surface and velocity, and its monitored links.
constexpr std::uint64_t record_bytes = 40, monitored_link_bytes = 8;

struct LatticeFacts {
  int directions = 0, dimension = 0;
};

LatticeFacts facts_of(const std::string& lattice) {
  LatticeFacts facts;
  core::for_each_type(core::Lattices{}, [&]<class Lattice>(Lattice) {
    if (lattice == Lattice::name) facts = {Lattice::Q, Lattice::D};
  });
  return facts;
}

int storage_bytes(const std::string& format) {
  int bytes = 0;
  core::for_each_type(core::Formats{}, [&]<class Format>(Format) {
    if (format == Format::name) bytes = sizeof(typename Format::Storage);
  });
  return bytes;
}

/// Segments of 64 nodes along x that hold fluid: the groups of compact storage on a CPU.
std::uint64_t fluid_segments(const NodeMap& nodes) {
  const Int3 shape = tile_shape(nodes.dimension);
  const int rows = nodes_per_tile / shape[0], tiles_per_segment = 64 / shape[0];
  std::uint64_t count = 0, occupied = 0;
  Int3 last = {-1, -1, -1};
  for (const NodeMap::Tile& tile : nodes.tiles) {
    const Int3 segment = {tile.position[0] / tiles_per_segment, tile.position[1], tile.position[2]};
    if (segment != last) {
      count += static_cast<std::uint64_t>(__builtin_popcountll(occupied));
      occupied = 0;
      last = segment;
    }
    for (int r = 0; r < rows; ++r)
      if (tile.mask >> (r * shape[0]) & ((std::uint64_t{1} << shape[0]) - 1)) occupied |= std::uint64_t{1} << r;
  }
  return count + static_cast<std::uint64_t>(__builtin_popcountll(occupied));
}

/// Elements of one copy of the populations on a CPU, and bytes of what finds them.
std::pair<std::uint64_t, std::uint64_t> stored_on_cpu(const NodeMap& nodes, const Scheme& scheme, int tile,
                                                      const std::vector<Int3>& velocities) {
  if (scheme.has_sites()) {
    const SiteCount count = count_sites(nodes, scheme, velocities, tile);
    return {count.elements, count.bytes + (count.places + 63) / 64 * sizeof(std::uint64_t)};  // and masks of groups
  }
  const std::uint64_t segments = static_cast<std::uint64_t>((nodes.size[0] + 63) / 64) * nodes.size[1] * nodes.size[2];
  // A directory entry of each segment; mask, base and place of those stored, and their share of a group.
  if (scheme.is_compact()) return {nodes.fluid_nodes * velocities.size(), 4 * segments + 22 * fluid_segments(nodes)};
  return {nodes.box_nodes() * velocities.size(), 9 * segments};  // mask and flag of each
}

void choose(const Case& c, const Geometry& geometry, Plan& plan) {
  const NodeMap& nodes = geometry.nodes;
  plan.lattice = c.numerics.lattice != "auto" ? c.numerics.lattice : default_lattice(nodes.dimension);
  plan.scheme = c.numerics.scheme;
  if (plan.scheme == "auto") {
    const bool sparse = nodes.porosity() < sparse_below;
    plan.scheme = sparse ? (plan.device == "cuda" ? "compact-sliding" : "compact-aa") : "aa";
    plan.reason = fmt::format("scheme {}: porosity {:.3g} is {} {:.2g}, so {}", plan.scheme, nodes.porosity(),
                              sparse ? "below" : "at least", sparse_below,
                              sparse ? "only fluid nodes are stored" : "the plain box is faster");
  }
}

}  // namespace

Plan make_plan(const Case& c, const Units& units, const Geometry& geometry, const std::string& device) {
  Plan plan;
  plan.device = device;
  choose(c, geometry, plan);
  const NodeMap& nodes = geometry.nodes;
  const LatticeFacts facts = facts_of(plan.lattice);
  if (facts.directions == 0) throw_input(fmt::format("numerics.lattice: there is no lattice '{}'", plan.lattice));
  if (facts.dimension != nodes.dimension)
    throw_input(fmt::format("numerics.lattice: {} is for {} dimensions but the domain has {}", plan.lattice,
                            facts.dimension, nodes.dimension));
  if (const std::string problem = collision_problem(c.numerics.collision, plan.lattice); !problem.empty())
    throw_input("numerics.collision: " + problem);
  plan.collision = c.numerics.collision;
  plan.equilibrium = c.numerics.equilibrium;
  plan.format = c.numerics.format;
  plan.threads = c.numerics.threads > 0 ? c.numerics.threads : omp_get_num_procs();
  plan.omega = units.omega();

  const Scheme& scheme = parse_scheme(plan.scheme);
  plan.bytes_per_update = 2.0 * facts.directions * storage_bytes(plan.format);
  require_device(scheme, device);
  if (scheme.half && !splits_in_two(plan.lattice))
    throw_input(
        fmt::format("numerics.scheme: {} stores every second node, and the velocities of {} lead to the others "
                    "too; use lattice D3Q13, or another scheme",
                    plan.scheme, plan.lattice));
  plan.tile = tile_edge(scheme, facts.dimension, c.numerics.tile);
  if (scheme.serial) plan.threads = 1;
  if (device != "cpu") return plan;
  const int bytes = storage_bytes(plan.format);
  if (bytes == 0) throw_input(fmt::format("numerics.format: there is no format '{}'", plan.format));
  const auto [elements, geometry_bytes] = stored_on_cpu(nodes, scheme, plan.tile, lattice_velocities(plan.lattice));
  plan.population_bytes = elements * bytes * scheme.copies;
  plan.geometry_bytes = nodes.bytes() + geometry_bytes;
  const BoundaryCount boundaries = count_boundaries(c, geometry, plan.lattice);
  plan.boundary_bytes = boundaries.records * record_bytes + boundaries.monitored_links * monitored_link_bytes;
  plan.other_bytes = program_bytes;
  return plan;
}

}  // namespace fluvia
