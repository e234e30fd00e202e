// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "fluvia/geometry/mesh/mesh.hpp"
#include "fluvia/geometry/mesh/winding.hpp"

namespace fluvia::geometry {

/// All crossings of a mesh with the lines through the node centres of a box along one axis, found by rasterising the
/// projected triangles (rasterise.hpp). They are counted as InsideCount says.
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
  /// The crossings of a line up to a node, as votes() counts them.
  [[nodiscard]] InsideCount count_at(int u, int v, int node) const;
  [[nodiscard]] std::uint64_t bytes() const { return offsets_.size() * 8 + (crossings_.size() + steps_.size()) * 4; }

 private:
  void sort_line(std::uint64_t begin, std::uint64_t end);
  void cross(InsideCount& count, std::uint64_t crossing) const;

  int size_u_, size_v_;
  std::vector<std::uint64_t> offsets_;
  std::vector<float> crossings_;     ///< sorted within a line
  std::vector<std::int32_t> steps_;  ///< [crossing], its family, negative on the way out; empty if there are none
};

}  // namespace fluvia::geometry
