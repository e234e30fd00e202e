// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/pictures/film.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/output/pictures/color_range.hpp"
#include "fluvia/output/pictures/figure_file.hpp"
#include "fluvia/output/pictures/figure_layout.hpp"

namespace fluvia {
namespace {

constexpr std::uint64_t largest_file = 256u << 20;  // of a picture

std::string read_picture(const std::filesystem::path& file) {
  return read_text_file(file, largest_file);
}

/// The figure without what takes much memory and does not decide the size of its picture.
Figure outline_of(Figure figure) {
  figure.cells = {};
  figure.values = {};
  figure.lines = {};
  figure.arrows = {};
  return figure;
}

/// What a picture of a slice is called after: "slice-velocity-z-000000400.png" is step 400 of slice-velocity-z.
struct PictureName {
  std::string series;
  std::int64_t step = 0;
};

std::optional<PictureName> picture_name(std::string_view name) {
  constexpr std::string_view begin = "slice-", end = ".png";
  constexpr std::size_t fewest_digits = 9, most_digits = 18;
  if (!name.starts_with(begin) || !name.ends_with(end)) return {};
  name.remove_suffix(end.size());
  const std::size_t dash = name.rfind('-');
  const std::string_view digits = name.substr(dash + 1);
  if (dash <= begin.size() || digits.size() < fewest_digits || digits.size() > most_digits) return {};
  PictureName found{std::string(name.substr(0, dash)), 0};
  const auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), found.step);
  if (error != std::errc() || rest != digits.data() + digits.size() || digits[0] == '-') return {};
  return found;
}

}  // namespace

std::vector<PictureSeries> picture_series(const std::filesystem::path& folder) {
  std::map<std::string, PictureSeries> found;
  std::error_code error;
  std::filesystem::directory_iterator it(folder, error);
  if (error)
    throw_input(folder.string() + ": cannot be read: " + error.message() + "; give the output folder of a run");
  for (const std::filesystem::directory_iterator end; it != end; it.increment(error)) {
    const auto name = picture_name(it->path().filename().string());
    if (!name) continue;
    PictureSeries& series = found[name->series];
    series.name = name->series;
    series.files[name->step] = it->path();
  }
  if (error) throw_input(folder.string() + ": cannot be read: " + error.message());
  std::vector<PictureSeries> all;
  for (auto& [name, series] : found) all.push_back(std::move(series));
  return all;
}

Film::Film(std::vector<std::filesystem::path> pictures, std::optional<std::pair<double, double>> range)
    : pictures_(std::move(pictures)) {
  std::vector<Figure> outlines;
  std::vector<ColorRange> ranges;
  for (const std::filesystem::path& picture : pictures_) {
    std::optional<Figure> figure = figure_of(read_picture(picture));
    if (!figure) {
      if (range)
        throw_input(picture.string() +
                    ": has no values, only colours, so that it cannot have the colours of another range; make the film "
                    "without --range, or run the case again");
      break;
    }
    ranges.push_back(*figure->range);
    outlines.push_back(outline_of(std::move(*figure)));
  }
  if (outlines.size() == pictures_.size()) {
    const ColorRange all = range_of_series(ranges);
    bar_ = range ? bar_between(all, range->first, range->second) : bar_of(all);
    bar_->unit = outlines.front().bar->unit;
    for (Figure& outline : outlines) {
      outline.bar = bar_;
      const FigureLayout layout = make_layout(outline);
      fit(layout.width, layout.height);
    }
  } else {
    for (const std::filesystem::path& picture : pictures_) {
      const Pixels pixels = pixels_of_png(read_picture(picture), picture.string());
      fit(pixels.width, pixels.height);
    }
  }
}

void Film::fit(int width, int height) {
  width_ = std::max(width_, width + width % 2);
  height_ = std::max(height_, height + height % 2);
}

Pixels Film::frame(std::size_t k) const {
  const std::string png = read_picture(pictures_[k]);
  Pixels pixels;
  if (bar_) {
    std::optional<Figure> figure = figure_of(png);
    if (!figure) throw_input(pictures_[k].string() + ": was changed while the film was made; make it again");
    set_bar(*figure, *bar_);
    pixels = draw_figure(*figure, PictureFormat::png).pixels();
  } else {
    pixels = pixels_of_png(png, pictures_[k].string());
  }
  if (pixels.width > width_ || pixels.height > height_)
    throw_input(pictures_[k].string() + ": was changed while the film was made; make it again");
  if (pixels.width == width_ && pixels.height == height_) return pixels;
  const auto row = static_cast<std::size_t>(3 * pixels.width), wide = static_cast<std::size_t>(3 * width_);
  std::string rgb(wide * static_cast<std::size_t>(height_), '\xff');
  for (std::size_t y = 0; y < static_cast<std::size_t>(pixels.height); ++y)
    std::copy_n(pixels.rgb.begin() + static_cast<std::ptrdiff_t>(y * row), row,
                rgb.begin() + static_cast<std::ptrdiff_t>(y * wide));
  return {width_, height_, std::move(rgb)};
}

}  // namespace fluvia
