// SPDX-License-Identifier: Apache-2.0
// Run-time compilation, which needs NVRTC but no GPU.
#include "fluvia/cuda/runtime/compiler/nvrtc.hpp"

#include <gtest/gtest.h>

#include <string>

#include "cuda/support.hpp"
#include "fluvia/cuda/runtime/compiler/kernel_sources.hpp"
#include "fluvia/cuda/runtime/compiler/nvrtc_library.hpp"
#include "fluvia/cuda/runtime/transposes.hpp"

namespace fluvia::cuda {
namespace {

/// A kernel that keeps far more values than it may have registers, and a stack and shared memory beside.
CompileRequest greedy_request() {
  CompileRequest request;
  request.name = "greedy";
  request.specialisation = "64 values, 1024 threads";
  request.source = R"(
template <class T>
__global__ void __launch_bounds__(1024, 2) spill(T* data) {
  __shared__ T shared[50];
  T values[64];
  for (int i = 0; i < 64; ++i) values[i] = data[i * threadIdx.x];
  shared[threadIdx.x % 50] = values[0];
  __syncthreads();
  T sum = shared[(threadIdx.x + 7) % 50];
  for (int i = 0; i < 64; ++i)
    for (int j = 0; j < 64; ++j) sum += values[i] * values[j];
  for (int i = 0; i < 64; ++i) data[i * threadIdx.x] = values[i] * sum;
}
__global__ void modest(float* data) { data[threadIdx.x] *= 2; }
)";
  request.kernels = {"spill<double>", "modest"};
  return request;
}

TEST(Nvrtc, CompilesEveryKernelHeaderAlone) {
  SKIP_WITHOUT_NVRTC();
  ASSERT_GT(kernel_headers.size(), 20U);
  const std::vector<int> targets = test::known_targets();  // they take turns
  std::size_t turn = 0;
  for (const EmbeddedFile& header : kernel_headers) {
    const int target = targets[turn++ % targets.size()];
    CompileRequest request;
    request.name = header.name;
    const std::string include = "#include \"" + std::string(header.name) + "\"\n";
    request.source = include + include;
    try {
      const CompiledKernels compiled = compile(request, target);
      EXPECT_EQ(compiled.log, "") << header.name << " for sm_" << target;
    } catch (const Error& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

TEST(Nvrtc, GivesMachineCodeAndNames) {
  SKIP_WITHOUT_NVRTC();
  for (const int target : test::known_targets()) {
    const CompiledKernels compiled = compile(test::copy_request(), target);
    ASSERT_GT(compiled.cubin.size(), 100U);
    EXPECT_EQ(std::string(compiled.cubin.data() + 1, 3), "ELF");
    ASSERT_EQ(compiled.kernels.count("fluvia::cuda::kernels::copy"), 1U);
    const CompiledKernel& kernel = compiled.kernels.at("fluvia::cuda::kernels::copy");
    EXPECT_TRUE(kernel.lowered_name.starts_with("_ZN6fluvia4cuda7kernels4copy")) << kernel.lowered_name;
    ASSERT_TRUE(kernel.resources);
    EXPECT_GT(kernel.resources->registers, 3);
    EXPECT_LT(kernel.resources->registers, 64);
    EXPECT_EQ(kernel.resources->stack_bytes + kernel.resources->spill_store_bytes + kernel.resources->shared_bytes, 0U);
  }
}

TEST(Nvrtc, CompilesTransposesOfEveryFormat) {
  SKIP_WITHOUT_NVRTC();
  for (const int bytes : {2, 4, 8}) {
    const CompileRequest request = transpose_request({19, bytes, 1000});
    EXPECT_EQ(compile(request, test::known_targets().front()).kernels.size(), request.kernels.size()) << bytes;
  }
}

TEST(Nvrtc, ReportsResourcesKernelByKernel) {
  SKIP_WITHOUT_NVRTC();
  for (const int target : test::known_targets()) {
    const CompiledKernels compiled = compile(greedy_request(), target);
    const auto& greedy = compiled.kernels.at("spill<double>").resources;
    ASSERT_TRUE(greedy);
    EXPECT_EQ(greedy->registers, 32);  // 64 Ki registers for 2048 threads
    EXPECT_GT(greedy->spill_store_bytes, 64U);
    EXPECT_GT(greedy->spill_load_bytes, 64U);
    EXPECT_GE(greedy->stack_bytes, greedy->spill_store_bytes / 8);
    EXPECT_EQ(greedy->shared_bytes, 400U);
    const auto& modest = compiled.kernels.at("modest").resources;
    ASSERT_TRUE(modest);
    EXPECT_LT(modest->registers, 32);
    EXPECT_EQ(modest->spill_store_bytes + modest->spill_load_bytes + modest->stack_bytes + modest->shared_bytes, 0U);
  }
}

TEST(Nvrtc, HandsOptionsOnAndAddsNoneForFastMath) {
  SKIP_WITHOUT_NVRTC();
  CompileRequest request;
  request.name = "options";
  request.source = R"(
#if __USE_FAST_MATH__
#error fast math
#endif
static_assert(__cplusplus >= 202002L);
static_assert(WIDTH == 19);
__global__ void kernel(float* data) { data[0] = WIDTH; }
)";
  request.kernels = {"kernel"};
  request.options = {"-DWIDTH=19"};
  EXPECT_NO_THROW(compile(request, 90));
  request.options = {"-DWIDTH=19", "--use_fast_math"};
  EXPECT_THROW(compile(request, 90), Error);
  request.options = {"-DWIDTH=27"};
  EXPECT_THROW(compile(request, 90), Error);
  const CompiledKernels plain = (request.options = {"-DWIDTH=19"}, compile(request, 90));
  request.line_info = true;
  EXPECT_GT(compile(request, 90).cubin.size(), plain.cubin.size());
}

TEST(Nvrtc, NamesKernelSpecialisationAndCompilerMessage) {
  SKIP_WITHOUT_NVRTC();
  CompileRequest request = test::copy_request();
  request.source += "static_assert(sizeof(int) == 8, \"ints are short\");\n";
  const std::string message = test::error_of(ExitCode::internal, [&] { compile(request, 90); });
  EXPECT_CONTAINS(message, "kernel 'copy' (16 bytes a thread) does not compile for sm_90");
  EXPECT_CONTAINS(message, "NVRTC_ERROR_COMPILATION");
  EXPECT_CONTAINS(message, "copy.cu(2): error");
  EXPECT_CONTAINS(message, "ints are short");
  request = test::copy_request();
  request.options = {"--no-such-option"};
  const std::string option_message = test::error_of(ExitCode::internal, [&] { compile(request, 90); });
  EXPECT_CONTAINS(option_message, "NVRTC_ERROR_INVALID_OPTION");
  EXPECT_CONTAINS(option_message, "--no-such-option");
}

TEST(Nvrtc, KeepsWarnings) {
  SKIP_WITHOUT_NVRTC();
  CompileRequest request = test::copy_request();
  request.source += "__global__ void idle() { int nobody_reads_me = 1; }\n";
  EXPECT_CONTAINS(compile(request, 90).log, "nobody_reads_me");
  EXPECT_EQ(compile(test::copy_request(), 90).log, "");
}

TEST(Nvrtc, TargetsTheNewestThatRuns) {
  SKIP_WITHOUT_NVRTC();
  EXPECT_EQ(target_for(90), 90);
  EXPECT_EQ(target_for(80), 80);
  EXPECT_EQ(target_for(99), 90);
  const std::string message = test::error_of(ExitCode::resource, [] { target_for(35); });
  EXPECT_CONTAINS(message, "compute capability 3.5");
  EXPECT_CONTAINS(message, "sm_80");
  EXPECT_CONTAINS(message, nvrtc_version().text());
}

TEST(Nvrtc, FitsTheDriver) {
  EXPECT_EQ(nvrtc_version_problem({13000}, {0}), "");
  EXPECT_EQ(nvrtc_version_problem({13010}, {13000}), "");
  EXPECT_EQ(nvrtc_version_problem({12060}, {13000}), "");
  EXPECT_CONTAINS(nvrtc_version_problem({13000}, {12080}), "driver (CUDA 12.8) does not take code of NVRTC 13.0");
  EXPECT_CONTAINS(nvrtc_version_problem({13000}, {12080}), "libnvrtc.so.12");
  EXPECT_CONTAINS(nvrtc_version_problem({11080}, {13000}), "NVRTC 11.8 is too old; Fluvia needs 12.0");
}

TEST(AssemblerLog, IsReadAsWritten) {
  // As printed by NVRTC 13.0; the second kernel's numbers follow those of a function that it calls.
  const std::string log =
      "ptxas info    : 272 bytes gmem, 16 bytes cmem[4]\n"
      "ptxas info    : Compiling entry function '_Z5scaleIfEvPT_i' for 'sm_80'\n"
      "ptxas info    : Function properties for _Z5scaleIfEvPT_i\n"
      "ptxas         .     160 bytes stack frame, 12 bytes spill stores, 8 bytes spill loads\n"
      "ptxas info    : Used 40 registers, used 1 barriers, 160 bytes cumulative stack size, 132 bytes smem, 364 bytes "
      "cmem[0]\n"
      "a.cu(3): warning #111-D: statement is unreachable\n"
      "ptxas info    : Compiling entry function '_Z5scale' for 'sm_80'\n"
      "ptxas info    : Function properties for helper\n"
      "ptxas         .     7 bytes stack frame, 7 bytes spill stores, 7 bytes spill loads\n"
      "ptxas info    : Function properties for _Z5scale\n"
      "ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 255 registers\n"
      "ptxas info    : Compile time = 51.017 ms\n";
  EXPECT_EQ(parse_resources(log, "_Z5scaleIfEvPT_i"), (KernelResources{40, 160, 12, 8, 132}));
  EXPECT_EQ(parse_resources(log, "_Z5scale"), (KernelResources{255, 0, 0, 0, 0}));
  EXPECT_EQ(parse_resources(log, "_Z5scal"), std::nullopt);
  EXPECT_EQ(parse_resources("", "_Z5scale"), std::nullopt);
  EXPECT_EQ(without_resources(log), "a.cu(3): warning #111-D: statement is unreachable\n");
}

}  // namespace
}  // namespace fluvia::cuda
