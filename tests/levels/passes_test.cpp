// SPDX-License-Identifier: Apache-2.0
// The finest level in passes of two steps: bits, sums and restarts are those of single steps, for every kind of
// interface, lattice, scheme and format.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "fluvia/case/validate.hpp"
#include "fluvia/core/scheme/registry.hpp"
#include "fluvia/solver/plan/scheme.hpp"
#include "levels/arrangements.hpp"
#include "support/errors.hpp"

namespace {

using namespace levels_test;

/// `narrow`: of those that store rows of at most 64 nodes apart.
std::vector<std::string> schemes_with_passes(bool narrow = false) {
  std::vector<std::string> names;
  for (const fluvia::core::Scheme& scheme : fluvia::core::schemes)
    if (scheme.cpu && !scheme.half && fluvia::is_splittable(scheme) && scheme.most_steps_on_cpu > 1 &&
        !(narrow && scheme.is_compact()))
      names.emplace_back(scheme.name);
  return names;
}

/// Whether a flow in passes, by so many threads, has the bits of single steps.
void expect_same_bits_in_passes(Case c, bool flat, const std::vector<int>& threads) {
  c.numerics.threads = 1;
  std::vector<std::pair<Case, int>> others;
  for (const int count : threads) {
    Case& other = others.emplace_back(c, 1).first;
    other.numerics.steps_per_pass = 2;
    other.numerics.threads = count;
  }
  expect_same_bits(c, flat, others);
}

class LevelsInPasses : public ::testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(LevelsInPasses, HaveTheBitsOfSingleSteps) {
  const auto& [lattice, name] = GetParam();
  const bool flat = fluvia::facts_of_lattice(lattice).dimension == 2;
  const Arrangement arrangement = setup_of(name, flat);
  const bool has_three = name == "three levels" || name == "lid across";
  const std::vector<std::string> schemes = schemes_with_passes(flat && !has_three);
  std::size_t number = name.size();  // not the same schemes everywhere
  for (const int threads : {1, 2, 3}) {
    const std::string& scheme = schemes[number++ % schemes.size()];
    expect_same_bits_in_passes(
        case_of(arrangement, lattice, lattice == "D3Q15" ? "mrt" : "recursive-regularized", scheme), flat, {threads});
  }
}
INSTANTIATE_TEST_SUITE_P(Levels, LevelsInPasses,
                         ::testing::Combine(::testing::Values("D2Q9", "D3Q15", "D3Q19", "D3Q27"),
                                            ::testing::Values("patch", "notch", "three levels", "solid", "hollow",
                                                              "lid", "forces", "sponge", "sheets", "lid across",
                                                              "turning")),
                         [](const auto& info) {
                           std::string text = std::get<0>(info.param) + "_" + std::get<1>(info.param);
                           std::replace(text.begin(), text.end(), ' ', '_');
                           return text;
                         });

TEST(LevelsPasses, HaveTheBitsOfSingleStepsInAllFormats) {
  for (const std::string format : {"fp32", "fp16s", "fp16c"}) {
    SCOPED_TRACE(format);
    Case c = case_of(setup_of("notch", false), "D3Q19", "regularized", "compact-aa");
    c.numerics.format = format;
    expect_same_bits_in_passes(c, false, {2});
  }
}

TEST(LevelsPasses, HaveTheBitsOfSingleStepsBesideOpeningsAndWalls) {
  const std::vector<std::string> schemes = schemes_with_passes();
  for (const bool flat : {true, false})
    for (std::size_t k = 0; k < schemes.size(); ++k) {
      const std::string outlet = k % 2 == 0 ? "pressure" : "non_reflecting";
      SCOPED_TRACE(outlet);
      Case c = between_openings(flat, outlet);
      c.numerics.scheme = schemes[flat ? k : schemes.size() - 1 - k];
      if (flat || k < 3) expect_same_bits_in_passes(c, flat, {2});
    }
}

TEST(LevelsPasses, HaveTheBitsOfSingleStepsAtPlanesOfSymmetry) {
  for (const std::string& scheme : schemes_with_passes())
    for (const std::string lattice : {"D2Q9", "D3Q19"}) {
      SCOPED_TRACE(lattice);
      Case c = between_mirrors(lattice);
      c.numerics.scheme = scheme;
      expect_same_bits_in_passes(c, lattice == "D2Q9", {3});
    }
}

TEST(LevelsPasses, AreThoseOfTheFinestLevel) {
  Case c = case_of(setup_of("three levels", true), "D2Q9", "regularized", "compact-aa");
  for (const int steps : {0, 1, 2}) {
    c.numerics.steps_per_pass = steps;
    const Flow flow(c);
    for (std::size_t l = 0; l < 3; ++l)
      EXPECT_EQ(flow.solver->levels()[l].state->plan().steps_per_pass, l == 2 ? std::max(1, steps) : 1);
  }
}

TEST(LevelsPasses, SayHowManyStepsTheyCanHave) {
  const auto message = [](const std::string& scheme, int steps, int parts) {
    Case c = case_of(setup_of("patch", true), "D2Q9", "regularized", scheme);
    c.domain.nodes = {64, 32, 1};
    c.numerics.steps_per_pass = steps;
    return fluvia::test::error_of(fluvia::ExitCode::input, [&] {
      fluvia::validate(c);
      Flow(c, parts);
    });
  };
  EXPECT_EQ(message("compact-aa", 2, 1), "");
  EXPECT_CONTAINS(message("compact-aa", 3, 1), "numerics.steps_per_pass: '3' with [[refine]]");
  EXPECT_CONTAINS(message("compact-aa", 3, 1), "at most 2");
  EXPECT_CONTAINS(message("compact-aa", 2, 2), "numerics.steps_per_pass: '2' with [[refine]] in 2 parts");
  EXPECT_CONTAINS(message("compact-sliding", 2, 1), "numerics.steps_per_pass");
}

}  // namespace
