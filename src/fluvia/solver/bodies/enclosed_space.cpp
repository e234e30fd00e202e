// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/bodies/enclosed_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

#include "fluvia/base/error.hpp"
#include "fluvia/geometry/generate/root.hpp"
#include "fluvia/geometry/generate/shapes.hpp"
#include "fluvia/geometry/mesh/parts/parts.hpp"

namespace fluvia {

namespace {

constexpr double most_cells = 1 << 24, most_small_cells = 1 << 22;
/// Cells list triangles that are this near to them, for rounding; lattice units.
constexpr double nearly = 1e-6;
constexpr double longest_way = 1.7320508075688774;  // of a link
/// Stands for the distance of a place whose cell, or the next one, has triangles.
constexpr double hardly_apart = 1e-9;
/// Where in its cell the reference is: on no plane of symmetry, nor in the plane of a face along the axes.
constexpr Real3 reference_part{0.513701, 0.487143, 0.529317};

/// The place on a triangle that is nearest to another one.
Real3 nearest_on(const std::array<Real3, 3>& corner, const Real3& place) {
  const Real3 normal = cross(corner[1] - corner[0], corner[2] - corner[0]);
  bool is_above = true;
  Real3 nearest = corner[0];
  double least = std::numeric_limits<double>::max();
  for (std::size_t k = 0; k < 3; ++k) {
    const Real3 &from = corner[k], along = corner[(k + 1) % 3] - from;
    is_above = is_above && dot(cross(along, place - from), normal) >= 0;
    const double square = dot(along, along), part = square > 0 ? dot(place - from, along) / square : 0;
    const Real3 on_edge = from + std::clamp(part, 0.0, 1.0) * along;
    if (const double apart = dot(on_edge - place, on_edge - place); apart < least) {
      least = apart;
      nearest = on_edge;
    }
  }
  const double square = dot(normal, normal);
  return is_above && square > 0 ? place - (dot(place - corner[0], normal) / square) * normal : nearest;
}

}  // namespace

EnclosedSpace::EnclosedSpace(geometry::Mesh mesh, const std::string& files) : mesh_(std::move(mesh)) {
  for (const geometry::MeshTriangle& t : mesh_.triangles) {
    const auto [a, b, c] = mesh_.corners(t);
    const Real3 normal = cross(b - a, c - a);
    planes_.push_back({normal, dot(normal, a)});
  }
  group_parts(files);
  lay_cells();
  list_triangles();
  find_parts_of_references(files);
  find_reaches();
  find_facings();
}

/// Parts that cannot overlap, since the boxes around them do not, share a bit.
void EnclosedSpace::group_parts(const std::string& files) {
  constexpr std::size_t most_groups = 64;
  part_.resize(mesh_.triangles.size());
  std::vector<std::vector<geometry::BoundingBox>> groups;
  for (const geometry::MeshPart& part : geometry::find_parts(mesh_)) {
    const auto apart = [&](const geometry::BoundingBox& other) {
      for (std::size_t a = 0; a < 3; ++a)
        if (part.bounds.upper[a] < other.lower[a] || other.upper[a] < part.bounds.lower[a]) return true;
      return false;
    };
    std::size_t k = 0;
    while (k < groups.size() && !std::all_of(groups[k].begin(), groups[k].end(), apart)) ++k;
    if (k == most_groups)
      throw_input(
          fmt::format("{}: more than {} closed parts of the surface lie around each other, which is too many "
                      "for a [[body]]; unite them in one surface",
                      files, most_groups));
    if (k == groups.size()) groups.emplace_back();
    groups[k].push_back(part.bounds);
    for (const std::uint32_t t : part.triangles) part_[t] = PartSet{1} << k;
  }
}

void EnclosedSpace::lay_cells() {
  geometry::BoundingBox bounds;
  for (const Real3& vertex : mesh_.vertices) bounds.add(vertex);
  const Real3 size = bounds.upper - bounds.lower;
  const auto count = [&](double edge) { return (size[0] / edge + 10) * (size[1] / edge + 10) * (size[2] / edge + 10); };
  double twice_area = 0;
  for (const Plane& plane : planes_) twice_area += norm(plane.normal);
  const bool is_fine = 4 * twice_area < static_cast<double>(planes_.size());  // triangles much smaller than nodes
  edge_ = is_fine && count(0.5) < most_small_cells ? 0.5 : 1;
  while (count(edge_) > most_cells) edge_ *= 1.25;
  way_cells_ = static_cast<int>(std::ceil(longest_way / edge_));
  for (std::size_t a = 0; a < 3; ++a) {
    low_[a] = bounds.lower[a] - (way_cells_ + nearly) * edge_;
    cells_[a] = static_cast<int>(std::floor((bounds.upper[a] + nearly * edge_ - low_[a]) / edge_)) + 1 + way_cells_;
  }
}

Real3 EnclosedSpace::reference(const Int3& cell) const {
  Real3 place;
  for (std::size_t a = 0; a < 3; ++a) place[a] = low_[a] + (cell[a] + reference_part[a]) * edge_;
  return place;
}

bool EnclosedSpace::locate(const Real3& place, Int3& cell) const {
  for (std::size_t a = 0; a < 3; ++a) {
    const double at = std::floor((place[a] - low_[a]) / edge_);
    if (!(at >= 0 && at < cells_[a])) return false;
    cell[a] = static_cast<int>(at);
  }
  return true;
}

/// Lists triangles in the cells that their boxes and their planes touch.
void EnclosedSpace::list_triangles() {
  const auto for_each_cell = [&](std::uint32_t triangle, const auto& visit) {
    geometry::BoundingBox box;
    for (const Real3& corner : mesh_.corners(mesh_.triangles[triangle])) box.add(corner);
    Int3 first, last;
    for (std::size_t a = 0; a < 3; ++a) {
      first[a] = static_cast<int>(std::floor((box.lower[a] - nearly - low_[a]) / edge_));
      last[a] = static_cast<int>(std::floor((box.upper[a] + nearly - low_[a]) / edge_));
    }
    const Real3& n = planes_[triangle].normal;
    const double half = (0.5 * edge_ + nearly) * (std::abs(n[0]) + std::abs(n[1]) + std::abs(n[2])) + nearly * norm(n);
    for (int z = first[2]; z <= last[2]; ++z)
      for (int y = first[1]; y <= last[1]; ++y)
        for (int x = first[0]; x <= last[0]; ++x) {
          const Real3 middle = low_ + edge_ * Real3{x + 0.5, y + 0.5, z + 0.5};
          if (std::abs(side(triangle, middle)) <= half) visit(index({x, y, z}));
        }
  };
  const auto triangles = static_cast<std::uint32_t>(mesh_.triangles.size());
  first_.assign(
      static_cast<std::size_t>(cells_[0]) * static_cast<std::size_t>(cells_[1]) * static_cast<std::size_t>(cells_[2]) +
          1,
      0);
  for (std::uint32_t t = 0; t < triangles; ++t) for_each_cell(t, [&](std::size_t cell) { ++first_[cell + 1]; });
  for (std::size_t cell = 1; cell < first_.size(); ++cell) first_[cell] += first_[cell - 1];
  listed_.resize(first_.back());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (std::uint32_t t = 0; t < triangles; ++t) for_each_cell(t, [&](std::size_t cell) { listed_[next[cell]++] = t; });
}

bool EnclosedSpace::crosses(std::uint32_t triangle, const Real3& from, const Real3& to) const {
  if ((side(triangle, from) >= 0) == (side(triangle, to) >= 0)) return false;
  const Real3 way = to - from;
  const auto& corner = mesh_.triangles[triangle].vertex;
  // On which side of an edge the way passes; both triangles at an edge ask with its corners in the same order.
  const auto passes_left = [&](std::uint32_t u, std::uint32_t v) {
    const bool turned = v < u;
    if (turned) std::swap(u, v);
    return (dot(way, cross(mesh_.vertices[u] - from, mesh_.vertices[v] - from)) >= 0) != turned;
  };
  const bool left = passes_left(corner[0], corner[1]);
  return passes_left(corner[1], corner[2]) == left && passes_left(corner[2], corner[0]) == left;
}

/// Whether a place lies on a triangle, within rounding.
bool EnclosedSpace::touches(std::uint32_t triangle, const Real3& place) const {
  const Real3& normal = planes_[triangle].normal;
  const double square = dot(normal, normal), above = side(triangle, place);
  if (above * above > square * geometry::on_surface * geometry::on_surface) return false;
  const auto [a, b, c] = mesh_.corners(mesh_.triangles[triangle]);
  const double least = -geometry::on_surface * square;
  return dot(cross(b - a, place - a), normal) >= least && dot(cross(c - b, place - b), normal) >= least &&
         dot(cross(a - c, place - c), normal) >= least;
}

bool EnclosedSpace::encloses(const Real3& place, const Int3& cell) const {
  const std::size_t at = index(cell);
  PartSet inside = inside_[at];
  const Real3 from = reference(cell);
  for (std::uint32_t k = first_[at]; k < first_[at + 1]; ++k) {
    if (touches(listed_[k], place)) return true;
    if (crosses(listed_[k], from, place)) inside ^= part_[listed_[k]];
  }
  return inside != 0;
}

bool EnclosedSpace::encloses(const Real3& place) const {
  Int3 cell;
  return locate(place, cell) && encloses(place, cell);
}

double EnclosedSpace::distance(const Real3& place) const {
  Int3 cell;
  if (!locate(place, cell)) {
    double beyond = 0;
    for (std::size_t a = 0; a < 3; ++a)
      beyond = std::max({beyond, low_[a] - place[a], place[a] - low_[a] - cells_[a] * edge_});
    return beyond + way_cells_ * edge_;
  }
  const double least = std::max(hardly_apart, (reach_[index(cell)] - 1) * edge_);
  return encloses(place, cell) ? -least : least;
}

double EnclosedSpace::near_distance(const Real3& place) const {
  constexpr double near = 1, beside = 1e-5;
  const double bound = distance(place);
  if (std::abs(bound) >= near) return bound;
  double least = near * near;
  Int3 first, last;
  for (std::size_t a = 0; a < 3; ++a) {
    first[a] = std::max(static_cast<int>(std::floor((place[a] - near - low_[a]) / edge_)), 0);
    last[a] = std::min(static_cast<int>(std::floor((place[a] + near - low_[a]) / edge_)), cells_[a] - 1);
  }
  for (int z = first[2]; z <= last[2]; ++z)
    for (int y = first[1]; y <= last[1]; ++y)
      for (int x = first[0]; x <= last[0]; ++x) {
        const std::size_t cell = index({x, y, z});
        for (std::uint32_t k = first_[cell]; k < first_[cell + 1]; ++k) {
          const std::uint32_t triangle = listed_[k];
          const Real3 nearest = nearest_on(mesh_.corners(mesh_.triangles[triangle]), place);
          const double square = dot(nearest - place, nearest - place);
          if (square >= least) continue;
          // Fluid is on one side of the surface at most, and on none of a triangle that lies within the space.
          const Real3 step = (beside / norm(planes_[triangle].normal)) * planes_[triangle].normal;
          if (!encloses(nearest + step) || !encloses(nearest - step)) least = square;
        }
      }
  return bound < 0 ? -std::sqrt(least) : std::sqrt(least);
}

template <class Visit>
void EnclosedSpace::for_each_near(const Real3& from, const Real3& to, const Visit& visit) const {
  Int3 first, last;
  for (std::size_t a = 0; a < 3; ++a) {
    const auto cell = [&](double place) {
      return std::clamp(static_cast<int>(std::floor((place - low_[a]) / edge_)), 0, cells_[a] - 1);
    };
    first[a] = cell(std::min(from[a], to[a]));
    last[a] = cell(std::max(from[a], to[a]));
  }
  const Real3 middle = 0.5 * (from + to), half = 0.5 * (to - from);
  // Whether the way passes by a cell, by the normals of planes along it and along one axis.
  const auto passes_by = [&](const Int3& cell) {
    const double reach = 0.5 * edge_ + nearly;
    Real3 apart;
    for (std::size_t a = 0; a < 3; ++a) apart[a] = low_[a] + (cell[a] + 0.5) * edge_ - middle[a];
    for (std::size_t a = 0; a < 3; ++a) {
      const std::size_t b = (a + 1) % 3;
      if (std::abs(apart[a] * half[b] - apart[b] * half[a]) > reach * (std::abs(half[a]) + std::abs(half[b])) + nearly)
        return true;
    }
    return false;
  };
  for (int z = first[2]; z <= last[2]; ++z)
    for (int y = first[1]; y <= last[1]; ++y)
      for (int x = first[0]; x <= last[0]; ++x) {
        const std::size_t at = index({x, y, z});
        if (first_[at] == first_[at + 1] || passes_by({x, y, z})) continue;
        for (std::uint32_t k = first_[at]; k < first_[at + 1]; ++k) visit(listed_[k]);
      }
}

double EnclosedSpace::entry(const Real3& from, const Real3& to) const {
  double part = 2;
  for_each_near(from, to, [&](std::uint32_t triangle) {
    if (!crosses(triangle, from, to)) return;
    const double before = side(triangle, from), after = side(triangle, to);
    part = std::min(part, before / (before - after));
  });
  if (part <= 1) return std::max(part, 0.0);
  // The way ends on the surface, or grazes an edge, within rounding.
  return geometry::find_root([&](double p) { return encloses(from + p * (to - from)) ? -1.0 : 1.0; });
}

std::optional<Chord> EnclosedSpace::chord(const Real3& from, const Real3& to) const {
  Int3 cell;
  if (!locate(from, cell)) return {};
  const auto& facing = facing_[index(cell)];
  double low = 0, high = 0;  // of the normals along the way
  for (std::size_t a = 0; a < 3; ++a) {
    const double along = to[a] - from[a], least = along * facing[2 * a], most = along * facing[2 * a + 1];
    low += std::min(least, most);
    high += std::max(least, most);
  }
  if (low > 0 || high < 0) return {};
  Chord chord{2, -1};
  for_each_near(from, to, [&](std::uint32_t triangle) {
    if (!crosses(triangle, from, to)) return;
    const double before = side(triangle, from), after = side(triangle, to), part = before / (before - after);
    chord = {std::min(chord.entry, part), std::max(chord.exit, part)};
  });
  if (chord.entry < chord.exit) return chord;
  return {};
}

/// Follows each row of cells from the outside, and back to it.
void EnclosedSpace::find_parts_of_references(const std::string& files) {
  inside_.assign(first_.size() - 1, 0);
  std::vector<std::uint32_t> between;
  for (int z = 0; z < cells_[2]; ++z)
    for (int y = 0; y < cells_[1]; ++y) {
      PartSet inside = 0;
      for (int x = 1; x < cells_[0]; ++x) {
        const std::size_t at = index({x, y, z});
        between.clear();
        std::set_union(listed_.begin() + first_[at - 1], listed_.begin() + first_[at], listed_.begin() + first_[at],
                       listed_.begin() + first_[at + 1], std::back_inserter(between));
        const Real3 from = reference({x - 1, y, z}), to = reference({x, y, z});
        for (const std::uint32_t t : between)
          if (crosses(t, from, to)) inside ^= part_[t];
        inside_[at] = inside;
      }
      if (inside != 0)
        throw_input(
            fmt::format("{}: the surface of a [[body]] must be closed, and a line along x crosses it an odd "
                        "number of times; close its holes",
                        files));
    }
}

/// Two sweeps along each axis: a cell is as far from triangles, in cells along any axis, as the least of what is
/// nearer.
void EnclosedSpace::find_reaches() {
  constexpr int farthest = 255;
  reach_.resize(inside_.size());
  for (std::size_t at = 0; at < reach_.size(); ++at) reach_[at] = first_[at] == first_[at + 1] ? farthest : 0;
  // The greatest of the distances along the axes, and the least over all cells: axis by axis.
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
    std::vector<int> line(static_cast<std::size_t>(cells_[axis]));
    Int3 cell;
    for (cell[v] = 0; cell[v] < cells_[v]; ++cell[v])
      for (cell[u] = 0; cell[u] < cells_[u]; ++cell[u]) {
        for (int i = 0; i < cells_[axis]; ++i) {
          cell[axis] = i;
          line[static_cast<std::size_t>(i)] = reach_[index(cell)];
        }
        for (int i = 0; i < cells_[axis]; ++i) {
          const int own = line[static_cast<std::size_t>(i)];
          int best = own;
          for (int way = 1; way < best; ++way)
            for (const int j : {i - way, i + way})
              if (j >= 0 && j < cells_[axis]) best = std::min(best, std::max(way, line[static_cast<std::size_t>(j)]));
          cell[axis] = i;
          reach_[index(cell)] = static_cast<std::uint8_t>(best);
        }
      }
  }
}

/// Normals of the triangles in all cells that a way of the length of a link may come through.
void EnclosedSpace::find_facings() {
  constexpr std::int8_t most = 127;
  const int away = way_cells_;
  const std::array<std::int8_t, 6> none{most, -most, most, -most, most, -most};
  const auto unite = [](std::array<std::int8_t, 6>& to, const std::array<std::int8_t, 6>& with) {
    for (std::size_t a = 0; a < 6; a += 2) {
      to[a] = std::min(to[a], with[a]);
      to[a + 1] = std::max(to[a + 1], with[a + 1]);
    }
  };
  facing_.assign(inside_.size(), none);
  for (std::size_t at = 0; at < facing_.size(); ++at)
    for (std::uint32_t k = first_[at]; k < first_[at + 1]; ++k) {
      const Real3& normal = planes_[listed_[k]].normal;
      const double length = norm(normal);
      std::array<std::int8_t, 6> own{-most, most, -most, most, -most, most};
      for (std::size_t a = 0; a < 3 && length > 0; ++a) {
        own[2 * a] = static_cast<std::int8_t>(std::max(-127.0, std::floor(most * normal[a] / length)));
        own[2 * a + 1] = static_cast<std::int8_t>(std::min(127.0, std::ceil(most * normal[a] / length)));
      }
      unite(facing_[at], own);
    }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
    std::vector<std::array<std::int8_t, 6>> line(static_cast<std::size_t>(cells_[axis]));
    Int3 cell;
    for (cell[v] = 0; cell[v] < cells_[v]; ++cell[v])
      for (cell[u] = 0; cell[u] < cells_[u]; ++cell[u]) {
        for (cell[axis] = 0; cell[axis] < cells_[axis]; ++cell[axis])
          line[static_cast<std::size_t>(cell[axis])] = facing_[index(cell)];
        for (cell[axis] = 0; cell[axis] < cells_[axis]; ++cell[axis])
          for (int i = std::max(0, cell[axis] - away); i <= std::min(cells_[axis] - 1, cell[axis] + away); ++i)
            unite(facing_[index(cell)], line[static_cast<std::size_t>(i)]);
      }
  }
}

}  // namespace fluvia
