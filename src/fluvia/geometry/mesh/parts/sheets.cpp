// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/mesh/parts/sheets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "fluvia/base/error.hpp"
#include "fluvia/geometry/map/link_search.hpp"
#include "fluvia/geometry/mesh/rasterise.hpp"

namespace fluvia::geometry {
namespace {

using Nodes = std::vector<BarredLinks::Node>;

Int3 sum(const Int3& a, const Int3& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
Int3 opposite_of(const Int3& offset) {
  return {-offset[0], -offset[1], -offset[2]};
}

/// One offset of each pair of opposite ones to all neighbours: that whose first component that is not 0 is 1.
std::vector<Int3> half_of_offsets(int dimension) {
  constexpr int all = 3;
  std::vector<Int3> half;
  for (const Int3& o : neighbour_offsets(dimension, all))
    if (o > Int3{}) half.push_back(o);
  return half;
}

/// Finds the links along one offset that triangles cross. Lines of nodes along the offset are made parallel to an axis
/// by a shear, x_b' = x_b - o_b x_a, and rasterise() says where a triangle crosses them: a closed surface an even
/// number of times each, whatever its triangles look like.
class LineSearch {
 public:
  LineSearch(const NodeMap& nodes, const FluidBeside* beside, const Int3& offset)
      : nodes_(nodes), beside_(beside), offset_(offset) {
    while (offset_[axis_] == 0) ++axis_;
    for (int b = 0; b < 3; ++b) {
      first_[b] = -(nodes.size[axis_] + 2);
      lines_[b] = nodes.size[b] + 2 * nodes.size[axis_] + 6;
    }
  }

  /// Appends both ends of the links that a triangle crosses.
  void find(const Mesh& mesh, const MeshTriangle& triangle, Nodes& found) const {
    static constexpr Real3 aside{-1e-3, -7.1e-4, -4.3e-4};  // nodes; as columns of nodes have it (has_node)
    std::array<Real3, 3> corners = mesh.corners(triangle);
    for (Real3& corner : corners) {
      corner = corner + aside;
      for (int b = 0; b < 3; ++b)
        if (b != axis_) corner[b] += (0.5 - corner[axis_]) * offset_[b] - first_[b];
    }
    const int u_axis = (axis_ + 1) % 3, v_axis = (axis_ + 2) % 3;
    rasterise(corners, triangle.vertex, axis_, lines_[u_axis], lines_[v_axis], [&](int u, int v, double position, int) {
      Int3 near;
      near[axis_] = static_cast<int>(std::ceil(position - 0.5)) - 1;
      near[u_axis] = u + first_[u_axis] + offset_[u_axis] * near[axis_];
      near[v_axis] = v + first_[v_axis] + offset_[v_axis] * near[axis_];
      add(near, position - (near[axis_] + 0.5), triangle.surface, found);
    });
  }

 private:
  [[nodiscard]] bool is_in_box(const Int3& node) const {
    for (int axis = 0; axis < 3; ++axis)
      if (node[axis] < 0 || node[axis] >= nodes_.size[axis]) return false;
    return true;
  }
  /// The link from `near` along the offset is crossed at `part` of it. What a plane of symmetry reflects goes on in the
  /// image of the flow, behind half of the link.
  void add(const Int3& near, double part, int surface, Nodes& found) const {
    const Int3 far = sum(near, offset_);
    const bool begins_inside = is_in_box(near);
    if (!begins_inside && !is_in_box(far)) return;
    const Int3& node = begins_inside ? near : far;
    const Int3 along = begins_inside ? offset_ : opposite_of(offset_);
    const NodeMap::Landing landing = nodes_.land(sum(node, along));
    if (!landing.inside || (landing.reflected && (begins_inside ? part : 1 - part) > 0.5)) return;
    Int3 back = opposite_of(along);
    for (int axis = 0; axis < 3; ++axis) back[axis] *= landing.sign[static_cast<std::size_t>(axis)];
    const bool here = nodes_.is_fluid(node), there = nodes_.is_fluid(landing.node);
    if (here && (there || is_beside(landing.node))) found.push_back(end_of(node, along, surface));
    if (there && (here || is_beside(node))) found.push_back(end_of(landing.node, back, surface));
  }
  [[nodiscard]] bool is_beside(const Int3& node) const {
    return beside_ != nullptr && beside_->contains(nodes_.dimension, node);
  }
  [[nodiscard]] BarredLinks::Node end_of(const Int3& node, const Int3& offset, int surface) const {
    const Int3 shape = tile_shape(nodes_.dimension);
    Int3 tile, local;
    for (int axis = 0; axis < 3; ++axis) {
      tile[axis] = node[axis] / shape[axis];
      local[axis] = node[axis] % shape[axis];
    }
    return {nodes_.directory_index(tile), BarredLinks::bit_of(offset), static_cast<std::uint16_t>(surface),
            static_cast<std::uint8_t>(tile_bit(nodes_.dimension, local))};
  }

  const NodeMap& nodes_;
  const FluidBeside* beside_;
  Int3 offset_;
  int axis_ = 0;
  Int3 first_{}, lines_{};  ///< [axis], number of the first line of nodes, and how many there are
};

/// Bits of so many offsets.
std::uint32_t bits_of(const std::vector<Int3>& offsets) {
  std::uint32_t bits = 0;
  for (const Int3& o : offsets) bits |= BarredLinks::bit_of(o);
  return bits;
}

}  // namespace

BarredLinks find_barred_links(const NodeMap& nodes, const std::vector<Sheet>& sheets,
                              std::vector<GeometryReport::Refusal>& refusals, const FluidBeside* beside) {
  const std::uint32_t along_axes = bits_of(axis_offsets(nodes.dimension));
  Nodes all;
  for (const Sheet& sheet : sheets) {
    const std::size_t first = all.size();
    for (const Int3& offset : half_of_offsets(nodes.dimension)) {
      const LineSearch search(nodes, beside, offset);
      for (const MeshTriangle& triangle : sheet.mesh.triangles) search.find(sheet.mesh, triangle, all);
    }
    const bool crosses = std::any_of(all.begin() + static_cast<std::ptrdiff_t>(first), all.end(),
                                     [&](const BarredLinks::Node& node) { return (node.offsets & along_axes) != 0; });
    const bool is_of_another_level = beside != nullptr && all.size() == first;
    if (crosses || is_of_another_level || sheet.mesh.triangles.empty()) continue;
    const std::array<Real3, 3> corners = sheet.mesh.corners(sheet.mesh.triangles.front());
    refusals.push_back({(1.0 / 3) * (corners[0] + corners[1] + corners[2]), sheet.refusal});
  }
  return {nodes.dimension, nodes.tiles_in_box, std::move(all)};
}

std::vector<GeometryReport::Sheet> survey_sheets(const NodeMap& nodes, const std::vector<std::string>& surfaces) {
  std::vector<GeometryReport::Sheet> sheets;
  if (!nodes.barred) return sheets;
  constexpr int squared_length = 2;
  const std::uint32_t surveyed = bits_of(neighbour_offsets(nodes.dimension, squared_length));
  std::vector<std::uint64_t> ends(surfaces.size(), 0);
  for (const BarredLinks::Node& node : nodes.barred->nodes())
    ends[node.surface] += static_cast<std::uint64_t>(std::popcount(node.offsets & surveyed));
  for (std::size_t s = 0; s < ends.size(); ++s)
    if (ends[s] > 0) sheets.push_back({surfaces[s], (ends[s] + 1) / 2});
  return sheets;
}

}  // namespace fluvia::geometry

namespace fluvia {

std::string GeometryReport::Sheet::line() const {
  return fmt::format("'{}': a sheet: {} links with fluid on both sides; walls half-way, at rest", surface, links);
}

}  // namespace fluvia
