// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "fluvia/cuda/runtime/context.hpp"

namespace fluvia::cuda {

/// What a GPU is.
struct DeviceInfo {
  int ordinal = 0;  ///< position in the driver's list, after CUDA_VISIBLE_DEVICES
  std::string name;
  std::string uuid;            ///< "GPU-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx", as nvidia-smi prints it
  std::string pci_bus_id;      ///< "0000:17:00.0"
  int compute_capability = 0;  ///< 10 major + minor: 90 is sm_90
  int multiprocessors = 0;
  int threads_per_multiprocessor = 0;
  int registers_per_multiprocessor = 0;
  std::size_t memory_bytes = 0;
  std::size_t l2_bytes = 0;
  std::size_t shared_bytes_per_multiprocessor = 0;
  std::size_t shared_bytes_per_block = 0;  ///< the most that a kernel can ask for (Kernel::allow_shared_bytes)
};

/// All GPUs that the driver offers; empty where driver_problem() says why. Creates no context.
std::vector<DeviceInfo> list_devices();

/// A GPU in use. Copies refer to the same one; its context lives as long as any of them or anything made from them.
class Device {
 public:
  /// Takes the GPU into use and makes it current on this thread. Throws Error(resource).
  explicit Device(int ordinal = 0);

  [[nodiscard]] const DeviceInfo& info() const { return *info_; }
  /// "GPU 0 (NVIDIA H100)".
  [[nodiscard]] std::string label() const;
  /// Bytes that are free now.
  [[nodiscard]] std::size_t free_bytes() const;
  /// Everything below acts on the GPU that is current on the calling thread; call this first on each other thread.
  /// Hint of how much the GPU's second cache fetches at a time: 32, 64 or 128 bytes. It holds for all that this process
  /// runs on the GPU from now on.
  void set_fetch_bytes(std::size_t bytes) const;
  void make_current() const { context_->make_current(); }
  /// Lets this GPU read and write the memory of another where the machine can; false where copies between them go
  /// through host memory.
  bool reach(const Device& other) const;
  /// Waits for all work of the GPU.
  void synchronize() const;
  [[nodiscard]] const std::shared_ptr<const Context>& context() const { return context_; }

 private:
  std::shared_ptr<const DeviceInfo> info_;
  std::shared_ptr<const Context> context_;
};

}  // namespace fluvia::cuda
