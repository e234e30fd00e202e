// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <utility>

#include "fluvia/base/error.hpp"
#include "fluvia/base/machine/processor.hpp"
#include "fluvia/case/physics/registered_formats.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/model/dense_streams.hpp"
#include "fluvia/model/storage.hpp"
#include "fluvia/solver/links/boundary_setup.hpp"
#include "fluvia/solver/links/exchanged_links.hpp"
#include "fluvia/solver/links/wall_links.hpp"
#include "fluvia/solver/plan/half_lattice.hpp"
#include "fluvia/solver/plan/passes.hpp"
#include "fluvia/solver/plan/storage_family.hpp"
#include "fluvia/solver/plan/trial_candidates.hpp"
#include "fluvia/solver/published/index_map_arrays.hpp"
#include "fluvia/solver/scalars/scalar_links.hpp"
#include "fluvia/solver/scalars/scalar_method.hpp"
#include "fluvia/solver/solver.hpp"
#include "fluvia/solver/tracers/tracer_memory.hpp"

namespace fluvia {

namespace {

/// Threads that OpenMP would take (all processors, or OMP_NUM_THREADS), but no more than a container gives time to:
/// threads of a pass wait for each other.
int default_threads() {
  const double usable = std::ceil(usable_processors(omp_get_num_procs()));
  return std::clamp(static_cast<int>(usable), 1, omp_get_max_threads());
}

constexpr std::uint64_t program_bytes = std::uint64_t{29} << 20;  // program with libraries and stacks, measured
/// Bytes that the CPU backend keeps of a boundary: one record per node, surface and velocity, with what sorting them
/// takes at the start, measured; and of a monitored link.
constexpr std::uint64_t record_bytes = 76, monitored_link_bytes = 12;

/// Bytes of what a CPU keeps of planes of symmetry and sheets (cpu::ExchangeIndex), as measured.
std::uint64_t exchange_bytes(const NodeMap& nodes, const Scheme& scheme, const Plan& plan) {
  const std::uint64_t elements = scheme.copies == 1 ? 32 : 16;  // elements for one parity or two
  const std::uint64_t rows = plan.steps_per_pass > 1 ? 16 : 0;
  return exchanged_pairs(nodes, plan.flow().lattice->velocities).size() * (elements + rows);
}

/// Bytes that results at the end of a run are found from: moments of three layers of tiles, and samples of the one
/// between.
std::uint64_t evaluation_bytes(const NodeMap& nodes) {
  constexpr std::uint64_t moment_bytes = sizeof(double) + sizeof(Real3) + sizeof(std::array<double, 6>);
  constexpr std::uint64_t sample_bytes = 48;  // measured
  const int axis = nodes.dimension - 1;
  std::vector<std::uint64_t> layers(static_cast<std::size_t>(nodes.tiles_in_box[axis]) + 2);
  for (const NodeMap::Tile& tile : nodes.tiles)
    layers[static_cast<std::size_t>(tile.position[axis]) + 1] += static_cast<std::uint64_t>(std::popcount(tile.mask));
  std::uint64_t most = 0;
  for (std::size_t k = 1; k + 1 < layers.size(); ++k)
    most = std::max(most, moment_bytes * (layers[k - 1] + layers[k] + layers[k + 1]) + sample_bytes * layers[k]);
  return most;
}

/// Elements of one copy of the populations on a CPU, and bytes of the arrays that find them.
using Stored = std::pair<std::uint64_t, std::uint64_t>;

std::uint64_t row_segments(const NodeMap& nodes) {
  return static_cast<std::uint64_t>((nodes.size[0] + 63) / 64) * nodes.size[1] * nodes.size[2];
}

Stored stored_dense(const NodeMap& nodes, const Scheme&, int, const std::vector<Int3>& velocities) {
  const model::DenseStreams streams(nodes.size, static_cast<int>(velocities.size()));
  return {streams.elements(), 9 * row_segments(nodes)};  // a mask and a flag for each segment
}

/// Compact storage: a directory entry of each segment; mask, base and storage index of each stored one, and its part of
/// a group.
Stored stored_compact(const NodeMap& nodes, const Scheme&, int, const std::vector<Int3>& velocities) {
  return {nodes.fluid_nodes * velocities.size(), 4 * row_segments(nodes) + 22 * model::fluid_rows(nodes).segments};
}

Stored stored_by_index_map(const NodeMap& nodes, const Scheme& scheme, int tile, const std::vector<Int3>& velocities) {
  const IndexMapCount count = count_index_map(nodes, scheme, velocities, tile);
  return {count.elements, count.bytes + (count.visited + 63) / 64 * sizeof(std::uint64_t)};  // with masks of groups
}

constexpr decltype(&stored_dense) stored_on_cpu[] = {stored_dense, stored_compact, stored_by_index_map};

/// How 16 bits are rounded where a case does not say: rounded to nearest, a flow that settles stalls before it is right
/// (decision 0042).
constexpr core::Rounding default_rounding = core::Rounding::stochastic;

/// The rounding that the case asks for, or the default; nearest for formats that do not round.
core::Rounding rounding_of(const Case& c, const FormatFacts& format) {
  if (!format.rounds) return core::Rounding::nearest;
  for (const core::Rounding rounding : {core::Rounding::nearest, core::Rounding::stochastic})
    if (c.numerics.rounding == core::rounding_names[static_cast<int>(rounding)]) return rounding;
  return default_rounding;
}

/// Most bytes that a CPU keeps of forces of single nodes (cpu::NodeForces): three numbers for each lane of the groups
/// that hold fluid, and where they are.
std::uint64_t force_bytes(const Case& c, const NodeMap& nodes, const FormatFacts& format) {
  if (!c.physics.has_acceleration_field()) return 0;
  const auto of_lanes = static_cast<std::uint64_t>(3 * nodes_per_tile * format.arithmetic_bytes);
  return model::fluid_rows(nodes).segments * of_lanes + row_segments(nodes) * sizeof(std::uint32_t);
}

void choose_scheme(const Case& c, const NodeMap& nodes, std::uint64_t device_memory, Plan& plan) {
  const model::Situation situation = situation_of(c, nodes, plan, device_memory);
  std::string name = c.numerics.scheme;
  if (name == "auto") {
    const model::Choice choice = model::choose_scheme(situation, nodes);
    name = choice.scheme;
    plan.reason = choice.reason;
  }
  plan.scheme = &parse_scheme(name);
  plan.expected_fraction = model::expected_fraction(situation, name, model::fill_of(plan.device, nodes), nodes);
}

/// Throws where links do more than passes over moments know.
void require_plain_links(const Scheme& scheme, const Problem& problem) {
  if (problem.geometry.nodes.barred)
    throw_input(
        fmt::format("numerics.scheme: {} does not know sheets, with fluid on both sides, and the case has one; "
                    "take scheme \"{}\"",
                    scheme.name, scheme.instead));
}

}  // namespace

bool writes_between_steps(const Case& c) {
  const bool pictures = c.output.vtk != "none" || c.output.wall || !c.output.slices.empty();
  const bool averages = c.output.wall || !c.output.averaged_fields().empty();
  return (c.output.every > 0 && pictures) || c.checkpoint.every > 0 || (averages && c.monitors.average_from);
}

namespace {

/// Refuses what bodies that move cannot have on a GPU.
void require_bodies_fit_on_gpu(const Case& c, const Scheme& scheme, const Domain& domain) {
  if (c.bodies.empty()) return;
  const auto refuse = [&](const std::string& why) { throw_input(c.place("body[0]") + ": body[0]: " + why); };
  if (!domain.is_whole()) refuse("bodies move on one GPU, or on CPUs; name one GPU, or --device cpu");
  if (format_rounds(c.numerics.format))
    refuse(fmt::format("bodies move in fp32 and fp64 on a GPU, not in {}; use one of these, or --device cpu",
                       c.numerics.format));
  if (!exchanges_populations(scheme))
    refuse(fmt::format(
        "bodies do not move beside scheme \"{}\" on a GPU, which {}; use scheme \"{}\", or --device cpu", scheme.name,
        scheme.keeps_moments() ? "keeps moments instead of what they exchange" : "stores the box by an index map",
        "aa"));
}

}  // namespace

Plan make_plan(const Problem& problem, const std::string& device, std::uint64_t device_memory, const Domain& domain) {
  const Case& c = problem.settings;
  Plan plan;
  plan.device = device;
  plan.domain = domain;
  const NodeMap& nodes = problem.geometry.nodes;
  plan.distributions = {make_flow(c, problem.units)};
  plan.scalars = make_scalars(c, problem.units);
  const LatticeFacts& lattice = *plan.flow().lattice;
  plan.format = &facts_of_format(c.numerics.format);
  plan.rounding = rounding_of(c, *plan.format);
  plan.threads = c.numerics.threads > 0 ? c.numerics.threads : default_threads();

  choose_scheme(c, nodes, device_memory, plan);
  const Scheme& scheme = *plan.scheme;
  plan.bytes_per_update = 2.0 * lattice.directions * plan.format->storage_bytes;
  require_device(scheme, device);
  const bool steps_by_pass = scheme.stepping == core::Stepping::sliding_passes || scheme.keeps_moments();
  require_scalars_fit(c, {.in_parts = !domain.is_whole(),
                          .velocities = &lattice.velocities,
                          .half = scheme.half || nodes.half,
                          .sheets = nodes.barred != nullptr,
                          .steps_by_pass = device != "cpu" && steps_by_pass ? scheme.name : ""});
  if (device != "cpu") require_bodies_fit_on_gpu(c, scheme, domain);
  if (scheme.half && !splits_in_two(lattice.name))
    throw_input(
        fmt::format("numerics.scheme: {} stores every second node, and the velocities of {} lead to the others "
                    "too; use lattice D3Q13, or another scheme",
                    scheme.name, lattice.name));
  if (const std::string why =
          scheme_problem(scheme, lattice.name, plan.flow().collision->name, plan.flow().equilibrium->name);
      !why.empty())
    throw_input("numerics.scheme: " + why);
  if (const std::string why = rounding_problem(scheme, plan.format->name, c.numerics.rounding); !why.empty())
    throw_input("numerics.rounding: " + why);
  if (const std::string why =
          force_problem(scheme, plan.flow().collision->name, plan.flow().force, plan.flow().viscosity.varies());
      !why.empty())
    throw_input("numerics.scheme: " + why);
  plan.tile = tile_edge(scheme, lattice.dimension, c.numerics.tile);
  if (scheme.serial) plan.threads = 1;
  if (device != "cpu") {
    if (nodes.barred && scheme.stepping == core::Stepping::ghost_buffers)
      throw_input(fmt::format(
          "numerics.scheme: on a GPU {} keeps what leaves a tile in buffers, and the case has a sheet, with "
          "fluid on both sides, which looks for it in the tile; take another scheme",
          scheme.name));
    if (scheme.keeps_moments()) require_plain_links(scheme, problem);
    require_rows(scheme, c.numerics.gpu_rows);
    choose_steps_per_pass(c, scheme, nodes, plan);
    return plan;
  }
  const auto [elements, geometry_bytes] =
      stored_on_cpu[static_cast<int>(storage_family(scheme))](nodes, scheme, plan.tile, lattice.velocities);
  plan.population_bytes = elements * static_cast<std::uint64_t>(plan.format->storage_bytes * scheme.copies);
  choose_steps_per_pass(c, scheme, nodes, plan);
  // Groups of compact rows are filled by whole segments, so that half of a group is used at least.
  const std::uint64_t lanes = row_segments(nodes) * nodes_per_tile;
  plan.scalar_bytes = scalar_bytes(problem, plan.scalars, plan.format->arithmetic_bytes,
                                   scheme.is_compact() ? std::min(lanes, 2 * nodes.fluid_nodes) : lanes);
  plan.geometry_bytes = nodes.bytes() + geometry_bytes;
  if (scheme.is_compact() && plan.steps_per_pass > 1)
    plan.geometry_bytes += 4 * row_segments(nodes);  // where rows begin; an upper bound
  const BoundaryCount boundaries = count_boundaries(problem, lattice.name);
  // The values for all steps of a pass.
  const bool changes_ahead = boundaries.changing_bytes > 0 && plan.steps_per_pass > 1;
  plan.boundary_bytes = (changes_ahead ? 1 + plan.steps_per_pass : 1) * boundaries.records * record_bytes +
                        boundaries.memory * plan.format->arithmetic_bytes +
                        boundaries.monitored_links * monitored_link_bytes + boundaries.changing_bytes +
                        boundaries.fits.bytes(plan.format->arithmetic_bytes) + exchange_bytes(nodes, scheme, plan) +
                        force_bytes(c, nodes, *plan.format) +
                        most_wall_bytes(c, problem.geometry, lattice.name, problem.communicator);
  plan.other_bytes = program_bytes + evaluation_bytes(nodes) + tracer_bytes(problem);
  return plan;
}

}  // namespace fluvia
