// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/runtime/transposes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "fluvia/cuda/runtime/memory.hpp"
#include "fluvia/cuda/runtime/module.hpp"
#include "fluvia/cuda/runtime/stream.hpp"

namespace fluvia::cuda {
namespace {

std::string kernel_name(const char* name, const TransposedValues& values) {
  const char* const type = values.bytes == 2 ? "unsigned short" : values.bytes == 4 ? "unsigned" : "unsigned long long";
  return fmt::format("fluvia::cuda::kernels::{}<{}, {}>", name, type, values.directions);
}

}  // namespace

CompileRequest transpose_request(const TransposedValues& values) {
  CompileRequest request;
  request.name = "transpose";
  request.specialisation = fmt::format("{} values of {} bytes", values.directions, values.bytes);
  request.source = "#include \"fluvia/cuda/kernels/published/transpose.hpp\"\n";
  request.kernels = {kernel_name("to_structure_of_arrays", values), kernel_name("to_array_of_structures", values)};
  return request;
}

TransposeSeconds measure_transposes(const Device& device, KernelCache& cache, const TransposedValues& values) {
  constexpr int threads = 256, warm_ups = 1, repeats = 5;
  const Module module(device, cache.get(transpose_request(values), device.info().compute_capability));
  const std::size_t bytes = values.nodes * static_cast<std::uint64_t>(values.directions * values.bytes);
  const DeviceBuffer by_node(device, bytes, "timing transposes"), by_direction(device, bytes, "timing transposes");
  const Stream stream(device);
  const Event start(device, EventKind::timing), end(device, EventKind::timing);
  by_node.fill(stream, 0);
  const auto nodes = static_cast<unsigned>(values.nodes);
  const LaunchShape shape{.blocks = {(nodes + threads - 1) / threads}, .threads = {threads}};
  const auto median = [&](const char* name, void* to, const void* from) {
    const Kernel kernel = module.kernel(kernel_name(name, values));
    std::vector<double> seconds;
    for (int k = 0; k < warm_ups + repeats; ++k) {
      start.record(stream);
      kernel.launch(stream, shape, to, from, nodes);
      end.record(stream);
      stream.synchronize();
      if (k >= warm_ups) seconds.push_back(end.seconds_since(start));
    }
    std::nth_element(seconds.begin(), seconds.begin() + repeats / 2, seconds.end());
    return seconds[repeats / 2];
  };
  return {median("to_structure_of_arrays", by_direction.data(), by_node.data()),
          median("to_array_of_structures", by_node.data(), by_direction.data())};
}

}  // namespace fluvia::cuda
