// SPDX-License-Identifier: Apache-2.0
// Several steps in one pass over memory, on CPUs: every scheme that has them gives the bits of single steps.
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "fluvia/backend/backend.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/solver/plan/scheme.hpp"
#include "reference/combinations.hpp"
#include "reference/scenes.hpp"
#include "support/covering.hpp"
#include "support/temporary_folder.hpp"

namespace {

using fluvia::Int3;

std::vector<std::string> schemes_with_passes() {
  std::vector<std::string> names;
  for (const std::string& name : fluvia::scheme_names())
    if (fluvia::parse_scheme(name).most_steps_on_cpu > 1) names.push_back(name);
  return names;
}

/// Layers of several rows (in 2D of 64 nodes); with every condition, walls between the nodes, all ways around the box.
std::vector<scene::Scene> scenes_of(const std::string& lattice) {
  const bool flat = lattice[1] == '2';
  std::vector<scene::Scene> scenes = flat ? std::vector{scene::channel({197, 21, 1}),
                                                        scene::cavity({125, 11, 1}),
                                                        scene::porous({330, 9, 1}),
                                                        scene::slippery({211, 23, 1}),
                                                        scene::mirrors({197, 14, 1}),
                                                        scene::open_box({135, 3, 1}),
                                                        scene::closed_box({197, 4, 1}),
                                                        scene::quiet(scene::channel({130, 15, 1}), 0),
                                                        scene::quiet(scene::channel({150, 12, 1}), 40)}
                                          : scene::all_scenes(3);
  if (!flat)
    for (const scene::Scene& s : {scene::porous({67, 31, 12}), scene::mirrors({23, 17, 12}), scene::cavity({9, 35, 17}),
                                  scene::open_box({5, 23, 4}), scene::quiet(scene::channel({17, 7, 9}), 0),
                                  scene::quiet(scene::channel({23, 8, 7}), 6)})
      scenes.push_back(s);
  if (lattice != "D3Q13")  // which has no walls between the nodes
    for (const scene::Scene& s : scene::wall_scenes(flat ? 2 : 3)) scenes.push_back(s);
  for (const scene::Scene& s : scene::sheet_scenes(flat ? 2 : 3)) scenes.push_back(s);
  for (const scene::Scene& s : {scene::channel(flat ? Int3{197, 21, 1} : Int3{17, 9, 9}),
                                scene::open_box(flat ? Int3{135, 7, 1} : Int3{67, 8, 4})})
    scenes.push_back(scene::with_own_forces(s));
  return scenes;
}

class CpuPasses : public testing::TestWithParam<std::string> {
 protected:
  struct State {
    std::vector<std::byte> populations;
    std::vector<double> memory;
    friend bool operator==(const State&, const State&) = default;
  };
  /// After `steps` steps, one, and nineteen.
  static State run(const scene::Scene& s, const std::string& scheme, const scene::Encoding& e, int steps_per_pass,
                   int steps, int threads) {
    const std::string& lattice = GetParam();
    scene::Options o;
    o.physics.lattice = lattice;
    o.physics.collision = lattice == "D3Q13" ? "mrt" : "trt";
    o.scheme = scheme;
    o.format = e.format;
    o.rounding = e.rounding;
    o.threads = threads;
    o.steps_per_pass = steps_per_pass;
    const auto solver = scene::make_solver(s, o);
    EXPECT_EQ(solver->plan().steps_per_pass, steps_per_pass);
    for (const int part : {steps, 1, 19}) scene::advance(*solver, s, part);
    return {scene::save(*solver, std::stoi(lattice.substr(3)), scene::bytes_of(e.format)), scene::save_kept(*solver)};
  }
};

/// Of each lattice every pair of scene, format, scheme, number of steps and number of threads.
TEST_P(CpuPasses, HaveTheBitsOfSingleSteps) {
  const std::vector<scene::Scene> scenes = scenes_of(GetParam());
  std::vector<std::size_t> numbers(scenes.size());
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  const auto has_passes = [&](std::size_t number, const auto&, int, const std::string& scheme, int) {
    const bool single_rows = scenes[number].dimension == 2 && scenes[number].size[0] <= fluvia::nodes_per_tile;
    return !single_rows || !fluvia::parse_scheme(scheme).is_compact();  // which has no passes of single rows
  };
  for (const auto& [number, e, steps, scheme, threads] :
       fluvia::test::covering(has_passes, numbers, scene::encodings(), std::vector<int>{2, 3, 4, 7, 8},
                              schemes_with_passes(), std::vector<int>{1, 2, 3})) {
    const scene::Scene& s = scenes[number];
    SCOPED_TRACE(testing::Message() << s.name << ' ' << scheme << ' ' << e << ' ' << steps << " steps, " << threads
                                    << " threads");
    EXPECT_TRUE(run(s, scheme, e, steps, 2 * steps + 1, threads) == run(s, scheme, e, 1, 2 * steps + 1, 1));
  }
}

/// Series, ramps and profiles that change their shape: each step of a pass has its own values.
TEST_P(CpuPasses, TakeTheValuesOfEachStep) {
  const bool flat = GetParam()[1] == '2';
  const Int3 size = flat ? Int3{150, 12, 1} : Int3{23, 8, 7};
  const fluvia::test::TemporaryFolder folder;
  const bool shapes = GetParam() != "D3Q13";  // whose planes of nodes are too thin for them
  const scene::Scene channel =
      shapes ? scene::pulsating_channel(size, folder.path() / "flow.csv") : scene::changing(scene::channel(size));
  const scene::Scene scenes[] = {scene::changing(scene::cavity(flat ? Int3{125, 11, 1} : Int3{9, 35, 17})),
                                 scene::quiet(channel, flat ? 40 : 6), scene::turbulent_channel(size)};
  for (const auto& [scheme, format, number] : fluvia::test::covering(
           fluvia::test::all_allowed, schemes_with_passes(), fluvia::format_names(), std::vector<int>{0, 1, 2})) {
    const scene::Scene& s = scenes[number];
    const scene::Encoding e{format, "nearest"};
    SCOPED_TRACE(testing::Message() << s.name << ' ' << scheme << ' ' << e);
    EXPECT_TRUE(run(s, scheme, e, 3, 8, 2) == run(s, scheme, e, 1, 8, 1));
  }
}

INSTANTIATE_TEST_SUITE_P(All, CpuPasses, testing::ValuesIn(fluvia::lattice_names()),
                         [](const auto& instance) { return instance.param; });

}  // namespace
