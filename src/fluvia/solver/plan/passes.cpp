// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/plan/passes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <vector>

#include "fluvia/base/error.hpp"
#include "fluvia/base/machine/memory.hpp"
#include "fluvia/case/physics/registered_formats.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/case/validate.hpp"
#include "fluvia/model/dense_streams.hpp"
#include "fluvia/model/lattice_counts.hpp"
#include "fluvia/solver/links/cut_links.hpp"
#include "fluvia/solver/profiles/changing_profile.hpp"

namespace fluvia {
namespace {

/// The best number of steps for a lattice and format, and how much faster than single steps that is expected to be
/// beyond what is known of the scheme.
struct Measured {
  int dimension;
  int bytes;  ///< bytes of a number in computations (GPU), of a stored population (CPU)
  int steps;
  int other = 1;  ///< a number of steps that was nearly as fast
  double gain = 1;
};
constexpr Measured single_steps = {0, 0, 1};
/// Measured on one H200 (docs/performance.md).
constexpr Measured measured_on_gpu[] = {{2, 4, 4, 8}, {2, 8, 4, 8}, {3, 4, 2, 3}, {3, 8, 2, 3}};
/// Measured with one copy of the populations (docs/decisions/0029).
constexpr Measured measured_on_cpu[] = {{2, 4, 8, 4, 1.7}, {2, 8, 8, 4, 1.5}, {3, 4, 4, 8, 1.4}, {3, 8, 4, 8, 1.15}};

Measured best_of(std::span<const Measured> rows, int dimension, int bytes) {
  for (const Measured& row : rows)
    if (row.dimension == dimension && row.bytes == bytes) return row;
  return single_steps;
}

/// Passes over moments: in D3Q27 shared memory leaves little room for a second step, and in 16 bits memory is no limit
/// in space, so that halos cost more than they gain (docs/decisions/0050-passes-over-moments.md).
Measured best_over_moments(const Plan& plan) {
  const LatticeFacts& lattice = *plan.flow().lattice;
  const int bytes = plan.format->arithmetic_bytes;
  if (lattice.dimension == 2) return {2, bytes, 4, 3};
  const bool pays = lattice.directions <= 19 && !plan.format->rounds;
  return {3, bytes, pays ? 2 : 1, pays ? 1 : 2};
}

Measured best_on_gpu(const NodeMap& nodes, const Scheme& scheme, const Plan& plan) {
  if (scheme.most_steps_on_gpu(nodes.dimension) == 1) return single_steps;
  if (scheme.keeps_moments()) return best_over_moments(plan);
  return best_of(measured_on_gpu, nodes.dimension, plan.format->arithmetic_bytes);
}

/// Rows of a layer of the box: along x in 3D, groups of 64 nodes of such a row in 2D.
int rows_of_layer(const NodeMap& nodes) {
  return nodes.dimension == 3 ? nodes.size[1] : (nodes.size[0] + nodes_per_tile - 1) / nodes_per_tile;
}

/// The most steps that leave a part with so many layers most of what passes gain. At each of two borders a pass of T
/// steps takes nodes of T - 1, T - 2, ..., 1 layers of others along, in the mean (T - 1) / 2 layers a step. What a halo
/// brings, all populations of these, is packed, sent and unpacked once in a pass: a step takes longer by about two
/// layers' worth, whatever T.
int steps_of_part(const Measured& best, int layers) {
  constexpr int layers_for_messages = 4;
  int steps = best.steps;
  while (steps > 1 && steps - 1 + layers_for_messages > (best.gain - 1) / 2 * layers) steps /= 2;
  return steps;
}

/// Whether the populations are larger than caches, and a layer has rows for all threads.
///
/// All ranks must come to the same answer, whatever machines they are on: they are taken to have many threads, if the
/// case does not say how many, and the memory that is near to these.
bool is_large_on_cpu(const Case& c, const NodeMap& nodes, const Scheme& scheme, const Plan& plan) {
  constexpr std::uint64_t large_bytes = std::uint64_t{128} << 20;
  constexpr int rows_of_thread = 4, threads_of_rank = 32;
  const int threads = plan.domain.is_whole() || c.numerics.threads > 0 ? plan.threads : threads_of_rank;
  if (rows_of_layer(nodes) < rows_of_thread * threads) return false;
  const int populations = model::lattice_counts(plan.flow().lattice->name).populations();
  const std::uint64_t elements = scheme.is_compact() ? nodes.fluid_nodes * static_cast<std::uint64_t>(populations)
                                                     : model::DenseStreams(nodes.size, populations).elements();
  return elements * static_cast<std::uint64_t>(plan.format->storage_bytes * scheme.copies) > large_bytes;
}

Measured row_on_cpu(const NodeMap& nodes, const Plan& plan) {
  return best_of(measured_on_cpu, nodes.dimension, plan.format->storage_bytes);
}

/// Passes were measured to be faster in boxes larger than caches, where computing takes less time than memory.
Measured best_on_cpu(const Case& c, const NodeMap& nodes, const Scheme& scheme, const Plan& plan) {
  const bool suits = scheme.addressing == core::Addressing::dense && (!plan.domain.is_whole() || memory_nodes() == 1) &&
                     is_large_on_cpu(c, nodes, scheme, plan);
  if (!suits) return single_steps;
  Measured best = row_on_cpu(nodes, plan);
  if (!plan.domain.is_whole()) best.steps = steps_of_part(best, nodes.size[nodes.dimension - 1] / plan.domain.blocks);
  return best.steps > 1 ? best : single_steps;
}

/// The most steps that a case allows in a pass, and why no more.
struct Limit {
  int steps;
  std::string reason;
};

/// A pass takes the halo of its tiles from the box, once around it at most. Over moments it is as wide as the pass has
/// steps, else one less.
Limit limit_of_box(const NodeMap& nodes, const Scheme& scheme) {
  int fewest = nodes.size[0];
  for (int axis = 1; axis < nodes.dimension; ++axis) fewest = std::min(fewest, nodes.size[axis]);
  const int most = scheme.most_steps_on_gpu(nodes.dimension), fits = fewest + (scheme.keeps_moments() ? 0 : 1);
  if (fits < most) return {fits, fmt::format("the box has {} nodes along an axis", fewest)};
  return {most, fmt::format("passes have no more in {}D", nodes.dimension)};
}

Limit limit_on_gpu(const NodeMap& nodes, const Scheme& scheme) {
  if (scheme.most_steps_on_gpu(nodes.dimension) == 1)
    return {1, fmt::format("{} takes one step at a time on a GPU", scheme.name)};
  return limit_of_box(nodes, scheme);
}

Limit limit_on_cpu(const NodeMap& nodes, const Scheme& scheme) {
  if (scheme.most_steps_on_cpu == 1) return {1, fmt::format("{} takes one step at a time on a CPU", scheme.name)};
  if (scheme.is_compact() && rows_of_layer(nodes) == 1)  // groups of nodes reach over several layers
    return {1, "layers of single rows are stored together"};
  return {scheme.most_steps_on_cpu, fmt::format("passes of {} have no more", scheme.name)};
}

/// Whether passes of `fused` are expected to pay: for `bgk`, which was measured in fp32 and fp64, and `trt`, which was
/// in D3Q19 and fp32 and computes little more. Collisions that compute longer wait for instructions, not for memory.
bool passes_suit(const Plan& plan) {
  return plan.domain.is_whole() && !plan.flow().viscosity.varies() && plan.flow().collision->work != core::Work::much;
}

/// Fraction that is left of the speed of passes on a GPU over single steps beside boundary conditions that look at all
/// populations of a node. It was 0.74 to 1 with `fused`, the less, the more threads have such a node, and 0.62 with
/// `fused-sliding` where many have (D3Q19, bgk, fp32; one H100, docs/performance.md). Where openings fit planes, a
/// block waits for the one thread of a row that has one of their nodes, unless the opening lies across the march: 22.0
/// and 15.5 GLUPS beside 23.4 without them, 20.9 in single steps (280 x 200 x 200, trt; one H200).
double gain_beside_conditions(const Case& c, const Scheme& scheme, const Plan& plan) {
  constexpr double across = 0.77, along = 0.48;
  if ((plan.flow().conditions & ~conditions_like_walls) == 0) return 1;
  double gain = scheme.copies > 1 ? 0.85 : 0.6;
  const char march = "xyz"[plan.flow().lattice->dimension - 1];
  for (const Case::Boundary& b : c.boundaries)
    if (facts_of_boundary(b.type).needs_plane_fit)
      gain = std::min(gain, validation::is_face(b.surface) && b.surface[0] == march ? across : along);
  return gain;
}

/// Whether the friction at some wall is that of a law (ConditionFacts::models_friction).
bool models_friction(const Plan& plan) {
  for (int kind = 0; kind < core::Boundaries::size; ++kind)
    if (core::boundary_facts(kind).models_friction && (plan.flow().conditions >> core::boundary_rule(kind) & 1u) != 0)
      return true;
  return false;
}

Limit limit_of(const Scheme& scheme, const NodeMap& nodes, const Plan& plan) {
  if (!plan.scalars.empty()) return {1, "scalars take the velocity of every step"};
  // Over moments planes of symmetry are part of a pass.
  if (nodes.has_mirrors() && !plan.domain.is_whole() && !scheme.keeps_moments())
    return {1, "parts meet planes of symmetry after every step"};
  if (nodes.barred && !plan.domain.is_whole()) return {1, "parts meet sheets after every step"};
  if (nodes.barred && plan.device != "cpu") return {1, "sheets are met after every step on a GPU"};
  // Beside other conditions they would take more registers than a pass has.
  if (plan.device != "cpu" && models_friction(plan)) return {1, "wall functions take one step at a time on a GPU"};
  return plan.device == "cpu" ? limit_on_cpu(nodes, scheme) : limit_on_gpu(nodes, scheme);
}

Measured best_of(const Case& c, const Scheme& scheme, const NodeMap& nodes, const Plan& plan) {
  return plan.device == "cpu" ? best_on_cpu(c, nodes, scheme, plan) : best_on_gpu(nodes, scheme, plan);
}

/// What is known of the passes of a scheme in a case.
struct Passes {
  int asked;      ///< steps that the case asks for; 0: the best number
  Measured best;  ///< single steps where passes were not measured to be faster
  Limit limit;
  bool only;  ///< the scheme is for passes alone, and another for single steps

  [[nodiscard]] int wanted() const { return asked > 0 ? asked : best.steps; }
  [[nodiscard]] int taken() const { return std::min(wanted(), limit.steps); }
  [[nodiscard]] bool are_best() const { return taken() == wanted() && taken() == best.steps; }
  /// The gain over single steps of the steps that are taken; 1 but for the best number, the only one whose gain is
  /// known.
  [[nodiscard]] double gain() const { return are_best() ? best.gain : 1; }
};

Passes passes_of(const Case& c, const Scheme& scheme, const NodeMap& nodes, const Plan& plan) {
  Limit limit = c.bodies.empty() ? limit_of(scheme, nodes, plan) : Limit{1, "bodies move after every step"};
  for (const Case::Tracer& tracer : c.tracers)
    if (tracer.every < limit.steps) limit = {tracer.every, "points of tracers move in between"};
  Passes passes = {c.numerics.steps_per_pass, best_of(c, scheme, nodes, plan), limit, scheme.is_fused()};
  if (scheme.copies > 1) passes.best.gain = 1;  // the gain was measured with one copy
  if (passes.only && passes.best.steps > 1) passes.best.gain *= gain_beside_conditions(c, scheme, plan);
  return passes;
}

}  // namespace

const Case::Boundary* changing_boundary(const Case& c, int dimension) {
  for (const Case::Boundary& b : c.boundaries)
    if (!b.series.empty() || b.ramp > 0 || changes_in_time(c, b, dimension)) return &b;
  return nullptr;
}

int steps_of_round(int steps_per_pass) {
  return steps_per_pass % 2 == 0 ? steps_per_pass : 2 * steps_per_pass;
}

double gain_of_passes(const Case& c, const Scheme& scheme, const NodeMap& nodes, const Plan& plan) {
  const Passes passes = passes_of(c, scheme, nodes, plan);
  const bool suit = scheme.keeps_moments() || (passes.best.steps > 1 && passes_suit(plan));
  // Forces of single nodes halve the speed of passes on a GPU, and take a tenth of single steps' (docs/body-forces.md).
  const bool kicks = plan.device != "cpu" && c.physics.has_acceleration_field();
  const bool none = passes.only && (kicks || !(passes.are_best() && suit));
  return none ? 0 : passes.gain();
}

std::vector<PassOption> pass_options(const Case& c, const Scheme& scheme, const NodeMap& nodes, const Plan& plan) {
  const Passes passes = passes_of(c, scheme, nodes, plan);
  if (passes.asked > passes.limit.steps) return {};
  std::vector<PassOption> options = {{passes.taken(), passes.gain()}};
  if (passes.asked > 0) return options;
  const auto add = [&](int steps, double gain) {
    const bool known =
        std::any_of(options.begin(), options.end(), [&](const PassOption& o) { return o.steps == steps; });
    if (!known && steps <= passes.limit.steps) options.push_back({steps, gain});
  };
  if (passes.best.steps > 1) add(passes.best.other, passes.best.gain);
  // On this machine, or in compact storage, passes may be faster though the model does not say so.
  if (plan.device == "cpu" && is_large_on_cpu(c, nodes, scheme, plan)) add(row_on_cpu(nodes, plan).steps, 1);
  if (!passes.only) add(1, 1);
  return options;
}

void choose_steps_per_pass(const Case& c, const Scheme& scheme, const NodeMap& nodes, Plan& plan) {
  const Passes passes = passes_of(c, scheme, nodes, plan);
  const Limit& limit = passes.limit;
  if (passes.asked > limit.steps)
    throw_input(fmt::format(
        "numerics.steps_per_pass: is {}, but {}: at most {} here; use 0, which takes what is "
        "possible{}",
        passes.asked, limit.reason, limit.steps, passes.only ? fmt::format(", or scheme \"{}\"", scheme.instead) : ""));
  plan.steps_per_pass = passes.taken();
  if (plan.steps_per_pass < passes.wanted()) plan.pass_reason = limit.reason;
}

}  // namespace fluvia
