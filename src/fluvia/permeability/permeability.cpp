// SPDX-License-Identifier: Apache-2.0
#include "fluvia/permeability/permeability.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "fluvia/base/duration.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/permeability/creeping_flow.hpp"

namespace fluvia {

namespace {

/// Part of the tolerance that a transient may leave: extrapolation multiplies it.
constexpr double steady_share = 0.04;
constexpr double largest_reynolds = 0.1, largest_mach = 0.1;

void check_settings(const PermeabilitySettings& s) {
  if (!(s.voxel > 0) || !std::isfinite(s.voxel))
    throw_input(fmt::format("permeability: the edge of a voxel is {} m, expected a length above 0", s.voxel));
  if (!(s.tolerance > 0) || s.tolerance > 1)
    throw_input(fmt::format("permeability: the tolerance is {}, expected a share above 0, at most 1", s.tolerance));
  if (!s.image.geometry.voxels == !s.image.geometry.mask)
    throw_input("permeability: the case has no image, or two; give geometry.voxels or geometry.mask");
  for (const int axis : s.axes)
    if (axis < 0 || axis >= s.image.domain.dimension)
      throw_input(fmt::format("permeability: there is no axis {} in {}D; use x or y", "xyz"[std::clamp(axis, 0, 2)],
                              s.image.domain.dimension));
}

/// Combines the flows so far to value and error.
void combine(AxisPermeability& result) {
  std::vector<GridValue> grids;
  for (const PermeabilityFlow& flow : result.flows)
    grids.push_back({static_cast<double>(flow.refine), flow.permeability[result.axis]});
  result.extrapolation = extrapolate(grids);
  const Extrapolation& e = result.extrapolation;
  const PermeabilityFlow& last = result.flows.back();
  const PermeabilityFlow& previous = result.flows[result.flows.size() - std::min<std::size_t>(2, result.flows.size())];
  for (int i = 0; i < 3; ++i)
    result.permeability[i] = e.previous * previous.permeability[i] + e.last * last.permeability[i];
  const double transient = std::abs(e.previous) * previous.remaining + std::abs(e.last) * last.remaining;
  result.error = e.error + transient;
}

void add_notes(const PermeabilitySettings& s, AxisPermeability& result) {
  if (result.interrupted)
    result.notes.push_back(fmt::format("interrupted: the flow at refine {} {}", result.flows.back().refine,
                                       result.flows.back().steady ? "was the last" : "was not steady yet"));
  for (const PermeabilityFlow& flow : result.flows) {
    if (!flow.steady && !result.interrupted)
      result.notes.push_back(
          fmt::format("at refine {} the flow was not steady after {} steps; allow more", flow.refine, flow.steps));
    if (flow.reynolds > largest_reynolds || flow.mach > largest_mach)
      result.notes.push_back(
          fmt::format("at refine {} the flow does not creep: Reynolds number {:.2g}, Mach number "
                      "{:.2g}; choose a larger tau",
                      flow.refine, flow.reynolds, flow.mach));
  }
  if (result.error > s.tolerance)
    result.notes.push_back(fmt::format("the estimated error {:.2g}% is above the {:.2g}% asked for; allow finer grids",
                                       100 * result.error, 100 * s.tolerance));
}

/// Seconds that a flow may take on a finer grid, from one that has ended: nodes grow with the cube of the refinement,
/// steps at most with its square (docs/permeability.md).
double expected_seconds(const PermeabilityFlow& coarser, int refine) {
  const double ratio = static_cast<double>(refine) / coarser.refine;
  const double updates = static_cast<double>(coarser.fluid_nodes) * static_cast<double>(coarser.steps);
  return std::pow(ratio, 5) * updates / (1e6 * coarser.mflups);
}

/// Says how long a flow may take after this one, if one has to wait for it.
void announce(const PermeabilitySettings& s, int axis, const PermeabilityFlow& coarser, int refine) {
  constexpr double patience = 10;
  const double seconds = expected_seconds(coarser, refine);
  if (!s.on_message || seconds < patience) return;
  s.on_message(fmt::format("along {}, refine {}: at most about {}, as far as refine {} can tell", "xyz"[axis], refine,
                           duration_text(seconds), coarser.refine));
}

/// Relative error to expect of a single grid, from the flows through real images that docs/permeability.md lists.
double expected_error(const PoreSpace& pores, int refine) {
  return 1.0 / (pores.hydraulic_diameter * refine);
}

AxisPermeability measure_along(const PermeabilitySettings& s, int axis) {
  AxisPermeability result;
  result.axis = axis;
  const PoreSpace pores = find_pores(s, axis);
  result.porosity = pores.porosity;
  result.percolating_porosity = pores.percolating_porosity;
  if (!result.percolates()) {
    result.within_tolerance = true;
    result.notes.push_back("no fluid connects one end with the other: the permeability is 0");
    return result;
  }
  const int first = s.refine > 0 ? s.refine : 1, last = s.refine > 0 ? s.refine : s.largest_refine;
  for (int refine = first; refine <= last && !result.within_tolerance && !result.interrupted; ++refine) {
    std::string refusal;
    if (!result.flows.empty()) announce(s, axis, result.flows.back(), refine);
    const auto flow = solve_creeping_flow(s, pores, axis, refine, steady_share * s.tolerance, refusal);
    if (!flow && result.flows.empty()) throw_resource(fmt::format("permeability: refine {}: {}", refine, refusal));
    if (!flow) {
      result.notes.push_back(fmt::format("refine {} was not tried: {}", refine, refusal));
      break;
    }
    result.interrupted = is_interrupted(s);
    // A flow that has hardly begun says less than none.
    if (result.interrupted && !result.flows.empty() && !flow->steady) break;
    result.flows.push_back(*flow);
    if (s.on_message)
      s.on_message(fmt::format("along {}, refine {}: {:.6g} m2 after {} steps, {:.1f} MFLUPS", "xyz"[axis], refine,
                               flow -> permeability[axis], flow -> steps, flow -> mflups));
    combine(result);
    if (s.refine > 0) result.error = expected_error(pores, refine) + flow->remaining;
    result.within_tolerance = result.error <= s.tolerance && flow->steady;
  }
  if (!std::isfinite(result.error)) {
    result.error = expected_error(pores, first) + result.flows.back().remaining;
    result.within_tolerance = result.error <= s.tolerance && result.flows.back().steady;
  }
  add_notes(s, result);
  return result;
}

}  // namespace

std::vector<AxisPermeability> measure_permeability(const PermeabilitySettings& settings) {
  check_settings(settings);
  std::vector<AxisPermeability> results;
  for (const int axis : settings.axes)
    if (results.empty() || !is_interrupted(settings)) results.push_back(measure_along(settings, axis));
  return results;
}

}  // namespace fluvia
