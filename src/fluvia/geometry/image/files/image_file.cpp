// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/image/files/image_file.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <vector>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/geometry/input_file.hpp"

namespace fluvia::geometry {
namespace {

constexpr std::array headerless{FileFormat{"raw", "|.raw|", "Fluvia, zlib", ""},
                                FileFormat{"text", "|.dat|.txt|", "Fluvia, zlib", ""}};
constexpr std::array self_describing{
    ImageFormat{{"NRRD", "|.nrrd|.nhdr|", "Fluvia, zlib", ""}, read_nrrd_header, open_elements},
    ImageFormat{{"MetaImage", "|.mhd|.mha|", "Fluvia, zlib", ""}, read_meta_image_header, open_elements},
    ImageFormat{{"NumPy", "|.npy|", "Fluvia, zlib", ""}, read_npy_image_header, open_elements},
    ImageFormat{{"NIfTI", "|.nii|", "Fluvia, zlib", ""}, read_nifti_header, open_elements},
    ImageFormat{{"VTK image", "|.vti|", "VTK for Python", "python3-vtk9", Needed::to_run}, read_vti_header, open_vti},
    ImageFormat{{"TIFF", "|.tif|.tiff|", "libtiff", "libtiff-dev", Needed::to_build}, read_tiff_header, open_tiff}};
constexpr std::array flat_masks{ImageFormat{{"PNG", "|.png|", "libpng", ""}, read_mask_header, open_mask},
                                ImageFormat{{"PGM", "|.pgm|", "Fluvia, zlib", ""}, read_mask_header, open_mask}};
/// Formats of folders whose files are slices.
constexpr std::array sliced{
    self_describing.back(),
    ImageFormat{{"PNG slices", "|.png|", "libpng", ""}, read_png_slices_header, open_png_slices}};

/// The format that most files of a folder have; nullptr if none has one.
const ImageFormat* format_of_slices(const std::filesystem::path& folder) {
  std::array<std::size_t, sliced.size()> files{};
  std::error_code unreadable;
  for (std::filesystem::directory_iterator at(folder, unreadable), end; !unreadable && at != end;
       at.increment(unreadable))
    for (std::size_t f = 0; f < sliced.size(); ++f) files[f] += sliced[f].has(at->path()) ? 1 : 0;
  const auto most = std::max_element(files.begin(), files.end());
  return *most == 0 ? nullptr : &sliced[static_cast<std::size_t>(most - files.begin())];
}

/// Elements that stand in a file as they are; the whole file may be packed by gzip.
class PlainElements : public ElementSource {
 public:
  PlainElements(const std::filesystem::path& path, const ImageHeader& header) : file_(path) {
    std::error_code unknown;
    packed_ = file_.most_content() != std::filesystem::file_size(path, unknown);
    if (header.at_end && packed_)
      throw_input(path.string() + ": is packed by gzip, so that it cannot be read from its end; unpack it");
    const std::uint64_t most = file_.most_content();
    std::uint64_t skip = header.at_end ? most - std::min(most, header.bytes()) : header.offset;
    if (skip > most)
      throw_input(fmt::format("{}: its voxels are to begin after {} bytes, but it has {}{}", path.string(), skip,
                              packed_ ? "at most " : "", most));
    most_ = most - skip;
    std::vector<char> part(std::min<std::uint64_t>(skip, 1 << 16));
    while (skip > 0) {
      const std::size_t got = file_.read(part.data(), std::min<std::uint64_t>(skip, part.size()));
      if (got == 0) return;  // whoever reads on says what is missing
      skip -= got;
    }
  }
  std::size_t read(void* target, std::size_t count) override { return file_.read(target, count); }
  [[nodiscard]] std::uint64_t most_content() const override { return most_; }
  [[nodiscard]] bool packed() const override { return packed_; }

 private:
  InputFile file_;
  std::uint64_t most_ = 0;
  bool packed_ = false;
};

/// Elements packed by gzip or zlib behind a header that is not.
class PackedElements : public ElementSource {
 public:
  PackedElements(const std::filesystem::path& path, const ImageHeader& header) : path_(path), part_(1 << 18) {
    require_regular_file(path);
    std::error_code unknown;
    size_ = std::filesystem::file_size(path, unknown);
    if (header.offset > size_)
      throw_input(fmt::format("{}: its voxels are to begin after {} bytes, but it has {}", path.string(), header.offset,
                              size_));
    size_ -= header.offset;
    file_.open(path, std::ios::binary);
    file_.seekg(static_cast<std::streamoff>(header.offset));
    constexpr int gzip_or_zlib = 15 + 32;
    if (!file_ || inflateInit2(&stream_, gzip_or_zlib) != Z_OK) throw_input(path.string() + ": cannot be read");
  }
  ~PackedElements() override { inflateEnd(&stream_); }

  std::size_t read(void* target, std::size_t count) override {
    std::size_t done = 0;
    while (done < count && !ended_) {
      if (stream_.avail_in == 0) {
        file_.read(part_.data(), static_cast<std::streamsize>(part_.size()));
        stream_.next_in = reinterpret_cast<Bytef*>(part_.data());
        stream_.avail_in = static_cast<uInt>(file_.gcount());
        if (stream_.avail_in == 0) fail("truncated");
      }
      const auto room = static_cast<uInt>(std::min<std::size_t>(count - done, 1u << 30));
      stream_.next_out = static_cast<Bytef*>(target) + done;
      stream_.avail_out = room;
      const int code = inflate(&stream_, Z_NO_FLUSH);
      if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
        fail(stream_.msg != nullptr ? stream_.msg : "damaged");
      done += room - stream_.avail_out;
      ended_ = code == Z_STREAM_END;
    }
    return done;
  }
  [[nodiscard]] std::uint64_t most_content() const override {
    constexpr std::uint64_t most_packing = 1032;  // bytes that deflate unpacks from one, at most
    return size_ > ~std::uint64_t{0} / most_packing ? size_ : size_ * most_packing;
  }
  [[nodiscard]] bool packed() const override { return true; }

 private:
  [[noreturn]] void fail(const std::string& reason) const {
    throw_input(fmt::format("{}: its packed voxels are damaged or truncated ({}); fetch or write the file again",
                            path_.string(), reason));
  }
  std::filesystem::path path_;
  std::ifstream file_;
  std::vector<char> part_;
  z_stream stream_{};
  std::uint64_t size_ = 0;
  bool ended_ = false;
};

}  // namespace

std::size_t PartedElements::read(void* target, std::size_t count) {
  std::size_t done = 0;
  while (done < count) {
    if (at_ == part_.size()) {
      if (!fill(part_)) break;
      at_ = 0;
    }
    const std::size_t bytes = std::min(count - done, part_.size() - at_);
    std::memcpy(static_cast<char*>(target) + done, part_.data() + at_, bytes);
    at_ += bytes;
    done += bytes;
  }
  return done;
}

std::span<const FileFormat> plain_formats() {
  return headerless;
}

std::span<const ImageFormat> image_formats() {
  return self_describing;
}

std::span<const ImageFormat> mask_formats() {
  return flat_masks;
}

const ImageFormat* image_format(const std::filesystem::path& file) {
  std::error_code unknown;
  if (std::filesystem::is_directory(file, unknown)) {
    const ImageFormat* format = format_of_slices(file);
    return format != nullptr ? format : &sliced.front();  // which says what it misses
  }
  return find_format(image_formats(), file);
}

std::string image_extensions() {
  return extensions_of(plain_formats()) + ", " + extensions_of(image_formats());
}

std::string slice_extensions() {
  return extensions_of(std::span<const ImageFormat>(sliced));
}

bool has_slices(const std::filesystem::path& folder) {
  return format_of_slices(folder) != nullptr;
}

std::string mask_extensions() {
  return extensions_of(mask_formats());
}

bool is_voxel_image(const std::filesystem::path& file) {
  return find_format(plain_formats(), file) != nullptr || image_format(file) != nullptr;
}

bool is_text_image(const std::filesystem::path& file) {
  return headerless.back().has(file);
}

bool is_mask(const std::filesystem::path& file) {
  return find_format(mask_formats(), file) != nullptr;
}

std::unique_ptr<ElementSource> open_elements(const std::filesystem::path&, const ImageHeader& header) {
  if (header.text) return open_text(header);
  if (header.packed) return std::make_unique<PackedElements>(header.data, header);
  return std::make_unique<PlainElements>(header.data, header);
}

}  // namespace fluvia::geometry
