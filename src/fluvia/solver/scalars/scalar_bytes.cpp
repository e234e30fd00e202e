// SPDX-License-Identifier: Apache-2.0
// What a CPU takes for the scalars of a problem.
#include <algorithm>

#include "fluvia/solver/links/wall_links.hpp"
#include "fluvia/solver/scalars/scalar_cells.hpp"

namespace fluvia {

namespace {

/// Whether a scalar has nodes that stand for other volumes than 1, which the geometry may put beside such surfaces.
bool may_end_cells(const Problem& problem, const ScalarMethod& scalar) {
  const std::vector<bool> interpolated = interpolated_surfaces(problem.settings, problem.geometry);
  const std::vector<ScalarAtSurface> surfaces = scalar_surfaces(problem, scalar);
  for (std::size_t s = 0; s < surfaces.size(); ++s)
    if (interpolated[s] && ends_cells(surfaces[s])) return true;
  return false;
}

}  // namespace

std::uint64_t scalar_bytes(const Problem& problem, const std::vector<ScalarMethod>& scalars, int arithmetic_bytes,
                           std::uint64_t lanes) {
  if (scalars.empty()) return 0;
  const auto number = static_cast<std::uint64_t>(arithmetic_bytes);
  constexpr std::uint64_t lanes_of_group = 64, bytes_of_run = 8;
  std::uint64_t bytes = problem.geometry.nodes.fluid_nodes * sizeof(std::uint32_t);
  for (std::size_t k = 0; k < scalars.size(); ++k) {
    const auto directions = static_cast<std::uint64_t>(scalars[k].lattice->directions);
    const std::uint64_t in_solids = make_scalar_solids(problem, scalars[k]).count();
    if (in_solids > 0) bytes += (problem.geometry.nodes.fluid_nodes + in_solids) * sizeof(std::uint32_t) + in_solids;
    const std::uint64_t lanes_of_all = lanes + (in_solids + lanes_of_group - 1) / lanes_of_group * lanes_of_group;
    bytes += lanes_of_all * 2 * directions * number + lanes_of_all / lanes_of_group * (directions + 1) * bytes_of_run;
    if (may_end_cells(problem, scalars[k])) bytes += lanes_of_all * number;
    const std::vector<Case::Solid>& solids = problem.settings.solids;
    if (!problem.settings.scalars[k].source.empty() ||
        std::any_of(scalars[k].solids.begin(), scalars[k].solids.end(),
                    [&](const ScalarSolid& solid) { return !solids[solid.number].source.empty(); }))
      bytes += lanes_of_all * number;
  }
  return bytes;
}

}  // namespace fluvia
