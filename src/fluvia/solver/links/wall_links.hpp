// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "fluvia/core/boundary/condition.hpp"
#include "fluvia/core/boundary/interpolated_wall.hpp"
#include "fluvia/core/boundary/wall_blocks.hpp"
#include "fluvia/geometry/geometry.hpp"
#include "fluvia/solver/blocks/block.hpp"

namespace fluvia {

/// How the walls of a case reflect: half-way unless the geometry knows where they are.
core::WallRule wall_rule(const Case& c, const Geometry& geometry);

/// True if links cut by a surface come back from where it is: walls at rest and moving walls, but not openings, free
/// slip, nor the faces of the box, which are half-way by definition. `facts`: of the surface's condition.
bool is_interpolated(const Geometry& geometry, int surface, const core::ConditionFacts& facts);

/// Distance of the wall that cuts the link along `offset` as kernels will know it, in links.
double stored_wall_distance(const Geometry& geometry, const Int3& node, const Int3& offset);

/// Mass that walls give to the fluid evenly over their links, in each step.
struct WallMassCorrection {
  /// Weight of all links together, times the volume of their nodes, twice: once what is added to what comes back, and
  /// once what leaves less, since the fluid beside the wall then flows away from it. As with a wall's velocity
  /// (docs/walls.md).
  double weight = 0;
  float per_weight = 0;  ///< core::WallBlocks::supply

  /// Chooses per_weight for so much mass from all links: a multiple of 2^-40, so that it does not depend on the order
  /// of sums, and at most 1/1000. Returns the mass that this is.
  double set(double mass);
};

/// Cut links of interpolated surfaces, behind core::WallBlocks; empty if there are none.
struct WallLinks {
  std::vector<std::uint32_t> first, words;
  WallMassCorrection supply;

  [[nodiscard]] bool empty() const { return words.empty(); }
  /// On a device: both lists and what walls give.
  [[nodiscard]] std::uint64_t bytes() const { return empty() ? 0 : 4 * (first.size() + words.size() + 1); }
};

/// `place_of` gives the place of a fluid node in a storage of so many places, 64 to a block. Thread-safe. Links of
/// nodes that the block takes only, but the supply is that of all; the communicator's members have a block
/// each, or there is no communicator. Throws Error(resource) if there are more than 2^32 words.
WallLinks make_wall_links(const Case& c, const Geometry& geometry, const std::string& lattice, std::uint64_t places,
                          const std::function<std::uint64_t(const Int3& node)>& place_of, const Block& block,
                          Communicator& communicator);

/// The most bytes that WallLinks of a CPU take, without making them. Members of a communicator call it alike.
std::uint64_t most_wall_bytes(const Case& c, const Geometry& geometry, const std::string& lattice,
                              Communicator& communicator);

}  // namespace fluvia
