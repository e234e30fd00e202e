// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/links/shared_links.hpp"

#include <algorithm>
#include <tuple>

#include "fluvia/geometry/map/link_search.hpp"
#include "fluvia/solver/links/surface_roles.hpp"

namespace fluvia {

namespace {

/// True if nodes of a tile may lie beside two faces of the box that are not periodic.
bool is_at_edge(const NodeMap& nodes, const NodeMap::Tile& tile) {
  const Int3 shape = tile_shape(nodes.dimension);
  int axes = 0;
  for (int axis = 0; axis < nodes.dimension; ++axis) {
    const int first = tile.position[axis] * shape[axis];
    if (!nodes.periodic[axis] && (first == 0 || first + shape[axis] >= nodes.size[axis])) ++axes;
  }
  return axes > 1;
}

/// Openings that a link leaves through.
LinkSurfaces openings_beyond(const Geometry& geometry, const Int3& node, const Int3& offset) {
  LinkSurfaces openings;
  const LinkSurfaces faces = faces_beyond(geometry, node, offset);
  for (const int face : faces.list())
    if (find_opening(geometry, face) != nullptr) openings.surfaces[static_cast<std::size_t>(openings.count++)] = face;
  return openings;
}

/// Free openings at which a node has links that also lead through the one on the face across `axis`.
LinkSurfaces openings_beside(const Geometry& geometry, const Int3& node, int axis, int side,
                             const std::vector<bool>& is_free) {
  const NodeMap& nodes = geometry.nodes;
  LinkSurfaces beside;
  for (int other = 0; other < nodes.dimension; ++other)
    for (const int step : {-1, 1}) {
      Int3 offset{};
      offset[axis] = side;
      offset[other] = step;
      const int there = node[other] + step;
      if (other == axis || nodes.periodic[other] || (there >= 0 && there < nodes.size[other])) continue;
      if (nodes.is_mirrored_fluid({node[0] + offset[0], node[1] + offset[1], node[2] + offset[2]})) continue;
      const LinkSurfaces sharers = sharers_of(geometry, node, offset, geometry.surface_of(node, offset), is_free);
      if (sharers.count != 2 || !is_free[static_cast<std::size_t>(sharers.surfaces[0])] || beside.count == 3) continue;
      const bool first = sharers.surfaces[0] / 2 == axis;
      beside.surfaces[static_cast<std::size_t>(beside.count++)] = sharers.surfaces[first ? 1 : 0];
    }
  return beside;
}

}  // namespace

LinkSurfaces faces_beyond(const Geometry& geometry, const Int3& node, const Int3& offset) {
  const NodeMap& nodes = geometry.nodes;
  LinkSurfaces faces;
  for (int axis = 0; axis < nodes.dimension; ++axis) {
    const int there = node[axis] + offset[axis];
    if (nodes.periodic[axis] || (there >= 0 && there < nodes.size[axis])) continue;
    if (nodes.mirrors[static_cast<std::size_t>(2 * axis + (there < 0 ? 0 : 1))]) continue;
    Int3 straight{};
    straight[axis] = offset[axis];
    faces.surfaces[static_cast<std::size_t>(faces.count++)] = geometry.surface_of(node, straight);
  }
  return faces;
}

LinkSurfaces sharers_of(const Geometry& geometry, const Int3& node, const Int3& offset, int owner,
                        const std::vector<bool>& is_free) {
  const LinkSurfaces faces = faces_beyond(geometry, node, offset);
  const bool passes = is_free[static_cast<std::size_t>(owner)];
  LinkSurfaces sharers;
  bool owner_shares = false;
  for (const int face : faces.list()) {
    const bool shares = passes ? is_free[static_cast<std::size_t>(face)] : find_opening(geometry, face) == nullptr;
    if (!shares) continue;
    owner_shares = owner_shares || face == owner;
    sharers.surfaces[static_cast<std::size_t>(sharers.count++)] = face;
  }
  if (owner_shares && sharers.count > 1) return sharers;
  return {{owner, 0, 0}, 1};
}

std::vector<MeasuredLink> find_shared_links(const Geometry& geometry, const std::vector<Int3>& velocities,
                                            const std::vector<bool>& wanted, const std::vector<bool>& is_free,
                                            const std::vector<bool>& slides, const TileRange& tiles) {
  std::vector<MeasuredLink> shared;
  if (std::find(wanted.begin(), wanted.end(), true) == wanted.end()) return shared;
  const NodeMap& nodes = geometry.nodes;
  const std::vector<Int3> offsets = link_offsets(velocities);
  const auto visit = [&](const NodeWithCuts& at, std::size_t i) {
    const Int3 &x = at.node, &offset = offsets[i];
    const Int3 far{x[0] + offset[0], x[1] + offset[1], x[2] + offset[2]};
    int left = 0, across = 0;
    for (int axis = 0; axis < nodes.dimension; ++axis) {
      if (nodes.periodic[axis] || (far[axis] >= 0 && far[axis] < nodes.size[axis])) continue;
      if (nodes.mirrors[static_cast<std::size_t>(2 * axis + (far[axis] < 0 ? 0 : 1))]) continue;
      ++left;
      across = axis;
    }
    if (left == 0) return;
    const int owner = geometry.surface_of(x, offset);
    const LinkSurfaces sharers = sharers_of(geometry, x, offset, owner, is_free);
    const LinkSurfaces passed =
        left > 1 && slides[static_cast<std::size_t>(owner)] ? openings_beyond(geometry, x, offset) : LinkSurfaces{};
    const std::size_t first = shared.size();
    const auto add = [&](int surface, int faces, int twelfths) {
      if (wanted[static_cast<std::size_t>(surface)])
        shared.push_back({{static_cast<std::uint32_t>(at.tile), static_cast<std::uint16_t>(surface),
                           static_cast<std::uint8_t>(at.bit), static_cast<std::uint8_t>(i)},
                          static_cast<std::uint8_t>(faces),
                          static_cast<std::int8_t>(twelfths)});
    };
    if (sharers.count > 1 || passed.count > 0) {
      for (const LinkSurfaces& each : {sharers, passed})
        for (const int surface : each.list()) add(surface, each.count, 12 / each.count);
    } else if (left == 1 && is_free[static_cast<std::size_t>(owner)] && owner / 2 == across) {
      const LinkSurfaces beside = openings_beside(geometry, x, across, offset[across], is_free);
      if (beside.count == 0) return;
      add(owner, 1, 12 + beside.count);
      for (const int surface : beside.list()) add(surface, 0, -1);
    }
    std::sort(shared.begin() + static_cast<std::ptrdiff_t>(first), shared.end(),
              [](const MeasuredLink& a, const MeasuredLink& b) { return a.at.surface < b.at.surface; });
  };
  LinkSearch search(nodes, offsets);
  for (std::uint64_t t = tiles.first; t < tiles.end; ++t)
    if (is_at_edge(nodes, nodes.tiles[t]))
      search.visit_tile(t, [&](const NodeWithCuts& at) { at.for_each_cut([&](std::size_t i) { visit(at, i); }); });
  return shared;
}

std::vector<CutLink> second_openings(const Geometry& geometry, const std::vector<CutLink>& links,
                                     const std::vector<Int3>& velocities, const std::vector<bool>& is_free) {
  std::vector<CutLink> seconds;
  for (const CutLink& link : links) {
    if (link.surface >= surface_id::wall || !is_free[link.surface]) continue;
    const Int3& c = velocities[link.direction];
    const Int3 x = geometry.nodes.node_position(geometry.nodes.tiles[link.tile], link.bit);
    const LinkSurfaces sharers = sharers_of(geometry, x, {-c[0], -c[1], -c[2]}, link.surface, is_free);
    if (sharers.count != 2 || std::max(sharers.surfaces[0], sharers.surfaces[1]) >= surface_id::wall) continue;
    CutLink& second = seconds.emplace_back(link);
    second.surface = static_cast<std::uint16_t>(sharers.surfaces[0] + sharers.surfaces[1] - link.surface);
  }
  return seconds;
}

std::vector<MeasuredLink> measured_links(const std::vector<CutLink>& links, const std::vector<MeasuredLink>& shared,
                                         const std::vector<bool>& wanted, const TileRange& tiles) {
  std::vector<MeasuredLink> result;
  auto next = shared.begin();
  const auto take_before = [&](const auto& key) {
    for (; next != shared.end() && next->at.key() < key; ++next)
      if (tiles.contains(next->at.tile)) result.push_back(*next);
  };
  for (const CutLink& link : links) {
    if (!wanted[link.surface] || !tiles.contains(link.tile)) continue;
    take_before(link.key());
    if (next == shared.end() || next->at.key() != link.key()) result.push_back({link});
  }
  take_before(std::tuple(~std::uint32_t{0}, std::uint8_t{255}, std::uint8_t{255}));
  return result;
}

}  // namespace fluvia
