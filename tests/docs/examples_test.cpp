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

struct Block {
  std::string text;    ///< preceded by empty lines, so that line numbers in messages are those of the page
  std::string marker;  ///< of the comment in the line before it, which readers do not see (tests/docs/pages.py)
};

std::vector<Block> code_blocks(const std::string& page, const std::string& language) {
  std::vector<Block> blocks;
  const std::string fence = "```", comment = "<!-- ", end = " -->";
  std::istringstream lines(page);
  std::string line, text, before, marker;
  bool inside = false;
  while (std::getline(lines, line)) {
    before += '\n';
    if (!inside && line == fence + language) {
      inside = true;
      text = before;
    } else if (inside && line == fence) {
      inside = false;
      blocks.push_back({text, marker});
    } else if (inside) {
      text += line + '\n';
    }
    if (!inside)
      marker = line.starts_with(comment) && line.ends_with(end)
                   ? line.substr(comment.size(), line.size() - comment.size() - end.size())
                   : "";
  }
  return blocks;
}

std::vector<std::filesystem::path> all_pages() {
  const std::filesystem::path root = FLUVIA_SOURCE_DIR;
  std::vector<std::filesystem::path> pages = {root / "README.md", root / "CONTRIBUTING.md"};
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / "docs"))
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  return pages;
}

/// Whole cases are read as they are. Parts of one, which say so, are read as a case that includes that one.
TEST(Pages, CasesAreValid) {
  const std::filesystem::path root = FLUVIA_SOURCE_DIR;
  const std::string part_of = "part of: ";
  std::size_t wholes = 0, parts = 0;
  for (const std::filesystem::path& page : all_pages())
    for (const Block& block : code_blocks(read_page(page), "toml")) {
      std::string text = block.text;
      if (block.marker.starts_with(part_of)) {
        const std::filesystem::path whole = root / block.marker.substr(part_of.size());
        text = "include = '" + whole.string() + "'" + text;
        ++parts;
      } else {
        ++wholes;
      }
      EXPECT_NO_THROW(fluvia::validate(fluvia::parse_case(text, page))) << page << text;
    }
  EXPECT_GE(wholes, 5u);
  EXPECT_GE(parts, 5u);
}

TEST(Pages, BlocksAreFoundWithTheirLineNumbersAndMarkers) {
  const auto blocks = code_blocks("a\n<!-- said -->\n```toml\nx = 1\n```\nb\n```sh\nls\n```\n```toml\n```\n", "toml");
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(blocks[0].text, "\n\n\nx = 1\n");
  EXPECT_EQ(blocks[0].marker, "said");
  EXPECT_EQ(blocks[1].marker, "");
}

/// What the page on lattices shows is the lattice that is compiled and tested.
TEST(Pages, TheExampleOfALatticeIsTheRealOne) {
  const std::filesystem::path root = FLUVIA_SOURCE_DIR;
  const std::vector<Block> blocks = code_blocks(read_page(root / "docs/adding-a-lattice.md"), "cpp");
  ASSERT_EQ(blocks.size(), 1u);
  const std::string example = blocks[0].text.substr(blocks[0].text.find_first_not_of('\n'));
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
