// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "fluvia/geometry/layers/layer.hpp"

namespace fluvia::geometry {

/// One bit per cell of a box.
class Bitmap {
 public:
  Bitmap() = default;
  /// A bitmap whose bits all have this value. Throws Error(resource) if the memory does not suffice.
  Bitmap(const Int3& size, bool value);

  [[nodiscard]] const Int3& size() const { return size_; }
  [[nodiscard]] bool get(const Int3& p) const { return (row(p[1], p[2])[p[0] / 64] >> (p[0] % 64) & 1u) != 0; }
  void set(const Int3& p) { row(p[1], p[2])[p[0] / 64] |= std::uint64_t{1} << (p[0] % 64); }
  /// Checksum of all bits.
  [[nodiscard]] std::uint64_t checksum() const;
  [[nodiscard]] std::uint64_t* row(int y, int z) {
    return words_.data() + words_per_row_ * (y + static_cast<std::size_t>(size_[1]) * z);
  }
  [[nodiscard]] const std::uint64_t* row(int y, int z) const {
    return words_.data() + words_per_row_ * (y + static_cast<std::size_t>(size_[1]) * z);
  }

 private:
  Int3 size_{};
  std::size_t words_per_row_ = 0;
  std::vector<std::uint64_t> words_;
};

/// The bitmap followed by its mirror image along each of these axes.
Bitmap mirrored(Bitmap bitmap, const Bool3& axes);

/// Layer that turns every node solid whose cell is not set, or that lies outside the bitmap. The corner of cell
/// (0,0,0) lies at `corner` (lattice units); a cell is `refine` nodes wide. An extruded bitmap has one cell along z,
/// which reaches through the whole box.
std::unique_ptr<const Layer> make_bitmap_layer(Bitmap fluid, const Real3& corner, int refine, int dimension,
                                               bool extruded);

}  // namespace fluvia::geometry
