// SPDX-License-Identifier: Apache-2.0
// Case::text, which summary.json and the page of a run show: the same case again.
#include <gtest/gtest.h>
#include <toml++/toml.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "fluvia/case/case.hpp"
#include "fluvia/case/toml/load.hpp"
#include "fluvia/case/toml/toml_text.hpp"

namespace fluvia::test {
namespace {

std::string read_text(const std::filesystem::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(CaseText, IsTheFileItselfIfItIsTheWholeCase) {
  const std::string text = "# why\ntitle = \"a\"\n[units]\ntau = 0.8\n[domain]\nnodes = [4, 4, 4]\n[run]\nsteps = 1\n";
  EXPECT_EQ(parse_case(text, "a.toml").text, text);
  EXPECT_EQ(Case().text, "");
}

TEST(CaseText, HasIncludesAndSettingsCarriedOut) {
  const std::filesystem::path cases = std::filesystem::path(FLUVIA_SOURCE_DIR) / "cases";
  const Case demo = read_case(cases / "demo.toml", {"boundary.x_min.speed=0.07", "run.steps=12"});
  EXPECT_EQ(demo.text.find("include"), std::string::npos) << demo.text;
  EXPECT_NE(demo.text.find("speed = 0.07\n"), std::string::npos) << demo.text;
  EXPECT_LT(demo.text.find("[units]"), demo.text.find("[geometry.generator]")) << demo.text;
  EXPECT_LT(demo.text.find("[[boundary]]"), demo.text.find("[run]")) << demo.text;
  const Case again = parse_case(demo.text, cases / "again.toml");
  EXPECT_EQ(again.hash, demo.hash);
  EXPECT_EQ(again.run.steps, 12);
  EXPECT_EQ(again.output.slices.size(), demo.output.slices.size());
}

TEST(CaseText, OfEveryShippedCaseReadsAsTheSame) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(FLUVIA_SOURCE_DIR) / "cases")) {
    if (entry.path().extension() != ".toml") continue;
    const toml::table loaded = schema::load_text(read_text(entry.path()), entry.path());
    EXPECT_EQ(toml::parse(schema::toml_text(loaded)), loaded) << entry.path();
    ++count;
  }
  EXPECT_GE(count, 10);
}

TEST(CaseText, KeepsEveryKindOfValue) {
  const std::string text = R"(b = true
i = -3
r = 0.1
whole = 2.0
tiny = 1e-300
big = 1e22
inf = -inf
s = "a \"b\" \\ ' ü"
lines = """one
two"""
"odd key" = [1, [2.5, "x"], { y = 1.0, "z z" = [] }]
empty = []
[t]
[t.below]
x = [0.30000000000000004, 1]
[[t.list]]
[[t.list]]
a = 1
[[t.list.deep]]
b = {}
)";
  const toml::table loaded = toml::parse(text);
  const std::string written = schema::toml_text(loaded);
  EXPECT_EQ(toml::parse(written), loaded) << written;
  EXPECT_NE(written.find("r = 0.1\n"), std::string::npos) << written;
  EXPECT_NE(written.find("whole = 2.0\n"), std::string::npos) << written;
}

}  // namespace
}  // namespace fluvia::test
