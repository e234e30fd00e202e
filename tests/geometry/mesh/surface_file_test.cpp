// SPDX-License-Identifier: Apache-2.0
// Surfaces in other formats than STL, and the named parts of files.
#include "fluvia/geometry/mesh/surface_file.hpp"

#include <fmt/format.h>

#include <set>

#include "fluvia/geometry/mesh/surface_survey.hpp"
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

/// A ZIP archive of files that are not packed (APPNOTE.TXT of PKWARE).
std::string zip(const std::vector<std::pair<std::string, std::string>>& files) {
  std::string archive, directory;
  const auto put = [](std::string& text, std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 255);
  };
  for (const auto& [name, content] : files) {
    const std::size_t offset = archive.size();
    const auto sum = crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size()));
    std::string facts;
    put(facts, 0x0014, 2);                         // version
    for (int i = 0; i < 4; ++i) put(facts, 0, 2);  // flags, method, time, date
    put(facts, sum, 4);
    put(facts, content.size(), 4);
    put(facts, content.size(), 4);
    put(facts, name.size(), 2);
    put(facts, 0, 2);
    archive += "PK\3\4" + facts + name + content;
    directory += "PK\1\2";
    put(directory, 0x0014, 2);
    directory += facts;
    put(directory, 0, 10 - 2);  // comment, disk, attributes
    put(directory, 0, 2);
    put(directory, offset, 4);
    directory += name;
  }
  const std::size_t start = archive.size();
  archive += directory + "PK\5\6";
  put(archive, 0, 4);
  put(archive, files.size(), 2);
  put(archive, files.size(), 2);
  put(archive, directory.size(), 4);
  put(archive, start, 4);
  put(archive, 0, 2);
  return archive;
}

std::string three_mf(const std::string& unit = "millimeter") {
  std::string model = R"(<?xml version="1.0" encoding="UTF-8"?>
<model unit=")" + unit +
                      R"(" xml:lang="en-US" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02">
<resources><object id="1" type="model" name="body"><mesh><vertices>)";
  for (const Real3& p : corners) model += fmt::format("<vertex x=\"{}\" y=\"{}\" z=\"{}\"/>", p[0], p[1], p[2]);
  model += "</vertices><triangles>";
  for (const auto& s : squares)
    model += fmt::format("<triangle v1=\"{}\" v2=\"{}\" v3=\"{}\"/><triangle v1=\"{}\" v2=\"{}\" v3=\"{}\"/>", s[0],
                         s[1], s[2], s[0], s[2], s[3]);
  model += "</triangles></mesh></object></resources><build><item objectid=\"1\"/></build></model>";
  const std::string types = R"(<?xml version="1.0" encoding="UTF-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/></Types>)";
  const std::string relations = R"(<?xml version="1.0" encoding="UTF-8"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Target="/3D/3dmodel.model" Id="rel0" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/>
</Relationships>)";
  return zip({{"[Content_Types].xml", types}, {"_rels/.rels", relations}, {"3D/3dmodel.model", model}});
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
  folder.write("cube.3mf", three_mf());
  write_gltf(folder);
  for (const char* name : {"cube.obj", "CUBE.PLY", "cube.off", "cube.gltf", "cube.3mf"}) {
    SCOPED_TRACE(name);
    EXPECT_EQ(read_surface(folder.path() / name).size(), 12u);
    EXPECT_EQ(nodes_inside(folder, name), 512u);
  }
}

TEST(SurfaceFile, BringsModelsOf3mfToMillimetres) {
  const TemporaryFolder folder;
  const auto length = [&](const std::string& unit) {
    geometry::BoundingBox box;
    for (const auto& triangle : read_surface(folder.write("cube.3mf", three_mf(unit))))
      for (const Real3& corner : triangle) box.add(corner);
    return box.upper[0] - box.lower[0];
  };
  EXPECT_NEAR(length("inch"), 25.4 * length("millimeter"), 1e-9);
  EXPECT_NEAR(length("micron"), 1e-3 * length("millimeter"), 1e-12);
  expect_message([&] { length("parsec"); }, {"cube.3mf: its unit is 'parsec'; expected micron"});
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
  fails("header.ply", ply(true).substr(0, 60), {"header.ply", "no line 'end_header'"});  // Assimp would never end
  fails("text.obj", "hello", {"text.obj"});
  fails("empty.off", "", {"empty.off"});
  std::string infinite = off();
  infinite.replace(infinite.find("10 2 2"), 6, "1e39 2 2");
  fails("infinite.off", infinite, {"infinite.off", "finite"});
  expect_message([&] { read_surface(folder.path() / "absent.obj"); }, {"absent.obj", "no such file"});
  const auto packed = write_gzip(folder, "cube.obj.gz", obj());
  expect_message([&] { read_surface(packed); }, {"cube.obj.gz", "unpack it"});
}

TEST(SurfaceFile, OutlivesWhateverDamagedFilesDoToAssimp) {
  const TemporaryFolder folder;
  for (const auto& [name, whole] : {std::pair<std::string, std::string>{"cube.3mf", three_mf()},
                                    {"cube.obj", obj()},
                                    {"cube.ply", ply(true)},
                                    {"cube.off", off()}}) {
    const std::size_t step = std::max<std::size_t>(1, whole.size() / 12);
    for (std::size_t place = 0; place < whole.size(); place += step)
      for (const bool cut : {false, true}) {
        std::string damaged = whole.substr(0, cut ? place : whole.size());
        if (!cut) damaged[place] = static_cast<char>(~damaged[place]);
        const auto path = folder.write(name, damaged);
        try {
          read_surface_parts(path);
        } catch (const Error& error) {
          EXPECT_EQ(error.code(), ExitCode::input) << error.what();
        }
      }
  }
}

TEST(SurfaceFile, IsSurveyed) {
  const TemporaryFolder folder;
  TriangleSoup soup = box_soup({0, 0, 0}, {10, 10, 10});
  const TriangleSoup hole = box_soup({2, 2, 2}, {6, 6, 6}), other = box_soup({20, 0, 0}, {21, 2, 3});
  soup.insert(soup.end(), hole.begin(), hole.end());
  soup.insert(soup.end(), other.begin(), other.end());
  SurfaceSurvey survey = survey_surface(folder.write("a.stl", binary_stl(soup)));
  EXPECT_EQ(survey.triangles, 36u);
  EXPECT_EQ(survey.bodies, 3u);
  EXPECT_EQ(survey.closed, 3u);
  EXPECT_NEAR(survey.volume, 1000 - 64 + 6, 1e-9) << "a body in another one is a hole";
  EXPECT_NEAR(survey.area, 600 + 96 + 22, 1e-9);
  EXPECT_EQ(survey.overlaps, 0u);
  EXPECT_EQ(survey.box.upper[0], 21);
  soup.pop_back();
  soup.push_back(soup.front());
  survey = survey_surface(folder.write("b.stl", binary_stl(soup)));
  EXPECT_EQ(survey.closed, 2u);
  ASSERT_EQ(survey.defects.loops.size(), 1u);
  EXPECT_EQ(survey.doubled, 1u);
  EXPECT_NEAR(survey.volume, 1000 - 64, 1e-9);
  const TriangleSoup crossing = box_soup({5, 5, 5}, {15, 15, 15});
  soup = box_soup({0, 0, 0}, {10, 10, 10});
  soup.insert(soup.end(), crossing.begin(), crossing.end());
  EXPECT_EQ(survey_surface(folder.write("c.stl", binary_stl(soup))).overlaps, 1u);
}

TEST(SurfaceFile, IsWrittenAsAnStl) {
  const TemporaryFolder folder;
  const TriangleSoup soup = box_soup({1, 2, 3}, {4, 5.5, 6});
  write_stl(folder.path() / "out.stl", soup);
  EXPECT_EQ(read_surface(folder.path() / "out.stl"), soup);
  EXPECT_EQ(std::filesystem::file_size(folder.path() / "out.stl"), 84 + 50 * soup.size());
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
