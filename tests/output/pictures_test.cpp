// SPDX-License-Identifier: Apache-2.0
// Whole pictures against stored ones that were looked at. To make them again after a change that is meant:
// FLUVIA_TEST_PICTURES=tests/output/stored fluvia_test_output --gtest_filter='Pictures.*', and look at what differs.
#include <gtest/gtest.h>
#include <png.h>

#include <cmath>
#include <cstdlib>

#include "fluvia/output/color_map.hpp"
#include "fluvia/output/figure.hpp"
#include "fluvia/output/png_slice.hpp"
#include "output/fake_solver.hpp"
#include "output/temporary_folder.hpp"

namespace fluvia::test {
namespace {

struct Image {
  unsigned width = 0, height = 0;
  std::vector<std::uint8_t> bytes;
};

Image read(const std::filesystem::path& file) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_file(&png, file.c_str())) return {};
  png.format = PNG_FORMAT_RGB;
  Image image{png.width, png.height, std::vector<std::uint8_t>(PNG_IMAGE_SIZE(png))};
  EXPECT_TRUE(png_image_finish_read(&png, nullptr, image.bytes.data(), 0, nullptr));
  return image;
}

/// Compilers round differently: the last bits of a number may make a shade of difference, and no more.
void expect_stored(const std::filesystem::path& file) {
  SCOPED_TRACE(file.filename());
  if (const char* folder = std::getenv("FLUVIA_TEST_PICTURES"))
    std::filesystem::copy_file(file, std::filesystem::path(folder) / file.filename(),
                               std::filesystem::copy_options::overwrite_existing);
  const Image found = read(file);
  const Image stored = read(std::filesystem::path(FLUVIA_SOURCE_DIR) / "tests/output/stored" / file.filename());
  ASSERT_EQ(found.width, stored.width);
  ASSERT_EQ(found.height, stored.height);
  std::size_t wrong = 0, first = 0;
  for (std::size_t k = 0; k < found.bytes.size(); ++k)
    if (std::abs(found.bytes[k] - stored.bytes[k]) > 2 && wrong++ == 0) first = k / 3;
  EXPECT_EQ(wrong, 0u) << "first at x = " << first % found.width << ", y = " << first / found.width;
}

class Pictures : public testing::Test {
 protected:
  void expect_stored(const Canvas& canvas, const std::string& name) const {
    canvas.write_png(folder_.path() / name);
    test::expect_stored(folder_.path() / name);
  }
  TemporaryFolder folder_;
};

Figure plane(int width, int height, Color (*map)(double)) {
  Figure figure;
  figure.width = width;
  figure.height = height;
  for (int j = 0; j < height; ++j)
    for (int i = 0; i < width; ++i) figure.cells.push_back(map((i + 0.3 * j) / (width + 0.3 * height)));
  return figure;
}

TEST_F(Pictures, BarThatIsClippedAtBothEnds) {
  Figure figure = plane(14, 9, cool_warm);
  figure.title = "A plane of few nodes, Re = 100";
  figure.subtitle = "vorticity [1/s]  ·  y = 1.25 mm  ·  t = 24 ms  ·  step 12000";
  figure.horizontal = 'z';
  figure.vertical = 'x';
  figure.cell_size = 1.3e-4;
  figure.si = true;
  figure.bar = Figure::Bar{-0.0031, 0.0124, "vorticity", "1/s", cool_warm, true, true};
  expect_stored(draw_figure(figure), "clipped.png");
}

TEST_F(Pictures, NarrowPlaneWithLargeNumbers) {
  Figure figure = plane(5, 60, viridis);
  figure.title = "Narrow";
  figure.subtitle = "pressure [Pa], of a plane that is narrower than what is written over it";
  figure.cell_size = 0.25;
  figure.si = true;
  figure.bar = Figure::Bar{-12000, 1.7e6, "pressure", "Pa", viridis, false, false};
  expect_stored(draw_figure(figure), "narrow.png");
}

TEST_F(Pictures, FlatPlaneWithALegendAndLongText) {
  Figure figure = plane(160, 11, viridis);
  for (int k = 0; k < 20; ++k) figure.title += "a title that does not fit ";
  for (int k = 0; k < 30; ++k) figure.subtitle += "nor does what is below it ";
  figure.legend = {{{230, 97, 1}, "inlet"}, {{0, 136, 110}, "an outlet with a longer name"}, {{94, 60, 153}, "µ ²³ §"}};
  expect_stored(draw_figure(figure), "legend.png");
}

/// A duct with a body and a slit, whose flow differs along every axis.
FakeSolver duct() {
  FakeSolver solver(3, {17, 12, 9}, [](const Int3& n) {
    return std::abs(n[0] - 5) + std::abs(n[1] - 7) + std::abs(n[2] - 3) > 3 && (n[0] != 12 || n[1] > 6);
  });
  solver.velocity = [](const Int3& n) {
    return Real3{0.02 + 0.002 * n[1] - 0.0006 * n[2] * n[2], 0.003 * n[2] - 0.0002 * n[0] * n[0], 0.0007 * n[0] * n[1]};
  };
  solver.density = [](const Int3& n) { return 1 + 1e-4 * n[0] * n[0] - 3e-4 * n[1] + 2e-4 * n[2] * n[1]; };
  solver.stress = [](const Int3& n) {
    return std::array<double, 6>{1e-4 * n[0], -2e-4 * n[1], 1e-4 * n[2], 3e-5 * n[1], -1e-5 * n[2], 4e-5 * n[0]};
  };
  solver.shape.openings = {{"inlet", 0, {}, {}, 0, {}}, {"outlet", 1, {}, {}, 0, {}}};
  solver.shape.surface_of = [](const Int3& n, const Int3& o) {
    return n[0] + o[0] < 0 ? 0 : n[0] + o[0] > 16 ? 1 : surface_id::wall;
  };
  solver.now = 1234;
  return solver;
}

TEST_F(Pictures, SlicesAcrossEachAxis) {
  const FakeSolver solver = duct();
  Units units;
  units.si = true;
  units.spacing = 2e-3;
  units.time_step = 5e-4;
  units.density = 900;
  units.viscosity = 0.03;
  const Grid grid = grid_of(solver, 2e-3, {0.1, -0.05, 0.2});
  const OutputContext output{solver, units, grid};
  expect_stored(draw_slice(output, {"velocity", 0, 0.1 + 2e-3 * 7.2}, "Duct"), "slice-x.png");
  expect_stored(draw_slice(output, {"pressure", 1, -0.05 + 2e-3 * 7.6}, "Duct"), "slice-y.png");
  expect_stored(draw_slice(output, {"vorticity", 2, {}}, "Duct"), "slice-z.png");
}

TEST_F(Pictures, GeometryAcrossEachAxis) {
  const FakeSolver solver = duct();
  for (const auto& file : write_geometry_slices(solver.shape, grid_of(solver, 2e-3, {0.1, -0.05, 0.2}), true,
                                                folder_.path() / "duct", "Duct"))
    test::expect_stored(file);
}

}  // namespace
}  // namespace fluvia::test
