// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/pictures/figure.hpp"

#include <gtest/gtest.h>

#include "fluvia/output/pictures/figure_layout.hpp"
#include "output/picture_support.hpp"

namespace fluvia::test {
namespace {

Figure plane(int width, int height, Color (*map)(double)) {
  Figure figure;
  figure.width = width;
  figure.height = height;
  for (int j = 0; j < height; ++j)
    for (int i = 0; i < width; ++i) figure.cells.push_back(map((i + 0.3 * j) / (width + 0.3 * height)));
  figure.title = "A plane of nodes, Re = 100";
  figure.subtitle = "vorticity in 1/s  ·  y = 1.25 mm  ·  t = 24 ms  ·  step 12000";
  return figure;
}

/// Draws it, checks that all of it can be read, and returns the page.
Drawing expect_good(const Figure& figure, const std::string& name) {
  SCOPED_TRACE(name);
  keep(figure, name);
  Drawing page = draw_figure(figure, PictureFormat::png);
  expect_readable(page, figure);
  EXPECT_GE(page.width(), least_width);
  EXPECT_LE(page.width(), 2800);
  EXPECT_LE(page.height(), 2600);
  return page;
}

TEST(Figure, PlanesOfAllShapesCanBeRead) {
  const std::pair<int, int> shapes[] = {{1, 1},   {1, 7},     {1, 2000},   {5, 60},    {14, 9},      {128, 128},
                                        {300, 1}, {300, 120}, {1000, 999}, {2000, 1},  {2000, 2000}, {2, 1},
                                        {3, 700}, {640, 480}, {1001, 40},  {700, 1400}};
  for (const auto& [width, height] : shapes) {
    Figure figure = plane(width, height, viridis);
    figure.bar = Figure::Bar{-12000, 1.7e6, "lattice units", viridis, true, true};
    figure.legend = {{solid_color, "solid"}, {outside_color, "outside"}, {broken_color, "not a number"}};
    const std::string name = "shape-" + std::to_string(width) + "x" + std::to_string(height);
    const Drawing page = expect_good(figure, name);
    expect_sharp_cells(page, figure);
    figure.bar.reset();
    figure.legend.resize(2);
    expect_good(figure, name + "-legend");
  }
}

TEST(Figure, ScalesAreRoundAndTrue) {
  for (const double size : {1.0, 0.25, 3.7e-6, 1.3e-4, 9.9e3})
    for (const int width : {1, 3, 60, 500, 1999}) {
      Figure figure = plane(width, 40, viridis);
      figure.cell_size = size;
      figure.si = size != 1;
      figure.bar = Figure::Bar{0, 0.0031, "m/s", viridis, false, false};
      const FigureLayout l = make_layout(figure);
      const double length = l.scale_cells * size;
      EXPECT_NEAR(length, round_number_below(length), 1e-9 * length);
      EXPECT_EQ(l.scale_label, figure.si     ? with_prefix(length, "m")
                               : length == 1 ? "1 node"
                                             : std::to_string(int(length + 0.5)) + " nodes");
      EXPECT_LE(l.picture.left + l.scale_cells * l.zoom, l.width - l.margin);
      EXPECT_GE(l.scale_cells * l.zoom, width > 1 ? 20 : 10);
    }
}

TEST(Figure, LongTextsTakeLinesAndEndlessOnesAreCut) {
  Figure figure = plane(160, 11, viridis);
  for (int k = 0; k < 20; ++k) figure.title += "a title that does not fit — ";
  for (int k = 0; k < 30; ++k) figure.subtitle += "nor does what is below it · ";
  figure.legend = {{{230, 97, 1}, "inlet"}, {{0, 136, 110}, "an outlet with a longer name"}, {{94, 60, 153}, "µ ²³ §"}};
  for (int k = 0; k < 9; ++k) figure.legend.push_back({{9, 9, 9}, std::string(200, 'W')});
  expect_good(figure, "long");
  const FigureLayout endless = make_layout(figure);
  ASSERT_EQ(endless.title.size(), 2u);
  EXPECT_TRUE(endless.title[1].ends_with("..."));
  EXPECT_EQ(endless.subtitle.size(), 3u);
  Figure long_one = figure;
  long_one.title =
      "Velocity, x component, z = 123.4 mm, t = 345.6 s, which is a title that has room on two lines of it";
  const FigureLayout two = make_layout(long_one);
  ASSERT_EQ(two.title.size(), 2u);
  EXPECT_EQ(two.title[0] + " " + two.title[1], long_one.title) << "nothing of it is lost";
  figure.bar = Figure::Bar{0, 1, "a unit", viridis, false, false};
  figure.legend.resize(4);
  expect_good(figure, "long-bar");
}

void expect_near(const Color& found, const Color& expected) {
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(found[i], expected[i], 3);
}

TEST(Figure, BarsAreBelowWidePlanesAndBesideOthers) {
  Figure figure = plane(300, 120, cool_warm);
  figure.bar = Figure::Bar{-1, 1, "Pa", cool_warm, false, false};
  FigureLayout l = make_layout(figure);
  EXPECT_GT(l.bar.top, l.picture.bottom);
  const auto middle = [](double a, double b) { return static_cast<int>(0.5 * (a + b)); };
  const Drawing wide = draw_figure(figure, PictureFormat::png);
  expect_near(wide.pixel(static_cast<int>(l.bar.left), middle(l.bar.top, l.bar.bottom)), cool_warm(0));
  expect_near(wide.pixel(static_cast<int>(l.bar.right) - 1, middle(l.bar.top, l.bar.bottom)), cool_warm(1));
  figure = plane(120, 120, viridis);
  figure.bar = Figure::Bar{0, 1, "Pa", viridis, false, false};
  l = make_layout(figure);
  EXPECT_GT(l.bar.left, l.picture.right);
  const Drawing square = draw_figure(figure, PictureFormat::png);
  expect_near(square.pixel(middle(l.bar.left, l.bar.right), static_cast<int>(l.bar.bottom) - 1), viridis(0));
  expect_near(square.pixel(middle(l.bar.left, l.bar.right), static_cast<int>(l.bar.top)), viridis(1));
}

TEST(Figure, NothingIsKeptFreeBesideAPictureAlone) {
  const FigureLayout l = make_layout(plane(900, 900, viridis));
  EXPECT_NEAR(l.width - l.picture.right, l.picture.left, 1);
}

TEST(Figure, TicksAreRoundAndWithinTheBar) {
  for (const auto& [low, high] : {std::pair{0.0, 1.0},
                                  {-0.0031, 0.0124},
                                  {0.0, 1.7e-9},
                                  {-3e7, 3e7},
                                  {0.99, 1.01},
                                  {101325.0, 101326.0},
                                  {0.0, 9.99}}) {
    const BarTexts texts = bar_texts({low, high, "m/s", viridis, false, false}, 1200, 95);
    EXPECT_GE(texts.ticks.size(), 2u) << low;
    EXPECT_LE(texts.ticks.size(), 12u) << low;
    const std::size_t sign = texts.heading.find("10");
    const double factor = sign == std::string::npos ? 1
                          : low == -3e7             ? 1e6
                          : high == 1.7e-9          ? 1e-9
                          : high > 1e5              ? 1e3
                                                    : 1;
    std::string before;
    for (const BarTexts::Tick& tick : texts.ticks) {
      EXPECT_GE(tick.place, -1e-6);
      EXPECT_LE(tick.place, 1 + 1e-6);
      EXPECT_NE(tick.label, before);
      before = tick.label;
      EXPECT_NEAR(std::stod(tick.label) * factor, low + tick.place * (high - low), 1e-6 * (high - low)) << tick.label;
    }
  }
  EXPECT_EQ(bar_texts({0, 1.7e-9, "Pa", viridis, false, false}, 900, 95).heading, "×10⁻⁹ Pa");
}

TEST(Figure, LinesAndArrowsStayOverTheCells) {
  Figure figure = plane(30, 30, viridis);
  const Drawing without = draw_figure(figure, PictureFormat::png);
  figure.lines = {{{-20, 15}, {15, 15}, {50, 15}}};
  figure.arrows = {{{-5, -5}, {40, 40}}, {{3, 3}, {3, 3}}};
  const Drawing with = draw_figure(figure, PictureFormat::png);
  const CellPlace place = cell_place(figure);
  const int edge = 30 * place.zoom;
  std::uint64_t inside = 0, outside = 0;
  for (int y = 0; y < with.height(); ++y)
    for (int x = 0; x < with.width(); ++x) {
      if (with.pixel(x, y) == without.pixel(x, y)) continue;
      const bool over = x >= place.left && y >= place.top && x < place.left + edge && y < place.top + edge;
      (over ? inside : outside) += 1;
    }
  EXPECT_GT(inside, 1000u);
  EXPECT_EQ(outside, 0u);
  EXPECT_NE(with.pixel(place.left + edge / 4, place.top + edge / 2),
            without.pixel(place.left + edge / 4, place.top + edge / 2))
      << "y points up from the lower edge";
}

TEST(Figure, AllFormatsOfTheSameFigure) {
  Figure figure = plane(60, 40, viridis);
  figure.bar = Figure::Bar{0, 1, "m/s", viridis, true, true};
  for (const PictureFormat format : {PictureFormat::png, PictureFormat::svg, PictureFormat::pdf}) {
    const std::string first = draw_figure(figure, format).finish();
    EXPECT_TRUE(draw_figure(figure, format).finish() == first);
    EXPECT_LT(first.size(), 800'000u) << extension_of(format);
  }
}

/// Programs that make films of pictures read from them what they show.
TEST(Figure, PngHasItsTextsInIt) {
  Figure figure = plane(30, 30, viridis);
  figure.title = "Speed, z = 12 mm";
  figure.subtitle = "Größe";
  figure.facts = {{"Lowest color", "0"}, {"Highest color", "0.25"}};
  const std::string bytes = draw_figure(figure, PictureFormat::png).finish();
  const auto texts = png_texts(bytes);
  const std::map<std::string, std::string> expected = {
      {"Title", "Speed, z = 12 mm"}, {"Description", "Größe"}, {"Lowest color", "0"}, {"Highest color", "0.25"}};
  EXPECT_EQ(texts, expected);
  EXPECT_TRUE(png_texts(draw_figure(figure, PictureFormat::svg).finish()).empty());
}

TEST(Figure, BarsWhoseMapHasItsMiddleElsewhere) {
  Figure::Bar bar{-1, 3, "Pa", cool_warm, false, false, 0};
  EXPECT_EQ(bar.color(0), cool_warm(0.5));
  EXPECT_EQ(bar.color(3), cool_warm(1));
  EXPECT_EQ(bar.color(-1), cool_warm(0.5 - 1.0 / 6));
  bar.middle.reset();
  EXPECT_EQ(bar.color(0), cool_warm(0.25));
}

TEST(Figure, RoundNumbersAndPrefixes) {
  EXPECT_DOUBLE_EQ(round_number_below(0.3), 0.2);
  EXPECT_DOUBLE_EQ(round_number_below(5), 5);
  EXPECT_DOUBLE_EQ(round_number_below(0.00099), 0.0005);
  EXPECT_EQ(with_prefix(0.00125, "m"), "1.25 mm");
  EXPECT_EQ(with_prefix(1e-6, "m"), "1 µm");
  EXPECT_EQ(with_prefix(-2500, "Pa"), "-2.5 kPa");
  EXPECT_EQ(with_prefix(0, "s"), "0 s");
  EXPECT_EQ(with_prefix(3e-20, "m"), "3e-08 pm");
}

}  // namespace
}  // namespace fluvia::test
