// SPDX-License-Identifier: Apache-2.0
// The physics headers under NVRTC: everything that the registries list is instantiated in a kernel.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <tuple>

#include "cuda/support.hpp"
#include "fluvia/core/boundary/registry.hpp"
#include "fluvia/core/collision/registry.hpp"
#include "fluvia/core/equilibrium/registry.hpp"
#include "fluvia/core/format/registry.hpp"
#include "fluvia/core/lattice/registry.hpp"
#include "fluvia/core/streaming/registry.hpp"
#include "fluvia/core/viscosity/registry.hpp"
#include "support/covering.hpp"

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

/// An update of nodes: places in the registries, and the generation of GPUs that it is compiled for.
struct Update {
  int lattice, collision, equilibrium, format, viscosity, target;
  [[nodiscard]] bool has_force() const { return viscosity > 0; }
  [[nodiscard]] std::string kernel() const {
    return fmt::format("update<{}, {}, {}, {}, {}, {}>", lattice, collision, equilibrium, format, has_force(),
                       viscosity);
  }
};

/// What the registries combine: every collision and equilibrium with every model of viscosity that a lattice allows.
class Combined {
 public:
  Combined() {
    int lattice = 0;
    core::for_each_type(core::Lattices{}, [&]<class Lattice>(Lattice) {
      names.emplace_back(Lattice::name);
      int collision = 0;
      core::for_each_type(core::Collisions{}, [&]<class Collision>(Collision) {
        int equilibrium = 0;
        core::for_each_type(core::Equilibria{}, [&]<class Equilibrium>(Equilibrium) {
          if constexpr (core::combines<Lattice, Collision, Equilibrium>)
            collisions_.insert({lattice, collision, equilibrium});
          ++equilibrium;
        });
        ++collision;
      });
      int viscosity = 0;
      core::for_each_type(core::Viscosities{}, [&]<class Viscosity>(Viscosity) {
        if (Viscosity::template supports<Lattice>) viscosities_.insert({lattice, viscosity});
        ++viscosity;
      });
      ++lattice;
    });
  }
  /// Formats and targets have constant viscosity or fp32 to themselves, and models of fluids the first collision:
  /// eddies are for every collision.
  [[nodiscard]] bool has(const Update& u) const {
    constexpr int fp32 = 1, eddies = 1, newest = 90;
    if (!collisions_.contains({u.lattice, u.collision, u.equilibrium})) return false;
    if (u.viscosity > eddies && (u.collision != 0 || !viscosities_.contains({u.lattice, u.viscosity}))) return false;
    const bool is_plain = u.viscosity == 0 && u.equilibrium == 0 && u.target == newest;
    return is_plain || (u.viscosity > 0 && u.format == fp32 && (u.equilibrium == 0 || u.target == newest));
  }
  std::vector<std::string> names;  ///< of lattices

 private:
  std::set<std::array<int, 3>> collisions_;
  std::set<std::array<int, 2>> viscosities_;
};

std::vector<int> places(int size) {
  std::vector<int> result(static_cast<std::size_t>(size));
  std::iota(result.begin(), result.end(), 0);
  return result;
}

/// Each pair of lattice, collision, equilibrium, format, viscosity and target, one compilation for a lattice and
/// target.
TEST(CoreUnderNvrtc, CompilesWhatTheRegistriesCombine) {
  SKIP_WITHOUT_NVRTC();
  const Combined combined;
  const auto allowed = [&](auto... row) { return combined.has(Update{row...}); };
  std::map<std::pair<int, int>, std::vector<Update>> requests;
  for (const auto& row : test::covering(allowed, places(core::Lattices::size), places(core::Collisions::size),
                                        places(core::Equilibria::size), places(core::Formats::size),
                                        places(core::Viscosities::size), test::known_targets())) {
    const Update u = std::apply([](auto... values) { return Update{values...}; }, row);
    requests[{u.lattice, u.target}].push_back(u);
  }
  for (const auto& [key, updates] : requests) {
    const auto& [lattice, target] = key;
    CompileRequest request;
    request.name = "update";
    request.specialisation = combined.names[static_cast<std::size_t>(lattice)];
    request.source = source;
    for (const Update& u : updates) request.kernels.push_back(u.kernel());
    const CompiledKernels compiled = compile(request, target);
    EXPECT_EQ(compiled.log, "") << request.specialisation;
    for (const Update& u : updates) {
      SCOPED_TRACE(testing::Message() << request.specialisation << ", " << u.kernel() << ", sm_" << target);
      const auto& resources = compiled.kernels.at(u.kernel()).resources;
      ASSERT_TRUE(resources);
      // All boundary conditions on top of D3Q27 in fp64 are a little too much; steps without them have kernels of their
      // own, which StepKernels.KeepEverythingInRegisters watches.
      const unsigned most = request.specialisation == "D3Q27" && u.format == 0 ? 128 : 0;
      EXPECT_LE(resources->spill_store_bytes, most);
      EXPECT_LE(resources->stack_bytes, most);
    }
  }
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
