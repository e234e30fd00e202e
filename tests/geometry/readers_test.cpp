// SPDX-License-Identifier: Apache-2.0
// Files that programs of others read: VTK's package for Python, Gmsh. Where these are not, the tests skip.
#include <fmt/format.h>

#include <cstdlib>
#include <set>

#include "fluvia/geometry/image/labels.hpp"
#include "fluvia/geometry/image/voxels.hpp"
#include "fluvia/geometry/mesh/surface_survey.hpp"
#include "geometry/test_support.hpp"
#include "support/program.hpp"

namespace fluvia::test {
namespace {

using namespace geometry;

/// Sets an environment variable for as long as it lives.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  ~Variable() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

/// A Python that has VTK; empty if none is known.
std::string python_with_vtk() {
  const char* const chosen = std::getenv("FLUVIA_PYTHON");
  for (const std::string& python :
       {std::string(chosen != nullptr ? chosen : ""), std::string(FLUVIA_SOURCE_DIR "/build/venv/bin/python"),
        std::string("python3"), std::string("/usr/bin/python3")})
    if (!python.empty() && run_shell(python + " -c 'import vtkmodules.vtkIOXML'").code == 0) return python;
  return "";
}

/// Runs a Python program in the folder.
void run_python(const std::string& python, const TemporaryFolder& folder, const std::string& program) {
  const auto path = folder.write("program.py", program);
  const Outcome outcome = run_shell(fmt::format("cd {} && {} {}", folder.path().string(), python, path.string()));
  ASSERT_EQ(outcome.code, 0) << outcome.text;
}

const char* const write_images = R"(
from vtkmodules.vtkCommonCore import vtkFloatArray, vtkUnsignedCharArray
from vtkmodules.vtkCommonDataModel import vtkImageData
from vtkmodules.vtkIOXML import vtkXMLImageDataWriter

def image(cells, array, name):
    data = vtkImageData()
    data.SetDimensions(*(size + cells for size in (5, 4, 3)))
    data.SetSpacing(5e-6, 5e-6, 5e-6)
    array.SetName(name)
    for z in range(3):
        for y in range(4):
            for x in range(5):
                array.InsertNextValue((x + 2 * y + 3 * z) % 5)
    (data.GetCellData() if cells else data.GetPointData()).AddArray(array)
    return data

def write(name, data, setting):
    writer = vtkXMLImageDataWriter()
    writer.SetFileName(name)
    writer.SetInputData(data)
    setting(writer)
    writer.Write()

points = image(False, vtkUnsignedCharArray(), "label")
write("ascii.vti", points, lambda w: w.SetDataModeToAscii())
write("base64.vti", points, lambda w: (w.SetDataModeToBinary(), w.SetCompressorTypeToNone()))
write("packed.vti", points, lambda w: (w.SetDataModeToBinary(), w.SetCompressorTypeToZLib()))
write("appended.vti", points, lambda w: (w.SetDataModeToAppended(), w.EncodeAppendedDataOff()))
write("cells.vti", image(True, vtkFloatArray(), "label"), lambda w: w.SetByteOrderToBigEndian())
two = image(False, vtkUnsignedCharArray(), "label")
other = image(False, vtkUnsignedCharArray(), "other").GetPointData().GetArray(0)
two.GetPointData().AddArray(other)
write("two.vti", two, lambda w: None)
two.GetPointData().SetActiveScalars("label")
write("active.vti", two, lambda w: None)
)";

Case::Voxels vti(const TemporaryFolder& folder, const std::string& name) {
  Case::Voxels v;
  v.file = folder.path() / name;
  v.fluid_labels = std::vector<int>{2, 3};
  return v;
}

TEST(VtkReader, ReadsImagesHoweverTheyArePacked) {
  const std::string python = python_with_vtk();
  if (python.empty()) GTEST_SKIP() << "no Python with VTK";
  const Variable chosen("FLUVIA_PYTHON", python);
  const TemporaryFolder folder;
  run_python(python, folder, write_images);
  for (const char* name : {"ascii.vti", "base64.vti", "packed.vti", "appended.vti", "cells.vti", "active.vti"}) {
    SCOPED_TRACE(name);
    const Case::Voxels v = vti(folder, name);
    const ImageHeader header = voxel_header(v, ".");
    EXPECT_EQ(header.shape, (Int3{5, 4, 3}));
    EXPECT_FALSE(header.voxel) << "VTK has no unit";
    const Bitmap fluid = read_voxels(v, ".");
    for (int z = 0; z < 3; ++z)
      for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 5; ++x) {
          const int label = (x + 2 * y + 3 * z) % 5;
          ASSERT_EQ(fluid.get({x, y, z}), label == 2 || label == 3) << x << y << z;
        }
  }
  expect_message([&] { read_voxels(vti(folder, "two.vti"), "."); }, {"two.vti", "several arrays (label, other)"});
}

TEST(VtkReader, EndsInAMessageWhateverIsInTheFile) {
  const std::string python = python_with_vtk();
  if (python.empty()) GTEST_SKIP() << "no Python with VTK";
  const Variable chosen("FLUVIA_PYTHON", python);
  const TemporaryFolder folder;
  run_python(python, folder, write_images);
  const std::string whole = read_text(folder.path() / "appended.vti");
  for (const double part : {0.0, 0.1, 0.5, 0.9}) {
    folder.write("cut.vti", whole.substr(0, static_cast<std::size_t>(part * static_cast<double>(whole.size()))));
    expect_message([&] { read_voxels(vti(folder, "cut.vti"), "."); }, {"cut.vti"});
  }
  std::string claims = whole;
  claims.replace(claims.find("0 4 0 3 0 2"), 11, "0 4 0 3 0 9");
  folder.write("claims.vti", claims);
  expect_message([&] { read_voxels(vti(folder, "claims.vti"), "."); }, {"claims.vti"});
  for (const char* name : {"text.vtp", "text.vtk"}) {
    const auto path = folder.write(name, "hello");
    expect_message([&] { read_surface(path); }, {name, "VTK"});
  }
  const auto image = folder.write(
      "image.vtk",
      "# vtk DataFile Version 3.0\nx\nASCII\nDATASET STRUCTURED_POINTS\nDIMENSIONS 2 2 2\nORIGIN 0 0 0\nSPACING 1 1 1\n"
      "POINT_DATA 8\nSCALARS a int\nLOOKUP_TABLE default\n0 1 0 1 0 1 0 1\n");
  expect_message([&] { read_surface(image); }, {"image.vtk", "no surface", ".vti"});
}

/// A tetrahedron in VTK's old format; its faces may belong to two regions.
std::string tetrahedron(bool regions) {
  return std::string(
             "# vtk DataFile Version 3.0\nx\nASCII\nDATASET POLYDATA\nPOINTS 4 double\n0 0 0 6 0 0 0 6 0 0 0 6\n"
             "POLYGONS 4 16\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n") +
         (regions ? "CELL_DATA 4\nSCALARS ModelFaceID int\nLOOKUP_TABLE default\n7 7 7 12\n" : "");
}

TEST(VtkReader, ReadsSurfacesAndTheirRegions) {
  const std::string python = python_with_vtk();
  if (python.empty()) GTEST_SKIP() << "no Python with VTK";
  const Variable chosen("FLUVIA_PYTHON", python);
  const TemporaryFolder folder;
  const SurfaceSurvey plain = survey_surface(folder.write("plain.vtk", tetrahedron(false)));
  EXPECT_EQ(plain.parts.size(), 1u);
  EXPECT_EQ(plain.triangles, 4u);
  EXPECT_NEAR(plain.volume, 36, 1e-12);
  const auto path = folder.write("regions.vtk", tetrahedron(true));
  EXPECT_EQ(read_surface(path, "7").size(), 3u);
  EXPECT_EQ(read_surface(path, "12").size(), 1u);
  expect_message([&] { read_surface(path, "1"); }, {"no part \"1\"", "7, 12"});
}

TEST(VtkReader, NamesThePackageThatIsMissing) {
  const TemporaryFolder folder;
  const auto path = folder.write("a.vtp", "");
  {
    const Variable nowhere("FLUVIA_PYTHON", "/nowhere/python");
    expect_message([&] { read_surface(path); }, {"a.vtp", "python3-vtk9", "FLUVIA_PYTHON"});
    expect_message([&] { read_voxels(vti(folder, "absent.vti"), "."); }, {"absent.vti", "no such file"});
  }
  const auto without = folder.write("python", "#!/bin/sh\necho no vtk >&2\nexit 3\n");
  std::filesystem::permissions(without, std::filesystem::perms::owner_all);
  const Variable bare("FLUVIA_PYTHON", without.string());
  expect_message([&] { read_surface(path); }, {"a.vtp", "python3-vtk9"});
}

TEST(VtkReader, OutlivesAReaderThatEndsBadly) {
  const TemporaryFolder folder;
  const auto path = folder.write("a.vtp", "");
  const auto ends = [&](const std::string& script, const std::vector<std::string>& parts) {
    const auto python = folder.write("python", "#!/bin/sh\n" + script + "\n");
    std::filesystem::permissions(python, std::filesystem::perms::owner_all);
    const Variable chosen("FLUVIA_PYTHON", python.string());
    expect_message([&] { read_surface(path); }, parts);
  };
  ends("kill -SEGV $$", {"a.vtp: is damaged", "VTK ended by signal 11"});
  ends("echo one; echo two >&2; echo three >&2; exit 4", {"cannot be read: three (VTK)"});
  ends("exit 1", {"Python ended with code 1"});
}

TEST(GmshReader, ReadsTheFacesOfASolid) {
  if (run_shell("gmsh -version").code != 0) GTEST_SKIP() << "no Gmsh";
  const TemporaryFolder folder;
  folder.write("c.geo", "SetFactory(\"OpenCASCADE\");\nCylinder(1) = {0, 0, 0, 0, 0, 30, 5};\nSave \"c.step\";\n");
  const Outcome made = run_shell("cd " + folder.path().string() + " && gmsh - c.geo");
  ASSERT_TRUE(std::filesystem::exists(folder.path() / "c.step")) << made.text;
  const SurfaceSurvey survey = survey_surface(folder.path() / "c.step");
  std::set<std::string> names;
  for (const SurfacePart& part : survey.parts) names.insert(part.name);
  EXPECT_EQ(names, (std::set<std::string>{"Surface 1", "Surface 2", "Surface 3"}));
  EXPECT_EQ(survey.closed, 1u);
  EXPECT_TRUE(survey.defects.loops.empty());
  EXPECT_NEAR(survey.volume, 30 * 25 * std::numbers::pi, 0.005 * survey.volume);
  EXPECT_STREQ(survey.format->unit, "mm");
  const auto damaged = folder.write("bad.step", "ISO-10303-21;\nhello\n");
  expect_message([&] { read_surface(damaged); }, {"bad.step", "Gmsh"});
}

TEST(GmshReader, NamesThePackageThatIsMissing) {
  const TemporaryFolder folder;
  const auto path = folder.write("a.step", "");
  const Variable nowhere("PATH", "/nowhere");
  expect_message([&] { read_surface(path); }, {"a.step", "install the package gmsh"});
}

}  // namespace
}  // namespace fluvia::test
