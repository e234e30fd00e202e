// SPDX-License-Identifier: Apache-2.0
// What the pages show has to work: every case in them is read and checked like a user's.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "fluvia/case/case.hpp"

namespace {

std::string read_page(const std::filesystem::path& page) {
  std::ifstream file(page);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Blocks of the given language, each preceded by empty lines so that line numbers in messages are those of the page.
std::vector<std::string> code_blocks(const std::string& page, const std::string& language) {
  std::vector<std::string> blocks;
  const std::string fence = "```";
  std::istringstream lines(page);
  std::string line, block, before;
  bool inside = false;
  while (std::getline(lines, line)) {
    before += '\n';
    if (!inside && line == fence + language) {
      inside = true;
      block = before;
    } else if (inside && line == fence) {
      inside = false;
      blocks.push_back(block);
    } else if (inside) {
      block += line + '\n';
    }
  }
  return blocks;
}

TEST(Pages, CasesOfTheReadmeAreValid) {
  const std::filesystem::path page = std::filesystem::path(FLUVIA_SOURCE_DIR) / "README.md";
  const std::vector<std::string> blocks = code_blocks(read_page(page), "toml");
  ASSERT_FALSE(blocks.empty());
  for (const std::string& block : blocks) EXPECT_NO_THROW(fluvia::validate(fluvia::parse_case(block, page))) << block;
}

TEST(Pages, TheCaseWithFormulasIsValid) {
  const std::filesystem::path page = std::filesystem::path(FLUVIA_SOURCE_DIR) / "docs/initial-fields.md";
  const std::vector<std::string> blocks = code_blocks(read_page(page), "toml");
  ASSERT_EQ(blocks.size(), 2u);  // the second is a part of one
  EXPECT_NO_THROW(fluvia::validate(fluvia::parse_case(blocks[0], page)));
}

TEST(Pages, TheCaseWithLinesAndPlanesIsValid) {
  const std::filesystem::path page = std::filesystem::path(FLUVIA_SOURCE_DIR) / "docs/lines-and-planes.md";
  for (const std::string& block : code_blocks(read_page(page), "toml"))
    EXPECT_NO_THROW(fluvia::validate(fluvia::parse_case(block, page))) << block;
}

TEST(Pages, BlocksAreFoundWithTheirLineNumbers) {
  const std::vector<std::string> blocks = code_blocks("a\n```toml\nx = 1\n```\nb\n```sh\nls\n```\n", "toml");
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_EQ(blocks[0], "\n\nx = 1\n");
}

/// What the page on lattices shows is the lattice that is compiled and tested.
TEST(Pages, TheExampleOfALatticeIsTheRealOne) {
  const std::filesystem::path root = FLUVIA_SOURCE_DIR;
  const std::vector<std::string> blocks = code_blocks(read_page(root / "docs/adding-a-lattice.md"), "cpp");
  ASSERT_EQ(blocks.size(), 1u);
  const std::string example = blocks[0].substr(blocks[0].find_first_not_of('\n'));
  EXPECT_EQ(example, read_page(root / "src/fluvia/core/lattice/d3q15.hpp"));
}

TEST(Pages, EveryTemplateAndTheDemoAreValid) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(FLUVIA_SOURCE_DIR) / "cases")) {
    if (entry.path().extension() != ".toml") continue;
    ++count;
    EXPECT_NO_THROW(fluvia::validate(fluvia::read_case(entry.path()))) << entry.path();
  }
  EXPECT_GE(count, 10);
}

}  // namespace
