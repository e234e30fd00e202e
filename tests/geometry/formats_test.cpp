// SPDX-License-Identifier: Apache-2.0
// The table of formats in docs/formats.md is that of the program.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <string>

#include "fluvia/base/text.hpp"
#include "fluvia/geometry/file_format.hpp"
#include "fluvia/geometry/image/files/image_file.hpp"
#include "fluvia/geometry/mesh/surface_file.hpp"
#include "fluvia/geometry/source.hpp"
#include "geometry/test_support.hpp"

namespace fluvia::test {
namespace {

using namespace geometry;

/// A row of the table, up to what is read.
std::string row_of(const FileFormat& format) {
  std::vector<std::string> names;
  for (const std::string& name : format.names()) names.push_back("`" + name + "`");
  const std::string package =
      *format.package == '\0'
          ? ""
          : fmt::format("`{}`, {}", format.package, format.needed == Needed::to_build ? "to build" : "to run");
  return fmt::format("| {} | {} | {} | {} | ", format.name, join(names), format.library, package);
}

TEST(Formats, StandInTheTableOfTheDocs) {
  std::ifstream page(FLUVIA_SOURCE_DIR "/docs/formats.md");
  std::set<std::string> rows;
  for (std::string line; std::getline(page, line);)
    if (line.starts_with("| ") && !line.starts_with("| format ")) rows.insert(line);
  for (const FileFormat* format : all_formats()) {
    const std::string row = row_of(*format);
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const auto& line) { return line.starts_with(row); });
    EXPECT_NE(found, rows.end()) << "docs/formats.md has no row that begins with\n" << row;
    if (found != rows.end()) rows.erase(found);
  }
  for (const std::string& line : rows) ADD_FAILURE() << "no format of the program is\n" << line;
}

TEST(Formats, DoNotShareNames) {
  std::set<std::string> names;
  for (const FileFormat* format : all_formats())
    for (const std::string& name : format->names()) EXPECT_TRUE(names.insert(name).second) << name;
  EXPECT_TRUE(is_surface_file("A.STP"));
  EXPECT_TRUE(is_voxel_image("a.DAT.gz"));
  EXPECT_TRUE(is_mask("a.PGM"));
  EXPECT_FALSE(is_surface_file("stl"));
  EXPECT_FALSE(is_voxel_image("a"));
  EXPECT_FALSE(is_voxel_image("a.gz"));
}

/// What a failed download leaves under the name of a file is called by its name, whatever the format.
TEST(Formats, AWebPageOrAPointerOfGitLfsIsNone) {
  const TemporaryFolder folder;
  const auto expect_refused = [&](const std::string& name, const std::string& content, const std::string& part) {
    const auto path = folder.write(name, content);
    const auto read = [&] {
      if (is_surface_file(path)) {
        read_surface_parts(path);
        return;
      }
      GeometrySource source;
      source.file = path;
      source.voxels.shape = {2, 2, 2};
      build(source.make_case());
    };
    expect_message(read, {name, part});
  };
  for (const FileFormat* format : all_formats())
    for (const std::string& name : format->names()) {
      if (!name.starts_with(".")) continue;  // a folder of slices
      expect_refused("a" + name, "\n<!DOCTYPE HTML><html>404</html>", "is a web page");
      expect_refused("b" + name, "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n",
                     "`git lfs pull`");
    }
}

}  // namespace
}  // namespace fluvia::test
