// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/mesh/parts/parts.hpp"

#include "fluvia/geometry/mesh/parts/edges.hpp"

namespace fluvia::geometry {
namespace {

/// Sets of triangles, each with whether it looks to the other side than the root of its set.
class OrientedSets {
 public:
  explicit OrientedSets(std::size_t count) : parent_(count), turned_(count, 0) {
    std::iota(parent_.begin(), parent_.end(), 0u);
  }
  struct Place {
    std::uint32_t root;
    bool turned;
  };
  Place find(std::uint32_t i) {
    std::uint32_t root = i;
    bool turned = false;
    for (; parent_[root] != root; root = parent_[root]) turned ^= turned_[root] != 0;
    // Whatever lies on the way hangs on the root from now on.
    for (bool rest = turned; parent_[i] != i;) {
      const std::uint32_t next = parent_[i];
      const bool own = turned_[i] != 0;
      parent_[i] = root;
      turned_[i] = rest ? 1 : 0;
      rest ^= own;
      i = next;
    }
    return {root, turned};
  }
  /// Joins two triangles, of which one has to be turned if they `differ`; false if they are known to do otherwise.
  bool join(std::uint32_t i, std::uint32_t j, bool differ) {
    const Place a = find(i), b = find(j);
    const bool flip = (a.turned != b.turned) != differ;
    if (a.root == b.root) return !flip;
    parent_[std::max(a.root, b.root)] = std::min(a.root, b.root);
    turned_[std::max(a.root, b.root)] = flip ? 1 : 0;
    return true;
  }

 private:
  std::vector<std::uint32_t> parent_;
  std::vector<char> turned_;
};

/// Six times the signed volume between a triangle and a point.
double spat(const Mesh& mesh, const MeshTriangle& t, const Real3& from) {
  return dot(mesh.corner(t, 0) - from, cross(mesh.corner(t, 1) - from, mesh.corner(t, 2) - from));
}

/// Turns a part outward: the sum of the signed volumes between its triangles and a point is what it encloses
/// (divergence theorem).
void measure(const Mesh& mesh, MeshPart& part) {
  const Real3 from = mesh.corner(mesh.triangles[part.triangles.front()], 0);
  double volume = 0;
  for (std::size_t k = 0; k < part.triangles.size(); ++k) {
    const MeshTriangle& t = mesh.triangles[part.triangles[k]];
    volume += (part.turned[k] ? -1 : 1) * spat(mesh, t, from) / 6;
    part.area += 0.5 * norm(cross(mesh.corner(t, 1) - mesh.corner(t, 0), mesh.corner(t, 2) - mesh.corner(t, 0)));
    for (int i = 0; i < 3; ++i) part.bounds.add(mesh.corner(t, i));
  }
  part.volume = std::abs(volume);
  if (volume < 0) part.turned.flip();
}

}  // namespace

std::vector<MeshPart> find_parts(const Mesh& mesh) {
  const std::vector<TriangleSide> sides = sorted_sides(mesh);
  OrientedSets sets(mesh.triangles.size());
  std::vector<std::uint32_t> not_orientable;
  for_each_edge(sides, [&](const TriangleSide* first, const TriangleSide* end) {
    if ((end - first) % 2 == 1) return;
    // Neighbours that see the same side run through their edge in opposite directions.
    for (const TriangleSide* s = first; s != end; s += 2)
      if (!sets.join(s[0].triangle, s[1].triangle, s[0].ascending == s[1].ascending))
        not_orientable.push_back(s[0].triangle);
  });
  std::vector<MeshPart> parts;
  std::vector<std::uint32_t> number(mesh.triangles.size());
  for (std::uint32_t t = 0; t < number.size(); ++t) {
    const auto [root, turned] = sets.find(t);
    if (root == t) {
      number[t] = static_cast<std::uint32_t>(parts.size());
      parts.emplace_back();
    }
    number[t] = number[root];  // roots are the first triangles of their sets
    parts[number[t]].triangles.push_back(t);
    parts[number[t]].turned.push_back(turned);
  }
  for (const std::uint32_t t : not_orientable) parts[number[t]].orientable = false;
  std::vector<std::uint32_t> around;
  for_each_edge(sides, [&](const TriangleSide* first, const TriangleSide* end) {
    if (end - first == 2) return;
    around.clear();
    for (const TriangleSide* s = first; s != end; ++s) around.push_back(number[s->triangle]);
    std::sort(around.begin(), around.end());
    for (std::size_t i = 0; i < around.size();) {
      std::size_t next = i;
      while (next < around.size() && around[next] == around[i]) ++next;
      if ((next - i) % 2 == 1) parts[around[i]].closed = false;
      i = next;
    }
  });
  for (MeshPart& part : parts) measure(mesh, part);
  return parts;
}

}  // namespace fluvia::geometry
