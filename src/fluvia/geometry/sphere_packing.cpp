// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>

#include "fluvia/base/error.hpp"
#include "fluvia/geometry/generators.hpp"

namespace fluvia::geometry {
namespace {

/// Clears (or only counts, if `clear` is false) the set bits first .. last of a row; returns how many were set.
int clear_row(std::uint64_t* row, int first, int last, bool clear) {
  int count = 0;
  for (int word = first / 64; word <= last / 64; ++word) {
    std::uint64_t bits = ~std::uint64_t{0};
    if (word == first / 64) bits &= ~std::uint64_t{0} << (first % 64);
    if (word == last / 64) bits &= ~std::uint64_t{0} >> (63 - last % 64);
    count += std::popcount(row[word] & bits);
    if (clear) row[word] &= ~bits;
  }
  return count;
}

/// The box with periodic images: makes balls solid and counts.
class Packing {
 public:
  explicit Packing(const Grid& grid) : grid_(grid), fluid_(grid.size, true) {}

  /// Number of fluid nodes inside the ball; makes them solid if `clear`.
  std::int64_t add(const Real3& centre, double radius, bool clear) {
    std::int64_t count = 0;
    // In 2D there is one plane, although z counts as periodic.
    const bool flat = grid_.dimension == 2;
    const int z0 = flat ? 0 : first(centre[2] - radius), z1 = flat ? 0 : last(centre[2] + radius);
    for (int z = z0; z <= z1; ++z) {
      const double dz = z + 0.5 - centre[2];
      const int row_z = inside(2, z);
      if (row_z < 0) continue;
      const double ry = std::sqrt(std::max(0.0, radius * radius - dz * dz));
      for (int y = first(centre[1] - ry), y1 = last(centre[1] + ry); y <= y1; ++y) {
        const double dy = y + 0.5 - centre[1], square = ry * ry - dy * dy;
        const int row_y = inside(1, y);
        if (row_y < 0 || square < 0) continue;
        const double rx = std::sqrt(square);
        count += add_row(fluid_.row(row_y, row_z), first(centre[0] - rx), last(centre[0] + rx), clear);
      }
    }
    return count;
  }
  /// False if the point lies in a node that is solid; true outside of the box.
  [[nodiscard]] bool is_fluid(const Real3& point) const {
    Int3 node{};
    for (int axis = 0; axis < grid_.dimension; ++axis) {
      node[axis] = inside(axis, static_cast<int>(std::floor(point[axis])));
      if (node[axis] < 0) return true;
    }
    return fluid_.get(node);
  }
  Bitmap take() { return std::move(fluid_); }

 private:
  static int first(double low) { return static_cast<int>(std::ceil(low - 0.5)); }
  static int last(double high) { return static_cast<int>(std::floor(high - 0.5)); }
  /// Coordinate in the box after wrapping, or -1.
  [[nodiscard]] int inside(int axis, int x) const {
    const int n = grid_.size[axis];
    if (x >= 0 && x < n) return x;
    if (!grid_.periodic[axis]) return -1;
    return ((x % n) + n) % n;
  }
  std::int64_t add_row(std::uint64_t* row, int x0, int x1, bool clear) const {
    const int n = grid_.size[0];
    if (!grid_.periodic[0]) {
      x0 = std::max(x0, 0);
      x1 = std::min(x1, n - 1);
      return x0 <= x1 ? clear_row(row, x0, x1, clear) : 0;
    }
    if (x1 < x0) return 0;
    if (x1 - x0 + 1 >= n) return clear_row(row, 0, n - 1, clear);
    const int low = inside(0, x0), high = inside(0, x1);
    if (low <= high) return clear_row(row, low, high, clear);
    return clear_row(row, low, n - 1, clear) + clear_row(row, 0, high, clear);
  }
  const Grid& grid_;
  Bitmap fluid_;
};

class PackingLayer final : public Layer {
 public:
  PackingLayer(SpherePacking packing, const Grid& grid)
      : nodes_(make_bitmap_layer(std::move(packing.fluid), {0, 0, 0}, 1, grid.dimension, false)),
        spheres_(packing.spheres, grid) {}

  [[nodiscard]] std::uint64_t apply(const Int3& tile, std::uint64_t fluid) const override {
    return nodes_->apply(tile, fluid);
  }
  [[nodiscard]] Decision decide(const Int3& node) const override { return nodes_->decide(node); }
  [[nodiscard]] int surface(const Int3&, const Int3&, const Int3&) const override { return surface_id::wall; }
  [[nodiscard]] Cut cut(const Link& link) const override {
    const auto entry = spheres_.first(link);
    return entry ? Cut{entry->part, Cut::Kind::surface} : Cut{0.5, Cut::Kind::lost};
  }
  [[nodiscard]] Real3 normal(const Link& link, const Cut& cut) const override {
    const auto entry = spheres_.first(link);
    return entry ? entry->normal : Layer::normal(link, cut);
  }

 private:
  std::unique_ptr<const Layer> nodes_;
  SphereCells spheres_;
};

void check_packing(const Grid& grid, double diameter, double porosity) {
  if (!(porosity > 0 && porosity < 1)) {
    throw_input(fmt::format("geometry.generator: porosity is {}, expected a number between 0 and 1", porosity));
  }
  if (!(diameter >= 1) || !std::isfinite(diameter)) {
    throw_input(
        fmt::format("geometry.generator: the spheres have a diameter of {:.4g} nodes, expected at least 1; give "
                    "diameter in case units (one node is {:.6g})",
                    diameter, grid.spacing));
  }
  const int longest = *std::max_element(grid.size.begin(), grid.size.end());
  if (diameter > 2.0 * longest) {
    throw_input(
        fmt::format("geometry.generator: spheres of diameter {:.4g} nodes dwarf the box, whose longest side has {}; "
                    "check diameter and spacing, at most {} nodes are possible",
                    diameter, longest, 2 * longest));
  }
  for (int axis = 0; axis < grid.dimension; ++axis) {
    if (grid.periodic[axis] && diameter > grid.size[axis]) {
      throw_input(
          fmt::format("geometry.generator: spheres of diameter {:.4g} nodes do not fit into the periodic box of "
                      "{} nodes along {}",
                      diameter, grid.size[axis], "xyz"[axis]));
    }
  }
}

}  // namespace

SpherePacking pack_spheres(const Grid& grid, double diameter, double porosity, std::uint64_t seed,
                           bool centers_in_fluid) {
  check_packing(grid, diameter, porosity);
  // The standard fixes this generator's numbers but not those of its distributions, so the mapping is our own.
  std::mt19937_64 random(seed);
  const auto uniform = [&random] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  const double radius = diameter / 2;
  Packing packing(grid);
  std::vector<Sphere> spheres;
  const std::int64_t total = static_cast<std::int64_t>(grid.size[0]) * grid.size[1] * grid.size[2];
  std::int64_t fluid = total;
  const auto target = static_cast<std::int64_t>(std::llround(porosity * static_cast<double>(total)));
  while (fluid > target) {
    Real3 centre{0, 0, 0.5};
    for (int axis = 0; axis < grid.dimension; ++axis) {
      const double margin = grid.periodic[axis] ? 0 : radius;
      centre[axis] = uniform() * (grid.size[axis] + 2 * margin) - margin;
    }
    // Ends: fluid is left, and a sphere centred in it takes at least that node.
    if (centers_in_fluid && !packing.is_fluid(centre)) continue;
    const std::int64_t excess = fluid - target;
    double size = radius;
    if (packing.add(centre, radius, false) > excess) {
      // The last sphere: the largest radius that does not overshoot.
      double low = 0, high = radius;
      for (int i = 0; i < 40; ++i) {
        size = 0.5 * (low + high);
        (packing.add(centre, size, false) > excess ? high : low) = size;
      }
      packing.add(centre, low, true);
      spheres.push_back({centre, low});
      break;
    }
    fluid -= packing.add(centre, size, true);
    spheres.push_back({centre, size});
  }
  return {packing.take(), std::move(spheres)};
}

std::unique_ptr<const Layer> make_packing_layer(SpherePacking packing, const Grid& grid) {
  return std::make_unique<PackingLayer>(std::move(packing), grid);
}

}  // namespace fluvia::geometry
