// SPDX-License-Identifier: Apache-2.0
// What the tests of pictures share: pixels of PNG files, and where texts lie. What texts look like depends on the fonts
// of the machine, so that no test compares their pixels.
#pragma once
#include <gtest/gtest.h>
#include <png.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "fluvia/output/pictures/figure.hpp"

namespace fluvia::test {

/// A PNG file as any reader has it.
struct Image {
  unsigned width = 0, height = 0;
  std::vector<std::uint8_t> bytes;
  [[nodiscard]] Color pixel(std::size_t x, std::size_t y) const {
    const std::uint8_t* p = bytes.data() + 3 * (y * width + x);
    return {p[0], p[1], p[2]};
  }
};

inline Image read_png(const std::filesystem::path& file) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  EXPECT_TRUE(png_image_begin_read_from_file(&png, file.c_str())) << file;
  png.format = PNG_FORMAT_RGB;
  Image image{png.width, png.height, std::vector<std::uint8_t>(PNG_IMAGE_SIZE(png))};
  EXPECT_TRUE(png_image_finish_read(&png, nullptr, image.bytes.data(), 0, nullptr)) << file;
  return image;
}

/// Texts of a PNG file by keyword, as libpng has them; none of a file that is no PNG.
inline std::map<std::string, std::string> png_texts(const std::string& bytes) {
  std::map<std::string, std::string> result;
  if (!bytes.starts_with("\x89PNG")) return result;
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  struct Source {
    const std::string& bytes;
    std::size_t at = 0;
  } source{bytes};
  png_set_read_fn(png, &source, [](png_structp reader, png_bytep out, std::size_t size) {
    auto& from = *static_cast<Source*>(png_get_io_ptr(reader));
    std::memcpy(out, from.bytes.data() + from.at, size);
    from.at += size;
  });
  png_read_info(png, info);
  png_textp texts = nullptr;
  int count = 0;
  png_get_text(png, info, &texts, &count);
  for (int k = 0; k < count; ++k) result[texts[k].key] = texts[k].text;
  png_destroy_read_struct(&png, &info, nullptr);
  return result;
}

/// Pixels of the figure's cells that have a colour.
inline std::uint64_t count(const Drawing& page, const Figure& figure, const Color& color) {
  const CellPlace place = cell_place(figure);
  std::uint64_t pixels = 0;
  for (int y = 0; y < figure.height * place.zoom; ++y)
    for (int x = 0; x < figure.width * place.zoom; ++x) pixels += page.pixel(place.left + x, place.top + y) == color;
  return pixels;
}

/// Every pixel has the colour of its cell, or of its own.
inline void expect_sharp_cells(const Drawing& page, const Figure& figure) {
  const CellPlace place = cell_place(figure);
  std::uint64_t wrong = 0;
  for (int y = 0; y < figure.height * place.zoom; ++y)
    for (int x = 0; x < figure.width * place.zoom; ++x) {
      const int pixels = place.zoom / figure.detail, columns = figure.width * figure.detail;
      const auto cell =
          static_cast<std::size_t>((figure.height * figure.detail - 1 - y / pixels) * columns + x / pixels);
      wrong += page.pixel(place.left + x, place.top + y) != figure.cells[cell];
    }
  EXPECT_EQ(wrong, 0u);
}

inline bool overlap(const Box& a, const Box& b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/// All texts lie on the page, off the cells, and apart from each other.
inline void expect_readable(const Drawing& page, const Figure& figure) {
  const CellPlace place = cell_place(figure);
  const Box cells{double(place.left), double(place.top), double(place.left + figure.width * place.zoom),
                  double(place.top + figure.height * place.zoom)};
  const std::vector<Box>& texts = page.texts();
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Box& t = texts[i];
    EXPECT_TRUE(t.left >= 0 && t.top >= 0 && t.right <= page.width() && t.bottom <= page.height())
        << i << ": " << t.left << " " << t.top << " " << t.right << " " << t.bottom;
    EXPECT_FALSE(overlap(t, cells)) << i << ": " << t.left << " " << t.top << " " << t.right << " " << t.bottom;
    for (std::size_t k = 0; k < i; ++k) EXPECT_FALSE(overlap(t, texts[k])) << i << " and " << k;
  }
}

/// Keeps the picture for looking at if FLUVIA_TEST_PICTURES names a folder.
inline void keep(const Figure& figure, const std::string& name) {
  if (const char* folder = std::getenv("FLUVIA_TEST_PICTURES"))
    draw_figure(figure, PictureFormat::png).write(std::filesystem::path(folder) / (name + ".png"));
}

}  // namespace fluvia::test
