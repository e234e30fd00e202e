// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/mesh/parts/superfluous.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <unordered_map>
#include <vector>

#include "fluvia/geometry/mesh/parts/edges.hpp"

namespace fluvia::geometry {
namespace {

constexpr double flat = 1e-9;  // height of a triangle without area, in parts of its longest side

std::array<std::uint32_t, 3> sorted_corners(const MeshTriangle& t) {
  std::array<std::uint32_t, 3> key = t.vertex;
  std::sort(key.begin(), key.end());
  return key;
}

bool has_no_area(const Mesh& mesh, const MeshTriangle& t) {
  const auto [a, b, c] = mesh.corners(t);
  const double longest = std::max({dot(b - a, b - a), dot(c - b, c - b), dot(a - c, a - c)});
  return norm(cross(b - a, c - a)) <= flat * longest;
}

void erase(Mesh& mesh, const std::vector<bool>& dropped) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
    if (!dropped[i]) mesh.triangles[kept++] = mesh.triangles[i];
  mesh.triangles.resize(kept);
}

/// Drops pairs of copies, and marks one more of those triangles that are there an even number of times: without that
/// one there is one left, with it none, by parity. Of copies the one of the surface named last stays.
std::vector<bool> find_last_copies(Mesh& mesh) {
  std::vector<std::uint32_t> order(mesh.triangles.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
  std::vector<std::array<std::uint32_t, 3>> keys;
  for (const MeshTriangle& t : mesh.triangles) keys.push_back(sorted_corners(t));
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) {
    if (keys[i] != keys[j]) return keys[i] < keys[j];
    return mesh.triangles[i].surface < mesh.triangles[j].surface;
  });
  std::vector<bool> dropped(order.size(), false), last(order.size(), false);
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < order.size();) {
    std::size_t end = i + 1;
    while (end < order.size() && keys[order[end]] == keys[order[i]]) ++end;
    std::size_t spare = end - i - 1;
    for (; spare >= 2; spare -= 2, i += 2, pairs += 2) dropped[order[i]] = dropped[order[i + 1]] = true;
    if (spare == 1) last[order[i]] = true;
    i = end;
  }
  if (pairs > 0) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < dropped.size(); ++i)
      if (!dropped[i]) last[kept++] = last[i];
    last.resize(kept);
    erase(mesh, dropped);
    mesh.doubled += pairs;
  }
  return last;
}

/// What becomes of a patch of connected triangles that are there twice.
struct Twice {
  int opened = 0;     ///< edges that get an odd number of triangles without one copy, less those that get an even one
  bool free = false;  ///< some edge has no other triangles
};

/// Drops copies, patch by patch of connected ones. Where that opens the surface they are the face between two bodies,
/// which each of them has: the two cancel, and both are dropped. A sheet with two sides ends somewhere, and has one.
void drop_copies(Mesh& mesh) {
  const std::vector<bool> last = find_last_copies(mesh);
  if (std::find(last.begin(), last.end(), true) == last.end()) return;
  const std::vector<TriangleSide> sides = sorted_sides(mesh);
  DisjointSets patches(mesh.triangles.size());
  for_each_edge(sides, [&](const TriangleSide* first, const TriangleSide* end) {
    const TriangleSide* known = nullptr;
    for (const TriangleSide* s = first; s != end; ++s) {
      if (!last[s->triangle]) continue;
      if (known != nullptr) patches.join(known->triangle, s->triangle);
      known = s;
    }
  });
  std::unordered_map<std::uint32_t, Twice> twice;  // [patch]
  for_each_edge(sides, [&](const TriangleSide* first, const TriangleSide* end) {
    const auto copies = std::count_if(first, end, [&](const TriangleSide& s) { return last[s.triangle]; });
    if (copies % 2 == 0) return;
    const TriangleSide* copy = std::find_if(first, end, [&](const TriangleSide& s) { return last[s.triangle]; });
    Twice& patch = twice[patches.find(copy->triangle)];
    patch.opened += (end - first) % 2 == 0 ? 1 : -1;
    patch.free = patch.free || end - first == 2 * copies;
  });
  std::set<std::array<std::uint32_t, 3>> cancels;  // corners of triangles of which both copies go
  std::vector<bool> dropped(mesh.triangles.size(), false);
  for (std::uint32_t i = 0; i < dropped.size(); ++i) {
    if (!last[i]) continue;
    const Twice patch = twice[patches.find(i)];
    dropped[i] = true;
    if (patch.opened > 0 && !patch.free)
      cancels.insert(sorted_corners(mesh.triangles[i]));
    else
      ++mesh.doubled;
  }
  for (std::uint32_t i = 0; i < dropped.size() && !cancels.empty(); ++i)
    if (!dropped[i] && cancels.contains(sorted_corners(mesh.triangles[i]))) dropped[i] = true;
  erase(mesh, dropped);
}

/// Drops triangles without area, one after the other, where no more edges get an odd number of triangles by that.
void drop_flat(Mesh& mesh) {
  std::vector<std::uint32_t> candidates;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
    if (has_no_area(mesh, mesh.triangles[i])) candidates.push_back(static_cast<std::uint32_t>(i));
  if (candidates.empty()) return;
  std::unordered_map<std::uint64_t, int> count;  // triangles at an edge
  const auto key = [&](const MeshTriangle& t, int i) {
    const std::uint64_t a = t.vertex[i], b = t.vertex[(i + 1) % 3];
    return std::min(a, b) << 32 | std::max(a, b);
  };
  for (const MeshTriangle& t : mesh.triangles)
    for (int i = 0; i < 3; ++i) ++count[key(t, i)];
  std::vector<bool> dropped(mesh.triangles.size(), false);
  // What one leaves behind may make the next one superfluous.
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::uint32_t c : candidates) {
      if (dropped[c]) continue;
      const MeshTriangle& t = mesh.triangles[c];
      int odd = 0;
      for (int i = 0; i < 3; ++i) odd += count[key(t, i)] % 2;
      if (odd < 2) continue;
      for (int i = 0; i < 3; ++i) --count[key(t, i)];
      dropped[c] = changed = true;
    }
  }
  erase(mesh, dropped);
}

}  // namespace

void drop_superfluous(Mesh& mesh) {
  drop_copies(mesh);
  drop_flat(mesh);
}

}  // namespace fluvia::geometry
