// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <optional>

#include "fluvia/base/vector.hpp"
#include "fluvia/geometry/geometry.hpp"

namespace fluvia {

/// Which nodes of the box are written: a regular lattice of samples. Each sample is the cell of `stride` nodes around
/// its node, so that cell centres are exactly where the values are taken.
struct Sampling {
  int dimension = 3;
  Int3 first{};          ///< node of sample (0,0,0)
  Int3 count{1, 1, 1};   ///< samples along each axis
  Int3 stride{1, 1, 1};  ///< nodes from one sample to the next
  Real3 origin{};        ///< lower corner of the cell of sample (0,0,0), case units
  Real3 spacing{};       ///< extent of a cell, case units

  [[nodiscard]] std::uint64_t samples() const { return static_cast<std::uint64_t>(count[0]) * count[1] * count[2]; }
  [[nodiscard]] Int3 node(const Int3& sample) const {
    return {first[0] + sample[0] * stride[0], first[1] + sample[1] * stride[1], first[2] + sample[2] * stride[2]};
  }
  /// Whether `node` is one of the samples; sets `sample` to its index.
  [[nodiscard]] bool find(const Int3& node, Int3& sample) const;
};

/// Samples of a region (lower, upper corner, case units; default: the whole box) with a stride. A node belongs to the
/// region if its centre does. In 2D the z axis is ignored. Throws Error(input) if stride < 1 or the region is empty.
Sampling make_sampling(const Grid& grid, int stride, const std::optional<std::array<Real3, 2>>& region);

/// The samples of a grid that make_sampling() would find; none where the region holds no node.
std::optional<Sampling> find_sampling(const Grid& grid, int stride, const std::optional<std::array<Real3, 2>>& region);

/// Samples of the plane of nodes nearest to `position` (case units; default: the middle of the box) across `axis`,
/// with `stride` in the plane. Throws Error(input) if the position is outside the box.
Sampling make_plane_sampling(const Grid& grid, int axis, const std::optional<double>& position, int stride);

}  // namespace fluvia
