// SPDX-License-Identifier: Apache-2.0
// Which steps complete boundaries by themselves, so that a moving wall takes no kernel of its own. Needs no GPU.
#include <gtest/gtest.h>

#include "fluvia/cuda/solver/prepared_case.hpp"
#include "fluvia/solver/plan/passes.hpp"
#include "reference/scenes.hpp"
#include "support/specification.hpp"

namespace {

namespace cuda = fluvia::cuda;

scene::Options of_scheme(const scene::Scene& s, const std::string& scheme) {
  scene::Options options;
  options.scheme = scheme;
  options.format = "fp32";
  options.physics.lattice = s.size[2] == 1 ? "D2Q9" : "D3Q19";
  options.device = "cuda";
  return options;
}

/// The kernels of a step in the order in which they are launched.
std::vector<cuda::KernelKind> kernels_of_step(const scene::Scene& s, const std::string& scheme) {
  const fluvia::Case c = scene::make_case(s, of_scheme(s, scheme));
  const fluvia::Geometry geometry = scene::make_geometry(s);
  const fluvia::Units units = scene::make_units(0.6);
  fluvia::Plan plan;
  plan.distributions = {fluvia::make_flow(c, units)};
  plan.format = &fluvia::facts_of_format("fp32");
  plan.scheme = &fluvia::parse_scheme(scheme);
  const cuda::PreparedCase prepared = cuda::prepare_case({c, units, geometry}, plan);
  cuda::Program program;
  append_step(*prepared.layout, {}, static_cast<unsigned>(prepared.boundaries.tiles.size()), program);
  std::vector<cuda::KernelKind> kinds;
  for (const cuda::Launch& launch : program) kinds.push_back(launch.kernel);
  return kinds;
}

using KernelKinds = std::vector<cuda::KernelKind>;
constexpr cuda::KernelKind kernel_before = cuda::KernelKind::complete_boundaries, kernel_step = cuda::KernelKind::step;

TEST(InStep, MovingWallsTakeNoKernelOfTheirOwn) {
  for (const fluvia::Int3& size : {fluvia::Int3{37, 21, 1}, fluvia::Int3{13, 7, 9}}) {
    for (const char* scheme : {"aos-push", "soa-push", "soa-aa"})
      EXPECT_EQ(kernels_of_step(scene::cavity(size), scheme), KernelKinds{kernel_step}) << scheme;
    for (const char* scheme : {"soa-pull", "aa", "fia-fused"})
      EXPECT_EQ(kernels_of_step(scene::cavity(size), scheme), (KernelKinds{kernel_before, kernel_step})) << scheme;
  }
}

TEST(InStep, OtherConditionsAreCompletedBefore) {
  EXPECT_EQ(kernels_of_step(scene::channel({37, 21, 1}), "soa-aa"), (KernelKinds{kernel_before, kernel_step}));
}

TEST(InStep, StepsHaveTheConditionsThatTheyComplete) {
  cuda::Specification s = fluvia::test::specification("D2Q9", "soa-aa", "fp32");
  const std::string plain = cuda::compile_request(s, {kernel_step, 0}).source;
  s.conditions = fluvia::conditions_like_walls;
  const std::string lid = cuda::compile_request(s, {kernel_step, 0}).source;
  EXPECT_NE(lid.find("completes_in_step = true"), std::string::npos);
  EXPECT_NE(lid, plain);
  for (const cuda::KernelChoice& choice : cuda::first_kernels(s)) EXPECT_NE(choice.kind, kernel_before);
  s.conditions |= fluvia::core::sponges;
  EXPECT_EQ(cuda::compile_request(s, {kernel_step, 0}).source, plain) << "what a kernel before the step does";
}

}  // namespace
