// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/monitors/wall_resolution.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/case/physics/rheology.hpp"
#include "fluvia/output/field_functions.hpp"

namespace fluvia {

namespace {

constexpr std::uint64_t most_nodes = std::uint64_t{1} << 27;  ///< nodes that are looked at

/// Surfaces at which the fluid has the velocity of the surface, openings left out.
std::vector<bool> sticking_surfaces(const Case& c, const Geometry& geometry) {
  std::vector<bool> sticks(geometry.surfaces.size(), true);
  for (const Case::Boundary& b : c.boundaries) {
    const auto found = std::find(geometry.surfaces.begin(), geometry.surfaces.end(), b.surface);
    if (found != geometry.surfaces.end())
      sticks[static_cast<std::size_t>(found - geometry.surfaces.begin())] = facts_of_boundary(b.type).sticks;
  }
  for (const Opening& opening : geometry.openings) sticks[static_cast<std::size_t>(opening.surface)] = false;
  if (geometry.level_surface >= 0) sticks[static_cast<std::size_t>(geometry.level_surface)] = false;
  return sticks;
}

/// Kinematic viscosity at a wall with this stress, lattice units and density 1. Eddies, which die out there, do not
/// count.
double viscosity_at_wall(const Plan& plan, double molecular, double stress) {
  if (!plan.flow().viscosity.varies() || !facts_of_viscosity(plan.flow().viscosity.model).of_fluid) return molecular;
  double viscosity = molecular;
  for (int k = 0; k < 50; ++k) {
    // The next guess is the mean of the logarithms: so models whose viscosity rises or falls steeply with the rate
    // settle, too.
    const double next = std::sqrt(viscosity * plan.flow().viscosity.at(stress / viscosity));
    const bool settled = std::abs(next - viscosity) < 1e-4 * viscosity;
    viscosity = next;
    if (settled) break;
  }
  return viscosity;
}

/// Field of the stress [lattice] and y+ of nodes beside walls; both 0 at other nodes, y+ below 0 where the wall does
/// not count.
Field wall_field(const std::vector<bool>& sticks) {
  Field field{"wall", 2, "lattice", true, true, true, {}};
  field.evaluate = [sticks](const FieldContext& context, const FieldSample& sample, double* out) {
    out[0] = 0;
    out[1] = -1;
    const Units& units = context.output.units;
    const double molecular = units.physical_viscosity > 0 ? units.physical_viscosity : units.viscosity;
    double count = 0, y_plus = 0, sum = 0;  // sums in corners, over all walls that are as near
    for (const auto& [place, stress] : stresses_at_walls(context, sample)) {
      if (!sticks[static_cast<std::size_t>(place.surface)]) continue;
      Real3 away{};
      for (int axis = 0; axis < 3; ++axis) away[axis] = place.point[axis] - (place.node[axis] + 0.5);
      const double size = norm(stress);
      const double viscosity = viscosity_at_wall(context.output.state.plan(), molecular, size);
      ++count;
      sum += size;
      y_plus += std::abs(dot(away, place.normal)) * std::sqrt(size) / viscosity;
    }
    if (count == 0) return;
    out[0] = sum / count;
    out[1] = y_plus / count;
  };
  return field;
}

/// What levels of refinement have, each at its own spacing; the mean is over areas. The place is on the coarsest.
std::optional<WallResolution> resolve_levels(const Case& c, std::span<const FlowLevel> levels) {
  WallResolution all;
  double area = 0;
  for (std::size_t l = 0; l < levels.size(); ++l) {
    const auto own = resolve_walls(c, {*levels[l].state, levels[l].units, levels[l].grid});
    if (!own) continue;
    const double edge = std::exp2(-static_cast<double>(l));
    const double of_level = static_cast<double>(own->nodes) * std::pow(edge, levels[l].grid.dimension - 1);
    all.nodes += own->nodes;
    all.whole = (area == 0 || all.whole) && own->whole;
    all.mean_stress += of_level * own->mean_stress;
    all.mean_y_plus += of_level * own->mean_y_plus;
    all.max_y_plus = std::max(all.max_y_plus, own->max_y_plus);
    area += of_level;
    if (own->max_stress <= all.max_stress) continue;
    all.max_stress = own->max_stress;
    for (int a = 0; a < 3; ++a) all.max_node[a] = own->max_node[a] >> (a < levels[l].grid.dimension ? l : 0);
  }
  if (area == 0) return std::nullopt;
  all.mean_stress /= area;
  all.mean_y_plus /= area;
  return all;
}

}  // namespace

std::optional<WallResolution> resolve_walls(const Case& c, const OutputContext& output) {
  if (!output.state.levels().empty()) return resolve_levels(c, output.state.levels());
  const Geometry& geometry = output.state.geometry();
  const std::vector<bool> sticks = sticking_surfaces(c, geometry);
  FieldEvaluator evaluator(output, make_sampling(output.grid, 1, {}), {wall_field(sticks)}, 0);
  const std::uint64_t every = 1 + geometry.nodes.fluid_nodes / most_nodes;
  WallResolution result;
  result.whole = every == 1;
  std::vector<float> values;
  for (std::uint64_t k = 0; k < evaluator.slabs().size(); k += every) {
    evaluator.load(evaluator.slabs()[k]);
    evaluator.evaluate(0, values);
    for (std::size_t i = 0; i < evaluator.samples().size(); ++i) {
      const double stress = values[2 * i], y_plus = values[2 * i + 1];
      if (y_plus < 0) continue;
      ++result.nodes;
      result.mean_stress += stress;
      result.mean_y_plus += y_plus;
      result.max_y_plus = std::max(result.max_y_plus, y_plus);
      if (stress <= result.max_stress) continue;
      result.max_stress = stress;
      result.max_node = evaluator.samples()[i].node;
    }
  }
  if (result.nodes == 0) return std::nullopt;
  result.mean_stress /= static_cast<double>(result.nodes);
  result.mean_y_plus /= static_cast<double>(result.nodes);
  return result;
}

}  // namespace fluvia
