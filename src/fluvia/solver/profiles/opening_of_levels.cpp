// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/profiles/opening_of_levels.hpp"

#include <cstddef>
#include <utility>

#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/solver/links/cut_links.hpp"
#include "fluvia/solver/links/surface_roles.hpp"

namespace fluvia {

namespace {

/// Marks what lies behind a face of the box at a node of a level.
void mark_behind(const Geometry& geometry, int level, int face, const Int3& node, OpeningOfLevels& opening) {
  const int a = (face / 2 + 1) % 3, b = (face / 2 + 2) % 3, dimension = geometry.nodes.dimension;
  const auto edge = [&](int axis) { return axis < dimension ? 1 << (opening.finest - level) : 1; };
  const std::size_t width = static_cast<std::size_t>(geometry.nodes.size[a]) * edge(a);
  for (int j = 0; j < edge(b); ++j)
    for (int i = 0; i < edge(a); ++i)
      opening.inside[static_cast<std::size_t>(node[a] * edge(a) + i) + width * (node[b] * edge(b) + j)] = 1;
}

}  // namespace

std::shared_ptr<const OpeningOfLevels> gather_opening(const Opening& coarsest,
                                                      const std::vector<const Geometry*>& levels,
                                                      const std::string& lattice) {
  const LatticeFacts& facts = facts_of_lattice(lattice);
  const int face = coarsest.surface, dimension = levels.front()->nodes.dimension;
  OpeningOfLevels gathered;
  std::vector<std::vector<CutLink>> links;
  for (std::size_t l = 0; l < levels.size(); ++l) {
    std::vector<bool> wanted(levels[l]->surfaces.size(), false);
    wanted[static_cast<std::size_t>(coarsest.surface)] = true;
    links.push_back(collect_cut_links(*levels[l], facts.velocities, wanted));
    if (!links.back().empty()) gathered.finest = static_cast<int>(l);
  }
  const bool is_face = face < surface_id::wall;
  if (is_face) {
    const Int3& size = levels[static_cast<std::size_t>(gathered.finest)]->nodes.size;
    gathered.inside.assign(static_cast<std::size_t>(size[(face / 2 + 1) % 3]) * size[(face / 2 + 2) % 3], 0);
  }
  for (std::size_t l = 0; l < levels.size(); ++l) {
    const Geometry& geometry = *levels[l];
    const double coarser = std::exp2(-static_cast<double>(l)), area = std::pow(coarser, dimension - 1);
    for (const CutLink& link : links[l]) {
      const Int3& c = facts.velocities[link.direction];
      gathered.links.push_back({static_cast<int>(l),
                                coarser * wall_point(geometry, link, facts.velocities, half_way_along_link).position,
                                area * rates_through(geometry.nodes.node_volume(), facts.weights[link.direction], c)});
      const bool is_straight = is_face && c[(face / 2 + 1) % 3] == 0 && c[(face / 2 + 2) % 3] == 0;
      if (is_straight)
        mark_behind(geometry, static_cast<int>(l), face,
                    geometry.nodes.node_position(geometry.nodes.tiles[link.tile], link.bit), gathered);
    }
  }
  return std::make_shared<const OpeningOfLevels>(std::move(gathered));
}

}  // namespace fluvia
