// SPDX-License-Identifier: Apache-2.0
// A domain in several parts in one process gives the bits of one solver: of every lattice each pair of scheme that runs
// in parts, format, boundary and number of parts, on domains whose sizes nothing divides.
#include <gtest/gtest.h>
#include <omp.h>

#include <map>
#include <numeric>
#include <ostream>
#include <tuple>
#include <utility>

#include "domain/told.hpp"
#include "fluvia/backend/backend.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/domain/domain_solver.hpp"
#include "fluvia/solver/plan/scheme.hpp"
#include "reference/combinations.hpp"
#include "reference/scenes.hpp"
#include "support/covering.hpp"
#include "support/errors.hpp"
#include "support/thread_communicator.hpp"

namespace {

using fluvia::Int3;
using scene::advance;
using scene::ask;
using scene::Combination;
using scene::Encoding;
using scene::expect_same;
using scene::Options;
using scene::Scene;
using scene::Told;

std::vector<std::string> splittable_schemes() {
  std::vector<std::string> names;
  for (const fluvia::core::Scheme& scheme : fluvia::core::schemes)
    if (scheme.cpu && fluvia::is_splittable(scheme)) names.emplace_back(scheme.name);
  return names;
}

/// Parts as ranks make them: each finds its share, and all but the first hold their part of the geometry only.
std::unique_ptr<fluvia::Solver> by_communicator(const fluvia::Case& c, const fluvia::Units& units,
                                                const fluvia::Geometry& geometry, int parts) {
  std::vector<std::unique_ptr<fluvia::BlockSolver>> solvers(static_cast<std::size_t>(parts));
  const auto errors = fluvia::test::ThreadCommunicator(parts).work([&](fluvia::Communicator& communicator) {
    omp_set_num_threads(1);
    solvers[static_cast<std::size_t>(communicator.number())] =
        fluvia::make_block_solver({c, units, geometry, communicator}, communicator.number(), communicator.count());
  });
  for (const auto& error : errors)
    if (error) std::rethrow_exception(error);
  return std::make_unique<fluvia::domain::DomainSolver>(
      std::make_unique<fluvia::domain::LocalGroup>(std::move(solvers)));
}

/// Two parts are made one by one, which have the whole geometry; more by a communicator.
std::unique_ptr<fluvia::Solver> in_parts(const Scene& s, const Options& o, int parts) {
  const fluvia::Case c = scene::make_case(s, o);
  const fluvia::Units units = scene::make_units(o.physics.tau);
  auto solver = parts == 2 ? fluvia::make_domain_solver({c, units, scene::make_geometry(s)}, parts)
                           : by_communicator(c, units, scene::make_geometry(s), parts);
  if (s.supply != 0) {
    const double all = solver->set_wall_mass_correction(1e9) / 1e-3;
    solver->set_wall_mass_correction(s.supply * all);
  }
  scene::initialise(*solver, s);
  return solver;
}

bool is_first_of_its_lattice(const Combination& c) {
  const bool has_bgk = fluvia::collision_problem(fluvia::core::Bgk::name, c.physics.lattice).empty();
  return c.physics.collision == (has_bgk ? fluvia::core::Bgk::name : fluvia::core::Mrt::name) &&
         c.physics.equilibrium == "quasi-compressible" && scene::viscosity_name(c.physics).empty();
}

std::vector<Combination> first_combinations() {
  std::vector<Combination> result;
  for (const Combination& c : scene::combinations())
    if (is_first_of_its_lattice(c)) result.push_back(c);
  return result;
}

std::vector<Scene> scenes(int dimension) {
  std::vector<Scene> result = scene::all_scenes(dimension);
  for (Scene& s : scene::wall_scenes(dimension)) result.push_back(std::move(s));
  for (Scene& s : scene::sheet_scenes(dimension)) result.push_back(std::move(s));
  result.push_back(scene::with_own_forces(scene::channel(dimension == 2 ? Int3{67, 21, 1} : Int3{13, 8, 9})));
  // Rows of several groups, of which the border cuts one.
  if (dimension == 3) result.push_back(scene::porous({139, 6, 7}));
  result.push_back(scene::changing(
      scene::quiet(scene::channel(dimension == 3 ? Int3{15, 6, 11} : Int3{71, 29, 1}), dimension == 3 ? 6 : 30)));
  return result;
}

/// Scenes with what has to be known of each before it is cut.
struct CutScene {
  Scene scene;
  int tiles = 0;
};

std::vector<CutScene> cut_scenes(int dimension) {
  std::vector<CutScene> result;
  for (Scene& s : scenes(dimension)) {
    const auto tiles = static_cast<int>(scene::make_geometry(s).nodes.tiles.size());
    result.push_back({std::move(s), tiles});
  }
  return result;
}

class Parts : public testing::TestWithParam<Combination> {};

TEST_P(Parts, GiveTheBitsOfTheWhole) {
  omp_set_num_threads(1);
  const Combination& c = GetParam();
  const auto fits = [](const CutScene& s, const Encoding&, const std::string&, int, int parts) {
    return parts <= s.tiles;
  };
  const std::vector<int> odd_and_even = {7, 12}, numbers = {1, 2, 3, 5};
  for (const auto& [cut, e, scheme, steps, parts] : fluvia::test::covering(
           fits, cut_scenes(c.dimension), scene::encodings(), splittable_schemes(), odd_and_even, numbers)) {
    const Scene& s = cut.scene;
    SCOPED_TRACE(testing::Message() << s.name << ' ' << scheme << ' ' << e << ", " << steps << " steps in " << parts);
    const Options options{c.physics, scheme, e.format, 1, "cpu", 0, 0, e.rounding};
    const auto whole = scene::make_solver(s, options);
    advance(*whole, s, steps);
    const auto split = in_parts(s, options, parts);
    advance(*split, s, 1);  // in pieces
    advance(*split, s, steps - 1);
    expect_same(ask(*whole, s, c.directions, e.format), ask(*split, s, c.directions, e.format));
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Parts, testing::ValuesIn(first_combinations()),
                         [](const auto& instance) { return instance.param.physics.lattice; });

/// Steps that one pass of a scheme may have here, in parts; 1 if the case does not allow passes.
int most_steps(const Scene& s, Options options, int parts) {
  options.steps_per_pass = fluvia::parse_scheme(options.scheme).most_steps_on_cpu;
  try {
    return fluvia::make_plan(
               {scene::make_case(s, options), scene::make_units(options.physics.tau), scene::make_geometry(s)}, "cpu",
               0, {parts, fluvia::BlockPlace::devices})
        .steps_per_pass;
  } catch (const fluvia::Error&) {
    return 1;
  }
}

class PartsInPasses : public testing::TestWithParam<Combination> {};

/// Halos as deep as passes, of more layers than some parts have; numbers of steps that these do not divide.
TEST_P(PartsInPasses, GiveTheBitsOfSingleSteps) {
  const Combination& c = GetParam();
  const std::vector<CutScene> cut = cut_scenes(c.dimension);
  const std::vector<std::string> schemes = splittable_schemes();
  std::vector<std::size_t> numbers(cut.size());
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  std::map<std::pair<std::size_t, std::string>, int> most;  // steps of a pass
  for (const std::size_t number : numbers)
    for (const std::string& scheme : schemes)
      most[{number, scheme}] = most_steps(cut[number].scene, {c.physics, scheme, "fp32", 1}, 2);
  const auto fits = [&](std::size_t number, const Encoding&, const std::string& scheme, int, int parts,
                        int steps_per_pass, int) {
    return parts <= cut[number].tiles && steps_per_pass <= most.at({number, scheme});
  };
  for (const auto& [number, e, scheme, steps, parts, steps_per_pass, threads] :
       fluvia::test::covering(fits, numbers, scene::encodings(), schemes, std::vector<int>{7, 8, 11},
                              std::vector<int>{2, 3, 5}, std::vector<int>{2, 3, 4, 7, 8}, std::vector<int>{1, 2, 3})) {
    const Scene& s = cut[number].scene;
    SCOPED_TRACE(testing::Message() << s.name << ' ' << scheme << ' ' << e << " in " << parts << ", " << steps_per_pass
                                    << " steps a pass, " << threads << " threads");
    Options options{c.physics, scheme, e.format, 1, "cpu", 0, 0, e.rounding, 1};
    omp_set_num_threads(1);
    const auto whole = scene::make_solver(s, options);
    advance(*whole, s, steps);
    options.steps_per_pass = steps_per_pass;
    options.threads = threads;
    const auto split = in_parts(s, options, parts);
    ASSERT_EQ(split->plan().steps_per_pass, steps_per_pass);
    advance(*split, s, 1);
    advance(*split, s, steps - 1);
    expect_same(ask(*whole, s, c.directions, e.format), ask(*split, s, c.directions, e.format));
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(All, PartsInPasses, testing::ValuesIn(first_combinations()),
                         [](const auto& instance) { return instance.param.physics.lattice; });

/// A fluid that moves from the start, whose first pass takes halos as they were set.
TEST(PartsInPassesFromTheStart, AreWhatTheWholeIs) {
  omp_set_num_threads(1);
  for (const int dimension : {2, 3})
    for (const char* scheme : {"aa", "pull", "compact-aa", "compact-pull"})
      for (const int steps : {2, 3}) {
        // Parts take single steps beside planes of symmetry.
        const Scene s = scene::without_mirrors(scene::porous(dimension == 3 ? Int3{9, 13, 30} : Int3{139, 61, 1}));
        reference::Physics physics;
        physics.lattice = dimension == 3 ? "D3Q19" : "D2Q9";
        const auto make = [&](int steps_per_pass, int parts) {
          fluvia::Case c = scene::make_case(s, {physics, scheme, "fp32", 1});
          c.numerics.steps_per_pass = steps_per_pass;
          c.physics.initial_velocity = {0.03, -0.02, dimension == 3 ? 0.01 : 0};
          const fluvia::Units units = scene::make_units(physics.tau);
          return parts == 1 ? fluvia::make_solver({c, units, scene::make_geometry(s)})
                            : by_communicator(c, units, scene::make_geometry(s), parts);
        };
        SCOPED_TRACE(testing::Message() << s.name << ' ' << scheme << ", " << steps << " steps a pass");
        const auto whole = make(1, 1), split = make(steps, 3);
        ASSERT_EQ(split->plan().steps_per_pass, steps);
        const int directions = dimension == 3 ? 19 : 9;
        for (const int count : {0, steps}) {
          whole->step(count);
          split->step(count);
          expect_same(ask(*whole, s, directions, "fp32"), ask(*split, s, directions, "fp32"));
          if (testing::Test::HasFatalFailure()) return;
        }
      }
}

/// Collisions and models know nothing of parts, but forces and viscosities go with them.
TEST(PartsOfOtherFluids, GiveTheBitsOfTheWhole) {
  omp_set_num_threads(1);  // threads that spin at barriers would only wait for each other
  std::size_t turn = 0;
  for (const Combination& c : scene::combinations()) {
    const std::vector<Scene> all = scenes(c.dimension);
    const Scene& s = all[turn % all.size()];
    const std::vector<std::string> schemes = splittable_schemes();
    const Options options{c.physics, schemes[turn % schemes.size()], "fp32", 1};
    ++turn;
    SCOPED_TRACE(testing::Message() << c << ' ' << c.physics.collision << ' ' << s.name << ' ' << options.scheme);
    const auto whole = scene::make_solver(s, options);
    const auto split = in_parts(s, options, 2);
    advance(*whole, s, 5);
    advance(*split, s, 5);
    expect_same(ask(*whole, s, c.directions, "fp32"), ask(*split, s, c.directions, "fp32"));
    if (HasFatalFailure()) return;
  }
}

/// What was saved from one number of parts, and of steps a pass, goes on in any other.
TEST(PartsRestart, IsExactFromAndToAnyNumber) {
  omp_set_num_threads(1);
  reference::Physics physics;
  physics.lattice = "D3Q19";
  for (const Scene& s : scenes(3))
    for (const std::string& scheme : splittable_schemes()) {
      Options options{physics, scheme, "fp32", 1};
      SCOPED_TRACE(testing::Message() << s.name << ' ' << scheme);
      const auto whole = scene::make_solver(s, options);
      advance(*whole, s, 9);
      const auto before = in_parts(s, options, 3);
      options.steps_per_pass = std::min(3, most_steps(s, options, 2));
      const auto after = in_parts(s, options, 2);
      advance(*before, s, 4);
      advance(*after, s, 1);
      scene::load(*after, 19, scene::save(*before, 19, 4));
      scene::load_kept(*after, scene::save_kept(*before));
      after->resume_at(before->time_step());
      advance(*after, s, 5);
      expect_same(ask(*whole, s, 19, "fp32"), ask(*after, s, 19, "fp32"));
      if (HasFatalFailure()) return;
    }
}

TEST(Parts, RefuseSchemesOnSites) {
  reference::Physics physics;
  physics.lattice = "D2Q9";
  const Scene s = scene::channel({37, 21, 1});
  for (const fluvia::core::Scheme& scheme : fluvia::core::schemes) {
    if (!scheme.cpu || !scheme.uses_index_map() || scheme.half) continue;
    SCOPED_TRACE(scheme.name);
    try {
      in_parts(s, {physics, scheme.name, "fp32", 1}, 2);
      ADD_FAILURE() << "it ran";
    } catch (const fluvia::Error& e) {
      EXPECT_EQ(e.code(), fluvia::ExitCode::input);
      EXPECT_NE(std::string(e.what()).find("does not run on several ranks or GPUs; use pull, fused, fused-sliding, aa"),
                std::string::npos)
          << e.what();
    }
  }
}

TEST(Parts, RefuseMoreThanThereAreTiles) {
  reference::Physics physics;
  physics.lattice = "D2Q9";
  EXPECT_THROW(in_parts(scene::channel({37, 21, 1}), {physics, "aa", "fp32", 1}, 1000), fluvia::Error);
}

}  // namespace
