// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fluvia/base/error.hpp"
#include "fluvia/base/machine/memory.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/case/physics/registered_formats.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/cuda/solver/cuda_solver.hpp"

namespace fluvia::cuda {

namespace {

const std::string compact_scheme = "compact-sliding", box_scheme = "aa";
/// What "auto" takes where blocks are streamed: steps cost little beside transfers. The first needs no room to slide,
/// the second makes several steps a visit in one copy.
const std::string streamed_compact_scheme = "compact-aa", streamed_pass_scheme = "fused-sliding";
/// The box moves as few bytes as fluid nodes alone if so much of it is fluid.
constexpr double nearly_all_fluid = 0.97;

/// What 16 bits would bring, where populations have more.
std::string format_advice(const Plan& plan) {
  return plan.format->storage_bytes > 2 ? "fewer bytes with numerics.format = \"fp16s\", " : "";
}

/// What the same in one copy would bring.
std::string one_copy_advice(const Scheme& scheme) {
  return scheme.in_one_copy[0] == 0 ? "" : fmt::format("one copy that slides ({}), ", scheme.in_one_copy);
}

/// Why a plan does not fit, and what would.
std::string refusal(const Device& device, const NodeMap& nodes, const Plan& plan, std::uint64_t memory,
                    bool has_bodies) {
  constexpr double mebibyte = 1024.0 * 1024, gibibyte = 1024 * mebibyte;
  const auto needed = static_cast<double>(plan.total_bytes()), available = static_cast<double>(memory);
  const double per_node = needed / static_cast<double>(nodes.fluid_nodes);
  const char* const source = memory < device.free_bytes() ? "numerics.memory_limit allows" : "free are";
  const auto show = [needed](double bytes) {
    return needed < gibibyte ? fmt::format("{:.2f} MiB", bytes / mebibyte)
                             : fmt::format("{:.2f} GiB", bytes / gibibyte);
  };
  std::string text = fmt::format("{} needs {} but {} {}", device.label(), show(needed), source, show(available));
  text += fmt::format(
      ": {} too few. It holds {} fluid nodes with {} and {} ({:.0f} bytes a node). What would fit: "
      "{}{}{}a spacing {:.2f} times as large, or {} GPUs",
      show(needed - available), format_count(available / per_node), plan.scheme_name(), plan.format->name, per_node,
      format_advice(plan), one_copy_advice(*plan.scheme),
      plan.scheme_name() != compact_scheme ? "a scheme with one copy of fluid nodes only (compact-sliding), " : "",
      std::pow(needed / available, 1.0 / nodes.dimension),
      (plan.total_bytes() + memory - 1) / std::max<std::uint64_t>(memory, 1));
  const Scheme& scheme = *plan.scheme;
  if (nodes.has_exchanged_links())
    text += "; domains with planes of symmetry or sheets are not computed piece by piece";
  else if (!plan.scalars.empty())
    text += "; domains with scalars are not computed piece by piece";
  else if (has_bodies)
    text += "; domains through which bodies move are not computed piece by piece";
  else if (!exchanges_populations(scheme))
    text += "; or, in blocks that are streamed through the GPU: numerics.scheme = \"auto\"";
  return text;
}

/// Why blocks cannot wait in host memory.
std::string host_refusal(const Plan& plan, std::uint64_t available) {
  constexpr double gibibyte = 1024.0 * 1024 * 1024;
  return fmt::format(
      "the {} blocks of this domain need {:.2f} GiB of host memory, from where they are streamed, but {:.2f} GiB are "
      "free. What would fit: {}a larger numerics.memory_limit, which leaves the domain on the GPU, or a larger spacing",
      plan.domain.blocks, static_cast<double>(plan.host_bytes) / gibibyte, static_cast<double>(available) / gibibyte,
      format_advice(plan));
}

/// Why a flow cannot begin, of which so many parts must: see Plan::beginning_bytes. Empty if it can.
std::string beginning_refusal(const Plan& plan, int parts = 1) {
  constexpr double gibibyte = 1024.0 * 1024 * 1024;
  const std::uint64_t needed = plan.beginning_bytes * static_cast<std::uint64_t>(parts), available = available_memory();
  if (needed <= available) return "";
  return fmt::format(
      "scheme {} keeps {:.2f} GiB of the populations that a flow begins with in host memory until the first step, but "
      "{:.2f} GiB are free. What would fit: {}scheme \"{}\" on a GPU with room for it, or a larger spacing",
      plan.scheme_name(), static_cast<double>(needed) / gibibyte, static_cast<double>(available) / gibibyte,
      format_advice(plan), plan.scheme->instead);
}

/// Why blocks cannot be streamed within the memory for a run, which their plan exceeds.
std::string streaming_refusal(const Device& device, const Plan& plan, std::uint64_t memory) {
  constexpr double mebibyte = 1024.0 * 1024;
  const auto needed = static_cast<double>(plan.total_bytes()), available = static_cast<double>(memory);
  return fmt::format(
      "{} needs {:.1f} MiB even if {} blocks of the domain are streamed through it, of which {:.1f} MiB are "
      "populations "
      "of "
      "three of them and the rest stays there, but {} {:.1f} MiB. What would fit: {}a larger limit or spacing",
      device.label(), needed / mebibyte, plan.domain.blocks, static_cast<double>(plan.population_bytes) / mebibyte,
      memory < device.free_bytes() ? "it may take" : "free are", available / mebibyte, format_advice(plan));
}

}  // namespace

std::uint64_t memory_for_run(const Case& c, const Device& device) {
  const std::uint64_t free = device.free_bytes();
  if (c.numerics.memory_limit <= 0) return free;
  return std::min(free, static_cast<std::uint64_t>(std::min(c.numerics.memory_limit, 1e9) * 1048576));
}

std::uint64_t memory_for_streaming(const Case& c, const Device& device) {
  const std::uint64_t free = device.free_bytes();
  return std::min(memory_for_run(c, device), free - free / 64);
}

namespace {

/// Why a GPU cannot take passes of several steps.
std::string pass_problem(const Device& device, const Layout& layout) {
  constexpr double kibibyte = 1024;
  const std::size_t needed = layout.pass_shared_bytes(), most = device.info().shared_bytes_per_block;
  if (needed <= most) return "";
  return fmt::format(
      "numerics.steps_per_pass: passes of {} steps take {:.0f} KiB of shared memory a block of threads, and {} has "
      "{:.0f} KiB; use fewer steps, or scheme \"pull\"",
      layout.steps_per_pass(), static_cast<double>(needed) / kibibyte, device.label(),
      static_cast<double>(most) / kibibyte);
}

PreparedCase prepare_as_planned(const Problem& problem, const Device& device, Plan& plan) {
  const Case& c = problem.settings;
  PreparedCase prepared = prepare_case(problem, plan);
  plan.refusal = pass_problem(device, *prepared.layout);
  if (!plan.refusal.empty()) {
    if (c.numerics.scheme != "auto" || c.numerics.steps_per_pass > 0) throw_input(plan.refusal);
    return prepared;
  }
  const std::uint64_t memory = memory_for_run(c, device);
  plan_memory(prepared, writes_between_steps(c), memory, plan);
  if (plan.total_bytes() > memory)
    plan.refusal = refusal(device, problem.geometry.nodes, plan, memory, !c.bodies.empty());
  else
    plan.refusal = beginning_refusal(plan);
  return prepared;
}

/// The plan of the case with another scheme, since the chosen one `does_not`.
Plan planned_with(const std::string& scheme, const Problem& problem, const Device& device, const Plan& chosen,
                  const char* does_not) {
  Case other = problem.settings;
  other.numerics.scheme = scheme;
  Plan plan = make_plan(problem.with(other), chosen.device, memory_for_run(problem.settings, device));
  plan.device_name = chosen.device_name;
  plan.reason = fmt::format("scheme {}: {}, chosen for its speed, {}", scheme, chosen.scheme_name(), does_not);
  return plan;
}

/// Schemes whose blocks move the fewest bytes between host and GPU in a step, the best one first. Boxes that end inside
/// of a tile where they continue cannot be cut (part_nodes.hpp). Formats that round give other numbers where they do so
/// once in a pass.
std::vector<std::string> streamed_schemes(const NodeMap& nodes, const std::string& format) {
  const int axis = nodes.dimension - 1;
  const bool cut = nodes.periodic[axis] && nodes.size[axis] % tile_shape(nodes.dimension)[axis] != 0;
  if (cut || nodes.porosity() <= nearly_all_fluid) return {streamed_compact_scheme};
  if (format_rounds(format)) return {box_scheme};
  return {streamed_pass_scheme, box_scheme};
}

/// By the plan's scheme; none, and the plan as it was, where it does not allow that.
PreparedBlocks blocks_as_planned(const Problem& problem, const Device& device, Plan& plan) {
  if (!exchanges_populations(*plan.scheme) || problem.geometry.nodes.has_exchanged_links() || !plan.scalars.empty() ||
      !problem.settings.bodies.empty())
    return {};
  const std::uint64_t memory = memory_for_streaming(problem.settings, device);
  PreparedBlocks prepared = prepare_fewest_blocks(problem, plan, memory);
  if (prepared.parts.empty()) return {};
  plan_blocks(prepared, writes_between_steps(problem.settings), plan);
  plan.refusal.clear();
  if (plan.total_bytes() > memory) plan.refusal = streaming_refusal(device, plan, memory);
  if (const std::uint64_t host = available_memory(); plan.refusal.empty() && plan.host_bytes > host)
    plan.refusal = host_refusal(plan, host);
  return prepared;
}

}  // namespace

PreparedBlocks prepare_blocks(const Problem& problem, const Device& device, Plan& plan) {
  if (problem.settings.numerics.scheme != "auto") return blocks_as_planned(problem, device, plan);
  PreparedBlocks prepared;
  const Plan chosen = plan;
  for (const std::string& scheme : streamed_schemes(problem.geometry.nodes, plan.format->name)) {
    Plan wanted = planned_with(scheme, problem, device, chosen, "does not fit");
    if (!pass_problem(device, *prepare_as_planned(problem, device, wanted).layout).empty()) continue;
    prepared = {};  // before others take as much memory
    PreparedBlocks blocks = blocks_as_planned(problem, device, wanted);
    if (blocks.parts.empty()) continue;
    wanted.reason = fmt::format(
        "scheme {}: the domain exceeds the memory, and this moves the fewest bytes to the GPU "
        "and back",
        wanted.scheme_name());
    prepared = std::move(blocks);
    plan = std::move(wanted);
    if (plan.refusal.empty()) break;
  }
  return prepared;
}

PreparedCase prepare_within_memory(const Problem& problem, const Device& device, Plan& plan) {
  PreparedCase prepared = prepare_as_planned(problem, device, plan);
  if (plan.refusal.empty() || problem.settings.numerics.scheme != "auto") return prepared;
  // Where passes need more of a block's memory than there is, single steps of the same storage may do.
  const bool is_too_wide = !pass_problem(device, *prepared.layout).empty();
  const std::string single = is_too_wide ? plan.scheme->instead : "";
  const char* const does_not = is_too_wide ? "takes more shared memory in a pass than this GPU has" : "does not fit";
  for (const std::string& scheme : {single, compact_scheme, box_scheme}) {
    if (scheme.empty() || scheme == plan.scheme_name()) continue;
    Plan other = planned_with(scheme, problem, device, plan, does_not);
    PreparedCase fitting = prepare_as_planned(problem, device, other);
    if (!other.refusal.empty()) continue;
    plan = std::move(other);
    return fitting;
  }
  return prepared;
}

PreparedCase prepare_block(const Problem& problem, const Device& device, const Block& block, const BlockRoom& room,
                           Plan& plan) {
  PreparedCase prepared = prepare_case(problem, plan, &block);
  if (const std::string why = pass_problem(device, *prepared.layout); !why.empty()) throw_input(why);
  const std::uint64_t memory = memory_for_run(problem.settings, device) / static_cast<std::uint64_t>(room.users);
  plan_memory(prepared, room.snapshots && writes_between_steps(problem.settings), memory, plan);
  if (plan.total_bytes() > memory) {
    constexpr double gibibyte = 1024.0 * 1024 * 1024;
    plan.refusal = fmt::format(
        "block {} of the domain needs {:.2f} GiB of {}, but {:.2f} GiB are free for it. What would fit: {}more GPUs, "
        "or "
        "a larger spacing",
        block.number, static_cast<double>(plan.total_bytes()) / gibibyte, device.label(),
        static_cast<double>(memory) / gibibyte, format_advice(plan));
  } else if (std::string why = beginning_refusal(plan, room.beginners); !why.empty()) {
    plan.refusal = std::move(why);
  }
  return prepared;
}

namespace {
std::unique_ptr<DeviceBlock> make_solver_of(const Problem& problem, std::shared_ptr<const Geometry> geometry, Plan plan,
                                            const Device& device, KernelCache& cache, PreparedCase prepared,
                                            std::shared_ptr<BlockStreaming> streaming = nullptr) {
  if (!plan.refusal.empty()) throw_resource(plan.refusal);
  if (plan.format->arithmetic_bytes == sizeof(double))
    return std::make_unique<CudaSolver<double>>(problem, std::move(geometry), std::move(plan), device, cache,
                                                std::move(prepared), std::move(streaming));
  return std::make_unique<CudaSolver<float>>(problem, std::move(geometry), std::move(plan), device, cache,
                                             std::move(prepared), std::move(streaming));
}
}  // namespace

std::unique_ptr<Solver> make_solver(OwningProblem problem, Plan plan, const Device& device, KernelCache& cache) {
  PreparedCase prepared = prepare_within_memory(problem, device, plan);
  return make_solver(std::move(problem), std::move(plan), device, cache, std::move(prepared));
}

std::unique_ptr<Solver> make_solver(OwningProblem problem, Plan plan, const Device& device, KernelCache& cache,
                                    PreparedCase prepared) {
  const auto shared = std::make_shared<const Geometry>(std::move(problem.geometry));
  return make_solver_of({problem.settings, problem.units, *shared}, shared, std::move(plan), device, cache,
                        std::move(prepared));
}

std::unique_ptr<DeviceBlock> make_block_solver(const Problem& problem, std::shared_ptr<const Geometry> geometry,
                                               Plan plan, const Device& device, KernelCache& cache, const Block& block,
                                               const BlockRoom& room) {
  require_splittable(*plan.scheme);
  PreparedCase prepared = prepare_block(problem, device, block, room, plan);
  return make_solver_of(problem, std::move(geometry), std::move(plan), device, cache, std::move(prepared));
}

std::unique_ptr<DeviceBlock> make_streamed_block(const Problem& problem, std::shared_ptr<const Geometry> geometry,
                                                 Plan plan, const Device& device, KernelCache& cache,
                                                 PreparedCase prepared, std::shared_ptr<BlockStreaming> streaming) {
  return make_solver_of(problem, std::move(geometry), std::move(plan), device, cache, std::move(prepared),
                        std::move(streaming));
}

std::vector<std::unique_ptr<DeviceBlock>> make_streamed_blocks(OwningProblem problem, const Plan& plan,
                                                               const Device& device, KernelCache& cache,
                                                               PreparedBlocks prepared) {
  if (!plan.refusal.empty()) throw_resource(plan.refusal);
  const auto shared = std::make_shared<const Geometry>(std::move(problem.geometry));
  auto channel = std::make_shared<const Channel>(device, prepared.references_bytes(), prepared.exchange_bytes());
  const auto streaming = std::make_shared<BlockStreaming>(device, prepared.slot_bytes(), std::move(channel));
  std::vector<std::unique_ptr<DeviceBlock>> parts;
  for (PreparedCase& part : prepared.parts)
    parts.push_back(make_solver_of({problem.settings, problem.units, *shared}, shared, plan, device, cache,
                                   std::move(part), streaming));
  return parts;
}

}  // namespace fluvia::cuda
