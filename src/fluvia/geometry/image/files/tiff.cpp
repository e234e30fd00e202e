// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <optional>

#include "fluvia/base/apart.hpp"
#include "fluvia/base/bytes.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/base/machine/memory.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/geometry/image/files/image_file.hpp"
#include "fluvia/geometry/image/files/slice_files.hpp"
#ifdef FLUVIA_TIFF
#include <tiffio.h>
#endif

namespace fluvia::geometry {

#ifndef FLUVIA_TIFF

ImageHeader read_tiff_header(const std::filesystem::path& path) {
  throw_input(path.string() +
              ": this build of Fluvia reads no TIFF; install the package libtiff-dev and build it again");
}

std::unique_ptr<ElementSource> open_tiff(const std::filesystem::path& path, const ImageHeader&) {
  read_tiff_header(path);
  return nullptr;
}

#else

namespace {

/// What libtiff last said is wrong; only in the process that reads.
std::string& last_tiff_error() {
  static std::string text;
  return text;
}

void keep_tiff_error(const char*, const char* format, va_list arguments) {
  std::array<char, 200> text{};
  std::vsnprintf(text.data(), text.size(), format, arguments);
  last_tiff_error() = text.data();
}

/// What all pages of an image share.
struct TiffPage {
  std::uint32_t width = 0, height = 0;
  std::uint16_t bits = 8, format = SAMPLEFORMAT_UINT;
  [[nodiscard]] std::string text() const { return fmt::format("{} x {} pixels of {} bits", width, height, bits); }
  bool operator==(const TiffPage&) const = default;
};

struct OpenTiff {
  OpenTiff(const std::filesystem::path& file, std::uint64_t first_page) : path(file) {
    TIFFSetErrorHandler(keep_tiff_error);
    TIFFSetWarningHandler(nullptr);
    handle = TIFFOpen(path.c_str(), "rm");
    if (handle == nullptr) fail("is no TIFF file, or a damaged one");
    for (std::uint64_t page = 0; page < first_page; ++page)
      if (!next()) fail("has lost pages while it was read");
  }
  ~OpenTiff() {
    if (handle != nullptr) TIFFClose(handle);
  }
  OpenTiff(const OpenTiff&) = delete;
  OpenTiff& operator=(const OpenTiff&) = delete;
  [[noreturn]] void fail(const std::string& what) const {
    const std::string& reason = last_tiff_error();
    throw_input(fmt::format("{}: {}{}", path.string(), what, reason.empty() ? "" : " (libtiff: " + reason + ")"));
  }
  [[nodiscard]] bool next() const { return TIFFReadDirectory(handle) != 0; }

  /// Describes the page that is read, and refuses what no label can be read from.
  [[nodiscard]] TiffPage page() const {
    TiffPage page;
    std::uint16_t samples = 1;
    TIFFGetField(handle, TIFFTAG_IMAGEWIDTH, &page.width);
    TIFFGetField(handle, TIFFTAG_IMAGELENGTH, &page.height);
    TIFFGetFieldDefaulted(handle, TIFFTAG_BITSPERSAMPLE, &page.bits);
    TIFFGetFieldDefaulted(handle, TIFFTAG_SAMPLESPERPIXEL, &samples);
    TIFFGetFieldDefaulted(handle, TIFFTAG_SAMPLEFORMAT, &page.format);
    if (page.format == SAMPLEFORMAT_VOID) page.format = SAMPLEFORMAT_UINT;
    std::uint16_t compression = COMPRESSION_NONE;
    TIFFGetFieldDefaulted(handle, TIFFTAG_COMPRESSION, &compression);
    if (TIFFIsCODECConfigured(compression) == 0)
      fail(fmt::format(
          "is compressed by method {}, which this libtiff cannot unpack; save it uncompressed, or packed by "
          "deflate or LZW",
          compression));
    if (samples != 1)
      fail(fmt::format(
          "has {} channels (colours, or an alpha channel), expected 1; save one channel as an image of its own",
          samples));
    const bool real = page.format == SAMPLEFORMAT_IEEEFP;
    const bool whole = page.format == SAMPLEFORMAT_UINT || page.format == SAMPLEFORMAT_INT;
    const bool wide = page.bits == 32 || page.bits == 64;
    if (!(real && wide) && !(whole && (page.bits == 1 || page.bits == 8 || page.bits == 16 || wide)))
      fail(
          fmt::format("has numbers of {} bits in sample format {}, expected whole numbers of 1, 8, 16 or 32 bits, or "
                      "floating-point numbers of 32 or 64",
                      page.bits, page.format));
    const std::array<std::uint64_t, 2> sizes{page.width, page.height};
    image_shape(path, "its size", sizes);
    return page;
  }

  std::filesystem::path path;
  TIFF* handle = nullptr;
};

/// The file, or the TIFF files of a folder in their order.
std::vector<std::filesystem::path> tiff_files(const std::filesystem::path& path) {
  if (std::filesystem::is_directory(path)) return slices_of(path, {".tif", ".tiff"});
  if (path.extension() == ".gz") throw_input(path.string() + ": TIFF inside gzip is not read; unpack it");
  std::error_code unknown;
  if (!std::filesystem::exists(path, unknown)) throw_input(path.string() + ": cannot be opened: there is no such file");
  require_regular_file(path);
  return {path};
}

/// The voxel's edge that ImageJ writes into the description of its stacks; TIFF's own resolution mostly means nothing.
double edge_of_imagej(const OpenTiff& tiff, const std::string& description) {
  const std::size_t at = description.find("\nunit=");
  if (at == std::string::npos) return 0;
  const std::size_t from = at + 6;
  const auto unit = header_unit(description.substr(from, description.find('\n', from) - from));
  float along_x = 0, along_y = 0;
  if (!unit || TIFFGetField(tiff.handle, TIFFTAG_XRESOLUTION, &along_x) == 0 ||
      TIFFGetField(tiff.handle, TIFFTAG_YRESOLUTION, &along_y) == 0 || !(along_x > 0) || !(along_y > 0))
    return 0;
  std::vector<double> edges = {*unit / along_x, *unit / along_y};
  if (const std::size_t spacing = description.find("\nspacing="); spacing != std::string::npos)
    edges.push_back(*unit * std::atof(description.c_str() + spacing + 9));
  ImageHeader voxel;
  set_voxel(voxel, tiff.path, "the edge of a voxel, in m,", edges, 1, UnitSaid::yes);
  return voxel.voxel.value_or(0);
}

/// What the process that reads headers tells of an image.
struct TiffSummary {
  TiffPage page;
  double edge = 0;  ///< of a voxel, m; 0 if unknown
};

/// Counts the pages of all files. Puts a summary and the pages of each file.
void survey_tiff(const std::vector<std::filesystem::path>& files, ByteSink& sink) {
  TiffSummary summary;
  std::vector<std::uint64_t> pages;
  std::uint64_t layers = 0;
  for (const auto& file : files) {
    const OpenTiff tiff(file, 0);
    if (layers == 0) {
      summary.page = tiff.page();
      const char* text = nullptr;
      const std::string description = TIFFGetField(tiff.handle, TIFFTAG_IMAGEDESCRIPTION, &text) != 0 ? text : "";
      if (description.starts_with("ImageJ=")) summary.edge = edge_of_imagej(tiff, description);
      for (const char* kind : {"channels", "frames"}) {
        const std::size_t at = description.find(fmt::format("\n{}=", kind));
        const int count = at == std::string::npos ? 1 : std::atoi(description.c_str() + description.find('=', at) + 1);
        if (count > 1)
          tiff.fail(fmt::format("is a hyperstack of ImageJ with {} {}; save one of them as a stack", count, kind));
      }
      const std::size_t images = description.find("\nimages=");
      if (images != std::string::npos && std::atoi(description.c_str() + images + 8) > 1 &&
          TIFFLastDirectory(tiff.handle) != 0)
        tiff.fail("is a stack of ImageJ beyond 4 GB, whose slices are not pages; save it as a sequence of images");
    }
    pages.push_back(0);
    for (;;) {
      if (const TiffPage page = tiff.page(); page != summary.page)
        tiff.fail(fmt::format("page {} has {}, but the first of the image {}", pages.back() + 1, page.text(),
                              summary.page.text()));
      ++pages.back();
      if (++layers > most_voxels_along) tiff.fail(fmt::format("has more than {} pages", most_voxels_along));
      if (TIFFLastDirectory(tiff.handle) != 0) break;
      if (!tiff.next()) tiff.fail(fmt::format("page {} is damaged", pages.back() + 1));
    }
  }
  sink.put(std::as_bytes(std::span(&summary, 1)));
  sink.put(pages);
}

/// Decodes the pages of a file from `first` on, row by row, into the order of an image.
class TiffDecoder {
 public:
  TiffDecoder(const OpenTiff& tiff, const TiffPage& page, std::vector<unsigned char>& layer)
      : tiff_(tiff), page_(page), layer_(layer) {}

  void decode() {
    if (TIFFIsTiled(tiff_.handle) != 0) {
      std::uint32_t width = 0, height = 0;
      TIFFGetField(tiff_.handle, TIFFTAG_TILEWIDTH, &width);
      TIFFGetField(tiff_.handle, TIFFTAG_TILELENGTH, &height);
      const std::size_t row = static_cast<std::size_t>(TIFFTileRowSize(tiff_.handle));
      make_room(TIFFTileSize(tiff_.handle), row, height);
      for (std::uint32_t y = 0; y < page_.height; y += height)
        for (std::uint32_t x = 0; x < page_.width; x += width) {
          const auto tile = TIFFComputeTile(tiff_.handle, x, y, 0, 0);
          check(TIFFReadEncodedTile(tiff_.handle, tile, part_.data(), static_cast<tmsize_t>(part_.size())));
          put(x, y, std::min(width, page_.width - x), std::min(height, page_.height - y), row);
        }
      return;
    }
    std::uint32_t height = page_.height;
    TIFFGetFieldDefaulted(tiff_.handle, TIFFTAG_ROWSPERSTRIP, &height);
    height = std::clamp(height, std::uint32_t{1}, page_.height);
    const std::size_t row = static_cast<std::size_t>(TIFFScanlineSize(tiff_.handle));
    make_room(TIFFStripSize(tiff_.handle), row, height);
    for (std::uint32_t y = 0; y < page_.height; y += height) {
      const std::uint32_t rows = std::min(height, page_.height - y);
      const tmsize_t got = TIFFReadEncodedStrip(tiff_.handle, TIFFComputeStrip(tiff_.handle, y, 0), part_.data(),
                                                static_cast<tmsize_t>(part_.size()));
      check(got);
      if (static_cast<std::uint64_t>(got) < rows * static_cast<std::uint64_t>(row)) tiff_.fail("is truncated");
      put(0, y, page_.width, rows, row);
    }
  }

 private:
  void check(tmsize_t got) const {
    if (got < 0) tiff_.fail("is damaged");
  }
  void make_room(tmsize_t size, std::size_t row, std::uint32_t rows) {
    const std::uint64_t needed = static_cast<std::uint64_t>(row) * rows;
    if (size <= 0 || row == 0 || static_cast<std::uint64_t>(size) < needed) tiff_.fail("is damaged");
    require_memory(static_cast<std::uint64_t>(size), tiff_.path.string() + ": a part of a page", "is it damaged?");
    part_.assign(static_cast<std::size_t>(size), 0);
  }
  /// Copies the part that was read to where it belongs; bits become bytes.
  void put(std::uint32_t x, std::uint32_t y, std::uint32_t columns, std::uint32_t rows, std::size_t row_bytes) {
    const std::size_t width = std::max(1, page_.bits / 8);
    if (row_bytes * 8 < std::uint64_t{columns} * page_.bits) tiff_.fail("is damaged");
    for (std::uint32_t r = 0; r < rows; ++r) {
      const unsigned char* from = part_.data() + r * row_bytes;
      unsigned char* to = layer_.data() + (static_cast<std::size_t>(y + r) * page_.width + x) * width;
      if (page_.bits == 1) {
        for (std::uint32_t i = 0; i < columns; ++i) to[i] = from[i / 8] >> (7 - i % 8) & 1;
      } else {
        std::memcpy(to, from, columns * width);
      }
    }
  }
  const OpenTiff& tiff_;
  TiffPage page_;
  std::vector<unsigned char>& layer_;
  std::vector<unsigned char> part_;
};

/// The slices, some at a time: whatever libtiff makes of a damaged file happens in a process of its own.
class TiffElements : public PartedElements {
 public:
  TiffElements(const std::filesystem::path& path, const ImageHeader& header)
      : files_(tiff_files(path)), layer_bytes_(header.layer_bytes()) {
    const std::vector<std::byte> bytes =
        read_apart(path, "libtiff", [&](ByteSink& sink) { survey_tiff(files_, sink); });
    std::memcpy(&summary_, bytes.data(), sizeof summary_);
    pages_.resize((bytes.size() - sizeof summary_) / sizeof(std::uint64_t));
    std::memcpy(pages_.data(), bytes.data() + sizeof summary_, pages_.size() * sizeof(std::uint64_t));
    for (const std::uint64_t pages : pages_) layers_ += pages;
  }

  [[nodiscard]] std::uint64_t most_content() const override {
    constexpr std::uint64_t most_packing = 1 << 14;  // more than any compression of TIFF makes of a byte
    std::uint64_t bytes = 0;
    for (const auto& file : files_) bytes += std::filesystem::file_size(file);
    return std::min(layers_ * layer_bytes_, bytes * most_packing);
  }

 private:
  /// Reads the next slices of the file at hand, or of the next one.
  bool fill(std::vector<std::byte>& part) override {
    while (file_ < files_.size() && page_ == pages_[file_]) {
      ++file_;
      page_ = 0;
    }
    if (file_ == files_.size()) return false;
    constexpr std::uint64_t enough = std::uint64_t{64} << 20;
    const std::uint64_t pages = std::clamp<std::uint64_t>(enough / layer_bytes_, 1, pages_[file_] - page_);
    require_memory(2 * pages * layer_bytes_, files_[file_].string() + ": its slices", "crop the image");
    part = read_apart(files_[file_], "libtiff", [&](ByteSink& sink) {
      const OpenTiff tiff(files_[file_], page_);
      std::vector<unsigned char> layer(layer_bytes_);
      for (std::uint64_t k = 0; k < pages; ++k) {
        if ((k > 0 && !tiff.next()) || tiff.page() != summary_.page) tiff.fail("has changed while it was read");
        TiffDecoder(tiff, summary_.page, layer).decode();
        sink.put(layer);
      }
    });
    if (part.size() != pages * layer_bytes_) throw_input(files_[file_].string() + ": is truncated");
    page_ += pages;
    return true;
  }

  std::vector<std::filesystem::path> files_;
  std::uint64_t layer_bytes_, layers_ = 0, page_ = 0;
  TiffSummary summary_;
  std::vector<std::uint64_t> pages_;  ///< of each file
  std::size_t file_ = 0;
};

}  // namespace

ImageHeader read_tiff_header(const std::filesystem::path& path) {
  const std::vector<std::filesystem::path> files = tiff_files(path);
  const std::vector<std::byte> bytes = read_apart(path, "libtiff", [&](ByteSink& sink) { survey_tiff(files, sink); });
  TiffSummary summary;
  std::memcpy(&summary, bytes.data(), sizeof summary);
  std::uint64_t layers = 0;
  for (std::size_t at = sizeof summary; at < bytes.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t pages = 0;
    std::memcpy(&pages, bytes.data() + at, sizeof pages);
    layers += pages;
  }
  ImageHeader header;
  const std::array<std::uint64_t, 3> sizes{summary.page.width, summary.page.height, layers};
  header.shape = image_shape(path, "its size", sizes);
  header.type.kind = summary.page.format == SAMPLEFORMAT_IEEEFP ? ElementType::Kind::real
                     : summary.page.format == SAMPLEFORMAT_INT  ? ElementType::Kind::whole_or_negative
                                                                : ElementType::Kind::whole;
  header.type.bytes = std::max(1, summary.page.bits / 8);
  header.data = path;
  if (summary.edge > 0) header.voxel = summary.edge;
  return header;
}

std::unique_ptr<ElementSource> open_tiff(const std::filesystem::path& path, const ImageHeader& header) {
  return std::make_unique<TiffElements>(path, header);
}

#endif

}  // namespace fluvia::geometry
