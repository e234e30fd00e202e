// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "fluvia/base/error.hpp"
#include "fluvia/case/case.hpp"
#include "fluvia/case/templates.hpp"
#include "fluvia/units/units.hpp"

namespace {

using namespace fluvia;
namespace fs = std::filesystem;

const fs::path shipped = fs::path(FLUVIA_SOURCE_DIR) / "cases";

std::string content(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

TEST(Templates, AreThosePromised) {
  const std::vector<std::string> expected = {
      "cavity",      "cavity-heated",  "heat-sink", "mixer",   "tank",     "channel", "cylinder",
      "pipe-sphere", "sphere-in-pipe", "aneurysm",  "packing", "stl",      "voxels",  "mask",
      "network",     "blood",          "levels",    "stirrer", "settling", "piston",  "propeller"};
  EXPECT_EQ(template_names(), expected);
}

TEST(Templates, UnknownNameIsRefused) {
  try {
    template_text("cylindre");
    FAIL() << "was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::usage);
    EXPECT_TRUE(std::string(error.what())
                    .starts_with("template: 'cylindre' does not exist; did you mean 'cylinder'? (templates: cavity, "))
        << error.what();
  }
}

TEST(Templates, AreTheShippedFilesByteForByte) {
  for (const std::string& name : template_names()) {
    for (const auto& [file, bytes] : template_files(name)) EXPECT_TRUE(bytes == content(shipped / file)) << file;
  }
}

TEST(Templates, BringTheFilesTheyRead) {
  const auto names = [](const std::string& name) {
    std::vector<std::string> files;
    for (const auto& [file, bytes] : template_files(name)) files.push_back(file);
    return files;
  };
  EXPECT_EQ(names("cavity"), (std::vector<std::string>{"cavity.toml"}));
  EXPECT_EQ(names("stl"), (std::vector<std::string>{"stl.toml", "data/bend.stl"}));
  EXPECT_EQ(names("propeller"), (std::vector<std::string>{"propeller.toml", "data/propeller.stl"}));
  EXPECT_EQ(names("voxels"), (std::vector<std::string>{"voxels.toml", "data/rock.raw.gz"}));
  EXPECT_EQ(names("mask"), (std::vector<std::string>{"mask.toml", "data/channel_network.png"}));
}

/// Every case of the folder, templates and others, must be valid and good physics.
TEST(ShippedCases, AreValidAndNeedNoAdvice) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(shipped)) {
    if (entry.path().extension() != ".toml") continue;
    ++count;
    const Case c = read_case(entry.path());
    EXPECT_NE(c.title, "untitled") << entry.path();
    EXPECT_TRUE(c.run.steps || c.run.time);
    const Units units = make_units(c, c.units.spacing.value_or(1));
    EXPECT_GT(units.reynolds(), 0) << entry.path();
    for (const UnitsAdvice& advice : advise(units)) ADD_FAILURE() << entry.path() << ": " << advice.message;
  }
  EXPECT_GE(count, 10);
}

}  // namespace
