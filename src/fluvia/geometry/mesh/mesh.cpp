// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/mesh/mesh.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "fluvia/geometry/mesh/parts/superfluous.hpp"

namespace fluvia::geometry {
namespace {

using Cell = std::array<std::int64_t, 3>;

struct CellHash {
  std::size_t operator()(const Cell& c) const {
    std::uint64_t h = 0;
    for (const std::int64_t part : c) h = (h ^ static_cast<std::uint64_t>(part)) * 0x9e3779b97f4a7c15u + (h >> 29);
    return h;
  }
};

/// Gives equal numbers to points closer than a tolerance, by cells larger than the tolerance.
class Welder {
 public:
  Welder(std::vector<Real3>& vertices, double tolerance) : vertices_(vertices), tolerance_(tolerance) {}

  std::uint32_t insert(const Real3& point) {
    const Cell low = cell(point, -tolerance_), high = cell(point, tolerance_);
    for (std::int64_t z = low[2]; z <= high[2]; ++z) {
      for (std::int64_t y = low[1]; y <= high[1]; ++y) {
        for (std::int64_t x = low[0]; x <= high[0]; ++x) {
          const auto found = first_.find({x, y, z});
          if (found == first_.end()) continue;
          for (std::uint32_t v = found->second; v != none; v = next_[v]) {
            if (norm(vertices_[v] - point) <= tolerance_) return v;
          }
        }
      }
    }
    const auto vertex = static_cast<std::uint32_t>(vertices_.size());
    vertices_.push_back(point);
    auto [place, is_new] = first_.try_emplace(cell(point, 0), vertex);
    next_.push_back(is_new ? none : place->second);
    place->second = vertex;
    return vertex;
  }

 private:
  static constexpr std::uint32_t none = 0xffffffffu;
  [[nodiscard]] Cell cell(const Real3& point, double shift) const {
    Cell c;
    for (int axis = 0; axis < 3; ++axis) {
      c[axis] = static_cast<std::int64_t>(std::floor((point[axis] + shift) / (8 * tolerance_)));
    }
    return c;
  }
  std::vector<Real3>& vertices_;
  double tolerance_;
  std::unordered_map<Cell, std::uint32_t, CellHash> first_;
  std::vector<std::uint32_t> next_;
};

struct Edge {
  std::uint32_t a, b;
  bool operator<(const Edge& o) const { return a != o.a ? a < o.a : b < o.b; }
  bool operator==(const Edge& o) const { return a == o.a && b == o.b; }
};

/// Decomposes edges, of which every vertex has an even number, into simple closed loops.
std::vector<std::vector<std::uint32_t>> trace_loops(const std::vector<Edge>& edges) {
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> neighbours;
  for (const Edge& e : edges) {
    neighbours[e.a].push_back(e.b);
    neighbours[e.b].push_back(e.a);
  }
  std::vector<std::vector<std::uint32_t>> loops;
  for (const Edge& start : edges) {
    while (!neighbours[start.a].empty()) {
      std::vector<std::uint32_t> path{start.a};
      std::unordered_map<std::uint32_t, std::size_t> place{{start.a, 0}};
      while (!path.empty()) {
        auto& open = neighbours[path.back()];
        if (open.empty()) break;
        const std::uint32_t next = open.back();
        open.pop_back();
        auto& back = neighbours[next];
        back.erase(std::find(back.begin(), back.end(), path.back()));
        const auto seen = place.find(next);
        if (seen == place.end()) {
          place.emplace(next, path.size());
          path.push_back(next);
          continue;
        }
        // The walk met itself: what lies in between is a loop of its own.
        const std::size_t first = seen->second;
        loops.emplace_back(path.begin() + static_cast<std::ptrdiff_t>(first), path.end());
        for (std::size_t i = first + 1; i < path.size(); ++i) place.erase(path[i]);
        path.resize(first + 1);
      }
    }
  }
  return loops;
}

}  // namespace

bool has_families(const Mesh& mesh) {
  return std::any_of(mesh.triangles.begin(), mesh.triangles.end(), [](const MeshTriangle& t) { return t.family != 0; });
}

void BoundingBox::add(const Real3& point) {
  for (int axis = 0; axis < 3; ++axis) {
    lower[axis] = std::min(lower[axis], point[axis]);
    upper[axis] = std::max(upper[axis], point[axis]);
  }
}

bool BoundingBox::contains(const Real3& point, double margin) const {
  for (int axis = 0; axis < 3; ++axis) {
    if (point[axis] < lower[axis] - margin || point[axis] > upper[axis] + margin) return false;
  }
  return true;
}

Mesh weld(std::span<const Patch> patches, double tolerance) {
  Mesh mesh;
  std::size_t total = 0;
  double farthest = 0;
  for (const Patch& patch : patches) {
    total += patch.triangles.size();
    for (const auto& corners : patch.triangles)
      for (const Real3& corner : corners)
        for (const double x : corner) farthest = std::max(farthest, std::abs(x));
  }
  mesh.triangles.reserve(total);
  // Closer than this numbers of that size hardly differ, and cells would be too many to be numbered.
  Welder welder(mesh.vertices, std::max({tolerance, 1e-14 * farthest, 1e-300}));
  for (const Patch& patch : patches) {
    for (const auto& corners : patch.triangles) {
      MeshTriangle triangle{{}, patch.surface};
      for (int i = 0; i < 3; ++i) triangle.vertex[i] = welder.insert(corners[i]);
      const auto& v = triangle.vertex;
      if (v[0] != v[1] && v[1] != v[2] && v[2] != v[0]) mesh.triangles.push_back(triangle);
    }
  }
  drop_superfluous(mesh);
  return mesh;
}

MeshDefects find_defects(const Mesh& mesh) {
  std::vector<Edge> edges;
  edges.reserve(3 * mesh.triangles.size());
  for (const MeshTriangle& t : mesh.triangles) {
    for (int i = 0; i < 3; ++i) {
      const std::uint32_t a = t.vertex[i], b = t.vertex[(i + 1) % 3];
      edges.push_back({std::min(a, b), std::max(a, b)});
    }
  }
  std::sort(edges.begin(), edges.end());
  MeshDefects defects;
  std::vector<Edge> open;
  for (std::size_t i = 0; i < edges.size();) {
    std::size_t end = i;
    while (end < edges.size() && edges[end] == edges[i]) ++end;
    if ((end - i) % 2 == 1) open.push_back(edges[i]);
    if (end - i > 2) {
      defects.non_manifold_edges.push_back(0.5 * (mesh.vertices[edges[i].a] + mesh.vertices[edges[i].b]));
    }
    i = end;
  }
  for (auto& loop : trace_loops(open)) defects.loops.push_back(measure_loop(mesh, std::move(loop)));
  std::stable_sort(defects.loops.begin(), defects.loops.end(),
                   [](const Loop& a, const Loop& b) { return a.area > b.area; });
  return defects;
}

Loop measure_loop(const Mesh& mesh, std::vector<std::uint32_t> vertices) {
  Loop loop;
  loop.vertices = std::move(vertices);
  const std::size_t count = loop.vertices.size();
  Real3 middle{};
  double perimeter = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Real3 a = mesh.vertices[loop.vertices[i]], b = mesh.vertices[loop.vertices[(i + 1) % count]];
    const double length = norm(b - a);
    middle = middle + (0.5 * length) * (a + b);
    perimeter += length;
  }
  if (perimeter > 0) middle = (1 / perimeter) * middle;
  Real3 area_vector{};
  for (std::size_t i = 0; i < count; ++i) {
    const Real3 a = mesh.vertices[loop.vertices[i]], b = mesh.vertices[loop.vertices[(i + 1) % count]];
    area_vector = area_vector + 0.5 * cross(a - middle, b - middle);
  }
  loop.area = norm(area_vector);
  loop.centroid = middle;
  // A loop without area (a slit) has no plane of its own.
  if (loop.area < 1e-9 * perimeter * perimeter) {
    loop.normal = {0, 0, 1};
    return loop;
  }
  loop.normal = (1 / loop.area) * area_vector;
  Real3 shift{};
  for (std::size_t i = 0; i < count; ++i) {
    const Real3 a = mesh.vertices[loop.vertices[i]] - middle,
                b = mesh.vertices[loop.vertices[(i + 1) % count]] - middle;
    shift = shift + (0.5 * dot(cross(a, b), loop.normal) / 3) * (a + b);
  }
  loop.centroid = middle + (1 / loop.area) * shift;
  return loop;
}

std::size_t fill_loop(Mesh& mesh, const Loop& loop, int surface) {
  const std::size_t first = mesh.triangles.size(), count = loop.vertices.size();
  if (count == 3) {
    mesh.triangles.push_back({{loop.vertices[0], loop.vertices[1], loop.vertices[2]}, surface});
    return first;
  }
  const auto apex = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.push_back(loop.centroid);
  for (std::size_t i = 0; i < count; ++i) {
    mesh.triangles.push_back({{loop.vertices[i], loop.vertices[(i + 1) % count], apex}, surface});
  }
  return first;
}

}  // namespace fluvia::geometry
