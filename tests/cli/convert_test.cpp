// SPDX-License-Identifier: Apache-2.0
// `fluvia convert`: what it shows of images and surfaces, and what it writes.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "support/program.hpp"

namespace fluvia::test {
namespace {

const std::string rock = FLUVIA_SOURCE_DIR "/cases/data/rock.raw.gz", bend = FLUVIA_SOURCE_DIR "/cases/data/bend.stl";

void expect_text(const Outcome& outcome, int code, const std::vector<std::string>& parts) {
  EXPECT_EQ(outcome.code, code) << outcome.text;
  for (const std::string& part : parts)
    EXPECT_NE(outcome.text.find(part), std::string::npos) << "no '" << part << "' in:\n" << outcome.text;
}

TEST(ConvertCommand, ShowsAnImageAndWritesItAgain) {
  const Folder folder;
  const std::string nrrd = (folder / "rock.nrrd").string(), raw = (folder / "again.raw").string();
  expect_text(
      run_fluvia("convert " + rock + " " + nrrd + " --shape 64 64 64 --voxel 5um"), 0,
      {"raw, read by Fluvia, zlib", "64 x 64 x 64 voxels", "uint8", "5 µm", "320 µm", "labels", "%", "wrote " + nrrd});
  expect_text(run_fluvia("convert " + nrrd + " " + raw), 0,
              {"NRRD", "5 µm", "read it with: --shape 64 64 64 --type uint8 --voxel 5um"});
  expect_text(run_shell("gunzip -c " + rock + " | cmp - " + raw), 0, {});
  // The advice that is printed is right.
  expect_text(run_fluvia("convert " + raw + " --shape 64 64 64 --type uint8 --voxel 5um"), 0, {"5 µm"});
}

TEST(ConvertCommand, ShowsASurfaceAndWritesIt) {
  const Folder folder;
  const std::string stl = (folder / "bend.stl").string();
  expect_text(run_fluvia("convert " + bend + " " + stl), 0,
              {"STL, read by Fluvia, zlib", "triangles", "box", "the file does not say", "area", "bodies", "holes",
               "wrote " + stl});
  const Outcome json = run_shell(std::string(FLUVIA_BINARY) + " convert " + stl + " --json - 2>/dev/null");
  ASSERT_EQ(json.code, 0);
  const auto facts = nlohmann::json::parse(json.text);
  EXPECT_EQ(facts["kind"], "surface");
  EXPECT_EQ(facts["format"], "STL");
  EXPECT_EQ(facts["unit"], nullptr);
  EXPECT_GT(facts["triangles"], 100);
  EXPECT_EQ(facts["parts"].size(), 1u);
}

TEST(ConvertCommand, GivesNumbersAsJson) {
  const Folder folder;
  const std::string text = (folder / "a.dat").string(), json = (folder / "a.json").string();
  write_text(text, "0 1 1 1 2 1 1 0");
  expect_text(run_fluvia("convert " + text + " --shape 2 2 2 --voxel 1mm --json " + json), 0, {});
  const auto facts = nlohmann::json::parse(read_text(json));
  EXPECT_EQ(facts["kind"], "image");
  EXPECT_EQ(facts["type"], "text");
  EXPECT_EQ(facts["shape"], (std::vector<int>{2, 2, 2}));
  EXPECT_DOUBLE_EQ(facts["voxel_m"], 1e-3);
  ASSERT_EQ(facts["labels"].size(), 3u);
  EXPECT_EQ(facts["labels"][1]["voxels"], 5);
  EXPECT_DOUBLE_EQ(facts["labels"][0]["share"], 0.25);
}

TEST(ConvertCommand, DrawsPictures) {
  const Folder folder;
  const char* const kept = std::getenv("FLUVIA_TEST_PICTURES");
  const auto draw = [&](const std::string& name, const std::string& input) {
    const std::string file = kept != nullptr ? std::string(kept) + "/" + name : (folder / name).string();
    expect_text(run_fluvia("convert " + input + " --picture " + file), 0, {"wrote " + file});
    EXPECT_EQ(read_text(file).substr(1, 3), "PNG");
  };
  draw("convert-labels.png", rock + " --shape 64 64 64 --voxel 5um");
  draw("convert-surface.png", bend);
  draw("convert-mask.png", FLUVIA_SOURCE_DIR "/cases/data/channel_network.png");
  std::string grey;
  for (int i = 0; i < 40 * 30 * 3; ++i) grey += static_cast<char>(i % 40 * 6);
  write_text(folder / "grey.raw", grey);
  draw("convert-grey.png", (folder / "grey.raw").string() + " --shape 40 30 3");
}

TEST(ConvertCommand, RefusesWhatItCannotDo) {
  const Folder folder;
  const std::string copy = (folder / "a.stl").string();
  std::filesystem::copy_file(bend, copy);
  expect_text(run_fluvia("convert " + rock), 2, {"--shape NX NY NZ"});
  expect_text(run_fluvia("convert case.toml"), 2, {"'case.toml' is no surface (.stl, .obj", ".vti", ".png, .pgm"});
  expect_text(run_fluvia("convert absent.stl"), 3, {"absent.stl"});
  expect_text(run_fluvia("convert " + copy + " " + copy), 2, {"is what is read"});
  expect_text(run_fluvia("convert " + copy + " --picture " + copy), 2, {"is what is read"});
  expect_text(run_fluvia("convert " + copy + " " + (folder / "a.obj").string()), 2,
              {"is no name of a surface", ".stl"});
  expect_text(run_fluvia("convert " + rock + " --shape 64 64 64 " + (folder / "a.tif").string()), 2,
              {"is no name of an image", ".raw, .nrrd, .npy, .png"});
  expect_text(run_fluvia("convert " + rock + " --shape 64 64 64 --picture a.jpg"), 2, {"is to be a PNG"});
  expect_text(run_fluvia("convert " + rock + " --shape 64 64 64 --voxel 5"), 2, {"--voxel"});
  expect_text(run_fluvia("convert " + rock + " --shape 64 64 64 --type int16 --bits 16"), 2, {"--type, --bits"});
  EXPECT_EQ(read_text(copy), read_text(bend));
}

TEST(GeometryCommand, AsksWhichVoxelsAreFluid) {
  const Folder folder;
  const std::string file = (folder / "a.raw").string();
  std::string bytes(1000, '\1');
  for (int i = 0; i < 300; ++i) bytes[static_cast<std::size_t>(i)] = '\0';
  write_text(file, bytes);
  expect_text(run_fluvia("geometry " + file + " --shape 10 10 10"), 0, {"labels: 0 30% (fluid), 1 70%"});
  for (int i = 0; i < 700; ++i) bytes[static_cast<std::size_t>(i)] = '\0';
  write_text(file, bytes);
  expect_text(run_fluvia("geometry " + file + " --shape 10 10 10"), 2,
              {"nothing says which voxels are the pores", "70% of the voxels", "add --pore 1"});
  expect_text(run_fluvia("geometry " + file + " --shape 10 10 10 --pore 1"), 0,
              {"labels: 0 70%, 1 30% (fluid)", "fluid nodes         300 of 1000"});
  expect_text(run_fluvia("geometry " + file + " --shape 10 10 10 --above 0 --json"), 0,
              {"\"labels\": \"labels: 0 70%"});
  expect_text(run_fluvia("geometry " + file + " --shape 10 10 10 --fluid 3"), 2, {"no voxel", "value 3"});
  expect_text(run_fluvia("geometry " + file), 2, {"--shape NX NY NZ"});
}

}  // namespace
}  // namespace fluvia::test
