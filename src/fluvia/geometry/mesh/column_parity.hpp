// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "fluvia/geometry/mesh/mesh.hpp"

namespace fluvia::geometry {

/// All crossings of a mesh with the lines through the node centres of a box along one axis.
///
/// The lines are found by rasterising the projected triangles. Edge functions are evaluated from the lower to the
/// higher vertex number, so that two triangles see exactly the same value on a shared edge, and lines through an edge
/// or a vertex are resolved as if moved by an infinitesimal amount: a closed mesh is crossed an even number of times
/// by every line, however its triangles are oriented.
class ColumnParity {
 public:
  /// `mesh` in lattice units from the box corner; lines of the box of `size` nodes along `axis`.
  ColumnParity(const Mesh& mesh, const Int3& size, int axis);

  /// Which of the nodes first .. first+count-1 of a line lie inside (bit 0 = first). `reliable` is false if the line
  /// crosses the mesh an odd number of times.
  struct Votes {
    std::uint32_t inside;
    bool reliable;
  };
  /// The votes for a line through the node with coordinates (u, v) along the two other axes, (axis + 1) % 3 and (axis +
  /// 2) % 3.
  [[nodiscard]] Votes votes(int u, int v, int first, int count) const;
  [[nodiscard]] std::uint64_t bytes() const { return offsets_.size() * 8 + crossings_.size() * 4; }

 private:
  int size_u_, size_v_;
  std::vector<std::uint64_t> offsets_;
  std::vector<float> crossings_;  ///< sorted within a line
};

}  // namespace fluvia::geometry
