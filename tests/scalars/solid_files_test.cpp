// SPDX-License-Identifier: Apache-2.0
// Files and pictures of scalars that spread in solids, too: they have the nodes of these.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "fluvia/backend/backend.hpp"
#include "fluvia/case/case.hpp"
#include "fluvia/hdf5/input_file.hpp"
#include "fluvia/output/pictures/slice_picture.hpp"
#include "fluvia/output/vtk/vtkhdf.hpp"
#include "fluvia/solver/scalars/flow_scalars.hpp"
#include "support/errors.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

/// A plate of four rows of nodes below fluid, half of it of another material, and a post in which nothing spreads.
const char* const plates = R"case(
[units]
viscosity = 0.1
[domain]
dimension = 2
nodes = [20, 12]
periodic = [true, false]
[[geometry.shape]]
name = "plate"
kind = "box"
center = [10, 2]
size = [40, 4]
[[geometry.shape]]
name = "chip"
kind = "box"
center = [5, 3]
size = [6, 2]
[[geometry.shape]]
name = "post"
kind = "box"
center = [15, 8]
size = [2, 2]
[[scalar]]
name = "heat"
diffusivity = 0.1
initial_formula = "x + 100*y"
[[solid]]
surface = "plate"
diffusivity = 0.2
[[solid]]
surface = "chip"
diffusivity = 0.3
[numerics]
format = "fp64"
device = "cpu"
[output]
fields = ["heat", "velocity", "density"]
[run]
steps = 10
)case";

struct PlatesRun {
  Case settings = parse_case(plates, "plates.toml");
  Grid grid = make_grid(settings);
  Units units = make_units(settings, grid.spacing);
  std::unique_ptr<Solver> solver = make_solver({settings, units, build_geometry(settings, grid)});

  /// 0: fluid, 1: plate, 2: chip, -1: post.
  [[nodiscard]] static int material(int x, int y) {
    if (x >= 14 && x < 16 && y >= 7 && y < 9) return -1;
    if (y >= 4) return 0;
    return x >= 2 && x < 8 && y >= 2 ? 2 : 1;
  }
};

TEST(SolidFiles, HaveTheNodesOfSolidsAndWhatTheyAre) {
  PlatesRun run;
  const TemporaryFolder folder;
  for (const char* const kind : {"image", "unstructured"}) {
    SCOPED_TRACE(kind);
    run.settings.output.vtk = kind;
    write_vtkhdf({*run.solver, run.units, run.grid}, run.settings.output, folder.path() / "plates.vtkhdf");
    const HdfInputFile file(folder.path() / "plates.vtkhdf", "result");
    const bool is_image = std::string(kind) == "image";
    const HdfHandle group = file.open_group(is_image ? "/VTKHDF/PointData" : "/VTKHDF/CellData");
    const auto read = [&](const char* name) {
      const HdfHandle dataset = file.open_dataset(group.get(), name);
      const std::vector<hsize_t> shape = file.shape(dataset);
      hsize_t count = 1;
      for (const hsize_t n : shape) count *= n;
      std::vector<float> values(count);
      file.read(dataset, H5T_NATIVE_FLOAT, std::vector<hsize_t>(shape.size(), 0), shape, values.data());
      return values;
    };
    const std::vector<float> heat = read("heat"), material = read("material"), density = read("density"),
                             velocity = read("velocity");
    for (std::size_t n = 0; n < material.size(); ++n) {
      if (material[n] == 0) continue;
      EXPECT_TRUE(std::isnan(density[n])) << "there is none in a solid";
      EXPECT_EQ(velocity[3 * n], 0) << "solids are at rest";
    }
    int of_fluid = 0, of_plate = 0, of_chip = 0;
    if (is_image) {
      const std::vector<float> ghosts = read("vtkGhostType");
      for (int y = 0; y < 12; ++y)
        for (int x = 0; x < 20; ++x) {
          const auto n = static_cast<std::size_t>(20 * y + x);
          const int expected = PlatesRun::material(x, y);
          EXPECT_EQ(ghosts[n] == 0, expected >= 0) << x << " " << y;
          EXPECT_EQ(material[n], std::max(expected, 0)) << x << " " << y;
          EXPECT_NEAR(heat[n], expected < 0 ? 0 : x + 0.5 + 100 * (y + 0.5), 1e-3) << x << " " << y;
        }
      continue;
    }
    ASSERT_EQ(heat.size(), 20U * 12 - 4);
    for (const float which : material) ++(which == 0 ? of_fluid : which == 1 ? of_plate : of_chip);
    EXPECT_EQ(of_fluid, 20 * 8 - 4);
    EXPECT_EQ(of_plate, 20 * 4 - 12);
    EXPECT_EQ(of_chip, 12);
  }
}

TEST(SolidFiles, PicturesShowWhatSpreadsInSolids) {
  PlatesRun run;
  for (const char* const walls : {"half-way", "interpolated"}) {
    SCOPED_TRACE(walls);
    run.settings.walls.method = walls;
    run.solver = make_solver({run.settings, run.units, build_geometry(run.settings, run.grid)});
    Case::Output::Slice slice;
    slice.axis = 2;
    slice.field = "heat";
    const Figure figure = slice_figure({*run.solver, run.units, run.grid}, slice, "plates", {}, {});
    EXPECT_NEAR(figure.range->low, 0.5 + 50, 1e-3) << "in the lowest row, of the plate";
    const auto detail = static_cast<std::size_t>(std::max(figure.detail, 1)), width = 20 * detail;
    const auto at = [&](std::size_t x, std::size_t y) {
      return figure.cells[(y * detail + detail / 2) * width + x * detail + detail / 2];
    };
    const auto& solid = solid_color;
    EXPECT_NE(at(4, 1), solid) << "plate";
    EXPECT_NE(at(4, 2), solid) << "chip";
    EXPECT_NE(at(4, 1), at(4, 3));
    EXPECT_EQ(at(15, 8), solid) << "post";
    slice.field = "velocity";
    const Figure of_flow = slice_figure({*run.solver, run.units, run.grid}, slice, "plates", {}, {});
    EXPECT_TRUE(std::any_of(of_flow.legend.begin(), of_flow.legend.end(),
                            [](const auto& entry) { return entry.label == "solid"; }));
  }
}

TEST(SolidFiles, OnlyCasesWithSolidsKnowMaterials) {
  std::string text = plates;
  text.replace(text.find("\"density\""), 9, "\"material\"");
  EXPECT_NO_THROW(parse_case(text, "plates.toml"));
  text.erase(text.find("[[solid]]"), text.find("[numerics]") - text.find("[[solid]]"));
  EXPECT_CONTAINS(error_of(ExitCode::input, [&] { parse_case(text, "plates.toml"); }), "material");
}

}  // namespace
}  // namespace fluvia::test
