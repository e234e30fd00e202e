// SPDX-License-Identifier: Apache-2.0
// The arrays behind core::Sites, for schemes on index maps; the same on every backend.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "fluvia/core/published/sites.hpp"
#include "fluvia/geometry/map/node_map.hpp"
#include "fluvia/solver/plan/scheme.hpp"

namespace fluvia {

/// Ghost cells or buffers: where they are behind the populations of the sites.
struct Ghosts {
  std::uint64_t first = 0, size = 0;            ///< elements; of one copy
  int copies = 0;                               ///< two take turns
  std::array<std::uint64_t, 8> cells_across{};  ///< ghost cells of all blocks, by the axes between them, as bits

  [[nodiscard]] std::uint64_t cells() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t count : cells_across) sum += count;
    return sum;
  }

  /// Sets what the step after so many updates reads and writes.
  void place(core::Sites& sites, std::int64_t updates) const {
    const auto turn = [&](std::int64_t k) { return copies == 2 ? static_cast<std::uint64_t>(k % 2) * size : 0; };
    sites.read_ghosts = first + turn(updates);
    sites.write_ghosts = first + turn(updates + 1);
  }
};

/// Sizes of a layout.
struct SiteCount {
  std::uint64_t places = 0, stored = 0;
  std::uint64_t bytes = 0;     ///< of the arrays
  std::uint64_t elements = 0;  ///< of one copy of the populations, with ghosts
  int nodes_of_tile = 0;       ///< if there are tiles
  Ghosts ghosts{};
};

struct SiteLayout {
  core::Addressing addressing{};
  int edge = 0;  ///< of the scheme's tiles, if it has any
  SiteCount count;
  std::vector<unsigned char> types;
  std::vector<std::uint32_t> index, tiles, buffers;

  [[nodiscard]] std::uint64_t bytes() const {
    return types.size() + (index.size() + tiles.size() + buffers.size()) * sizeof(std::uint32_t);
  }
  /// With addresses of the arrays here.
  [[nodiscard]] core::Sites sites(const NodeMap& nodes, std::int64_t updates = 0) const;
};

/// `edge`: of the scheme's tiles, if it has any. Makes no arrays over nodes.
SiteCount count_sites(const NodeMap& nodes, const Scheme& scheme, const std::vector<Int3>& velocities, int edge);

/// Throws Error(resource) if there are more places than 32 bits can number.
SiteLayout make_site_layout(const NodeMap& nodes, const Scheme& scheme, const std::vector<Int3>& velocities, int edge);

/// True if kernels know tiles of 64 nodes by their number among those with fluid, false if by their number in the box.
bool numbers_fluid_tiles(const SiteLayout& layout);

/// core::box_index of the node of each site, where its number does not tell it; else none.
std::vector<std::uint32_t> nodes_of_sites(const SiteLayout& layout, const NodeMap& nodes);

/// Number of a fluid node among the places that a step goes through, and the site where its populations are.
std::uint64_t place_of(const SiteLayout& layout, const NodeMap& nodes, const Int3& node);
std::uint64_t site_of(const SiteLayout& layout, const NodeMap& nodes, const Int3& node);

}  // namespace fluvia
