// SPDX-License-Identifier: Apache-2.0
// A run that is saved, loaded into another scheme on another number of threads, and continued, is bit-identical to one
// that was never interrupted.
#include <gtest/gtest.h>
#include <omp.h>

#include <map>
#include <numeric>

#include "fluvia/solver/plan/scheme.hpp"
#include "reference/combinations.hpp"
#include "reference/scenes.hpp"
#include "support/covering.hpp"

namespace {

using scene::Options;
using scene::Scene;

struct Setting {
  Scene scene;
  reference::Physics physics;
  int directions;
};

std::vector<Setting> settings() {
  reference::Physics flat, deep, large_eddy;
  flat.lattice = "D2Q9";
  deep.lattice = "D3Q27";
  large_eddy.lattice = "D3Q19";
  flat.collision = large_eddy.collision = "trt";
  large_eddy.smagorinsky = 0.2;
  Scene channel = scene::with_own_forces(scene::channel({37, 21, 1}));
  channel.name = "channel";  // names of tests have no spaces
  return {{channel, flat, 9}, {scene::porous({67, 5, 6}), deep, 27}, {scene::slippery({5, 7, 6}), large_eddy, 19}};
}

constexpr int total_steps = 9;

std::vector<std::byte> uninterrupted(const Setting& s, const scene::Encoding& e) {
  const auto solver = scene::make_solver(s.scene, {s.physics, "pull", e.format, 1, "cpu", 0, 0, e.rounding});
  solver->step(total_steps);
  return scene::save(*solver, s.directions, scene::bytes_of(e.format));
}

/// `used_before`: steps that the second solver has done on its own, so that both parities are loaded into.
void expect_exact(const Setting& s, const Options& first, const Options& second, int split, int used_before,
                  const std::vector<std::byte>& expected) {
  const auto before = scene::make_solver(s.scene, first);
  before->step(split);
  const auto populations = scene::save(*before, s.directions, scene::bytes_of(first.format));
  const auto after = scene::make_solver(s.scene, second);
  after->step(used_before);
  scene::load(*after, s.directions, populations);
  scene::load_kept(*after, scene::save_kept(*before));
  after->resume_at(before->time_step());
  ASSERT_EQ(after->time_step(), split);
  ASSERT_TRUE(scene::save(*after, s.directions, scene::bytes_of(first.format)) == populations) << "what was loaded";
  after->step(total_steps - split);
  ASSERT_EQ(after->time_step(), total_steps);
  ASSERT_TRUE(scene::save(*after, s.directions, scene::bytes_of(first.format)) == expected);
}

class Restart : public testing::TestWithParam<int> {};

/// Populations are saved in one order, so each scheme needs to meet only some others: itself, the first and the next.
/// Of these each pair with formats, the step of the change, what the second had computed before, and threads.
TEST_P(Restart, IsExactFromAndToEveryScheme) {
  omp_set_num_threads(1);
  const Setting s = settings()[static_cast<std::size_t>(GetParam())];
  const std::vector<scene::Variant> all = scene::variants(s.scene.dimension);
  std::vector<std::size_t> numbers(all.size());
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  enum class To { itself, next, first };
  std::map<std::string, std::vector<std::byte>> expected;  // by encoding
  for (const auto& [k, e, which, split, used_before, threads] : fluvia::test::covering(
           fluvia::test::all_allowed, numbers, scene::encodings(), std::vector<To>{To::itself, To::next, To::first},
           std::vector<int>{1, 4}, std::vector<int>{0, 1, 2}, std::vector<int>{1, 2})) {
    const scene::Variant& from = all[k];
    const scene::Variant& to = which == To::itself ? from : which == To::next ? all[(k + 1) % all.size()] : all[0];
    SCOPED_TRACE(testing::Message() << s.scene.name << ", " << e << ": " << from << " to " << to << " after " << split);
    std::vector<std::byte>& whole = expected[e.format + e.rounding];
    if (whole.empty()) whole = uninterrupted(s, e);
    expect_exact(s, {s.physics, from.scheme.name, e.format, 1, "cpu", from.tile, 0, e.rounding},
                 {s.physics, to.scheme.name, e.format, threads, "cpu", to.tile, 0, e.rounding}, split, used_before,
                 whole);
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Restart, testing::Values(0, 1, 2), [](const auto& instance) {
  return settings()[static_cast<std::size_t>(instance.param)].scene.name;
});

/// initialise() starts anew, whatever was computed before.
TEST(Restarts, InitialiseForgetsThePast) {
  const Setting s = settings()[0];
  for (const std::string& scheme : fluvia::scheme_names()) {
    SCOPED_TRACE(scheme);
    const auto state = [&](const fluvia::Int3& x, double& density, fluvia::Real3& velocity) {
      density = s.scene.initial(x).density;
      velocity = s.scene.initial(x).velocity;
    };
    const auto solver = scene::make_solver(s.scene, {s.physics, scheme, "fp32", 1});
    solver->step(5);
    solver->initialise(state);
    EXPECT_EQ(solver->time_step(), 0);
    solver->step(total_steps);
    EXPECT_TRUE(scene::save(*solver, s.directions, 4) == uninterrupted(s, {"fp32"}));
  }
}

}  // namespace
