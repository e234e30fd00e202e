// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "fluvia/core/addressing/wall_blocks.hpp"
#include "fluvia/core/boundary/condition.hpp"
#include "fluvia/core/boundary/interpolated_wall.hpp"
#include "fluvia/geometry/geometry.hpp"

namespace fluvia {

/// How the walls of a case reflect: half-way unless the geometry knows where they are.
core::WallRule wall_rule(const Case& c, const Geometry& geometry);

/// True if links cut by a surface come back from where it is: walls at rest and moving walls, but not openings, free
/// slip, nor the faces of the box, which are half-way by definition. `facts`: of the surface's condition.
bool is_interpolated(const Geometry& geometry, int surface, const core::ConditionFacts& facts);

/// Distance of the wall that cuts the link along `offset` as kernels will know it, in links.
double stored_wall_distance(const Geometry& geometry, const Int3& node, const Int3& offset);

/// Cut links of interpolated surfaces, behind core::WallBlocks; empty if there are none.
struct WallLinks {
  std::vector<std::uint32_t> first, words;

  [[nodiscard]] bool empty() const { return words.empty(); }
  [[nodiscard]] std::uint64_t bytes() const { return 4 * (first.size() + words.size()); }
};

/// `place_of` gives the place of a fluid node in a storage of so many places, 64 to a block. Thread-safe. Throws
/// Error(resource) if there are more than 2^32 words.
WallLinks make_wall_links(const Case& c, const Geometry& geometry, const std::string& lattice, std::uint64_t places,
                          const std::function<std::uint64_t(const Int3& node)>& place_of);

/// Nodes at interpolated walls and their cut links, without keeping them.
struct WallCount {
  std::uint64_t nodes = 0, links = 0;
};
WallCount count_wall_links(const Case& c, const Geometry& geometry, const std::string& lattice);

}  // namespace fluvia
