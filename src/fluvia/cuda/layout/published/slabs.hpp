// SPDX-License-Identifier: Apache-2.0
// Domains larger than the memory of a GPU (S4 section 3): populations stay in host memory, and every time step takes
// one slab of the domain after the other to the GPU and back. What is here says which planes go where; it needs no GPU.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "fluvia/core/published/index_tables.hpp"
#include "fluvia/cuda/layout/range.hpp"
#include "fluvia/geometry/map/node_map.hpp"

namespace fluvia::cuda {

/// Whole layers of tiles along the last axis, whose planes are rows in 2D. On the GPU a slab is a box of its own that
/// is periodic along this axis: its planes, then the plane above it, then the one below, so that kernels find both
/// where they look for neighbours. Only the nodes of its own planes are visited, so kernels update nothing else.
struct Slab {
  std::uint64_t first_plane = 0, planes = 0;  ///< in the box
  std::optional<std::uint64_t> above, below;  ///< planes of the box next to it; none where the box ends
  std::uint32_t first_storage_index = 0,
                storage_indices = 0;  ///< the slab's tiles in the box of tiles: the first, their number
  Range tiles;                        ///< canonical numbers of the slab's tiles with fluid
  Range boundary_tiles;  ///< the slab's part of BoundaryArrays::tiles; storage indices there count within the slab
  std::vector<Range> monitored;  ///< [surface], its part of the monitored tiles, whose indices are those in the slab
  std::uint64_t types = 0;       ///< where the types of its nodes begin in IndexMapArrays::types

  /// Planes that the slab takes on the GPU, with one from either side.
  [[nodiscard]] std::uint64_t stored_planes() const { return planes + 2; }
};

/// Where planes are copied between. `source` and `target` are where the next step reads and writes, on the GPU; `kept`
/// holds planes there that were overwritten in host memory while other slabs still need what they were.
enum class PlaneMemory { host, source, target, kept };

/// Consecutive planes of every slot, from one memory to another.
struct PlaneCopy {
  PlaneMemory from, to;
  std::uint64_t from_plane, to_plane, planes;
};

/// A domain in slabs; none: all of it is on the GPU.
struct Slabs {
  std::vector<Slab> slabs;
  std::uint64_t plane_nodes = 0, planes = 0;  ///< nodes of a plane of the box, and how many planes there are
  std::uint64_t directions = 0;

  static constexpr std::uint64_t kept_planes = 2;

  [[nodiscard]] bool empty() const { return slabs.empty(); }
  /// Planes of the largest slab on the GPU; slabs of less leave room.
  [[nodiscard]] std::uint64_t most_planes() const;
  /// Elements of one copy on the GPU, of the planes that are kept there, and of all populations in host memory.
  [[nodiscard]] std::uint64_t copy_elements() const { return directions * most_planes() * plane_nodes; }
  [[nodiscard]] std::uint64_t kept_elements() const { return directions * kept_planes * plane_nodes; }
  [[nodiscard]] std::uint64_t host_elements() const { return directions * planes * plane_nodes; }
  /// Elements that a time step copies between host and GPU, both ways together.
  [[nodiscard]] std::uint64_t step_elements() const;
  /// Bytes that the types of nodes take besides those of one box.
  [[nodiscard]] std::uint64_t types_of_neighbours() const { return 2 * slabs.size() * plane_nodes; }
  /// First element of a plane of a slot, in the memory of a slab.
  [[nodiscard]] std::uint64_t element(PlaneMemory memory, const Slab& slab, std::uint64_t slot,
                                      std::uint64_t plane) const;

  /// What a time step copies before and after the kernels of slab k. Slabs follow each other upwards: the host has the
  /// state before the step from slab k on and that after it below.
  [[nodiscard]] std::vector<PlaneCopy> before_step(std::size_t k) const;
  [[nodiscard]] std::vector<PlaneCopy> after_step(std::size_t k) const;
  /// Between steps: slab k with the planes next to it to the GPU, and all of that back.
  [[nodiscard]] std::vector<PlaneCopy> fetch(std::size_t k) const;
  [[nodiscard]] std::vector<PlaneCopy> put_back(std::size_t k) const;
};

/// Layers of tiles along the last axis: the most slabs that there can be.
std::uint64_t tile_layers(const NodeMap& nodes);
/// True for 2 to tile_layers() slabs, unless one of them would find the same plane above and below.
bool can_make_slabs(const NodeMap& nodes, std::uint64_t count);
/// `count` slabs, as equal as layers of tiles allow: some may have one layer more.
Slabs make_slabs(const NodeMap& nodes, std::uint64_t directions, std::uint64_t count);
/// The slabs that make_slabs() gives, without their tiles, in a time that does not depend on the number of tiles.
Slabs outline_slabs(const NodeMap& nodes, std::uint64_t directions, std::uint64_t count);

/// The box of a slab as kernels take it, without addresses, from that of the domain.
core::IndexTables slab_tables(const Slabs& slabs, const Slab& slab, int dimension, core::IndexTables domain);
/// Types of the nodes of all slabs, those next to each of them included, and where each one's begin.
std::vector<unsigned char> slab_types(Slabs& slabs, const std::vector<unsigned char>& types);

}  // namespace fluvia::cuda
