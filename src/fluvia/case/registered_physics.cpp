// SPDX-License-Identifier: Apache-2.0
#include "fluvia/case/registered_physics.hpp"

#include "fluvia/base/text.hpp"
#include "fluvia/core/collision/registry.hpp"
#include "fluvia/core/equilibrium/registry.hpp"
#include "fluvia/core/lattice/registry.hpp"

namespace fluvia {

namespace {

template <class Types>
std::vector<std::string> names_of(Types types) {
  std::vector<std::string> names;
  core::for_each_type(types, [&]<class Type>(Type) { names.emplace_back(Type::name); });
  return names;
}

}  // namespace

std::vector<std::string> collision_names() {
  return names_of(core::Collisions{});
}

std::vector<std::string> equilibrium_names() {
  return names_of(core::Equilibria{});
}

std::vector<std::string> lattice_names(int dimension) {
  std::vector<std::string> names;
  core::for_each_type(core::Lattices{}, [&]<class Lattice>(Lattice) {
    if (dimension == 0 || dimension == Lattice::D) names.emplace_back(Lattice::name);
  });
  return names;
}

std::string default_lattice(int dimension) {
  return dimension == 2 ? core::D2Q9::name : core::D3Q19::name;
}

std::string collision_problem(const std::string& collision, const std::string& lattice) {
  std::vector<std::string> valid;
  std::string needed;
  core::for_each_type(core::Lattices{}, [&]<class Lattice>(Lattice) {
    if (lattice != Lattice::name) return;
    core::for_each_type(core::Collisions{}, [&]<class Collision>(Collision) {
      if constexpr (Collision::template supports<Lattice>)
        valid.emplace_back(Collision::name);
      else if (collision == Collision::name)
        needed = Collision::needs;
    });
  });
  if (needed.empty()) return "";
  return "'" + collision + "' does not work on " + lattice + ": it needs " + needed + "; use " + join(valid, " or ");
}

std::string equilibrium_problem(const std::string& equilibrium, const std::string& collision,
                                const std::string& lattice) {
  std::vector<std::string> valid;
  std::string problem;
  const auto look_at = [&]<class Lattice, class Equilibrium>(Lattice, Equilibrium) {
    bool accepted = true;
    core::for_each_type(core::Collisions{}, [&]<class Collision>(Collision) {
      if (collision == Collision::name) accepted = core::accepts<Collision, Equilibrium>;
    });
    if (Equilibrium::template supports<Lattice> && accepted) valid.emplace_back(Equilibrium::name);
    if (equilibrium != Equilibrium::name) return;
    if (!Equilibrium::template supports<Lattice>)
      problem = "does not work on " + lattice + ": it needs " + Equilibrium::needs;
    else if (!accepted)
      problem = "does not work with collision '" + collision + "', which has an equilibrium of its own";
  };
  core::for_each_type(core::Lattices{}, [&]<class Lattice>(Lattice) {
    if (lattice != Lattice::name) return;
    core::for_each_type(core::Equilibria{}, [&]<class Equilibrium>(Equilibrium) { look_at(Lattice{}, Equilibrium{}); });
  });
  if (problem.empty()) return "";
  return "'" + equilibrium + "' " + problem + "; use " + join(valid, " or ");
}

std::vector<std::string> mrt_rate_names(const std::string& lattice) {
  std::vector<std::string> names;
  core::for_each_type(core::Lattices{}, [&]<class Lattice>(Lattice) {
    if constexpr (core::MrtBasis<Lattice>::available) {
      using Basis = core::MrtBasis<Lattice>;
      if (lattice == Lattice::name) names.assign(Basis::rate_names, Basis::rate_names + Basis::free_rates);
    }
  });
  return names;
}

}  // namespace fluvia
