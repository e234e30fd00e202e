// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/mesh/parts/overlaps.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "fluvia/geometry/mesh/parts/edges.hpp"
#include "fluvia/geometry/mesh/rasterise.hpp"

namespace fluvia::geometry {
namespace {

constexpr int lines_across = 32;        // lines that look for an overlap, along each side of a box
constexpr double least_depth = 0.01;    // nodes; parts that overlap by less only touch
constexpr double least_outside = 0.01;  // part of the smaller one's volume; below it is nested
constexpr double same_surface = 0.05;   // nodes; mean distance of two parts that are one body
constexpr std::size_t positions_kept = 20;

enum class Relation { apart, overlapping, first_in_second, second_in_first };

struct Pair {
  std::uint32_t first, second;  ///< indices of parts
  Relation relation = Relation::apart;
  Real3 position{};
};

/// What lines along one axis through a box find of two parts.
struct Shares {
  double both = 0, second = 0;  ///< lengths in both parts, and in the second
  double deepest = 0;           ///< longest piece in both
  Real3 at{};                   ///< middle of that piece
};

struct Crossing {
  int line;
  double position;
  int part;  ///< 0 or 1
  bool operator<(const Crossing& o) const { return line != o.line ? line < o.line : position < o.position; }
};

BoundingBox common(const BoundingBox& a, const BoundingBox& b) {
  BoundingBox box;
  for (int axis = 0; axis < 3; ++axis) {
    box.lower[axis] = std::max(a.lower[axis], b.lower[axis]);
    box.upper[axis] = std::min(a.upper[axis], b.upper[axis]);
  }
  return box;
}

int shortest_axis(const BoundingBox& box) {
  const Real3 size = box.upper - box.lower;
  return static_cast<int>(std::min_element(size.begin(), size.end()) - size.begin());
}

/// Sends lines through a box along its shortest side, so that they meet thin parts head-on.
Shares sample(const Mesh& mesh, const MeshPart& first, const MeshPart& second, const BoundingBox& box) {
  const int axis = shortest_axis(box), axis_u = (axis + 1) % 3, axis_v = (axis + 2) % 3;
  const Real3 size = box.upper - box.lower;
  const double scale_u = lines_across / size[axis_u], scale_v = lines_across / size[axis_v];
  std::vector<Crossing> crossings;
  for (const int which : {0, 1}) {
    for (const std::uint32_t t : (which == 0 ? first : second).triangles) {
      std::array<Real3, 3> corners = mesh.corners(mesh.triangles[t]);
      for (Real3& corner : corners) {
        corner[axis_u] = (corner[axis_u] - box.lower[axis_u]) * scale_u;
        corner[axis_v] = (corner[axis_v] - box.lower[axis_v]) * scale_v;
      }
      rasterise(corners, mesh.triangles[t].vertex, axis, lines_across, lines_across,
                [&](int u, int v, double position, int) {
                  crossings.push_back({v * lines_across + u, position, which});
                });
    }
  }
  std::sort(crossings.begin(), crossings.end());
  Shares shares;
  bool inside[2] = {false, false};
  for (std::size_t i = 0; i + 1 < crossings.size(); ++i) {
    inside[crossings[i].part] = !inside[crossings[i].part];
    if (crossings[i + 1].line != crossings[i].line) {
      inside[0] = inside[1] = false;
      continue;
    }
    const double length = crossings[i + 1].position - crossings[i].position;
    if (inside[1]) shares.second += length;
    if (!inside[0] || !inside[1]) continue;
    shares.both += length;
    if (length <= shares.deepest) continue;
    shares.deepest = length;
    shares.at[axis] = 0.5 * (crossings[i].position + crossings[i + 1].position);
    shares.at[axis_u] = box.lower[axis_u] + (crossings[i].line % lines_across + 0.5) / scale_u;
    shares.at[axis_v] = box.lower[axis_v] + (crossings[i].line / lines_across + 0.5) / scale_v;
  }
  return shares;
}

/// Finds how two parts lie to each other whose boxes meet.
void relate(const Mesh& mesh, const std::vector<MeshPart>& parts, Pair& pair) {
  const bool swapped = parts[pair.first].volume < parts[pair.second].volume;
  const MeshPart &larger = parts[swapped ? pair.second : pair.first],
                 &smaller = parts[swapped ? pair.first : pair.second];
  const Shares shared = sample(mesh, larger, smaller, common(larger.bounds, smaller.bounds));
  if (shared.deepest < least_depth) return;
  pair.position = shared.at;
  const Shares all = sample(mesh, larger, smaller, smaller.bounds);
  const bool one_body = larger.volume - smaller.volume < same_surface * smaller.area;
  pair.relation = one_body || all.second - all.both > least_outside * all.second
                      ? Relation::overlapping
                      : (swapped ? Relation::first_in_second : Relation::second_in_first);
}

/// Pairs of closed parts whose boxes overlap, found by a sweep along x.
std::vector<Pair> neighbours(const std::vector<MeshPart>& parts) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < parts.size(); ++i)
    if (parts[i].closed) order.push_back(i);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t i, std::uint32_t j) { return parts[i].bounds.lower[0] < parts[j].bounds.lower[0]; });
  std::vector<Pair> pairs;
  for (std::size_t k = 0; k < order.size(); ++k)
    for (std::size_t l = k + 1; l < order.size(); ++l) {
      const BoundingBox &a = parts[order[k]].bounds, &b = parts[order[l]].bounds;
      if (b.lower[0] >= a.upper[0]) break;
      const BoundingBox box = common(a, b);
      const Real3 size = box.upper - box.lower;
      if (*std::min_element(size.begin(), size.end()) >= least_depth)
        pairs.push_back({std::min(order[k], order[l]), std::max(order[k], order[l])});
    }
  return pairs;
}

/// Whether the file turns all triangles of a part the same way, and that outward; none if they differ.
std::optional<bool> faces_outward(const MeshPart& part) {
  if (!part.orientable || part.turned.empty()) return {};
  const bool turned = part.turned.front();
  if (std::find(part.turned.begin(), part.turned.end(), !turned) != part.turned.end()) return {};
  return !turned;
}

/// Parts that face the same way as the innermost part around them.
std::vector<std::uint32_t> nested_alike(const std::vector<MeshPart>& parts, const std::vector<Pair>& pairs) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> around;
  for (const Pair& pair : pairs) {
    if (pair.relation == Relation::first_in_second) around[pair.first].push_back(pair.second);
    if (pair.relation == Relation::second_in_first) around[pair.second].push_back(pair.first);
  }
  std::vector<std::uint32_t> found;
  for (const auto& [part, enclosing] : around) {
    const std::uint32_t innermost = *std::min_element(
        enclosing.begin(), enclosing.end(), [&](auto a, auto b) { return parts[a].volume < parts[b].volume; });
    const auto own = faces_outward(parts[part]), other = faces_outward(parts[innermost]);
    if (own && other && *own == *other) found.push_back(part);
  }
  return found;
}

}  // namespace

Overlaps unite_overlaps(Mesh& mesh, const std::vector<MeshPart>& parts) {
  Overlaps found;
  std::vector<Pair> pairs = neighbours(parts);
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(pairs.size()); ++i) relate(mesh, parts, pairs[i]);
  found.nested_alike = nested_alike(parts, pairs);
  DisjointSets families(parts.size());
  std::vector<bool> overlaps(parts.size(), false);
  for (const Pair& pair : pairs) {
    if (pair.relation != Relation::overlapping) continue;
    ++found.pairs;
    if (found.positions.size() < positions_kept) found.positions.push_back(pair.position);
    overlaps[pair.first] = overlaps[pair.second] = true;
    if (parts[pair.first].orientable && parts[pair.second].orientable) families.join(pair.first, pair.second);
  }
  std::vector<bool> inward(parts.size(), false);
  for (const Pair& pair : pairs) {
    if (families.find(pair.first) != families.find(pair.second)) continue;
    if (pair.relation == Relation::first_in_second) inward[pair.first] = !inward[pair.first];
    if (pair.relation == Relation::second_in_first) inward[pair.second] = !inward[pair.second];
  }
  std::map<std::uint32_t, std::uint32_t> numbers;  // of families, from 1 on
  for (std::uint32_t i = 0; i < parts.size(); ++i) {
    if (!overlaps[i]) continue;
    if (!parts[i].orientable) {
      ++found.not_orientable;
      continue;
    }
    ++found.united;
    const auto number = static_cast<std::uint32_t>(numbers.size()) + 1;
    const std::uint32_t family = numbers.try_emplace(families.find(i), number).first->second;
    for (std::size_t k = 0; k < parts[i].triangles.size(); ++k) {
      MeshTriangle& t = mesh.triangles[parts[i].triangles[k]];
      t.family = family;
      if (parts[i].turned[k] != inward[i]) std::swap(t.vertex[1], t.vertex[2]);
    }
  }
  return found;
}

}  // namespace fluvia::geometry
