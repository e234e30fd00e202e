// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/links/cut_links.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "fluvia/base/error.hpp"
#include "fluvia/core/boundary/interpolated_wall.hpp"
#include "fluvia/geometry/map/link_search.hpp"
#include "fluvia/solver/links/surface_roles.hpp"

namespace fluvia {

namespace {
/// Calls visit(slice, link) for the links of the surfaces with wanted[surface] in these tiles, `tiles` as
/// for_each_node_with_cuts() takes them; slices run concurrently, the links of one in canonical node order.
template <class Visit, class... Tiles>
void for_each_cut_link(const Geometry& geometry, const std::vector<Int3>& velocities, const std::vector<bool>& wanted,
                       const Visit& visit, const Tiles&... tiles) {
  if (std::find(wanted.begin(), wanted.end(), true) == wanted.end()) return;
  const std::vector<Int3> offsets = link_offsets(velocities);
  for_each_node_with_cuts(geometry.nodes, offsets, tiles..., [&](int slice, const NodeWithCuts& at) {
    at.for_each_cut([&](std::size_t i) {
      const int surface = geometry.surface_of(at.node, offsets[i]);
      if (wanted[surface])
        visit(slice, CutLink{static_cast<std::uint32_t>(at.tile), static_cast<std::uint16_t>(surface),
                             static_cast<std::uint8_t>(at.bit), static_cast<std::uint8_t>(i)});
    });
  });
}

/// Cut links in canonical order, of tiles as for_each_cut_link() takes them.
template <class... Tiles>
std::vector<CutLink> collect(const Geometry& geometry, const std::vector<Int3>& velocities,
                             const std::vector<bool>& wanted, const Tiles&... tiles) {
  std::vector<std::vector<CutLink>> parts(link_slices);
  for_each_cut_link(
      geometry, velocities, wanted, [&](int slice, const CutLink& link) { parts[slice].push_back(link); }, tiles...);
  std::size_t size = 0;
  for (const auto& part : parts) size += part.size();
  std::vector<CutLink> links;
  links.reserve(size);
  for (auto& part : parts) {
    links.insert(links.end(), part.begin(), part.end());
    std::vector<CutLink>().swap(part);
  }
  return links;
}
}  // namespace

std::vector<Int3> link_offsets(const std::vector<Int3>& velocities) {
  std::vector<Int3> offsets;
  for (const Int3& c : velocities) offsets.push_back({-c[0], -c[1], -c[2]});
  return offsets;
}

std::array<float, 3> normal_at(const Geometry& geometry, const CutLink& link, const Int3& c) {
  Real3 n = {-1.0 * c[0], -1.0 * c[1], -1.0 * c[2]};
  if (link.surface < surface_id::wall) {
    n = {};
    n[link.surface / 2] = link.surface % 2 == 0 ? -1 : 1;
  } else if (const Opening* opening = find_opening(geometry, link.surface)) {
    n = opening->normal;
  } else if (geometry.normal_of) {
    n = geometry.normal_of(geometry.nodes.node_position(geometry.nodes.tiles[link.tile], link.bit),
                           {-c[0], -c[1], -c[2]});
  }
  const double length = norm(n);
  std::array<float, 3> result{};
  for (int a = 0; a < 3; ++a) result[a] = static_cast<float>(length > 0 ? n[a] / length : 0);
  return result;
}

float distance_from_wall(const Geometry& geometry, const CutLink& link, const Int3& c) {
  const std::array<float, 3> normal = normal_at(geometry, link, c);
  double along = 0;
  for (int a = 0; a < 3; ++a) along += c[a] * static_cast<double>(normal[a]);
  double part = 0.5;
  if (geometry.distance_of && link.surface >= surface_id::wall && link.surface != geometry.level_surface)
    part = geometry.distance_of(geometry.nodes.node_position(geometry.nodes.tiles[link.tile], link.bit),
                                {-c[0], -c[1], -c[2]});
  return static_cast<float>(part * std::abs(along));
}

UpstreamStep upstream_step(const Real3& normal, const std::vector<Int3>& velocities) {
  const auto has = [&](const Int3& step) {
    return std::find(velocities.begin(), velocities.end(), step) != velocities.end();
  };
  if (!has({1, 0, 0})) return {};
  const auto along = [&](const Int3& c) { return c[0] * normal[0] + c[1] * normal[1] + c[2] * normal[2]; };
  double largest = 0;
  for (const double n : normal) largest = std::max(largest, std::abs(n));
  Int3 step{};
  for (int a = 0; a < 3; ++a)
    if (std::abs(normal[a]) > 0.5 * largest) step[a] = normal[a] < 0 ? 1 : -1;
  if (!has(step)) {
    const auto cosine = [&](const Int3& c) {
      const int squared = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
      return squared == 0 ? 0 : -along(c) / std::sqrt(squared);
    };
    step = *std::max_element(velocities.begin(), velocities.end(), [&](const Int3& a, const Int3& b) {
      return cosine(a) < cosine(b) - 1e-9;  // the first of those that are as near
    });
  }
  return {step, static_cast<float>(-along(step))};
}

UpstreamStep StepsOfConditions::operator()(const CutLink& link) const {
  const core::Upstream needed = facts[link.surface]->upstream;
  if (needed == core::Upstream::never || (needed == core::Upstream::off_faces && link.surface < surface_id::wall))
    return {};
  if (const Opening* opening = find_opening(geometry, link.surface)) return upstream_step(opening->normal, velocities);
  if (facts[link.surface]->is_opening) return {};
  const std::array<float, 3> n = normal_at(geometry, link, velocities[link.direction]);
  return upstream_step({n[0], n[1], n[2]}, velocities);
}

std::vector<UpstreamNode> find_upstream_nodes(const NodeMap& nodes, const std::vector<CutLink>& links,
                                              const StepOfLink& step_of) {
  const Int3 shape = tile_shape(nodes.dimension);
  std::vector<UpstreamNode> result;
  for (const CutLink& link : links) {
    const bool known = !result.empty() && result.back().tile == link.tile && result.back().bit == link.bit &&
                       result.back().surface == link.surface;
    if (known) continue;
    const auto [step, distance] = step_of(link);
    if (step == Int3{}) continue;
    const Int3 x = nodes.node_position(nodes.tiles[link.tile], link.bit);
    Int3 up = {x[0] + step[0], x[1] + step[1], x[2] + step[2]}, tile, local;
    if (!nodes.wrap(up) || !nodes.is_fluid(up)) continue;
    for (int a = 0; a < 3; ++a) {
      tile[a] = up[a] / shape[a];
      local[a] = up[a] % shape[a];
    }
    result.push_back({link.tile, nodes.directory[nodes.directory_index(tile)], link.surface, link.bit,
                      static_cast<std::uint8_t>(tile_bit(nodes.dimension, local)), distance});
  }
  // A node whose links several surfaces cut comes up several times.
  const auto key = [](const UpstreamNode& n) { return std::tuple(n.tile, n.bit, n.surface); };
  std::sort(result.begin(), result.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  result.erase(
      std::unique(result.begin(), result.end(), [&](const auto& a, const auto& b) { return key(a) == key(b); }),
      result.end());
  return result;
}

std::vector<CutLinkCount> count_cut_links(const Geometry& geometry, const std::vector<Int3>& velocities,
                                          const std::vector<bool>& wanted, Communicator& communicator) {
  std::vector<std::vector<CutLinkCount>> parts(link_slices, std::vector<CutLinkCount>(wanted.size()));
  std::vector<std::vector<std::uint64_t>> last(link_slices, std::vector<std::uint64_t>(wanted.size(), 0));
  struct Node {
    std::uint64_t number = 0;
    std::uint32_t cut = 0;
    bool opposed = false;
  };
  std::vector<Node> nodes(link_slices);
  const auto count_link = [&](int slice, const CutLink& link) {
    CutLinkCount& count = parts[slice][link.surface];
    // Links of a node follow each other.
    const std::uint64_t node = 1 + link.tile * std::uint64_t{nodes_per_tile} + link.bit;
    ++count.links;
    count.nodes += std::exchange(last[slice][link.surface], node) != node;
    Node& n = nodes[slice];
    if (n.number != node) n = {node};
    n.cut |= 1u << link.direction;
    if ((n.cut >> core::opposite(link.direction) & 1u) != 0) count.opposed += !std::exchange(n.opposed, true);
  };
  for_each_cut_link(geometry, velocities, wanted, count_link, geometry.nodes.share_of(communicator));
  std::vector<CutLinkCount> counts(wanted.size());
  const auto add = [&](const std::vector<CutLinkCount>& part, std::size_t first = 0) {
    for (std::size_t s = 0; s < counts.size(); ++s) {
      counts[s].links += part[first + s].links;
      counts[s].nodes += part[first + s].nodes;
      counts[s].opposed += part[first + s].opposed;
    }
  };
  for (const auto& part : parts) add(part);
  const std::vector<CutLinkCount> all =
      communicator.join(std::exchange(counts, std::vector<CutLinkCount>(wanted.size())));
  for (std::size_t first = 0; first < all.size(); first += counts.size()) add(all, first);
  return counts;
}

std::vector<CutLink> collect_cut_links(const Geometry& geometry, const std::vector<Int3>& velocities,
                                       const std::vector<bool>& wanted) {
  return collect_cut_links(geometry, velocities, wanted, {0, geometry.nodes.tiles.size()});
}

std::vector<CutLink> collect_cut_links(const Geometry& geometry, const std::vector<Int3>& velocities,
                                       const std::vector<bool>& wanted, const TileRange& tiles) {
  return collect(geometry, velocities, wanted, tiles);
}

std::vector<CutLink> collect_cut_links(const Geometry& geometry, const std::vector<Int3>& velocities,
                                       const std::vector<bool>& wanted, std::span<const std::uint32_t> tiles) {
  return collect(geometry, velocities, wanted, std::uint64_t{tiles.size()},
                 [&](std::uint64_t k) { return std::uint64_t{tiles[k]}; });
}

double Links::part(std::size_t k) const {
  return distance.empty() ? 0.5 : core::wall_distance<double>(distance[k]);
}

void Links::append(const Links& others, std::size_t k) {
  const auto append_one = [k](auto& column, const auto& values) {
    if (!values.empty()) column.push_back(values[k]);
  };
  at.push_back(others.at[k]);
  append_one(velocity, others.velocity);
  append_one(normal, others.normal);
  append_one(depth, others.depth);
  append_one(distance, others.distance);
}

std::vector<UpstreamNode> watched_nodes(std::vector<UpstreamNode> nodes, const std::vector<CutLink>& links) {
  using Key = std::tuple<std::uint32_t, std::uint8_t, std::uint16_t>;
  std::set<Key> known;
  for (const CutLink& link : links) known.insert({link.tile, link.bit, link.surface});
  std::erase_if(nodes, [&](const UpstreamNode& n) {
    return !known.insert({n.upstream_tile, n.upstream_bit, n.surface}).second;
  });
  return nodes;
}

}  // namespace fluvia
