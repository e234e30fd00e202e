// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "fluvia/base/error.hpp"
#include "fluvia/cuda/cuda_solver.hpp"

namespace fluvia::cuda {

std::unique_ptr<Solver> make_solver(const Case& c, const Units& units, Geometry geometry, Plan plan,
                                    const Device& device, KernelCache& cache) {
  PreparedCase prepared = prepare_case(c, units, geometry, plan);
  const std::uint64_t free = device.free_bytes();
  plan_memory(prepared, writes_between_steps(c), free, plan);
  const std::uint64_t needed = plan.total_bytes();
  if (needed > free) {
    constexpr double gibibyte = 1024.0 * 1024 * 1024;
    const double per_node = static_cast<double>(needed) / static_cast<double>(geometry.nodes.fluid_nodes);
    throw_resource(fmt::format(
        "{} needs {:.2f} GiB but {:.2f} GiB are free: {:.2f} GiB too few. It holds {:.0f} million fluid nodes with {} "
        "and "
        "{} ({:.0f} bytes a node). What would fit: half the bytes with numerics.format = \"fp16s\", a scheme with one "
        "copy of fluid nodes only (compact-sliding), a spacing {:.2f} times as large, or {} GPUs",
        device.label(), static_cast<double>(needed) / gibibyte, static_cast<double>(free) / gibibyte,
        static_cast<double>(needed - free) / gibibyte, static_cast<double>(free) / per_node / 1e6, plan.scheme,
        plan.format, per_node,
        std::pow(static_cast<double>(needed) / static_cast<double>(free), 1.0 / geometry.nodes.dimension),
        (needed + free - 1) / free));
  }
  if (plan.format == "fp64")
    return std::make_unique<CudaSolver<double>>(c, units, std::move(geometry), std::move(plan), device, cache,
                                                std::move(prepared));
  return std::make_unique<CudaSolver<float>>(c, units, std::move(geometry), std::move(plan), device, cache,
                                             std::move(prepared));
}

}  // namespace fluvia::cuda
