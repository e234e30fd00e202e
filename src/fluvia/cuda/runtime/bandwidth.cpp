// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/runtime/bandwidth.hpp"

#include <algorithm>
#include <vector>

#include "fluvia/cuda/runtime/memory.hpp"
#include "fluvia/cuda/runtime/module.hpp"
#include "fluvia/cuda/runtime/stream.hpp"

namespace fluvia::cuda {

CompileRequest copy_request() {
  CompileRequest request;
  request.name = "copy";
  request.specialisation = "16 bytes a thread";
  request.source = "#include \"fluvia/cuda/kernels/copy.hpp\"\n";
  request.kernels = {"fluvia::cuda::kernels::copy"};
  return request;
}

double measure_copy_bandwidth(const Device& device, KernelCache& cache) {
  constexpr std::size_t chunk = 16, gibibyte = std::size_t{1} << 30;
  constexpr int threads = 256, warm_ups = 2, repeats = 9;
  const Module module(device, cache.get(copy_request(), device.info().compute_capability));
  const Kernel copy = module.kernel("fluvia::cuda::kernels::copy");
  const std::size_t bytes = std::min(gibibyte, device.free_bytes() / 4) / chunk * chunk;
  const DeviceBuffer source(device, bytes, "measuring the bandwidth"), target(device, bytes, "measuring the bandwidth");
  const Stream stream(device);
  const Event start(device, EventKind::timing), end(device, EventKind::timing);
  source.fill(stream, 1);
  const unsigned long long count = bytes / chunk;
  // One chunk a thread: more loads in flight than with a loop over fewer threads.
  const LaunchShape shape{.blocks = {static_cast<unsigned>((count + threads - 1) / threads)}, .threads = {threads}};
  std::vector<double> seconds;
  for (int k = 0; k < warm_ups + repeats; ++k) {
    start.record(stream);
    copy.launch(stream, shape, target.data(), source.data(), count);
    end.record(stream);
    stream.synchronize();
    if (k >= warm_ups) seconds.push_back(end.seconds_since(start));
  }
  std::nth_element(seconds.begin(), seconds.begin() + repeats / 2, seconds.end());
  return 2.0 * static_cast<double>(bytes) / seconds[repeats / 2];
}

TransferBandwidth measure_transfer_bandwidth(const Device& device) {
  constexpr int repeats = 3;
  const std::size_t bytes = std::min(std::size_t{256} << 20, device.free_bytes() / 4);
  const DeviceBuffer up(device, bytes, "measuring the bandwidth"), down(device, bytes, "measuring the bandwidth");
  const PinnedBuffer up_from(device, bytes), down_to(device, bytes);
  const Stream stream(device), other(device);
  const Event start(device, EventKind::timing), end(device, EventKind::timing), other_end(device);
  TransferBandwidth fastest;
  for (int k = 0; k < repeats; ++k) {
    start.record(stream);
    up.upload(stream, up_from.data(), bytes);
    down.download(stream, down_to.data(), bytes);
    end.record(stream);
    stream.synchronize();
    fastest.one_way = std::max(fastest.one_way, 2.0 * static_cast<double>(bytes) / end.seconds_since(start));
  }
  for (int k = 0; k < repeats; ++k) {
    start.record(stream);
    other.wait(start);
    up.upload(stream, up_from.data(), bytes);
    down.download(other, down_to.data(), bytes);
    other_end.record(other);
    stream.wait(other_end);
    end.record(stream);
    stream.synchronize();
    fastest.both_ways = std::max(fastest.both_ways, static_cast<double>(bytes) / end.seconds_since(start));
  }
  return fastest;
}

}  // namespace fluvia::cuda
