// SPDX-License-Identifier: Apache-2.0
// Levels in several parts of one process: bits, sums and restarts are those of one part, for every kind of interface,
// lattice and scheme; parts are as large as each other on each level.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "fluvia/backend/backend.hpp"
#include "fluvia/backend/levels.hpp"
#include "fluvia/core/scheme/registry.hpp"
#include "fluvia/domain/levels/device_level_exchange.hpp"
#include "fluvia/domain/levels/level_share.hpp"
#include "fluvia/solver/plan/scheme.hpp"
#include "levels/arrangements.hpp"
#include "support/errors.hpp"

namespace {

using namespace levels_test;
using fluvia::Solver;

std::vector<std::string> schemes_in_parts() {
  std::vector<std::string> names;
  for (const fluvia::core::Scheme& scheme : fluvia::core::schemes)
    if (scheme.cpu && !scheme.half && fluvia::is_splittable(scheme)) names.emplace_back(scheme.name);
  return names;
}

void expect_same_bits_in_parts(const Case& c, bool flat, const std::vector<int>& parts) {
  std::vector<std::pair<Case, int>> others;
  for (const int count : parts) others.emplace_back(c, count);
  expect_same_bits(c, flat, others);
}

class LevelsInParts : public ::testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(LevelsInParts, HaveTheBitsOfOne) {
  const auto& [lattice, name] = GetParam();
  const bool flat = fluvia::facts_of_lattice(lattice).dimension == 2;
  const Arrangement arrangement = setup_of(name, flat);
  if (arrangement.slip >= 0 && lattice == "D3Q15") return;  // no fluid slides there
  const std::vector<std::string> schemes = schemes_in_parts();
  std::size_t number = 0;
  for (const int parts : {2, 3, 4}) {
    const std::string& scheme = schemes[number++ * 5 % schemes.size()];
    SCOPED_TRACE(scheme);
    Case c = case_of(arrangement, lattice, lattice == "D3Q15" ? "mrt" : "recursive-regularized", scheme);
    c.numerics.threads = 1;
    expect_same_bits_in_parts(c, flat, {parts});
  }
}
INSTANTIATE_TEST_SUITE_P(Levels, LevelsInParts,
                         ::testing::Combine(::testing::Values("D2Q9", "D3Q15", "D3Q19", "D3Q27"),
                                            ::testing::Values("patch", "notch", "three levels", "solid", "hollow",
                                                              "lid", "forces", "sponge", "sheets", "lid across",
                                                              "turning", "slip")),
                         [](const auto& info) {
                           std::string text = std::get<0>(info.param) + "_" + std::get<1>(info.param);
                           std::replace(text.begin(), text.end(), ' ', '_');
                           return text;
                         });

TEST(LevelsParts, HaveTheBitsOfOneWithAllSchemes) {
  for (const bool flat : {true, false})
    for (const std::string& scheme : schemes_in_parts()) {
      SCOPED_TRACE(scheme);
      Case c = case_of(setup_of(flat ? "three levels" : "solid", flat), flat ? "D2Q9" : "D3Q19", "mrt", scheme);
      c.numerics.threads = 1;
      c.physics.smagorinsky = flat ? 0.1 : 0;
      expect_same_bits_in_parts(c, flat, {flat ? 3 : 2});
    }
}

TEST(LevelsParts, HaveTheBitsOfOneInAllFormats) {
  for (const std::string format : {"fp32", "fp16s", "fp16c"}) {
    SCOPED_TRACE(format);
    Case c = case_of(setup_of("notch", false), "D3Q19", "regularized", "compact-aa");
    c.numerics.format = format;
    c.numerics.threads = 2;
    expect_same_bits_in_parts(c, false, {3});
  }
}

/// Openings that several levels meet, one of which remembers, beside walls that are interpolated.
TEST(LevelsParts, HaveTheBitsOfOneBesideOpeningsAndWalls) {
  for (const bool flat : {true, false})
    for (const std::string outlet : {"pressure", "non_reflecting"}) {
      SCOPED_TRACE(outlet);
      expect_same_bits_in_parts(between_openings(flat, outlet), flat, {2, 4});
    }
}

/// Planes of symmetry that interfaces and cuts between parts cross.
TEST(LevelsParts, HaveTheBitsOfOneAtPlanesOfSymmetry) {
  for (const std::string lattice : {"D2Q9", "D3Q19", "D3Q27"}) {
    SCOPED_TRACE(lattice);
    expect_same_bits_in_parts(between_mirrors(lattice), lattice == "D2Q9", {2, 3, 4});
  }
}

/// Levels take turns, so that each is divided evenly: the work of all, sum 2^l N_l, is then, too.
TEST(LevelsParts, AreAsLargeAsEachOther) {
  Case c = case_of(setup_of("patch", false), "D3Q19", "recursive-regularized", "compact-pull");
  c.domain.nodes = {64, 64, 64};
  Case::Shape ball;
  ball.name = "ball";
  ball.kind = "sphere";
  ball.center = {30, 31, 33};
  ball.radius = 8;
  c.geometry.shapes = {ball};
  c.refine.resize(1);
  c.refine[0].box.reset();
  c.refine[0].level = 2;
  c.refine[0].around = "ball";
  c.refine[0].distance = 1;
  const Grid grid = fluvia::make_grid(c);
  const fluvia::Units units = fluvia::make_units(c, grid.spacing);
  const Geometry geometry = fluvia::build_geometry(c, grid);
  fluvia::Plan plan = fluvia::plan_case({c, units, geometry});
  for (const int parts : {2, 3, 4}) {
    plan.domain = {parts, fluvia::BlockPlace::ranks};
    std::vector<double> work(static_cast<std::size_t>(parts));
    const auto levels = fluvia::partitions_of_levels({c, units, geometry}, plan);
    ASSERT_EQ(levels.size(), 3u);
    for (std::size_t l = 0; l < levels.size(); ++l) {
      EXPECT_LT(levels[l].imbalance(), 0.01) << "level " << l;
      for (std::size_t p = 0; p < work.size(); ++p)
        work[p] += std::exp2(static_cast<double>(l)) * static_cast<double>(levels[l].nodes[p]);
    }
    const double most = *std::max_element(work.begin(), work.end()),
                 least = *std::min_element(work.begin(), work.end());
    EXPECT_LT(most / least, 1.01);
  }
}

/// Where a rod that is hardly more than a node thick crosses an interface and a cut, a part makes sums of links of
/// another, but gives a GPU messages of its own ones only; all parts together have what one has.
TEST(LevelsParts, HaveMessagesOfOwnLinksOnly) {
  Case c = case_of(setup_of("solid", false), "D3Q19", "recursive-regularized", "compact-pull");
  Case::Shape& rod = c.geometry.shapes.front();
  rod.kind = "cylinder";
  rod.from = {3.4, 5, 2};
  rod.to = {4.6, 11, 14};
  rod.radius = 0.6;
  const Grid grid = fluvia::make_grid(c);
  const fluvia::Units units = fluvia::make_units(c, grid.spacing);
  const Geometry geometry = fluvia::build_geometry(c, grid);
  const fluvia::LevelProblems divided = fluvia::divide_into_levels({c, units, geometry}, "cpu");
  const fluvia::LatticeFacts& lattice = fluvia::facts_of_lattice("D3Q19");
  const Geometry &coarse_geometry = divided.levels[0].geometry, &fine_geometry = divided.levels[1].geometry;
  const fluvia::NodeMap &coarse = coarse_geometry.nodes, &fine = fine_geometry.nodes;
  const fluvia::domain::LevelPair pair{divided.map, 0, coarse, fine, coarse_geometry.beside, fine_geometry.beside};
  const fluvia::domain::LevelLinks links = find_level_links(pair, lattice);
  const auto moves_of = [](const fluvia::domain::LevelShare& share) {
    const fluvia::cuda::LevelArrays arrays = fluvia::domain::level_arrays(share, 3);
    std::size_t count = 0;
    for (std::size_t k = 0; k + 1 < arrays.moves.size(); ++k, ++count)
      EXPECT_LT(arrays.moves[k].link, share.own_writes);
    EXPECT_EQ(arrays.own_links, share.own_writes);
    EXPECT_EQ(arrays.entering[0].size(), share.own_places);
    return count;
  };
  const std::size_t whole = moves_of(share_of(links, {fluvia::cut_tiles(coarse, 1), fluvia::cut_tiles(fine, 1)}, 0));
  EXPECT_GT(whole, 0u);
  std::size_t moves = 0, of_others = 0;
  for (int part = 0; part < 7; ++part) {
    const fluvia::domain::LevelShare share =
        share_of(links, {fluvia::cut_tiles(coarse, 7), fluvia::cut_tiles(fine, 7)}, part);
    moves += moves_of(share);
    of_others += share.links.coarse_writes.size() - share.own_writes;
  }
  EXPECT_EQ(moves, whole);
  EXPECT_GT(of_others, 0u) << "no part makes sums of links of another";
}

TEST(LevelsParts, SayWhichLevelIsTooSmall) {
  Case c = case_of(setup_of("three levels", true), "D2Q9", "regularized", "compact-pull");
  const std::string message = fluvia::test::error_of(fluvia::ExitCode::input, [&] { Flow(c, 17); });
  EXPECT_CONTAINS(message, "refine: on level 0: ");
  EXPECT_CONTAINS(message, "17 parts were asked for, but only 16 tiles");
}

}  // namespace
