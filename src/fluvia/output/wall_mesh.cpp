// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/wall_mesh.hpp"

#include <bit>
#include <unordered_map>

#include "fluvia/output/neighbourhood.hpp"

namespace fluvia {
namespace {

/// A cube between eight nodes, where a point of the mesh will lie.
struct Cube {
  Real3 sum{};  ///< of the places where its edges meet the wall
  int count = 0;
  unsigned axes = 0;  ///< bit a: one of these edges lies along axis a
};

class Builder {
 public:
  explicit Builder(const Geometry& geometry) : geometry_(geometry), nodes_(geometry.nodes) {
    is_opening_.assign(geometry.surfaces.size(), false);
    for (const Opening& opening : geometry.openings) is_opening_[static_cast<std::size_t>(opening.surface)] = true;
  }

  WallMesh build() {
    for (const NodeMap::Tile& tile : nodes_.tiles) {
      for (std::uint64_t rest = tile.mask; rest != 0; rest &= rest - 1) {
        add_node(nodes_.node_position(tile, std::countr_zero(rest)));
      }
    }
    for (std::size_t k = 0; k < mesh_.patches.size(); ++k) meet_cubes(mesh_.patches[k], offsets_[k]);
    place_points();
    if (!geometry_.normal_of) estimate_normals();
    return std::move(mesh_);
  }

 private:
  static constexpr int bits = 21;  // nodes along an axis, and one cube before them

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

  void add_node(const Int3& node) {
    for (int axis = 0; axis < 3; ++axis) {
      for (const int side : {-1, 1}) {
        Int3 offset{}, far = node;
        offset[axis] = side;
        far[axis] += side;
        if (nodes_.is_fluid(far)) continue;
        const int surface = geometry_.surface_of(node, offset);
        if (is_opening_[static_cast<std::size_t>(surface)]) continue;
        add_patch(node, offset, surface);
      }
    }
  }

  void add_patch(const Int3& node, const Int3& offset, int surface) {
    WallMesh::Patch patch{node, {}, {}, {}, surface};
    const double part = geometry_.distance_of ? geometry_.distance_of(node, offset) : 0.5;
    for (int axis = 0; axis < 3; ++axis) patch.point[axis] = node[axis] + 0.5 + part * offset[axis];
    if (geometry_.normal_of) patch.normal = geometry_.normal_of(node, offset);
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

  /// Tells the cubes around a link where it meets the wall; those beyond a periodic face, too.
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
        // Where the wall leaves the box through an opening, it goes on to the face.
        const int cube = positions_[i][axis];
        const bool half_outside = cube < 0 || cube == nodes_.size[axis] - 1;
        if (nodes_.periodic[axis] || !half_outside || (cubes_[i].axes >> axis & 1u) != 0) continue;
        mesh_.points[i][axis] = cube + 1;
      }
    }
  }

  /// Away from the middle of the fluid around: on the stairs of a half-way wall a wider view than one step's.
  void estimate_normals() {
    constexpr double reach = Neighbourhood::half_window + 0.5;
    Neighbourhood neighbourhood;
    for (std::size_t k = 0; k < mesh_.patches.size(); ++k) {
      WallMesh::Patch& patch = mesh_.patches[k];
      const auto from_wall = [&](const Int3& step) {
        Real3 d;
        for (int axis = 0; axis < 3; ++axis) d[axis] = patch.node[axis] + step[axis] + 0.5 - patch.point[axis];
        return d;
      };
      Real3 middle{};
      const auto near = [&](const Int3& step) { return norm(from_wall(step)) < reach; };
      for (const auto& member : neighbourhood.find(nodes_, patch.node, near)) {
        const Real3 d = from_wall(member.step);
        middle = middle + (1 - dot(d, d) / (reach * reach)) * d;
      }
      // The node's own side is the fluid, whatever lies around.
      const Real3 out{1.0 * offsets_[k][0], 1.0 * offsets_[k][1], 1.0 * offsets_[k][2]};
      patch.normal = dot(middle, out) < 0 ? (-1 / norm(middle)) * middle : out;
    }
  }

  const Geometry& geometry_;
  const NodeMap& nodes_;
  std::vector<bool> is_opening_;
  WallMesh mesh_;
  std::vector<Int3> offsets_;  ///< of the patches' links
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
  std::vector<Cube> cubes_;
  std::vector<Int3> positions_;  ///< lowest node of every cube
};

}  // namespace

WallMesh make_wall_mesh(const Geometry& geometry) {
  return Builder(geometry).build();
}

}  // namespace fluvia
