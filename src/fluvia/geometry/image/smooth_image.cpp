// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/image/smooth_image.hpp"

#include <algorithm>
#include <cmath>

#include "fluvia/geometry/generate/root.hpp"

namespace fluvia::geometry {
namespace {

constexpr int reach = 2, taps = 2 * reach + 1;
constexpr std::array<int, taps> weights{1, 4, 6, 4, 1};
constexpr int total = 16;
/// Least distance of the field from zero at the centre of a cell.
constexpr double margin = 1.0 / 32;

/// Weighted fluid of five cells along x, by their bits: 1 4 6 4 1.
constexpr std::array<int, 1 << taps> row_weights = [] {
  std::array<int, 1 << taps> sums{};
  for (int bits = 0; bits < 1 << taps; ++bits) {
    for (int i = 0; i < taps; ++i) sums[bits] += (bits >> i & 1) != 0 ? weights[i] : 0;
  }
  return sums;
}();

class SmoothImageLayer final : public Layer {
 public:
  SmoothImageLayer(Bitmap fluid, const Real3& corner, int refine, const Grid& grid, bool extruded)
      : fluid_(std::move(fluid)), corner_(corner), refine_(refine), dimension_(grid.dimension), flat_(extruded) {
    for (int axis = 0; axis < 3; ++axis) {
      count_[axis] = fluid_.size()[axis];
      repeats_[axis] = grid.periodic[axis] && std::abs(corner[axis]) < 1e-6 && count_[axis] * refine == grid.size[axis];
    }
  }

  [[nodiscard]] std::uint64_t apply(const Int3& tile, std::uint64_t fluid) const override {
    if (fluid == 0) return 0;
    const Int3 shape = tile_shape(dimension_);
    std::uint64_t kept = 0;
    const int known = all_alike(tile);
    for (int bit = 0; bit < nodes_per_tile; ++bit) {
      if ((fluid >> bit & 1) == 0) continue;
      const Int3 local = tile_local(dimension_, bit);
      const Int3 node{tile[0] * shape[0] + local[0], tile[1] * shape[1] + local[1], tile[2] * shape[2] + local[2]};
      const Real3 centre = node_centre(node);
      if (inside(centre) && (known >= 0 ? known == 1 : field(centre) > 0)) kept |= std::uint64_t{1} << bit;
    }
    return kept;
  }
  [[nodiscard]] Decision decide(const Int3& node) const override {
    const Real3 centre = node_centre(node);
    return inside(centre) && field(centre) > 0 ? Decision::none : Decision::solid;
  }
  [[nodiscard]] int surface(const Int3&, const Int3&, const Int3&) const override { return surface_id::wall; }
  [[nodiscard]] std::uint64_t content() const override { return fluid_.checksum(); }
  [[nodiscard]] Cut cut(const Link& link) const override {
    // Everything around the image is solid from its outermost faces on.
    if (!inside(node_centre(link.node)) || !inside(node_centre(link.far))) return {};
    return {find_root([&](double part) { return field(link.point(part)); }), Cut::Kind::surface};
  }
  [[nodiscard]] Real3 normal(const Link& link, const Cut& cut) const override {
    if (cut.kind != Cut::Kind::surface) return Layer::normal(link, cut);
    // The difference is taken over a cell, since the field is only piecewise smooth.
    const Real3 gradient =
        unit_gradient([this](const Real3& p) { return field(p); }, link.point(cut.part), 0.5 * refine_, dimension_);
    return norm(gradient) > 0 ? gradient : Layer::normal(link, cut);
  }

 private:
  /// Cell coordinate of a point; centres of cells are whole numbers.
  [[nodiscard]] double in_cells(const Real3& point, int axis) const {
    return (point[axis] - corner_[axis]) / refine_ - 0.5;
  }
  [[nodiscard]] bool inside(const Real3& point) const {
    for (int axis = 0; axis < (flat_ ? 2 : 3); ++axis) {
      const double place = in_cells(point, axis);
      if (place < -0.5 || place >= count_[axis] - 0.5) return false;
    }
    return true;
  }
  [[nodiscard]] int cell(int axis, int i) const {
    const int n = count_[axis];
    if (i >= 0 && i < n) return i;
    return repeats_[axis] ? (i % n + n) % n : std::clamp(i, 0, n - 1);
  }
  /// The bits of the cells x - reach .. x + reach of a row.
  [[nodiscard]] unsigned bits_of(const std::uint64_t* row, int x) const {
    const int first = x - reach;
    if (first < 0 || x + reach >= count_[0]) {
      unsigned bits = 0;
      for (int i = 0; i < taps; ++i) {
        const int c = cell(0, first + i);
        bits |= static_cast<unsigned>(row[c / 64] >> (c % 64) & 1) << i;
      }
      return bits;
    }
    std::uint64_t bits = row[first / 64] >> (first % 64);
    if (first % 64 > 64 - taps) bits |= row[first / 64 + 1] << (64 - first % 64);
    return static_cast<unsigned>(bits) & ((1u << taps) - 1);
  }
  /// The field at the centre of a cell.
  [[nodiscard]] double at_cell(const Int3& place) const {
    const int depth = flat_ ? 0 : reach;
    int sum = 0;
    for (int dz = -depth; dz <= depth; ++dz) {
      const int z = flat_ ? 0 : cell(2, place[2] + dz), weight_z = flat_ ? 1 : weights[dz + reach];
      for (int dy = -reach; dy <= reach; ++dy) {
        const int weight = weight_z * weights[dy + reach];
        sum += weight * row_weights[bits_of(fluid_.row(cell(1, place[1] + dy), z), place[0])];
      }
    }
    const double share = static_cast<double>(sum) / (total * total * (flat_ ? 1 : total));
    const bool is_fluid = fluid_.get({cell(0, place[0]), cell(1, place[1]), flat_ ? 0 : cell(2, place[2])});
    return is_fluid ? std::max(share - 0.5, margin) : std::min(share - 0.5, -margin);
  }
  [[nodiscard]] double field(const Real3& point) const {
    Int3 low{};
    Real3 part{};
    for (int axis = 0; axis < (flat_ ? 2 : 3); ++axis) {
      const double place = in_cells(point, axis), floor = std::floor(place);
      low[axis] = static_cast<int>(floor);
      part[axis] = place - floor;
    }
    double sum = 0;
    for (int corner = 0; corner < 8; ++corner) {
      double weight = 1;
      Int3 place;
      for (int axis = 0; axis < 3; ++axis) {
        const bool upper = (corner >> axis & 1) != 0;
        weight *= upper ? part[axis] : 1 - part[axis];
        place[axis] = low[axis] + (upper ? 1 : 0);
      }
      if (weight > 0) sum += weight * at_cell(place);
    }
    return sum;
  }
  /// 1 or 0 if every cell that a tile's nodes depend on is fluid or solid, else -1.
  [[nodiscard]] int all_alike(const Int3& tile) const {
    const Int3 shape = tile_shape(dimension_);
    Int3 first{}, last{};
    for (int axis = 0; axis < (flat_ ? 2 : 3); ++axis) {
      const double from = tile[axis] * shape[axis] + 0.5 - corner_[axis], to = from + shape[axis] - 1;
      first[axis] = static_cast<int>(std::floor(from / refine_ - 0.5)) - reach;
      last[axis] = static_cast<int>(std::floor(to / refine_ - 0.5)) + 1 + reach;
    }
    const bool value = fluid_.get({cell(0, first[0]), cell(1, first[1]), cell(2, first[2])});
    for (int z = first[2]; z <= last[2]; ++z) {
      for (int y = first[1]; y <= last[1]; ++y) {
        const std::uint64_t* const row = fluid_.row(cell(1, y), cell(2, z));
        for (int x = first[0]; x <= last[0]; ++x) {
          const int c = cell(0, x);
          if (((row[c / 64] >> (c % 64) & 1) != 0) != value) return -1;
        }
      }
    }
    return value ? 1 : 0;
  }

  Bitmap fluid_;
  Real3 corner_;
  Int3 count_{};
  Bool3 repeats_{};
  int refine_, dimension_;
  bool flat_;
};

}  // namespace

std::unique_ptr<const Layer> make_smooth_image_layer(Bitmap fluid, const Real3& corner, int refine, const Grid& grid,
                                                     bool extruded) {
  return std::make_unique<SmoothImageLayer>(std::move(fluid), corner, refine, grid, extruded);
}

}  // namespace fluvia::geometry
