// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/divergence/diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "fluvia/case/physics/registered_formats.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/case/walls.hpp"
#include "fluvia/solver/plan/collision_choice.hpp"
#include "fluvia/solver/plan/scheme.hpp"

namespace fluvia {

namespace {

Int3 position_of(const NodeMap& nodes, std::uint64_t index) {
  for (const NodeMap::Tile& tile : nodes.tiles) {
    const auto count = static_cast<std::uint64_t>(__builtin_popcountll(tile.mask));
    if (index >= tile.first_node + count) continue;
    std::uint64_t bits = tile.mask;
    for (std::uint64_t k = tile.first_node; k < index; ++k) bits &= bits - 1;
    return nodes.node_position(tile, __builtin_ctzll(bits));
  }
  return {};
}

/// The surface next to a node, within a few nodes; its name is empty if there is none.
struct Nearby {
  std::string surface, type = "wall";
  int distance = 0;  ///< nodes
};

Nearby nearest_surface(const Case& c, const Geometry& geometry, const Int3& centre) {
  constexpr int reach = 3;
  const NodeMap& nodes = geometry.nodes;
  const int reach_z = nodes.dimension == 3 ? reach : 0;
  Nearby nearby;
  int nearest = reach + 1;
  for (int z = -reach_z; z <= reach_z; ++z)
    for (int y = -reach; y <= reach; ++y)
      for (int x = -reach; x <= reach; ++x) {
        const int distance = std::max({std::abs(x), std::abs(y), std::abs(z)});
        const Int3 node{centre[0] + x, centre[1] + y, centre[2] + z};
        if (distance >= nearest || !nodes.is_fluid(node)) continue;
        for (int axis = 0; axis < nodes.dimension; ++axis)
          for (const int side : {-1, 1}) {
            Int3 offset{}, next = node;
            offset[static_cast<std::size_t>(axis)] = side;
            next[static_cast<std::size_t>(axis)] += side;
            if (nodes.is_fluid(next) || nodes.is_mirrored_fluid(next) || distance >= nearest) continue;
            nearest = distance;
            nearby = {geometry.surfaces[static_cast<std::size_t>(geometry.surface_of(node, offset))], "wall", distance};
          }
      }
  for (const Case::Boundary& b : c.boundaries)
    if (b.surface == nearby.surface) nearby.type = b.type;
  return nearby;
}

/// Whether the case asks for moments instead of populations, which no scheme does that is chosen for it.
bool keeps_moments(const Case& c) {
  return c.numerics.scheme != "auto" && parse_scheme(c.numerics.scheme).keeps_moments();
}

/// What the guard found at a node, as a sentence.
std::string symptom(const Case& c, const OutputContext& output, const Totals& totals, const Int3& position) {
  if (totals.finite)
    return fmt::format("Mach {:.3g} exceeds the limit {:.3g}", std::sqrt(3.0) * totals.max_speed, c.run.max_mach);
  const NodeMap& nodes = output.state.geometry().nodes;
  const Int3 shape = tile_shape(nodes.dimension);
  const Int3 tile{position[0] / shape[0], position[1] / shape[1], position[2] / shape[2]};
  const std::uint32_t index = nodes.directory[nodes.directory_index(tile)];
  const std::int64_t node = nodes.node_index(position);
  if (node >= 0) {
    Moments m;
    output.state.moments(index, 1, false, m);
    const double density = m.density[static_cast<std::uint64_t>(node) - nodes.tiles[index].first_node];
    if (std::isfinite(density) && density <= 0)
      return fmt::format("the density, {:.3g} times that at rest, is not above 0", density);
  }
  return "a value is not finite";
}

std::string next_to(const Nearby& nearby) {
  const bool opening = facts_of_boundary(nearby.type).is_opening;
  return fmt::format("{} '{}' ({}), {} it", opening ? "opening" : "wall", nearby.surface, nearby.type,
                     nearby.distance == 0 ? std::string("next to") : fmt::format("{} nodes from", nearby.distance + 1));
}

std::vector<std::string> likely_causes(const Case& c, const OutputContext& output, const Nearby& nearby) {
  const Units& units = output.units;
  std::vector<std::string> causes;
  const std::string near = next_to(nearby);
  if (nearby.type != "wall")
    causes.push_back(near + ": " +
                     (facts_of_boundary(nearby.type).is_opening
                          ? "move this opening away from bodies and bends, give it a ramp, or try another type"
                          : "make it slower, or resolve the layer along it with a finer spacing"));
  else if (!nearby.surface.empty() && has_interpolated_walls(c))
    causes.push_back(near + ": resolve gaps and thin parts with a finer spacing, or try walls.method = \"half-way\"");
  if (units.tau < 0.51)
    causes.push_back(
        fmt::format("tau = {:.5g} is close to 1/2: refine the spacing, raise the lattice velocity, or use "
                    "collision \"auto\" with physics.smagorinsky = 0.1",
                    units.tau));
  double fastest = std::max(units.reference_velocity, units.velocity(norm(c.physics.initial_velocity)));
  for (const auto& b : c.boundaries) {
    if (b.speed) fastest = std::max(fastest, std::abs(units.velocity(*b.speed)));
    fastest = std::max(
        fastest, norm({units.velocity(b.velocity[0]), units.velocity(b.velocity[1]), units.velocity(b.velocity[2])}));
  }
  if (fastest > 0.1)
    causes.push_back(fmt::format(
        "velocity: a prescribed lattice velocity of {:.3g} exceeds 0.1: lower units.lattice_velocity or the "
        "time step",
        fastest));
  const std::string& collision = c.numerics.collision;
  if (gives_way_early(collision))
    causes.push_back(fmt::format("collision \"{}\" is among the least stable ones: use \"auto\" or \"{}\"", collision,
                                 endures_most));
  if (const std::string& format = c.numerics.format; format_rounds(format))
    causes.push_back(fmt::format("format \"{}\" stores few digits{}: try \"{}\"", format,
                                 keeps_moments(c) ? ", and no speed or change of the density of a quarter" : "",
                                 format_with_more_digits(format)));
  bool sudden = false;
  for (const auto& b : c.boundaries)
    sudden =
        sudden || (b.series.empty() && b.ramp == 0 && facts_of_boundary(b.type).velocity != core::VelocityKeys::none);
  if (sudden && output.state.time_step() < 5000)
    causes.emplace_back("velocity: boundaries start at full speed in fluid at rest: give them a ramp");
  if (causes.empty())
    causes.emplace_back("the flow is under-resolved there: refine the spacing or use physics.smagorinsky = 0.1");
  return causes;
}

}  // namespace

std::string diagnose_instability(const Case& c, const OutputContext& output, const Totals& totals) {
  const Units& units = output.units;
  const std::uint64_t node = totals.finite ? totals.max_speed_node : totals.bad_node;
  const Int3 p = position_of(output.state.geometry().nodes, node);
  const Real3& o = output.grid.origin;
  std::string text = fmt::format(
      "the flow became unstable at step {} (time {:.6g}{}): {} at node ({}, {}, {}), position ({:.6g}, {:.6g}, {:.6g})",
      output.state.time_step(), units.si_time(static_cast<double>(output.state.time_step())), units.si ? " s" : "",
      symptom(c, output, totals, p), p[0], p[1], p[2], o[0] + units.si_length(p[0] + 0.5),
      o[1] + units.si_length(p[1] + 0.5), o[2] + units.si_length(p[2] + 0.5));
  const Nearby nearby = nearest_surface(c, output.state.geometry(), p);
  for (const std::string& cause : likely_causes(c, output, nearby)) text += "\n  likely cause: " + cause;
  return text;
}

}  // namespace fluvia
