// SPDX-License-Identifier: Apache-2.0
// Scalars of a domain in parts have the bits of one solver: every scheme that runs in parts, every lattice of scalars,
// walls with all conditions, cells that end at walls, planes of symmetry, a scalar that drives the flow.
#include <gtest/gtest.h>
#include <omp.h>

#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cuda/scalars/scalar_channel.hpp"
#include "fluvia/backend/backend.hpp"
#include "fluvia/case/physics/registered_scalars.hpp"
#include "fluvia/core/scheme/registry.hpp"
#include "fluvia/solver/plan/scheme.hpp"
#include "scalars/channel_case.hpp"
#include "support/errors.hpp"
#include "support/in_parts.hpp"

namespace fluvia::test {
namespace {

/// All that a solver tells of its scalars and of the flow that they drive.
struct Told {
  std::vector<std::byte> numbers;
  std::vector<double> scalars, sums, in_solids;
  std::vector<Real3> velocity;
};
Told ask(const Solver& solver) {
  Told told;
  told.numbers = saved(solver);
  Moments moments;
  solver.moments(0, solver.geometry().nodes.tiles.size(), false, moments);
  told.scalars = moments.scalars;
  told.velocity = moments.velocity;
  for (std::size_t k = 0; k < solver.plan().scalars.size(); ++k) {
    const ScalarSummary s = solver.scalar_summary(k);
    told.sums.insert(told.sums.end(), {s.mean, s.least, s.most, s.content, s.source, s.volume, s.finite ? 1.0 : 0.0});
    for (int surface = 0; surface < static_cast<int>(solver.geometry().surfaces.size()); ++surface) {
      for (const bool from_solid : {false, true}) {
        const ScalarPassage p = solver.scalar_passage(k, surface, from_solid);
        told.sums.insert(told.sums.end(), {p.rate, p.area});
      }
    }
    for (int solid = 0; solid < static_cast<int>(solver.plan().scalars[k].solids.size()); ++solid) {
      const ScalarSummary s = solver.scalar_summary(k, solid);
      told.sums.insert(told.sums.end(), {s.mean, s.least, s.most, s.content, s.source, s.volume});
    }
    for_each_position(solver.geometry().nodes.size, [&](const Int3& at) {
      if (const std::optional<double> value = solver.scalars()->value_in_solid(k, at)) told.in_solids.push_back(*value);
    });
  }
  return told;
}
void expect_same(const Told& a, const Told& b) {
  EXPECT_TRUE(a.numbers == b.numbers);
  EXPECT_TRUE(a.scalars == b.scalars);
  EXPECT_TRUE(a.velocity == b.velocity);
  EXPECT_EQ(a.sums, b.sums);
  EXPECT_TRUE(a.in_solids == b.in_solids);
}

/// The channel with a second scalar, both of which drive the flow.
Case two_scalars(ChannelCase channel) {
  channel.threads = 1;
  Case c = channel.made();
  c.physics.gravity = {0, -1e-4, 0};
  c.scalars[0].expansion = 0.5;
  c.scalars[0].reference = 2.5;
  Case::Scalar& age = c.scalars.emplace_back(c.scalars[0]);
  age.name = "age";
  age.initial = 0;
  age.reference = 0;
  age.initial_formula = "0.01*x";
  age.source = "age";
  age.diffusivity = 0.02;
  return c;
}

std::vector<Case> cases(int dimension, const std::string& lattice, const std::string& scheme,
                        const std::string& format) {
  std::vector<Case> all;
  for (const char* walls : {"interpolated", "half-way"})
    for (const bool adiabatic : {false, true}) {
      ChannelCase channel;
      channel.dimension = dimension;
      channel.lattice = lattice;
      channel.scheme = scheme;
      channel.format = format;
      channel.walls = walls;
      channel.diffusivity = adiabatic ? 0.1 : 0.04;
      if (adiabatic) channel.of_post = "adiabatic", channel.post = "true";
      all.push_back(two_scalars(channel));
    }
  Case mirrored = all.front();  // half of a channel, cut along its middle
  std::erase_if(mirrored.boundaries, [](const Case::Boundary& b) { return b.surface == "y_max"; });
  Case::Boundary& plane = mirrored.boundaries.emplace_back();
  plane.surface = "y_max";
  plane.type = "symmetry";
  all.push_back(mirrored);
  return all;
}

void compare(const Case& c, int parts) {
  constexpr int steps = 9;
  omp_set_num_threads(1);
  const auto whole = make_solver_of(c);
  whole->step(steps);
  const auto split = in_parts(c, parts);
  split->step(1);  // in pieces
  split->step(steps - 1);
  expect_same(ask(*whole), ask(*split));
}

/// What was saved from one number of parts goes on in any other.
void go_on_in_other_parts(const Case& c) {
  omp_set_num_threads(1);
  const auto whole = make_solver_of(c);
  whole->step(15);
  const auto before = in_parts(c, 3), after = in_parts(c, 4);
  before->step(8);
  after->step(2);
  load(*after, saved(*before));
  after->resume_at(8);
  after->step(7);
  expect_same(ask(*whole), ask(*after));
}

class ScalarsInParts : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Scalars, ScalarsInParts, ::testing::ValuesIn(scalar_lattice_names()),
                         [](const auto& info) { return info.param; });

TEST_P(ScalarsInParts, HaveTheBitsOfTheWhole) {
  const int dimension = GetParam()[1] - '0';
  for (const char* format : {"fp32", "fp64", "fp16s"})
    for (const Case& c : cases(dimension, GetParam(), "pull", format))
      for (const int parts : {2, 3, 5}) {
        SCOPED_TRACE(c.walls.method + " " + format + " in " + std::to_string(parts));
        compare(c, parts);
        if (HasFailure()) return;
      }
}

TEST(ScalarsInParts, HaveTheBitsOfTheWholeBesideEveryScheme) {
  int turn = 0;
  for (const int dimension : {2, 3})
    for (const core::Scheme& scheme : core::schemes) {
      if (!scheme.cpu || !is_splittable(scheme) || scheme.keeps_moments()) continue;
      if (!scheme_problem(scheme, dimension == 2 ? "D2Q9" : "D3Q19", "trt", "quasi-compressible").empty()) continue;
      const std::vector<Case> all = cases(dimension, "auto", scheme.name, turn % 2 == 0 ? "fp32" : "fp64");
      for (const int parts : {2, 4}) {
        SCOPED_TRACE(std::string(scheme.name) + " in " + std::to_string(parts));
        compare(all[static_cast<std::size_t>(turn++) % all.size()], parts);
      }
    }
}

TEST(ScalarsInParts, GoOnInAnyNumberOfParts) {
  for (const Case& c : cases(2, "auto", "aa", "fp32")) go_on_in_other_parts(c);
}

/// Channels with solids: a plate with a fin and a pad, of two scalars.
std::vector<Case> with_solids(int dimension, const std::string& scheme, const std::string& format) {
  std::vector<Case> all;
  for (const char* walls : {"interpolated", "half-way"})
    for (const bool changes : {false, true}) {
      ScalarChannel channel;
      channel.dimension = dimension;
      channel.format = format;
      channel.walls = walls;
      channel.changes = changes;
      channel.solids = true;
      Case& c = all.emplace_back(channel.on("cpu"));
      c.numerics.scheme = scheme;
      c.numerics.threads = 1;
    }
  Case mirrored = all.front();  // the plate lies on the plane
  std::erase_if(mirrored.boundaries, [](const Case::Boundary& b) { return b.surface == "y_min"; });
  Case::Boundary& plane = mirrored.boundaries.emplace_back();
  plane.surface = "y_min";
  plane.type = "symmetry";
  all.push_back(mirrored);
  return all;
}

/// Solids lie in several parts, and beside parts that are no neighbours.
TEST(SolidsInParts, HaveTheBitsOfTheWhole) {
  for (const int dimension : {2, 3})
    for (const char* format : {"fp32", "fp64"})
      for (const Case& c : with_solids(dimension, "pull", format))
        for (const int parts : {2, 3, 5}) {
          SCOPED_TRACE(c.walls.method + " " + format + " in " + std::to_string(parts));
          compare(c, parts);
          if (HasFailure()) return;
        }
}

TEST(SolidsInParts, HaveTheBitsOfTheWholeBesideEveryScheme) {
  std::size_t turn = 0;
  for (const core::Scheme& scheme : core::schemes) {
    if (!scheme.cpu || !is_splittable(scheme) || scheme.keeps_moments()) continue;
    if (!scheme_problem(scheme, "D2Q9", "bgk", "quasi-compressible").empty()) continue;
    SCOPED_TRACE(scheme.name);
    const std::vector<Case> all = with_solids(2, scheme.name, turn % 2 == 0 ? "fp64" : "fp32");
    compare(all[turn++ % all.size()], 4);
  }
}

TEST(SolidsInParts, GoOnInAnyNumberOfParts) {
  for (const Case& c : with_solids(2, "aa", "fp64")) go_on_in_other_parts(c);
}

/// What a surface prescribes is changed on all parts.
TEST(ScalarsInParts, TakeOtherValuesOfSurfaces) {
  ChannelCase channel;
  const Case c = two_scalars(channel);
  const auto whole = make_solver_of(c), split = in_parts(c, 3);
  const auto& names = whole->geometry().surfaces;
  const auto post = static_cast<int>(std::find(names.begin(), names.end(), "post") - names.begin());
  for (Solver* const each : {whole.get(), split.get()}) {
    each->step(3);
    each->apply(ScalarValue{0, post, 5});
    each->step(3);
  }
  expect_same(ask(*whole), ask(*split));
  EXPECT_CONTAINS(error_of(ExitCode::input, [&] { split->apply(ScalarValue{1, post, 5}); }), "prescribes nothing");
}

}  // namespace
}  // namespace fluvia::test
