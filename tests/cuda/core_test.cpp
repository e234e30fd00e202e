// SPDX-License-Identifier: Apache-2.0
// The physics headers under NVRTC: everything that the registries list is instantiated in a kernel.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "cuda/support.hpp"
#include "fluvia/core/boundary/registry.hpp"
#include "fluvia/core/collision/registry.hpp"
#include "fluvia/core/equilibrium/registry.hpp"
#include "fluvia/core/format/registry.hpp"
#include "fluvia/core/lattice/registry.hpp"
#include "fluvia/core/streaming/registry.hpp"
#include "fluvia/core/viscosity/registry.hpp"

namespace fluvia::cuda {
namespace {

// Types go by their place in the registries, so that a new one is compiled without a new line here.
constexpr const char* source = R"(
#include "fluvia/core/boundary/registry.hpp"
#include "fluvia/core/collision/collide.hpp"
#include "fluvia/core/format/registry.hpp"
#include "fluvia/core/lattice/registry.hpp"
#include "fluvia/core/streaming/registry.hpp"
#include "fluvia/core/update.hpp"
#include "fluvia/core/viscosity/registry.hpp"
using namespace fluvia::core;

template <int n, class List>
struct At;
template <int n, class First, class... Rest>
struct At<n, TypeList<First, Rest...>> : At<n - 1, TypeList<Rest...>> {};
template <class First, class... Rest>
struct At<0, TypeList<First, Rest...>> {
  using type = First;
};

template <class Lattice, class Format>
struct OneNode {
  using T = typename Format::Arithmetic;
  using Populations = T[Lattice::Q];
  typename Format::Storage* data;
  __device__ void load(int node, Populations& f) const {
    for (int i = 0; i < Lattice::Q; ++i) f[i] = Format::decode(data[node * Lattice::Q + i]);
  }
  __device__ void store(int node, const Populations& f) const {
    for (int i = 0; i < Lattice::Q; ++i) data[node * Lattice::Q + i] = Format::encode(f[i]);
  }
};
template <class Lattice, class Equilibrium, class T, ConditionSet conditions>
struct OneSurface {
  CutLinks* links;
  SurfaceState surface;
  CollisionParameters<T> parameters;
  __device__ void apply(int node, T (&f)[Lattice::Q]) const {
    T loaded[Lattice::Q];
    for (int i = 0; i < Lattice::Q; ++i) loaded[i] = f[i];
    T* const memory = nullptr;
    apply_boundary<Lattice, Equilibrium, conditions>(f, loaded, links[node], surface, parameters, {}, memory, memory);
  }
};
template <class Collision, class Lattice, class Equilibrium, bool force, class Viscosity, class T>
struct Collide {
  CollisionParameters<T> parameters;
  __device__ void collide(int, T (&f)[Lattice::Q]) const {
    fluvia::core::collide<Collision, Lattice, Equilibrium, force, Viscosity>(f, parameters);
  }
};

template <int lattice, int collision, int equilibrium, int format, bool force, int viscosity>
__global__ void update(void* data, CutLinks* links, SurfaceState surface,
                       CollisionParameters<typename At<format, Formats>::type::Arithmetic> parameters) {
  using Lattice = typename At<lattice, Lattices>::type;
  using Equilibrium = typename At<equilibrium, Equilibria>::type;
  using Format = typename At<format, Formats>::type;
  using T = typename Format::Arithmetic;
  const OneNode<Lattice, Format> storage{static_cast<typename Format::Storage*>(data)};
  // Conditions take most of the compiler's time and are the same for every collision.
  constexpr ConditionSet conditions = collision == 0 && viscosity == 0 ? all_conditions : 0;
  const OneSurface<Lattice, Equilibrium, T, conditions> boundary{links, surface, parameters};
  const Collide<typename At<collision, Collisions>::type, Lattice, Equilibrium, force,
                typename At<viscosity, Viscosities>::type, T>
      collide{parameters};
  update_group(storage, boundary, collide, static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x));
}

template <int streaming, int lattice>
__global__ void addresses(int* out, int parity) {
  using Streaming = typename At<streaming, Streamings>::type;
  unroll<At<lattice, Lattices>::type::Q>([&](auto i) {
    out[4 * i.i] = Streaming::read_from(parity, i).slot;
    out[4 * i.i + 1] = Streaming::read_cut(parity, i).slot;
    out[4 * i.i + 2] = Streaming::write_to(parity, i).slot;
    out[4 * i.i + 3] = Streaming::write_cut(parity, i).slot;
  });
}
)";

/// Every collision of lattice number `lattice` that works with one equilibrium, in one format.
template <class Lattice, class Equilibrium>
CompileRequest updates_of(int lattice, int equilibrium, int format, bool extras) {
  CompileRequest request;
  request.name = "update";
  request.specialisation = fmt::format("{}, equilibrium {}, format {}", Lattice::name, equilibrium, format);
  request.source = source;
  int collision = 0;
  core::for_each_type(core::Collisions{}, [&]<class Collision>(Collision) {
    if constexpr (core::combines<Lattice, Collision, Equilibrium>) {
      int viscosity = 0;
      core::for_each_type(core::Viscosities{}, [&]<class Viscosity>(Viscosity) {
        // Constant viscosity; or, with a force, eddies for every collision and the other models for the first.
        if (extras ? viscosity == 1 || (viscosity > 1 && collision == 0 && Viscosity::template supports<Lattice>)
                   : viscosity == 0)
          request.kernels.push_back(fmt::format("update<{}, {}, {}, {}, {}, {}>", lattice, collision, equilibrium,
                                                format, extras, viscosity));
        ++viscosity;
      });
    }
    ++collision;
  });
  return request;
}

void compile_and_expect_registers_to_suffice(const CompileRequest& request, int target) {
  const CompiledKernels compiled = compile(request, target);
  EXPECT_EQ(compiled.log, "") << request.specialisation;
  for (const auto& [name, kernel] : compiled.kernels) {
    ASSERT_TRUE(kernel.resources) << name;
    // All boundary conditions on top of D3Q27 in fp64 are a little too much; steps without them have kernels of their
    // own, which StepKernels.KeepEverythingInRegisters watches.
    const unsigned most =
        request.specialisation.starts_with("D3Q27") && request.specialisation.ends_with("format 0") ? 128 : 0;
    EXPECT_LE(kernel.resources->spill_store_bytes, most) << request.specialisation << ", " << name << ", sm_" << target;
    EXPECT_LE(kernel.resources->stack_bytes, most) << request.specialisation << ", " << name << ", sm_" << target;
  }
}

void compile_updates(int equilibrium, int format, bool extras, int target) {
  int lattice = 0;
  core::for_each_type(core::Lattices{}, [&]<class Lattice>(Lattice) {
    int k = 0;
    core::for_each_type(core::Equilibria{}, [&]<class Equilibrium>(Equilibrium) {
      if constexpr (Equilibrium::template supports<Lattice>)
        if (k == equilibrium)
          compile_and_expect_registers_to_suffice(updates_of<Lattice, Equilibrium>(lattice, k, format, extras), target);
      ++k;
    });
    ++lattice;
  });
}

TEST(CoreUnderNvrtc, CompilesEveryCollisionAndEquilibrium) {
  SKIP_WITHOUT_NVRTC();
  for (int equilibrium = 0; equilibrium < core::Equilibria::size; ++equilibrium)
    compile_updates(equilibrium, 1, true, 90);
}

TEST(CoreUnderNvrtc, CompilesEveryFormat) {
  SKIP_WITHOUT_NVRTC();
  for (int format = 0; format < core::Formats::size; ++format) compile_updates(0, format, false, 90);
}

TEST(CoreUnderNvrtc, CompilesForEveryTarget) {
  SKIP_WITHOUT_NVRTC();
  for (const int target : test::known_targets()) compile_updates(0, 1, true, target);
}

TEST(CoreUnderNvrtc, CompilesEveryStreaming) {
  SKIP_WITHOUT_NVRTC();
  CompileRequest request;
  request.name = "addresses";
  request.source = source;
  for (int streaming = 0; streaming < core::Streamings::size; ++streaming)
    for (int lattice = 0; lattice < core::Lattices::size; ++lattice)
      request.kernels.push_back(fmt::format("addresses<{}, {}>", streaming, lattice));
  EXPECT_EQ(compile(request, 90).log, "");
}

}  // namespace
}  // namespace fluvia::cuda
