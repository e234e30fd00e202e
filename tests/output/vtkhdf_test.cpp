// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/vtk/vtkhdf.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <sstream>

#include "output/fake_solver.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

/// A Python that has VTK: $FLUVIA_PYTHON, the one that scripts/setup made, or the system's; empty if there is none.
const std::string& python_with_vtk() {
  static const std::string found = [] {
    std::vector<std::string> candidates;
    if (const char* chosen = std::getenv("FLUVIA_PYTHON")) candidates.emplace_back(chosen);
    candidates.emplace_back(FLUVIA_SOURCE_DIR "/build/venv/bin/python3");
    candidates.emplace_back("python3");
    for (const std::string& python : candidates) {
      if (std::system(("'" + python + "' -c 'import vtk' >/dev/null 2>&1").c_str()) == 0) return python;
    }
    return std::string();
  }();
  return found;
}

Case::Output kind(const std::string& vtk, int compression = 4) {
  Case::Output settings;
  settings.vtk = vtk;
  settings.compression = compression;
  return settings;
}

/// What read_vtk.py prints: first word -> rest of the line.
std::map<std::string, std::string> read_with_vtk(const std::filesystem::path& file) {
  const std::string command =
      "'" + python_with_vtk() + "' '" FLUVIA_SOURCE_DIR "/tests/output/read_vtk.py' '" + file.string() + "' 2>&1";
  std::map<std::string, std::string> result;
  std::FILE* pipe = ::popen(command.c_str(), "r");
  char line[4096];
  while (std::fgets(line, sizeof(line), pipe)) {
    std::istringstream words(line);
    std::string key, rest;
    words >> key;
    if (key == "components") {
      std::string name;
      words >> name;
      key += " " + name;
    }
    std::getline(words >> std::ws, rest);
    result[key] = rest;
    result["everything"] += line;
  }
  EXPECT_EQ(::pclose(pipe), 0) << result["everything"];
  return result;
}

std::vector<double> numbers(const std::string& text) {
  std::istringstream in(text);
  std::vector<double> values;
  for (double value = 0; in >> value;) values.push_back(value);
  return values;
}

class VtkHdf : public testing::Test {
 protected:
  void SetUp() override {
    if (python_with_vtk().empty()) {
      GTEST_SKIP() << "no Python with the vtk module (set FLUVIA_PYTHON or run scripts/setup)";
    }
  }
  /// Writes "linear" = x + 2y + 3z and "position" in case units, and the usual fields.
  void write(const FakeSolver& solver, Case::Output settings) {
    const Grid grid = grid_of(solver, 0.5, {1, -2, 0.25});
    const NodeMap& nodes = solver.shape.nodes;
    std::vector<Real3> centres(nodes.fluid_nodes);
    for (int z = 0; z < nodes.size[2]; ++z) {
      for (int y = 0; y < nodes.size[1]; ++y) {
        for (int x = 0; x < nodes.size[0]; ++x) {
          const std::int64_t i = nodes.node_index({x, y, z});
          if (i >= 0) centres[static_cast<std::size_t>(i)] = grid.origin + 0.5 * Real3{x + 0.5, y + 0.5, z + 0.5};
        }
      }
    }
    const std::vector<Field> extra{make_array_field("linear", 1, "",
                                                    [&](std::uint64_t i, double* out) {
                                                      out[0] = dot(centres[i], {1, 2, 3});
                                                    }),
                                   make_array_field("position", 3, "", [&](std::uint64_t i, double* out) {
                                     for (std::size_t c = 0; c < 3; ++c) out[c] = centres[i][c];
                                   })};
    settings.fields = {"linear", "position", "pressure", "velocity", "vorticity"};
    Units units;
    units.time_step = 0.25;
    write_vtkhdf({solver, units, grid}, settings, path, extra);
    EXPECT_EQ(names_in(folder.path()), "flow.vtkhdf");
  }
  static void expect_bounds(const std::map<std::string, std::string>& seen, const std::vector<double>& expected) {
    const std::vector<double> bounds = numbers(seen.at("bounds"));
    ASSERT_EQ(bounds.size(), 6u);
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(bounds[i], expected[i], 1e-9) << i;
  }
  TemporaryFolder folder;
  std::filesystem::path path = folder.path() / "flow.vtkhdf";
};

bool outside_ball(const Int3& n) {
  const double x = n[0] - 11, y = n[1] - 8, z = n[2] - 6;
  return x * x + y * y + z * z > 20;
}
bool thin(const Int3& n) {
  return (n[0] * n[0] + 3 * n[1] + 5 * n[2]) % 7 == 0 && n[2] != 5;
}

std::uint64_t faces_seen(const FakeSolver& solver) {  // faces between a fluid node and anything that is not
  std::uint64_t faces = 0;
  const NodeMap& nodes = solver.shape.nodes;
  for (const NodeMap::Tile& tile : nodes.tiles) {
    for (int bit = 0; bit < nodes_per_tile; ++bit) {
      if (!(tile.mask >> bit & 1)) continue;
      const Int3 n = nodes.node_position(tile, bit);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        for (const int side : {-1, 1}) {
          Int3 other = n;
          other[axis] += side;
          faces += !nodes.is_fluid(other);
        }
      }
    }
  }
  return faces;
}

/// Cells of the image whose corners are all fluid.
std::uint64_t whole_cells(const NodeMap& nodes) {
  std::uint64_t count = 0;
  const int depth = nodes.dimension == 3 ? 1 : 0;
  for (int z = 0; z < nodes.size[2] - depth; ++z) {
    for (int y = 0; y < nodes.size[1] - 1; ++y) {
      for (int x = 0; x < nodes.size[0] - 1; ++x) {
        bool whole = true;
        for (int c = 0; c < 8; ++c)
          whole = whole && nodes.is_fluid({x + (c & 1), y + (c >> 1 & 1), z + (c >> 2 & depth)});
        count += whole;
      }
    }
  }
  return count;
}

TEST_F(VtkHdf, ImageHidesSolidNodes) {
  FakeSolver solver(3, {23, 18, 14}, outside_ball);
  solver.now = 8;
  write(solver, {});
  auto seen = read_with_vtk(path);
  EXPECT_EQ(seen["class"], "image") << seen["everything"];
  EXPECT_EQ(seen["nodes"], std::to_string(23 * 18 * 14));
  EXPECT_EQ(seen["cells"], std::to_string(22 * 17 * 13));
  EXPECT_EQ(seen["visible"], std::to_string(solver.shape.nodes.fluid_nodes));
  EXPECT_EQ(seen["visible_cells"], std::to_string(whole_cells(solver.shape.nodes)));
  EXPECT_EQ(seen["arrays"], "linear position pressure velocity vorticity vtkGhostType");
  EXPECT_EQ(seen["components velocity"], "3");
  EXPECT_EQ(seen["components pressure"], "1");
  EXPECT_LT(numbers(seen["deviation"]).at(0), 1e-5);
  if (!seen["vtk"].starts_with("9.2")) {  // which reads no field data
    EXPECT_EQ(numbers(seen["time"] + " 0").at(0), 2);
  }
  expect_bounds(seen, {1.25, 12.25, -1.75, 6.75, 0.5, 7});
}

TEST_F(VtkHdf, UnstructuredHoldsFluidCellsOnly) {
  FakeSolver solver(3, {23, 18, 14}, thin);
  write(solver, {});
  auto seen = read_with_vtk(path);
  EXPECT_EQ(seen["class"], "unstructured") << seen["everything"];
  EXPECT_EQ(seen["cells"], std::to_string(solver.shape.nodes.fluid_nodes));
  EXPECT_EQ(seen["arrays"], "linear position pressure velocity vorticity");
  EXPECT_EQ(seen["kinds"], "11");
  EXPECT_LT(numbers(seen["deviation"]).at(0), 1e-5);
  EXPECT_EQ(seen["surface_cells"], std::to_string(faces_seen(solver)));  // corners shared, or inner faces would show
}

TEST_F(VtkHdf, CornersAreSharedAcrossTilesAndSlabs) {
  FakeSolver solver(3, {70, 65, 70}, everywhere);  // more than one slab
  write(solver, kind("unstructured", 1));
  auto seen = read_with_vtk(path);
  EXPECT_EQ(seen["cells"], std::to_string(70 * 65 * 70)) << seen["everything"];
  EXPECT_EQ(seen["points"], std::to_string(71 * 66 * 71));
  EXPECT_LT(numbers(seen["deviation"]).at(0), 1e-4);
  expect_bounds(seen, {1, 36, -2, 30.5, 0.25, 35.25});
}

TEST_F(VtkHdf, ImageOfSeveralSlabs) {
  FakeSolver solver(3, {70, 65, 70}, outside_ball);
  write(solver, kind("image", 0));
  auto seen = read_with_vtk(path);
  EXPECT_EQ(seen["visible"], std::to_string(solver.shape.nodes.fluid_nodes)) << seen["everything"];
  EXPECT_LT(numbers(seen["deviation"]).at(0), 1e-4);
}

TEST_F(VtkHdf, RegionAndStride) {
  FakeSolver solver(3, {23, 18, 14}, outside_ball);
  for (const char* vtk : {"image", "unstructured"}) {
    Case::Output settings;
    settings.vtk = vtk;
    settings.stride = 3;
    settings.region = {{Real3{2, -2, 0.25}, Real3{8, 7, 6.25}}};
    write(solver, settings);
    auto seen = read_with_vtk(path);
    EXPECT_EQ(seen["class"], vtk) << seen["everything"];
    EXPECT_LT(numbers(seen["deviation"]).at(0), 1e-5);
    if (settings.vtk == "image") {
      EXPECT_EQ(seen["nodes"], std::to_string(4 * 6 * 4));
      expect_bounds(seen, {2.75, 7.25, -1.25, 6.25, 1, 5.5});
    } else {
      expect_bounds(seen, {2, 8, -2, 7, 0.25, 6.25});
    }
  }
}

TEST_F(VtkHdf, TwoDimensions) {
  FakeSolver solver(2, {37, 21, 1},
                    [](const Int3& n) { return (n[0] - 9) * (n[0] - 9) + (n[1] - 10) * (n[1] - 10) > 16; });
  write(solver, {});
  auto image = read_with_vtk(path);
  EXPECT_EQ(image["class"], "image") << image["everything"];
  EXPECT_EQ(image["nodes"], std::to_string(37 * 21 * 2));  // two equal planes
  EXPECT_EQ(image["visible_cells"], std::to_string(whole_cells(solver.shape.nodes)));
  EXPECT_EQ(image["visible"], std::to_string(2 * solver.shape.nodes.fluid_nodes));
  EXPECT_NEAR(numbers(image["deviation"]).at(0), 0.75, 1e-5);  // 3 z, as the planes lie half a node from the node
  expect_bounds(image, {1.25, 19.25, -1.75, 8.25, 0.25, 0.75});
  write(solver, kind("unstructured"));
  auto cells = read_with_vtk(path);
  EXPECT_EQ(cells["cells"], std::to_string(solver.shape.nodes.fluid_nodes)) << cells["everything"];
  EXPECT_EQ(cells["kinds"], "8");
  EXPECT_LT(numbers(cells["deviation"]).at(0), 1e-5);
  expect_bounds(cells, {1, 19.5, -2, 8.5, 0.5, 0.5});
}

TEST(VtkHdfErrors, UnknownKindAndField) {
  const TemporaryFolder folder;
  const FakeSolver solver(2, {8, 8, 1}, everywhere);
  const Grid grid = grid_of(solver);
  const Units units;
  Case::Output settings;
  settings.vtk = "legacy";
  EXPECT_CONTAINS(error_of(ExitCode::input,
                           [&] {
                             write_vtkhdf({solver, units, grid}, settings, folder.path() / "a");
                           }),
                  "output.vtk = 'legacy': choose auto, image, unstructured or none");
  settings.vtk = "auto";
  settings.fields = {"temperature"};
  EXPECT_CONTAINS(error_of(ExitCode::input,
                           [&] {
                             write_vtkhdf({solver, units, grid}, settings, folder.path() / "a");
                           }),
                  "no field 'temperature'");
  EXPECT_EQ(names_in(folder.path()), "");
}

TEST(VtkHdfErrors, FullDiskLeavesNothing) {
  const TemporaryFolder folder;
  const SmallDisk disk(folder.path() / "disk");
  if (!disk.mounted()) GTEST_SKIP() << "this user may not mount a small tmpfs";
  FakeSolver solver(3, {80, 80, 80}, everywhere);
  solver.velocity = [](const Int3& n) {
    return Real3{std::sin(n[0] * 1.7), std::sin(n[1] * 2.3), std::cos(n[2] * 3.1)};
  };
  const Grid grid = grid_of(solver);
  const Units units;
  for (const char* vtk : {"image", "unstructured"}) {
    for (const int compression : {0, 3}) {
      Case::Output settings;
      settings.vtk = vtk;
      settings.compression = compression;
      const std::string message = error_of(ExitCode::resource, [&] {
        write_vtkhdf({solver, units, grid}, settings, disk.path() / "a.vtkhdf");
      });
      EXPECT_CONTAINS(message, "a.vtkhdf': No space left on device");
      EXPECT_EQ(names_in(disk.path()), "");
    }
  }
}

}  // namespace
}  // namespace fluvia::test
