// SPDX-License-Identifier: Apache-2.0
// What only a driver that fails on request can show: faults, leaks, and what `fluvia info` says about other machines.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "cuda/support.hpp"
#include "fluvia/cuda/runtime/bandwidth.hpp"
#include "fluvia/cuda/runtime/compiler/nvrtc.hpp"
#include "fluvia/cuda/runtime/memory.hpp"
#include "fluvia/cuda/runtime/module.hpp"
#include "fluvia/cuda/runtime/stream.hpp"
#include "support/program.hpp"

extern "C" int fake_cuda_live();

namespace fluvia::cuda {
namespace {

/// Sets an environment variable for a while.
class Setting {
 public:
  Setting(const char* name, const std::string& value) : name_(name) { ::setenv(name, value.c_str(), 1); }
  ~Setting() { ::unsetenv(name_); }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

 private:
  const char* name_;
};

TEST(FakeDriver, IsTheDriverHere) {
  ASSERT_EQ(driver_problem(), "");
  EXPECT_EQ(Device().info().name, "Fake GPU");
  EXPECT_EQ(driver_version().text(), "13.0");
  EXPECT_EQ(Device().info().compute_capability, 90);
  EXPECT_EQ(Device().info().uuid, "GPU-00112233-4455-6677-8899-aabbccddeeff");
}

TEST(FakeDriver, GetsEverythingBack) {
  SKIP_WITHOUT_NVRTC();
  ASSERT_EQ(fake_cuda_live(), 0);
  {
    const Device device;
    const Stream stream(device);
    DeviceBuffer first(device, 1024), second(device, 2048);
    first = std::move(second);
    const PinnedBuffer pinned(device, 64);
    const Event event(device);
    const Module module(device, compile(test::copy_request(), 90));
    const Kernel kernel = module.kernel("fluvia::cuda::kernels::copy");
    const Graph graph(device, stream, [&] { first.fill(stream, 1); });
    EXPECT_THROW(Graph(device, stream, [] { throw 1; }), int);
    EXPECT_GT(fake_cuda_live(), 6);
  }
  EXPECT_EQ(fake_cuda_live(), 0);
}

TEST(FakeDriver, LivesAsLongAsAnythingMadeFromIt) {
  DeviceBuffer buffer;
  {
    const Device device;
    buffer = DeviceBuffer(device, 16);
  }
  EXPECT_EQ(fake_cuda_live(), 2);
  buffer = DeviceBuffer();
  EXPECT_EQ(fake_cuda_live(), 0);
}

TEST(FakeDriver, FaultsNameTheKernelThatRan) {
  SKIP_WITHOUT_NVRTC();
  const Device device;
  const Stream stream(device);
  const DeviceBuffer buffer(device, 64);
  const Module module(device, compile(test::copy_request(), 90));
  const unsigned long long count = 4;
  module.kernel("fluvia::cuda::kernels::copy").launch(stream, {}, buffer.data(), buffer.data(), count);
  const Setting fault("FAKE_CUDA_FAIL", "cuStreamSynchronize=700");
  const std::string message = test::error_of(ExitCode::internal, [&] { stream.synchronize(); });
  EXPECT_EQ(message,
            "GPU work failed; the last was kernel 'fluvia::cuda::kernels::copy' (16 bytes a thread): "
            "CUDA_ERROR_ILLEGAL_ADDRESS: as the fake driver says");
}

TEST(FakeDriver, OutOfMemorySaysAllNumbers) {
  const Setting memory("FAKE_CUDA_MEMORY", "4294967296");
  const Device device;
  const DeviceBuffer taken(device, 1 << 20);
  EXPECT_EQ(test::error_of(ExitCode::resource, [&] { DeviceBuffer(device, std::size_t{6} << 30, "populations"); }),
            "GPU 0 (Fake GPU) has too little memory: 6442450944 bytes (6 GiB) asked for populations, 4293918720 bytes "
            "(3.999 GiB) free of 4294967296 bytes (4 GiB)");
}

TEST(FakeDriver, FailuresOfEachCallBecomeErrors) {
  SKIP_WITHOUT_NVRTC();
  const Device device;
  const Stream stream(device);
  const DeviceBuffer buffer(device, 64);
  const Event event(device);
  const Module module(device, compile(test::copy_request(), 90));
  const Kernel kernel = module.kernel("fluvia::cuda::kernels::copy");
  char host[64] = {};
  const unsigned long long count = 4;
  const std::vector<std::pair<const char*, std::function<void()>>> calls = {
      {"cuCtxSynchronize", [&] { device.synchronize(); }},
      {"cuCtxSetLimit", [&] { device.set_fetch_bytes(32); }},
      {"cuMemAlloc", [&] { DeviceBuffer(device, 64); }},
      {"cuMemAllocHost", [&] { PinnedBuffer(device, 64); }},
      {"cuMemcpyHtoDAsync", [&] { buffer.upload(stream, host, 64); }},
      {"cuMemcpyDtoHAsync", [&] { buffer.download(stream, host, 64); }},
      {"cuMemcpyDtoDAsync", [&] { buffer.copy_from(stream, buffer, 0x20, 0x20); }},
      {"cuMemsetD8Async", [&] { buffer.fill(stream, 1); }},
      {"cuStreamCreate", [&] { Stream{device}; }},
      {"cuStreamWaitEvent", [&] { stream.wait(event); }},
      {"cuEventCreate", [&] { Event{device}; }},
      {"cuEventRecord", [&] { event.record(stream); }},
      {"cuEventSynchronize", [&] { event.synchronize(); }},
      {"cuModuleLoadDataEx", [&] { Module(device, compile(test::copy_request(), 90)); }},
      {"cuModuleGetFunction", [&] { (void)module.kernel("fluvia::cuda::kernels::copy"); }},
      {"cuFuncGetAttribute", [&] { (void)kernel.attributes(); }},
      {"cuFuncSetAttribute", [&] { kernel.allow_shared_bytes(100000); }},
      {"cuLaunchKernel", [&] { kernel.launch(stream, {}, buffer.data(), buffer.data(), count); }},
      {"cuStreamBeginCapture", [&] { Graph(device, stream, [] {}); }},
      {"cuStreamEndCapture", [&] { Graph(device, stream, [] {}); }},
      {"cuGraphInstantiateWithFlags", [&] { Graph(device, stream, [] {}); }},
  };
  const int live = fake_cuda_live();
  for (const auto& [function, call] : calls) {
    EXPECT_NO_THROW(call()) << function;
    const Setting fault("FAKE_CUDA_FAIL", fmt::format("{}=700", function));
    EXPECT_CONTAINS(test::error_of(ExitCode::internal, call), "CUDA_ERROR_ILLEGAL_ADDRESS") << function;
    EXPECT_EQ(fake_cuda_live(), live) << function;
  }
}

TEST(FakeDriver, MeasuresTheBandwidthOfItsClock) {
  SKIP_WITHOUT_NVRTC();
  // A millisecond each for reading and writing a quarter of the memory.
  const Device device;
  KernelCache nothing_kept{std::filesystem::path()};
  EXPECT_NEAR(measure_copy_bandwidth(device, nothing_kept), 2 * 16777216.0 / 1e-3, 1);
  const TransferBandwidth transfers = measure_transfer_bandwidth(device);
  EXPECT_NEAR(transfers.one_way, 16777216.0 / 1e-3, 1);
  EXPECT_NEAR(transfers.both_ways, 16777216.0 / 2e-3, 1);  // its clock knows no two things at a time
}

std::string info_with(const std::string& settings) {
  const test::Outcome outcome =
      test::run_shell(settings + " LD_LIBRARY_PATH=" FLUVIA_FAKE_DRIVER_FOLDER " " FLUVIA_BINARY " info");
  EXPECT_EQ(outcome.code, 0) << outcome.text;
  return outcome.text;
}

TEST(Info, ListsGpus) {
  const std::string two = info_with("FAKE_CUDA_DEVICES=2 FAKE_CUDA_MEMORY=85899345920");
  EXPECT_CONTAINS(two, "gpu 0        Fake GPU, 80.0 GiB, compute capability 9.0, 132 multiprocessors");
  EXPECT_CONTAINS(two, "gpu 1        Fake GPU, 80.0 GiB");
  EXPECT_CONTAINS(two, "cuda         driver 13.0");
  EXPECT_CONTAINS(two, nvrtc_problem().empty() ? "NVRTC " + nvrtc_version().text() : "NVRTC was not found");
}

TEST(Info, SaysWhyThereIsNoGpu) {
  EXPECT_CONTAINS(info_with("FAKE_CUDA_DEVICES=0"),
                  "gpu          none: the NVIDIA driver (CUDA 13.0) offers no GPU (CUDA_ERROR_NO_DEVICE: as the fake "
                  "driver says)\n");
  EXPECT_CONTAINS(info_with("FAKE_CUDA_DEVICES=0 CUDA_VISIBLE_DEVICES=-1"), "; CUDA_VISIBLE_DEVICES is '-1'\n");
  EXPECT_CONTAINS(
      info_with("FAKE_CUDA_VERSION=11040"),
      "gpu          none: the NVIDIA driver is too old: it supports CUDA 11.4, Fluvia needs 12.0 or later\n");
  EXPECT_CONTAINS(info_with("FAKE_CUDA_FAIL=cuInit=999"), "none: the NVIDIA driver (CUDA 13.0) offers no GPU (CUDA");
}

TEST(Info, SaysWhatIsWrongWithNvrtc) {
  EXPECT_CONTAINS(info_with("FLUVIA_NVRTC=/no/such/libnvrtc.so"), "/no/such/libnvrtc.so");
  EXPECT_CONTAINS(info_with("FLUVIA_NVRTC=" FLUVIA_FAKE_DRIVER_FOLDER "/libcuda.so.1"),
                  "is no NVRTC, or one older than 12.0");
  if (nvrtc_problem().empty() && nvrtc_version().major() > 12) {
    EXPECT_CONTAINS(info_with("FAKE_CUDA_VERSION=12080"), "the NVIDIA driver (CUDA 12.8) does not take code of NVRTC");
  }
}

}  // namespace
}  // namespace fluvia::cuda
