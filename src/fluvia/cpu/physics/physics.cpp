// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cpu/physics/physics.hpp"

#include "fluvia/base/error.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/core/lattice/registry.hpp"
#include "fluvia/cpu/physics/pack.hpp"

namespace fluvia::cpu {

int vector_width() {
  return Pack<float>::size;
}

template <class T>
PhysicsKernels<T> find_physics(const std::string& lattice, const std::string& collision, const std::string& equilibrium,
                               bool force, const std::string& viscosity, core::WallRule walls) {
  PhysicsKernels<T> kernels;
  bool found = false;
  core::for_each_type(core::Lattices{}, [&]<class Lattice>(Lattice) {
    if (lattice == Lattice::name)
      found = find_physics_of<Lattice, T>(collision, equilibrium, force, local_rates<T>(viscosity), walls, kernels);
  });
  if (!found) {
    std::string problem = collision_problem(collision, lattice);
    if (problem.empty()) problem = equilibrium_problem(equilibrium, collision, lattice);
    throw_input("numerics: " + (problem.empty() ? "no kernels for '" + collision + "' on " + lattice : problem));
  }
  return kernels;
}

template PhysicsKernels<float> find_physics(const std::string&, const std::string&, const std::string&, bool,
                                            const std::string&, core::WallRule);
template PhysicsKernels<double> find_physics(const std::string&, const std::string&, const std::string&, bool,
                                             const std::string&, core::WallRule);

}  // namespace fluvia::cpu
