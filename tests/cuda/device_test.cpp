// SPDX-License-Identifier: Apache-2.0
// Owners of GPU objects. Runs on a GPU if there is one, and in fluvia_test_cuda_fake on the fake driver.
#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "cuda/support.hpp"
#include "fluvia/cuda/runtime/compiler/nvrtc.hpp"
#include "fluvia/cuda/runtime/memory.hpp"
#include "fluvia/cuda/runtime/module.hpp"
#include "fluvia/cuda/runtime/stream.hpp"

namespace fluvia::cuda {
namespace {

constexpr const char* copy_name = "fluvia::cuda::kernels::copy";

std::vector<std::uint32_t> some_numbers(std::size_t count) {
  std::vector<std::uint32_t> numbers(count);
  for (std::size_t k = 0; k < count; ++k) numbers[k] = static_cast<std::uint32_t>(2654435761u * (k + 1));
  return numbers;
}

std::vector<std::uint32_t> content_of(const DeviceBuffer& buffer, const Stream& stream) {
  std::vector<std::uint32_t> content(buffer.bytes() / 4);
  buffer.download(stream, content.data(), buffer.bytes());
  stream.synchronize();
  return content;
}

/// A device with a source that holds numbers, an empty target, and the copy kernel.
struct CopyScene {
  Device device;
  Stream stream{device};
  std::vector<std::uint32_t> numbers = some_numbers(4 * 10007);
  DeviceBuffer source{device, 4 * numbers.size()}, target{device, 4 * numbers.size()};
  Module module{device, compile(test::copy_request(), device.info().compute_capability)};
  Kernel kernel = module.kernel(copy_name);
  LaunchShape shape{.blocks = {7}, .threads = {128}};
  unsigned long long chunks = numbers.size() / 4;

  CopyScene() {
    source.upload(stream, numbers.data(), source.bytes());
    target.fill(stream, 0);
  }
  void copy() const { kernel.launch(stream, shape, target.data(), source.data(), chunks); }
};

TEST(Device, SaysWhatItIs) {
  SKIP_WITHOUT_GPU();
  const std::vector<DeviceInfo> devices = list_devices();
  ASSERT_FALSE(devices.empty());
  const Device device(0);
  const DeviceInfo& info = device.info();
  EXPECT_EQ(info.name, devices[0].name);
  EXPECT_EQ(device.label(), "GPU 0 (" + info.name + ")");
  EXPECT_GE(info.compute_capability, 50);
  EXPECT_GT(info.multiprocessors, 0);
  EXPECT_GE(info.l2_bytes, 1u << 18);
  EXPECT_GE(info.shared_bytes_per_block, 48u << 10);
  EXPECT_GE(info.registers_per_multiprocessor, 32768);
  EXPECT_GE(info.threads_per_multiprocessor, 1024);
  EXPECT_EQ(info.uuid.size(), 40U) << info.uuid;
  EXPECT_EQ(info.uuid.substr(0, 4), "GPU-");
  EXPECT_GT(device.free_bytes(), 0U);
  EXPECT_LE(device.free_bytes(), info.memory_bytes);
}

TEST(Device, RefusesNumbersThatDoNotExist) {
  SKIP_WITHOUT_GPU();
  EXPECT_CONTAINS(test::error_of(ExitCode::resource, [] { Device(99); }), "there is no GPU 99; this machine has ");
  EXPECT_CONTAINS(test::error_of(ExitCode::resource, [] { Device(-1); }), "there is no GPU -1");
}

TEST(DeviceBuffer, KeepsWhatIsUploaded) {
  SKIP_WITHOUT_GPU();
  const Device device;
  const Stream stream(device);
  const std::vector<std::uint32_t> numbers = some_numbers(1000);
  DeviceBuffer first(device, 4000), second(device, 4000);
  first.upload(stream, numbers.data(), 4000);
  second.fill(stream, 0xab);
  second.copy_from(stream, first, 400, 1000, 2000);
  std::vector<std::uint32_t> expected(1000, 0xababababu);
  for (std::size_t k = 0; k < 100; ++k) expected[250 + k] = numbers[500 + k];
  EXPECT_EQ(content_of(second, stream), expected);
  DeviceBuffer moved(std::move(first));
  EXPECT_EQ(content_of(moved, stream), numbers);
  second = std::move(moved);
  EXPECT_EQ(content_of(second, stream), numbers);
  EXPECT_EQ(DeviceBuffer(device, 0).data(), nullptr);
}

TEST(DeviceBuffer, NamesBytesAskedForAndFree) {
  SKIP_WITHOUT_GPU();
  const Device device;
  const std::size_t asked = device.info().memory_bytes + 1;
  const std::string message =
      test::error_of(ExitCode::resource, [&] { DeviceBuffer(device, asked, "the populations"); });
  EXPECT_CONTAINS(message, device.label() + " has too little memory: " + std::to_string(asked) + " bytes (");
  EXPECT_CONTAINS(message, "asked for the populations, ");
  EXPECT_CONTAINS(message, " free of " + std::to_string(device.info().memory_bytes) + " bytes (");
}

TEST(DeviceBuffer, RefusesRangesOutside) {
  SKIP_WITHOUT_GPU();
  const Device device;
  const Stream stream(device);
  const DeviceBuffer buffer(device, 64);
  char host[64] = {};
  EXPECT_NO_THROW(buffer.upload(stream, host, 32, 32));
  EXPECT_CONTAINS(test::error_of(ExitCode::internal, [&] { buffer.upload(stream, host, 33, 32); }),
                  "GPU buffer of 64 bytes: bytes 32 to 65 are outside");
  EXPECT_NE(test::error_of(ExitCode::internal, [&] { buffer.download(stream, host, 1, 64); }), "");
  EXPECT_NE(test::error_of(ExitCode::internal, [&] { buffer.copy_from(stream, buffer, 8, 0, 60); }), "");
}

TEST(PinnedBuffer, CarriesDataBothWays) {
  SKIP_WITHOUT_GPU();
  const Device device;
  const Stream stream(device);
  const PinnedBuffer up(device, 4096), down(device, 4096);
  const DeviceBuffer buffer(device, 4096);
  for (unsigned k = 0; k < 1024; ++k) up.data<unsigned>()[k] = 3 * k;
  buffer.upload(stream, up.data(), 4096);
  buffer.download(stream, down.data(), 4096);
  stream.synchronize();
  for (unsigned k = 0; k < 1024; ++k) ASSERT_EQ(down.data<unsigned>()[k], 3 * k);
}

TEST(Kernel, Copies) {
  SKIP_WITHOUT_GPU();
  const CopyScene scene;
  EXPECT_NE(content_of(scene.target, scene.stream), scene.numbers);
  scene.copy();
  EXPECT_EQ(content_of(scene.target, scene.stream), scene.numbers);
  EXPECT_GT(scene.kernel.attributes().registers, 0);
  EXPECT_GT(scene.kernel.blocks_per_multiprocessor(128), 0);
}

TEST(Kernel, RefusesArgumentsOfOtherSizes) {
  SKIP_WITHOUT_GPU();
  if (!driver().cuFuncGetParamInfo) GTEST_SKIP() << "the driver does not tell the sizes of parameters";
  const CopyScene scene;
  const int narrow = 1;
  const std::string message = test::error_of(ExitCode::internal, [&] {
    scene.kernel.launch(scene.stream, scene.shape, scene.target.data(), scene.source.data(), narrow);
  });
  EXPECT_CONTAINS(message, "kernel 'fluvia::cuda::kernels::copy' (16 bytes a thread)");
  EXPECT_CONTAINS(message, "arguments of 8, 8, 4 bytes were given, its parameters have 8, 8, 8");
  EXPECT_NE(test::error_of(ExitCode::internal, [&] { scene.kernel.launch(scene.stream, scene.shape); }), "");
}

TEST(Kernel, NamesWhatCannotBeLaunched) {
  SKIP_WITHOUT_GPU();
  CopyScene scene;
  scene.shape.threads.x = 5000;
  const std::string message = test::error_of(ExitCode::internal, [&] { scene.copy(); });
  EXPECT_CONTAINS(message, "cannot launch kernel 'fluvia::cuda::kernels::copy' (16 bytes a thread) with 7x1x1 blocks");
  EXPECT_CONTAINS(message, "5000x1x1 threads");
  EXPECT_CONTAINS(message, "CUDA_ERROR_INVALID_VALUE: ");
}

TEST(Kernel, KeepsItsModule) {
  SKIP_WITHOUT_GPU();
  CopyScene scene;
  {
    const Module other(scene.device, compile(test::copy_request(), scene.device.info().compute_capability));
    scene.kernel = other.kernel(copy_name);
  }
  scene.copy();
  EXPECT_EQ(content_of(scene.target, scene.stream), scene.numbers);
}

TEST(Module, KnowsWhatItHolds) {
  SKIP_WITHOUT_GPU();
  const CopyScene scene;
  EXPECT_CONTAINS(test::error_of(ExitCode::internal, [&] { (void)scene.module.kernel("no_such_kernel"); }),
                  "kernel 'copy' (16 bytes a thread): no kernel 'no_such_kernel'");
  EXPECT_CONTAINS(test::error_of(ExitCode::internal, [&] { (void)scene.module.global("nothing"); }),
                  "no variable 'nothing': CUDA_ERROR_NOT_FOUND");
}

TEST(Event, TimesWork) {
  SKIP_WITHOUT_GPU();
  const CopyScene scene;
  const Event start(scene.device, EventKind::timing), middle(scene.device, EventKind::timing),
      end(scene.device, EventKind::timing);
  start.record(scene.stream);
  scene.copy();
  middle.record(scene.stream);
  scene.copy();
  end.record(scene.stream);
  const double first = middle.seconds_since(start), both = end.seconds_since(start);
  EXPECT_GT(first, 0);
  EXPECT_GT(both, first);
  EXPECT_LT(both, 1);
}

TEST(Graph, ReplaysWhatWasRecorded) {
  SKIP_WITHOUT_GPU();
  const CopyScene scene;
  const DeviceBuffer end(scene.device, scene.target.bytes());
  end.fill(scene.stream, 0);
  const Graph graph(scene.device, scene.stream, [&] {
    scene.copy();
    end.copy_from(scene.stream, scene.target, end.bytes());
  });
  EXPECT_NE(content_of(end, scene.stream), scene.numbers) << "recording must not run anything";
  graph.launch(scene.stream);
  EXPECT_EQ(content_of(end, scene.stream), scene.numbers);
  const std::vector<std::uint32_t> others(scene.numbers.rbegin(), scene.numbers.rend());
  scene.source.upload(scene.stream, others.data(), scene.source.bytes());
  graph.launch(scene.stream);
  EXPECT_EQ(content_of(end, scene.stream), others);
}

TEST(Graph, LeavesTheStreamUsableIfRecordingFails) {
  SKIP_WITHOUT_GPU();
  const CopyScene scene;
  EXPECT_THROW(Graph(scene.device, scene.stream, [] { throw std::runtime_error("stop"); }), std::runtime_error);
  scene.copy();
  EXPECT_EQ(content_of(scene.target, scene.stream), scene.numbers);
}

}  // namespace
}  // namespace fluvia::cuda
