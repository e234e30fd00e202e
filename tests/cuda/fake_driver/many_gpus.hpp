// SPDX-License-Identifier: Apache-2.0
// GPUs of the fake driver that share a domain, with the kernels of a specification, and the schemes that can do so.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <utility>

#include "cuda/emulation/spec.hpp"
// After what emulates the surroundings of kernels.
#include "cuda/fake_driver/host_kernel.hpp"
#include "cuda/support.hpp"
#include "domain/told.hpp"
#include "fluvia/cuda/kernels/halo_populations.hpp"

namespace fluvia::cuda {

/// A specification for single steps over moments, which are passes of one.
template <class Base>
struct SingleSteps : Base {
  static constexpr int steps = 1;
  static constexpr bool changes = false;
};

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
    kernels_.push_back(fake_cuda::host_kernel<false>("13pack_messages", kernels::pack_messages<Spec>));
    kernels_.push_back(fake_cuda::host_kernel<false>("15unpack_messages", kernels::unpack_messages<Spec>));
    kernels_.push_back(fake_cuda::host_kernel<false>("16forward_messages", kernels::forward_messages<Spec>));
    kernels_.push_back(fake_cuda::host_kernel<false>("13swap_mirrored", kernels::swap_mirrored<Spec>));
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
    constexpr bool compact = Spec::scheme.is_compact(), keeps_moments = Spec::scheme.keeps_moments();
    using Populations = std::conditional_t<compact, CompactStorage<Spec, parity>, DenseStorage<Spec, parity>>;
    using Storage = typename std::conditional_t<keeps_moments, MomentsOf<Spec>, std::type_identity<Populations>>::type;
    using Box = std::conditional_t<compact, CompactTiles, std::conditional_t<keeps_moments, MomentBox, DenseBox>>;
    const char* const p = parity == 0 ? "Li0E" : "Li1E";
    if constexpr (keeps_moments)
      append_moments();
    else if constexpr (Spec::scheme.is_sliding())
      kernels_.push_back(host_kernel<true>("12step_sliding", step_sliding<Spec>));
    else if constexpr (compact)
      kernels_.push_back(host_kernel<true>("12step_compact", step_compact<Spec, parity>, p));
    else if constexpr (Spec::scheme.stepping == core::Stepping::sliding_passes)
      kernels_.push_back(host_kernel<true>("16step_sliding_box", step_sliding_box<Spec>));
    else
      kernels_.push_back(host_kernel<false>("10step_dense", step_dense<Spec, parity>, p));
    if constexpr (Spec::scheme.stepping == core::Stepping::sliding_passes)
      kernels_.push_back(host_kernel<true>("12pass_sliding", pass_sliding<Spec>));
    else if constexpr (Spec::scheme.is_fused() && !keeps_moments)
      kernels_.push_back(host_kernel<true>("10pass_dense", pass_dense<Spec>));
    kernels_.push_back(host_kernel<compact>("19complete_boundaries", complete_boundaries<Spec, Storage, Box>, p));
    kernels_.push_back(host_kernel<compact>("7moments", moments<Spec, Storage, Box>, p));
    kernels_.push_back(host_kernel<true>("9sum_tiles", sum_tiles<Spec, Storage, Box>, p));
    kernels_.push_back(host_kernel<true>("9sum_links", sum_links<Spec, Storage, Box>, p));
    kernels_.push_back(host_kernel<compact>("14save_direction", save_direction<Spec, Storage, Box>, p));
    kernels_.push_back(host_kernel<compact>("14load_direction", load_direction<Spec, Storage, Box>, p));
    kernels_.push_back(host_kernel<compact>("17place_equilibrium", place_equilibrium<Spec, Storage, Box>, p));
    kernels_.push_back(host_kernel<compact>("21list_halo_populations", list_halo_populations<Spec, Storage, Box>, p));
  }
  /// Steps and passes are one kernel, for different numbers of steps.
  void append_moments() {
    using namespace kernels;
    using fake_cuda::host_kernel;
    static const std::string steps = "Steps" + std::to_string(Spec::steps) + "E";
    if constexpr (Spec::scheme.steps_in_order()) {
      kernels_.push_back(
          host_kernel<true>("20pass_sliding_moments", pass_sliding_moments<SingleSteps<Spec>>, "Steps1E"));
      kernels_.push_back(host_kernel<true>("20pass_sliding_moments", pass_sliding_moments<Spec>, steps.c_str()));
    } else {
      kernels_.push_back(host_kernel<true>("12pass_moments", pass_moments<SingleSteps<Spec>>, "Steps1E"));
      kernels_.push_back(host_kernel<true>("12pass_moments", pass_moments<Spec>, steps.c_str()));
    }
    kernels_.push_back(host_kernel<false>("13first_moments", first_moments<Spec>));
  }
  template <class Of>
  struct MomentsOf {
    using type = kernels::MomentStorage<Of, 0>;
  };

 protected:
  fake_cuda::HostKernels kernels_;
};

/// The case of a scene for kernels of a specification.
template <class Spec>
Case case_of(const scene::Scene& s, const std::string& device) {
  reference::Physics physics;
  physics.lattice = Spec::Lattice::name;
  physics.collision = Spec::Collision::name;
  scene::Options options{physics, Spec::scheme.name, Spec::Format::name, 1, device};
  options.rounding = sizeof(typename Spec::Format::Storage) != 2 ? "auto" : Spec::stochastic ? "stochastic" : "nearest";
  Case c = scene::make_case(s, options);
  c.numerics.gpu_threads = Spec::threads;  // what the kernels here were made for
  c.output.every = 10;                     // so that there are snapshots
  return c;
}

/// Kernels of passes for another tile of columns.
template <class Base, int width, int depth>
struct WithTile : Base {
  static constexpr int pass_width = width, pass_depth = depth;
};

/// Numbers of the schemes whose parts exchange populations.
constexpr bool is_splittable(const core::Scheme& scheme) {
  return scheme.cuda && !scheme.uses_index_map() && !scheme.keeps_moments();
}
constexpr int splittable_schemes = static_cast<int>(std::ranges::count_if(core::schemes, is_splittable));
constexpr int scheme_number(int wanted) {
  int k = 0;
  while (!is_splittable(core::schemes[k]) || wanted-- > 0) ++k;
  return k;
}
template <int... k>
testing::Types<std::integral_constant<int, scheme_number(k)>...> all_of(std::integer_sequence<int, k...>);
using Numbers = decltype(all_of(std::make_integer_sequence<int, splittable_schemes>()));

struct SchemeName {
  template <class Number>
  static std::string GetName(int) {
    return test::test_name(core::schemes[Number::value].name);
  }
};

}  // namespace fluvia::cuda
