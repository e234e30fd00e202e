// SPDX-License-Identifier: Apache-2.0
// Surfaces in other formats than STL, and the named parts of files.
#include "fluvia/geometry/mesh/surface_file.hpp"

#include <fmt/format.h>

#include <set>

#include "geometry/test_support.hpp"

namespace fluvia::test {
namespace {

using namespace geometry;

/// A cube of 8 x 8 x 8 nodes in a box of 12, by its corners and squares.
const std::vector<Real3> corners{{2, 2, 2},  {10, 2, 2},  {10, 10, 2},  {2, 10, 2},
                                 {2, 2, 10}, {10, 2, 10}, {10, 10, 10}, {2, 10, 10}};
const std::vector<std::array<int, 4>> squares{{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                              {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};

std::string obj() {
  std::string text = "# a cube\nmtllib absent.mtl\n";
  for (const Real3& p : corners) text += fmt::format("v {} {} {}\n", p[0], p[1], p[2]);
  for (std::size_t i = 0; i < squares.size(); ++i) {
    if (i == 0) text += "g inlet\n";
    if (i == 1) text += "g outlet\n";
    if (i == 2) text += "g wall\nusemtl red\n";
    if (i == 4) text += "usemtl blue\n";
    text += fmt::format("f {} {} {} {}\n", squares[i][0] + 1, squares[i][1] + 1, squares[i][2] + 1, squares[i][3] + 1);
  }
  return text;
}

std::string ply(bool triangles) {
  std::string text = fmt::format(
      "ply\nformat ascii 1.0\nelement vertex {}\nproperty float x\nproperty float y\nproperty float z\n"
      "element face {}\nproperty list uchar int vertex_indices\nend_header\n",
      corners.size(), triangles ? squares.size() : 0);
  for (const Real3& p : corners) text += fmt::format("{} {} {}\n", p[0], p[1], p[2]);
  if (triangles)
    for (const auto& s : squares) text += fmt::format("4 {} {} {} {}\n", s[0], s[1], s[2], s[3]);
  return text;
}

std::string off() {
  std::string text = fmt::format("OFF\n{} {} 0\n", corners.size(), squares.size());
  for (const Real3& p : corners) text += fmt::format("{} {} {}\n", p[0], p[1], p[2]);
  for (const auto& s : squares) text += fmt::format("4 {} {} {} {}\n", s[0], s[1], s[2], s[3]);
  return text;
}

/// glTF: JSON beside a file of numbers, the cube of edge 1 at the origin, which its node makes larger and moves.
void write_gltf(const TemporaryFolder& folder) {
  std::string bytes;
  const auto put = [&](const auto& value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); };
  for (const Real3& p : corners)
    for (const double x : p) put(static_cast<float>((x - 2) / 8));
  for (const auto& s : squares)
    for (const int k : {0, 1, 2, 0, 2, 3}) put(static_cast<std::uint16_t>(s[static_cast<std::size_t>(k)]));
  folder.write("cube.bin", bytes);
  folder.write("cube.gltf", R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
"nodes":[{"mesh":0,"name":"body","scale":[8,8,8],"translation":[2,2,2]}],
"meshes":[{"name":"body","primitives":[{"attributes":{"POSITION":0},"indices":1}]}],
"buffers":[{"uri":"cube.bin","byteLength":168}],
"bufferViews":[{"buffer":0,"byteOffset":0,"byteLength":96},{"buffer":0,"byteOffset":96,"byteLength":72}],
"accessors":[{"bufferView":0,"componentType":5126,"count":8,"type":"VEC3","min":[0,0,0],"max":[1,1,1]},
{"bufferView":1,"componentType":5123,"count":36,"type":"SCALAR"}]})");
}

std::uint64_t nodes_inside(const TemporaryFolder& folder, const std::string& file) {
  Case c;
  c.directory = folder.path();
  c.domain.nodes = Int3{12, 12, 12};
  c.domain.origin = Real3{};
  c.geometry.stl = {stl(file)};
  return build(c).nodes.fluid_nodes;
}

TEST(SurfaceFile, ReadsWhatOtherProgramsWrite) {
  const TemporaryFolder folder;
  folder.write("cube.obj", obj());
  folder.write("CUBE.PLY", ply(true));
  folder.write("cube.off", off());
  write_gltf(folder);
  for (const char* name : {"cube.obj", "CUBE.PLY", "cube.off", "cube.gltf"}) {
    SCOPED_TRACE(name);
    EXPECT_EQ(read_surface(folder.path() / name).size(), 12u);
    EXPECT_EQ(nodes_inside(folder, name), 512u);
  }
}

TEST(SurfaceFile, KnowsTheGroupsOfAnObj) {
  const TemporaryFolder folder;
  const auto path = folder.write("cube.obj", obj());
  std::vector<std::string> names;
  for (const SurfacePart& part : read_surface_parts(path)) names.push_back(part.name);
  EXPECT_EQ(names, (std::vector<std::string>{"inlet", "outlet", "wall", "blue"}))
      << "Assimp divides a group by its materials";
  EXPECT_EQ(read_surface(path, "inlet").size(), 2u);
  EXPECT_EQ(read_surface(path, "wall").size(), 4u);
  expect_message([&] { read_surface(path, "intlet"); },
                 {"cube.obj", "no part \"intlet\"", "inlet, outlet, wall, blue"});
}

TEST(SurfaceFile, SaysWhatIsWrong) {
  const TemporaryFolder folder;
  const auto fails = [&](const std::string& name, const std::string& content, const std::vector<std::string>& parts) {
    const auto path = folder.write(name, content);
    expect_message([&] { read_surface(path); }, parts);
  };
  fails("points.ply", ply(false), {"points.ply"});
  // Assimp makes up what is missing of a text; the surface is not closed then.
  folder.write("cut.ply", ply(true).substr(0, 260));
  expect_message([&] { nodes_inside(folder, "cut.ply"); }, {"cut.ply", "the surface has 2 holes"});
  fails("text.obj", "hello", {"text.obj"});
  fails("empty.off", "", {"empty.off"});
  std::string infinite = off();
  infinite.replace(infinite.find("10 2 2"), 6, "1e39 2 2");
  fails("infinite.off", infinite, {"infinite.off", "finite"});
  expect_message([&] { read_surface(folder.path() / "absent.obj"); }, {"absent.obj", "no such file"});
  const auto packed = write_gzip(folder, "cube.obj.gz", obj());
  expect_message([&] { read_surface(packed); }, {"cube.obj.gz", "unpack it"});
}

TEST(SurfaceFile, KnowsTheSolidsOfAnStl) {
  const TemporaryFolder folder;
  const TriangleSoup cube = box_soup({2, 2, 2}, {10, 10, 10});
  std::string text, one_line;
  for (const char* name : {"inlet", " the wall of it ", "inlet"}) {
    std::string solid = text_stl(cube);
    solid.replace(solid.find(" test\n"), 5, std::string(" ") + name);
    text += solid;
  }
  const auto path = folder.write("two.stl", text);
  const std::vector<SurfacePart> parts = read_surface_parts(path);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].name, "inlet");
  EXPECT_EQ(parts[0].triangles.size(), 2 * cube.size()) << "of one name";
  EXPECT_EQ(parts[1].name, "the wall of it");
  for (char& c : text) c = c == '\n' ? ' ' : c;
  EXPECT_EQ(read_surface(folder.write("line.stl", text), "the wall of it").size(), cube.size());
  EXPECT_EQ(read_surface_parts(folder.write("binary.stl", binary_stl(cube))).front().name, "");
}

TEST(SurfaceFile, APartMayBeAnOpening) {
  const TemporaryFolder folder;
  const auto named = [](const TriangleSoup& soup, const std::string& name) {
    std::string solid = text_stl(soup);
    return solid.replace(solid.find("test"), 4, name);
  };
  folder.write("tube.stl", named(tube_soup(1, 19, {0, 10, 10}, 6, true, false, false), "vessel") +
                               named(tube_soup(1, 19, {0, 10, 10}, 6, false, true, false), "front") +
                               named(tube_soup(1, 19, {0, 10, 10}, 6, false, false, true), "back"));
  Case c;
  c.directory = folder.path();
  c.domain.nodes = Int3{20, 20, 20};
  c.domain.origin = Real3{};
  c.geometry.stl = {stl("tube.stl"), stl("tube.stl", "front", "opening"), stl("tube.stl", "back", "opening")};
  c.geometry.stl[0].part = "vessel";
  c.geometry.stl[1].part = "front";
  c.geometry.stl[2].part = "back";
  c.boundaries = {boundary("front", "velocity"), boundary("back", "pressure")};
  const Geometry g = build(c);
  std::set<std::string> names;
  for (const auto& opening : g.openings) names.insert(opening.name);
  EXPECT_EQ(names, (std::set<std::string>{"front", "back"}));
}

}  // namespace
}  // namespace fluvia::test
