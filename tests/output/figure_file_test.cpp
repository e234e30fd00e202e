// SPDX-License-Identifier: Apache-2.0
// Figures that PNG files bring along, to be drawn again, and films of them.
#include "fluvia/output/pictures/figure_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>

#include "fluvia/base/atomic_file.hpp"
#include "fluvia/output/pictures/color_range.hpp"
#include "fluvia/output/pictures/film.hpp"
#include "support/errors.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

/// A figure of 7 × 5 cells whose values go from `low` to `high`, with solid, outside and broken cells.
Figure ramp(double low, double high, const std::string& title = "A ramp") {
  Figure figure;
  figure.width = 7;
  figure.height = 5;
  figure.title = title;
  figure.subtitle = "speed  ·  step 3";
  figure.horizontal = 'y';
  figure.vertical = 'z';
  figure.cell_size = 1.25e-4;
  figure.si = true;
  for (int i = 0; i < 35; ++i)
    figure.values.push_back(i < 3 ? nan : static_cast<float>(low + (high - low) * (i - 3) / 31));
  figure.cells = {solid_color, outside_color, broken_color};
  figure.cells.resize(35);
  figure.legend = {{solid_color, "solid"}, {outside_color, "outside"}};
  figure.lines = {{{0.5, 0.25}, {1, 2}, {3.125, 4}}};
  figure.arrows = {{{1, 1}, {2, 3}}};
  figure.range.emplace().from_zero = true;
  set_range(*figure.range, figure.values);
  figure.bar.emplace().unit = "m/s";
  set_bar(figure, bar_of(*figure.range));
  return figure;
}

std::string png_of(const Figure& figure) {
  return with_figure(draw_figure(figure, PictureFormat::png).finish(), figure);
}

std::string pixels_of_figure(const Figure& figure) {
  return draw_figure(figure, PictureFormat::png).pixels().rgb;
}

TEST(FigureFile, GivesBackTheFigureThatIsShown) {
  const Figure figure = ramp(-3, 1234.5);
  const std::optional<Figure> again = figure_of(png_of(figure));
  ASSERT_TRUE(again);
  const std::string before = pixels_of_figure(figure), after = pixels_of_figure(*again);
  ASSERT_EQ(after.size(), before.size());
  int most = 0;
  for (std::size_t i = 0; i < before.size(); ++i)
    most = std::max(most, std::abs(static_cast<unsigned char>(before[i]) - static_cast<unsigned char>(after[i])));
  EXPECT_LE(most, 1) << "of 255";
  ASSERT_EQ(again->values.size(), figure.values.size());
  for (std::size_t i = 0; i < figure.values.size(); ++i) {
    if (std::isnan(figure.values[i]))
      EXPECT_TRUE(std::isnan(again->values[i]));
    else
      EXPECT_NEAR(again->values[i], figure.values[i], 1237.5 / 65000) << i;
  }
  EXPECT_EQ(again->bar->unit, "m/s");
  EXPECT_EQ(again->range->from_zero, true);
  EXPECT_TRUE(png_of(*again) == png_of(*figure_of(png_of(*again)))) << "nothing is lost by another file";
}

TEST(FigureFile, IsTheSamePicture) {
  const Figure figure = ramp(0, 1);
  EXPECT_TRUE(pixels_of_png(png_of(figure), "x").rgb == pixels_of_figure(figure));
}

TEST(FigureFile, ValuesThatAreAllEqual) {
  const std::optional<Figure> again = figure_of(png_of(ramp(5, 5)));
  ASSERT_TRUE(again);
  EXPECT_FLOAT_EQ(again->values.back(), 5);
}

TEST(FigureFile, NoValuesAtAll) {
  Figure figure = ramp(0, 1);
  figure.values.assign(35, nan);
  figure.cells.assign(35, broken_color);
  set_range(*figure.range, figure.values);
  EXPECT_TRUE(figure.range->empty);
  const std::optional<Figure> again = figure_of(png_of(figure));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->cells, figure.cells);
}

TEST(FigureFile, NoneOfADamagedFile) {
  const Figure figure = ramp(0, 1);
  const std::string whole = png_of(figure), plain = draw_figure(figure, PictureFormat::png).finish();
  EXPECT_FALSE(figure_of(plain));
  EXPECT_FALSE(figure_of(""));
  EXPECT_FALSE(figure_of("GIF89a"));
  const std::size_t from = whole.find("fvFG");
  ASSERT_NE(from, std::string::npos);
  for (std::size_t size = 0; size < whole.size() - 12; size += 7)
    EXPECT_FALSE(figure_of(whole.substr(0, size))) << size;
  for (std::size_t at = from; at < whole.size() - 12; at += 3) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    EXPECT_FALSE(figure_of(damaged)) << at;
  }
}

TEST(ColorRange, OfASeriesIsThatOfAllItsPlanes) {
  std::vector<ColorRange> planes;
  for (int k = 0; k < 20; ++k) planes.push_back(*ramp(1 + 0.1 * k, 2 + 0.1 * k).range);
  ColorRange all = range_of_series(planes);
  EXPECT_FLOAT_EQ(static_cast<float>(all.low), 1);
  EXPECT_FLOAT_EQ(static_cast<float>(all.high), 3.9f);
  EXPECT_FALSE(bar_of(all).clipped_high);
  planes[0] = *ramp(0, 100).range;  // as the start of a flow may be
  all = range_of_series(planes);
  EXPECT_LT(all.high, 4);
  EXPECT_TRUE(bar_of(all).clipped_high) << "the bar says that there is more";
  EXPECT_FLOAT_EQ(static_cast<float>(all.most), 100);
}

TEST(ColorRange, OfASeriesPassesOverPlanesWithoutValues) {
  const std::vector<ColorRange> planes = {ColorRange{}, *ramp(-7, -5).range, ColorRange{}};
  const ColorRange all = range_of_series(planes);
  EXPECT_FALSE(all.empty);
  EXPECT_EQ(all.high, -5);
  const std::vector<ColorRange> none(3);
  EXPECT_TRUE(range_of_series(none).empty);
  EXPECT_EQ(bar_of(range_of_series(none)).high, 1);
}

TEST(ColorRange, BarsThatSomebodyChoseDivergeAroundTheMiddle) {
  ColorRange range = *ramp(-1, 1).range;
  range.is_signed = true;
  EXPECT_EQ(bar_between(range, -2, 2).map, &cool_warm);
  const Figure::Bar uneven = bar_between(range, -2, 4);
  EXPECT_EQ(uneven.map, &cool_warm);
  EXPECT_EQ(uneven.color(0), cool_warm(0.5)) << "the middle stays";
  EXPECT_EQ(uneven.color(4), cool_warm(1));
  EXPECT_EQ(uneven.color(-2), cool_warm(0.25)) << "the shorter side ends early";
  EXPECT_EQ(bar_between(range, 0.5, 3).map, &viridis);
  EXPECT_TRUE(bar_between(range, -0.5, 0.5).clipped_low);
}

TEST(Film, HasOneBarAndOneSize) {
  const TemporaryFolder folder;
  std::vector<std::filesystem::path> files;
  const double ends[] = {1, 2, 1000};
  for (int k = 0; k < 3; ++k) {
    files.push_back(folder.path() / ("slice-velocity-x-00000000" + std::to_string(k) + ".png"));
    Figure figure = ramp(0, ends[k]);
    if (k == 1) figure.legend.push_back({broken_color, "a long name of something that was seen in this picture alone"});
    write_file(files.back(), png_of(figure));
  }
  write_file(folder.path() / "slice-velocity-x-1.png", "no step of a run");
  const std::vector<PictureSeries> series = picture_series(folder.path());
  ASSERT_EQ(series.size(), 1u);
  EXPECT_EQ(series[0].name, "slice-velocity-x");
  EXPECT_EQ(series[0].files.size(), 3u);
  const Film film(files, {});
  ASSERT_TRUE(film.bar());
  EXPECT_EQ(film.bar()->high, 1000);
  EXPECT_EQ(film.bar()->unit, "m/s");
  EXPECT_EQ(film.width() % 2, 0);
  EXPECT_EQ(film.height() % 2, 0);
  for (std::size_t k = 0; k < 3; ++k) {
    const Pixels frame = film.frame(k);
    EXPECT_EQ(frame.width, film.width());
    EXPECT_EQ(frame.rgb.size(), std::size_t(3 * film.width() * film.height()));
  }
  EXPECT_EQ(Film(files, std::pair(2.0, 3.0)).bar()->low, 2);
  write_file(files[1], "changed");
  EXPECT_CONTAINS(error_of(ExitCode::input, [&] { return film.frame(1).width; }),
                  "was changed while the film was made");
  EXPECT_CONTAINS(error_of(ExitCode::input, [&] { Film(files, {}); }), "is no PNG that can be read");
}

}  // namespace
}  // namespace fluvia::test
