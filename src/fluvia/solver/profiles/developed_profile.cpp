// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/profiles/developed_profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "fluvia/base/error.hpp"

namespace fluvia {

namespace {

/// Kinds of what lies beyond the edge of a cell.
enum class Beside { cell, rim, mirror };

/// Square cells of a plane: cell (i, j) has its middle at origin + edge ((i + 1/2) first + (j + 1/2) second).
struct PlaneGrid {
  Real3 origin{}, first{}, second{};
  double edge = 1;  ///< nodes
  int width = 0, height = 0;
  std::vector<char> inside;
  /// Where the flow goes on: `wraps` along each axis of the grid; `mirrors` at its four edges (low i, high i, low j,
  /// high j).
  bool wraps[2] = {false, false}, mirrors[4] = {false, false, false, false};

  [[nodiscard]] int index(int i, int j) const { return i + width * j; }
  [[nodiscard]] Real3 middle(int i, int j) const { return origin + edge * ((i + 0.5) * first + (j + 0.5) * second); }
  /// The cell beside (i, j) at (di, dj); `to` is its index if there is one.
  [[nodiscard]] Beside beside(int i, int j, int di, int dj, int& to) const {
    int place[2] = {i + di, j + dj};
    const int size[2] = {width, height};
    for (int a = 0; a < 2; ++a) {
      if (place[a] >= 0 && place[a] < size[a]) continue;
      if (wraps[a])
        place[a] = (place[a] + size[a]) % size[a];
      else
        return mirrors[2 * a + (place[a] < 0 ? 0 : 1)] ? Beside::mirror : Beside::rim;
    }
    to = index(place[0], place[1]);
    return inside[to] != 0 ? Beside::cell : Beside::rim;
  }
};

constexpr int steps[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};

/// The negative Laplacian with the rim half a cell away, where the value vanishes.
template <class T>
T minus_laplacian(const PlaneGrid& grid, const std::vector<T>& u, int i, int j) {
  const T own = u[grid.index(i, j)];
  T sum = 0;
  for (const auto& [di, dj] : steps) {
    int to = 0;
    const Beside beside = grid.beside(i, j, di, dj, to);
    if (beside == Beside::cell) sum += own - u[to];
    if (beside == Beside::rim) sum += 2.0 * own;
  }
  return sum;
}

template <class Body>
void for_each_cell(const PlaneGrid& grid, Body&& body) {
  for (int j = 0; j < grid.height; ++j)
    for (int i = 0; i < grid.width; ++i)
      if (grid.inside[grid.index(i, j)] != 0) body(i, j);
}

/// Solves shift u - div grad u = 1 by conjugate gradients. The real matrix is symmetric and positive unless nothing
/// holds the fluid, where u = 1 everywhere. With a complex shift it is symmetric still, not Hermitian, and products
/// without conjugation keep the short recurrence: H. A. van der Vorst & J. B. M. Melissen, IEEE Trans. Magn. 26 (1990)
/// 706.
template <class T>
std::vector<T> solve(const PlaneGrid& grid, T shift) {
  const std::size_t size = grid.inside.size();
  std::vector<T> u(size, 0.0), residual(size, 0.0), direction(size, 0.0), product(size, 0.0);
  bool held = shift != T(0);
  T squared = 0;
  double left = 0;
  for_each_cell(grid, [&](int i, int j) {
    residual[grid.index(i, j)] = direction[grid.index(i, j)] = 1;
    squared += 1;
    left += 1;
    for (const auto& [di, dj] : steps) {
      int to = 0;
      held = held || grid.beside(i, j, di, dj, to) == Beside::rim;
    }
  });
  if (!held) return residual;
  const double enough = 1e-20 * left;
  for (int pass = 0; pass < 20000 && left > enough; ++pass) {
    T along = 0;
    for_each_cell(grid, [&](int i, int j) {
      product[grid.index(i, j)] = minus_laplacian(grid, direction, i, j) + shift * direction[grid.index(i, j)];
      along += direction[grid.index(i, j)] * product[grid.index(i, j)];
    });
    const T step = squared / along;
    T next = 0;
    left = 0;
    for (std::size_t k = 0; k < size; ++k) {
      u[k] += step * direction[k];
      residual[k] -= step * product[k];
      next += residual[k] * residual[k];
      left += std::norm(residual[k]);
    }
    for (std::size_t k = 0; k < size; ++k) direction[k] = residual[k] + next / squared * direction[k];
    squared = next;
  }
  return u;
}

/// The nodes next to a face of the box from which the face is reached straight; of an opening that several levels of
/// refinement share the places of nodes of the finest.
PlaneGrid face_grid(const Geometry& geometry, const Opening& opening, int face, const std::vector<CutLink>& links,
                    const std::vector<Int3>& velocities, const std::vector<bool>& sticks) {
  const NodeMap& nodes = geometry.nodes;
  const int axis = face / 2, a = (axis + 1) % 3, b = (axis + 2) % 3;
  PlaneGrid grid;
  grid.width = nodes.size[a];
  grid.height = nodes.size[b];
  grid.origin[axis] = opening.centroid[axis];
  grid.first[a] = grid.second[b] = 1;
  if (opening.of_levels) {
    const double finer = std::exp2(opening.of_levels->finest - geometry.level);
    grid.edge = 1 / finer;
    if (a < nodes.dimension) grid.width = static_cast<int>(finer * grid.width);
    if (b < nodes.dimension) grid.height = static_cast<int>(finer * grid.height);
    grid.inside = opening.of_levels->inside;
  } else {
    grid.inside.assign(static_cast<std::size_t>(grid.width) * grid.height, 0);
    for (const CutLink& link : links) {
      const Int3& c = velocities[link.direction];
      if (link.surface != opening.surface || c[a] != 0 || c[b] != 0) continue;
      const Int3 x = nodes.node_position(nodes.tiles[link.tile], link.bit);
      grid.inside[grid.index(x[a], x[b])] = 1;
    }
  }
  for (int k = 0; k < 2; ++k) {
    const int across = k == 0 ? a : b;
    grid.wraps[k] = nodes.periodic[across];
    for (int side = 0; side < 2; ++side) grid.mirrors[2 * k + side] = !sticks[2 * across + side];
  }
  return grid;
}

/// Cells of the opening's plane, in 2D of its line, that lie within the rim of the whole. Planes of symmetry are no rim
/// of it: the axes lie along those that cut it, and the cells on either side of one alike.
PlaneGrid tilted_grid(const Opening& opening, int dimension) {
  PlaneGrid grid;
  const Real3& n = opening.normal;
  Real3 helper = std::abs(n[0]) < 0.7 ? Real3{1, 0, 0} : Real3{0, 1, 0};
  if (dimension == 2) helper = {0, 0, 1};
  grid.first = cross(n, helper);
  grid.first = (1 / norm(grid.first)) * grid.first;
  grid.second = cross(n, grid.first);
  // No point of the rim is farther from the centre than that for openings up to ten times as long as wide.
  const double farthest = dimension == 2 ? opening.whole_area : 2 * std::sqrt(opening.whole_area);
  const int half = static_cast<int>(std::ceil(farthest)) + 1;
  grid.width = 2 * half;
  grid.height = dimension == 2 ? 1 : 2 * half;
  grid.wraps[1] = dimension == 2;
  grid.origin = opening.whole_centroid - 0.5 * grid.width * grid.first - 0.5 * grid.height * grid.second;
  grid.inside.assign(static_cast<std::size_t>(grid.width) * grid.height, 0);
  if (!opening.parabola) return grid;
  for (int j = 0; j < grid.height; ++j)
    for (int i = 0; i < grid.width; ++i) grid.inside[grid.index(i, j)] = opening.parabola(grid.middle(i, j)) > 0;
  return grid;
}

/// Interpolates linearly between the middles of cells; beyond the rim the value goes on with the opposite sign, so that
/// it vanishes there.
template <class T>
T interpolate(const PlaneGrid& grid, const std::vector<T>& u, const Real3& point) {
  const double x = dot(point - grid.origin, grid.first) / grid.edge - 0.5,
               y = dot(point - grid.origin, grid.second) / grid.edge - 0.5;
  const double i0 = std::floor(x), j0 = std::floor(y);
  T weighted = 0;
  double weight_inside = 0, outside = 0;
  for (int dj = 0; dj < 2; ++dj)
    for (int di = 0; di < 2; ++di) {
      const double weight = (di == 0 ? 1 - (x - i0) : x - i0) * (dj == 0 ? 1 - (y - j0) : y - j0);
      int i = static_cast<int>(i0) + di, j = static_cast<int>(j0) + dj;
      if (grid.wraps[0]) i = (i + grid.width) % grid.width;
      if (grid.wraps[1]) j = (j + grid.height) % grid.height;
      if (i < 0 && grid.mirrors[0]) i = 0;
      if (i >= grid.width && grid.mirrors[1]) i = grid.width - 1;
      if (j < 0 && grid.mirrors[2]) j = 0;
      if (j >= grid.height && grid.mirrors[3]) j = grid.height - 1;
      const bool inside = i >= 0 && i < grid.width && j >= 0 && j < grid.height && grid.inside[grid.index(i, j)] != 0;
      if (inside) {
        weighted += weight * u[grid.index(i, j)];
        weight_inside += weight;
      } else {
        outside += weight;
      }
    }
  return outside < weight_inside ? weighted - outside * weighted / weight_inside : T(0);
}

PlaneGrid plane_grid(const Geometry& geometry, const Opening& opening, const std::vector<CutLink>& links,
                     const std::vector<Int3>& velocities, const std::vector<bool>& sticks) {
  std::optional<int> face;
  for (int f = 0; f < 6; ++f) {
    const double along = f % 2 == 0 ? -opening.normal[f / 2] : opening.normal[f / 2];
    const double plane = f % 2 == 0 ? 0 : geometry.nodes.size[f / 2];
    if (along > 1 - 1e-9 && std::abs(opening.centroid[f / 2] - plane) < 0.5) face = f;
  }
  PlaneGrid grid = face ? face_grid(geometry, opening, *face, links, velocities, sticks)
                        : tilted_grid(opening, geometry.nodes.dimension);
  if (std::find(grid.inside.begin(), grid.inside.end(), 1) == grid.inside.end())
    throw_input(
        fmt::format("boundary '{}': its profile found no node in the opening; check its place and size", opening.name));
  return grid;
}

template <class T>
std::function<T(const Real3& point)> profile_over(PlaneGrid plane, T shift) {
  const auto grid = std::make_shared<const PlaneGrid>(std::move(plane));
  const auto speeds = std::make_shared<const std::vector<T>>(solve(*grid, shift));
  return [grid, speeds](const Real3& point) { return interpolate(*grid, *speeds, point); };
}

}  // namespace

std::function<double(const Real3& point)> developed_profile(const Geometry& geometry, const Opening& opening,
                                                            const std::vector<CutLink>& links,
                                                            const std::vector<Int3>& velocities,
                                                            const std::vector<bool>& sticks) {
  return profile_over(plane_grid(geometry, opening, links, velocities, sticks), 0.0);
}

std::function<std::complex<double>(const Real3& point)> pulsating_profile(
    const Geometry& geometry, const Opening& opening, const std::vector<CutLink>& links,
    const std::vector<Int3>& velocities, const std::vector<bool>& sticks, double rate) {
  PlaneGrid grid = plane_grid(geometry, opening, links, velocities, sticks);
  const double rate_of_cell = rate * grid.edge * grid.edge;
  return profile_over(std::move(grid), std::complex<double>(0, rate_of_cell));
}

}  // namespace fluvia
