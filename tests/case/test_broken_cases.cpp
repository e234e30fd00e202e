// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "case/broken_cases.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/case/case.hpp"
#include "fluvia/case/names.hpp"

namespace {

using namespace fluvia;

class Broken : public testing::TestWithParam<BrokenCase> {};

TEST_P(Broken, IsRefusedWithItsMessage) {
  try {
    parse_case(GetParam().text, "bad.toml");
    FAIL() << "was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::input);
    if (GetParam().message.empty()) {
      EXPECT_TRUE(std::string(error.what()).starts_with("bad.toml:1:1: TOML syntax: ")) << error.what();
    } else {
      EXPECT_EQ(error.what(), GetParam().message);
    }
  }
}

const auto name_of = [](const testing::TestParamInfo<BrokenCase>& info) { return info.param.name; };
INSTANTIATE_TEST_SUITE_P(Values, Broken, testing::ValuesIn(broken_values()), name_of);
INSTANTIATE_TEST_SUITE_P(Contradictions, Broken, testing::ValuesIn(broken_contradictions()), name_of);

TEST(BrokenCase, EveryPrefixOfAGoodCaseIsReadOrRefusedCleanly) {
  const std::string text =
      "title = \"t\"\n[units]\nviscosity = 0.1\n[domain]\nnodes = [8, 8, 8]\nperiodic = [true, true, false]\n[run]\n"
      "steps = 10\n[[boundary]]\nsurface = \"z_max\"\ntype = \"moving_wall\"\nvelocity = [0.1, 0.0, 0.0]\n";
  int refused = 0;
  for (std::size_t length = 0; length < text.size(); ++length) {
    try {
      parse_case(text.substr(0, length), "bad.toml");
    } catch (const Error& error) {
      ++refused;
      EXPECT_TRUE(std::string(error.what()).starts_with("bad.toml:")) << error.what();
    }
  }
  EXPECT_GT(refused, 150);
}

TEST(BrokenCase, BuiltInCodeIsCheckedByTheSameRules) {
  Case c;
  c.units.viscosity = 0.1;
  c.domain.nodes = Int3{8, 8, 8};
  EXPECT_NO_THROW(validate(c));
  c.numerics.collision = "magic";
  try {
    validate(c);
    FAIL() << "was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "case: numerics.collision: 'magic' is not allowed (allowed: " + join(names::collisions) + ")");
  }
}

TEST(BrokenCase, MissingFile) {
  try {
    read_case("no/such.toml");
    FAIL() << "was accepted";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "no/such.toml: no such file");
  }
}

TEST(BrokenCase, FolderInsteadOfFile) {
  EXPECT_THROW(read_case("."), Error);
}

TEST(CheckNames, UsesTheSurfacesThatTheGeometryFound) {
  const Case c = parse_case(
      "[units]\ntau = 0.8\n[run]\nsteps = 1\n[[geometry.stl]]\nfile = \"a.stl\"\n[[boundary]]\nsurface = \"outlt\"\n"
      "type = \"pressure\"\n",
      "stl.toml");
  EXPECT_NO_THROW(check_names(c, {"wall", "outlt"}));
  try {
    check_names(c, {"wall", "inlet", "outlet"});
    FAIL() << "was accepted";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "stl.toml:8:11: boundary[0].surface: 'outlt' is no surface of this case; did you mean 'outlet'? "
                 "(surfaces: wall, inlet, outlet)");
  }
}

}  // namespace
