// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <png.h>

#include <cmath>
#include <cstdlib>
#include <set>

#include "fluvia/output/color_map.hpp"
#include "fluvia/output/figure.hpp"
#include "fluvia/output/png_slice.hpp"
#include "fluvia/output/stroke_font.hpp"
#include "output/fake_solver.hpp"
#include "output/temporary_folder.hpp"

namespace fluvia::test {
namespace {

constexpr Color grey{158, 162, 169};

Units si_units(double spacing, double time_step) {
  Units units;
  units.si = true;
  units.spacing = spacing;
  units.time_step = time_step;
  units.density = 1000;
  return units;
}

std::uint64_t count(const Canvas& canvas, const Color& color) {
  std::uint64_t pixels = 0;
  for (int y = 0; y < canvas.height(); ++y) {
    for (int x = 0; x < canvas.width(); ++x) pixels += canvas.pixel(x, y) == color;
  }
  return pixels;
}

/// Keeps the picture for looking at if FLUVIA_TEST_PICTURES names a folder.
void keep(const Canvas& canvas, const std::string& name) {
  if (const char* folder = std::getenv("FLUVIA_TEST_PICTURES")) canvas.write_png(std::filesystem::path(folder) / name);
}

/// Potential flow around a cylinder with a wake, in 2D.
FakeSolver cylinder() {
  FakeSolver solver(2, {300, 120, 1},
                    [](const Int3& n) { return (n[0] - 75) * (n[0] - 75) + (n[1] - 60) * (n[1] - 60) > 15 * 15; });
  solver.velocity = [](const Int3& n) {
    const double x = n[0] - 75, y = n[1] - 60, r2 = x * x + y * y, a2 = 225;
    return Real3{
        0.05 * (1 - a2 * (x * x - y * y) / (r2 * r2)) + (x > 0 ? -0.03 * std::exp(-y * y / 200) * std::sin(x / 20) : 0),
        -0.05 * 2 * a2 * x * y / (r2 * r2) + (x > 0 ? 0.03 * std::exp(-y * y / 400) * std::cos(x / 14) : 0), 0};
  };
  solver.density = [](const Int3& n) { return 1 + 1e-3 * (std::cos(n[0] * 0.02) + 0.5); };
  solver.now = 12000;
  return solver;
}

TEST(PngSlice, SolidIsGreyAndEnlargedExactly) {
  const FakeSolver solver = cylinder();
  const Units units = si_units(1e-4, 2e-6);
  const Grid grid = grid_of(solver, 1e-4);
  const std::uint64_t solid = 300 * 120 - solver.shape.nodes.fluid_nodes;
  for (const char* field : {"velocity", "vorticity", "pressure"}) {
    const Canvas canvas = draw_slice({solver, units, grid}, {field, 2, {}}, "Flow past a cylinder, Re = 100");
    keep(canvas, std::string("cylinder-") + field + ".png");
    EXPECT_NEAR(double(count(canvas, grey)), double(solid) * 4, 40);  // 2 x 2 pixels a node, and some in smooth edges
    EXPECT_GE(canvas.width(), 600);
    EXPECT_LE(canvas.width(), 1000);
  }
}

TEST(PngSlice, AllAxesOfASparseDomain) {
  FakeSolver solver(3, {40, 60, 90}, [](const Int3& n) {
    const double x = n[0] - 20, y = n[1] - 30 - 12 * std::sin(n[2] * 0.07);
    return x * x + y * y < 100;
  });
  solver.velocity = [](const Int3& n) {
    const double x = n[0] - 20, y = n[1] - 30 - 12 * std::sin(n[2] * 0.07);
    return Real3{0, 0, 0.05 * (1 - (x * x + y * y) / 100)};
  };
  const Units units;
  const Grid grid = grid_of(solver);
  for (int axis = 0; axis < 3; ++axis) {
    const Canvas canvas = draw_slice({solver, units, grid}, {"velocity", axis, {}}, "Bent vessel");
    keep(canvas, "vessel-" + std::string(1, "xyz"[axis]) + ".png");
    EXPECT_GT(count(canvas, grey), 1000u);
    EXPECT_LE(canvas.height(), 2300);
  }
  const Canvas off = draw_slice({solver, units, grid}, {"velocity", 0, 0.0}, "Outside the vessel");
  EXPECT_NEAR(double(count(off, grey)), 600.0 * 900, 40);  // a plane that is all solid, 10 x 10 pixels a node
}

TEST(PngSlice, LargePlanesAreThinnedOut) {
  FakeSolver solver(2, {4500, 30, 1}, everywhere);
  solver.velocity = [](const Int3& n) { return Real3{n[0] * 1e-5, 0, 0}; };
  const Units units = si_units(1e-6, 1e-8);
  const Grid grid = grid_of(solver, 1e-6);
  const Canvas canvas = draw_slice({solver, units, grid}, {"velocity", 2, {}}, "A long channel");
  keep(canvas, "long.png");
  EXPECT_GE(canvas.width(), 1500);
  EXPECT_LE(canvas.width(), 2400);
}

TEST(PngSlice, TinyUniformAndOddValues) {
  FakeSolver solver(3, {3, 2, 1}, everywhere);
  const Units units;
  const Grid grid = grid_of(solver);
  solver.density = [](const Int3& n) { return n[0] == 1 ? std::nan("") : 1.0; };
  for (const char* field : {"velocity", "pressure", "vorticity", "wall_shear_stress"}) {
    for (int axis = 0; axis < 3; ++axis) {
      const Canvas canvas = draw_slice({solver, units, grid}, {field, axis, {}}, "");
      EXPECT_LE(canvas.width(), 2300);
      EXPECT_LE(canvas.height(), 2300);
      if (axis != 2) continue;
      keep(canvas, std::string("tiny-") + field + ".png");
      const bool broken = field == std::string("pressure");  // one column of three, 200 pixels a node
      EXPECT_EQ(count(canvas, {222, 30, 150}), broken ? 200u * 400u : 0u) << field;
    }
  }
}

TEST(PngSlice, ExtremeNodesDoNotFlattenThePicture) {
  FakeSolver solver(2, {100, 100, 1}, everywhere);
  solver.density = [](const Int3& n) { return n == Int3{0, 0, 0} ? 100.0 : 1 + 0.01 * n[0]; };
  const Units units;
  const Grid grid = grid_of(solver);
  const Canvas canvas = draw_slice({solver, units, grid}, {"pressure", 2, {}}, "Spike");
  keep(canvas, "spike.png");
  std::set<Color> colors;
  for (int x = 0; x < canvas.width(); ++x) colors.insert(canvas.pixel(x, canvas.height() / 2));
  EXPECT_GT(colors.size(), 60u);
}

TEST(PngSlice, BadInput) {
  const FakeSolver solver = cylinder();
  const Units units;
  const Grid grid = grid_of(solver);
  const OutputContext output{solver, units, grid};
  EXPECT_CONTAINS(error_of(ExitCode::input,
                           [&] {
                             draw_slice(output, {"velocity", 0, {}}, "");
                           }),
                  "a 2D case has only");
  EXPECT_CONTAINS(error_of(ExitCode::input, [&] { draw_slice(output, {"speed", 2, {}}, ""); }), "no field 'speed'");
  const FakeSolver box(3, {4, 4, 4}, everywhere);
  const Grid box_grid = grid_of(box);
  EXPECT_CONTAINS(error_of(ExitCode::input,
                           [&] {
                             draw_slice({box, units, box_grid}, {"velocity", 7, {}}, "");
                           }),
                  "axis = 7");
  EXPECT_CONTAINS(error_of(ExitCode::input,
                           [&] {
                             draw_slice({box, units, box_grid}, {"velocity", 1, 4.5}, "");
                           }),
                  "position = 4.5 is outside");
}

TEST(Canvas, DrawsWithinItsEdges) {
  constexpr Color paper{10, 20, 30}, red{200, 100, 50};
  Canvas canvas(7, 5, paper);
  canvas.fill(2, 1, 3, 2, red);
  canvas.fill(6, -4, 9, 5, red);
  canvas.fill(-3, 4, 4, 9, red);
  const auto expect_picture = [&](const std::vector<std::string>& rows) {
    for (int y = 0; y < 5; ++y)
      for (int x = 0; x < 7; ++x)
        EXPECT_EQ(canvas.pixel(x, y) == red, rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] == '#')
            << x << " " << y;
  };
  expect_picture({"......#", "..###..", "..###..", ".......", "#......"});
  canvas.fill(0, 0, 7, 5, paper);
  canvas.outline(2, 2, 4, 2, red);  // around what it frames
  expect_picture({".......", ".######", ".#....#", ".#....#", ".######"});
}

TEST(Canvas, StrokesCoverPixelsByTheirShare) {
  Canvas canvas(12, 9, {0, 0, 0});
  canvas.stroke({{{2, 3}, {8, 3}}, {{8, 3}, {8, 7.5}}}, 2, {200, 100, 0});
  for (int x = 2; x < 8; ++x)
    for (int y = 0; y < (x < 7 ? 9 : 4); ++y)
      EXPECT_EQ(canvas.pixel(x, y)[0], y == 2 || y == 3 ? 200 : 0) << x << " " << y;
  EXPECT_EQ(canvas.pixel(7, 5), (Color{200, 100, 0}));
  EXPECT_EQ(canvas.pixel(8, 6), (Color{200, 100, 0}));
  EXPECT_EQ(canvas.pixel(6, 6), (Color{0, 0, 0}));
  EXPECT_EQ(canvas.pixel(9, 6), (Color{0, 0, 0}));
  EXPECT_EQ(canvas.pixel(8, 8)[0], 76) << "200 (1.5 - hypot(0.5, 1)), the distance from the end";
  Canvas outside(4, 4, {1, 2, 3});
  outside.stroke({{{-9, -9}, {-3, -4}}, {{20, 1}, {30, 1}}}, 1, {200, 100, 0});
  EXPECT_EQ(count(outside, {1, 2, 3}), 16u);
}

TEST(PngFile, ReadsBackAndAppearsWhole) {
  const TemporaryFolder folder;
  Canvas canvas(30, 20, {10, 20, 30});
  canvas.fill(-5, 3, 8, 2, {200, 100, 50});
  canvas.write_png(folder.path() / "a.png");
  EXPECT_EQ(names_in(folder.path()), "a.png");
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  ASSERT_TRUE(png_image_begin_read_from_file(&image, (folder.path() / "a.png").c_str()));
  image.format = PNG_FORMAT_RGB;
  std::vector<std::uint8_t> pixels(PNG_IMAGE_SIZE(image));
  ASSERT_TRUE(png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr));
  EXPECT_EQ(image.width, 30u);
  EXPECT_EQ(pixels[0], 10);
  EXPECT_EQ(pixels[3 * (3 * 30 + 2)], 200);
  EXPECT_EQ(pixels[3 * (3 * 30 + 3)], 10);
  const std::string message =
      error_of(ExitCode::resource, [&] { canvas.write_png(folder.path() / "a.png" / "b.png"); });
  EXPECT_CONTAINS(message, "b.png': Not a directory");
}

/// How many pixels of a file have a colour, and where they are in the mean, from the left.
struct Pixels {
  std::size_t count = 0;
  double place = 0;
};
Pixels pixels_of(const std::filesystem::path& file, const Color& color) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  EXPECT_TRUE(png_image_begin_read_from_file(&image, file.c_str()));
  image.format = PNG_FORMAT_RGB;
  std::vector<unsigned char> bytes(PNG_IMAGE_SIZE(image));
  EXPECT_TRUE(png_image_finish_read(&image, nullptr, bytes.data(), 0, nullptr));
  Pixels found;
  for (std::size_t k = 0; k < bytes.size() / 3; ++k)
    if (Color{bytes[3 * k], bytes[3 * k + 1], bytes[3 * k + 2]} == color) {
      ++found.count;
      found.place += static_cast<double>(k % image.width);
    }
  found.place /= static_cast<double>(found.count);
  return found;
}

TEST(GeometrySlices, ThreePlanesWithOpenings) {
  const TemporaryFolder folder;
  FakeSolver solver(3, {64, 40, 40}, [](const Int3& n) {
    const double y = n[1] - 19.5, z = n[2] - 19.5;
    return y * y + z * z < 225;
  });
  solver.shape.openings = {{"inlet", 0, {}, {}, 0, {}}, {"outlet", 1, {}, {}, 0, {}}};
  solver.shape.surface_of = [](const Int3& n, const Int3& o) {
    return n[0] + o[0] < 0 ? 0 : n[0] + o[0] > 63 ? 1 : surface_id::wall;
  };
  const auto files = write_geometry_slices(solver.shape, grid_of(solver, 5e-5), true, folder.path() / "pipe", "A pipe");
  EXPECT_EQ(files.size(), 3u);
  EXPECT_EQ(names_in(folder.path()), "pipe-x.png pipe-y.png pipe-z.png");
  const std::filesystem::path along = folder.path() / "pipe-z.png";
  const Pixels inlet = pixels_of(along, {230, 97, 1}), outlet = pixels_of(along, {0, 136, 110}),
               fluid = pixels_of(along, {190, 219, 240});
  EXPECT_GT(fluid.count, 20 * inlet.count);  // 62 columns of nodes for one, and a field of the legend each
  EXPECT_EQ(inlet.count, outlet.count);
  EXPECT_LT(inlet.place, fluid.place);
  EXPECT_GT(outlet.place, fluid.place);
  if (const char* kept = std::getenv("FLUVIA_TEST_PICTURES")) {
    for (const auto& file : files)
      std::filesystem::copy_file(file, std::filesystem::path(kept) / file.filename(),
                                 std::filesystem::copy_options::overwrite_existing);
  }
  const FakeSolver flat = cylinder();
  const auto of_flat = write_geometry_slices(flat.shape, grid_of(flat), false, folder.path() / "flat", "");
  ASSERT_EQ(of_flat.size(), 1u);
  for (const Color& opening : {Color{230, 97, 1}, Color{0, 136, 110}})
    EXPECT_EQ(pixels_of(of_flat[0], opening).count, 0u) << "it has no openings";
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

TEST(StrokeFont, WidthsAndUnknownSigns) {
  EXPECT_EQ(text_width("", 10), 0);
  EXPECT_NEAR(text_width("II", 20), 2 * text_width("II", 10), 1e-9);
  EXPECT_EQ(text_strokes("µ", 10).size(), text_strokes("\xce\xbc", 10).size());
  EXPECT_EQ(text_width("\xff", 10), text_width("\xe4\xb8\xad", 10));  // a stray byte and a Chinese sign: one box each
  Canvas canvas(900, 260, {255, 255, 255});
  canvas.text(20, 60, 24, "ABCDEFGHIJKLMNOPQRSTUVWXYZ", {0, 0, 0});
  canvas.text(20, 110, 24, "abcdefghijklmnopqrstuvwxyz", {0, 0, 0});
  canvas.text(20, 160, 24, "0123456789 !\"#$%&'()*+,-./:;<=>?@", {0, 0, 0});
  canvas.text(20, 210, 24, "[\\]^_`{|}~ °µ²³·×±–− kg/m³", {0, 0, 0});
  canvas.text(20, 240, 9, "velocity magnitude [m/s]  ·  z = 1.25 mm  ·  t = 24 ms  ·  step 12000", {0, 0, 0});
  keep(canvas, "font.png");
  EXPECT_GT(count(canvas, {0, 0, 0}), 1000u);
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
