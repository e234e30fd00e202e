// SPDX-License-Identifier: Apache-2.0
// Stochastic rounding on a GPU: the random bits of the CPU, and the same ones however steps are queued.
#include "cuda/support.hpp"
#include "reference/combinations.hpp"
#include "reference/scenes.hpp"

namespace {

using scene::Scene;

class CudaRounding : public testing::TestWithParam<std::string> {};

scene::Options options_of(const std::string& lattice, const std::string& scheme, const std::string& format,
                          const std::string& device) {
  scene::Options o;
  o.physics.lattice = lattice;
  o.physics.collision = "trt";
  o.scheme = scheme;
  o.format = format;
  o.device = device;
  o.rounding = "stochastic";
  return o;
}

/// 40 steps: two recorded graphs and some more; one by one; and from a checkpoint at an odd step.
TEST_P(CudaRounding, IsTheSameRecordedOneByOneAndResumed) {
  SKIP_WITHOUT_GPU();
  for (const Scene& s : {scene::porous({67, 45, 1}), scene::channel({38, 17, 18})})
    for (const std::string format : {"fp16s", "fp16c"}) {
      SCOPED_TRACE(testing::Message() << s.name << ' ' << format);
      const int directions = s.dimension == 2 ? 9 : 19;
      const scene::Options o = options_of(s.dimension == 2 ? "D2Q9" : "D3Q19", GetParam(), format, "cuda");
      const auto recorded = scene::make_solver(s, o), single = scene::make_solver(s, o);
      recorded->step(40);
      const std::vector<std::byte> expected = scene::save(*recorded, directions, 2);
      for (int k = 0; k < 13; ++k) single->step(1);
      const std::vector<std::byte> populations = scene::save(*single, directions, 2);
      const std::vector<double> memory = scene::save_kept(*single);
      for (int k = 13; k < 40; ++k) single->step(1);
      EXPECT_TRUE(scene::save(*single, directions, 2) == expected) << "one by one";
      const auto resumed = scene::make_solver(s, o);
      resumed->step(2);
      scene::load(*resumed, directions, populations);
      scene::load_kept(*resumed, memory);
      resumed->resume_at(13);
      resumed->step(27);
      EXPECT_TRUE(scene::save(*resumed, directions, 2) == expected) << "resumed";
    }
}

/// Sums in another order tip a rounding now and then; other random bits would tip half of them. Closed: conditions are
/// rounded once more on a GPU.
TEST_P(CudaRounding, TakesTheBitsOfTheCpu) {
  SKIP_WITHOUT_GPU();
  for (Scene s : {scene::porous({67, 45, 1}), scene::channel({38, 17, 18})}) {
    s.conditions.clear();
    for (const std::string format : {"fp16s", "fp16c"}) {
      SCOPED_TRACE(testing::Message() << s.name << ' ' << format);
      const std::string lattice = s.dimension == 2 ? "D2Q9" : "D3Q19";
      const int directions = s.dimension == 2 ? 9 : 19;
      const auto cpu = scene::make_solver(s, options_of(lattice, "pull", format, "cpu"));
      const auto gpu = scene::make_solver(s, options_of(lattice, GetParam(), format, "cuda"));
      const auto stored = [&](const fluvia::Solver& solver) {
        const std::vector<std::byte> bytes = scene::save(solver, directions, 2);
        std::vector<std::uint16_t> values(bytes.size() / 2);
        std::memcpy(values.data(), bytes.data(), bytes.size());
        return values;
      };
      cpu->step(5);
      gpu->step(5);
      const std::vector<std::uint16_t> expected = stored(*cpu), found = stored(*gpu);
      std::size_t other = 0;
      for (std::size_t k = 0; k < found.size(); ++k) other += found[k] != expected[k];
      EXPECT_LE(other, found.size() / 50);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Schemes, CudaRounding,
                         testing::Values("pull", "aa", "esoteric-pull", "compact-pull", "compact-aa", "compact-sliding",
                                         "soa-pull", "t2c", "tgb", "ghost", "cm", "fia"),
                         [](const auto& instance) { return fluvia::test::test_name(instance.param); });

}  // namespace
