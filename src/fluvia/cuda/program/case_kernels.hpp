// SPDX-License-Identifier: Apache-2.0
// The kernels of a case on a GPU.
#pragma once
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "fluvia/cuda/program/specification.hpp"
#include "fluvia/cuda/runtime/compiler/kernel_cache.hpp"
#include "fluvia/cuda/runtime/module.hpp"

namespace fluvia::cuda {

/// Compiles kernels, or takes them from disk, several at a time: NVRTC does part of its work in parallel. Returns them
/// in the order of the requests. Throws as compile() does.
std::vector<CompiledKernels> compile_side_by_side(KernelCache& cache, const std::vector<CompileRequest>& requests,
                                                  int compute_capability);

/// The kernels of a case, each a compilation of its own. Those that every run needs are compiled side by side at the
/// start, others when they are first asked for: many runs never write at an odd step, load a checkpoint or measure a
/// force, and the kernels for that take most of the time.
class CaseKernels {
 public:
  /// `cache` must stay. Throws as compile() does.
  CaseKernels(const Device& device, KernelCache& cache, const Specification& specification);

  /// The kernel for the populations after `update` updates. Threads may ask at the same time. Throws as compile() does,
  /// and Error(internal) if the scheme has no such kernel.
  const Kernel& get(KernelKind kind, std::int64_t update) const;

  /// Seconds that the start took.
  [[nodiscard]] double seconds() const { return seconds_; }

 private:
  struct Slot {
    std::mutex mutex;
    std::optional<Kernel> kernel;
  };
  [[nodiscard]] Slot& slot(KernelKind kind, int parity) const;

  Device device_;
  KernelCache& cache_;
  Specification specification_;
  int parities_;
  std::unique_ptr<Slot[]> slots_;  ///< [parity][kind]
  double seconds_ = 0;
};

}  // namespace fluvia::cuda
