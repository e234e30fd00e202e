// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/map/bitmap.hpp"

#include <fmt/format.h>

#include <cmath>
#include <span>

#include "fluvia/base/checksum.hpp"
#include "fluvia/base/machine/memory.hpp"

namespace fluvia::geometry {
namespace {

class BitmapLayer final : public Layer {
 public:
  BitmapLayer(Bitmap fluid, const Real3& corner, int refine, int dimension, bool extruded)
      : fluid_(std::move(fluid)), corner_(corner), refine_(refine), dimension_(dimension), extruded_(extruded) {}

  [[nodiscard]] std::uint64_t apply(const Int3& tile, std::uint64_t fluid) const override {
    if (fluid == 0) return 0;
    const Int3 shape = tile_shape(dimension_);
    int cells[3][8];
    for (int axis = 0; axis < 3; ++axis) {
      for (int i = 0; i < shape[axis]; ++i) cells[axis][i] = cell(axis, tile[axis] * shape[axis] + i);
    }
    std::uint64_t kept = 0;
    int bit = 0;
    for (int z = 0; z < shape[2]; ++z) {
      for (int y = 0; y < shape[1]; ++y) {
        const bool inside = cells[2][z] >= 0 && cells[1][y] >= 0;
        const std::uint64_t* const row = inside ? fluid_.row(cells[1][y], cells[2][z]) : nullptr;
        for (int x = 0; x < shape[0]; ++x, ++bit) {
          const int place = cells[0][x];
          if (inside && place >= 0) kept |= (row[place / 64] >> (place % 64) & 1) << bit;
        }
      }
    }
    return fluid & kept;
  }
  [[nodiscard]] Decision decide(const Int3& node) const override {
    const Int3 p{cell(0, node[0]), cell(1, node[1]), cell(2, node[2])};
    const bool fluid = p[0] >= 0 && p[1] >= 0 && p[2] >= 0 && fluid_.get(p);
    return fluid ? Decision::none : Decision::solid;
  }
  [[nodiscard]] int surface(const Int3&, const Int3&, const Int3&) const override { return surface_id::wall; }
  [[nodiscard]] std::uint64_t content() const override { return fluid_.checksum(); }

 private:
  /// Cell that holds the centre of a node, or -1.
  [[nodiscard]] int cell(int axis, int node) const {
    if (axis == 2 && extruded_) return 0;
    const double place = std::floor((node + 0.5 - corner_[axis]) / refine_);
    return place >= 0 && place < fluid_.size()[axis] ? static_cast<int>(place) : -1;
  }
  Bitmap fluid_;
  Real3 corner_;
  int refine_, dimension_;
  bool extruded_;
};

}  // namespace

Bitmap::Bitmap(const Int3& size, bool value)
    : size_(size), words_per_row_((static_cast<std::size_t>(size[0]) + 63) / 64) {
  const std::size_t words = words_per_row_ * size[1] * size[2];
  require_memory(words * sizeof(std::uint64_t),
                 fmt::format("an image of {} x {} x {} cells", size[0], size[1], size[2]),
                 "use fewer cells or a coarser spacing");
  words_.assign(words, value ? ~std::uint64_t{0} : 0);
}

std::uint64_t Bitmap::checksum() const {
  Checksum sum;
  sum.update(std::as_bytes(std::span(words_)));
  return sum.value();
}

Bitmap mirrored(Bitmap bitmap, const Bool3& axes) {
  if (axes == Bool3{}) return bitmap;
  const Int3 half = bitmap.size();
  Int3 size = half;
  for (int axis = 0; axis < 3; ++axis)
    if (axes[axis]) size[axis] *= 2;
  Bitmap result(size, false);
  const auto source = [&](int axis, int i) { return i < half[axis] ? i : 2 * half[axis] - 1 - i; };
  for (int z = 0; z < size[2]; ++z)
    for (int y = 0; y < size[1]; ++y)
      for (int x = 0; x < size[0]; ++x)
        if (bitmap.get({source(0, x), source(1, y), source(2, z)})) result.set({x, y, z});
  return result;
}

std::unique_ptr<const Layer> make_bitmap_layer(Bitmap fluid, const Real3& corner, int refine, int dimension,
                                               bool extruded) {
  return std::make_unique<BitmapLayer>(std::move(fluid), corner, refine, dimension, extruded);
}

}  // namespace fluvia::geometry
