// SPDX-License-Identifier: Apache-2.0
// What only a GPU can show.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "cuda/support.hpp"
#include "fluvia/cuda/runtime/bandwidth.hpp"
#include "fluvia/cuda/runtime/module.hpp"
#include "support/program.hpp"

namespace fluvia::cuda {
namespace {

TEST(Gpu, LoadsKernelsFromTheCache) {
  SKIP_WITHOUT_GPU();
  test::Folder folder;
  const Device device;
  const int target = device.info().compute_capability;
  KernelCache cache(folder / "kernels");
  (void)cache.get(test::copy_request(), target);
  const CompiledKernels cached = cache.get(test::copy_request(), target);
  EXPECT_EQ(cache.hits(), 1);
  const KernelAttributes attributes = Module(device, cached).kernel("fluvia::cuda::kernels::copy").attributes();
  // The assembler's report and the driver speak of the same machine code.
  const auto& reported = cached.kernels.at("fluvia::cuda::kernels::copy").resources;
  ASSERT_TRUE(reported);
  EXPECT_EQ(attributes.registers, reported->registers);
  EXPECT_EQ(attributes.local_bytes, reported->stack_bytes);
  EXPECT_EQ(attributes.shared_bytes, reported->shared_bytes);
}

TEST(Gpu, CopiesFasterThanAnyHostBus) {
  SKIP_WITHOUT_GPU();
  test::Folder folder;
  KernelCache cache(folder / "kernels");
  const double bandwidth = measure_copy_bandwidth(Device(), cache);
  EXPECT_GT(bandwidth, 30e9);
  EXPECT_LT(bandwidth, 50e12);
}

TEST(Gpu, FaultsNameTheKernel) {
  SKIP_WITHOUT_GPU();
  CompileRequest request;
  request.name = "fault";
  request.specialisation = "on purpose";
  request.source = "__global__ void fault(int* place) { *place = 1; }\n";
  request.kernels = {"fault"};
  // In a process of its own: after a fault a process cannot use its GPU any more.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto fault = [&] {
    const Device device;
    const Stream stream(device);
    const Module module(device, compile(request, device.info().compute_capability));
    int* const nowhere = nullptr;
    module.kernel("fault").launch(stream, {}, nowhere);
    std::cerr << test::error_of(ExitCode::internal, [&] { stream.synchronize(); });
    std::_Exit(0);
  };
  EXPECT_EXIT(fault(), testing::ExitedWithCode(0),
              "the last was kernel 'fault' .on purpose.: CUDA_ERROR_ILLEGAL_ADDRESS: ");
}

}  // namespace
}  // namespace fluvia::cuda
