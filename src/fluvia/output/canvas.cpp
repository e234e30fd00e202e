// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/canvas.hpp"

#include <png.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "fluvia/base/atomic_file.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/output/stroke_font.hpp"

namespace fluvia {
namespace {

/// Distance from p to the segment a-b.
double distance(double px, double py, const std::array<double, 2>& a, const std::array<double, 2>& b) {
  const double dx = b[0] - a[0], dy = b[1] - a[1], length = dx * dx + dy * dy;
  const double t = length > 0 ? std::clamp(((px - a[0]) * dx + (py - a[1]) * dy) / length, 0.0, 1.0) : 0.0;
  return std::hypot(px - a[0] - t * dx, py - a[1] - t * dy);
}

}  // namespace

Canvas::Canvas(int width, int height, const Color& background)
    : width_(width), height_(height), pixels_(3 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height)) {
  fill(0, 0, width, height, background);
}

Color Canvas::pixel(int x, int y) const {
  const std::size_t at =
      3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x));
  return {pixels_[at], pixels_[at + 1], pixels_[at + 2]};
}

void Canvas::fill(int x, int y, int width, int height, const Color& color) {
  for (int j = std::max(y, 0); j < std::min(y + height, height_); ++j) {
    for (int i = std::max(x, 0); i < std::min(x + width, width_); ++i) blend(i, j, color, 1);
  }
}

void Canvas::outline(int x, int y, int width, int height, const Color& color) {
  fill(x - 1, y - 1, width + 2, 1, color);
  fill(x - 1, y + height, width + 2, 1, color);
  fill(x - 1, y, 1, height, color);
  fill(x + width, y, 1, height, color);
}

void Canvas::blend(int x, int y, const Color& color, double coverage) {
  const std::size_t at =
      3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x));
  for (std::size_t c = 0; c < 3; ++c) {
    pixels_[at + c] = static_cast<std::uint8_t>(std::lround(pixels_[at + c] + coverage * (color[c] - pixels_[at + c])));
  }
}

void Canvas::stroke(const std::vector<std::vector<std::array<double, 2>>>& lines, double thickness,
                    const Color& color) {
  // Coverage is the largest over all segments, so that joints and crossings are not drawn twice.
  double left = 1e9, right = -1e9, top = 1e9, bottom = -1e9;
  for (const auto& line : lines) {
    for (const auto& [x, y] : line) {
      left = std::min(left, x), right = std::max(right, x), top = std::min(top, y), bottom = std::max(bottom, y);
    }
  }
  const double reach = 0.5 * thickness + 0.5;
  const int x0 = std::max(static_cast<int>(left - reach) - 1, 0), y0 = std::max(static_cast<int>(top - reach) - 1, 0);
  const int x1 = std::min(static_cast<int>(right + reach) + 2, width_);
  const int y1 = std::min(static_cast<int>(bottom + reach) + 2, height_);
  if (x1 <= x0 || y1 <= y0) return;
  const auto stride = static_cast<std::size_t>(x1 - x0);
  std::vector<float> coverage(stride * static_cast<std::size_t>(y1 - y0), 0.0f);
  for (const auto& line : lines) {
    for (std::size_t s = 0; s + 1 < line.size(); ++s) {
      const auto &a = line[s], &b = line[s + 1];
      const int i0 = std::max(static_cast<int>(std::min(a[0], b[0]) - reach) - 1, x0);
      const int i1 = std::min(static_cast<int>(std::max(a[0], b[0]) + reach) + 2, x1);
      const int j0 = std::max(static_cast<int>(std::min(a[1], b[1]) - reach) - 1, y0);
      const int j1 = std::min(static_cast<int>(std::max(a[1], b[1]) + reach) + 2, y1);
      for (int j = j0; j < j1; ++j) {
        for (int i = i0; i < i1; ++i) {
          float& value = coverage[static_cast<std::size_t>(j - y0) * stride + static_cast<std::size_t>(i - x0)];
          const double covered = reach - distance(i + 0.5, j + 0.5, a, b);
          value = std::max(value, static_cast<float>(std::clamp(covered, 0.0, 1.0)));
        }
      }
    }
  }
  for (int j = y0; j < y1; ++j) {
    for (int i = x0; i < x1; ++i) {
      const float value = coverage[static_cast<std::size_t>(j - y0) * stride + static_cast<std::size_t>(i - x0)];
      if (value > 0) blend(i, j, color, value);
    }
  }
}

void Canvas::text(double x, double y, double size, const std::string& utf8, const Color& color, Align align,
                  bool bold) {
  const double width = text_width(utf8, size);
  if (align == Align::center) x -= 0.5 * width;
  if (align == Align::right) x -= width;
  auto lines = text_strokes(utf8, size);
  for (auto& line : lines) {
    for (auto& point : line) point = {x + point[0], y - point[1]};
  }
  stroke(lines, size * (bold ? 0.17 : 0.115), color);
}

void Canvas::write_png(const std::filesystem::path& path) const {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width_);
  image.height = static_cast<png_uint_32>(height_);
  image.format = PNG_FORMAT_RGB;
  png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::vector<std::byte> encoded(bytes);
  if (!png_image_write_to_memory(&image, encoded.data(), &bytes, 0, pixels_.data(), 0, nullptr)) {
    throw_resource("cannot write '" + path.string() + "': " + image.message);
  }
  AtomicFile file(path);
  file.write(std::span<const std::byte>(encoded.data(), bytes));
  file.commit();
}

}  // namespace fluvia
