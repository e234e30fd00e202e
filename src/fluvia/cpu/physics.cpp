// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cpu/physics.hpp"

#include <experimental/simd>

#include "fluvia/base/error.hpp"
#include "fluvia/core/lattice/registry.hpp"

namespace fluvia::cpu {

int vector_width() {
  return static_cast<int>(std::experimental::native_simd<float>::size());
}

template <class T>
PhysicsKernels<T> find_physics(const std::string& lattice, const std::string& collision, const std::string& equilibrium,
                               bool force, bool large_eddy) {
  PhysicsKernels<T> kernels;
  bool found = false;
  core::for_each_type(core::Lattices{}, [&]<class Lattice>(Lattice) {
    if (lattice == Lattice::name)
      found = find_physics_of<Lattice, T>(collision, equilibrium, force, large_eddy, kernels);
  });
  if (!found)
    throw_input("numerics: collision '" + collision + "' is not available on lattice '" + lattice +
                "' (mrt needs a moment basis: D2Q9 or D3Q19)");
  return kernels;
}

template PhysicsKernels<float> find_physics(const std::string&, const std::string&, const std::string&, bool, bool);
template PhysicsKernels<double> find_physics(const std::string&, const std::string&, const std::string&, bool, bool);

}  // namespace fluvia::cpu
