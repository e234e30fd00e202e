// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fluvia/base/vector.hpp"

namespace fluvia::geometry {

/// The number that a file keeps for a voxel.
struct ElementType {
  enum class Kind { whole, whole_or_negative, real };
  Kind kind = Kind::whole;
  int bytes = 1;  ///< 1, 2, 4, 8

  [[nodiscard]] bool real() const { return kind == Kind::real; }
  [[nodiscard]] double least() const;
  [[nodiscard]] double most() const;
  /// "uint16", as NumPy says.
  [[nodiscard]] std::string name() const;
  /// The value of the element whose bytes begin at `bytes`.
  [[nodiscard]] double value(const unsigned char* bytes, bool big_endian) const;
};

/// All that has to be known of an image to read its voxels, whatever its format: readers of headers fill it in.
struct ImageHeader {
  Int3 shape{};  ///< voxels along x, y, z; one layer if the image is flat
  ElementType type;
  bool big_endian = false;
  bool x_fastest = true;        ///< false: z changes from one element to the next
  bool packed = false;          ///< by gzip or zlib, from `offset` on
  bool text = false;            ///< numbers in text, which are handed on as float64; `packed` and `offset` mean nothing
  bool at_end = false;          ///< the elements are the last bytes of the file, whatever stands before them
  std::uint64_t offset = 0;     ///< bytes before the first element
  std::filesystem::path data;   ///< file of the elements
  std::optional<double> voxel;  ///< edge of a voxel, m, where the header says it together with its unit
  std::string why_no_voxel;     ///< otherwise: why not, as the end of a sentence; empty where there is no size
  std::string orientation;  ///< where the header says that the axes of space are others than x, y, z of the file: how

  [[nodiscard]] std::uint64_t row_bytes() const { return std::uint64_t(x_fastest ? shape[0] : shape[2]) * type.bytes; }
  [[nodiscard]] std::uint64_t layer_bytes() const { return row_bytes() * static_cast<std::uint64_t>(shape[1]); }
  [[nodiscard]] int layers() const { return x_fastest ? shape[2] : shape[0]; }
  [[nodiscard]] std::uint64_t bytes() const { return layer_bytes() * static_cast<std::uint64_t>(layers()); }
};

/// Most voxels along an axis.
inline constexpr std::uint64_t most_voxels_along = 1 << 20;

/// The shape of an image whose sizes, x first, the header of `file` gives under `key`. Throws Error(input) unless there
/// are two or three, each from 1 to most_voxels_along.
Int3 image_shape(const std::filesystem::path& file, std::string_view key, std::span<const std::uint64_t> sizes);

/// How a header says the unit of its spacing.
enum class UnitSaid { yes, by_convention, no };

/// Sets the voxel's edge from spacings along the axes, in metres times `unit`; numbers that are NaN mean that nothing
/// is known. A unit by convention is believed below 1 mm only, as programs write 1 where they know nothing. Throws
/// Error(input) for spacings that are no lengths, or differ from each other: voxels are cubes.
void set_voxel(ImageHeader& header, const std::filesystem::path& file, std::string_view key,
               std::span<const double> spacings, double unit, UnitSaid said);

/// Notes where the axes of the voxels point in the space of the header, if that is not along x, y, z: what `key` says.
/// `directions`: the vectors of x, y, z, one after the other, of any length. Voxels stay as they are stored.
void set_orientation(ImageHeader& header, std::string_view key, const std::array<double, 9>& directions);

/// Metres of a unit of length as headers name it (um, µm, micron, mm, millimetre, ...); none if it is unknown.
std::optional<double> header_unit(std::string_view name);

}  // namespace fluvia::geometry
