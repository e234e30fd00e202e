// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/pictures/drawing.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "output/picture_support.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

constexpr PictureFormat formats[] = {PictureFormat::png, PictureFormat::svg, PictureFormat::pdf};
constexpr Color red{200, 100, 50}, blue{10, 20, 230};

/// Something of everything.
Drawing sample(PictureFormat format) {
  Drawing page(format, 300, 200);
  page.fill({10, 10, 60, 40}, red);
  page.cells(100, 20, 2, 3, 10, {red, blue, blue, red, red, red});
  page.stroke({{{20, 100}, {80, 120}, {90, 180}}}, 3, blue, 0.5);
  page.fill_polygon({{200, 20}, {240, 20}, {220, 60}}, blue);
  page.text(20, 90, 24, "µ × 10⁻³ · Re = 100", red, Align::left, true);
  page.clip({150, 150, 160, 160});
  page.fill({0, 0, 300, 200}, blue);
  page.unclip();
  return page;
}

TEST(Drawing, CellsHaveSharpEdgesAndTheLowestRowIsFirst) {
  const Drawing page = sample(PictureFormat::png);
  EXPECT_EQ(page.pixel(100, 49), red);
  EXPECT_EQ(page.pixel(109, 40), red);
  EXPECT_EQ(page.pixel(110, 49), blue);
  EXPECT_EQ(page.pixel(109, 39), blue);
  EXPECT_EQ(page.pixel(110, 39), red);
  EXPECT_EQ(page.pixel(100, 20), red);
  const Color white{255, 255, 255};
  EXPECT_EQ(page.pixel(99, 30), white);
  EXPECT_EQ(page.pixel(120, 30), white);
  EXPECT_EQ(page.pixel(110, 19), white);
  EXPECT_EQ(page.pixel(110, 50), white);
}

TEST(Drawing, FillsStrokesAndClips) {
  Drawing page(PictureFormat::png, 40, 30);
  page.fill({5, 6, 9, 8}, red);
  EXPECT_EQ(page.pixel(5, 6), red);
  EXPECT_EQ(page.pixel(8, 7), red);
  EXPECT_NE(page.pixel(9, 7), red);
  EXPECT_NE(page.pixel(8, 8), red);
  page.outline({20, 10, 30, 20}, 2, blue);
  EXPECT_EQ(page.pixel(18, 12), blue);
  EXPECT_EQ(page.pixel(31, 15), blue);
  EXPECT_NE(page.pixel(20, 10), blue) << "around what it frames";
  page.stroke({{{2, 25}, {12, 25}}}, 2, red);
  EXPECT_EQ(page.pixel(6, 24), red);
  EXPECT_EQ(page.pixel(6, 25), red);
  EXPECT_NE(page.pixel(6, 23), red);
  page.clip({0, 0, 2, 2});
  page.fill({0, 0, 40, 30}, blue);
  page.unclip();
  EXPECT_EQ(page.pixel(1, 1), blue);
  EXPECT_NE(page.pixel(2, 1), blue);
  page.fill({2, 0, 3, 1}, blue);
  EXPECT_EQ(page.pixel(2, 0), blue);
}

TEST(Drawing, TheSameCallsGiveTheSameBytes) {
  for (const PictureFormat format : formats) {
    SCOPED_TRACE(extension_of(format));
    const std::string first = sample(format).finish();
    EXPECT_GT(first.size(), 500u);
    sample(PictureFormat::svg).finish();  // Cairo counts what was drawn before
    EXPECT_TRUE(sample(format).finish() == first);
    EXPECT_EQ(first.find("CreationDate"), std::string::npos);
  }
  EXPECT_TRUE(sample(PictureFormat::png).finish().starts_with("\x89PNG"));
  EXPECT_TRUE(sample(PictureFormat::pdf).finish().starts_with("%PDF-"));
  const std::string svg = sample(PictureFormat::svg).finish();
  EXPECT_TRUE(svg.starts_with("<?xml"));
  EXPECT_NE(svg.find("width=\"300px\" height=\"200px\""), std::string::npos);
  EXPECT_NE(svg.find("id=\"image"), std::string::npos);
}

/// Numbers of an SVG's references are those of what they refer to.
TEST(Drawing, ReferencesInSvgAreWhole) {
  const std::string svg = sample(PictureFormat::svg).finish();
  std::size_t found = 0;
  for (std::size_t at = svg.find("xlink:href=\"#"); at != std::string::npos; at = svg.find("xlink:href=\"#", at + 1)) {
    const std::size_t begin = at + 13, end = svg.find('"', begin);
    EXPECT_NE(svg.find("id=\"" + svg.substr(begin, end - begin) + "\""), std::string::npos);
    ++found;
  }
  EXPECT_GT(found, 10u);
}

TEST(Drawing, FilesReadBackAndAppearWhole) {
  const TemporaryFolder folder;
  for (const PictureFormat format : formats) {
    Drawing page = sample(format);
    const auto file = folder.path() / (std::string("a.") + extension_of(format));
    page.write(file);
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream bytes;
    bytes << stream.rdbuf();
    EXPECT_TRUE(bytes.str() == page.finish());
  }
  EXPECT_EQ(names_in(folder.path()), "a.pdf a.png a.svg");
  const Image image = read_png(folder.path() / "a.png");
  EXPECT_EQ(image.width, 300u);
  EXPECT_EQ(image.height, 200u);
  const Drawing page = sample(PictureFormat::png);
  for (int y = 0; y < 200; ++y)
    for (int x = 0; x < 300; ++x)
      ASSERT_EQ(image.pixel(std::size_t(x), std::size_t(y)), page.pixel(x, y)) << x << " " << y;
  Drawing lost = sample(PictureFormat::pdf);
  EXPECT_CONTAINS(error_of(ExitCode::resource, [&] { lost.write(folder.path() / "a.png" / "b.pdf"); }),
                  "b.pdf': Not a directory");
}

TEST(Drawing, TextsAreWhereTheySay) {
  Drawing page(PictureFormat::png, 600, 100);
  page.text(300, 60, 30, "left", red);
  page.text(300, 60, 30, "right", red, Align::right);
  page.text(300, 30, 30, "centre", red, Align::center);
  ASSERT_EQ(page.texts().size(), 3u);
  EXPECT_GE(page.texts()[0].left, 299);
  EXPECT_LE(page.texts()[1].right, 301);
  EXPECT_NEAR(0.5 * (page.texts()[2].left + page.texts()[2].right), 300, 3);
  std::uint64_t inside = 0, outside = 0;
  for (int y = 0; y < 100; ++y)
    for (int x = 0; x < 600; ++x) {
      if (page.pixel(x, y) == Color{255, 255, 255}) continue;
      bool covered = false;
      for (const Box& t : page.texts())
        covered = covered || (x >= t.left - 1 && x <= t.right + 1 && y >= t.top - 1 && y <= t.bottom + 1);
      (covered ? inside : outside) += 1;
    }
  EXPECT_GT(inside, 200u);
  EXPECT_EQ(outside, 0u);
  EXPECT_NEAR(text_width("widths", 60), 2 * text_width("widths", 30), 0.1);
  EXPECT_EQ(text_width("", 30), 0);
}

TEST(Drawing, AnyTextCanBeDrawn) {
  for (const PictureFormat format : formats) {
    Drawing page(format, 200, 60);
    page.text(10, 40, 20, "\xff\xfe two\nlines \x01 \xe4\xb8\xad", red);
    EXPECT_GT(page.finish().size(), 100u);
  }
}

TEST(Drawing, BadPagesAndFormats) {
  EXPECT_CONTAINS(error_of(ExitCode::resource, [] { Drawing(PictureFormat::png, 40000, 10); }), "Cairo says");
  EXPECT_CONTAINS(error_of(ExitCode::input, [] { picture_format("jpeg"); }), "'jpeg'; choose from png, svg, pdf");
  for (const PictureFormat format : formats) EXPECT_EQ(picture_format(extension_of(format)), format);
}

/// Against the table of matplotlib (viridis) and of Moreland's paper (cool-warm).
TEST(ColorMaps, KnownColors) {
  const auto expect_near = [](const Color& color, const Color& expected, int tolerance) {
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(color[i], expected[i], tolerance);
  };
  expect_near(viridis(0), {68, 1, 84}, 4);
  expect_near(viridis(0.25), {59, 82, 139}, 4);
  expect_near(viridis(0.5), {33, 145, 140}, 4);
  expect_near(viridis(0.75), {94, 201, 98}, 4);
  expect_near(viridis(1), {253, 231, 37}, 4);
  expect_near(viridis(std::nan("")), viridis(std::nan("")), 0);
  expect_near(cool_warm(0), {59, 76, 192}, 3);
  expect_near(cool_warm(0.5), {221, 221, 221}, 3);
  expect_near(cool_warm(1), {180, 4, 38}, 3);
}

TEST(ColorMaps, SolidAndOutsideAreOnNone) {
  const auto distance = [](const Color& a, const Color& b) {
    return std::abs(a[0] - b[0]) + std::abs(a[1] - b[1]) + std::abs(a[2] - b[2]);
  };
  for (int k = 0; k <= 1000; ++k)
    for (const Color& data : {viridis(k / 1000.0), cool_warm(k / 1000.0)})
      for (const Color& apart : {solid_color, outside_color, broken_color}) EXPECT_GT(distance(data, apart), 40) << k;
  EXPECT_GT(distance(solid_color, outside_color), 200);
}

}  // namespace
}  // namespace fluvia::test
