// SPDX-License-Identifier: Apache-2.0
// When the kernels of a case are compiled, on the fake driver.
#include "fluvia/cuda/program/case_kernels.hpp"

#include <gtest/gtest.h>

#include <array>
#include <thread>
#include <vector>

#include "cuda/support.hpp"
#include "fluvia/solver/plan/passes.hpp"
#include "support/program.hpp"
#include "support/specification.hpp"

namespace fluvia::cuda {
namespace {

Specification specification(const char* scheme) {
  Specification s = test::specification("D2Q9", scheme, "fp32");
  s.conditions = conditions_like_walls;  // fewer take the compiler less long
  return s;
}

std::ptrdiff_t files_in(const std::filesystem::path& folder) {
  return std::distance(std::filesystem::directory_iterator(folder), {});
}

TEST(CaseKernels, CompileWhatEveryRunNeedsFirst) {
  SKIP_WITHOUT_NVRTC();
  const test::Folder folder;
  KernelCache cache(folder / "kernels");
  const Specification s = specification("aa");
  // Steps and boundaries of both parities; equilibrium, sums, moments and populations of even steps.
  const auto first = static_cast<std::ptrdiff_t>(first_kernels(s).size());
  EXPECT_EQ(first, 8);
  const CaseKernels kernels(Device(), cache, s);
  EXPECT_EQ(files_in(folder / "kernels"), first);
  (void)kernels.get(KernelKind::moments, 4);
  EXPECT_EQ(files_in(folder / "kernels"), first);
  (void)kernels.get(KernelKind::moments, 5);
  EXPECT_EQ(files_in(folder / "kernels"), first + 1);
  EXPECT_EQ(cache.hits(), 0);
  const CaseKernels again(Device(), cache, s);
  EXPECT_EQ(cache.hits(), first);
}

TEST(CaseKernels, AreCompiledOnceForAllThreads) {
  SKIP_WITHOUT_NVRTC();
  const test::Folder folder;
  KernelCache cache(folder / "kernels");
  const CaseKernels kernels(Device(), cache, specification("soa-pull"));
  const int before = cache.misses();
  std::array<const Kernel*, 3> seen{};
  {
    std::vector<std::jthread> threads;
    for (const Kernel*& kernel : seen)
      threads.emplace_back([&] { kernel = &kernels.get(KernelKind::load_direction, 1); });
  }
  EXPECT_EQ(cache.misses(), before + 1);
  EXPECT_EQ(cache.hits(), 0);
  for (const Kernel* kernel : seen) EXPECT_EQ(kernel, &kernels.get(KernelKind::load_direction, 0));
}

TEST(CaseKernels, SayWhatASchemeDoesNotHave) {
  SKIP_WITHOUT_NVRTC();
  KernelCache nothing_kept{std::filesystem::path()};
  const CaseKernels kernels(Device(), nothing_kept, specification("pull"));
  EXPECT_CONTAINS(test::error_of(ExitCode::internal, [&] { (void)kernels.get(KernelKind::ghost_cells, 0); }),
                  "D2Q9, bgk, quasi-compressible, pull, fp32");
}

TEST(CaseKernels, ErrorsOfOneCompilationEndAll) {
  SKIP_WITHOUT_NVRTC();
  KernelCache nothing_kept{std::filesystem::path()};
  std::vector<CompileRequest> requests(3);
  for (CompileRequest& request : requests) request = {"fine", "", "__global__ void fine() {}", {"fine"}, {}};
  requests[1].source = "__global__ void wrong( {}";
  requests[1].name = "wrong";
  EXPECT_CONTAINS(test::error_of(ExitCode::internal, [&] { (void)compile_side_by_side(nothing_kept, requests, 90); }),
                  "kernel 'wrong' does not compile");
}

}  // namespace
}  // namespace fluvia::cuda
