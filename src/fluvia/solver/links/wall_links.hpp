// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <compare>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "fluvia/core/boundary/condition.hpp"
#include "fluvia/core/boundary/interpolated_wall.hpp"
#include "fluvia/core/boundary/wall_blocks.hpp"
#include "fluvia/geometry/geometry.hpp"
#include "fluvia/solver/blocks/block.hpp"
#include "fluvia/solver/links/cut_links.hpp"

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

/// Storage index of a fluid node; 64 make a block. Thread-safe.
using StorageIndexOfNode = std::function<std::uint64_t(const Int3& node)>;

/// One of these links: the storage index of its node, the direction towards the wall, the distance in 8 bits.
struct StoredWall {
  std::uint64_t storage_index;
  std::uint8_t direction, distance;
  auto operator<=>(const StoredWall&) const = default;
};

/// Cut links of interpolated surfaces, behind core::WallBlocks; empty if there are none.
struct WallLinks {
  std::vector<std::uint32_t> first, words;
  WallMassCorrection supply;
  int pairs = 0;  ///< of directions

  [[nodiscard]] bool empty() const { return words.empty(); }
  /// On a device: both lists and what walls give.
  [[nodiscard]] std::uint64_t bytes() const { return empty() ? 0 : 4 * (first.size() + words.size() + 1); }
  /// Gives the nodes of these storage indices the links of `links`, which are none but theirs, instead of those that
  /// they have. Records go where they were if they fit, else behind all others. Returns the blocks that changed,
  /// ascending.
  std::vector<std::uint64_t> replace(std::vector<std::uint64_t> nodes, const Geometry& geometry, const Links& links,
                                     const StorageIndexOfNode& storage_index_of);
  /// Words of the record of a block.
  [[nodiscard]] std::size_t record_words(std::uint64_t block) const;
  /// Words that no record has any more.
  [[nodiscard]] std::size_t unused_words() const { return unused_; }
  /// Moves all records together, in the order of blocks.
  void pack();

  /// Makes the lists of links; the weight of the supply is known.
  void store(const Geometry& geometry, const std::string& lattice, const Links& cut, std::uint64_t indices,
             const StorageIndexOfNode& storage_index_of);

 private:
  void append(std::uint64_t block, std::span<const StoredWall> links);
  [[nodiscard]] std::vector<StoredWall> links_of(std::uint64_t block) const;

  std::size_t unused_ = 0;
};

/// WallMassCorrection::weight of all links that walls between the nodes cut.
double supply_weight(const Geometry& geometry, const std::string& lattice, const Links& links);

/// Surfaces whose links WallLinks have.
std::vector<bool> interpolated_surfaces(const Case& c, const Geometry& geometry);
/// Links::distance of links: that of the wall where a surface is interpolated, else half.
std::vector<std::uint8_t> wall_distances(const Geometry& geometry, const std::vector<Int3>& velocities,
                                         const std::vector<CutLink>& links, const std::vector<bool>& interpolated);

/// `storage_index_of` gives the storage index of a fluid node, below `indices`; 64 make a block. Thread-safe. Links of
/// nodes that the block takes only, but the supply is that of all; the communicator's members have a block
/// each, or there is no communicator. Throws Error(resource) if there are more than 2^32 words.
WallLinks make_wall_links(const Case& c, const Geometry& geometry, const std::string& lattice, std::uint64_t indices,
                          const StorageIndexOfNode& storage_index_of, const Block& block, Communicator& communicator);
/// Makes them of links that are known, with the distances of their walls: those of all nodes.
WallLinks make_wall_links(const Geometry& geometry, const std::string& lattice, const Links& links,
                          std::uint64_t indices, const StorageIndexOfNode& storage_index_of);

/// The most bytes that WallLinks of a CPU take, without making them. Members of a communicator call it alike.
std::uint64_t most_wall_bytes(const Case& c, const Geometry& geometry, const std::string& lattice,
                              Communicator& communicator);

}  // namespace fluvia
