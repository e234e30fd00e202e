// SPDX-License-Identifier: Apache-2.0
// Kernels of scalars on the fake driver. After what emulates the surroundings of kernels.
#pragma once
#include "cuda/fake_driver/host_kernel.hpp"
#include "fluvia/cuda/kernels/scalars/exchange.hpp"

namespace fluvia::cuda {

/// Kernels of a flow with two scalars, the first of which drives it.
template <class Of, class First, class Second>
struct WithScalars : Of {
  using Scalars = core::TypeList<First, Second>;
  static constexpr bool scalars_act = true;
};

template <class Spec>
void append_scalar_kernels(fake_cuda::HostKernels& list) {
  using fake_cuda::host_kernel;
  list.push_back(host_kernel<false>("11step_solids", kernels::step_solids<Spec>));
  list.push_back(host_kernel<false>("16complete_scalars", kernels::complete_scalars<Spec>));
  list.push_back(host_kernel<false>("12pack_scalars", kernels::pack_scalars<Spec>));
  list.push_back(host_kernel<false>("14unpack_scalars", kernels::unpack_scalars<Spec>));
  list.push_back(host_kernel<false>("12join_scalars", kernels::join_scalars<Spec>));
  list.push_back(host_kernel<false>("13scalar_values", kernels::scalar_values<Spec>));
  list.push_back(host_kernel<true>("11sum_scalars", kernels::sum_scalars<Spec>));
}

}  // namespace fluvia::cuda
