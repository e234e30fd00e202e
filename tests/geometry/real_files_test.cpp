// SPDX-License-Identifier: Apache-2.0
// Real surfaces and images; they are not part of the project, so these tests are skipped where the folder is absent.
#include <sstream>

#include "geometry/test_support.hpp"

namespace fluvia::test {
namespace {

class RealFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto folder = shared_folder();
    if (!folder) {
      GTEST_SKIP() << "the folder with real geometries is absent; set FLUVIA_SHARED to the folder that holds geometry/";
    }
    root_ = *folder;
  }
  /// A case with one surface, `nodes` along its longest side.
  Case surface(const std::vector<Case::Stl>& parts, int nodes) const {
    Case c;
    c.directory = root_;
    c.geometry.stl = parts;
    c.domain.padding = 0;
    c.units.system = "si";
    c.units.spacing = 1e-3;
    double longest = 0;
    const Grid grid = make_grid(c);
    for (int axis = 0; axis < 3; ++axis) longest = std::max(longest, grid.size[axis] * grid.spacing);
    c.units.spacing = longest / nodes;
    c.domain.padding = 2;
    return c;
  }
  static double volume(const Geometry& g, const Case& c) {
    return static_cast<double>(g.nodes.fluid_nodes) * std::pow(*c.units.spacing, 3);
  }
  std::filesystem::path root_;
};

std::vector<std::vector<std::string>> read_csv(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<std::vector<std::string>> rows;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::vector<std::string> row;
    std::stringstream parts(line);
    for (std::string part; std::getline(parts, part, ',');) row.push_back(part);
    rows.push_back(row);
  }
  return rows;
}

TEST_F(RealFiles, VoxelImagesHaveTheirPorosity) {
  for (const auto& row : read_csv(root_ / "rock" / "manifest.csv")) {
    SCOPED_TRACE(row[0]);
    Case c;
    c.directory = root_ / "rock";
    c.geometry.keep_isolated = true;
    c.geometry.voxels = Case::Voxels{};
    c.geometry.voxels->file = row[0];
    c.geometry.voxels->shape = {std::stoi(row[1]), std::stoi(row[2]), std::stoi(row[3])};
    c.geometry.voxels->fluid_labels = std::vector<int>{std::stoi(row[5])};
    const Geometry g = build(c);
    EXPECT_EQ(g.nodes.size, c.geometry.voxels->shape);
    EXPECT_NEAR(g.nodes.porosity(), std::stod(row[7]), 6e-7);
    EXPECT_EQ(g.report.fluid_components, std::stoull(row[8]));
  }
}

TEST_F(RealFiles, MasksHaveTheirPorosity) {
  for (const auto& row : read_csv(root_ / "masks" / "manifest.csv")) {
    SCOPED_TRACE(row[0]);
    Case c;
    c.directory = root_ / "masks";
    c.domain.dimension = 2;
    c.geometry.keep_isolated = true;
    c.geometry.mask = Case::Mask{};
    c.geometry.mask->file = row[0];
    const Geometry g = build(c);
    EXPECT_EQ(g.nodes.size, (Int3{std::stoi(row[1]), std::stoi(row[2]), 1}));
    EXPECT_NEAR(g.nodes.porosity(), std::stod(row[5]), 6e-6);
    EXPECT_EQ(g.report.fluid_components, std::stoull(row[6]));
  }
}

TEST_F(RealFiles, ClosedSurfacesHaveTheirVolume) {
  struct Body {
    const char* file;
    double unit, volume;
  };
  for (const Body& body :
       {Body{"vessels/palabos_aneurysm_closed.stl.gz", 1, 4.81862e-5},
        Body{"vessels/coarctation_closed.stl.gz", 1e-3, 10712e-9}, Body{"vessels/openlb_aorta3d.stl", 1e-3, 0},
        Body{"bodies/bunny_closed.stl.gz", 1, 0}, Body{"bodies/openfoam_simpleCar.stl.gz", 1, 0}}) {
    SCOPED_TRACE(body.file);
    std::vector<Case::Stl> parts{stl(body.file)};
    parts[0].unit = body.unit;
    const Case coarse = surface(parts, 48), fine = surface(parts, 100);
    const Geometry g = build(fine);
    const double found = volume(g, fine);
    if (body.volume > 0) {
      EXPECT_NEAR(found, body.volume, 0.02 * body.volume);
    }
    EXPECT_NEAR(volume(build(coarse), coarse), found, 0.06 * found) << "48 and 100 nodes must agree";
    EXPECT_EQ(g.report.hole_count, 0u);
    EXPECT_EQ(g.report.non_manifold_edges, 0u);
    // Inside and outside together fill the box, whatever the orientation of the triangles.
    Case outside = fine;
    outside.geometry.stl[0].fluid = "outside";
    outside.geometry.stl[0].name = "body";
    const Geometry around = build(outside);
    EXPECT_EQ(around.nodes.fluid_nodes + g.nodes.fluid_nodes, g.nodes.box_nodes());
  }
}

TEST_F(RealFiles, PatchesFormClosedVessels) {
  struct Vessel {
    const char* folder;
    double volume;
  };
  for (const Vessel& vessel : {Vessel{"vessels/coarctation/", 10712e-9}, Vessel{"vessels/aorta_patient1/", 10218e-9}}) {
    SCOPED_TRACE(vessel.folder);
    std::vector<Case::Stl> parts;
    std::vector<Case::Boundary> boundaries;
    for (const char* name : {"wall", "inlet", "outlet1", "outlet2", "outlet3", "outlet4"}) {
      const bool wall = std::string(name) == "wall";
      parts.push_back(stl(std::string(vessel.folder) + name + ".stl.gz", wall ? "" : name, wall ? "wall" : "opening"));
      parts.back().unit = 1e-3;
      if (!wall) boundaries.push_back(boundary(name, std::string(name) == "inlet" ? "velocity" : "pressure"));
    }
    Case c = surface(parts, 128);
    c.boundaries = boundaries;
    const Geometry g = build(c);
    EXPECT_NEAR(volume(g, c), vessel.volume, 0.02 * vessel.volume);
    EXPECT_EQ(g.openings.size(), 5u);
    EXPECT_EQ(g.report.dropped_components, 0u);
    // The wall alone has the same openings as holes: areas and directions must agree with the patches.
    Case open = c;
    open.geometry.stl.resize(1);
    open.geometry.allow_defects = true;
    open.boundaries.clear();
    const Geometry holes = build(open);
    EXPECT_EQ(holes.report.hole_count, 5u);
    for (const Opening& opening : g.openings) {
      double best = 1e300;
      for (const auto& hole : holes.report.holes) {
        const double area = hole.area / std::pow(*c.units.spacing, 2);
        best = std::min(best, std::abs(area / opening.area - 1) + norm(hole.normal - opening.normal));
      }
      EXPECT_LT(best, 0.05) << opening.name;
    }
  }
}

struct Listed {
  Real3 normal;
  double area;
  Real3 centroid;
};

/// The openings of one file from openings.txt.
std::vector<Listed> listed_openings(const std::filesystem::path& path, const std::string& file) {
  std::ifstream text(path);
  std::vector<Listed> list;
  bool wanted = false;
  for (std::string line; std::getline(text, line);) {
    if (line.rfind("  ", 0) != 0) {
      wanted = line.rfind(file, 0) == 0;
      continue;
    }
    Listed entry{};
    int index = 0;
    const int fields =
        std::sscanf(line.c_str(), " opening %d: centroid (%lf %lf %lf) outward normal (%lf %lf %lf) area %lf", &index,
                    &entry.centroid[0], &entry.centroid[1], &entry.centroid[2], &entry.normal[0], &entry.normal[1],
                    &entry.normal[2], &entry.area);
    if (wanted && fields == 8) list.push_back(entry);
  }
  return list;
}

TEST_F(RealFiles, HolesAreTheListedOpenings) {
  const double two_degrees = std::cos(2 * std::numbers::pi / 180);
  for (const std::string file : {"palabos_aneurysm.stl", "gmsh_aneurysm_data.stl"}) {
    SCOPED_TRACE(file);
    const std::vector<Listed> listed = listed_openings(root_ / "openings.txt", file);
    ASSERT_EQ(listed.size(), 3u);
    const bool millimetres = file.rfind("gmsh", 0) == 0;
    const double unit = millimetres ? 1e-3 : 1;
    std::vector<Case::Stl> parts{stl("vessels/" + file + ".gz")};
    parts[0].unit = unit;
    Case c = surface(parts, 100);
    expect_message([&] { build(c); }, {file, "3 holes that no opening names"});
    for (std::size_t i = 0; i < 3; ++i) {
      const std::string name = "end" + std::to_string(i);
      c.openings.push_back({name, unit * listed[i].centroid, std::nullopt, std::nullopt});
      c.boundaries.push_back(boundary(name, i == 0 ? "velocity" : "pressure"));
    }
    const Geometry g = build(c);
    ASSERT_EQ(g.openings.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
      const double area = g.openings[i].area * std::pow(*c.units.spacing / unit, 2);
      EXPECT_NEAR(area, listed[i].area, 0.02 * listed[i].area);
      EXPECT_GT(dot(g.openings[i].normal, listed[i].normal), two_degrees);
    }
    const double expected = millimetres ? 9538.01e-9 : 4.81862e-5;
    EXPECT_NEAR(volume(g, c), expected, 0.02 * expected);
  }
}

}  // namespace
}  // namespace fluvia::test
