// SPDX-License-Identifier: Apache-2.0
// The arrays behind core::Sites, for schemes on index maps; the same on every backend.
#pragma once
#include <cstdint>
#include <vector>

#include "fluvia/core/addressing/sites.hpp"
#include "fluvia/geometry/node_map.hpp"
#include "fluvia/solver/scheme.hpp"

namespace fluvia {

/// Sizes of a layout, found without making it.
struct SiteCount {
  std::uint64_t places = 0, stored = 0;
  std::uint64_t bytes = 0;  ///< of the arrays
};

struct SiteLayout {
  SiteCount count;
  int directions = 0;
  std::vector<unsigned char> types;
  std::vector<std::uint32_t> index, tiles;

  /// Of one copy of the populations.
  [[nodiscard]] std::uint64_t elements() const { return count.stored * static_cast<std::uint64_t>(directions); }
  [[nodiscard]] std::uint64_t bytes() const {
    return types.size() + (index.size() + tiles.size()) * sizeof(std::uint32_t);
  }
  /// With addresses of the arrays here.
  [[nodiscard]] core::Sites sites(const NodeMap& nodes) const;
};

/// `edge`: of the scheme's tiles, if it has any.
SiteCount count_sites(const NodeMap& nodes, const Scheme& scheme, int directions, int edge);

/// Throws Error(resource) if there are more places than 32 bits can number.
SiteLayout make_site_layout(const NodeMap& nodes, const Scheme& scheme, const std::vector<Int3>& velocities, int edge);

}  // namespace fluvia
