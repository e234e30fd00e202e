// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/pictures/geometry_picture.hpp"

#include <gtest/gtest.h>

#include "output/fake_solver.hpp"
#include "output/picture_support.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

/// How many pixels of a file have a colour, and where they are in the mean, from the left.
struct Pixels {
  std::size_t count = 0;
  double place = 0;
};
Pixels pixels_of(const std::filesystem::path& file, const Color& color) {
  const Image image = read_png(file);
  Pixels found;
  for (std::size_t y = 0; y < image.height; ++y)
    for (std::size_t x = 0; x < image.width; ++x)
      if (image.pixel(x, y) == color) {
        ++found.count;
        found.place += static_cast<double>(x);
      }
  found.place /= static_cast<double>(found.count);
  return found;
}

TEST(GeometryPictures, ThreePlanesWithOpeningsSolidAndOutside) {
  const TemporaryFolder folder;
  const auto radius2 = [](const Int3& n) {
    const double y = n[1] - 19.5, z = n[2] - 19.5;
    return y * y + z * z;
  };
  const auto body = [](const Int3& n) { return n[0] > 28 && n[0] < 36 && n[1] > 12 && n[1] < 18; };
  FakeSolver solver(3, {64, 40, 40}, [&](const Int3& n) { return radius2(n) < 225 && !body(n); });
  solver.shape.openings = {{"inlet", 0, {}, {}, 0, {}}, {"outlet", 1, {}, {}, 0, {}}};
  solver.shape.surface_of = [](const Int3& n, const Int3& o) {
    return n[0] + o[0] < 0 ? 0 : n[0] + o[0] > 63 ? 1 : surface_id::wall;
  };
  solver.shape.is_outside = [&](const Int3& n) { return radius2(n) >= 225; };
  const auto files = write_geometry_slices(solver.shape, grid_of(solver, 5e-5), true, folder.path() / "pipe", "A pipe");
  EXPECT_EQ(files.size(), 3u);
  EXPECT_EQ(names_in(folder.path()), "pipe-x.png pipe-y.png pipe-z.png");
  const std::filesystem::path along = folder.path() / "pipe-z.png";
  const Pixels inlet = pixels_of(along, {230, 97, 1}), outlet = pixels_of(along, {0, 136, 110}),
               fluid = pixels_of(along, {176, 212, 240}), solid = pixels_of(along, solid_color),
               outside = pixels_of(along, outside_color);
  EXPECT_GT(fluid.count, 20 * inlet.count);  // 62 columns of nodes for one, and a field of the legend each
  EXPECT_EQ(inlet.count, outlet.count);
  EXPECT_LT(inlet.place, fluid.place);
  EXPECT_GT(outlet.place, fluid.place);
  EXPECT_GT(solid.count, 7 * 5 * 18 * 18u);  // 19 pixels a node, and what borders may take
  EXPECT_LT(solid.count, 7 * 5 * 20 * 20 + 700u);
  EXPECT_GT(outside.count, 64 * 8 * 18 * 18u);
  if (const char* kept = std::getenv("FLUVIA_TEST_PICTURES")) {
    for (const auto& file : files)
      std::filesystem::copy_file(file, std::filesystem::path(kept) / file.filename(),
                                 std::filesystem::copy_options::overwrite_existing);
  }
}

TEST(GeometryPictures, TellPartsApart) {
  const TemporaryFolder folder;
  const FakeSolver flat(2, {32, 48, 1}, [](const Int3&) { return true; });  // 4 x 6 tiles
  const auto files =
      write_geometry_slices(flat.shape, grid_of(flat), false, folder.path() / "flat", "", {0, 4, 12, 24});
  const std::size_t first = pixels_of(files[0], {176, 212, 240}).count,
                    second = pixels_of(files[0], {198, 226, 181}).count,
                    third = pixels_of(files[0], {248, 218, 166}).count;
  EXPECT_NEAR(static_cast<double>(second) / static_cast<double>(first), 2, 0.15);  // a field of the legend each
  EXPECT_NEAR(static_cast<double>(third) / static_cast<double>(first), 3, 0.25);
}

TEST(GeometryPictures, OneOfAFlatCase) {
  const TemporaryFolder folder;
  const FakeSolver flat(2, {30, 12, 1}, [](const Int3& n) { return n[0] > 3; });
  const auto files = write_geometry_slices(flat.shape, grid_of(flat), false, folder.path() / "flat", "");
  ASSERT_EQ(files.size(), 1u);
  for (const Color& opening : {Color{230, 97, 1}, Color{0, 136, 110}})
    EXPECT_EQ(pixels_of(files[0], opening).count, 0u) << "it has no openings";
  EXPECT_EQ(pixels_of(files[0], outside_color).count, 0u);
  EXPECT_GT(pixels_of(files[0], solid_color).count, 4 * 12 * 39 * 39u);  // 40 pixels a node
}

}  // namespace
}  // namespace fluvia::test
