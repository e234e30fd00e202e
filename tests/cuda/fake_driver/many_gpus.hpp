// SPDX-License-Identifier: Apache-2.0
// GPUs of the fake driver that have kernels of this program.
#pragma once
#include <cstdlib>
#include <type_traits>

#include "cuda/emulation/spec.hpp"
// After what emulates the surroundings of kernels.
#include "cuda/fake_driver/host_kernel.hpp"
#include "fluvia/cuda/kernels/crossings.hpp"

namespace fluvia::cuda {

/// Several GPUs, with kernels of a scheme that runs on parts.
template <class Spec>
class ManyGpus {
 public:
  ManyGpus() {
    ::setenv("FAKE_CUDA_DEVICES", "3", 1);
    ::setenv("FLUVIA_NCCL", FLUVIA_FAKE_NCCL, 1);
    ::setenv("FAKE_CUDA_ORDER", "1", 1);
    append<0>();
    if constexpr (Spec::Streaming::parities == 2) append<1>();
    fake_cuda_bring(&kernels_);
  }
  ~ManyGpus() {
    fake_cuda_bring(nullptr);
    ::unsetenv("FAKE_CUDA_DEVICES");
    ::unsetenv("FAKE_CUDA_ORDER");
  }
  ManyGpus(const ManyGpus&) = delete;
  ManyGpus& operator=(const ManyGpus&) = delete;

 private:
  template <int parity>
  void append() {
    using namespace kernels;
    using fake_cuda::host_kernel;
    constexpr bool compact = Spec::scheme.is_compact();
    using Storage = std::conditional_t<compact, CompactStorage<Spec, parity>, DenseStorage<Spec, parity>>;
    using Box = std::conditional_t<compact, CompactTiles, DenseBox>;
    const char* const p = parity == 0 ? "Li0E" : "Li1E";
    if constexpr (Spec::scheme.is_sliding())
      kernels_.push_back(host_kernel<true>("12step_sliding", step_sliding<Spec>));
    else if constexpr (compact)
      kernels_.push_back(host_kernel<true>("12step_compact", step_compact<Spec, parity>, p));
    else if constexpr (Spec::scheme.stepping == core::Stepping::sliding_passes)
      kernels_.push_back(host_kernel<true>("16step_sliding_box", step_sliding_box<Spec>));
    else
      kernels_.push_back(host_kernel<false>("10step_dense", step_dense<Spec, parity>, p));
    if constexpr (Spec::scheme.stepping == core::Stepping::sliding_passes)
      kernels_.push_back(host_kernel<true>("12pass_sliding", pass_sliding<Spec>));
    else if constexpr (Spec::scheme.is_fused())
      kernels_.push_back(host_kernel<true>("10pass_dense", pass_dense<Spec>));
    kernels_.push_back(host_kernel<compact>("19complete_boundaries", complete_boundaries<Spec, Storage, Box>, p));
    kernels_.push_back(host_kernel<compact>("7moments", moments<Spec, Storage, Box>, p));
    kernels_.push_back(host_kernel<true>("9sum_tiles", sum_tiles<Spec, Storage, Box>, p));
    kernels_.push_back(host_kernel<true>("9sum_links", sum_links<Spec, Storage, Box>, p));
    kernels_.push_back(host_kernel<compact>("14save_direction", save_direction<Spec, Storage, Box>, p));
    kernels_.push_back(host_kernel<compact>("14load_direction", load_direction<Spec, Storage, Box>, p));
    kernels_.push_back(host_kernel<compact>("17place_equilibrium", place_equilibrium<Spec, Storage, Box>, p));
    kernels_.push_back(host_kernel<compact>("16unpack_crossings", unpack_crossings<Spec, Storage, Box>, p));
    kernels_.push_back(host_kernel<compact>("14pack_crossings", pack_crossings<Spec, Storage, Box>, p));
  }

  fake_cuda::HostKernels kernels_;
};

}  // namespace fluvia::cuda
