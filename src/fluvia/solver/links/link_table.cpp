// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/links/link_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "fluvia/base/error.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/solver/links/sheet_links.hpp"
#include "fluvia/solver/links/wall_links.hpp"

namespace fluvia {

namespace {

bool contains(std::span<const std::uint32_t> tiles, std::uint32_t tile) {
  return std::binary_search(tiles.begin(), tiles.end(), tile);
}

/// The first link of a tile among links in canonical order.
std::size_t first_of(const Links& links, std::uint32_t tile) {
  const auto at = std::lower_bound(links.at.begin(), links.at.end(), tile,
                                   [](const CutLink& link, std::uint32_t t) { return link.tile < t; });
  return static_cast<std::size_t>(at - links.at.begin());
}

/// Calls visit(k) for the links of these tiles.
template <class Visit>
void for_each_of(const Links& links, std::span<const std::uint32_t> tiles, const Visit& visit) {
  for (const std::uint32_t tile : tiles)
    for (std::size_t k = first_of(links, tile); k < links.size() && links.at[k].tile == tile; ++k) visit(k);
}

Links part_of(const Links& links, std::span<const std::uint32_t> tiles) {
  Links part;
  for_each_of(links, tiles, [&](std::size_t k) { part.append(links, k); });
  return part;
}

/// The links of a list but those of some tiles, which have others.
Links merged(const Links& links, std::span<const std::uint32_t> tiles, const Links& others) {
  Links result;
  std::size_t k = 0, other = 0;
  const auto take_before = [&](std::size_t end) {
    for (; k < end; ++k) result.append(links, k);
  };
  for (const std::uint32_t tile : tiles) {
    take_before(first_of(links, tile));
    for (; other < others.size() && others.at[other].tile == tile; ++other) result.append(others, other);
    k = first_of(links, tile + 1);
  }
  take_before(links.size());
  return result;
}

/// Places of links of faces of the box, which do not move.
std::vector<CutLink> of_faces(const Links& links, std::span<const std::uint32_t> tiles) {
  std::vector<CutLink> result;
  for_each_of(links, tiles, [&](std::size_t k) {
    if (links.at[k].surface < surface_id::wall) result.push_back(links.at[k]);
  });
  return result;
}

bool are_same(const std::vector<CutLink>& a, const std::vector<CutLink>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const CutLink& one, const CutLink& other) {
    return one.key() == other.key() && one.surface == other.surface;
  });
}

}  // namespace

bool is_movable(const core::ConditionFacts& facts) {
  return !facts.is_opening && facts.memory == 0 && !facts.sees_opening();
}

LinkTable::LinkTable(const Problem& problem, const std::string& lattice)
    : problem_(problem),
      roles_(surface_roles(problem.settings, problem.geometry, lattice)),
      setup_(make_boundary_setup(problem, lattice)) {
  if (problem.communicator.count() > 1)
    throw_input("links that change while a flow runs need one process that has the whole domain; run it on one rank");
  std::vector<std::uint32_t> tiles(problem.geometry.nodes.tiles.size());
  std::iota(tiles.begin(), tiles.end(), 0u);
  const std::vector<Int3>& velocities = facts_of_lattice(lattice).velocities;
  walls_.at = without_sheets(problem.geometry.nodes, velocities,
                             collect_cut_links(problem.geometry, velocities, roles_.interpolated, tiles));
  walls_.distance = wall_distances(problem.geometry, velocities, walls_.at, roles_.interpolated);
  for (const CutLink& link : setup_.links.at)
    if (!is_movable(*roles_.facts[link.surface])) fixed_.try_emplace(link.tile, link.surface);
  for (const UpstreamNode& node : setup_.upstream) fixed_.try_emplace(node.upstream_tile, node.surface);
  for (const BoundarySetup::SpongeNode& node : setup_.sponge) fixed_.try_emplace(node.tile, node.surface);
}

std::vector<std::uint32_t> LinkTable::changed_since(std::int64_t version) const {
  std::vector<std::uint32_t> tiles;
  for (const auto& [tile, last] : changed_)
    if (last > version) tiles.push_back(tile);
  return tiles;
}

TileLinks LinkTable::links_of(std::span<const std::uint32_t> tiles) const {
  return {part_of(setup_.links, tiles), part_of(walls_, tiles)};
}

BoundarySetup LinkTable::setup_of(std::span<const std::uint32_t> tiles) const {
  BoundarySetup part;
  part.surfaces = setup_.surfaces;
  part.acts = setup_.acts;
  part.ranks = setup_.ranks;
  part.lattice = setup_.lattice;
  part.links = part_of(setup_.links, tiles);
  return part;
}

void LinkTable::refuse(std::uint32_t tile, const std::string& why) const {
  const NodeMap& nodes = problem_.geometry.nodes;
  const Int3 node = nodes.node_position(nodes.tiles[tile], 0);
  throw_input(fmt::format("the cut links of the tile at node ({}, {}, {}) cannot change while the flow runs: {}",
                          node[0], node[1], node[2], why));
}

void LinkTable::check(std::span<const std::uint32_t> tiles, const TileLinks& links) const {
  const NodeMap& nodes = problem_.geometry.nodes;
  const auto name = [&](int surface) { return problem_.geometry.surfaces[static_cast<std::size_t>(surface)]; };
  for (const std::uint32_t tile : tiles) {
    if (const auto found = fixed_.find(tile); found != fixed_.end())
      refuse(tile, fmt::format("'{}', whose condition keeps its place, acts there; move it or the body further away",
                               name(found->second)));
  }
  const std::vector<Int3> offsets = link_offsets(facts_of_lattice(setup_.lattice).velocities);
  const bool knows_distances =
      std::find(roles_.interpolated.begin(), roles_.interpolated.end(), true) != roles_.interpolated.end();
  if (links.acting.velocity.size() != links.acting.size() || links.walls.distance.size() != links.walls.size() ||
      (knows_distances && links.acting.distance.size() != links.acting.size()))
    throw Error(ExitCode::internal, "links without what this table knows of its own");
  for (const Links* list : {&links.acting, &links.walls}) {
    for (std::size_t k = 0; k < list->size(); ++k) {
      const CutLink& link = list->at[k];
      if (!contains(tiles, link.tile) || (k > 0 && !(list->at[k - 1].key() < link.key())))
        throw Error(ExitCode::internal, "links of other tiles, or not in canonical order");
      if (!is_movable(*roles_.facts[link.surface]))
        refuse(link.tile, fmt::format("'{}' would act there, whose condition keeps its place", name(link.surface)));
      const Int3 x = nodes.node_position(nodes.tiles[link.tile], link.bit), &o = offsets[link.direction];
      const Int3 far = {x[0] + o[0], x[1] + o[1], x[2] + o[2]};
      if (nodes.is_fluid(far) || nodes.is_mirrored_fluid(far))
        refuse(link.tile, fmt::format("'{}' would cut a link between two fluid nodes", name(link.surface)));
    }
  }
  if (!are_same(of_faces(setup_.links, tiles), of_faces(links.acting, tiles)))
    refuse(tiles.front(), "links would leave, or come to, a face of the box, which does not move");
  if (walls_.size() == 0 && links.walls.size() > 0)
    refuse(tiles.front(), "there are no walls between the nodes at the start; all of them are half-way");
}

void LinkTable::replace(std::span<const std::uint32_t> tiles, const TileLinks& links) {
  if (!std::is_sorted(tiles.begin(), tiles.end(), std::less_equal<>()))
    throw Error(ExitCode::internal, "tiles whose links are replaced must ascend");
  if (tiles.empty()) return;
  if (!setup_.changing.empty())
    refuse(tiles.front(), fmt::format("the profile of '{}' changes its shape; give it one that does not",
                                      problem_.geometry.surfaces[setup_.changing.front().surface]));
  check(tiles, links);
  Links acting = links.acting;
  if (!setup_.links.depth.empty()) acting.depth.assign(acting.size(), 0.5f);  // of openings alone it is another
  setup_.links = merged(setup_.links, tiles, acting);
  walls_ = merged(walls_, tiles, links.walls);
  setup_.carried = carried_momentum(setup_, problem_.geometry, roles_);
  ++version_;
  for (const std::uint32_t tile : tiles) changed_[tile] = version_;
}

}  // namespace fluvia
