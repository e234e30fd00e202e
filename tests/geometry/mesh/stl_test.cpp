// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <random>

#include "fluvia/geometry/mesh/column_parity.hpp"
#include "fluvia/geometry/mesh/mesh.hpp"
#include "fluvia/geometry/mesh/ray_mesh.hpp"
#include "fluvia/geometry/mesh/surface_file.hpp"
#include "geometry/test_support.hpp"

namespace fluvia::test {
namespace {

using namespace geometry;

TriangleSoup read_stl(const std::filesystem::path& path) {
  return read_surface(path);
}

const TriangleSoup cube = box_soup({2, 2, 2}, {10, 10, 10});

TEST(StlReader, ReadsEveryForm) {
  const TemporaryFolder folder;
  std::string solid_binary = binary_stl(cube, "solid made by a program that writes binary");
  for (const auto& path :
       {folder.write("a.stl", binary_stl(cube)), folder.write("b.stl", text_stl(cube)),
        folder.write("c.stl", solid_binary), write_gzip(folder, "d.stl.gz", binary_stl(cube)),
        write_gzip(folder, "e.stl.gz", text_stl(cube)), folder.write("f.stl", "\n  " + text_stl(cube)),
        folder.write("g.stl", binary_stl(cube) + "trailing")}) {
    EXPECT_EQ(read_stl(path), cube) << path;
  }
  // Several solids in one text file add up; upper case is accepted.
  std::string twice = text_stl(cube) + text_stl(cube);
  for (char& letter : twice) letter = static_cast<char>(std::toupper(letter));
  EXPECT_EQ(read_stl(folder.write("h.stl", twice)).size(), 2 * cube.size());
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

std::string with_count(std::string binary, std::uint32_t count) {
  std::memcpy(binary.data() + 80, &count, sizeof count);
  return binary;
}

TEST(StlReader, ReadsFilesAsProgramsWriteThem) {
  const TemporaryFolder folder;
  const std::string text = text_stl(cube), binary = binary_stl(cube);
  const std::string two_solids = text + replaced(text, "solid", "solid solid");
  const auto reads = [&](const std::string& name, const std::string& content, std::size_t times = 1) {
    SCOPED_TRACE(name);
    const TriangleSoup soup = read_stl(folder.write(name, content));
    ASSERT_EQ(soup.size(), times * cube.size());
    EXPECT_TRUE(std::equal(cube.begin(), cube.end(), soup.begin()));
  };
  reads("mark.stl", "\xEF\xBB\xBF" + text);
  reads("comments.stl", "# by hand\n// and again\n" + replaced(text, "endfacet", "endfacet\n  # a facet"));
  reads("zeros.stl", text + std::string(100, '\0'));
  reads("windows.stl", replaced(text, "\n", "\r\n"));
  reads("mac.stl", replaced(text, "\n", "\r"));
  reads("one-line.stl", replaced(text, "\n", " "));
  reads("named.stl", two_solids, 2);
  reads("two-in-a-line.stl", replaced(text + text, "\n", " "), 2);
  reads("count-0.stl", with_count(binary, 0));
  reads("count-unknown.stl", with_count(binary, 0xFFFFFFFFU));
}

TEST(StlReader, CountsLinesHoweverTheyEnd) {
  const TemporaryFolder folder;
  const std::string text = "# a comment\nsolid x\nfacet normal 0 0 1\nouter hoop\n";
  int number = 0;
  for (const char* end : {"\n", "\r\n", "\r"}) {
    const std::string name = std::to_string(number++) + ".stl";
    expect_message([&] { read_stl(folder.write(name, replaced(text, "\n", end))); }, {name + ":4", "hoop"});
  }
}

TEST(StlReader, RefusesWhatHasMoreThanOneMeaning) {
  const TemporaryFolder folder;
  expect_message([&] { read_stl(folder.write("less.stl", with_count(binary_stl(cube), 11))); },
                 {"less.stl", "announces 11 triangles, but 12", "684 bytes"});
  expect_message([&] { read_stl(folder.write("wide.stl", std::string("\xFF\xFEs\0o\0", 6))); }, {"wide.stl", "UTF-16"});
}

TEST(StlReader, NamesWhatIsWrong) {
  const TemporaryFolder folder;
  const std::string good = binary_stl(cube), text = text_stl(cube);
  const auto fails = [&](const std::string& name, const std::string& content, std::vector<std::string> parts) {
    parts.push_back(name);
    const auto path = folder.write(name, content);
    expect_message([&] { read_stl(path); }, parts);
  };
  expect_message([&] { read_stl(folder.path() / "absent.stl"); }, {"absent.stl", "cannot be opened", "No such file"});
  expect_message([&] { read_stl(folder.path()); }, {"is a directory"});
  fails("empty.stl", "", {"file is empty"});
  fails("short.stl", "abc", {"not an STL file", "3 bytes"});
  fails("cut.stl", good.substr(0, 300), {"truncated", "12 triangles = 684 bytes", "byte 300", "triangle 5"});
  fails("none.stl", binary_stl({}), {"no triangles"});
  fails("none-text.stl", "solid x\nendsolid x\n", {"no triangles"});
  fails("cut-text.stl", text.substr(0, text.size() / 2), {":", "truncated"});
  fails("no-end.stl", text.substr(0, text.find("endsolid")), {"endsolid", "truncated"});
  fails("word.stl", "solid x\nfacet normal 0 0 1\nouter loop\nvertex 1 2 three\n", {"word.stl:4", "a number", "three"});
  fails("loop.stl", "solid x\nfacet normal 0 0 1\nouter hoop\n", {"loop.stl:3", "expected loop", "hoop"});
  TriangleSoup bad = cube;
  bad[6][1][2] = std::nan("");
  fails("nan.stl", binary_stl(bad), {"triangle 7", "byte 408", "nan", "finite"});
  bad[6][1][2] = INFINITY;
  fails("inf.stl", binary_stl(bad), {"triangle 7", "inf"});
  std::string nan_text = text;
  nan_text.replace(nan_text.find("vertex 2.000000"), 15, "vertex nan     ");
  fails("nan-text.stl", nan_text, {"triangle 1", "line 4", "nan"});
  const auto packed = write_gzip(folder, "whole.stl.gz", good);
  std::string bytes(std::filesystem::file_size(packed), '\0');
  std::ifstream(packed, std::ios::binary).read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  fails("cut.stl.gz", bytes.substr(0, bytes.size() - 20), {"truncated"});
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x55);
  fails("bad.stl.gz", bytes, {"damaged"});
}

Mesh weld_soup(TriangleSoup soup) {
  const std::vector<Patch> patches{{std::move(soup), surface_id::wall}};
  return weld(patches, 1e-6);
}

TEST(Mesh, WeldsWhatDiffersLessThanNumbersOfThatSize) {
  const std::vector<Patch> speck{{{{{{8, 0, 0}, {8, 1e-200, 0}, {8, 0, 1e-200}}}}, surface_id::wall}};
  const Mesh mesh = weld(speck, 1e-300);
  EXPECT_EQ(mesh.vertices.size(), 1u);
  EXPECT_TRUE(mesh.triangles.empty());
}

TEST(Mesh, WeldsVertices) {
  TriangleSoup soup = cube;
  for (auto& triangle : soup) triangle[0][0] += 1e-8;
  const Mesh mesh = weld_soup(soup);
  EXPECT_EQ(mesh.vertices.size(), 8u);
  EXPECT_EQ(mesh.triangles.size(), 12u);
  EXPECT_TRUE(find_defects(mesh).loops.empty());
}

TEST(Mesh, FindsAndFillsHoles) {
  Mesh mesh = weld_soup(box_soup({0, 0, 0}, {4, 6, 8}, {1, 4}));
  MeshDefects defects = find_defects(mesh);
  ASSERT_EQ(defects.loops.size(), 1u) << "two holes that share an edge make one rim";
  mesh = weld_soup(box_soup({0, 0, 0}, {4, 6, 8}, {0, 1}));
  defects = find_defects(mesh);
  ASSERT_EQ(defects.loops.size(), 2u);
  for (const Loop& loop : defects.loops) {
    EXPECT_NEAR(loop.area, 48, 1e-9);
    EXPECT_NEAR(std::abs(loop.normal[0]), 1, 1e-12);
    EXPECT_NEAR(loop.centroid[1], 3, 1e-9);
    EXPECT_NEAR(loop.centroid[2], 4, 1e-9);
    fill_loop(mesh, loop, surface_id::wall);
  }
  EXPECT_TRUE(find_defects(mesh).loops.empty());
}

/// Whichever edge the walk around them begins with.
TEST(Mesh, HolesThatTouchAtCornersAreHolesOfTheirOwn) {
  const Real3 middle{0, 0, 0};
  TriangleSoup sails = {{Real3{4, 0, 0}, Real3{4, 2, 0}, middle},
                        {Real3{0, 3, 0}, Real3{-2, 3, 0}, middle},
                        {Real3{-1, -2, 0}, Real3{1, -2, 0}, middle}};
  for (int turn = 0; turn < 9; ++turn) {
    for (std::size_t s = 0; s < 3; ++s)
      if (s == 0 || turn % 3 == 0) std::rotate(sails[s].begin(), sails[s].begin() + 1, sails[s].end());
    for (const bool swapped : {false, true}) {
      if (swapped) std::swap(sails[0][0], sails[0][1]);
      const MeshDefects defects = find_defects(weld_soup(sails));
      ASSERT_EQ(defects.loops.size(), 3u);
      EXPECT_NEAR(defects.loops[0].area, 4, 1e-9);
      EXPECT_NEAR(defects.loops[1].area, 3, 1e-9);
      EXPECT_NEAR(defects.loops[2].area, 2, 1e-9);
    }
  }
}

TEST(Mesh, CountsNonManifoldEdges) {
  TriangleSoup soup = cube;
  soup.push_back({Real3{2, 2, 2}, Real3{10, 2, 2}, Real3{5, 0, 0}});
  const MeshDefects defects = find_defects(weld_soup(soup));
  ASSERT_EQ(defects.non_manifold_edges.size(), 1u);
  EXPECT_EQ(defects.non_manifold_edges[0], (Real3{6, 2, 2}));
}

int inside_count(const Mesh& mesh, const Int3& size, int axis) {
  const ColumnParity columns(mesh, size, axis);
  int count = 0;
  for (int v = 0; v < size[(axis + 2) % 3]; ++v) {
    for (int u = 0; u < size[(axis + 1) % 3]; ++u) {
      const auto votes = columns.votes(u, v, 0, size[axis]);
      EXPECT_TRUE(votes.reliable);
      count += std::popcount(votes.inside);
    }
  }
  return count;
}

TEST(ColumnParity, CubesOnAndBetweenNodes) {
  for (const double shift : {0.0, 0.25, 0.5, -0.5, 1.0 / 3}) {
    TriangleSoup soup = cube;
    for (auto& triangle : soup) {
      for (Real3& corner : triangle) corner = corner + Real3{shift, 2 * shift, -shift};
    }
    for (int axis = 0; axis < 3; ++axis) EXPECT_EQ(inside_count(weld_soup(soup), {16, 17, 18}, axis), 512) << shift;
  }
}

TEST(ColumnParity, AgreesWithRaysAndIgnoresOrientation) {
  TriangleSoup soup = tube_soup(2.5, 20.25, {0, 9.5, 8.5}, 6, true, true, true, 12);
  const Int3 size{24, 20, 18};
  const Mesh mesh = weld_soup(soup);
  const RayMesh rays(mesh);
  std::mt19937 random(3);
  for (auto& triangle : soup) {
    if (random() % 2 == 0) std::swap(triangle[0], triangle[1]);
  }
  const Mesh flipped = weld_soup(soup);
  for (int axis = 0; axis < 3; ++axis) {
    const ColumnParity columns(mesh, size, axis), other(flipped, size, axis);
    for (int v = 0; v < size[(axis + 2) % 3]; ++v) {
      for (int u = 0; u < size[(axis + 1) % 3]; ++u) {
        const auto votes = columns.votes(u, v, 0, size[axis]);
        EXPECT_EQ(votes.inside, other.votes(u, v, 0, size[axis]).inside);
        for (int i = 0; i < size[axis]; ++i) {
          Real3 point;
          point[axis] = i + 0.5;
          point[(axis + 1) % 3] = u + 0.5;
          point[(axis + 2) % 3] = v + 0.5;
          if (rays.nearest(point, 1e-3) >= 0) continue;  // on the surface either answer is right
          EXPECT_EQ((votes.inside >> i & 1) != 0, rays.inside(point)) << axis << " " << u << " " << v << " " << i;
        }
      }
    }
  }
}

TEST(RayMesh, FindsTriangles) {
  const Mesh mesh = weld_soup(cube);
  const RayMesh rays(mesh);
  const std::int64_t hit = rays.first_hit({1.5, 5, 4}, {2.5, 5, 4});
  ASSERT_GE(hit, 0);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(mesh.corner(mesh.triangles[hit], i)[0], 2);
  EXPECT_EQ(rays.first_hit({0.5, 5, 4}, {1.5, 5, 4}), -1);
  EXPECT_GE(rays.nearest({1.5, 5, 4}, 1), 0);
  EXPECT_EQ(rays.nearest({0.5, 5, 4}, 1), -1);
  EXPECT_TRUE(rays.inside({3, 3, 3}));
  EXPECT_FALSE(rays.inside({1, 3, 3}));
}

/// Whichever way a file turns its triangles: those of the walls are counter-clockwise seen from outside of the fluid.
TEST(StlWalls, PointOutOfTheFluid) {
  const TemporaryFolder folder;
  for (const bool inside : {true, false}) {
    auto soup = tube_soup(inside ? 0 : 6, 22, {0, 11.2, 10.1}, 5.6, true, !inside, !inside, 30);
    for (std::size_t k = 0; k < soup.size(); k += 3) std::swap(soup[k][0], soup[k][1]);
    folder.write("tube.stl", binary_stl(soup));
    Case c;
    c.directory = folder.path();
    c.output.wall = true;
    Case::Stl tube = stl("tube.stl", "tube");
    if (inside) {
      Case::OpeningInput in, out;
      in.name = "in";
      in.center = Real3{0, 11.2, 10.1};
      out.name = "out";
      out.center = Real3{22, 11.2, 10.1};
      c.openings = {in, out};
      c.boundaries = {boundary("in", "velocity"), boundary("out", "pressure")};
    } else {
      tube.fluid = "outside";
      c.domain.nodes = Int3{28, 22, 20};
    }
    c.geometry.stl = {tube};
    const Grid grid = make_grid(c);
    const Geometry g = build_geometry(c, grid);
    const Real3 middle = Real3{inside ? 11.0 : 14.0, 11.2, 10.1} - grid.origin;
    EXPECT_GE(g.wall_triangles.triangles.size(), 60u);
    for (const SurfaceTriangle& triangle : g.wall_triangles.triangles) {
      const Real3 a = g.wall_triangles.points[triangle.corner[0]], b = g.wall_triangles.points[triangle.corner[1]],
                  d = g.wall_triangles.points[triangle.corner[2]];
      const Real3 area = cross(b - a, d - a);
      Real3 from = (1.0 / 3) * (a + b + d) - middle;
      if (std::abs(area[0]) < 1e-6) from[0] = 0;  // of the tube's side, else of an end
      EXPECT_EQ(dot(area, from) > 0, inside);
    }
  }
}

}  // namespace
}  // namespace fluvia::test
