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

/// One PNG file. libpng reports errors by a long jump, so what calls it keeps nothing that has a destructor.
class PngSlice {
 public:
  explicit PngSlice(const std::filesystem::path& file) : path_(file), content_(read_whole_file(file)) {
    reader_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, keep_error, [](png_structp, png_const_charp) {});
    if (reader_ != nullptr) info_ = png_create_info_struct(reader_);
    if (info_ == nullptr) throw_resource(path_.string() + ": libpng has no memory");
    if (!read_header()) fail();
    const std::array<std::uint64_t, 2> sizes{kind_.width, kind_.height};
    image_shape(path_, "its size", sizes);
  }
  ~PngSlice() { png_destroy_read_struct(&reader_, &info_, nullptr); }
  PngSlice(const PngSlice&) = delete;
  PngSlice& operator=(const PngSlice&) = delete;

  [[nodiscard]] const SliceKind& kind() const { return kind_; }

  /// Appends the voxels, one number each, row by row.
  void read(std::vector<unsigned char>& voxels) {
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
      voxels.insert(voxels.end(), pixel, pixel + width);
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
    if (setjmp(png_jmpbuf(reader_)) != 0) return false;
    png_set_read_fn(reader_, this, take);
    png_read_info(reader_, info_);
    kind_.width = png_get_image_width(reader_, info_);
    kind_.height = png_get_image_height(reader_, info_);
    kind_.bytes = png_get_bit_depth(reader_, info_) == 16 ? 2 : 1;
    png_set_packing(reader_);  // bits, and 2 or 4 of them, become bytes of the same value
    if (png_get_color_type(reader_, info_) == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(reader_);
    png_set_interlace_handling(reader_);
    png_read_update_info(reader_, info_);
    channels_ = png_get_channels(reader_, info_);
    row_bytes_ = png_get_rowbytes(reader_, info_);
    return true;
  }
  bool read_rows(png_bytepp rows) {
    if (setjmp(png_jmpbuf(reader_)) != 0) return false;
    png_read_image(reader_, rows);
    png_read_end(reader_, nullptr);
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
  png_structp reader_ = nullptr;
  png_infop info_ = nullptr;
  std::array<char, 200> error_{};
  SliceKind kind_;
  std::size_t channels_ = 1, row_bytes_ = 0;
};

/// The slices, one at a time.
class PngSlices : public ElementSource {
 public:
  explicit PngSlices(const std::filesystem::path& folder) : files_(slices_of(folder, {".png"})) {}

  std::size_t read(void* target, std::size_t count) override {
    std::size_t done = 0;
    while (done < count) {
      if (at_ == slice_.size() && !fill()) break;
      const std::size_t bytes = std::min(count - done, slice_.size() - at_);
      std::memcpy(static_cast<char*>(target) + done, slice_.data() + at_, bytes);
      at_ += bytes;
      done += bytes;
    }
    return done;
  }
  [[nodiscard]] std::uint64_t most_content() const override {
    const SliceKind first = PngSlice(files_.front()).kind();
    return std::uint64_t{first.width} * first.height * static_cast<std::uint64_t>(first.bytes) * files_.size();
  }
  [[nodiscard]] bool packed() const override { return true; }

 private:
  bool fill() {
    if (file_ == files_.size()) return false;
    PngSlice slice(files_[file_]);
    if (file_ == 0) kind_ = slice.kind();
    if (slice.kind() != kind_)
      throw_input(fmt::format("{}: has {}, but '{}' has {}; slices of one image are alike", files_[file_].string(),
                              slice.kind().text(), files_.front().filename().string(), kind_.text()));
    slice_.clear();
    at_ = 0;
    slice.read(slice_);
    ++file_;
    return true;
  }

  std::vector<std::filesystem::path> files_;
  std::size_t file_ = 0, at_ = 0;
  SliceKind kind_;
  std::vector<unsigned char> slice_;
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
