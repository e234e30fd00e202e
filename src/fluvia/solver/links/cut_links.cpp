// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/links/cut_links.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "fluvia/base/error.hpp"
#include "fluvia/core/lattice/registry.hpp"
#include "fluvia/geometry/map/tile_window.hpp"

namespace fluvia {

namespace {
template <class Visitor>
void with_lattice(const std::string& name, Visitor&& visit) {
  bool found = false;
  core::for_each_type(core::Lattices{}, [&]<class Lattice>(Lattice lattice) {
    if (name == Lattice::name) {
      visit(lattice);
      found = true;
    }
  });
  if (!found) throw Error(ExitCode::internal, "no lattice '" + name + "'");
}

/// A fixed number of slices of the tiles, which are joined in order: results do not depend on the number of threads.
constexpr int slices = 64;

/// Calls visit(slice, link) for the links of the surfaces with wanted[surface] in these tiles; slices run concurrently,
/// the links of one in canonical node order.
template <class Visit>
void for_each_cut_link(const Geometry& geometry, const std::vector<Int3>& velocities, const std::vector<bool>& wanted,
                       const TileRange& tiles, const Visit& visit) {
  const NodeMap& nodes = geometry.nodes;
  if (std::find(wanted.begin(), wanted.end(), true) == wanted.end()) return;
  const bool has_mirrors = nodes.has_mirrors();
  const auto visit_tile = [&](int slice, std::uint64_t t, TileWindow& window) {
    const NodeMap::Tile& tile = nodes.tiles[t];
    if (!window.load(tile)) return;
    for (std::uint64_t bits = tile.mask; bits; bits &= bits - 1) {
      const int bit = __builtin_ctzll(bits);
      const Int3 x = nodes.node_position(tile, bit), local = tile_local(nodes.dimension, bit);
      for (std::size_t i = 1; i < velocities.size(); ++i) {
        const Int3 offset = {-velocities[i][0], -velocities[i][1], -velocities[i][2]};
        if (window.is_fluid({local[0] + offset[0], local[1] + offset[1], local[2] + offset[2]})) continue;
        if (has_mirrors && nodes.is_mirrored_fluid({x[0] + offset[0], x[1] + offset[1], x[2] + offset[2]})) continue;
        const int surface = geometry.surface_of(x, offset);
        if (wanted[surface])
          visit(slice, CutLink{static_cast<std::uint32_t>(t), static_cast<std::uint16_t>(surface),
                               static_cast<std::uint8_t>(bit), static_cast<std::uint8_t>(i)});
      }
    }
  };
#pragma omp parallel for schedule(dynamic)
  for (int s = 0; s < slices; ++s) {
    TileWindow window(nodes);
    const std::uint64_t end = tiles.first + tiles.count() * (s + 1) / slices;
    for (std::uint64_t t = tiles.first + tiles.count() * s / slices; t < end; ++t) visit_tile(s, t, window);
  }
}
}  // namespace

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

std::vector<UpstreamNode> find_upstream_nodes(const NodeMap& nodes, const std::vector<CutLink>& links,
                                              const std::vector<UpstreamStep>& steps) {
  const Int3 shape = tile_shape(nodes.dimension);
  std::vector<UpstreamNode> result;
  for (const CutLink& link : links) {
    const Int3& step = steps[link.surface].step;
    if (step == Int3{}) continue;
    const bool known = !result.empty() && result.back().tile == link.tile && result.back().bit == link.bit &&
                       result.back().surface == link.surface;
    if (known) continue;
    const Int3 x = nodes.node_position(nodes.tiles[link.tile], link.bit);
    Int3 up = {x[0] + step[0], x[1] + step[1], x[2] + step[2]}, tile, local;
    if (!nodes.wrap(up) || !nodes.is_fluid(up)) continue;
    for (int a = 0; a < 3; ++a) {
      tile[a] = up[a] / shape[a];
      local[a] = up[a] % shape[a];
    }
    result.push_back({link.tile, nodes.directory[nodes.directory_index(tile)], link.surface, link.bit,
                      static_cast<std::uint8_t>(tile_bit(nodes.dimension, local)), steps[link.surface].distance});
  }
  // A node whose links several surfaces cut comes up several times.
  const auto key = [](const UpstreamNode& n) { return std::tuple(n.tile, n.bit, n.surface); };
  std::sort(result.begin(), result.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  result.erase(
      std::unique(result.begin(), result.end(), [&](const auto& a, const auto& b) { return key(a) == key(b); }),
      result.end());
  return result;
}

std::vector<Int3> lattice_velocities(const std::string& lattice) {
  std::vector<Int3> result;
  with_lattice(lattice, [&]<class Lattice>(Lattice) {
    for (int i = 0; i < Lattice::Q; ++i) result.push_back({Lattice::c[i][0], Lattice::c[i][1], Lattice::c[i][2]});
  });
  return result;
}

bool has_isotropic_weights(const std::string& lattice) {
  bool isotropic = false;
  with_lattice(lattice, [&]<class Lattice>(Lattice) { isotropic = core::Isotropy<Lattice>::isotropic; });
  return isotropic;
}

std::vector<double> lattice_weights(const std::string& lattice) {
  std::vector<double> result;
  with_lattice(lattice, [&]<class Lattice>(Lattice) { result.assign(Lattice::w, Lattice::w + Lattice::Q); });
  return result;
}

std::vector<CutLinkCount> count_cut_links(const Geometry& geometry, const std::vector<Int3>& velocities,
                                          const std::vector<bool>& wanted, Communicator& communicator) {
  std::vector<std::vector<CutLinkCount>> parts(slices, std::vector<CutLinkCount>(wanted.size()));
  std::vector<std::vector<std::uint64_t>> last(slices, std::vector<std::uint64_t>(wanted.size(), 0));
  struct Node {
    std::uint64_t number = 0;
    std::uint32_t cut = 0;
    bool opposed = false;
  };
  std::vector<Node> nodes(slices);
  for_each_cut_link(geometry, velocities, wanted, geometry.nodes.share_of(communicator),
                    [&](int slice, const CutLink& link) {
                      CutLinkCount& count = parts[slice][link.surface];
                      // Links of a node follow each other.
                      const std::uint64_t node = 1 + link.tile * std::uint64_t{nodes_per_tile} + link.bit;
                      ++count.links;
                      count.nodes += std::exchange(last[slice][link.surface], node) != node;
                      Node& n = nodes[slice];
                      if (n.number != node) n = {node};
                      n.cut |= 1u << link.direction;
                      if ((n.cut >> core::opposite(link.direction) & 1u) != 0)
                        count.opposed += !std::exchange(n.opposed, true);
                    });
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
  std::vector<std::vector<CutLink>> parts(slices);
  for_each_cut_link(geometry, velocities, wanted, tiles,
                    [&](int slice, const CutLink& link) { parts[slice].push_back(link); });
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

}  // namespace fluvia
