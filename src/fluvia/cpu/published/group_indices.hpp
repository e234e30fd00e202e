// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "fluvia/cpu/storage/step_access.hpp"
#include "fluvia/solver/published/index_map_arrays.hpp"
#include "fluvia/solver/solver.hpp"

namespace fluvia::cpu {

/// Storage indices of the populations of up to 64 nodes, [direction][lane]; only those that were asked for are set.
using ElementTable = std::uint64_t[max_directions][group_lanes];

/// The index map of a scheme behind one interface, so that loads and stores are compiled once for all of them.
class GroupIndices {
 public:
  virtual ~GroupIndices() = default;
  /// Lanes that are fluid among the nodes that a step visits as number first .. first + count - 1, at most 64.
  [[nodiscard]] virtual std::uint64_t fluid_lanes(std::uint64_t first, int count) const = 0;
  /// The node that a step visits as this number, the inverse of visit_number().
  [[nodiscard]] virtual Int3 position(const NodeMap& nodes, std::uint64_t number) const = 0;
  /// Where the populations of a set of directions arrive and where they are left, for the lanes in `mask`.
  virtual void reads(std::uint64_t first, std::uint64_t mask, const StepAccess& step, std::uint32_t directions,
                     ElementTable& out) const = 0;
  virtual void writes(std::uint64_t first, std::uint64_t mask, const StepAccess& step, std::uint32_t directions,
                      ElementTable& out) const = 0;
  /// What must be copied before a step, from element to element, so that ghost cells are up to date: the part of some
  /// of the cells.
  virtual void update_ghosts(std::uint64_t /*first_cell*/, std::uint64_t /*cells*/,
                             std::vector<std::pair<std::uint64_t, std::uint64_t>>& /*moves*/) const {}
};

/// The storage indices of a scheme on an index map. `layout` must stay as long as what is returned. Throws
/// Error(internal) if there is no such map.
std::unique_ptr<GroupIndices> make_group_indices(const IndexMapArrays& layout, const NodeMap& nodes,
                                                 const Scheme& scheme, const Plan& plan);
/// The storage indices of a scheme that steps by tile. `layout` must stay as long as what is returned. Throws
/// Error(internal) if there are no tiles of this size.
std::unique_ptr<GroupIndices> make_tile_group_indices(const IndexMapArrays& layout, const NodeMap& nodes,
                                                      const Scheme& scheme, const Plan& plan);

}  // namespace fluvia::cpu
