// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstring>
#include <vector>

#include "fluvia/base/error.hpp"
#include "fluvia/base/machine/memory.hpp"
#include "fluvia/geometry/image/files/image_file.hpp"
#include "fluvia/geometry/image/files/slice_files.hpp"
#include "fluvia/geometry/input_file.hpp"

namespace fluvia::geometry {
namespace {

/// What all slices of an image share.
struct SliceKind {
  std::uint32_t width = 0, height = 0;
  int bytes = 1;  ///< of a voxel
  [[nodiscard]] std::string text() const { return fmt::format("{} x {} pixels of {} bits", width, height, 8 * bytes); }
  bool operator==(const SliceKind&) const = default;
};

/// Frees what libpng holds; a base class, so that it does so when the constructor of PngSlice throws.
struct PngHandles {
  png_structp reader = nullptr;
  png_infop info = nullptr;
  PngHandles() = default;
  ~PngHandles() { png_destroy_read_struct(&reader, &info, nullptr); }
  PngHandles(const PngHandles&) = delete;
  PngHandles& operator=(const PngHandles&) = delete;
};

/// One PNG file. libpng reports errors by a long jump, so what calls it keeps nothing that has a destructor.
class PngSlice : PngHandles {
 public:
  explicit PngSlice(const std::filesystem::path& file) : path_(file), content_(read_whole_file(file)) {
    reader = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, keep_error, [](png_structp, png_const_charp) {});
    if (reader != nullptr) info = png_create_info_struct(reader);
    if (info == nullptr) throw_resource(path_.string() + ": libpng has no memory");
    if (!read_header()) fail();
    const std::array<std::uint64_t, 2> sizes{kind_.width, kind_.height};
    image_shape(path_, "its size", sizes);
  }

  [[nodiscard]] const SliceKind& kind() const { return kind_; }

  /// Appends the voxels, one number each, row by row.
  void read(std::vector<std::byte>& voxels) {
    const std::uint64_t bytes = std::uint64_t{row_bytes_} * kind_.height;
    constexpr std::uint64_t most_packing = 1032;  // bytes that deflate unpacks from one, at most
    if (bytes / most_packing > content_.size())
      throw_input(
          fmt::format("{}: truncated: {} need more than its {} bytes", path_.string(), kind_.text(), content_.size()));
    require_memory(2 * bytes, path_.string() + ": the slice", "crop the image");
    std::vector<unsigned char> pixels(bytes);
    std::vector<png_bytep> rows(kind_.height);
    for (std::size_t y = 0; y < rows.size(); ++y) rows[y] = pixels.data() + y * row_bytes_;
    if (!read_rows(rows.data())) fail();
    const auto width = static_cast<std::size_t>(kind_.bytes);
    for (std::uint64_t at = 0; at < bytes; at += channels_ * width) {
      const unsigned char* pixel = pixels.data() + at;
      check_grey(pixel, width);
      const auto* const bytes_of_voxel = reinterpret_cast<const std::byte*>(pixel);
      voxels.insert(voxels.end(), bytes_of_voxel, bytes_of_voxel + width);
    }
  }

 private:
  static void keep_error(png_structp reader, png_const_charp message) {
    auto& error = static_cast<PngSlice*>(png_get_error_ptr(reader))->error_;
    std::strncpy(error.data(), message, error.size() - 1);
    png_longjmp(reader, 1);
  }
  static void take(png_structp reader, png_bytep target, std::size_t count) {
    auto& slice = *static_cast<PngSlice*>(png_get_io_ptr(reader));
    if (slice.content_.size() - slice.at_ < count) png_error(reader, "the file is truncated");
    std::memcpy(target, slice.content_.data() + slice.at_, count);
    slice.at_ += count;
  }
  [[noreturn]] void fail() const {
    throw_input(fmt::format("{}: damaged PNG image, or none: {}", path_.string(), error_.data()));
  }

  bool read_header() {
    if (setjmp(png_jmpbuf(reader)) != 0) return false;
    png_set_read_fn(reader, this, take);
    png_read_info(reader, info);
    kind_.width = png_get_image_width(reader, info);
    kind_.height = png_get_image_height(reader, info);
    kind_.bytes = png_get_bit_depth(reader, info) == 16 ? 2 : 1;
    png_set_packing(reader);  // bits, and 2 or 4 of them, become bytes of the same value
    if (png_get_color_type(reader, info) == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(reader);
    png_set_interlace_handling(reader);
    png_read_update_info(reader, info);
    channels_ = png_get_channels(reader, info);
    row_bytes_ = png_get_rowbytes(reader, info);
    return true;
  }
  bool read_rows(png_bytepp rows) {
    if (setjmp(png_jmpbuf(reader)) != 0) return false;
    png_read_image(reader, rows);
    png_read_end(reader, nullptr);
    return true;
  }

  /// Colours that are grey are read; others, and what is transparent, are no labels.
  void check_grey(const unsigned char* pixel, std::size_t width) const {
    const bool alpha = channels_ == 2 || channels_ == 4;
    const std::size_t colours = channels_ - (alpha ? 1 : 0);
    for (std::size_t c = 1; c < colours; ++c)
      if (std::memcmp(pixel, pixel + c * width, width) != 0)
        throw_input(path_.string() + ": has pixels of colours, expected grey values; save the slices in grey");
    for (std::size_t b = 0; alpha && b < width; ++b)
      if (pixel[colours * width + b] != 255)
        throw_input(path_.string() + ": has transparent pixels; save the slices without an alpha channel");
  }

  std::filesystem::path path_;
  std::string content_;
  std::size_t at_ = 0;
  std::array<char, 200> error_{};
  SliceKind kind_;
  std::size_t channels_ = 1, row_bytes_ = 0;
};

/// The slices, one at a time.
class PngSlices : public PartedElements {
 public:
  explicit PngSlices(const std::filesystem::path& folder) : files_(slices_of(folder, {".png"})) {}

  [[nodiscard]] std::uint64_t most_content() const override {
    const SliceKind first = PngSlice(files_.front()).kind();
    return std::uint64_t{first.width} * first.height * static_cast<std::uint64_t>(first.bytes) * files_.size();
  }

 private:
  bool fill(std::vector<std::byte>& part) override {
    if (file_ == files_.size()) return false;
    PngSlice slice(files_[file_]);
    if (file_ == 0) kind_ = slice.kind();
    if (slice.kind() != kind_)
      throw_input(fmt::format("{}: has {}, but '{}' has {}; slices of one image are alike", files_[file_].string(),
                              slice.kind().text(), files_.front().filename().string(), kind_.text()));
    part.clear();
    slice.read(part);
    ++file_;
    return true;
  }

  std::vector<std::filesystem::path> files_;
  std::size_t file_ = 0;
  SliceKind kind_;
};

}  // namespace

ImageHeader read_png_slices_header(const std::filesystem::path& folder) {
  const std::vector<std::filesystem::path> files = slices_of(folder, {".png"});
  const SliceKind kind = PngSlice(files.front()).kind();
  ImageHeader header;
  const std::array<std::uint64_t, 3> sizes{kind.width, kind.height, files.size()};
  header.shape = image_shape(folder, "its size", sizes);
  header.type.bytes = kind.bytes;
  header.big_endian = kind.bytes > 1;  // PNG's order of bytes
  header.data = folder;
  return header;
}

std::unique_ptr<ElementSource> open_png_slices(const std::filesystem::path& folder, const ImageHeader&) {
  return std::make_unique<PngSlices>(folder);
}

}  // namespace fluvia::geometry
