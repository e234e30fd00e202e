// SPDX-License-Identifier: Apache-2.0
// Images that do not say what they are: raw numbers of every type, and numbers in text.
#include <fmt/format.h>

#include "fluvia/geometry/image/image_survey.hpp"
#include "fluvia/geometry/image/voxels.hpp"
#include "geometry/test_support.hpp"
#include "support/errors.hpp"

namespace fluvia::test {
namespace {

using namespace geometry;

const Int3 plain_shape{4, 3, 2};

int plain_label(int x, int y, int z) {
  return (x + 2 * y + 3 * z) % 5;
}

template <class Number>
std::string plain_bytes(bool big, bool x_fastest) {
  std::string text;
  const auto put = [&](int x, int y, int z) {
    const Number value = static_cast<Number>(plain_label(x, y, z));
    std::string bytes(reinterpret_cast<const char*>(&value), sizeof value);
    if (big) std::reverse(bytes.begin(), bytes.end());
    text += bytes;
  };
  if (x_fastest)
    for (int z = 0; z < 2; ++z)
      for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 4; ++x) put(x, y, z);
  else
    for (int x = 0; x < 4; ++x)
      for (int y = 0; y < 3; ++y)
        for (int z = 0; z < 2; ++z) put(x, y, z);
  return text;
}

Case::Voxels plain_image(const std::filesystem::path& file, const std::string& type) {
  Case::Voxels v;
  v.file = file;
  v.shape = plain_shape;
  v.type = type;
  v.fluid_labels = std::vector<int>{2, 3};
  return v;
}

void expect_labels(const Case::Voxels& v) {
  const Bitmap fluid = read_voxels(v, ".");
  for (int z = 0; z < 2; ++z)
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < 4; ++x) {
        const int label = plain_label(x, y, z);
        EXPECT_EQ(fluid.get({x, y, z}), label == 2 || label == 3) << x << y << z;
      }
}

template <class Number>
void expect_type(const std::string& type) {
  SCOPED_TRACE(type);
  const TemporaryFolder folder;
  for (const bool big : {false, true})
    for (const bool x_fastest : {false, true}) {
      Case::Voxels v = plain_image(folder.write("a.raw", plain_bytes<Number>(big, x_fastest)), type);
      v.endian = big ? "big" : "little";
      v.order = x_fastest ? "x-fastest" : "z-fastest";
      expect_labels(v);
    }
}

TEST(PlainImage, HasNumbersOfAnyType) {
  expect_type<std::uint8_t>("uint8");
  expect_type<std::int8_t>("int8");
  expect_type<std::uint16_t>("uint16");
  expect_type<std::int16_t>("int16");
  expect_type<std::uint32_t>("uint32");
  expect_type<std::int32_t>("int32");
  expect_type<float>("float32");
  expect_type<double>("float64");
}

/// All labels as a text, x fastest.
std::string plain_text(const std::string& separator) {
  std::string text;
  for (int z = 0; z < 2; ++z)
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < 4; ++x) text += std::to_string(plain_label(x, y, z)) + separator;
  return text;
}

TEST(PlainImage, IsNumbersInTextByItsNameOrType) {
  const TemporaryFolder folder;
  for (const char* separator : {" ", "\n", "\r\n", ", ", ";"})
    expect_labels(plain_image(folder.write("a.dat", plain_text(separator)), "auto"));
  expect_labels(plain_image(folder.write("b.txt", "# labels\n" + plain_text("\n# none, 7 8 9\n") + "#"), "auto"));
  expect_labels(plain_image(folder.write("c.vox", plain_text(".0 ")), "text"));
  expect_labels(plain_image(folder.write("d.vox", "\xEF\xBB\xBF" + plain_text(" ")), "text"));
  expect_labels(plain_image(folder.write("d.dat", plain_bytes<std::uint8_t>(false, true)), "uint8"));
  expect_labels(plain_image(write_gzip(folder, "e.dat.gz", plain_text("\n")), "auto"));
  Case::Voxels v = plain_image(folder.write("f.dat", "0 3 2 0 1 4 1 4 3 1 0 3 2 0 4 2 1 4 3 1 0 3 2 0"), "auto");
  v.order = "z-fastest";
  const Bitmap fluid = read_voxels(v, ".");
  EXPECT_TRUE(fluid.get({0, 0, 1}));
  EXPECT_TRUE(fluid.get({0, 1, 0}));
  EXPECT_FALSE(fluid.get({1, 0, 0}));
}

TEST(PlainImage, SaysWhatIsWrongWithAText) {
  const TemporaryFolder folder;
  const auto fails = [&](const std::string& text, const std::vector<std::string>& parts) {
    const auto path = folder.write("a.dat", text);
    expect_message([&] { read_voxels(plain_image(path, "auto"), "."); }, parts);
  };
  const std::string whole = plain_text(" ");
  fails(whole + "1", {"a.dat", "has 25 numbers", "its shape needs 24"});
  fails(whole + "1 2 3 4 5", {"has 29 numbers"});
  fails(whole.substr(0, whole.size() - 2) + "       ", {"has 23 numbers", "needs 24"});
  fails("1 2", {"holds at most 2 numbers", "4 x 3 x 2 voxels need 24"});
  fails("1 1\n1 one " + whole, {"line 2", "'one' is no number", "uint8"});
  fails("1e999 " + whole, {"no number"});
  fails("nan " + whole, {"no number"});
  fails(std::string(100, '\1'), {"no number"});
  fails("0.5 " + whole.substr(2), {"a voxel is 0.5", "labels are whole numbers"});
  Case::Voxels v = plain_image(folder.write("b.dat", whole), "int24");
  expect_message([&] { read_voxels(v, "."); }, {"type is \"int24\"", "float32"});
}

VoxelRequest plain_request(const std::filesystem::path& file, const std::string& type = "auto") {
  VoxelRequest request;
  request.file = file;
  request.type = type;
  request.shape = {4, 3, 2};
  return request;
}

TEST(PlainImage, IsWrittenInOtherFormats) {
  const TemporaryFolder folder;
  struct Source {
    std::string name, type, content;
    bool big, x_fastest;
  };
  for (const Source& source : {Source{"a.raw", "int16", plain_bytes<std::int16_t>(true, true), true, true},
                               Source{"b.raw", "float32", plain_bytes<float>(false, false), false, false},
                               Source{"c.dat", "auto", plain_text(" "), false, true}}) {
    SCOPED_TRACE(source.name);
    VoxelRequest request = plain_request(folder.write(source.name, source.content), source.type);
    request.endian = source.big ? "big" : "little";
    request.order = source.x_fastest ? "x-fastest" : "z-fastest";
    const ImageSurvey survey = survey_image(request);
    EXPECT_EQ(survey.labels.counts.size(), 5u);
    const std::string type = source.name == "c.dat" ? "uint8" : source.type;
    EXPECT_EQ(survey.plain_type().name(), type) << "of a text the smallest that holds all numbers";
    EXPECT_EQ(write_image(survey, 5e-6, folder.path() / "out.raw"),
              "read it with: --shape 4 3 2 --type " + type + " --voxel 5um");
    expect_labels(plain_image(folder.path() / "out.raw", type));
    for (const char* name : {"out.nrrd", "out.npy"}) {
      write_image(survey, 5e-6, folder.path() / name);
      Case::Voxels v = plain_image(folder.path() / name, "auto");
      v.shape = {};
      expect_labels(v);
      EXPECT_EQ(voxel_header(v, ".").type.name(), type);
    }
    Case::Voxels nrrd = plain_image(folder.path() / "out.nrrd", "auto");
    EXPECT_DOUBLE_EQ(*voxel_header(nrrd, ".").voxel, 5e-6);
    expect_message([&] { write_image(survey, {}, folder.path() / "out.png"); }, {"a PNG is flat", "2 layers"});
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "out.png"));
  }
}

TEST(PlainImage, IsWrittenAsAPictureThatAMaskReads) {
  const TemporaryFolder folder;
  VoxelRequest request = plain_request(folder.write("a.txt", "0 255 0 0 0 255"));
  request.shape = {3, 2, 1};
  EXPECT_EQ(write_image(survey_image(request), {}, folder.path() / "a.png"), "");
  request = {};
  request.file = folder.path() / "a.png";
  const ImageSurvey mask = survey_image(request);
  EXPECT_EQ(mask.header.shape, (Int3{3, 2, 1}));
  OrderedLayers layers(mask);
  EXPECT_EQ(layers.next(), (std::vector<unsigned char>{0, 255, 0, 0, 0, 255})) << "the lowest row first";
  request = plain_request(folder.write("b.txt", "0 1 0 0 0 256"));
  request.shape = {3, 2, 1};
  expect_message([&] { write_image(survey_image(request), {}, folder.path() / "b.png"); }, {"0 to 256", ".nrrd"});
}

TEST(PlainImage, HasAHistogramWhereItIsGrey) {
  const TemporaryFolder folder;
  std::string bytes;
  for (int i = 0; i < 200; ++i) bytes += static_cast<char>(i < 100 ? i : 199);
  VoxelRequest request = plain_request(folder.write("a.raw", bytes));
  request.shape = {200, 1, 1};
  ImageSurvey survey = survey_image(request);
  ASSERT_EQ(survey.histogram.size(), 16u);
  EXPECT_EQ(survey.histogram[0].from, 0);
  EXPECT_EQ(survey.histogram[0].to, 12);
  EXPECT_EQ(survey.histogram[15].to, 199);
  EXPECT_NEAR(survey.histogram[0].share, 13 / 200.0, 1e-12);
  EXPECT_NEAR(survey.histogram[15].share, 0.5, 1e-12);
  // More different values than are kept: counted in a pass of their own.
  std::string numbers;
  for (int i = 0; i < 70000; ++i) {
    const float value = static_cast<float>(i) / 70000;
    numbers.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  request = plain_request(folder.write("b.raw", numbers), "float32");
  request.shape = {700, 100, 1};
  survey = survey_image(request);
  EXPECT_TRUE(survey.labels.more);
  ASSERT_EQ(survey.histogram.size(), 16u);
  for (const HistogramBin& bin : survey.histogram) EXPECT_NEAR(bin.share, 1.0 / 16, 1e-4);
}

}  // namespace
}  // namespace fluvia::test
