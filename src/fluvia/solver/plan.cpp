// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <omp.h>

#include <string>

#include "fluvia/base/error.hpp"
#include "fluvia/core/collision/registry.hpp"
#include "fluvia/core/format/formats.hpp"
#include "fluvia/model/choice.hpp"
#include "fluvia/model/storage.hpp"
#include "fluvia/solver/boundary_setup.hpp"
#include "fluvia/solver/scheme.hpp"
#include "fluvia/solver/solver.hpp"

namespace fluvia {

namespace {

constexpr std::uint64_t program_bytes = std::uint64_t{20} << 20;  // with libraries and stacks, measured
/// What the CPU backend keeps of a boundary: one record per node, surface and velocity, and its monitored links.
constexpr std::uint64_t record_bytes = 40, monitored_link_bytes = 8;

struct LatticeFacts {
  int directions = 0, dimension = 0;
  bool has_mrt = false;
};

LatticeFacts facts_of(const std::string& lattice) {
  LatticeFacts facts;
  core::for_each_type(core::Lattices{}, [&]<class Lattice>(Lattice) {
    if (lattice == Lattice::name) facts = {Lattice::Q, Lattice::D, core::Mrt::supports<Lattice>};
  });
  return facts;
}

void choose_scheme(const Case& c, const NodeMap& nodes, std::uint64_t device_memory, Plan& plan) {
  const model::Situation situation{plan.device, plan.lattice, plan.format, storage_bytes(plan.format), device_memory};
  plan.scheme = c.numerics.scheme;
  if (plan.scheme == "auto") {
    const model::Choice choice = model::choose_scheme(situation, nodes);
    plan.scheme = choice.scheme;
    plan.reason = choice.reason;
  }
  plan.expected_share = model::expected_share(situation, plan.scheme, model::fill_of(plan.device, nodes), nodes);
}

}  // namespace

Plan make_plan(const Case& c, const Units& units, const Geometry& geometry, const std::string& device,
               std::uint64_t device_memory) {
  Plan plan;
  plan.device = device;
  const NodeMap& nodes = geometry.nodes;
  plan.lattice = c.numerics.lattice != "auto" ? c.numerics.lattice : nodes.dimension == 2 ? "D2Q9" : "D3Q19";
  const LatticeFacts facts = facts_of(plan.lattice);
  if (facts.directions == 0) throw_input(fmt::format("numerics.lattice: there is no lattice '{}'", plan.lattice));
  if (facts.dimension != nodes.dimension)
    throw_input(fmt::format("numerics.lattice: {} is for {} dimensions but the domain has {}", plan.lattice,
                            facts.dimension, nodes.dimension));
  if (c.numerics.collision == "mrt" && !facts.has_mrt)
    throw_input(
        fmt::format("numerics.collision: mrt has no moment basis on {}; use D2Q9 or D3Q19, or trt", plan.lattice));
  plan.collision = c.numerics.collision;
  plan.equilibrium = c.numerics.equilibrium;
  plan.format = c.numerics.format;
  plan.threads = c.numerics.threads > 0 ? c.numerics.threads : omp_get_num_procs();
  plan.omega = units.omega();
  plan.smagorinsky = c.physics.smagorinsky;

  choose_scheme(c, nodes, device_memory, plan);
  const Scheme scheme = parse_scheme(plan.scheme);
  plan.bytes_per_update = 2.0 * facts.directions * storage_bytes(plan.format);
  if (device != "cpu") return plan;
  if (scheme.sliding)
    throw_input(fmt::format("numerics.scheme: {} runs on GPUs only; use compact-aa on a CPU", plan.scheme));
  const int bytes = storage_bytes(plan.format);
  if (bytes == 0) throw_input(fmt::format("numerics.format: there is no format '{}'", plan.format));
  const std::uint64_t stored = scheme.compact ? nodes.fluid_nodes : nodes.box_nodes();
  const int copies = scheme.streaming == "pull" ? 2 : 1;
  plan.population_bytes = stored * facts.directions * bytes * copies;
  // Dense: mask and flag of each segment. Compact: a directory entry of each; mask, base and place of those stored, and
  // their share of a group.
  const std::uint64_t segments = static_cast<std::uint64_t>((nodes.size[0] + 63) / 64) * nodes.size[1] * nodes.size[2];
  plan.geometry_bytes =
      nodes.bytes() + (scheme.compact ? 4 * segments + 22 * model::fluid_rows(nodes).segments : 9 * segments);
  const BoundaryCount boundaries = count_boundaries(c, geometry, plan.lattice);
  plan.boundary_bytes = boundaries.records * record_bytes + boundaries.monitored_links * monitored_link_bytes;
  plan.other_bytes = program_bytes;
  return plan;
}

}  // namespace fluvia
