// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/findings/slip_survey.hpp"

#include <cmath>
#include <map>

#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/core/lattice/lattice.hpp"
#include "fluvia/solver/links/cut_links.hpp"
#include "fluvia/solver/links/surface_roles.hpp"

namespace fluvia {

namespace {

/// Position and density of a node.
struct NodeBeside {
  Int3 position;
  double density;
};

/// The nodes whose links a surface cuts, by canonical index.
std::map<std::int64_t, NodeBeside> nodes_beside(const Solver& solver, int surface) {
  const Geometry& geometry = solver.geometry();
  std::vector<bool> wanted(geometry.surfaces.size(), false);
  wanted[static_cast<std::size_t>(surface)] = true;
  std::map<std::int64_t, NodeBeside> beside;
  Moments moments;
  std::uint64_t loaded = ~std::uint64_t{0};
  for (const CutLink& link : collect_cut_links(geometry, solver.plan().flow().lattice->velocities, wanted)) {
    const NodeMap::Tile& tile = geometry.nodes.tiles[link.tile];
    if (link.tile != loaded) solver.moments(loaded = link.tile, 1, false, moments);
    const Int3 x = geometry.nodes.node_position(tile, link.bit);
    const std::int64_t node = geometry.nodes.node_index(x);
    beside[node] = {x, moments.density[static_cast<std::size_t>(node) - tile.first_node]};
  }
  return beside;
}

/// Mean magnitude of the density gradient along the surface; `count`: nodes that it was found at.
double gradient_beside(const Solver& solver, int surface, std::size_t& count) {
  const NodeMap& nodes = solver.geometry().nodes;
  const std::map<std::int64_t, NodeBeside> beside = nodes_beside(solver, surface);
  count = beside.size();
  double sums[3] = {};
  std::uint64_t pairs[3] = {};
  for (const auto& [index, node] : beside)
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(nodes.dimension); ++axis) {
      Int3 there = node.position;
      ++there[axis];
      const NodeMap::Landing landing = nodes.land(there);
      const auto next = landing.inside ? beside.find(nodes.node_index(landing.node)) : beside.end();
      if (next == beside.end()) continue;
      sums[axis] += std::abs(next->second.density - node.density);
      ++pairs[axis];
    }
  double squares = 0;
  for (int axis = 0; axis < 3; ++axis)
    if (pairs[axis] > 0) squares += std::pow(sums[axis] / static_cast<double>(pairs[axis]), 2);
  return std::sqrt(squares);
}

}  // namespace

std::optional<SlipError> survey_slip(const Case& c, const Units& units, const Solver& solver, double mean_speed) {
  const Geometry& geometry = solver.geometry();
  std::optional<SlipError> worst;
  for (const Case::Boundary& b : c.boundaries) {
    const core::ConditionFacts& facts = facts_of_boundary(b.type);
    const int surface = find_surface(geometry, b.surface);
    if (!facts.slides_by_length || surface < 0 || !(mean_speed > 0)) continue;
    std::size_t count = 0;
    const double gradient = core::sound_speed_squared * gradient_beside(solver, surface, count);
    if (count == 0) continue;
    const double length = units.length(b.values.at(facts.keys[0].name));
    const double height = static_cast<double>(geometry.nodes.fluid_nodes) / static_cast<double>(count);
    // The lack in u + L du/dn makes a linear profile from the other wall on, whose mean is half of its end.
    const double at_wall = gradient * length / (6 * units.viscosity) * height / (height + length);
    const double flow = 0.5 * at_wall / mean_speed;
    if (!worst || flow > worst->flow) worst = SlipError{b.surface, flow};
  }
  return worst;
}

}  // namespace fluvia
