// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/monitors/wall_resolution.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/case/physics/rheology.hpp"
#include "fluvia/core/boundary/wall_function.hpp"
#include "fluvia/output/field_functions.hpp"
#include "fluvia/solver/links/boundary_setup.hpp"

namespace fluvia {

namespace {

constexpr std::uint64_t most_nodes = std::uint64_t{1} << 27;  ///< nodes that are looked at
constexpr std::size_t wall_numbers = 3;                       ///< of wall_field()

/// How a wall is seen.
struct WallKind {
  bool sticks = true;     ///< the fluid at it has the velocity of the surface; no opening
  bool modelled = false;  ///< its friction is that of a law
  double grain = 0;       ///< of a wall whose friction is that of a law, nodes
};

/// One for each surface.
std::vector<WallKind> wall_kinds(const Case& c, const Geometry& geometry, const Units& units) {
  std::vector<WallKind> kinds(geometry.surfaces.size());
  for (const Case::Boundary& b : c.boundaries) {
    const auto found = std::find(geometry.surfaces.begin(), geometry.surfaces.end(), b.surface);
    if (found == geometry.surfaces.end()) continue;
    const core::ConditionFacts& facts = facts_of_boundary(b.type);
    WallKind& kind = kinds[static_cast<std::size_t>(found - geometry.surfaces.begin())];
    kind.sticks = facts.sticks;
    kind.modelled = facts.models_friction;
    if (kind.modelled)
      kind.grain = values_in_lattice_units(b, units, geometry.nodes.dimension)[core::WallFunction::sand_grain];
  }
  for (const Opening& opening : geometry.openings) kinds[static_cast<std::size_t>(opening.surface)].sticks = false;
  if (geometry.level_surface >= 0) kinds[static_cast<std::size_t>(geometry.level_surface)].sticks = false;
  return kinds;
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

bool follows_lattice(const Real3& normal) {
  constexpr double parallel = 0.9999;
  return std::any_of(normal.begin(), normal.end(), [](double n) { return std::abs(n) > parallel; });
}

/// Field of the stress [lattice] and y+ of nodes beside walls, and of the part of these walls on which a law acts at an
/// angle to the lattice; all 0 at other nodes, y+ below 0 where the wall does not count.
Field wall_field(const std::vector<WallKind>& kinds) {
  Field field{"wall", wall_numbers, "lattice", true, true, true, {}};
  field.evaluate = [kinds](const FieldContext& context, const FieldSample& sample, double* out) {
    out[0] = 0;
    out[1] = -1;
    out[2] = 0;
    const Units& units = context.output.units;
    const double molecular = units.physical_viscosity > 0 ? units.physical_viscosity : units.viscosity;
    double count = 0, y_plus = 0, sum = 0, at_angles = 0;  // sums in corners, over all walls that are as near
    for (const auto& [place, stress] : stresses_at_walls(context, sample)) {
      const WallKind& kind = kinds[static_cast<std::size_t>(place.surface)];
      if (!kind.sticks) continue;
      Real3 away{};
      for (int axis = 0; axis < 3; ++axis) away[axis] = place.point[axis] - (place.node[axis] + 0.5);
      const double y = std::abs(dot(away, place.normal));
      double size = norm(stress);
      if (kind.modelled) {
        const Real3& u = context.moments.velocity(sample.index);
        const double speed = norm(u - dot(u, place.normal) * place.normal);
        const double friction = core::friction_velocity(speed, y, units.viscosity, kind.grain);
        if (friction > 0) size = friction * friction;
        if (friction > 0 && !follows_lattice(place.normal)) ++at_angles;
      }
      const double viscosity = viscosity_at_wall(context.output.state.plan(), molecular, size);
      ++count;
      sum += size;
      y_plus += y * std::sqrt(size) / viscosity;
    }
    if (count == 0) return;
    out[0] = sum / count;
    out[1] = y_plus / count;
    out[2] = at_angles / count;
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
    all.modelled = all.modelled || own->modelled;
    all.whole = (area == 0 || all.whole) && own->whole;
    all.mean_stress += of_level * own->mean_stress;
    all.mean_y_plus += of_level * own->mean_y_plus;
    all.at_angles += of_level * own->at_angles;
    all.max_y_plus = std::max(all.max_y_plus, own->max_y_plus);
    area += of_level;
    if (own->max_stress <= all.max_stress) continue;
    all.max_stress = own->max_stress;
    for (int a = 0; a < 3; ++a) all.max_node[a] = own->max_node[a] >> (a < levels[l].grid.dimension ? l : 0);
  }
  if (area == 0) return std::nullopt;
  all.mean_stress /= area;
  all.mean_y_plus /= area;
  all.at_angles /= area;
  return all;
}

}  // namespace

std::optional<WallResolution> resolve_walls(const Case& c, const OutputContext& output) {
  if (!output.state.levels().empty()) return resolve_levels(c, output.state.levels());
  const Geometry& geometry = output.state.geometry();
  const std::vector<WallKind> kinds = wall_kinds(c, geometry, output.units);
  FieldEvaluator evaluator(output, make_sampling(output.grid, 1, {}), {wall_field(kinds)}, 0);
  const std::uint64_t every = 1 + geometry.nodes.fluid_nodes / most_nodes;
  WallResolution result;
  result.whole = every == 1;
  result.modelled = std::any_of(kinds.begin(), kinds.end(), [](const WallKind& kind) { return kind.modelled; });
  std::vector<float> values;
  for (std::uint64_t k = 0; k < evaluator.slabs().size(); k += every) {
    evaluator.load(evaluator.slabs()[k]);
    evaluator.evaluate(0, values);
    for (std::size_t i = 0; i < evaluator.samples().size(); ++i) {
      const float* const of = values.data() + wall_numbers * i;
      const double stress = of[0], y_plus = of[1];
      if (y_plus < 0) continue;
      ++result.nodes;
      result.mean_stress += stress;
      result.mean_y_plus += y_plus;
      result.at_angles += of[2];
      result.max_y_plus = std::max(result.max_y_plus, y_plus);
      if (stress <= result.max_stress) continue;
      result.max_stress = stress;
      result.max_node = evaluator.samples()[i].node;
    }
  }
  if (result.nodes == 0) return std::nullopt;
  result.mean_stress /= static_cast<double>(result.nodes);
  result.mean_y_plus /= static_cast<double>(result.nodes);
  result.at_angles /= static_cast<double>(result.nodes);
  return result;
}

}  // namespace fluvia
