// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <random>

#include "fluvia/base/error.hpp"
#include "fluvia/geometry/generate/generators.hpp"
#include "fluvia/geometry/map/node_map.hpp"

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

/// Layers of nodes across the last axis, first .. end - 1.
struct Slab {
  int axis, first, end;
  [[nodiscard]] bool contains(int layer) const { return layer >= first && layer < end; }
};

Slab slab_of(const Grid& grid, const Communicator& communicator) {
  const int axis = grid.dimension - 1, edge = tile_shape(grid.dimension)[axis];
  Int3 tiles{};
  tiles[axis] = (grid.size[axis] + edge - 1) / edge;
  const TileRange layers = layers_of(communicator, grid.dimension, tiles);
  const auto node = [&](std::uint64_t layer) { return std::min(static_cast<int>(layer) * edge, grid.size[axis]); };
  return {axis, node(layers.first), node(layers.end)};
}

Int3 size_of(const Grid& grid, const Slab& slab) {
  Int3 size = grid.size;
  size[slab.axis] = slab.end - slab.first;
  return size;
}

/// A slab of the box with periodic images: makes balls solid and counts.
class Packing {
 public:
  Packing(const Grid& grid, const Slab& slab) : grid_(grid), slab_(slab), fluid_(size_of(grid, slab), true) {}

  /// Number of fluid nodes of the slab inside the ball; makes them solid if `clear`.
  std::int64_t add(const Real3& centre, double radius, bool clear) {
    std::int64_t count = 0;
    // In 2D there is one plane, although z counts as periodic.
    const bool flat = grid_.dimension == 2;
    const int z0 = flat ? 0 : first_node(centre[2] - radius), z1 = flat ? 0 : last_node(centre[2] + radius);
    const int y0 = first_node(centre[1] - radius), y1 = last_node(centre[1] + radius);
    for (int z = z0; z <= z1; ++z) {
      const int row_z = place(2, z);
      if (row_z < 0) continue;
      for (int y = y0; y <= y1; ++y) {
        const int row_y = place(1, y);
        if (row_y < 0) continue;
        const SphereRow row = row_of_sphere({centre, radius}, y, z);
        if (row.first <= row.last) count += add_row(fluid_.row(row_y, row_z), row.first, row.last, clear);
      }
    }
    return count;
  }
  /// False if the point lies in a node that is solid; true outside of the box. The slab must be the whole box.
  [[nodiscard]] bool is_fluid(const Real3& point) const {
    Int3 node{};
    for (int axis = 0; axis < grid_.dimension; ++axis) {
      node[axis] = inside(axis, static_cast<int>(std::floor(point[axis])));
      if (node[axis] < 0) return true;
    }
    node[slab_.axis] -= slab_.first;
    return fluid_.get(node);
  }
  Bitmap take() { return std::move(fluid_); }

 private:
  /// Coordinate in the box after wrapping, or -1.
  [[nodiscard]] int inside(int axis, int x) const {
    const int n = grid_.size[axis];
    if (x >= 0 && x < n) return x;
    if (!grid_.periodic[axis]) return -1;
    return ((x % n) + n) % n;
  }
  /// Layer of the slab that a coordinate lies in, or -1.
  [[nodiscard]] int place(int axis, int x) const {
    const int layer = inside(axis, x);
    if (axis != slab_.axis || layer < 0) return layer;
    return slab_.contains(layer) ? layer - slab_.first : -1;
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
  Slab slab_;
  Bitmap fluid_;
};

/// Upper bound of the nodes that a ball can cover: their cells lie within a ball that is half a cell's diagonal wider.
std::int64_t most_nodes(double radius, int dimension) {
  const double wider = radius + 0.9;
  return 1 + static_cast<std::int64_t>(dimension == 3 ? 4.0 / 3 * std::numbers::pi * wider * wider * wider
                                                      : std::numbers::pi * wider * wider);
}

class PackingLayer final : public Layer {
 public:
  PackingLayer(SpherePacking packing, const Grid& grid)
      : dimension_(grid.dimension),
        slab_{grid.dimension - 1, packing.first, packing.first + packing.fluid.size()[grid.dimension - 1]},
        nodes_(make_bitmap_layer(std::move(packing.fluid), corner_of(slab_), 1, grid.dimension, false)),
        spheres_(packing.spheres, grid) {}
  /// Of spheres alone.
  PackingLayer(const std::vector<Sphere>& spheres, const Grid& grid)
      : dimension_(grid.dimension), slab_{grid.dimension - 1, 0, 0}, spheres_(spheres, grid) {}

  [[nodiscard]] std::uint64_t apply(const Int3& tile, std::uint64_t fluid) const override {
    if (nodes_) return nodes_->apply(tile, fluid);
    const Int3 shape = tile_shape(dimension_);
    for (std::uint64_t rest = fluid; rest != 0; rest &= rest - 1) {
      Int3 node = tile_local(dimension_, std::countr_zero(rest));
      for (int a = 0; a < 3; ++a) node[a] += tile[a] * shape[a];
      if (spheres_.covers(node)) fluid &= ~(rest & -rest);
    }
    return fluid;
  }
  [[nodiscard]] Decision decide(const Int3& node) const override {
    if (slab_.contains(node[slab_.axis])) return nodes_->decide(node);
    return spheres_.covers(node) ? Decision::solid : Decision::none;
  }
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
  static Real3 corner_of(const Slab& slab) {
    Real3 corner{};
    corner[slab.axis] = slab.first;
    return corner;
  }
  int dimension_;
  Slab slab_;
  std::unique_ptr<const Layer> nodes_;  ///< bitmap of the slab's nodes; null if spheres say all
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
                           bool centers_in_fluid, Communicator& communicator) {
  check_packing(grid, diameter, porosity);
  // The standard fixes this generator's numbers but not those of its distributions, so the mapping is our own.
  std::mt19937_64 random(seed);
  const auto uniform = [&random] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  const double radius = diameter / 2;
  Communicator& members = centers_in_fluid ? communicator_of_one() : communicator;
  const Slab slab = slab_of(grid, members);
  Packing packing(grid, slab);
  const auto in_all = [&](std::int64_t own) {
    auto count = static_cast<std::uint64_t>(own);
    members.sum({&count, 1});
    return static_cast<std::int64_t>(count);
  };
  std::vector<Sphere> spheres;
  const auto draw = [&] {
    Real3 centre{0, 0, 0.5};
    for (int axis = 0; axis < grid.dimension; ++axis) {
      const double margin = grid.periodic[axis] ? 0 : radius;
      centre[axis] = uniform() * (grid.size[axis] + 2 * margin) - margin;
    }
    return centre;
  };
  const auto place = [&](const Real3& centre, double size) {
    spheres.push_back({centre, size});
    return packing.add(centre, size, true);
  };
  const std::int64_t total = static_cast<std::int64_t>(grid.size[0]) * grid.size[1] * grid.size[2];
  std::int64_t fluid = total;
  const auto target = static_cast<std::int64_t>(std::llround(porosity * static_cast<double>(total)));
  while (fluid > target) {
    const std::int64_t excess = fluid - target;
    // Spheres that cannot be too many, whatever they overlap, need no count in between, so that members need not ask
    // each other.
    if (const std::int64_t sure = excess / most_nodes(radius, grid.dimension); sure > 1 && !centers_in_fluid) {
      std::int64_t taken = 0;
      for (std::int64_t k = 0; k < sure; ++k) taken += place(draw(), radius);
      fluid -= in_all(taken);
      continue;
    }
    const Real3 centre = draw();
    // The loop ends: fluid is left, and a sphere centred in it takes at least that node.
    if (centers_in_fluid && !packing.is_fluid(centre)) continue;
    if (in_all(packing.add(centre, radius, false)) <= excess) {
      fluid -= in_all(place(centre, radius));
      continue;
    }
    // The radius of the last sphere: the largest that does not overshoot.
    double low = 0, high = radius;
    for (int i = 0; i < 40; ++i) {
      const double size = 0.5 * (low + high);
      (in_all(packing.add(centre, size, false)) > excess ? high : low) = size;
    }
    place(centre, low);
    break;
  }
  return {packing.take(), slab.first, std::move(spheres)};
}

std::unique_ptr<const Layer> make_packing_layer(SpherePacking packing, const Grid& grid, int finer) {
  if (finer == 1) return std::make_unique<PackingLayer>(std::move(packing), grid);
  for (Sphere& sphere : packing.spheres) {
    for (int axis = 0; axis < grid.dimension; ++axis) sphere.centre[axis] *= finer;
    sphere.radius *= finer;
  }
  return std::make_unique<PackingLayer>(packing.spheres, grid);
}

}  // namespace fluvia::geometry
