// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/image/mask.hpp"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <cctype>
#include <cstring>

#include "fluvia/base/error.hpp"
#include "fluvia/base/machine/memory.hpp"
#include "fluvia/geometry/image/files/image_file.hpp"
#include "fluvia/geometry/image/image_part.hpp"
#include "fluvia/geometry/input_file.hpp"

namespace fluvia::geometry {
namespace {

constexpr int largest_side = 1 << 20;
constexpr std::uint64_t largest_image = (std::uint64_t{1} << 31) - 1;  // pixels; libpng reads no more with two channels

void check_image_size(const std::filesystem::path& path, std::int64_t width, std::int64_t height) {
  if (width < 1 || height < 1 || width > largest_side || height > largest_side ||
      static_cast<std::uint64_t>(width) * height > largest_image) {
    throw_input(fmt::format("{}: an image of {} x {} pixels; expected 1 to {} along each side, {} at most",
                            path.string(), width, height, largest_side, largest_image));
  }
}

bool is_png(const std::string& content) {
  return content.size() >= 8 && png_sig_cmp(reinterpret_cast<png_const_bytep>(content.data()), 0, 8) == 0;
}

/// Throws unless the file has the least length that the pixels it claims to have take, and memory has room for the
/// image.
void check_claim(const std::filesystem::path& path, const std::string& content, std::uint64_t pixels,
                 std::uint64_t least_bytes) {
  constexpr std::uint64_t small = 1 << 20;  // costs nothing: whoever reads the pixels says which one is missing
  if (pixels <= small) return;
  if (content.size() < least_bytes) {
    throw_input(fmt::format("{}: truncated: its header claims {} pixels, which take at least {} bytes, but it has {}",
                            path.string(), pixels, least_bytes, content.size()));
  }
  require_memory(3 * pixels, path.string() + ": the image", "crop or scale it down");
}

/// Frees what libpng holds; a base class, so that it does so when the constructor of PngReader throws.
struct PngImage {
  png_image image{};
  PngImage() = default;
  ~PngImage() { png_image_free(&image); }
  PngImage(const PngImage&) = delete;
  PngImage& operator=(const PngImage&) = delete;
};

/// libpng's simplified interface.
struct PngReader : PngImage {
  PngReader(const std::filesystem::path& path, const std::string& content) {
    image.version = PNG_IMAGE_VERSION;
    if (png_image_begin_read_from_memory(&image, content.data(), content.size()) == 0) fail(path);
    check_image_size(path, image.width, image.height);
    constexpr std::size_t depth_at = 24;  // byte of the header's chunk, which comes first, with the bits of a sample
    const std::uint64_t pixels = static_cast<std::uint64_t>(image.width) * image.height;
    const std::uint64_t bits = content.size() > depth_at ? static_cast<unsigned char>(content[depth_at]) : 1;
    constexpr std::uint64_t most_packing = 1032;  // bytes that deflate unpacks from one, at most
    check_claim(path, content, pixels, std::max<std::uint64_t>(bits, 1) * pixels / 8 / most_packing);
  }
  [[noreturn]] void fail(const std::filesystem::path& path) const {
    throw_input(path.string() + ": damaged PNG image: " + image.message);
  }
};

GreyImage read_png(const std::filesystem::path& path, const std::string& content) {
  PngReader reader(path, content);
  // Keep an alpha channel apart instead of blending with a background.
  reader.image.format = PNG_FORMAT_GA;
  GreyImage result{static_cast<int>(reader.image.width), static_cast<int>(reader.image.height), {}};
  std::vector<std::uint8_t> buffer(PNG_IMAGE_SIZE(reader.image));
  if (png_image_finish_read(&reader.image, nullptr, buffer.data(), 0, nullptr) == 0) reader.fail(path);
  result.pixels.resize(buffer.size() / 2);
  std::size_t ambiguous = 0;
  for (std::size_t i = 0; i < result.pixels.size(); ++i) {
    constexpr int opaque = 255, white = 255, seen = 16;
    const int grey = buffer[2 * i], alpha = buffer[2 * i + 1];
    result.pixels[i] = buffer[2 * i];
    ambiguous += (white - grey) * (opaque - alpha) > seen * opaque;  // white behind it would show
  }
  if (ambiguous > 0)
    throw_input(fmt::format(
        "{}: {} of {} pixels are transparent, over a colour that viewers do not show, so that it is not clear what "
        "they "
        "are; put the image on a background first, for example: magick {} -background white -alpha remove opaque.png",
        path.string(), ambiguous, result.pixels.size(), path.filename().string()));
  return result;
}

/// Numbers of a PGM header, separated by blanks and comments.
class PgmReader {
 public:
  PgmReader(const std::filesystem::path& path, const std::string& content) : path_(path), content_(content) {
    if (content.size() < 3 || content[0] != 'P' || (content[1] != '2' && content[1] != '5')) {
      throw_input(path.string() + ": neither a PNG image nor a PGM image (P2 or P5)");
    }
    width_ = number("the width");
    height_ = number("the height");
    check_image_size(path, width_, height_);
    largest_ = number("the largest grey value");
    if (largest_ < 1 || largest_ > 65535) {
      throw_input(fmt::format("{}: the largest grey value is {}, expected 1 to 65535", path.string(), largest_));
    }
  }
  [[nodiscard]] std::array<int, 2> size() const { return {static_cast<int>(width_), static_cast<int>(height_)}; }

  GreyImage pixels() {
    GreyImage image{static_cast<int>(width_), static_cast<int>(height_), {}};
    const std::size_t count = static_cast<std::size_t>(width_) * height_;
    const std::size_t width = largest_ > 255 ? 2 : 1;
    if (content_[1] == '5') {
      ++position_;  // exactly one blank after the header
      if (content_.size() < position_ + count * width) {
        throw_input(fmt::format("{}: truncated: {} x {} pixels need {} bytes after the header, found {}",
                                path_.string(), width_, height_, count * width,
                                content_.size() - std::min(position_, content_.size())));
      }
    }
    check_claim(path_, content_, count, content_[1] == '5' ? count * width : 2 * count - 1);
    image.pixels.resize(count);
    const auto* bytes = reinterpret_cast<const unsigned char*>(content_.data()) + position_;
    for (std::size_t i = 0; i < count; ++i) {
      const long value = content_[1] == '2' ? number("pixel " + std::to_string(i + 1))
                         : width == 1       ? bytes[i]
                                            : bytes[2 * i] << 8 | bytes[2 * i + 1];
      image.pixels[i] = static_cast<std::uint8_t>(std::min(value, largest_) * 255 / largest_);
    }
    return image;
  }

 private:
  long number(const std::string& what) {
    while (position_ < content_.size()) {
      if (content_[position_] == '#') {
        while (position_ < content_.size() && content_[position_] != '\n') ++position_;
      } else if (std::isspace(static_cast<unsigned char>(content_[position_]))) {
        ++position_;
      } else {
        break;
      }
    }
    long value = 0;
    const std::size_t start = position_;
    while (position_ < content_.size() && std::isdigit(static_cast<unsigned char>(content_[position_]))) {
      value = std::min(value * 10 + (content_[position_++] - '0'), 1L << 40);
    }
    if (position_ == start) {
      throw_input(fmt::format("{}: damaged PGM image: expected {} at byte {}", path_.string(), what, start));
    }
    return value;
  }
  const std::filesystem::path& path_;
  const std::string& content_;
  std::size_t position_ = 2;
  long width_ = 0, height_ = 0, largest_ = 0;
};

}  // namespace

GreyImage read_image(const std::filesystem::path& path) {
  const std::string content = read_whole_file(path);
  if (content.empty()) throw_input(path.string() + ": the file is empty, expected a PNG or PGM image");
  return is_png(content) ? read_png(path, content) : PgmReader(path, content).pixels();
}

std::array<int, 2> read_image_size(const std::filesystem::path& path) {
  const std::string content = read_whole_file(path);
  if (content.empty()) throw_input(path.string() + ": the file is empty, expected a PNG or PGM image");
  if (!is_png(content)) return PgmReader(path, content).size();
  const PngReader reader(path, content);
  return {static_cast<int>(reader.image.width), static_cast<int>(reader.image.height)};
}

namespace {

/// Pixels that are in memory, the lowest row first.
class MaskElements : public ElementSource {
 public:
  explicit MaskElements(GreyImage image) : image_(std::move(image)) {}
  std::size_t read(void* target, std::size_t count) override {
    const auto width = static_cast<std::size_t>(image_.width);
    std::size_t done = 0;
    for (; done < count && at_ < image_.pixels.size(); ++done, ++at_) {
      const std::size_t row = static_cast<std::size_t>(image_.height) - 1 - at_ / width;
      static_cast<unsigned char*>(target)[done] = image_.pixels[row * width + at_ % width];
    }
    return done;
  }
  [[nodiscard]] std::uint64_t most_content() const override { return image_.pixels.size(); }
  [[nodiscard]] bool packed() const override { return false; }

 private:
  GreyImage image_;
  std::size_t at_ = 0;
};

}  // namespace

ImageHeader read_mask_header(const std::filesystem::path& path) {
  const auto [width, height] = read_image_size(path);
  ImageHeader header;
  header.shape = {width, height, 1};
  header.data = path;
  return header;
}

std::unique_ptr<ElementSource> open_mask(const std::filesystem::path& path, const ImageHeader&) {
  return std::make_unique<MaskElements>(read_image(path));
}

Bitmap read_mask(const Case::Mask& mask, const std::filesystem::path& directory) {
  const GreyImage image = read_image(resolve(directory, mask.file));
  if (mask.threshold < 0 || mask.threshold > 255) {
    throw_input(fmt::format("geometry.mask: threshold is {}, expected 0 to 255", mask.threshold));
  }
  const ImagePart part = image_part(mask, image.width, image.height);
  Bitmap fluid(part.size, false);
  for (int y = 0; y < part.size[1]; ++y) {
    const int row = image.height - 1 - (part.from[1] + y);
    for (int x = 0; x < part.size[0]; ++x) {
      const bool white = image.pixels[static_cast<std::size_t>(row) * image.width + part.from[0] + x] >= mask.threshold;
      if (white == mask.white_is_fluid) fluid.set({x, y, 0});
    }
  }
  return fluid;
}

}  // namespace fluvia::geometry
