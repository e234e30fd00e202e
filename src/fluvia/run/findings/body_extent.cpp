// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/findings/body_extent.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <numbers>
#include <set>

#include "fluvia/solver/links/cut_links.hpp"

namespace fluvia {

namespace {

/// Rows of nodes along an axis, by their number in the plane across it.
class Rows {
 public:
  Rows(const NodeMap& nodes, int axis) : first_((axis + 1) % 3), second_((axis + 2) % 3), nodes_(nodes) {}
  [[nodiscard]] std::uint64_t number(const Int3& node) const {
    return static_cast<std::uint64_t>(node[first_]) + static_cast<std::uint64_t>(nodes_.size[first_]) * node[second_];
  }
  [[nodiscard]] std::uint64_t count() const {
    return static_cast<std::uint64_t>(nodes_.size[first_]) * nodes_.size[second_];
  }

 private:
  int first_, second_;
  const NodeMap& nodes_;
};

/// Nodes of a row beside a surface: the last that the fluid reaches before it, going along the axis, and the first
/// after it.
struct Ends {
  std::vector<int> before, after;
  /// Whether there is fluid on both sides of the surface, as of a body; the wall around a flow has the fluid in
  /// between. On a periodic axis no side is first.
  [[nodiscard]] bool enclose_solid(bool periodic) const {
    if (before.empty() || after.empty()) return false;
    return periodic || *std::min_element(before.begin(), before.end()) < *std::max_element(after.begin(), after.end());
  }
};

/// Directions along the axes.
std::vector<Int3> straight_directions(int dimension) {
  std::vector<Int3> directions = {{0, 0, 0}};
  for (int a = 0; a < dimension; ++a)
    for (const int side : {1, -1}) {
      Int3 c{};
      c[a] = side;
      directions.push_back(c);
    }
  return directions;
}

/// The planes of symmetry that each surface meets: those along which it ends links of nodes beside the plane.
std::vector<std::array<bool, 6>> mirrors_of(const NodeMap& nodes, const std::vector<CutLink>& links,
                                            const std::vector<Int3>& directions, std::size_t surfaces) {
  std::vector<std::array<bool, 6>> meets(surfaces, std::array<bool, 6>{});
  for (const CutLink& link : links) {
    const Int3 node = nodes.node_position(nodes.tiles[link.tile], link.bit);
    for (int face = 0; face < 6; ++face) {
      const int axis = face / 2, beside = face % 2 == 0 ? 0 : nodes.size[axis] - 1;
      if (nodes.mirrors[static_cast<std::size_t>(face)] && directions[link.direction][axis] == 0 &&
          node[axis] == beside)
        meets[link.surface][static_cast<std::size_t>(face)] = true;
    }
  }
  return meets;
}

int images_of(const std::array<bool, 6>& mirrors) {
  return 1 << std::count(mirrors.begin(), mirrors.end(), true);
}

double rows_with_fluid(const NodeMap& nodes, int axis) {
  const Rows rows(nodes, axis);
  std::vector<bool> seen(rows.count(), false);
  for (const NodeMap::Tile& tile : nodes.tiles)
    for (std::uint64_t rest = tile.mask; rest != 0; rest &= rest - 1)
      seen[rows.number(nodes.node_position(tile, std::countr_zero(rest)))] = true;
  return static_cast<double>(std::count(seen.begin(), seen.end(), true));
}

}  // namespace

std::vector<BodyExtent> measure_bodies(const Geometry& geometry, const std::vector<std::string>& names, int axis) {
  const NodeMap& nodes = geometry.nodes;
  std::vector<bool> wanted(geometry.surfaces.size(), false);
  for (std::size_t s = surface_id::wall; s < wanted.size(); ++s)
    wanted[s] = std::find(names.begin(), names.end(), geometry.surfaces[s]) != names.end();
  for (const Opening& opening : geometry.openings) wanted[static_cast<std::size_t>(opening.surface)] = false;
  std::vector<BodyExtent> bodies;
  if (std::find(wanted.begin(), wanted.end(), true) == wanted.end()) return bodies;

  const std::vector<Int3> directions = straight_directions(nodes.dimension);
  const std::vector<CutLink> links = collect_cut_links(geometry, directions, wanted);
  const std::vector<std::array<bool, 6>> mirrors = mirrors_of(nodes, links, directions, wanted.size());
  const auto shadow = [&](std::size_t surface, int along) {
    const Rows rows(nodes, along);
    std::map<std::uint64_t, Ends> seen;
    for (const CutLink& link : links) {
      const int side = directions[link.direction][along];  // the direction leads from the surface to the node
      if (link.surface != surface || side == 0) continue;
      const Int3 node = nodes.node_position(nodes.tiles[link.tile], link.bit);
      Ends& ends = seen[rows.number(node)];
      (side < 0 ? ends.before : ends.after).push_back(node[along]);
    }
    return static_cast<double>(std::count_if(
        seen.begin(), seen.end(), [&](const auto& row) { return row.second.enclose_solid(nodes.periodic[along]); }));
  };
  for (std::size_t s = 0; s < wanted.size(); ++s) {
    if (!wanted[s]) continue;
    const double front = shadow(s, axis);
    if (front == 0) continue;
    std::set<int> along;
    for (const CutLink& link : links)
      if (link.surface == s && directions[link.direction][axis] == 0)
        along.insert(nodes.node_position(nodes.tiles[link.tile], link.bit)[axis]);
    BodyExtent& body = bodies.emplace_back();
    body.name = geometry.surfaces[s];
    body.projected = front;
    for (int a = 0; a < nodes.dimension; ++a) body.shadows[a] = a == axis ? front : shadow(s, a);
    body.length = static_cast<double>(along.size());
    for (int a = 0; a < 3; ++a)
      body.halved[a] = mirrors[s][static_cast<std::size_t>(2 * a)] || mirrors[s][static_cast<std::size_t>(2 * a + 1)];
    const double whole = images_of(mirrors[s]) * body.projected;
    body.across = nodes.dimension == 2 ? whole : std::sqrt(4 * whole / std::numbers::pi);
    body.cross_section = rows_with_fluid(nodes, axis);
  }
  return bodies;
}

std::vector<std::array<bool, 6>> cut_by_mirrors(const Geometry& geometry, const std::vector<bool>& wanted) {
  if (!geometry.nodes.has_mirrors()) return {wanted.size(), std::array<bool, 6>{}};
  const std::vector<Int3> directions = straight_directions(geometry.nodes.dimension);
  return mirrors_of(geometry.nodes, collect_cut_links(geometry, directions, wanted), directions, wanted.size());
}

std::vector<int> count_images(const Geometry& geometry, const std::vector<bool>& wanted) {
  std::vector<int> images;
  for (const std::array<bool, 6>& mirrors : cut_by_mirrors(geometry, wanted)) images.push_back(images_of(mirrors));
  return images;
}

}  // namespace fluvia
