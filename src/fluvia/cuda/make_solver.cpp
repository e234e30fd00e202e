// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fluvia/base/error.hpp"
#include "fluvia/cuda/cuda_solver.hpp"

namespace fluvia::cuda {

namespace {

/// Why a plan does not fit, and what would.
std::string refusal(const Case& c, const Device& device, const NodeMap& nodes, const Plan& plan, std::uint64_t memory) {
  constexpr double gibibyte = 1024.0 * 1024 * 1024;
  const auto needed = static_cast<double>(plan.total_bytes()), available = static_cast<double>(memory);
  const double per_node = needed / static_cast<double>(nodes.fluid_nodes);
  std::string text = fmt::format("{} needs {:.2f} GiB{} but ", device.label(), needed / gibibyte,
                                 plan.slabs > 1 ? fmt::format(", even for one of {} slabs at a time,", plan.slabs) : "");
  text += memory < device.free_bytes() ? fmt::format("numerics.memory_limit is {:.2f} GiB", available / gibibyte)
                                       : fmt::format("{:.2f} GiB are free", available / gibibyte);
  text += fmt::format(
      ": {:.2f} GiB too few. It holds {:.0f} million fluid nodes with {} and {} ({:.0f} bytes a node). What would fit: "
      "half the bytes with numerics.format = \"fp16s\", a scheme with one copy of fluid nodes only (compact-sliding), a "
      "spacing {:.2f} times as large, or {} GPUs",
      (needed - available) / gibibyte, available / per_node / 1e6, plan.scheme, plan.format, per_node,
      std::pow(needed / available, 1.0 / nodes.dimension), (plan.total_bytes() + memory - 1) / std::max<std::uint64_t>(memory, 1));
  const Scheme& scheme = parse_scheme(plan.scheme);
  if (plan.slabs == 1 && !(scheme.swaps && c.numerics.memory_limit > 0))
    text += fmt::format("; slowly, slab by slab from host memory, {}--memory-limit {:.0f}",
                        scheme.swaps ? "" : "with numerics.scheme = \"soa-pull\" and ",
                        std::floor(available / 1048576));
  return text;
}

}  // namespace

std::uint64_t memory_for_run(const Case& c, const Device& device) {
  const std::uint64_t free = device.free_bytes();
  if (c.numerics.memory_limit <= 0) return free;
  return std::min(free, static_cast<std::uint64_t>(c.numerics.memory_limit * 1048576));
}

PreparedCase prepare_within_memory(const Case& c, const Units& units, const Geometry& geometry, const Device& device,
                                   Plan& plan) {
  PreparedCase prepared = prepare_case(c, units, geometry, plan);
  const std::uint64_t memory = memory_for_run(c, device);
  if (c.numerics.memory_limit > 0) cut_to_fit(prepared, geometry.nodes, memory);
  plan_memory(prepared, plan);
  if (plan.total_bytes() > memory) plan.refusal = refusal(c, device, geometry.nodes, plan, memory);
  return prepared;
}

std::unique_ptr<Solver> make_solver(const Case& c, const Units& units, Geometry geometry, Plan plan,
                                    const Device& device, KernelCache& cache) {
  PreparedCase prepared = prepare_within_memory(c, units, geometry, device, plan);
  if (!plan.refusal.empty()) throw_resource(plan.refusal);
  if (plan.format == "fp64")
    return std::make_unique<CudaSolver<double>>(c, units, std::move(geometry), std::move(plan), device, cache,
                                                std::move(prepared));
  return std::make_unique<CudaSolver<float>>(c, units, std::move(geometry), std::move(plan), device, cache,
                                             std::move(prepared));
}

}  // namespace fluvia::cuda
