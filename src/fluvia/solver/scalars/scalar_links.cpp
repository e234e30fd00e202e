// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/scalars/scalar_links.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "fluvia/base/error.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/core/lattice/lattice.hpp"
#include "fluvia/core/scalar/conditions.hpp"
#include "fluvia/solver/links/wall_links.hpp"

namespace fluvia {

namespace {

const Opening* opening_of(const Geometry& geometry, int surface) {
  const auto found = std::find_if(geometry.openings.begin(), geometry.openings.end(),
                                  [&](const Opening& opening) { return opening.surface == surface; });
  return found == geometry.openings.end() ? nullptr : &*found;
}

/// How far a link goes along the normal of the surface that cuts it, all of its length if nobody knows the normal.
double way_across(const Geometry& geometry, const Int3& node, const Int3& out, int surface) {
  if (surface < surface_id::wall) return std::abs(out[surface / 2]);
  const Real3 link{1.0 * out[0], 1.0 * out[1], 1.0 * out[2]};
  if (const Opening* const opening = opening_of(geometry, surface)) return std::abs(dot(link, opening->normal));
  return geometry.normal_of ? std::abs(dot(link, geometry.normal_of(node, out))) : norm(link);
}

/// What a condition of the case is in lattice units.
ScalarAtSurface at_surface(const Case::Boundary::ScalarCondition& condition, const ScalarMethod& scalar,
                           const Units& units) {
  ScalarAtSurface surface;
  const double speed = units.velocity(1);
  surface.prescribes = !condition.adiabatic;
  if (condition.value) {
    surface.rule = core::scalar_rule_of<core::ScalarValue>;
    surface.offset = scalar.reference;
    surface.set(*condition.value);
  } else if (condition.flux) {
    surface.rule = core::scalar_rule_of<core::ScalarFlux>;
    surface.scale = speed;
    surface.set(*condition.flux);
  } else if (condition.exchange) {
    surface.rule = core::scalar_rule_of<core::ScalarExchange>;
    surface.offset = scalar.reference;
    surface.set(*condition.ambient);
    surface.coefficient = speed * *condition.exchange;
  }
  return surface;
}

/// The direction with this velocity.
int find_direction(const ScalarLatticeFacts& lattice, const Int3& velocity) {
  const auto found = std::find(lattice.velocities.begin(), lattice.velocities.end(), velocity);
  return static_cast<int>(found - lattice.velocities.begin());
}

/// The next node away from a surface: of faces of the box straight inwards, else against the link.
Int3 inner_node(const NodeMap& nodes, const Int3& node, const Int3& out, int surface) {
  Int3 inner = node;
  for (int axis = 0; axis < 3; ++axis) {
    const int there = node[axis] + out[axis];
    const bool leaves_box = !nodes.periodic[axis] && (there < 0 || there >= nodes.size[axis]);
    if (surface >= surface_id::wall || leaves_box) inner[axis] -= out[axis];
  }
  return inner;
}

}  // namespace

void refuse_value(const std::string& surface, const ScalarMethod& scalar) {
  throw_input("surface '" + surface + "' prescribes nothing for the scalar '" + scalar.name +
              "'; give it a value, a flux or exchange in the case");
}

std::vector<ScalarAtSurface> scalar_surfaces(const Problem& problem, const ScalarMethod& scalar) {
  const Geometry& geometry = problem.geometry;
  std::vector<ScalarAtSurface> surfaces(geometry.surfaces.size());
  for (std::size_t s = 0; s < surfaces.size(); ++s) {
    surfaces[s].rule = core::scalar_rule_of<core::ScalarFlux>;
    if (opening_of(geometry, static_cast<int>(s)) != nullptr)
      surfaces[s].rule = core::scalar_rule_of<core::ScalarOutflow>;
    for (const Case::Boundary& b : problem.settings.boundaries) {
      const auto found = b.scalars.find(scalar.name);
      if (b.surface == geometry.surfaces[s] && found != b.scalars.end())
        surfaces[s] = at_surface(found->second, scalar, problem.units);
      if (surfaces[s].rule == core::scalar_rule_of<core::ScalarValue> && opening_of(geometry, static_cast<int>(s)))
        surfaces[s].rule = core::scalar_rule_of<core::ScalarInflow>;
    }
  }
  return surfaces;
}

ScalarWays make_scalar_ways(const Problem& problem, const ScalarMethod& scalar,
                            const std::vector<ScalarAtSurface>& surfaces) {
  const Geometry& geometry = problem.geometry;
  const NodeMap& nodes = geometry.nodes;
  const ScalarLatticeFacts& lattice = *scalar.lattice;
  if (nodes.fluid_nodes * static_cast<std::uint64_t>(lattice.directions) > std::numeric_limits<std::uint32_t>::max())
    throw_resource(fmt::format("scalar '{}': {} fluid nodes are too many for 32-bit numbers of places; use fewer",
                               scalar.name, nodes.fluid_nodes));
  const std::vector<bool> interpolated = interpolated_surfaces(problem.settings, geometry);
  ScalarWays ways;
  ways.target.resize(nodes.fluid_nodes * static_cast<std::uint64_t>(lattice.directions - 1));
  const auto place = [&](int direction, std::uint64_t node) {
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(direction) * nodes.fluid_nodes + node);
  };
  std::vector<std::vector<ScalarCutLink>> of_tile(nodes.tiles.size());
#pragma omp parallel for schedule(dynamic, 16)
  for (std::size_t t = 0; t < nodes.tiles.size(); ++t) {
    std::uint64_t n = nodes.tiles[t].first_node;
    for (std::uint64_t rest = nodes.tiles[t].mask; rest != 0; rest &= rest - 1, ++n) {
      const Int3 x = nodes.node_position(nodes.tiles[t], std::countr_zero(rest));
      for (int i = 1; i < lattice.directions; ++i) {
        const Int3& c = lattice.velocities[static_cast<std::size_t>(i)];
        std::uint32_t& target = ways.target[static_cast<std::uint64_t>(i - 1) * nodes.fluid_nodes + n];
        const NodeMap::Landing landing = nodes.land({x[0] + c[0], x[1] + c[1], x[2] + c[2]});
        const std::int64_t there = landing.inside ? nodes.node_index(landing.node) : -1;
        if (there >= 0) {
          const Int3 arriving{c[0] * landing.sign[0], c[1] * landing.sign[1], c[2] * landing.sign[2]};
          target = place(find_direction(lattice, arriving), static_cast<std::uint64_t>(there));
          continue;
        }
        target = place(core::opposite(i), n);
        const int surface = geometry.surface_of(x, c);
        const auto s = static_cast<std::size_t>(surface);
        const ScalarAtSurface& at = surfaces[s];
        if (at.rule == core::scalar_rule_of<core::ScalarFlux> && !at.prescribes) continue;  // adiabatic
        const std::int64_t inner = nodes.node_index(inner_node(nodes, x, c, surface));
        const double across = way_across(geometry, x, c, surface);
        of_tile[t].push_back({static_cast<std::uint32_t>(n),
                              static_cast<std::uint32_t>(inner >= 0 ? inner : static_cast<std::int64_t>(n)),
                              static_cast<std::uint16_t>(surface), static_cast<std::uint8_t>(i),
                              interpolated[s] ? geometry.distance_of(x, c) : 0.5,
                              2 * lattice.weights[static_cast<std::size_t>(i)] * across / lattice.sound_squared});
      }
    }
  }
  for (const std::vector<ScalarCutLink>& links : of_tile)
    ways.links.insert(ways.links.end(), links.begin(), links.end());
  return ways;
}

std::uint64_t scalar_bytes(const Problem& problem, const std::vector<ScalarMethod>& scalars, int arithmetic_bytes,
                           std::uint64_t lanes) {
  if (scalars.empty()) return 0;
  const auto number = static_cast<std::uint64_t>(arithmetic_bytes);
  constexpr std::uint64_t lanes_of_group = 64, bytes_of_run = 8;
  std::uint64_t bytes = problem.geometry.nodes.fluid_nodes * sizeof(std::uint32_t);
  for (std::size_t k = 0; k < scalars.size(); ++k) {
    const auto directions = static_cast<std::uint64_t>(scalars[k].lattice->directions);
    bytes += lanes * 2 * directions * number + lanes / lanes_of_group * (directions + 1) * bytes_of_run;
    if (!problem.settings.scalars[k].source.empty()) bytes += lanes * number;
  }
  return bytes;
}

}  // namespace fluvia
