// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fluvia/cuda/runtime/argument.hpp"
#include "fluvia/cuda/runtime/compiler/compiled_kernels.hpp"
#include "fluvia/cuda/runtime/memory.hpp"
#include "fluvia/cuda/runtime/stream.hpp"

namespace fluvia::cuda {

struct Dimensions {
  unsigned x = 1, y = 1, z = 1;
};

/// Number of threads that run a kernel.
struct LaunchShape {
  Dimensions blocks;
  Dimensions threads;            ///< threads of a block
  std::size_t shared_bytes = 0;  ///< dynamic shared memory of a block
  /// Blocks may come to a multiprocessor while the last ones of the kernel before run; for kernels that wait for its
  /// end themselves.
  bool early = false;
};

/// What the driver says about a loaded kernel.
struct KernelAttributes {
  int registers = 0;             ///< registers of a thread
  int most_threads = 0;          ///< largest number of threads of a block
  std::size_t local_bytes = 0;   ///< local memory of a thread: stack and spilled registers, bytes
  std::size_t shared_bytes = 0;  ///< static shared memory of a block, bytes
};

/// A function of a loaded module. Copies refer to the same one and keep the module loaded.
class Kernel {
 public:
  /// The name by which it was asked for, e.g. "fluvia::cuda::kernels::copy".
  [[nodiscard]] const std::string& name() const { return state_->name; }
  [[nodiscard]] KernelAttributes attributes() const;
  /// Permits launches with this many bytes of dynamic shared memory; needed above 48 KiB.
  void allow_shared_bytes(std::size_t bytes) const;
  /// Blocks of this size that fit on one multiprocessor.
  [[nodiscard]] int blocks_per_multiprocessor(int threads, std::size_t shared_bytes = 0) const;

  /// Queues the kernel. The arguments' types must be exactly those of its parameters; their sizes are checked where
  /// the driver tells them (CUDA 12.4), a mismatch throws Error(internal).
  template <class... Arguments>
  void launch(const Stream& stream, const LaunchShape& shape, const Arguments&... arguments) const {
    const std::array<ArgumentView, sizeof...(Arguments)> views{ArgumentView(arguments)...};
    launch_with(stream, shape, views);
  }
  void launch_with(const Stream& stream, const LaunchShape& shape, std::span<const ArgumentView> arguments) const;

 private:
  friend class Module;
  using ModuleHandle = Owned<CuModule, &Driver::cuModuleUnload>;
  struct State {
    std::shared_ptr<const ModuleHandle> module;
    CuFunction function = nullptr;
    std::string name;
    std::shared_ptr<const std::string> label;  ///< with the specialisation, for messages
    bool parameters_known = false;
    std::vector<std::size_t> parameter_sizes;
  };
  explicit Kernel(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  [[nodiscard]] int attribute(int number) const;

  std::shared_ptr<const State> state_;
};

/// Compiled kernels, loaded onto a GPU.
class Module {
 public:
  Module(const Device& device, const CompiledKernels& compiled);

  /// A kernel by the name by which its compilation was asked for. Throws Error(internal) for any other.
  [[nodiscard]] Kernel kernel(const std::string& name) const;
  /// Address and size of a __constant__ or __device__ variable with C linkage.
  [[nodiscard]] std::pair<CuDevicePointer, std::size_t> global(const std::string& name) const;

 private:
  std::shared_ptr<const Kernel::ModuleHandle> module_;
  std::string label_;
  std::string specialisation_;
  std::map<std::string, CompiledKernel> kernels_;
};

}  // namespace fluvia::cuda
