// SPDX-License-Identifier: Apache-2.0
// A domain in parts on GPUs has the bits of one GPU. On a machine with one, several parts share it.
#include <algorithm>
#include <tuple>

#include "cuda/support.hpp"
#include "domain/told.hpp"
#include "fluvia/backend/backend.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/cuda/runtime/device.hpp"
#include "fluvia/cuda/solver/out_of_core/prepared_blocks.hpp"
#include "fluvia/solver/plan/scheme.hpp"
#include "reference/combinations.hpp"
#include "support/covering.hpp"
#include "support/specification.hpp"

namespace {

using fluvia::test::test_name;
using scene::Combination;
using scene::Scene;

std::vector<std::string> splittable_gpu_schemes() {
  std::vector<std::string> names;
  for (const fluvia::core::Scheme& scheme : fluvia::core::schemes)
    if (scheme.cuda && fluvia::is_splittable(scheme)) names.emplace_back(scheme.name);
  return names;
}

/// With all that crosses: forces, openings, what conditions remember, a periodic end, walls between the nodes.
std::vector<Scene> gpu_scenes(int dimension) {
  if (dimension == 2)
    return {scene::channel({137, 61, 1}), scene::slippery({31, 73, 1}), scene::open_box({135, 40, 1}),
            scene::with_own_forces(scene::between_nodes(scene::channel({37, 41, 1}), false)),
            scene::changing(scene::quiet(scene::channel({133, 57, 1}), 30))};
  return {scene::channel({37, 13, 25}), scene::slippery({11, 13, 21}), scene::porous({67, 9, 24}),
          scene::with_own_forces(scene::between_nodes(scene::porous({67, 5, 18}), true)),
          scene::changing(scene::quiet(scene::channel({35, 11, 27}), 9))};
}

Combination plain_combination(const std::string& lattice) {
  for (const Combination& c : scene::combinations())
    if (c.physics.lattice == lattice && (c.physics.collision == "bgk" || lattice == "D3Q13") &&
        c.physics.equilibrium == "quasi-compressible" && scene::viscosity_name(c.physics).empty())
      return c;
  throw std::logic_error("no combination has the lattice " + lattice);
}

/// Ways to share the GPUs that there are.
std::vector<std::string> devices() {
  std::vector<std::string> result = {"cuda:0,0", "cuda:0,0,0"};
  if (fluvia::cuda::list_devices().size() > 1) result.emplace_back("cuda:all");
  return result;
}

/// A scheme and an encoding, both as positions in lists.
using Pair = std::tuple<std::size_t, std::size_t>;

/// A plane and a spatial lattice in turns, so that each occurs with every scheme and with every encoding; both where
/// tests take whole products.
std::vector<Combination> drawn_combinations(const Pair& pair) {
  const std::vector<std::string> lattices = {"D2Q9", "D3Q19"};
  if (fluvia::test::takes_whole_products()) return {plain_combination(lattices[0]), plain_combination(lattices[1])};
  const std::size_t turn = std::get<0>(pair) + std::get<1>(pair) + fluvia::test::draw_seed();
  return {plain_combination(lattices[turn % lattices.size()])};
}

auto pairs_of(const std::vector<std::string>& schemes) {
  return testing::Combine(testing::Range(std::size_t{0}, schemes.size()),
                          testing::Range(std::size_t{0}, scene::encodings().size()));
}

std::string name_of(const std::vector<std::string>& schemes, const Pair& pair) {
  const scene::Encoding e = scene::encodings()[std::get<1>(pair)];
  return test_name(schemes[std::get<0>(pair)] + '_' + e.format + '_' + e.rounding);
}

class CudaParts : public testing::TestWithParam<Pair> {};

void give_the_bits_of_one_gpu(const std::string& scheme, const Combination& c, const scene::Encoding& encoding) {
  for (const Scene& s : gpu_scenes(c.dimension)) {
    scene::Options options{c.physics, scheme, encoding.format, 1, "", 0, 0, encoding.rounding};
    for (const std::string& device : devices()) {
      SCOPED_TRACE(testing::Message() << s.name << ' ' << device);
      options.device = device;
      options.steps_per_pass = 0;
      const auto split = scene::make_solver(s, options);
      options.device = "cuda";
      if (fluvia::parse_scheme(scheme).is_fused())  // it rounds 16 bits once a pass, so passes must be the same
        options.steps_per_pass = split->plan().steps_per_pass;
      const auto whole = scene::make_solver(s, options);
      for (const int steps : {1, 6}) {
        scene::advance(*whole, s, steps);
        scene::advance(*split, s, steps);
      }
      scene::expect_same(scene::ask(*whole, s, c.directions, encoding.format),
                         scene::ask(*split, s, c.directions, encoding.format));
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST_P(CudaParts, GiveTheBitsOfOneGpu) {
  SKIP_WITHOUT_GPU();
  const std::string scheme = splittable_gpu_schemes()[std::get<0>(GetParam())];
  const scene::Encoding encoding = scene::encodings()[std::get<1>(GetParam())];
  const fluvia::Scheme& facts = fluvia::parse_scheme(scheme);
  if (facts.keeps_moments() && encoding.rounding == std::string("nearest"))
    GTEST_SKIP() << "moments are rounded at random";
  for (Combination c : drawn_combinations(GetParam())) {
    c.physics.collision = fluvia::test::collision_for(facts, c.physics.lattice, c.physics.collision);
    give_the_bits_of_one_gpu(scheme, c, encoding);
  }
}

INSTANTIATE_TEST_SUITE_P(All, CudaParts, pairs_of(splittable_gpu_schemes()),
                         [](const auto& instance) { return name_of(splittable_gpu_schemes(), instance.param); });

/// Hundreds of steps queued at once, in which messages of a step could overtake those of the one before.
TEST(CudaManyParts, KeepTheOrderOfManySteps) {
  SKIP_WITHOUT_GPU();
  const Combination c = plain_combination("D3Q19");
  const Scene s = scene::channel({97, 61, 53});
  for (const char* scheme : {"pull", "compact-aa"}) {
    const auto make = [&](const std::string& device) {
      return scene::make_solver(s, {c.physics, scheme, "fp32", 1, device});
    };
    const auto whole = make("cuda"), split = make("cuda:0,0,0,0");
    whole->step(400);
    split->step(400);
    scene::expect_same(scene::ask(*whole, s, c.directions, "fp32"), scene::ask(*split, s, c.directions, "fp32"));
  }
}

std::vector<std::string> streamed_schemes() {
  std::vector<std::string> names;
  for (const fluvia::core::Scheme& scheme : fluvia::core::schemes)
    if (scheme.cuda && fluvia::exchanges_populations(scheme)) names.emplace_back(scheme.name);
  return names;
}

/// Domains that exceed a limit, in blocks that are streamed through one GPU.
class CudaStreaming : public testing::TestWithParam<Pair> {};

/// Limits a scene to what it takes less a share of its populations, the largest with which its blocks fit, since what
/// stays resident of many blocks may take more than that share; says how many blocks are streamed then, 1 if none.
int limit_to_less(double most, const Scene& s, scene::Options& options) {
  const fluvia::Units units = scene::make_units(options.physics.tau);
  const auto plan = [&] { return fluvia::plan_case({scene::make_case(s, options), units, scene::make_geometry(s)}); };
  const fluvia::Plan whole = plan();
  for (double share = most; share > 0.01; share *= 0.8) {
    options.memory_limit =
        (static_cast<double>(whole.total_bytes()) - share * static_cast<double>(whole.population_bytes)) / 1048576;
    const fluvia::Plan streamed = plan();
    if (streamed.refusal.empty() && streamed.domain.blocks > 1) return streamed.domain.blocks;
  }
  return 1;
}

/// With passes, so long that what borders take leaves room for less than the whole, and without empty layers.
std::vector<Scene> scenes_to_stream(int dimension, const std::string& scheme) {
  const bool passes = fluvia::parse_scheme(scheme).is_fused();
  const auto along = [&](int nodes) { return passes ? 3 * nodes : nodes; };
  std::vector<Scene> scenes;
  if (dimension == 2) {
    scenes = {scene::slippery({131, along(403), 1}), scene::open_box({135, along(320), 1})};
    if (!passes) scenes.push_back(scene::channel({137, 401, 1}));
  } else {
    scenes = {scene::channel({37, 13, along(201)}), scene::between_nodes(scene::porous({67, 5, along(136)}), true)};
    if (!passes) scenes.push_back(scene::slippery({35, 13, 241}));
  }
  for (Scene& s : scenes) s = scene::without_mirrors(s);  // beside which no blocks are streamed
  return scenes;
}

void give_the_bits_of_one_part(const std::string& scheme, const Combination& c, const scene::Encoding& encoding) {
  for (const Scene& s : scenes_to_stream(c.dimension, scheme)) {
    SCOPED_TRACE(s.name);
    scene::Options options{c.physics, scheme, encoding.format, 1, "cuda", 0, 0, encoding.rounding};
    const auto whole = scene::make_solver(s, options);
    ASSERT_GT(limit_to_less(0.2, s, options), 1);
    const auto split = scene::make_solver(s, options);
    ASSERT_GT(split->plan().domain.blocks, 1);
    for (const int steps : {1, 6, 50}) {
      whole->step(steps);
      split->step(steps);
      scene::expect_same(scene::ask(*whole, s, c.directions, encoding.format),
                         scene::ask(*split, s, c.directions, encoding.format));
      if (testing::Test::HasFatalFailure()) return;
    }
    const std::vector<std::byte> kept = scene::save(*whole, c.directions, scene::bytes_of(encoding.format));
    const std::vector<double> memory = scene::save_kept(*whole);
    whole->step(5);
    split->step(9);
    scene::load(*split, c.directions, kept);
    scene::load_kept(*split, memory);
    split->resume_at(57);
    split->step(5);
    scene::expect_same(scene::ask(*whole, s, c.directions, encoding.format),
                       scene::ask(*split, s, c.directions, encoding.format));
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST_P(CudaStreaming, GiveTheBitsOfOnePart) {
  SKIP_WITHOUT_GPU();
  for (const Combination& c : drawn_combinations(GetParam()))
    give_the_bits_of_one_part(streamed_schemes()[std::get<0>(GetParam())], c,
                              scene::encodings()[std::get<1>(GetParam())]);
}

INSTANTIATE_TEST_SUITE_P(All, CudaStreaming, pairs_of(streamed_schemes()),
                         [](const auto& instance) { return name_of(streamed_schemes(), instance.param); });

/// Parts of some MiB, whose transfers and steps really run side by side, for hundreds of steps.
TEST(CudaLongStreaming, KeepTheOrderOfManySteps) {
  SKIP_WITHOUT_GPU();
  const Combination c = plain_combination("D3Q19");
  const Scene s = scene::channel({160, 96, 320});
  for (const char* scheme : {"pull", "aa", "esoteric-pull", "compact-aa", "compact-sliding"}) {
    SCOPED_TRACE(scheme);
    scene::Options options{c.physics, scheme, "fp32", 1, "cuda"};
    const auto whole = scene::make_solver(s, options);
    ASSERT_GT(limit_to_less(0.45, s, options), 3);
    const auto split = scene::make_solver(s, options);
    whole->step(300);
    split->step(300);
    EXPECT_TRUE(scene::save(*whole, c.directions, 4) == scene::save(*split, c.directions, 4));
  }
}

TEST(CudaManyParts, AreRefusedOnGpusThatAreNotThere) {
  SKIP_WITHOUT_GPU();
  const Scene s = scene::channel({37, 21, 1});
  try {
    scene::make_solver(s, {plain_combination("D2Q9").physics, "pull", "fp32", 1, "cuda:0,99"});
    ADD_FAILURE() << "it ran";
  } catch (const fluvia::Error& e) {
    EXPECT_EQ(e.code(), fluvia::ExitCode::resource);
    EXPECT_CONTAINS(std::string(e.what()), "there is no GPU 99");
  }
}

}  // namespace
