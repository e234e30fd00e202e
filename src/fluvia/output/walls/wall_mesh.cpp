// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/walls/wall_mesh.hpp"

#include <algorithm>
#include <unordered_map>

#include "fluvia/geometry/map/link_search.hpp"
#include "fluvia/output/neighbourhood.hpp"
#include "fluvia/output/walls/triangle_divider.hpp"

namespace fluvia {
namespace {

/// A cube between eight nodes, where a point of the mesh will lie.
struct Cube {
  Real3 sum{};  ///< sum of the points where its edges meet the wall
  int count = 0;
  unsigned axes = 0;  ///< bit a: one of these edges lies along axis a
};

/// The fluid node next to a point of the wall on the side that its normal points away from; false if there is none
/// within two nodes.
bool find_fluid(const NodeMap& nodes, WallPlace& place) {
  constexpr int reach = 2;
  /// How far behind the wall a node may lie, where the vote of a mesh decided otherwise.
  constexpr double behind = 0.3;
  double nearest = reach * reach;
  bool found = false;
  Int3 first;
  for (int axis = 0; axis < 3; ++axis) {
    if (!(place.point[axis] >= 0 && place.point[axis] < nodes.size[axis])) return false;
    first[axis] = static_cast<int>(place.point[axis]) - reach;
  }
  for (int k = 0; k < 125; ++k) {
    const Int3 node{first[0] + k % 5, first[1] + k / 5 % 5, first[2] + k / 25};
    const Real3 d = Real3{node[0] + 0.5, node[1] + 0.5, node[2] + 0.5} - place.point;
    if (dot(d, d) >= nearest || dot(d, place.normal) > behind) continue;
    bool inside = true;  // the node itself has to be one of the box; neighbours may lie beyond periodic faces
    for (int axis = 0; axis < 3; ++axis) inside = inside && node[axis] >= 0 && node[axis] < nodes.size[axis];
    if (!inside || !nodes.is_fluid(node)) continue;
    nearest = dot(d, d);
    place.node = node;
    found = true;
  }
  return found;
}

/// Adds the walls whose own triangles are known.
void add_triangles(const Geometry& geometry, WallMesh& mesh) {
  constexpr double longest_edge = 2;
  const SurfaceMesh& known = geometry.wall_triangles;
  if (known.triangles.empty()) return;
  std::vector<Real3> points = known.points;
  TriangleDivider divider(points, longest_edge);
  std::vector<std::uint32_t> number(points.size(), WallMesh::no_point);
  for (const SurfaceTriangle& t : known.triangles) {
    divider.divide(t.corner, [&](const std::array<std::uint32_t, 3>& part) {
      const Real3 a = points[part[0]], b = points[part[1]], c = points[part[2]], area = cross(b - a, c - a);
      if (!(norm(area) > 0)) return;
      WallMesh::Patch patch{{{}, (1.0 / 3) * (a + b + c), (1 / norm(area)) * area, t.surface}};
      if (!find_fluid(geometry.nodes, patch)) return;
      number.resize(points.size(), WallMesh::no_point);
      for (int i = 0; i < 3; ++i) {
        std::uint32_t& n = number[part[i]];
        if (n == WallMesh::no_point) {
          n = static_cast<std::uint32_t>(mesh.points.size());
          mesh.points.push_back(points[part[i]]);
        }
        patch.rim[i] = n;
      }
      mesh.patches.push_back(patch);
    });
  }
}

class Builder {
 public:
  explicit Builder(const Geometry& geometry) : geometry_(geometry), nodes_(geometry.nodes) {
    leave_out_.assign(geometry.surfaces.size(), false);
    for (const Opening& opening : geometry.openings) leave_out_[static_cast<std::size_t>(opening.surface)] = true;
    for (const SurfaceTriangle& t : geometry.wall_triangles.triangles)
      leave_out_[static_cast<std::size_t>(t.surface)] = true;
  }

  WallMesh build() {
    const std::vector<Int3> offsets = axis_offsets(nodes_.dimension);
    LinkSearch search(nodes_, offsets);
    const auto visit = [&](const NodeWithCuts& at) {
      at.for_each_cut([&](std::size_t k) {
        const int surface = geometry_.surface_of(at.node, offsets[k]);
        if (!leave_out_[static_cast<std::size_t>(surface)]) add_patch(at.node, offsets[k], surface);
      });
    };
    for (std::size_t t = 0; t < nodes_.tiles.size(); ++t) search.visit_tile(t, visit);
    for (std::size_t k = 0; k < mesh_.patches.size(); ++k) meet_cubes(mesh_.patches[k], offsets_[k]);
    place_points();
    Neighbourhood neighbourhood;
    for (std::size_t k = 0; k < mesh_.patches.size(); ++k)
      mesh_.patches[k].normal = wall_normal(geometry_, mesh_.patches[k], offsets_[k], neighbourhood);
    add_triangles(geometry_, mesh_);
    return std::move(mesh_);
  }

 private:
  static constexpr int bits = 21;  // bits of a coordinate: nodes along an axis, and one cube before them

  [[nodiscard]] static std::uint64_t key_of(const Int3& cube) {
    std::uint64_t key = 0;
    for (const int x : cube) key = key << bits | static_cast<std::uint64_t>(x + 1);
    return key;
  }
  /// The four cubes around the link from `node` along `offset`, counter-clockwise seen from its far end.
  [[nodiscard]] static std::array<Int3, 4> cubes_around(const Int3& node, const Int3& offset) {
    const int axis = offset[0] != 0 ? 0 : offset[1] != 0 ? 1 : 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
    const bool up = offset[axis] > 0;
    std::array<Int3, 4> cubes;
    for (int i = 0; i < 4; ++i) {
      Int3& cube = cubes[up ? i : 3 - i];
      cube[axis] = node[axis] - (up ? 0 : 1);
      cube[u] = node[u] - (i == 0 || i == 3 ? 1 : 0);
      cube[v] = node[v] - (i < 2 ? 1 : 0);
    }
    return cubes;
  }

  void add_patch(const Int3& node, const Int3& offset, int surface) {
    WallMesh::Patch patch{{node, {}, {}, surface}};
    const double part = geometry_.distance_of ? geometry_.distance_of(node, offset) : 0.5;
    for (int axis = 0; axis < 3; ++axis) patch.point[axis] = node[axis] + 0.5 + part * offset[axis];
    const std::array<Int3, 4> around = cubes_around(node, offset);
    for (int i = 0; i < 4; ++i) {
      const auto [place, is_new] = numbers_.emplace(key_of(around[i]), static_cast<std::uint32_t>(cubes_.size()));
      if (is_new) {
        cubes_.emplace_back();
        positions_.push_back(around[i]);
      }
      patch.rim[i] = place->second;
    }
    mesh_.patches.push_back(patch);
    offsets_.push_back(offset);
  }

  /// Adds the point where a link meets the wall to the cubes around the link; to those beyond a periodic face, too.
  void meet_cubes(const WallMesh::Patch& patch, const Int3& offset) {
    Int3 first{}, last{};
    for (int axis = 0; axis < 3; ++axis) {
      if (!nodes_.periodic[axis]) continue;
      if (patch.node[axis] == nodes_.size[axis] - 1) first[axis] = -1;
      if (patch.node[axis] == 0) last[axis] = 1;
    }
    const unsigned axis_bit = offset[0] != 0 ? 1u : offset[1] != 0 ? 2u : 4u;
    for (int z = first[2]; z <= last[2]; ++z) {
      for (int y = first[1]; y <= last[1]; ++y) {
        for (int x = first[0]; x <= last[0]; ++x) {
          const Int3 shift{x * nodes_.size[0], y * nodes_.size[1], z * nodes_.size[2]};
          const Int3 image{patch.node[0] + shift[0], patch.node[1] + shift[1], patch.node[2] + shift[2]};
          for (const Int3& cube : cubes_around(image, offset)) {
            if (cube[0] < -1 || cube[1] < -1 || cube[2] < -1) continue;
            const auto place = numbers_.find(key_of(cube));
            if (place == numbers_.end()) continue;
            Cube& met = cubes_[place->second];
            met.sum = met.sum + patch.point + Real3{1.0 * shift[0], 1.0 * shift[1], 1.0 * shift[2]};
            ++met.count;
            met.axes |= axis_bit;
          }
        }
      }
    }
  }

  void place_points() {
    mesh_.points.resize(cubes_.size());
    for (std::size_t i = 0; i < cubes_.size(); ++i) {
      mesh_.points[i] = (1.0 / cubes_[i].count) * cubes_[i].sum;
      for (int axis = 0; axis < 3; ++axis) {
        // Where the wall leaves the box through an opening or a plane of symmetry, it goes on to the face.
        const int cube = positions_[i][axis];
        const bool half_outside = cube < 0 || cube == nodes_.size[axis] - 1;
        if (nodes_.periodic[axis] || !half_outside || (cubes_[i].axes >> axis & 1u) != 0) continue;
        mesh_.points[i][axis] = cube + 1;
      }
    }
  }

  const Geometry& geometry_;
  const NodeMap& nodes_;
  std::vector<bool> leave_out_;  ///< [surface], openings, and walls whose triangles are known
  WallMesh mesh_;
  std::vector<Int3> offsets_;  ///< offsets of the patches' links
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
  std::vector<Cube> cubes_;
  std::vector<Int3> positions_;  ///< lowest node of every cube
};

}  // namespace

WallMesh make_wall_mesh(const Geometry& geometry) {
  return Builder(geometry).build();
}

}  // namespace fluvia
