// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/mesh/mesh_layer.hpp"

#include <array>
#include <bit>
#include <span>

#include "fluvia/base/checksum.hpp"
#include "fluvia/geometry/mesh/column_parity.hpp"

namespace fluvia::geometry {
namespace {

class MeshLayer final : public Layer {
 public:
  MeshLayer(const Mesh& mesh, std::shared_ptr<const RayMesh> rays, const Grid& grid, bool fluid_inside)
      : columns_{ColumnParity(mesh, grid.size, 0), ColumnParity(mesh, grid.size, 1), ColumnParity(mesh, grid.size, 2)},
        rays_(std::move(rays)),
        has_families_(has_families(mesh)),
        size_(grid.size),
        dimension_(grid.dimension),
        fluid_inside_(fluid_inside) {
    for (const Real3& vertex : mesh.vertices) bounds_.add(vertex);
    for (const MeshTriangle& t : mesh.triangles) surfaces_.push_back(t.surface);
    for (const int s : surfaces_) one_surface_ = one_surface_ && s == surfaces_.front();
    Checksum content;
    content.update(std::as_bytes(std::span(mesh.vertices)));
    for (const MeshTriangle& t : mesh.triangles) content.update(std::as_bytes(std::span(t.vertex)));
    content.update(std::as_bytes(std::span(surfaces_)));
    content_ = content.value();
  }

  [[nodiscard]] std::uint64_t apply(const Int3& tile, std::uint64_t fluid) const override {
    if (fluid == 0) return 0;
    const std::uint64_t inside = inside_mask(tile);
    return fluid_inside_ ? fluid & inside : fluid & ~inside;
  }
  [[nodiscard]] Decision decide(const Int3& node) const override {
    int balance = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const auto votes = columns_[axis].votes(node[(axis + 1) % 3], node[(axis + 2) % 3], node[axis], 1);
      if (votes.reliable) balance += votes.inside != 0 ? 1 : -1;
    }
    const bool inside = settle(balance, node);
    return inside == fluid_inside_ ? Decision::none : Decision::solid;
  }
  [[nodiscard]] int surface(const Int3& node, const Int3& offset, const Int3& far) const override {
    if (one_surface_) return surfaces_.front();
    const Real3 step = link_vector(offset);
    const Real3 near_end = node_centre(node), far_end = node_centre(far);
    std::int64_t triangle = first_cut(node, near_end + step).triangle;
    // On a periodic axis the surface may be met at the other side of the box only.
    if (triangle < 0) triangle = rays_->first_hit(far_end - step, far_end);
    // The vote may have moved the boundary past a gap or a fold: take the nearest triangle.
    if (triangle < 0) triangle = rays_->nearest(near_end + 0.5 * step, 4.0);
    return triangle < 0 ? surface_id::wall : surfaces_[triangle];
  }
  [[nodiscard]] std::uint64_t content() const override { return content_; }
  [[nodiscard]] Cut cut(const Link& link) const override {
    const RayMesh::Hit hit = find(link);
    // Lost where the vote of the columns moved the boundary past a gap or a fold.
    return hit.triangle < 0 ? Cut{0.5, Cut::Kind::lost} : Cut{hit.part, Cut::Kind::surface};
  }
  [[nodiscard]] Real3 normal(const Link& link, const Cut& cut) const override {
    const RayMesh::Hit hit = find(link);
    const Real3 normal = hit.triangle < 0 ? Real3{} : rays_->normal(hit.triangle);
    return norm(normal) > 0 ? normal : Layer::normal(link, cut);
  }

 private:
  /// Where the segment from a node first meets the surface: where parts overlap, the first triangle that ends the
  /// inside or begins it, and not one of a part that lies within another one.
  [[nodiscard]] RayMesh::Hit first_cut(const Int3& node, const Real3& to) const {
    if (!has_families_) return rays_->hit(node_centre(node), to);
    const auto crossings = rays_->crossings(node_centre(node), to);
    InsideCount count = columns_[0].count_at(node[1], node[2], node[0]);
    const bool start = count.inside();
    for (const RayMesh::Crossing& crossing : crossings) {
      count.cross(crossing.family, crossing.step);
      if (count.inside() != start) return crossing.hit;
    }
    return crossings.empty() ? RayMesh::Hit{} : crossings.front().hit;
  }
  /// Where the mesh cuts a link.
  [[nodiscard]] RayMesh::Hit find(const Link& link) const {
    const Real3 step = link_vector(link.offset), near_end = node_centre(link.node), far_end = node_centre(link.far);
    if (link.is_straight()) return first_cut(link.node, far_end);
    // Through a periodic face or a plane of symmetry the link is two pieces. Where the mesh ends there, its end is no
    // wall.
    constexpr double piece = 0.495;
    RayMesh::Hit hit = rays_->hit(near_end, near_end + piece * step);
    if (hit.triangle >= 0) return {hit.triangle, piece * hit.part};
    hit = rays_->hit(far_end - piece * link_vector(link.last_offset()), far_end);
    return {hit.triangle, 1 - piece * (1 - hit.part)};
  }
  /// Whether a node is inside: the verdict of the reliable axes, or that of oblique rays if the axes do not agree.
  [[nodiscard]] bool settle(int balance, const Int3& node) const {
    return balance != 0 ? balance > 0 : rays_->inside(node_centre(node));
  }
  [[nodiscard]] std::uint64_t inside_mask(const Int3& tile) const {
    const Int3 shape = tile_shape(dimension_);
    Int3 first, count;
    for (int axis = 0; axis < 3; ++axis) {
      first[axis] = tile[axis] * shape[axis];
      count[axis] = std::min(shape[axis], size_[axis] - first[axis]);
      if (first[axis] + count[axis] < bounds_.lower[axis] || first[axis] > bounds_.upper[axis]) return 0;
    }
    std::array<std::uint64_t, 3> inside{}, reliable{};
    std::uint64_t in_box = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const int axis_u = (axis + 1) % 3, axis_v = (axis + 2) % 3;
      for (int v = 0; v < count[axis_v]; ++v) {
        for (int u = 0; u < count[axis_u]; ++u) {
          const auto votes = columns_[axis].votes(first[axis_u] + u, first[axis_v] + v, first[axis], count[axis]);
          for (int i = 0; i < count[axis]; ++i) {
            Int3 local;
            local[axis] = i;
            local[axis_u] = u;
            local[axis_v] = v;
            const std::uint64_t bit = std::uint64_t{1} << tile_bit(dimension_, local);
            in_box |= bit;
            if ((votes.inside >> i & 1u) != 0) inside[axis] |= bit;
            if (votes.reliable) reliable[axis] |= bit;
          }
        }
      }
    }
    const auto& [x, y, z] = inside;
    std::uint64_t result = (x & y) | (y & z) | (z & x);
    const std::uint64_t doubtful = in_box & ~(reliable[0] & reliable[1] & reliable[2]);
    for (std::uint64_t rest = doubtful; rest != 0; rest &= rest - 1) {
      const int bit = std::countr_zero(rest);
      int balance = 0;
      for (int axis = 0; axis < 3; ++axis) {
        if ((reliable[axis] >> bit & 1) != 0) balance += (inside[axis] >> bit & 1) != 0 ? 1 : -1;
      }
      const Int3 local = tile_local(dimension_, bit);
      const bool decided = settle(balance, {first[0] + local[0], first[1] + local[1], first[2] + local[2]});
      const std::uint64_t flag = std::uint64_t{1} << bit;
      result = decided ? result | flag : result & ~flag;
    }
    return result;
  }

  std::array<ColumnParity, 3> columns_;
  std::shared_ptr<const RayMesh> rays_;
  BoundingBox bounds_;
  std::vector<int> surfaces_;  ///< [triangle], number of its surface
  std::uint64_t content_ = 0;
  bool one_surface_ = true;
  bool has_families_;
  Int3 size_;
  int dimension_;
  bool fluid_inside_;
};

}  // namespace

std::unique_ptr<const Layer> make_mesh_layer(const Mesh& mesh, std::shared_ptr<const RayMesh> rays, const Grid& grid,
                                             bool fluid_inside) {
  return std::make_unique<MeshLayer>(mesh, std::move(rays), grid, fluid_inside);
}

}  // namespace fluvia::geometry
